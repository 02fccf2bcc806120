// SPDX-License-Identifier: MIT
/* Makes UTF-8 of any bytes: tools/trace/utf8.h. */
#include "trace/utf8.h"

#include <stdbool.h>
#include <string.h>

/* What may follow a first byte of UTF-8: RFC 3629 has no overlong forms, no surrogates, nothing above U+10FFFF. */
struct lead {
	unsigned char first, last;      /* the first bytes */
	unsigned char least, most;      /* the second byte */
	unsigned char length;
};

static const struct lead leads[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool continues(const struct lead *l, const unsigned char *at, size_t n)
{
	if (n < l->length || at[1] < l->least || at[1] > l->most)
		return false;
	for (size_t i = 2; i < l->length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* The length of the character of several bytes that begins here; 0: no such character. */
static size_t character(const unsigned char *at, size_t n)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++)
		if (*at >= leads[i].first && *at <= leads[i].last)
			return continues(&leads[i], at, n) ? leads[i].length : 0;
	return 0;
}

static size_t put_latin1(char *to, unsigned char c)
{
	to[0] = (char)(0xc0 | c >> 6);
	to[1] = (char)(0x80 | (c & 0x3f));
	return 2;
}

static size_t put_nul(char *to)
{
	memcpy(to, "\xe2\x90\x80", 3); /* U+2400, the symbol for it */
	return 3;
}

size_t utf8_copy(char *to, const char *text, size_t n)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t used = 0;

	for (size_t i = 0; i < n;) {
		size_t length = at[i] && at[i] < 0x80 ? 1 : at[i] ? character(at + i, n - i) : 0;

		for (size_t k = 0; k < length; k++)
			to[used + k] = text[i + k];
		used += length ? length : at[i] ? put_latin1(to + used, at[i]) : put_nul(to + used);
		i += length ? length : 1;
	}
	return used;
}
