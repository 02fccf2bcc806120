/* SPDX-License-Identifier: MIT */
/* A clock: one source, its anchor, and the records that conversion uses. */
#ifndef HPT_CLOCK_H
#define HPT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "calibrate.h"
#include "latch.h"
#include "measure.h"
#include "scale.h"
#include "source.h"

/* Everything conversion needs, immutable once published. */
struct hpt_record {
	hpt_word base_ns;             /* nanosecond of tick 0, modulo 2^64; with the next two, the line */
	struct hpt_scale ns_per_tick;
	struct hpt_scale tick_per_ns;
	uint64_t epoch_tick;          /* this tick ... */
	uint64_t epoch_unix_ns;       /* ... was this Unix time (int64 as uint64) */
	uint64_t frequency_uhz;
	uint64_t error_ppb;
	uint64_t origin;              /* HPT_ORIGIN_ */
	uint64_t generation;
	uint64_t refresh_ticks;       /* age at which the epoch is looked at again */
};
#define HPT_RECORD_WORDS (sizeof(struct hpt_record) / sizeof(uint64_t))

/*
 * The part of the record that hpt_now_ns() needs on a TSC, where it finds it without following a
 * pointer: with RDTSCP waiting for all that stands before it, and the caller for all behind, each
 * step of such a chain is 2 % of the read (measured; a record behind an index cost 8 %).
 */
struct hpt_fast_line {
	_Atomic uint32_t ready;       /* 1: the two words are there, the source is RDTSCP, and a tick is < 1 ns */
	_Atomic uint32_t claimed;     /* 1: somebody has written or is writing them */
	uint64_t base_ns;
	uint64_t frac;
};

/* Reads timed at load where no rule needs more: 0.7 us of TSC. */
#define HPT_LOAD_READS 32u

struct hpt_clock {
	_Alignas(64) struct hpt_fast_line fast; /* with the head of src: one cache line for all reads */
	struct hpt_source src;
	struct hpt_latch latch;       /* over records[] */
	uint32_t reason, state;
	bool     is_static;           /* a default clock: hpt_clock_close() leaves it alone */
	uint32_t n_anchor;
	int64_t  anchor_offset_ns;    /* hpt_clock_offset_ns() then */
	uint32_t n_deltas;
	struct hpt_cost cost;         /* samples 0: not worked out yet, from deltas[] */
	int64_t  deltas[HPT_LOAD_READS];
	struct hpt_pair anchor[HPT_ANCHOR_PAIRS];
	struct hpt_record records[HPT_LATCH_SLOTS]; /* last: load does not touch them */
};

/* A tick on the record's line, rounded down. The same sum wherever it is done: no two reads disagree. */
static inline int64_t hpt_line_ns(uint64_t tick, uint64_t base_ns, uint64_t whole, uint64_t frac)
{
	return (int64_t)(base_ns + hpt_scale_floor(tick, whole, frac));
}

/* The cost of a read: as measured, or worked out from the reads that load timed. */
void hpt_clock_cost(const struct hpt_clock *clk, struct hpt_cost *ret);

/*
 * CLOCK_REALTIME less CLOCK_MONOTONIC: stays the same while nothing odd happens. A suspend and a step of the wall
 * clock move the one, a new time namespace the other; NTP slews both alike.
 */
int64_t hpt_clock_offset_ns(const struct hpt_clock *clk);

/* Takes the anchor that the rate is later computed from, if it is to be measured. */
void hpt_clock_take_anchor(struct hpt_clock *clk);

/* The current record; computes and publishes the first one if there is none (may wait to 1 ms of age). */
void hpt_clock_record(struct hpt_clock *clk, struct hpt_record *ret);

/* The same with an epoch not older than a second if @t lies beyond that. */
void hpt_clock_record_for(struct hpt_clock *clk, hpt_time_t t, struct hpt_record *ret);

/* NULL means the default. */
hpt_clock *hpt_clock_or_default(hpt_clock *clk);

#endif
