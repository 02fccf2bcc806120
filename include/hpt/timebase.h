/* SPDX-License-Identifier: MIT */
/* timebase.h - one tick on all timelines; time bases, which convert ticks on another machine; part of hpt.h. */
#ifndef LIBHPT_TIMEBASE_H
#define LIBHPT_TIMEBASE_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One tick of a clock, and the time at that tick on each timeline. Members are only ever added at the end. */
struct hpt_sample {
	uint32_t size;                  /* bytes filled in */
	uint32_t state;                 /* HPT_STATE_ */
	uint64_t generation;            /* that tick and ns belong to */
	hpt_time_t tick;
	int64_t  ns;                    /* on hpt_now_ns()'s timeline: what hpt_time_to_ns() makes of tick */
	int64_t  unix_ns;               /* the kernel's clocks at tick: CLOCK_REALTIME; INT64_MIN: refused */
	int64_t  monotonic_ns;          /* CLOCK_MONOTONIC */
	int64_t  boottime_ns;           /* CLOCK_BOOTTIME */
	int64_t  tai_ns;                /* CLOCK_TAI */
	int64_t  width_ns;              /* each of those four is within width_ns / 2 of that clock at tick */
};
#define HPT_SAMPLE_SIZE_V0 72u

/**
 * hpt_clock_sample - one tick of the clock on all timelines
 *
 * @clk:  the clock, or NULL for the default
 * @ret:  filled up to @size; a tail that this library does not know is zeroed. Untouched on failure.
 * @size: sizeof(*ret) as the caller was compiled, at least HPT_SAMPLE_SIZE_V0
 *
 * Reads the kernel's clocks one after the other, each between two reads of the counter, and carries each to one tick
 * by its present slope. Of three rounds it returns the one whose widest bracket is the narrowest. A clock that a
 * sandbox refuses or the kernel does not have is INT64_MIN.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL or @size too small
 *
 * Safety: as hpt_now_ns(). Cost: 15 reads of the clock and 12 of clock_gettime(2), some 0.6 us; where that is a system
 *         call, 12 system calls.
 * Since:  0.1
 */
HPT_API int hpt_clock_sample(hpt_clock *clk, struct hpt_sample *ret, size_t size);

#ifdef __cplusplus
}
#endif

#endif
