/* SPDX-License-Identifier: MIT */
/*
 * Samples of the clocks: readings of a reference clock, each bracketed by two reads of the counter. They use vDSO
 * clocks only: no file and no other system call.
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

/* Brackets of an anchor take 2 us: 80 ns each in a cold process. */
#define HPT_ANCHOR_BRACKETS 24u
#define HPT_RECENT_BRACKETS 64u

/* n >= 1 brackets that were taken together. */
struct hpt_group {
	const struct hpt_bracket *b;
	uint32_t n;
};

static inline struct hpt_group hpt_group_of(const struct hpt_bracket *b, uint32_t n)
{
	return (struct hpt_group){ b, n };
}

/* The steps of the two clocks. A reading is up to one step of its clock old, which widens every range. */
struct hpt_granularity {
	uint64_t ref_ns;
	uint64_t ticks;
};

/* Takes n brackets of the reference clock id; ends early, with 2 or more, after 200 us. Returns how many. */
uint32_t hpt_brackets_take(const struct hpt_source *src, clockid_t id, struct hpt_bracket *ret, uint32_t n);

/* Reads the clock id, for callers that must know if it was refused: -errno, and nothing is written. Keeps errno. */
int hpt_sample_clock(const struct hpt_source *src, clockid_t id, int64_t *ret_ns);

/*
 * Reads the clock id as best it can: CLOCK_MONOTONIC stands for a CLOCK_BOOTTIME that the kernel or a sandbox refuses,
 * CLOCK_REALTIME for CLOCK_TAI, and a coarse clock for one of these two. May change errno.
 */
int64_t hpt_sample_os_ns(const struct hpt_source *src, clockid_t id);

/*
 * True if CLOCK_MONOTONIC or the source's reference clock cannot be read in any way: a sandbox denies them, and there
 * is no vDSO. No sample shows anything then, and times go by the counter alone. Keeps errno.
 */
bool hpt_sample_is_blind(const struct hpt_source *src);

/* The narrowest of n >= 1 brackets. */
const struct hpt_bracket *hpt_brackets_narrowest(const struct hpt_bracket *b, uint32_t n);

/* The tick in the middle of a bracket. */
static inline uint64_t hpt_bracket_tick(const struct hpt_bracket *b)
{
	return b->before + (b->after - b->before) / 2;
}

/* The ticks that a bracket took. */
static inline uint64_t hpt_bracket_width(const struct hpt_bracket *b)
{
	return b->after - b->before;
}

/* CLOCK_REALTIME less CLOCK_MONOTONIC lies between these two; or another difference of two clocks. */
struct hpt_unix_offset {
	int64_t lo_ns, hi_ns;
};

/*
 * Takes a sample of that offset. It shows events: a suspend and a step of CLOCK_REALTIME move CLOCK_REALTIME, a new
 * time namespace moves CLOCK_MONOTONIC. Otherwise it stays the same, because NTP slews both clocks alike.
 * (CLOCK_BOOTTIME less CLOCK_MONOTONIC would show only the suspend.)
 */
struct hpt_unix_offset hpt_unix_offset_take(const struct hpt_source *src);

/* No difference at all is known, and each is possible: the kernel or a sandbox refuses the clock. */
static const struct hpt_unix_offset hpt_unix_offset_none = { INT64_MIN, INT64_MAX };

static inline bool hpt_unix_offset_is_known(struct hpt_unix_offset o)
{
	return o.lo_ns != INT64_MIN;
}

static inline bool hpt_unix_offset_differs(struct hpt_unix_offset a, struct hpt_unix_offset b)
{
	return a.lo_ns > b.hi_ns || a.hi_ns < b.lo_ns;
}

#define HPT_SAMPLE_RAW_BRACKETS  8u
#define HPT_SAMPLE_UNIX_BRACKETS 8u /* the first three of them run on cold caches */

/* One round of samples. */
struct hpt_samples {
	struct hpt_bracket raw[HPT_SAMPLE_RAW_BRACKETS];      /* of CLOCK_MONOTONIC_RAW */
	struct hpt_bracket unix_ns[HPT_SAMPLE_UNIX_BRACKETS]; /* of CLOCK_REALTIME */
	uint32_t n_raw, n_unix;
	struct hpt_bracket end;                               /* of CLOCK_MONOTONIC_RAW, after all others; if n_raw */
	int64_t offset_lo_ns, offset_hi_ns;                   /* CLOCK_REALTIME less CLOCK_MONOTONIC */
	struct hpt_unix_offset boot, tai;                     /* CLOCK_BOOTTIME less that, CLOCK_TAI less REALTIME */
	/* Only hpt_clock_check() finds these four; they are false otherwise. */
	bool is_disrupted;                                    /* the counter was disrupted, by vmclock */
	bool is_demoted;                                      /* the kernel has left this counter ... */
	bool is_confirmed;                                    /* ... or keeps time with it */
	bool is_contradicted;                                 /* CPUID states another rate */
};

/* Takes one round of samples. Leaves the four that only hpt_clock_check() finds false. */
void hpt_samples_take(const struct hpt_source *src, struct hpt_samples *ret);

#endif
