/* SPDX-License-Identifier: MIT */
/*
 * The stopwatch for calls that take nanoseconds: the counter's instruction where there is one, else the library's read.
 */
#ifndef HPT_BENCH_STOPWATCH_H
#define HPT_BENCH_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "units.h"

/* Makes the compiler compute a value without storing it. */
#define HPT_USE(v) __asm__ volatile("" : : "r"(v))

/*
 * The clock whose ticks hpt_stopwatch() returns: the TSC's where it can be opened, else the default clock. Never
 * closed.
 */
hpt_clock *hpt_stopwatch_clock(void);

/* Does hpt_stopwatch() read the TSC by its instruction? Set by hpt_stopwatch_clock(), which must be called first. */
extern bool hpt_stopwatch_is_tsc;

/*
 * Reads the stopwatch after all earlier instructions; later ones may begin before the read has ended. @is_tsc is
 * hpt_stopwatch_is_tsc, read in advance: after a long sleep that variable is in no cache, and reading it then would
 * become part of the result.
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

/*
 * From its first sample after one second of age, the clock has the kernel's own rate, or knows its rate to less than a
 * billionth.
 */
#define HPT_STOPWATCH_RATE_NS (NS_PER_S + NS_PER_S / 5)

/* Waits until the rate is known to less than a billionth: HPT_STOPWATCH_RATE_NS. */
void hpt_stopwatch_await_rate(hpt_clock *clk);

/* The duration of @ticks in ps. */
int64_t hpt_stopwatch_ps(hpt_clock *clk, int64_t ticks);

int64_t hpt_os_ns(int clock_id);

#endif
