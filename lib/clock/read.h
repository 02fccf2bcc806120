/* SPDX-License-Identifier: MIT */
/* The functions that hpt_now_ns() and hpt_now_unix_ns() call. */
#ifndef HPT_READ_H
#define HPT_READ_H

#include "clock/clock.h"

/* Sets clk->now_ns and clk->now_unix_ns for the clock's source. Called once, while a clock is made. */
void hpt_read_set(struct hpt_clock *clk);

#endif
