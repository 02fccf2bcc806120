/* SPDX-License-Identifier: MIT */
/*
 * The papers' sleep and a busy wait. The papers' code was a shared library, as libhpt is, and after a long sleep a call
 * into a library includes the cost of reaching code that is in no cache. So each function has pages of its own, which
 * no other part of the measuring loop keeps warm, and is called through a pointer in a cache line of its own, as
 * through a GOT.
 */
#ifndef HPT_BENCH_PAPERS_H
#define HPT_BENCH_PAPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/one_sleep.h"

/* The papers' T2 and T3: the reading from which the target is computed, and the first that is not below the target. */
struct hpt_papers_times {
	int64_t entered, left;
};

/* Sleeps until entered + asked->ticks. @is_tsc: see hpt_stopwatch_by(). */
typedef struct hpt_papers_times hpt_papers_fn(const struct hpt_sleep_length *asked, bool is_tsc);

struct hpt_papers_door {
	hpt_papers_fn *volatile enter;
} __attribute__((aligned(64)));

extern const struct hpt_papers_door hpt_papers_rule, hpt_papers_busy;

/* The end of their pages: other code may begin here. */
extern const char hpt_papers_end[];

#endif
