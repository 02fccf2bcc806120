/* SPDX-License-Identifier: MIT */
/* Checks for programs that are one test: a message and a failure count, exit 77 where the test cannot run. */
#ifndef HPT_TEST_PROCESS_H
#define HPT_TEST_PROCESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

static inline int64_t clock_ns(clockid_t id)
{
	struct timespec ts = { 0 };

	CHECK(!clock_gettime(id, &ts), "no clock %d", (int)id);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline int skip(const char *why)
{
	printf("skipped: %s\n", why);
	return SKIP;
}

#endif
