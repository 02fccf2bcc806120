/* SPDX-License-Identifier: MIT */
/*
 * What ClockBound's daemon states in its shared memory. Pure functions over bytes. The layouts are those of
 * wall/clockbound_layout.h.
 */
#ifndef HPT_CLOCKBOUND_SEGMENT_H
#define HPT_CLOCKBOUND_SEGMENT_H

#include <stddef.h>

#include "wall/band.h"
#include "wall/clockbound_layout.h"
#include "wall/wall_source.h"

struct hpt_clockbound {
	uint32_t version;       /* 2 or 3 */
	bool     is_holdover;   /* FREE_RUNNING */
	bool     has_marker;    /* the daemon watches VMClock */
	uint64_t marker;        /* VMClock's, as this was stated */
	/*
	 * 2: CLOCK_REALTIME is off UTC by at most bound_ns, and each second after as_of_ns by drift_ppb ns more. Both
	 * times are CLOCK_MONOTONIC's.
	 */
	int64_t  as_of_ns, void_after_ns;
	int64_t  bound_ns;
	uint32_t drift_ppb;
	/* 3: the lines, from as_of_ns +- bound_ns at the counter's as_of on. Both times are UTC. */
	struct hpt_bound_lines lines;
};

/*
 * The lines are used up to this many ticks after their first: 13 days at 1 GHz, and in 1000 s no counter goes farther.
 * So no time leaves int64.
 */
#define HPT_CLOCKBOUND_MOST_TICKS (UINT64_C(1) << 50)

/* False while the daemon writes, or has not written yet. */
bool hpt_clockbound_is_settled(const unsigned char *bytes, size_t n);

/*
 * Reads n bytes. 0; else HPT_WALL_REASON_, and *ret is untouched: UNSYNCED, FORMAT or ABSURD.
 */
uint32_t hpt_clockbound_parse(const unsigned char *bytes, size_t n, struct hpt_clockbound *ret);

#endif
