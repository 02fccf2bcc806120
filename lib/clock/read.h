/* SPDX-License-Identifier: MIT */
/* How a clock's nanoseconds are read. */
#ifndef HPT_READ_H
#define HPT_READ_H

#include "clock/clock.h"

/* Sets now_ns and now_unix_ns for the clock's source. Part of making a clock. */
void hpt_read_set(struct hpt_clock *clk);

#endif
