/* SPDX-License-Identifier: MIT */
/* The stopwatch of what takes nanoseconds: the counter's instruction where there is one, else the library's read. */
#ifndef HPT_BENCH_STAMP_H
#define HPT_BENCH_STAMP_H

#include <stdbool.h>

#include <hpt/hpt.h>

#include "arch.h"
#include "bench.h"

/* A clock whose ticks are those of bench_stamp(); NULL, and says so, where there is none. */
static inline hpt_clock *bench_stamp_clock(void)
{
#ifdef HPT_ARCH_X86
	hpt_clock *clk;

	if (!hpt_clock_open(HPT_SOURCE_TSC, &clk))
		return clk;
	printf("no TSC here: nothing to measure by\n");
	return NULL;
#else
	return hpt_clock_default();
#endif
}

static inline __attribute__((always_inline)) int64_t bench_stamp(hpt_clock *clk)
{
#ifdef HPT_ARCH_X86
	(void)clk;
	return (int64_t)arch_rdtscp();
#else
	return hpt_now(clk);
#endif
}

/* The rate is known to less than a billionth from the first look behind one second on. */
static inline void bench_await_rate(hpt_clock *clk)
{
	hpt_now_ns(clk);
	bench_sleep_until(bench_ns() + 1200000000);
	hpt_now_ns(clk);
}

static inline void bench_print_rate(hpt_clock *clk)
{
	struct hpt_clock_info info;

	if (hpt_clock_get_info(clk, &info, sizeof(info)))
		return;
	printf("%s at %.6f MHz, known to %u ppb\n", hpt_source_name(info.source), (double)info.frequency_uhz / 1e12,
	       info.frequency_error_ppb);
}

#endif
