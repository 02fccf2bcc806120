/* SPDX-License-Identifier: MIT */
/* The functions that hpt_now_ns(), hpt_now_ns_unordered() and hpt_now_unix_ns() call. */
#ifndef HPT_READ_H
#define HPT_READ_H

#include "clock/clock.h"

/* Sets these functions of the clock by its source. Called once, while a clock is made. */
void hpt_read_set(struct hpt_clock *clk);

#endif
