/* SPDX-License-Identifier: MIT */
/*
 * CLOCK_REALTIME for a wall: where it stood at a tick, and whether it was set between two marks. Sources that state how
 * far CLOCK_REALTIME is off UTC are asked between two marks.
 */
#ifndef HPT_REALTIME_H
#define HPT_REALTIME_H

#include <time.h>

#include "clock/clock.h"
#include "wall/wall_source.h"

/* CLOCK_REALTIME was unix_ns at some moment from tick `before` to tick `after`. */
struct hpt_realtime_mark {
	uint64_t before, after;
	int64_t  unix_ns;
	int64_t  raw_before_ns, raw_after_ns; /* CLOCK_MONOTONIC_RAW, read before and after CLOCK_REALTIME */
	int64_t  mono_before_ns, mono_after_ns; /* CLOCK_MONOTONIC, likewise */
	int64_t  step_ns;                       /* a reading of these clocks is up to this old */
};

/*
 * Reads one of the kernel's clocks, even where libc's is replaced: what chronyd, adjtimex(2) and packets' stamps state
 * is about these. 0, or -errno, and nothing is written. Keeps errno.
 */
int hpt_realtime_read(const struct hpt_clock *clk, clockid_t id, int64_t *ret_ns);

/*
 * Takes a mark: the narrowest of a few. HPT_WALL_REASON_NONE; OTHER_COUNTER: the clock is a manual one, with which the
 * system's have nothing to do; or why a clock is refused. Keeps errno.
 */
uint32_t hpt_realtime_mark(struct hpt_wall_ask *ask, struct hpt_realtime_mark *ret);

/*
 * The most by which CLOCK_REALTIME gained or lost on CLOCK_MONOTONIC_RAW from mark a to any moment until mark b, with
 * all errors of the reads: never negative. -1: it was set, that is it moved farther than the kernel can slew it in that
 * time, or moved against CLOCK_MONOTONIC.
 */
int64_t hpt_realtime_moved_ns(const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b);

/*
 * At some moment from mark a to mark b UTC was from lo_ns to hi_ns ahead of what CLOCK_REALTIME read. Sets ticks and
 * times of *ret to what that means for UTC at mark a. Returns HPT_WALL_REASON_NONE; STEPPED: CLOCK_REALTIME was set
 * meanwhile; ABSURD: UTC would not be of the years that walls know.
 */
uint32_t hpt_realtime_sample(const struct hpt_wall_ask *ask, const struct hpt_realtime_mark *a,
			     const struct hpt_realtime_mark *b, int64_t lo_ns, int64_t hi_ns,
			     struct hpt_wall_sample *ret);

#endif
