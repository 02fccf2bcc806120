/* SPDX-License-Identifier: MIT */
/* Numbers at the beginning of a text: each returns where it ends, or NULL and leaves *ret untouched. */
#ifndef HPT_TOOLS_SCAN_H
#define HPT_TOOLS_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number, perhaps negative, that fits. */
const char *scan_int(const char *text, int64_t *ret);
const char *scan_u32(const char *text, uint32_t *ret);

/* Seconds with a point and 1 to 9 decimal places, in nanoseconds. */
const char *scan_seconds(const char *text, int64_t *ret_ns);

static inline bool scan_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Past the blanks and tabs. */
static inline const char *scan_blanks(const char *text)
{
	while (scan_is_blank(*text))
		text++;
	return text;
}

/* The end of the word: a blank, a tab or the end of the text. */
static inline const char *scan_word(const char *text)
{
	while (*text && !scan_is_blank(*text))
		text++;
	return text;
}

#endif
