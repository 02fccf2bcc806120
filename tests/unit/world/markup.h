/* SPDX-License-Identifier: MIT */
/* Plots and pages as text: is it well formed, and what does it contain? */
#ifndef HPT_TEST_MARKUP_H
#define HPT_TEST_MARKUP_H

#include <string.h>

#include "unit.h"

#define DEPTH_MAX 32
#define NAME_MAX_ 32

struct markup { char *text; size_t size; FILE *to; };

static inline void markup_open(struct markup *m)
{
	m->to = open_memstream(&m->text, &m->size);
	assert_non_null(m->to);
}

/* Elements of HTML without an end tag. */
static inline bool is_void_element(const char *name)
{
	return !strcmp(name, "meta") || !strcmp(name, "link") || !strcmp(name, "!DOCTYPE") ||
	       !strcmp(name, "wbr");
}

/* Returns the position after the attributes of a tag, each of which is name="value". */
static inline const char *skip_attributes(const char *at)
{
	while (*at == ' ' && at[1] != '/') {
		at += 1 + strcspn(at + 1, "=<> \"");
		if (at[0] != '=' || at[1] != '"')
			fail_msg("attribute without a value at: %.60s", at);
		at += 2 + strcspn(at + 2, "\"<");
		if (*at++ != '"')
			fail_msg("value without an end at: %.60s", at - 1);
	}
	return at;
}

/* & must begin one of the known names. */
static inline void assert_is_entity(const char *at)
{
	static const char *const names[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&#39;" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (!strncmp(at, names[i], strlen(names[i])))
			return;
	fail_msg("bare &: %.60s", at);
}

struct open_elements { char names[DEPTH_MAX][NAME_MAX_]; size_t depth; };

static inline const char *check_tag(const char *at, struct open_elements *open)
{
	bool is_end = at[1] == '/';
	const char *name = at + 1 + is_end;
	size_t length = strcspn(name, " />\n");
	char copy[NAME_MAX_];

	if (length >= sizeof(copy) || !length)
		fail_msg("no name of an element: %.60s", at);
	snprintf(copy, sizeof(copy), "%.*s", (int)length, name);
	if (!strcmp(copy, "!DOCTYPE"))
		return strchr(at, '>') + 1;
	at = skip_attributes(name + length);
	if (is_end) {
		if (!open->depth || strcmp(open->names[open->depth - 1], copy) != 0)
			fail_msg("</%s> ends %s", copy, open->depth ? open->names[open->depth - 1] : "nothing");
		open->depth--;
	} else if (*at == '/') {
		at++;
	} else if (!is_void_element(copy)) {
		assert_true(open->depth < DEPTH_MAX);
		strcpy(open->names[open->depth++], copy);
	}
	if (*at != '>')
		fail_msg("no end of <%s: %.60s", copy, at);
	return at + 1;
}

static inline void assert_well_formed(const char *text)
{
	struct open_elements open = { .depth = 0 };
	const char *at = text;

	while (*at) {
		if (*at == '<') {
			at = check_tag(at, &open);
			continue;
		}
		if (*at == '&')
			assert_is_entity(at);
		at++;
	}
	if (open.depth)
		fail_msg("<%s> has no end", open.names[open.depth - 1]);
}

static inline void assert_says(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("does not say: %s", words);
}

static inline void assert_never_says(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	if (at)
		fail_msg("says %s: %.60s", words, at);
}

static inline unsigned count_of(const char *text, const char *words)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, words)) != NULL; at += strlen(words))
		n++;
	return n;
}

/* All coordinates of paths are numbers within the picture. */
static inline void assert_in_picture(const char *svg, double width, double height)
{
	for (const char *at = svg; (at = strpbrk(at, "ML")) != NULL; at++) {
		double x, y;
		int used = 0;

		if (sscanf(at + 1, "%lf %lf%n", &x, &y, &used) != 2 || !used)
			continue;
		if (!(x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1))
			fail_msg("outside of the picture: %.40s", at);
	}
}

/* As printf() writes them. "nanosleep" contains "nan". */
static inline void assert_all_numbers(const char *svg)
{
	static const char *const odd[] = { "nan", "inf" };

	for (size_t i = 0; i < COUNT(odd); i++)
		for (const char *at = svg; (at = strstr(at, odd[i])) != NULL; at++)
			if (strncmp(at, "nanosleep", strlen("nanosleep")) != 0)
				fail_msg("no number: %.40s", at > svg + 8 ? at - 8 : at);
}

/* Ends the writing and checks properties that every text must have. The caller frees the text. */
static inline char *markup_close(struct markup *m)
{
	assert_int_equal(fclose(m->to), 0);
	assert_well_formed(m->text);
	assert_true(m->size < 1000000);
	return m->text;
}

static inline char *plot_close(struct markup *m)
{
	char *svg = markup_close(m), *box = strstr(svg, "viewBox=\"0 0 ");
	double width, height;

	assert_non_null(box);
	assert_int_equal(sscanf(box, "viewBox=\"0 0 %lf %lf", &width, &height), 2);
	assert_in_picture(svg, width, height);
	assert_all_numbers(svg);
	assert_never_says(svg, " id=");
	assert_never_says(svg, "<script");
	assert_never_says(svg, "url(");
	return svg;
}

#endif
