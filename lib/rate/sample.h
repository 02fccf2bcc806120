/* SPDX-License-Identifier: MIT */
/*
 * Samples of the clocks: readings of a reference clock, each bracketed by two reads of the counter. vDSO reads alone: no
 * file and no other system call.
 */
#ifndef HPT_SAMPLE_H
#define HPT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

/* One sample: the reference clock was read at some moment between two reads of the counter. */
struct hpt_bracket {
	uint64_t before, after;
	int64_t  ref_ns;
};

/* Brackets of an anchor: 2 us, for in a cold process each takes 80 ns. */
#define HPT_ANCHOR_BRACKETS 24u
#define HPT_RECENT_BRACKETS 64u

/* The steps of the two clocks. A reading is up to one step of its clock old, which widens every bound. */
struct hpt_granularity {
	uint64_t ref_ns;
	uint64_t ticks;
};

/* Takes n brackets with the reference clock id; fewer, but at least 2, once they have taken 200 us. Returns how many. */
uint32_t hpt_brackets_take(const struct hpt_source *src, clockid_t id, struct hpt_bracket *ret, uint32_t n);

/* The narrowest of n >= 1 brackets. */
const struct hpt_bracket *hpt_brackets_narrowest(const struct hpt_bracket *p, uint32_t n);

/* The middle of a bracket. */
static inline uint64_t hpt_bracket_tick(const struct hpt_bracket *p)
{
	return p->before + (p->after - p->before) / 2;
}

/* CLOCK_REALTIME less CLOCK_MONOTONIC lies between these two. */
struct hpt_wall_offset {
	int64_t lo_ns, hi_ns;
};

/*
 * A suspend and a step of the wall clock move CLOCK_REALTIME, a new time namespace moves CLOCK_MONOTONIC. NTP slews both
 * alike, so that otherwise the offset stays the same. (BOOTTIME less MONOTONIC would show the suspend alone.)
 */
struct hpt_wall_offset hpt_wall_offset_take(const struct hpt_source *src);

static inline bool hpt_wall_offset_differs(struct hpt_wall_offset a, struct hpt_wall_offset b)
{
	return a.lo_ns > b.hi_ns || a.hi_ns < b.lo_ns;
}

#define HPT_SAMPLE_RAW_BRACKETS  8u
#define HPT_SAMPLE_UNIX_BRACKETS 8u /* of these the first three run on cold caches */

/* All that one round of samples says of the clocks. */
struct hpt_samples {
	struct hpt_bracket raw[HPT_SAMPLE_RAW_BRACKETS];      /* of CLOCK_MONOTONIC_RAW */
	struct hpt_bracket unix_ns[HPT_SAMPLE_UNIX_BRACKETS]; /* of CLOCK_REALTIME */
	uint32_t n_raw, n_unix;
	int64_t offset_lo_ns, offset_hi_ns;                   /* CLOCK_REALTIME less CLOCK_MONOTONIC */
	/* What hpt_clock_check() alone finds out; false otherwise. */
	bool is_disrupted;                                    /* the hypervisor says that the counter was: vmclock */
	bool is_demoted;                                      /* the kernel has left this counter */
	bool is_contradicted;                                 /* CPUID states another rate */
};

/* Takes one round of samples. */
void hpt_samples_take(const struct hpt_source *src, struct hpt_samples *ret);

#endif
