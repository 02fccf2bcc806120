/* SPDX-License-Identifier: MIT */
/* The record that a clock begins with. */
#ifndef HPT_FIRST_H
#define HPT_FIRST_H

#include "clock/clock.h"

/*
 * Measures the rate, compares it with the rate that the hardware states, and samples the clocks. Cannot fail. May wait
 * until the anchor is 50 us old, and where the kernel keeps time with another counter until it is 1 ms old. The record
 * is provisional if the anchor is younger than that. May change errno.
 */
void hpt_first_record(struct hpt_clock *clk, struct hpt_record *ret);

/*
 * Gives a provisional record, from which the next one is then made, the rate as if its clock were used for the first
 * time now; does nothing to others. May wait until the anchor is 1 ms old. May change errno.
 */
void hpt_first_settle(struct hpt_clock *clk, struct hpt_record *rec);

#endif
