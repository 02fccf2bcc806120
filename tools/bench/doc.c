// SPDX-License-Identifier: MIT
/* Writes headings, notes and tables as text or as HTML: tools/bench/doc.h. */
#include "bench/doc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "util.h"

void hpt_doc_escape(FILE *to, const char *text)
{
	for (; *text; text++) {
		static const char special[] = "<>&\"'";
		static const char *const names[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&#39;" };
		const char *at = strchr(special, *text);

		if (at)
			fputs(names[at - special], to);
		else
			putc(*text, to);
	}
}

__attribute__((format(printf, 3, 0)))
static void put(struct hpt_doc *doc, const char *element, const char *fmt, va_list ap)
{
	char *text = hpt_vasprintf(fmt, ap);

	if (doc->is_html) {
		fprintf(doc->to, "<%s>", element);
		hpt_doc_escape(doc->to, text);
		fprintf(doc->to, "</%s>\n", element);
	} else {
		fprintf(doc->to, "%s\n", text);
	}
	free(text);
}

void hpt_doc_heading(struct hpt_doc *doc, const char *fmt, ...)
{
	va_list ap;

	if (!doc->is_html)
		putc('\n', doc->to);
	va_start(ap, fmt);
	put(doc, "h3", fmt, ap);
	va_end(ap);
}

void hpt_doc_note(struct hpt_doc *doc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(doc, "p", fmt, ap);
	va_end(ap);
}

/* @scope: the cell heads a "col" or a "row"; NULL: it is no heading. */
static void put_cell(FILE *to, const char *scope, const char *text, bool is_number)
{
	if (scope)
		fprintf(to, "<th scope=\"%s\"%s>", scope, is_number ? " class=\"n\"" : "");
	else
		fprintf(to, "<td%s>", is_number ? " class=\"n\"" : "");
	hpt_doc_escape(to, text ? text : "");
	fputs(scope ? "</th>" : "</td>", to);
}

static bool is_number(struct libscols_column *column)
{
	return scols_column_get_flags(column) & SCOLS_FL_RIGHT;
}

static void put_head(FILE *to, struct libscols_table *tb)
{
	size_t n = scols_table_get_ncols(tb);

	fputs("<thead><tr>", to);
	for (size_t i = 0; i < n; i++) {
		struct libscols_column *column = scols_table_get_column(tb, i);

		put_cell(to, "col", scols_cell_get_data(scols_column_get_header(column)), is_number(column));
	}
	fputs("</tr></thead>\n", to);
}

static void put_line(FILE *to, struct libscols_table *tb, struct libscols_line *line)
{
	size_t n = scols_table_get_ncols(tb);

	fputs("<tr>", to);
	for (size_t i = 0; i < n; i++)
		put_cell(to, i ? NULL : "row", scols_cell_get_data(scols_line_get_cell(line, i)),
			 is_number(scols_table_get_column(tb, i)));
	fputs("</tr>\n", to);
}

/* A wide table scrolls by itself, not with the page. */
static void put_table(FILE *to, struct libscols_table *tb)
{
	fputs("<div class=\"wide\"><table>\n", to);
	if (!scols_table_is_noheadings(tb))
		put_head(to, tb);
	fputs("<tbody>\n", to);
	for (size_t i = 0; i < scols_table_get_nlines(tb); i++)
		put_line(to, tb, scols_table_get_line(tb, i));
	fputs("</tbody></table></div>\n", to);
}

void hpt_doc_table(struct hpt_doc *doc, struct libscols_table *tb)
{
	if (doc->is_html) {
		put_table(doc->to, tb);
		scols_unref_table(tb);
	} else {
		scols_table_set_stream(tb, doc->to);
		hpt_table_print(tb);
	}
}

void hpt_doc_texts(struct hpt_doc *doc, const struct hpt_column *columns, const char *const *cells, size_t n)
{
	struct libscols_table *tb = hpt_table_new(columns);
	size_t width = scols_table_get_ncols(tb);
	struct libscols_line *ln = NULL;

	for (size_t i = 0; i < n; i++) {
		if (i % width == 0)
			ln = hpt_table_line(tb);
		hpt_table_cell(ln, i % width, "%s", cells[i]);
	}
	hpt_doc_table(doc, tb);
}
