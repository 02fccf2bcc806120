/* SPDX-License-Identifier: MIT */
/*
 * The papers' sleep and a busy wait. The papers' code was a shared library, as libhpt is, and after a long sleep a call
 * into a library includes the cost of reaching code that is in no cache. So each function has pages of its own, which
 * no other part of the measuring loop keeps warm, and is called through a pointer in a cache line of its own, as
 * through a GOT.
 */
#ifndef HPT_TOOLS_PAPERS_H
#define HPT_TOOLS_PAPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/one_sleep.h"

/* The papers' T2 and T3: the reading from which the target is computed, and the first that is not below the target. */
struct papers_times {
	int64_t entered, left;
};

/* Sleeps until entered + asked->ticks. @is_tsc: see stopwatch_by(). */
typedef struct papers_times papers_fn(const struct sleep_length *asked, bool is_tsc);

struct papers_door {
	papers_fn *volatile enter;
} __attribute__((aligned(64)));

extern const struct papers_door papers_rule, papers_busy;

/* The end of their pages: other code may begin here. */
extern const char papers_end[];

#endif
