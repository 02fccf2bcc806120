/* SPDX-License-Identifier: MIT */
/*
 * The counter that a wall's record counts by: its clock's own. If that is the OS clock, a program that adjusts the
 * system's clock can bend it by up to 10 % (adjtimex(2): tick is 900000/HZ to 1100000/HZ, and freq is up to 500 ppm
 * more). Then the record counts by CLOCK_MONOTONIC_RAW, which nothing bends, and the clock's ticks are converted to it.
 */
#ifndef HPT_WALL_COUNTER_H
#define HPT_WALL_COUNTER_H

#include "wall/wall_object.h"

/* True if CLOCK_MONOTONIC_RAW is to stand in for this clock's counter, and can be read. */
bool hpt_wall_counter_is_raw(const struct hpt_clock *clk);

/* The counter now. */
uint64_t hpt_wall_counter(const struct hpt_wall *w);

/* The counter as the clock showed this tick: *ret_from to *ret_to, which are equal where it is the clock's own. */
void hpt_wall_counter_at(const struct hpt_wall *w, uint64_t tick, uint64_t *ret_from, uint64_t *ret_to);

/* A tick of the clock that is not after the counter's, if that comes: where it is not the clock's own, earlier. */
int64_t hpt_wall_counter_tick(const struct hpt_wall *w, uint64_t counter);

#endif
