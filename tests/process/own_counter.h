/* SPDX-License-Identifier: MIT */
/*
 * The processor's counter without the library, read in order as Linux does. Where CPUs' counters differ, two of these
 * reads show it, and no read of the library can be better. Seen in a virtual machine on Zen 5: counters that move by 26
 * ticks, and differ by 1 tick or 12 on some of the host's CPUs, between which the machine is moved every few seconds.
 */
#ifndef HPT_TEST_OWN_COUNTER_H
#define HPT_TEST_OWN_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include <hpt/hpt.h>

/*
 * Is it what the library has chosen? If not, it excuses nothing, and may be forbidden. Asks the source: a clock would
 * make its first record for the answer.
 */
static inline bool has_own_counter(void)
{
	struct hpt_source_info info = { 0 };

	return !hpt_source_get_info(HPT_SOURCE_TSC, &info, sizeof(info)) && info.chosen;
}

/* Only where has_own_counter(). */
static inline int64_t own_counter(hpt_clock *clk)
{
	(void)clk;
#if defined(__x86_64__) || defined(__i386__)
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (int64_t)((uint64_t)hi << 32 | lo);
#else
	return 0;
#endif
}

/* By how much times may go back if the counter goes back by that many ticks: a nanosecond more is rounding. */
static inline int64_t excused_ns(hpt_clock *clk, int64_t ticks)
{
	return ticks ? hpt_ticks_to_ns(clk, ticks) + 1 : 0;
}

#endif
