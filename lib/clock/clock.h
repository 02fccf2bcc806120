/* SPDX-License-Identifier: MIT */
/* A clock: one source, its anchor, and the records that conversion uses. */
#ifndef HPT_CLOCK_H
#define HPT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "rate/calibrate.h"
#include "math/seqlatch.h"
#include "rate/sample.h"
#include "source/read_cost.h"
#include "rate/record.h"
#include "source/source.h"

/* Reads timed at load where no rule needs more: 0.7 us of TSC. */
#define HPT_LOAD_READS 32u

typedef int64_t hpt_now_fn(struct hpt_clock *clk);

struct hpt_clock {
	_Alignas(64) struct hpt_source src; /* its head with the next three in one cache line: all that reads need but a record */
	_Atomic(hpt_now_fn *) now_ns, now_unix_ns;
	struct hpt_seqlatch latch;       /* over records[] */
	uint32_t reason, state;       /* VETOED or OK; later states are in the records */
	bool     is_static;           /* a default clock: hpt_clock_close() leaves it alone */
	bool     kernel_is_tsc;       /* the kernel kept time with this TSC when the clock was made */
	uint32_t n_anchor;
	struct hpt_wall_offset anchor_offset;
	uint32_t n_deltas;
	struct hpt_read_cost cost;         /* samples 0: not worked out yet, from deltas[] */
	int64_t  deltas[HPT_LOAD_READS];
	struct hpt_bracket anchor[HPT_ANCHOR_BRACKETS];
	_Alignas(64) struct hpt_record records[HPT_SEQLATCH_SLOTS]; /* last: load does not touch them */
};

/* The cost of a read: as measured, or worked out from the reads that load timed. */
void hpt_clock_cost(const struct hpt_clock *clk, struct hpt_read_cost *ret);

/* Takes the anchor that the rate is later computed from, if it is to be measured. */
void hpt_clock_take_anchor(struct hpt_clock *clk);

/* How this source's nanoseconds are read. Part of making a clock. */
void hpt_clock_set_reads(struct hpt_clock *clk);

/*
 * The current record, whatever its age; computes the first one if there is none (may wait to 1 ms of age). Returns its
 * sequence, to publish the next one by.
 */
uint32_t hpt_clock_record(struct hpt_clock *clk, struct hpt_record *ret);

/* False if another record has been published since. */
bool hpt_clock_publish(struct hpt_clock *clk, const struct hpt_record *rec, uint32_t seen);

/* The record of now: looks at the clocks if the counter is past the current one's segment. */
void hpt_clock_record_now(struct hpt_clock *clk, struct hpt_record *ret);

/* The record to convert t by: the same, but the counter is read only if t lies outside the current one's segment. */
void hpt_clock_record_for(struct hpt_clock *clk, hpt_time_t t, struct hpt_record *ret);

/* The current record's rate, whatever its age. */
struct hpt_rates {
	struct hpt_scale ns_per_tick, tick_per_ns;
	uint64_t resample_ns; /* a duration this long deserves the latest */
};

void hpt_clock_rates(struct hpt_clock *clk, struct hpt_rates *ret);

/* A tick of now, what it is on hpt_now_ns()'s line (CLOCK_MONOTONIC_RAW) or hpt_now_unix_ns()'s (CLOCK_REALTIME). */
struct hpt_instant {
	uint64_t tick;
	int64_t  ns;
	struct hpt_scale slope;         /* ns a tick on that line */
	struct hpt_scale mono_per_tick; /* and of CLOCK_MONOTONIC, as last seen */
	struct hpt_scale tick_per_ns;
	uint64_t generation, state;
};

void hpt_clock_instant(struct hpt_clock *clk, clockid_t line, struct hpt_instant *ret);

/* Looks at the clocks at once, whatever the age of the record. */
void hpt_clock_resample(struct hpt_clock *clk);

/* The clock's state by this record. */
static inline uint32_t hpt_clock_state(const struct hpt_clock *clk, const struct hpt_record *rec)
{
	return rec->state == HPT_STATE_OK ? clk->state : (uint32_t)rec->state;
}

/* NULL means the default. */
hpt_clock *hpt_clock_or_default(hpt_clock *clk);

#endif
