/* SPDX-License-Identifier: MIT */
/* The stopwatch of what takes nanoseconds: the counter's instruction where there is one, else the library's read. */
#ifndef HPT_BENCH_STOPWATCH_H
#define HPT_BENCH_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "arch/arch.h"

/* Keeps a value alive without storing it. */
#define HPT_USE(v) __asm__ volatile("" : : "r"(v))

/* The clock whose ticks hpt_stopwatch() counts: the TSC's where it can be opened, else the default clock. Never closed. */
hpt_clock *hpt_stopwatch_clock(void);

/* True if hpt_stopwatch() reads the TSC by its instruction: hpt_stopwatch_clock() has to have been called. */
extern bool hpt_stopwatch_is_tsc;

/*
 * Ordered behind what is before it; what follows may begin before it is through. @is_tsc is hpt_stopwatch_is_tsc, read
 * beforehand: behind a long sleep that variable is in no cache, and reading it then would be part of what is measured.
 */
static inline __attribute__((always_inline)) int64_t hpt_stopwatch_by(bool is_tsc, hpt_clock *clk)
{
#ifdef HPT_ARCH_X86
	if (__builtin_expect(is_tsc, true))
		return (int64_t)arch_rdtscp();
#else
	(void)is_tsc;
#endif
	return hpt_now(clk);
}

static inline __attribute__((always_inline)) int64_t hpt_stopwatch(hpt_clock *clk)
{
	return hpt_stopwatch_by(hpt_stopwatch_is_tsc, clk);
}

/* Waits until the rate is known to less than a billionth: 1.2 s from the clock's first use on. */
void hpt_stopwatch_await_rate(hpt_clock *clk);

/* Picoseconds of so many ticks. */
int64_t hpt_stopwatch_ps(hpt_clock *clk, int64_t ticks);

int64_t hpt_os_ns(int clock_id);

#endif
