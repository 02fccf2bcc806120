/* SPDX-License-Identifier: MIT */
/* What disrupts a wait in the fake world: suspends, jumps of the counter and steps of the wall clock. */
#ifndef HPT_TEST_DISRUPTIONS_H
#define HPT_TEST_DISRUPTIONS_H

#include "record_world.h"

static inline void suspend(void)
{
	world.now_ps += 10 * PS_PER_S;
	world.clock_offset_ns -= 10 * NS_PER_S;
	world.realtime_offset_ns += 10 * NS_PER_S;
	world.boottime_offset_ns += 10 * NS_PER_S;
}

static inline void suspend_that_stops_the_counter(void)
{
	suspend();
	world.tick_offset -= 10 * PS_PER_S / world.tick_ps;
}

static inline void counter_falls_back(void)
{
	world.tick_offset -= PS_PER_S / world.tick_ps;
}

static inline void counter_jumps_ahead(void)
{
	world.tick_offset += PS_PER_S / world.tick_ps;
}

static inline void counter_begins_again(void)
{
	world.tick_offset = 0 - world.now_ps / world.tick_ps;
}

static inline void wall_clock_steps(void)
{
	world.realtime_offset_ns -= 3600 * NS_PER_S;
}

static inline void counter_stops(void)
{
	world.tick_offset += world.now_ps / world.tick_ps;
	world.tick_ps = UINT64_MAX;
}

static void (*const disruptions[])(void) = {
	suspend, suspend_that_stops_the_counter, counter_falls_back, counter_jumps_ahead, counter_begins_again,
	wall_clock_steps,
};

#endif
