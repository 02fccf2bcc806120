/* SPDX-License-Identifier: MIT */
/* Names of any origin as UTF-8, which every format wants. */
#ifndef HPT_TOOLS_UTF8_H
#define HPT_TOOLS_UTF8_H

#include <stddef.h>

/* At most this many bytes for one of the text: of the sign that stands for a NUL, which would end strings of CTF. */
#define UTF8_GROWTH 3u

/* Copies text; bytes that are no UTF-8 are taken as Latin-1. Returns the length, at most UTF8_GROWTH * n. */
size_t utf8_copy(char *to, const char *text, size_t n);

#endif
