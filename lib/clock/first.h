/* SPDX-License-Identifier: MIT */
/* The record that a clock begins with. */
#ifndef HPT_FIRST_H
#define HPT_FIRST_H

#include "clock/clock.h"

/*
 * Measures the rate, compares it with the rate that the hardware states, and samples the clocks. Cannot fail. May wait
 * until the anchor is 1 ms old. May change errno.
 */
void hpt_first_record(struct hpt_clock *clk, struct hpt_record *ret);

#endif
