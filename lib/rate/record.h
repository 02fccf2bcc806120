/* SPDX-License-Identifier: MIT */
/* The record: the parameters of all conversions. */
#ifndef HPT_RECORD_H
#define HPT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "math/line.h"
#include "math/scale.h"
#include "math/seqlatch.h"
#include "rate/estimate.h"

/*
 * The members that a read in nanoseconds loads: two cache lines, and for CLOCK_TAI a third.
 *
 * The kernel makes its four clocks of one slewed time by whole offsets, so two of the lines need only a time at the
 * window's start here, and a read of theirs costs the same instructions as that of the line whose slope they have.
 * CLOCK_MONOTONIC's has a slope of its own: CLOCK_REALTIME's line starts again at each step of that clock, and bends
 * toward steps that are too small to be seen as such. CLOCK_MONOTONIC and CLOCK_BOOTTIME must do neither.
 */
struct hpt_read_base {
	hpt_word start;          /* the segment's first tick */
	uint64_t line_span;      /* the segment's ticks; 0: the OS clocks are read instead of the lines */
	uint64_t fast_span;      /* line_span if both slopes are below 1 ns per tick, else 0: see lib/clock/read.c */
	struct hpt_line ns;      /* CLOCK_MONOTONIC_RAW's timeline */
	struct hpt_line unix_ns; /* CLOCK_REALTIME's */
	struct hpt_line mono_ns; /* CLOCK_MONOTONIC's */
	uint64_t boot_at_ns;     /* CLOCK_BOOTTIME's line is that of mono_ns with this in the place of at.ns */
	uint64_t tai_at_ns;      /* and CLOCK_TAI's that of unix_ns with this */
};

/* What the samples show of the differences between the kernel's clocks, besides that of CLOCK_REALTIME. */
struct hpt_os_offsets {
	struct hpt_unix_offset boot; /* CLOCK_BOOTTIME less CLOCK_MONOTONIC lies between these two */
	int64_t tai_ns;              /* CLOCK_TAI less CLOCK_REALTIME: whole seconds; 0 if that is not known */
	int64_t error_ns;            /* how far those that the lines have may be off, by the latest samples alone */
};

/* The segment before the record's on the line of ns, whose ticks convert as hpt_now_ns() read them. */
struct hpt_past {
	hpt_word start;
	uint64_t span;           /* 0: the line begins with the record's own segment */
	struct hpt_line ns;
};

/* The members that conversions load. */
struct hpt_conversion {
	struct hpt_scale ns_per_tick;      /* the rate; a line's slope may differ while it makes up for an error */
	struct hpt_scale tick_per_ns;
	uint64_t resample_ns;              /* converting a duration this long first checks if the segment is over */
	uint64_t span;                     /* ticks of the segment: at most a second, and within one window */
	struct hpt_scale unix_per_tick;
	uint64_t start_unix_ns;            /* Unix time at the segment's start, a whole nanosecond (int64 as uint64) */
	uint64_t end_unix_ns;              /* and at its end */
};

/*
 * Everything that conversion needs, immutable once published. The kernel's tk_read_base and timekeeper, and FreeBSD's
 * timehands, are of the same kind.
 *
 * A record serves only the ticks of its segment, [start, start + span). A read of a later tick makes the next record.
 * Within a generation that starts at a tick read after the old segment ended, which the old record never served. So all
 * readers agree on one function from ticks to nanoseconds, however late they load a record, and it never decreases
 * within a generation.
 */
struct hpt_record {
	struct hpt_read_base read;

	struct hpt_conversion convert;
	struct hpt_past past;

	uint64_t generation;
	uint64_t generation_start;         /* its first tick */
	uint64_t state;                    /* HPT_STATE_: why this generation began */
	uint64_t flags;                    /* HPT_CLOCK_RATE_CONTRADICTED, and HPT_RECORD_ below */
	struct hpt_estimate rate;
	struct hpt_interval raw_now;       /* what the latest samples alone prove, whatever was known before */
	struct hpt_interval unix_now;
	int64_t offset_lo_ns;              /* CLOCK_REALTIME less CLOCK_MONOTONIC lies between these two */
	int64_t offset_hi_ns;
	struct hpt_os_offsets offsets;
	struct hpt_granularity granularity;
	uint64_t vm_marker;                /* of /dev/vmclock0 at the latest check; valid with HPT_RECORD_VM_MARKER */
	int64_t segment_max_ns;            /* short while CLOCK_REALTIME is slewed fast, or at an unknown rate */
	int64_t calm_ns;                   /* how long it has not been slewed fast; at most CALM_NS of next_record.c */
	uint64_t jumps;                    /* of the counter alone, in the HPT_RECORD_JUMPS_NS from jumps_ns on */
	int64_t jumps_ns;
};
#define HPT_RECORD_WORDS (sizeof(struct hpt_record) / sizeof(uint64_t))

/* hpt_record.flags besides the public ones: vm_marker is known; with this record lines took over from the kernel. */
#define HPT_RECORD_VM_MARKER (UINT64_C(1) << 32)
#define HPT_RECORD_TOOK_OVER (UINT64_C(1) << 33)

/*
 * The rate is by less than HPT_BASELINE_NS, since the clock's first use did not wait for more. It serves what lies
 * between the first samples and the segment's end; what reaches farther is converted by the next record, whose rate is
 * measured once more: hpt_timekeeper_settled().
 */
#define HPT_RECORD_PROVISIONAL (UINT64_C(1) << 34)

/* A counter that jumps this often in HPT_RECORD_JUMPS_NS, while CLOCK_REALTIME does not, is demoted for that long. */
#define HPT_RECORD_JUMPS    3
#define HPT_RECORD_JUMPS_NS INT64_C(10000000000)

/* A factor of a published record, which may be overwritten meanwhile: see hpt_seqlatch_same(). */
static inline struct hpt_scale hpt_scale_load(const struct hpt_scale *scale)
{
	const hpt_word *words = (const hpt_word *)scale;

	return (struct hpt_scale){ hpt_word_load(&words[0]), hpt_word_load(&words[1]) };
}

static inline bool hpt_record_is_exact(const struct hpt_record *rec)
{
	return hpt_estimate_is_exact(&rec->rate);
}

/* Times are then the kernel's own, and the rate of the record is a guess. */
static inline bool hpt_record_is_learning(const struct hpt_record *rec)
{
	return hpt_estimate_is_learning(&rec->rate);
}

static inline bool hpt_record_is_provisional(const struct hpt_record *rec)
{
	return rec->flags & HPT_RECORD_PROVISIONAL;
}

/* True if the record's rate is provisional, and t farther away than it serves. */
static inline bool hpt_record_is_far(const struct hpt_record *rec, int64_t t)
{
	return hpt_record_is_provisional(rec) &&
	       (uint64_t)t - rec->rate.baseline.tick >= rec->read.start + rec->convert.span - rec->rate.baseline.tick;
}

/* True if tick is in the record's segment. */
static inline bool hpt_record_serves(const struct hpt_record *rec, uint64_t tick)
{
	return tick - rec->read.start < rec->convert.span;
}

#endif
