/* SPDX-License-Identifier: MIT */
/*
 * The stopwatch of a benchmark. A TSC is read by its instruction, for calls that take nanoseconds; any other clock by
 * the library's read.
 */
#ifndef HPT_TOOLS_STOPWATCH_H
#define HPT_TOOLS_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "math/units.h"

/* Makes the compiler compute a value without storing it. */
#define STOPWATCH_USE(v) __asm__ volatile("" : : "r"(v))

struct stopwatch {
	hpt_clock *clk;                 /* whose ticks it returns; never closed */
	bool is_tsc;                    /* it reads the TSC by RDTSCP, else by hpt_now() */
	bool is_vetoed;                 /* the library refuses this counter, for @reason */
	uint32_t source, reason;        /* HPT_SOURCE_ and HPT_REASON_ */
};

/*
 * Of sleeps: the default clock, which is the one that was asked for. How late a sleep ended is then known by the clock
 * that it followed, and a deadline is a tick of the stopwatch.
 */
struct stopwatch stopwatch_of_default(void);

/* Of messages between CPUs: the TSC, unless the library refuses it, as where CPUs differ; else the default clock. */
struct stopwatch stopwatch_sound(void);

/*
 * Of single reads, tens of nanoseconds on one CPU: the TSC wherever it can be opened, for no other counter is as fine;
 * else the default clock.
 */
struct stopwatch stopwatch_finest(void);

/*
 * Reads the stopwatch after all earlier instructions; later ones may begin before the read has ended. @is_tsc and @clk
 * are the stopwatch's, read in advance: after a long sleep they are in no cache, and reading them then would become
 * part of the result.
 */
static inline __attribute__((always_inline)) int64_t stopwatch_by(bool is_tsc, hpt_clock *clk)
{
#ifdef HPT_ARCH_X86
	if (__builtin_expect(is_tsc, true))
		return (int64_t)arch_rdtscp();
#else
	(void)is_tsc;
#endif
	return hpt_now(clk);
}

static inline __attribute__((always_inline)) int64_t stopwatch_read(const struct stopwatch *w)
{
	return stopwatch_by(w->is_tsc, w->clk);
}

/*
 * From its first sample after one second of age, the clock has the kernel's own rate, or knows its rate to less than a
 * billionth.
 */
#define STOPWATCH_RATE_NS (NS_PER_S + NS_PER_S / 5)

/* Waits until the rate is known to less than a billionth: STOPWATCH_RATE_NS. */
void stopwatch_await_rate(hpt_clock *clk);

/* The duration of @ticks in ps. */
int64_t stopwatch_to_ps(hpt_clock *clk, int64_t ticks);

int64_t stopwatch_os_ns(int clock_id);

#endif
