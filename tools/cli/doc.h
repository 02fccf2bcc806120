/* SPDX-License-Identifier: MIT */
/* A document from one description, written as text for a terminal or as HTML for a page. */
#ifndef HPT_BENCH_DOC_H
#define HPT_BENCH_DOC_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/out.h"

struct hpt_doc {
	FILE *to;
	bool  is_html;
};

/* A column of a table. @help: a few words that explain it, which HTML has below its name; NULL: it needs no words. */
struct hpt_doc_column {
	const char *name;
	int         flags;      /* SCOLS_FL_ */
	const char *help;
};

/* A table with these columns, the last of which has no name. */
struct libscols_table *hpt_doc_table_new(const struct hpt_doc_column *columns);

/*
 * The part from the heading to the end has details: HTML shows it on request, and printed
 * pages have it all.
 */
void hpt_doc_fold(struct hpt_doc *doc, const char *heading);
void hpt_doc_fold_end(struct hpt_doc *doc);

/* A heading and a paragraph; HTML's special characters are escaped. */
void hpt_doc_heading(struct hpt_doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hpt_doc_note(struct hpt_doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes a table whose cells are constant texts: @n @cells, row after row. */
void hpt_doc_texts(struct hpt_doc *doc, const struct hpt_doc_column *columns, const char *const *cells, size_t n);

/* Writes the table and releases it. Columns flagged SCOLS_FL_RIGHT contain numbers. */
void hpt_doc_table(struct hpt_doc *doc, struct libscols_table *tb);

/*
 * Writes text for HTML and SVG: <, >, & and quotes are escaped, and the words "us" and "x" and the sign "+-" become
 * their signs in Unicode. A terminal's character set may lack these.
 */
void hpt_doc_escape(FILE *to, const char *text);

#endif
