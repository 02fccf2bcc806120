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
#include "hpt/wall.h"

#include "math/units.h"
#include "wall/bound.h"
#include "wall/leap.h"
#include "wall/learned.h"
#include "wall/measured.h"
#include "wall/shown.h"
#include "wall/wall_events.h"
#include "wall/wall_reading.h"

/* HPT_WALL_SOURCE_ are bits, from 1 on; arrays have a place for each. */
#define HPT_WALL_SOURCES 7u
#define HPT_WALL_SOURCES_ALL ((1u << HPT_WALL_SOURCES) - 1)

/* True for one of HPT_WALL_SOURCE_, false for a mask of several. */
static inline bool hpt_wall_source_is_known(uint32_t source)
{
	return source && source <= HPT_WALL_SOURCES_ALL && !(source & (source - 1));
}

static inline uint32_t hpt_wall_source_place(uint32_t source)
{
	return (uint32_t)__builtin_ctz(source);
}

/* The default of hpt_wall_config.max_age_ns. */
#define HPT_WALL_MAX_AGE_NS (1000 * NS_PER_S)

/* A read within this time of the latest look serves itself: the time in which a suspend or a jump stays unseen. */
#define HPT_WALL_LOOK_NS 10000000

/* The latest statement of a source. */
struct hpt_wall_latest {
	struct hpt_bound_lines lines; /* by the clock's rate, and by the source's where it states one */
	uint64_t flags;               /* HPT_WALL_FLAG_CLAIMED, HPT_WALL_FLAG_SMEARED */
};

/* The members that a read loads: two cache lines. */
struct hpt_wall_base {
	_Alignas(64) struct hpt_bound_lines bound;
	uint64_t span;                /* ticks from bound.tick on that reads serve themselves; 0: none */
	uint64_t status;              /* HPT_WALL_STATE_SYNCED ..., and flags << 32 */
	uint64_t generation;
	uint64_t marker, marker_seq;  /* of VMClock's page; HPT_WALL_NO_SEQ: none was looked at */
	uint64_t clones;              /* how often the machine began again from a copy, as far as the page says */
};

/* What hpt_wall_get_info() counts. */
struct hpt_wall_counts {
	uint64_t samples, refused, contradictions, disruptions;
	uint64_t gained, lost;        /* how often there was a bound after there was none, and the other way round */
	uint64_t samples_of[HPT_WALL_SOURCES], refused_of[HPT_WALL_SOURCES];
};

/* What is to settle after CLOCK_REALTIME was set. */
struct hpt_wall_step {
	uint64_t has_step;            /* CLOCK_REALTIME was set: step_tick is valid */
	uint64_t step_tick;           /* of the look that saw it */
	struct hpt_measured_events events;
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

	struct hpt_learned learned;   /* valid with has_bound */
	uint64_t live;                /* mask: sources with a sample in latest[], of this generation */
	uint64_t awaited;             /* CONTRADICTED: mask of the sources that must state something again */
	struct hpt_wall_latest latest[HPT_WALL_SOURCES];

	struct hpt_leap leap;

	struct hpt_wall_counts counts;
	struct hpt_wall_known look;
	struct hpt_wall_step settle;
	struct hpt_measured_record measured; /* CHRONY's */
	struct hpt_shown shown;
};
/* Differs from each sequence of a page at rest, which is even. */
#define HPT_WALL_NO_SEQ UINT64_MAX

#define HPT_WALL_RECORD_WORDS (sizeof(struct hpt_wall_record) / sizeof(uint64_t))

static inline uint32_t hpt_wall_record_state(const struct hpt_wall_record *rec)
{
	return (uint32_t)rec->read.status;
}

static inline bool hpt_wall_record_serves(const struct hpt_wall_record *rec)
{
	return hpt_wall_record_state(rec) == HPT_WALL_STATE_SYNCED ||
	       hpt_wall_record_state(rec) == HPT_WALL_STATE_HOLDOVER;
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
 * Adds a statement; call after a look. Returns HPT_WALL_REASON_NONE, or why it was refused, which is counted:
 * CONTRADICTED: it contradicts others; LEAP: a leap second is near; OLD: it is from before the latest event, or too
 * old; STEPPED: CLOCK_REALTIME was set, and the source may not know of it yet; or as hpt_measured_bound().
 */
uint32_t hpt_wall_record_add(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			     const struct hpt_wall_reading *reading, uint64_t now);

/* Notes that a source answered that it has no bound. Its measurements, if it stated any, are noted. */
void hpt_wall_record_note_unsynced(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
				   const struct hpt_wall_reading *reading);

#endif
