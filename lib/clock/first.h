/* SPDX-License-Identifier: MIT */
/* The record that a clock begins with. */
#ifndef HPT_FIRST_H
#define HPT_FIRST_H

#include "clock/clock.h"

/* Measures the rate, weighs it against what the hardware states, and looks at the clocks. May wait to 1 ms of age. */
void hpt_first_record(struct hpt_clock *clk, struct hpt_record *ret);

#endif
