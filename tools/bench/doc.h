/* SPDX-License-Identifier: MIT */
/* A report that is told once and written as text for a terminal or as HTML for a page. */
#ifndef HPT_BENCH_DOC_H
#define HPT_BENCH_DOC_H

#include <stdbool.h>
#include <stdio.h>

#include "out.h"

struct hpt_doc {
	FILE *to;
	bool  is_html;
};

/* A heading of what follows, and a paragraph; in HTML with what means something there escaped. */
void hpt_doc_heading(struct hpt_doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hpt_doc_note(struct hpt_doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Writes a table of nothing but texts: @cells row after row, of which there are @n in all. The table ends where a column
 * has no name: struct hpt_column.
 */
void hpt_doc_texts(struct hpt_doc *doc, const struct hpt_column *columns, const char *const *cells, size_t n);

/* Writes the table and gives it back. Columns flagged SCOLS_FL_RIGHT are numbers. */
void hpt_doc_table(struct hpt_doc *doc, struct libscols_table *tb);

/* Text with <, >, & and quotes as HTML and SVG have them. */
void hpt_doc_escape(FILE *to, const char *text);

#endif
