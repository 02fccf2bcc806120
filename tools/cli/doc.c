// SPDX-License-Identifier: MIT
/* Writes headings, notes and tables as text or as HTML: tools/cli/doc.h. */
#include "cli/doc.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/util.h"

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the length of the word or sign that was replaced at @at; 0: there is no such word. */
static size_t put_sign(FILE *to, const char *text, const char *at)
{
	static const struct { const char *ascii, *sign; } words[] = {
		{ "us", "\302\265s" }, { "x", "\303\227" }, { "+-", "\302\261" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i].ascii);
		bool is_word = is_in_word(*words[i].ascii);

		if (strncmp(at, words[i].ascii, n) != 0 ||
		    (is_word && ((at > text && is_in_word(at[-1])) || is_in_word(at[n]))))
			continue;
		fputs(words[i].sign, to);
		return n;
	}
	return 0;
}

/* @may_break: a narrow screen may break the line after a parenthesis or an underscore. */
static void escape(FILE *to, const char *text, bool may_break)
{
	for (const char *start = text; *text; text++) {
		size_t replaced = put_sign(to, start, text);
		static const char special[] = "<>&\"'";
		static const char *const names[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&#39;" };
		const char *at = strchr(special, *text);

		if (replaced)
			text += replaced - 1;
		else if (at)
			fputs(names[at - special], to);
		else
			putc(*text, to);
		if (may_break && strchr("(_", *text))
			fputs("<wbr>", to);
	}
}

void doc_escape(FILE *to, const char *text)
{
	escape(to, text, false);
}

__attribute__((format(printf, 3, 0)))
static void put(struct doc *doc, const char *element, const char *fmt, va_list ap)
{
	char *text = xvasprintf(fmt, ap);

	if (doc->is_html) {
		fprintf(doc->to, "<%s>", element);
		doc_escape(doc->to, text);
		fprintf(doc->to, "</%s>\n", element);
	} else {
		fprintf(doc->to, "%s\n", text);
	}
	free(text);
}

void doc_heading(struct doc *doc, const char *fmt, ...)
{
	va_list ap;

	if (!doc->is_html)
		putc('\n', doc->to);
	va_start(ap, fmt);
	put(doc, "h3", fmt, ap);
	va_end(ap);
}

void doc_note(struct doc *doc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(doc, "p", fmt, ap);
	va_end(ap);
}

void doc_fold(struct doc *doc, const char *heading)
{
	if (!doc->is_html) {
		doc_heading(doc, "%s", heading);
		return;
	}
	fputs("<details><summary>", doc->to);
	doc_escape(doc->to, heading);
	fputs("</summary>\n", doc->to);
}

void doc_fold_end(struct doc *doc)
{
	if (doc->is_html)
		fputs("</details>\n", doc->to);
}

/* @scope: the cell heads a "col" or a "row"; NULL: it is no heading. Nor is an empty cell. */
static void put_cell(FILE *to, const char *scope, const char *text, const char *help, bool is_number)
{
	if (!text || !*text)
		scope = NULL;
	if (scope)
		fprintf(to, "<th scope=\"%s\"%s>", scope, is_number ? " class=\"n\"" : "");
	else
		fprintf(to, "<td%s>", is_number ? " class=\"n\"" : "");
	escape(to, text ? text : "", scope && !is_number);
	if (help) {
		fputs("<small>", to);
		doc_escape(to, help);
		fputs("</small>", to);
	}
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
		struct libscols_cell *head = scols_column_get_header(column);

		put_cell(to, "col", scols_cell_get_data(head), scols_cell_get_userdata(head), is_number(column));
	}
	fputs("</tr></thead>\n", to);
}

static void put_line(FILE *to, struct libscols_table *tb, struct libscols_line *line)
{
	size_t n = scols_table_get_ncols(tb);

	fputs("<tr>", to);
	for (size_t i = 0; i < n; i++)
		put_cell(to, i ? NULL : "row", scols_cell_get_data(scols_line_get_cell(line, i)), NULL,
			 is_number(scols_table_get_column(tb, i)));
	fputs("</tr>\n", to);
}

/* A wide table scrolls by itself, not with the page: also by keys, if it has the focus. */
static void put_table(FILE *to, struct libscols_table *tb)
{
	fputs("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n", to);
	if (!scols_table_is_noheadings(tb))
		put_head(to, tb);
	fputs("<tbody>\n", to);
	for (size_t i = 0; i < scols_table_get_nlines(tb); i++)
		put_line(to, tb, scols_table_get_line(tb, i));
	fputs("</tbody></table></div>\n", to);
}

void doc_table(struct doc *doc, struct libscols_table *tb)
{
	if (doc->is_html) {
		put_table(doc->to, tb);
		scols_unref_table(tb);
	} else {
		scols_table_set_stream(tb, doc->to);
		out_table_print(tb);
	}
}

#define COLUMNS_MAX 16

struct libscols_table *doc_table_new(const struct doc_column *columns)
{
	struct out_column plain[COLUMNS_MAX + 1] = { { 0 } };
	struct libscols_table *tb;
	size_t n = 0;

	for (; n < COLUMNS_MAX && columns[n].name; n++)
		plain[n] = (struct out_column){ columns[n].name, columns[n].flags };
	tb = out_table_new(plain);
	for (size_t i = 0; i < n; i++)
		scols_cell_set_userdata(scols_column_get_header(scols_table_get_column(tb, i)),
					(void *)(uintptr_t)columns[i].help);
	return tb;
}

void doc_texts(struct doc *doc, const struct doc_column *columns, const char *const *cells, size_t n)
{
	struct libscols_table *tb = doc_table_new(columns);
	size_t width = scols_table_get_ncols(tb);
	struct libscols_line *ln = NULL;

	for (size_t i = 0; i < n; i++) {
		if (i % width == 0)
			ln = out_table_line(tb);
		out_table_cell(ln, i % width, "%s", cells[i]);
	}
	doc_table(doc, tb);
}
