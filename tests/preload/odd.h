/* SPDX-License-Identifier: MIT */
/* What tests of odd arguments share. */
#ifndef HPT_PRELOAD_ODD_H
#define HPT_PRELOAD_ODD_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"
#include "sleeper.h"

/* More descriptors than the process may have, for poll(), and than a set has room for. */
#define MANY  100000
#define LIMIT 256

#define PAGE 65536 /* no machine has larger ones */

/* Time-outs in milliseconds: what they wait for is there, or they are refused. -1 is without an end. */
static const int times_ms[] = { -1, 0, 1, 3, 60000, INT_MAX };

#define TIMES (sizeof(times_ms) / sizeof(times_ms[0]))

/* It can be waited out in a test. */
static inline bool is_brief(int ms)
{
	return ms >= 0 && ms <= 3;
}

static inline bool failed_with(int r, int err)
{
	return r == -1 && errno == err;
}

/* NULL: without an end. */
static inline const struct timespec *length_of(int64_t ns, struct timespec *ts)
{
	*ts = timespec_of(ns);
	return ns < 0 ? NULL : ts;
}

/* A number that is no descriptor, though the process has room for it. Negative: it cannot be had. */
static inline int closed_descriptor(void)
{
	int fd = fcntl(0, F_DUPFD, 100);

	close(fd);
	return fd;
}

/* Zeros that can be used that way alone. */
static inline void *page_for(int protection)
{
	void *page = mmap(NULL, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(page != MAP_FAILED, "no page");
	return page;
}

#endif
