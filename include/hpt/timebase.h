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

/*
 * All that converts a clock's ticks to times, in a layout that is the same on every machine and in every version:
 * little-endian, with a magic number, a version and a check sum. It is documented in hpt_timebase(7).
 */
struct hpt_timebase {
	uint8_t bytes[128];
};

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

/**
 * hpt_clock_get_timebase - what is needed to convert the clock's ticks elsewhere and later
 *
 * @clk:  the clock, or NULL for the default
 * @ret:  128 bytes that may be written to a file; untouched on failure
 * @size: sizeof(*ret); what is beyond the 128 bytes is zeroed
 *
 * A trace of ticks needs a time base at its start, one in each new generation, and one at its end:
 * hpt_timebase_to_ns() then converts the ticks, on any machine. hpt_timebase(7) has the layout and an example. Compares
 * the clocks first, so that the errors in the time base are small, and reads the id of this boot from /proc. Where that
 * cannot be read, no second time base is of the same boot.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL or @size too small
 *         -ERANGE  a time does not fit, or the clock's rate is outside of 1 Hz to 1 THz
 *
 * Safety: blocking (reads a small file); MT-Safe, AS-Unsafe. Cost: some 10 us.
 * Since:  0.1
 */
HPT_API int hpt_clock_get_timebase(hpt_clock *clk, struct hpt_timebase *ret, size_t size);

/**
 * hpt_timebase_to_ns - ticks as nanoseconds on hpt_now_ns()'s timeline, by time bases
 *
 * @first: a time base
 * @last:  a later one of the same boot and generation, or NULL
 * @ticks: the ticks
 * @ret:   nanoseconds, rounded to nearest; INT64_MIN or INT64_MAX where they do not fit. May be @ticks.
 *         Untouched on failure.
 * @n:     how many
 *
 * Ticks between the two time bases are interpolated. Others go by the rate of @last, of @first if that is NULL, from
 * the nearer time base. The order of the ticks does not matter, but ticks in order are faster. A result is within the
 * larger of the two errors that the time bases state, and the error of the later rate over the distance to the nearer
 * one: hpt_timebase(7).
 *
 * Return: 0
 *         -EINVAL  @first, @ticks or @ret is NULL; a time base is of another version or was changed or cut; or @last is
 *                  earlier than @first or of another source
 *         -ESTALE  the two are of different boots or generations, or the clocks moved between them
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: below a nanosecond a tick, and 1 us.
 * Since:  0.1
 */
HPT_API int hpt_timebase_to_ns(const struct hpt_timebase *first, const struct hpt_timebase *last, const int64_t *ticks,
			       int64_t *ret, size_t n);

/**
 * hpt_timebase_to_unix_ns - ticks as nanoseconds since 1970-01-01 00:00 UTC, by time bases
 *
 * @first: a time base
 * @last:  a later one of the same boot and generation, or NULL
 * @ticks: the ticks
 * @ret:   nanoseconds, as hpt_timebase_to_ns() gives them
 * @n:     how many
 *
 * As hpt_timebase_to_ns(). NTP may slew the clock between two time bases: 1000 ppm of the distance are added to
 * the error.
 *
 * Return: as hpt_timebase_to_ns()
 *
 * Safety: as hpt_timebase_to_ns(). Cost: as hpt_timebase_to_ns().
 * Since:  0.1
 */
HPT_API int hpt_timebase_to_unix_ns(const struct hpt_timebase *first, const struct hpt_timebase *last,
				    const int64_t *ticks, int64_t *ret, size_t n);

#ifdef __cplusplus
}
#endif

#endif
