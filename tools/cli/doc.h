/* SPDX-License-Identifier: MIT */
/* A document from one description, written as text for a terminal or as HTML for a page. */
#ifndef HPT_TOOLS_DOC_H
#define HPT_TOOLS_DOC_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/out.h"

struct doc {
	FILE *to;
	bool  is_html;
};

/* A column of a table. @help: a few words that explain it, which HTML has below its name; NULL: it needs no words. */
struct doc_column {
	const char *name;
	int         flags;      /* SCOLS_FL_ */
	const char *help;
};

/* A table with these columns, the last of which has no name. */
struct libscols_table *doc_table_new(const struct doc_column *columns);

/*
 * The part from the heading to the end has details: HTML shows it on request, and printed
 * pages have it all.
 */
void doc_fold(struct doc *doc, const char *heading);
void doc_fold_end(struct doc *doc);

/* A heading and a paragraph; HTML's special characters are escaped. */
void doc_heading(struct doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_note(struct doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes a table whose cells are constant texts: @n @cells, row after row. */
void doc_texts(struct doc *doc, const struct doc_column *columns, const char *const *cells, size_t n);

/* Writes the table and releases it. Columns flagged SCOLS_FL_RIGHT contain numbers. */
void doc_table(struct doc *doc, struct libscols_table *tb);

/*
 * Writes text for HTML and SVG: <, >, & and quotes are escaped, and the words "us" and "x" and the sign "+-" become
 * their signs in Unicode. A terminal's character set may lack these.
 */
void doc_escape(FILE *to, const char *text);

#endif
