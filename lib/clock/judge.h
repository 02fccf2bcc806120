/* SPDX-License-Identifier: MIT */
/* Gathers the machine's facts about an open source and passes them to tsc_trust or arch_trust for the verdict. */
#ifndef HPT_JUDGE_H
#define HPT_JUDGE_H

#include <stddef.h>

#include "clock/clock.h"
#include "clock/verdict.h"

/*
 * The verdict on the clock's open source. For TSC and ARCH, ret_kernel is set to the name of the kernel's clocksource,
 * empty if it cannot be read, and clk->is_clocksource is set. For a TSC that its class and the kernel's clocksource
 * admit, the ordered read is chosen by its cost and the anchor is taken. May change errno.
 */
struct hpt_verdict hpt_judge(struct hpt_clock *clk, char *ret_kernel, size_t kernel_size);

#endif
