/* SPDX-License-Identifier: MIT */
/* timebase.h - a tick on all timelines; time bases, which convert ticks later or elsewhere; part of hpt.h. */
#ifndef LIBHPT_TIMEBASE_H
#define LIBHPT_TIMEBASE_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A tick of a clock, and the time at that tick on each timeline. New members are added at the end. */
struct hpt_sample {
	uint32_t size;                  /* bytes filled in */
	uint32_t state;                 /* HPT_STATE_ of the generation */
	uint64_t generation;            /* of tick and ns */
	hpt_time_t tick;
	int64_t  ns;                    /* on hpt_now_ns()'s timeline: hpt_time_to_ns() of tick */
	int64_t  unix_ns;               /* CLOCK_REALTIME at tick; INT64_MIN: denied, or not in this kernel */
	int64_t  monotonic_ns;          /* CLOCK_MONOTONIC, likewise */
	int64_t  boottime_ns;           /* CLOCK_BOOTTIME, likewise */
	int64_t  tai_ns;                /* CLOCK_TAI, likewise */
	int64_t  width_ns;              /* each of these four is within width_ns / 2 of that clock at tick */
	/* A manual clock has ns for unix_ns, INT64_MIN for the next three, and 0 for width_ns. */
};
enum { HPT_SAMPLE_SIZE_V0 = 72 };

/*
 * A time base: the parameters that convert a clock's ticks to times. The layout is the same on every machine and in
 * every version: little-endian, with a magic number, a version and a checksum, as hpt_timebase(7) describes. It may be
 * written to a file and read on another machine.
 */
struct hpt_timebase {
	uint8_t bytes[128];
};

/* ---- Cross-timestamp ----------------------------------------------------------------------------------- */

/**
 * hpt_clock_sample - a present tick of the clock on all timelines (cross-timestamp)
 *
 * @clk:  the clock, or NULL for the default
 * @ret:  the tick and its times; untouched on failure
 * @size: sizeof(*ret), at least HPT_SAMPLE_SIZE_V0
 *
 * Reads the kernel's clocks one after the other, each between two reads of the counter, and extrapolates each to one
 * tick by its present slope. Of three rounds it returns the one whose widest bracket is the narrowest.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @size is too small
 *
 * Safety: conversion. Cost: 15 reads of the clock and 12 of clock_gettime(2), some 0.6 us; 12 system calls where that
 *         is one.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_clock_sample(hpt_clock *clk, struct hpt_sample *ret, size_t size);

/* ---- Time bases ---------------------------------------------------------------------------------------- */

/**
 * hpt_clock_get_timebase - a present time base of a clock
 *
 * @clk:  the clock, or NULL for the default
 * @ret:  the time base; untouched on failure
 * @size: sizeof(*ret); bytes after the first 128 are zeroed
 *
 * A trace of ticks needs a time base at its start, one in each new generation, and one at its end. hpt_timebase_to_ns()
 * then converts the ticks on any machine; hpt_timebase(7) has an example. The function compares the clocks first, so
 * that the errors are small, and reads the id of the boot from /proc. If that cannot be read, the time base belongs to
 * no boot: it converts alone, but not together with another one.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @size is too small
 *         -ENOTSUP @clk is a manual clock, or an MMIO counter of 16 or 32 bits
 *         -ERANGE  a time does not fit, or the clock's rate is not between 1 Hz and 1 THz
 *
 * Safety: blocking (reads a small file); MT-Safe, AS-Unsafe. Cost: some 10 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_clock_get_timebase(hpt_clock *clk, struct hpt_timebase *ret, size_t size);

/**
 * hpt_timebase_to_ns - ticks as nanoseconds on hpt_now_ns()'s timeline, by time bases
 *
 * @first: a time base
 * @last:  a later one of the same boot and generation, or NULL
 * @ticks: @n ticks
 * @ret:   @n times in nanoseconds, rounded to nearest; INT64_MIN or INT64_MAX if they do not fit. May be @ticks.
 *         Untouched on failure.
 * @n:     the number of ticks
 *
 * Ticks between the two time bases are interpolated. Others go by the rate of @last from the nearer time base. If @last
 * is NULL, all go by @first. Ticks may be in any order, and are converted faster in ascending order. The error of a
 * result is at most the larger of the two errors that the time bases state, plus the error of the later rate over the
 * distance to the nearer time base.
 *
 * Return: 0
 *         -EINVAL  @first, @ticks or @ret is NULL; a time base has another version or damaged bytes; or @last is
 *                  earlier than @first or of another source
 *         -ESTALE  the two are of different boots or generations, or the counter or the kernel's clocks moved between
 *                  them
 *
 * Safety: leaf. Cost: below a nanosecond a tick, and 1 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_timebase_to_ns(const struct hpt_timebase *first, const struct hpt_timebase *last,
				       const int64_t *ticks, int64_t *ret, size_t n);

/**
 * hpt_timebase_to_unix_ns - as hpt_timebase_to_ns(), to nanoseconds since 1970-01-01 00:00 UTC
 *
 * The error may be larger by 1000 ppm of the distance to the nearer time base, because between the two NTP may slew
 * CLOCK_REALTIME by up to 500 ppm either way.
 *
 * Safety: leaf. Cost: as hpt_timebase_to_ns().
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_timebase_to_unix_ns(const struct hpt_timebase *first, const struct hpt_timebase *last,
					    const int64_t *ticks, int64_t *ret, size_t n);

#ifdef __cplusplus
}
#endif

#endif
