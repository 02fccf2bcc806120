/* SPDX-License-Identifier: MIT */
/*
 * A wall: a clock, the record of what sources stated, and how that record is kept. The record is published by a
 * seqlatch, as the clock's own is: readers take no lock, and neither do those that make the next record.
 */
#ifndef HPT_WALL_OBJECT_H
#define HPT_WALL_OBJECT_H

#include "machine/bell.h"
#include "clock/clock.h"
#include "wall/wall_record.h"

struct hpt_wall {
	/* All that a read needs but the record. */
	_Alignas(64) struct hpt_clock *clk;
	_Atomic(const volatile void *) vmclock; /* the mapped page; NULL: none, or not mapped yet */
	uint64_t max_width_ns;                  /* UINT64_MAX: no limit */
	bool     counts_raw;                    /* its record's ticks are CLOCK_MONOTONIC_RAW's: wall_counter.h */
	struct hpt_seqlatch latch;              /* publishes records[] */

	/* Seldom used. */
	uint32_t sources;                       /* mask: those that it uses */
	uint32_t bell;                          /* the number of the bell that is rung for each new sample */
	bool     covers_leap;
	bool     is_guest;                      /* in a virtual machine */
	_Atomic uint32_t holders;
	_Atomic uint32_t waiting;               /* threads */
	_Atomic uint32_t expected;              /* sources of chronyd's: wall_source.h */
	_Atomic(struct hpt_wall_fds *) fds;     /* wall_fd.c; NULL: none were made */
	_Atomic uint64_t answers[HPT_WALL_SOURCES]; /* of the latest question: HPT_WALL_REASON_, and errno << 32 */
	struct hpt_wall_config config;          /* as opened; zeros are still defaults */
	struct hpt_wall_record records[HPT_SEQLATCH_SLOTS];
};

/* Defaults. 50 ppm is what crystals of PCs and servers keep: see hpt_wall(7). */
#define HPT_WALL_RATE_PPB   50000u
#define HPT_WALL_WANDER_PPB 15000u

#endif
