/* SPDX-License-Identifier: MIT */
/* The record behind conversion, and what makes the next one of it: pure functions. */
#ifndef HPT_RECORD_H
#define HPT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/interval.h"
#include "rate/kernel_rate.h"
#include "math/seqlatch.h"
#include "math/line.h"
#include "math/scale.h"
#include "source/source.h"

/*
 * Everything conversion needs, immutable once published.
 *
 * A record serves the ticks of its segment, [start, start + span), alone; whoever reads a tick outside makes the
 * next one, which starts where no reader has been. So all readers agree on one function from ticks to
 * nanoseconds, however late they look at a record, and it never decreases within a generation.
 */
struct hpt_record {
	hpt_word start;               /* the reads' part first, in two cache lines */
	uint64_t line_span;           /* span; 0 where the lines are not to be used: the OS clocks answer */
	uint64_t fast_span;           /* the same where the slopes are below 1 ns a tick, else 0: see current.c */
	struct hpt_line ns;           /* on CLOCK_MONOTONIC_RAW's line */
	struct hpt_line unix_ns;      /* on CLOCK_REALTIME's */

	struct hpt_scale ns_per_tick; /* the rate; a line's slope may differ while it makes up for an error */
	struct hpt_scale tick_per_ns;
	uint64_t resample_ns;             /* a duration this long is worth asking whether the segment is over */
	uint64_t span;                /* at most a second, and within one window */
	struct hpt_scale unix_per_tick;
	uint64_t start_unix_ns;       /* Unix time of start, a whole nanosecond (int64 as uint64) ... */
	uint64_t end_unix_ns;         /* ... and of the segment's end */

	uint64_t generation;
	uint64_t state;               /* HPT_STATE_: why this generation began */
	uint64_t flags;               /* HPT_CLOCK_RATE_CONTRADICTED */
	uint64_t origin;              /* HPT_ORIGIN_ */
	uint64_t frequency_uhz;
	uint64_t error_ppb;
	struct hpt_bound bound;       /* the rates that the readings allow */
	uint64_t unix_uhz;            /* ticks per second of CLOCK_REALTIME */

	struct hpt_interval base;          /* the baseline's start */
	struct hpt_interval last;          /* the latest interval; once the rate is the kernel's own, all fixes together */
	struct hpt_interval unix_base;     /* the same beside CLOCK_REALTIME */
	struct hpt_interval unix_last;
	int64_t offset_lo_ns;         /* CLOCK_REALTIME less CLOCK_MONOTONIC, between these two */
	int64_t offset_hi_ns;
	struct hpt_granularity granularity;
	uint64_t wander_ppb;          /* 0: the reference is this counter; else how far two oscillators may part */
	uint64_t vm_marker;           /* of /dev/vmclock0, as the latest check saw it; see HPT_RECORD_VM_MARKER */
	uint64_t stated_hz;           /* by CPUID, likewise: asked once, for in a virtual machine it takes 50 us */
};
#define HPT_RECORD_WORDS (sizeof(struct hpt_record) / sizeof(uint64_t))

/* hpt_record.flags beyond the public ones: vm_marker is known, stated_hz is. */
#define HPT_RECORD_VM_MARKER (UINT64_C(1) << 32)
#define HPT_RECORD_STATED    (UINT64_C(1) << 33)

/*
 * Two oscillators part by less than 1 ppm while a baseline between them is used: it is given up as soon as the readings
 * contradict one rate, which is where they have parted by a few tens of nanoseconds.
 */
#define HPT_RECORD_WANDER_PPB 1000

/* Sets rate, bound and origin, and the scales of both directions. */
void hpt_record_set_rate(struct hpt_record *rec, const struct hpt_rate *rate);

/* The first record: the rate and where it was taken from; lines, epoch and segment from the samples. */
void hpt_record_first(struct hpt_record *ret, const struct hpt_rate *rate, const struct hpt_interval *base, const struct hpt_samples *samples);

/* The next one: what the look says of the world, and of the rate. */
void hpt_record_next(const struct hpt_record *old, const struct hpt_samples *samples, struct hpt_record *ret);

/* Is it in the record's segment? */
static inline bool hpt_record_serves(const struct hpt_record *rec, uint64_t tick)
{
	return tick - rec->start < rec->span;
}

#endif
