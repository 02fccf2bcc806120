/* SPDX-License-Identifier: MIT */
/* A document from one description, written as text for a terminal or as HTML for a page. */
#ifndef HPT_BENCH_DOC_H
#define HPT_BENCH_DOC_H

#include <stdbool.h>
#include <stdio.h>

#include "out.h"

struct hpt_doc {
	FILE *to;
	bool  is_html;
};

/* A heading and a paragraph; HTML's special characters are escaped. */
void hpt_doc_heading(struct hpt_doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hpt_doc_note(struct hpt_doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes a table whose cells are constant texts: @n @cells, row after row. */
void hpt_doc_texts(struct hpt_doc *doc, const struct hpt_column *columns, const char *const *cells, size_t n);

/* Writes the table and releases it. Columns flagged SCOLS_FL_RIGHT contain numbers. */
void hpt_doc_table(struct hpt_doc *doc, struct libscols_table *tb);

/* Writes text with <, >, & and quotes escaped for HTML and SVG. */
void hpt_doc_escape(FILE *to, const char *text);

#endif
