/* SPDX-License-Identifier: MIT */
/* Looks at the system's clocks, and what happened to them between two looks: pure. */
#ifndef HPT_WALL_EVENTS_H
#define HPT_WALL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "wall/band.h"

/* The latest look, as a wall's record has it. */
struct hpt_wall_known {
	uint64_t clock_event;         /* of its rules */
	uint64_t is_valid;            /* the next five are valid */
	uint64_t before, after;
	int64_t  raw_ns, asleep_lo_ns, asleep_hi_ns;
	uint64_t has_unix;            /* the next two are valid */
	int64_t  unix_lo_ns, unix_hi_ns;
	uint64_t has_vm_generation, vm_generation; /* of VMClock's page */
};

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

/* What VMClock's page says of events. */
struct hpt_wall_marks {
	uint64_t marker, seq;
	bool     has_generation;
	uint64_t generation;          /* changes when the machine begins again from a copy of its state; 0: none */
};

/* The system's clocks at one moment, and VMClock's page. */
struct hpt_wall_look {
	uint64_t before, after;       /* ticks around the reads */
	bool     has_clocks;          /* false: a manual clock, which has none */
	int64_t  raw_ns;              /* CLOCK_MONOTONIC_RAW */
	int64_t  asleep_lo_ns, asleep_hi_ns; /* CLOCK_BOOTTIME less CLOCK_MONOTONIC is between the two */
	bool     has_wall;
	int64_t  wall_lo_ns, wall_hi_ns; /* CLOCK_REALTIME less CLOCK_MONOTONIC, likewise */
	int64_t  mono_ns;             /* CLOCK_MONOTONIC after both were read; valid with has_wall */
	bool     has_marks;
	struct hpt_wall_marks marks;
};

/* VMClock's page, looked at before too, says that the machine is a copy of another one. */
bool hpt_wall_is_cloned(const struct hpt_wall_known *before, const struct hpt_wall_look *look);

/* The counter jumped, or the machine slept. */
bool hpt_wall_is_disrupted(const struct hpt_wall_known *before, const struct hpt_wall_rules *rules,
			   const struct hpt_wall_look *look);

/* CLOCK_REALTIME was set, but not by leap_ns, which a leap second that is announced moves it by. */
bool hpt_wall_is_stepped(const struct hpt_wall_known *before, const struct hpt_wall_look *look, int64_t leap_ns);

#endif
