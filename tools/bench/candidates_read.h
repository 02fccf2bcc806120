/* SPDX-License-Identifier: MIT */
/* The calls that tell the time, each with its loops. */
#ifndef HPT_BENCH_CANDIDATES_READ_H
#define HPT_BENCH_CANDIDATES_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

struct hpt_read_candidate {
	const char *name;               /* "hpt_now(tsc)", "rdtscp", "clock_gettime(MONOTONIC)" ... */
	uint32_t source;                /* HPT_SOURCE_ that is read; 0: a yardstick, not the library, or ... */
	bool is_default;                /* ... whichever is the default clock's, by NULL */
	const char *step_of;            /* the counter whose steps this row shows; NULL: shown by another row */
	int64_t tick_ps;                /* of what read() returns; 0: a tick of clk */
	hpt_clock *clk;                 /* read by rows of a source */
	bool (*is_usable)(void);        /* NULL: always */
	int64_t (*read)(hpt_clock *clk);                        /* once, in ticks; NULL where step_of is */
	void (*loop)(hpt_clock *clk, uint32_t calls);           /* one behind the other */
	void (*isolated)(hpt_clock *clk, uint32_t calls);       /* each ended before the next begins */
	void (*singles)(hpt_clock *clk, hpt_clock *stopwatch, int64_t *ret_ticks, uint32_t calls);
};

static inline bool hpt_read_candidate_is_ours(const struct hpt_read_candidate *call)
{
	return call->source || call->is_default;
}

/* All of this build, whether usable or not; clk is NULL. */
extern const struct hpt_read_candidate hpt_read_candidates[];
extern const unsigned hpt_n_read_candidates;

/* What all others are compared with. */
#define HPT_READ_BASE "clock_gettime(MONOTONIC)"

/* No call at all: its singles are what the stopwatch takes. */
extern const struct hpt_read_candidate hpt_read_nothing;

#endif
