/* SPDX-License-Identifier: MIT */
/* Whether the kernel's clock has the last word on a wait whose time-out is never early on the line of its deadline. */
#ifndef HPT_LAST_WORD_H
#define HPT_LAST_WORD_H

#include <stdbool.h>

#include "sleep/sleep_state.h"

/*
 * A sleep has ended by CLOCK_MONOTONIC, because counter and clock diverged, or by the kernel's word where no clock can
 * be read. True if that is the last one: the deadline's line does not tell the time any more. Where the deadline has
 * come on that line too, the next sleep ends at once.
 */
bool hpt_last_word_is_kernels(struct hpt_clock *clk, enum hpt_deadline_kind kind);

#endif
