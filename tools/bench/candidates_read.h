/* SPDX-License-Identifier: MIT */
/* The calls that read the time, each with the loops that time it. */
#ifndef HPT_TOOLS_CANDIDATES_READ_H
#define HPT_TOOLS_CANDIDATES_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "cli/stopwatch.h"

struct read_candidate {
	const char *name;               /* "hpt_now(tsc)", "rdtscp", "clock_gettime(MONOTONIC)" ... */
	uint32_t source;                /* the HPT_SOURCE_ to read; 0: a yardstick, which is not libhpt's ... */
	bool is_default;                /* ... or, with this, the default clock by NULL */
	const char *step_of;            /* the counter whose granularity this row shows; NULL: another row does */
	int64_t tick_ps;                /* unit of what read() returns; 0: a tick of clk */
	hpt_clock *clk;                 /* the clock that rows of a source read */
	bool (*is_usable)(void);        /* NULL: always */
	int64_t (*read)(hpt_clock *clk);                        /* one read, in ticks; NULL where step_of is NULL */
	void (*loop)(hpt_clock *clk, uint32_t calls);           /* one after the other; they may overlap */
	void (*isolated)(hpt_clock *clk, uint32_t calls);       /* each has ended before the next begins */
	void (*singles)(hpt_clock *clk, const struct stopwatch *stopwatch, int64_t *ret_ticks, uint32_t calls);
};

static inline bool read_candidate_is_ours(const struct read_candidate *call)
{
	return call->source || call->is_default;
}

/* All calls of this build, usable or not; clk is NULL. */
extern const struct read_candidate read_candidates[];
extern const unsigned n_read_candidates;

/* The name of the row that all others are compared with. */
#define READ_BASE "clock_gettime(MONOTONIC)"

/* No call at all: its singles are the time that the stopwatch itself takes. */
extern const struct read_candidate read_nothing;

#endif
