/* SPDX-License-Identifier: MIT */
/* A clock's anchor: the brackets taken at load, from which the rate is later computed. */
#ifndef HPT_ANCHOR_H
#define HPT_ANCHOR_H

#include "clock/clock.h"

/* Takes the anchor, unless the source's rate is exact. Takes 2 us. May change errno. */
void hpt_anchor_take(struct hpt_clock *clk);

/* True if there is an anchor and neither the counter nor CLOCK_MONOTONIC_RAW can have jumped since it was taken. */
bool hpt_anchor_is_valid(const struct hpt_clock *clk);

#endif
