/* SPDX-License-Identifier: MIT */
/* Checks for programs that are one test: a message and a failure count, exit 77 for what cannot be tested here. */
#ifndef HPT_PROCESS_H
#define HPT_PROCESS_H

#include <stdio.h>
#include <stdlib.h>

#define SKIP 77

static int failures;

#define CHECK(condition, ...)                                            \
	do {                                                             \
		if (!(condition)) {                                      \
			failures++;                                      \
			fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);  \
			fprintf(stderr, __VA_ARGS__);                    \
			fputc('\n', stderr);                             \
		}                                                        \
	} while (0)

static inline int skip(const char *why)
{
	printf("skipped: %s\n", why);
	return SKIP;
}

#endif
