/* SPDX-License-Identifier: MIT */
/*
 * The record of a wall: its bound, its state, and what each source stated. Pure functions make the next one from a
 * sample, or from a look at the system's clocks. Published by a latch, as the clock's own record is.
 */
#ifndef HPT_WALL_RECORD_H
#define HPT_WALL_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "math/units.h"
#include "wall/bound.h"
#include "wall/leap.h"
#include "wall/wall_reading.h"

/* Sources are numbered from 1. */
#define HPT_WALL_SOURCES 8u

/* The default of hpt_wall_config.max_age_ns. */
#define HPT_WALL_MAX_AGE_NS (1000 * NS_PER_S)

/* A read within this time of the latest look serves itself: the time in which a suspend or a jump stays unseen. */
#define HPT_WALL_LOOK_NS 10000000

/* The latest statement of a source. */
struct hpt_wall_latest {
	struct hpt_bound_lines lines; /* by the clock's rate, and by the source's where it states one */
	uint64_t flags;               /* HPT_WALL_CLAIMED, HPT_WALL_SMEARED */
};

/* The members that a read loads: two cache lines. */
struct hpt_wall_base {
	_Alignas(64) struct hpt_bound_lines bound;
	uint64_t span;                /* ticks from bound.tick on that reads serve themselves; 0: none */
	uint64_t status;              /* HPT_WALL_SYNCED ..., and flags << 32 */
	uint64_t generation;
	uint64_t marker, marker_seq;  /* of VMClock's page; HPT_WALL_NO_SEQ: none was looked at */
};

/* What hpt_wall_get_info() counts. */
struct hpt_wall_counts {
	uint64_t samples, refused, contradictions, disruptions;
	uint64_t samples_of[HPT_WALL_SOURCES], refused_of[HPT_WALL_SOURCES];
};

/* The latest look: a comparison of the clocks. */
struct hpt_wall_known {
	uint64_t clock_event;         /* of its rules */
	uint64_t is_valid;            /* the next five are valid */
	uint64_t before, after;
	int64_t  raw_ns, asleep_lo_ns, asleep_hi_ns;
	uint64_t has_unix;            /* the next two are valid */
	int64_t  unix_lo_ns, unix_hi_ns;
};

/* What is to settle after CLOCK_REALTIME was set. */
struct hpt_wall_step {
	uint64_t has_step;            /* CLOCK_REALTIME was set: step_tick is valid */
	uint64_t step_tick;           /* of the look that saw it */
	uint64_t settled;             /* mask: sources with a sample that was accepted since */
	uint64_t updates;             /* how often updated_ns has been another one since */
	int64_t  updated_ns;          /* of the latest reading that had one */
};

struct hpt_wall_record {
	struct hpt_wall_base read;

	uint64_t has_bound;           /* bound is valid, even if the state does not let it be used */
	uint64_t has_void;            /* void_before is valid */
	uint64_t void_before;         /* samples that began before this tick are from before an event */
	uint64_t first;               /* the generation's first tick: it says nothing of earlier ones */
	uint64_t first_clock_tick;    /* the clock's tick then, or later: another one on the OS clock */
	uint64_t sampled;             /* the tick of the latest sample */
	uint64_t interval;            /* ticks between its source's latest two samples; 0: there were none */
	uint64_t is_holdover;         /* the latest sample's source has lost its own reference */
	uint64_t flags;               /* of the samples in the bound */
	uint64_t unsynced;            /* mask of the sources that answered, latest, that they have no bound */

	struct hpt_bound_lines baseline; /* what the averages of the rate are measured from; valid with has_bound */
	uint64_t live;                /* mask: sources with a sample in latest[], of this generation */
	uint64_t awaited;             /* CONTRADICTED: mask of the sources that must state something again */
	struct hpt_wall_latest latest[HPT_WALL_SOURCES];

	struct hpt_leap leap;

	struct hpt_wall_counts counts;
	struct hpt_wall_known look;
	struct hpt_wall_step settle;
};
/* Differs from each sequence of a page at rest, which is even. */
#define HPT_WALL_NO_SEQ UINT64_MAX

#define HPT_WALL_RECORD_WORDS (sizeof(struct hpt_wall_record) / sizeof(uint64_t))

/* What a wall was opened with, and what its clock knows now. */
struct hpt_wall_rules {
	struct hpt_scale ns_per_tick, tick_per_ns;
	struct hpt_band nominal;      /* how long a tick of the clock may last */
	uint64_t step;                /* ticks by which the counter moves */
	uint64_t step_ns;             /* of the system's clocks */
	uint64_t clock_ppb;           /* how far the counter may run off CLOCK_MONOTONIC_RAW */
	uint64_t clock_event;         /* differs after each event of the clock's counter; 0: none */
	uint32_t wander_ppb;
	uint32_t trusted;             /* mask */
	int64_t  max_age_ns;
	bool     covers_leap;
	uint32_t flags;               /* that every result has */
};

/* The system's clocks at one moment, and VMClock's page. */
struct hpt_wall_look {
	uint64_t before, after;       /* ticks around the reads */
	bool     has_clocks;          /* false: a manual clock, which has none */
	int64_t  raw_ns;              /* CLOCK_MONOTONIC_RAW */
	int64_t  asleep_lo_ns, asleep_hi_ns; /* CLOCK_BOOTTIME less CLOCK_MONOTONIC is between the two */
	bool     has_wall;
	int64_t  wall_lo_ns, wall_hi_ns; /* CLOCK_REALTIME less CLOCK_MONOTONIC, likewise */
	bool     has_marker;
	uint64_t marker, marker_seq;
};

static inline uint32_t hpt_wall_record_state(const struct hpt_wall_record *rec)
{
	return (uint32_t)rec->read.status;
}

static inline bool hpt_wall_record_serves(const struct hpt_wall_record *rec)
{
	return hpt_wall_record_state(rec) == HPT_WALL_SYNCED || hpt_wall_record_state(rec) == HPT_WALL_HOLDOVER;
}

/* The first record: no sample, generation 1. */
void hpt_wall_record_init(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			  const struct hpt_wall_look *look);

/*
 * Compares the system's clocks with those of the look before, and lets time pass: state, leap second and span are then
 * right for look->after.
 */
void hpt_wall_record_look(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			  const struct hpt_wall_look *look);

/* Drops all samples from before this tick: the clock says itself that its counter jumped, and has no rate yet. */
void hpt_wall_record_disrupt(struct hpt_wall_record *rec, uint64_t tick);

/*
 * Adds a sample; call after a look. Returns 0; -EAGAIN: it contradicts others, or a leap second is near; -ERANGE: it is
 * from before the latest event, or too old. In both cases it is counted.
 */
int hpt_wall_record_add(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			const struct hpt_wall_reading *reading, uint64_t now);

/*
 * True if CLOCK_REALTIME was set so lately that a source that states how far it is off UTC may not know of it yet, and
 * state something wrong: before settle_ns has passed, before the source has renewed what it goes by a few times, or
 * while it has lost its reference. hpt_wall_record_add() refuses such a reading.
 */
bool hpt_wall_record_is_settling(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
				 const struct hpt_wall_reading *reading, uint64_t now);

/* Notes that a source answered that it has no bound, or that it has one again. */
void hpt_wall_record_note_unsynced(struct hpt_wall_record *rec, uint32_t source, bool is_unsynced);

#endif
