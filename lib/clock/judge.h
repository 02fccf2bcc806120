/* SPDX-License-Identifier: MIT */
/* Gathers the machine's facts about an open source and asks for the verdict on them. */
#ifndef HPT_JUDGE_H
#define HPT_JUDGE_H

#include <stddef.h>

#include "clock/clock.h"
#include "clock/tsc_trust.h"

/*
 * The verdict on the clock's open source. ret_kernel becomes the name of the kernel's clocksource if the source is a TSC,
 * empty if that cannot be read. A TSC that the CPU and the kernel vouch for also has its reads timed and its anchor taken.
 */
struct hpt_verdict hpt_judge(struct hpt_clock *clk, char *ret_kernel, size_t kernel_size);

#endif
