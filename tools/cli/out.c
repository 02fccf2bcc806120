// SPDX-License-Identifier: MIT
/* Prints JSON by jansson and tables by libsmartcols: tools/cli/out.h. */
#include "cli/out.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/util.h"

/* Characters between two columns of a table; a narrower last column is not worth its line breaks. */
#define SEPARATOR_MAX 2
#define LAST_MIN      24

bool out_close(void)
{
	bool failed;

	errno = 0;
	failed = fflush(stdout) || ferror(stdout);
	if (!failed && !fclose(stdout))
		return true;
	/* No errno: an earlier write failed and the last one did not. */
	err_print("write error: %s", errno ? strerror(errno) : "some output is lost");
	return false;
}

void out_end_by(int signal)
{
	if (!out_close())
		_Exit(EXIT_FAILURE);
	raise(signal);
	_Exit(128 + signal); /* the signal is blocked */
}

void out_json_add(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, xneed(value)))
		xneed(NULL);
}

json_t *out_json_new(void)
{
	json_t *object = xneed(json_object());

	out_json_int(object, "hpt_json", 1);
	return object;
}

void out_json_int(json_t *object, const char *key, uint64_t value)
{
	out_json_add(object, key, json_integer((json_int_t)value));
}

void out_json_sint(json_t *object, const char *key, int64_t value)
{
	out_json_add(object, key, json_integer(value));
}

void out_json_bool(json_t *object, const char *key, bool value)
{
	out_json_add(object, key, json_boolean(value));
}

void out_json_latin1(json_t *object, const char *key, const char *bytes, size_t n)
{
	char *utf8 = xneed(malloc(2 * n + 1));
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c >= 0x80)
			utf8[len++] = (char)(0xc0 | c >> 6);
		utf8[len++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
	}
	out_json_add(object, key, json_stringn(utf8, len));
	free(utf8);
}

void out_json_text(json_t *object, const char *key, const char *value)
{
	json_t *text;

	if (!value) {
		out_json_add(object, key, json_null());
		return;
	}
	text = json_string(value); /* refuses text that is not UTF-8 */
	if (text)
		out_json_add(object, key, text);
	else
		out_json_latin1(object, key, value, strlen(value));
}

void out_json_print(json_t *object)
{
	char *line = xneed(json_dumps(object, JSON_COMPACT));

	printf("%s\n", line);
	free(line);
	json_decref(object);
}

/*
 * libsmartcols breaks lines within words, and does not narrow a column that has a function for breaking them. So this
 * function gives the last column the rest of the terminal's width.
 */
static size_t width_left(const struct libscols_column *last, const char *data, void *ctx)
{
	struct libscols_table *tb = ctx;
	size_t n = scols_table_get_ncols(tb), used = 0, want = strlen(data), all = scols_table_get_termwidth(tb);

	(void)last;
	if (!isatty(STDOUT_FILENO))
		return want;
	for (size_t i = 0; i + 1 < n; i++)
		used += scols_column_get_width(scols_table_get_column(tb, i)) + SEPARATOR_MAX;
	all = all > used + LAST_MIN ? all - used : LAST_MIN;
	return want < all ? want : all;
}

/* The terminal breaks a word that is wider than the column. */
static char *next_words(const struct libscols_column *cl, char *data, void *ctx)
{
	size_t width = scols_column_get_width(cl);
	char *blank = NULL;

	(void)ctx;
	if (strlen(data) <= width)
		return NULL;
	for (char *p = strchr(data, ' '); p && (!blank || p <= data + width); p = strchr(p + 1, ' '))
		blank = p;
	if (!blank)
		return NULL;
	*blank = '\0';
	return blank + 1;
}

struct libscols_table *out_table_new(const struct out_column *columns)
{
	struct libscols_table *tb = xneed(scols_new_table());

	for (const struct out_column *c = columns; c->name; c++) {
		struct libscols_column *cl = xneed(scols_table_new_column(tb, c->name, 0, c->flags));

		if (c->flags & SCOLS_FL_WRAP)
			scols_column_set_wrapfunc(cl, width_left, next_words, tb);
	}
	return tb;
}

struct libscols_table *out_table_new_facts(void)
{
	static const struct out_column columns[] = { { "", 0 }, { "", SCOLS_FL_WRAP }, { 0 } };
	struct libscols_table *tb = out_table_new(columns);

	scols_table_enable_noheadings(tb, 1);
	scols_table_set_column_separator(tb, "  ");
	return tb;
}

__attribute__((format(printf, 3, 0)))
static void set_cell(struct libscols_line *ln, size_t column, const char *fmt, va_list ap)
{
	if (scols_line_refer_data(ln, column, xvasprintf(fmt, ap)))
		xneed(NULL);
}

struct libscols_line *out_table_line(struct libscols_table *tb)
{
	return xneed(scols_table_new_line(tb, NULL));
}

void out_table_cell(struct libscols_line *ln, size_t column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_cell(ln, column, fmt, ap);
	va_end(ap);
}

void out_table_fact(struct libscols_table *tb, const char *label, const char *fmt, ...)
{
	struct libscols_line *ln = out_table_line(tb);
	va_list ap;

	out_table_cell(ln, 0, "%s", label);
	va_start(ap, fmt);
	set_cell(ln, 1, fmt, ap);
	va_end(ap);
}

void out_table_print(struct libscols_table *tb)
{
	scols_print_table(tb);
	scols_unref_table(tb);
}
