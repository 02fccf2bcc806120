/* SPDX-License-Identifier: MIT */
/*
 * The papers' sleep and a busy wait. Theirs was a shared library as ours is, and after a long sleep a call into a
 * library costs what the way into code takes that is in no cache. So each lies in pages of its own, which nothing of
 * the measuring loop keeps warm, and is called through a pointer in a cache line of its own, as through a GOT.
 */
#ifndef HPT_BENCH_PAPERS_H
#define HPT_BENCH_PAPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/one_sleep.h"

/* The papers' T2 and T3: the reading that the target was reckoned from, and the one that was not below the target. */
struct hpt_papers_times {
	int64_t entered, left;
};

/* Sleeps to entered + nap->ticks. @is_tsc: hpt_stopwatch_by(). */
typedef struct hpt_papers_times hpt_papers_fn(const struct hpt_sleep_length *nap, bool is_tsc);

struct hpt_papers_door {
	hpt_papers_fn *volatile enter;
} __attribute__((aligned(64)));

extern const struct hpt_papers_door hpt_papers_rule, hpt_papers_busy;

/* Behind their pages: code that is not theirs may begin here. */
extern const char hpt_papers_end[];

#endif
