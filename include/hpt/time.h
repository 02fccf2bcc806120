/* SPDX-License-Identifier: MIT */
/*
 * time.h - durations and times of a clock as nanoseconds, Unix time and text; part of hpt.h.
 *
 * A duration is a difference of two times of one clock, in ticks. A time converted within the present generation may be
 * compared with others of that generation: see hpt_clock_check(). Conversions go by the present rate, whose error is
 * frequency_error_ppb of the duration, or of the distance of a time from now. Where that is UINT32_MAX no rate is known
 * and conversions go by a guess.
 */
#ifndef LIBHPT_TIME_H
#define LIBHPT_TIME_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Seconds, and nanoseconds above them, as Unix time or as a duration. sec is rounded down, so nsec is never negative:
 * -0.5 s is { -1, 500000000 }. This is not the C library's struct, whose size differs between programs on one machine.
 * It never grows.
 */
struct hpt_timespec {
	int64_t sec;
	int64_t nsec;                   /* 0 to 999999999 */
};

/* ---- Durations ----------------------------------------------------------------------------------------- */

/**
 * hpt_ticks_to_ns - a duration in ticks as nanoseconds
 *
 * @clk:   the clock of the ticks, or NULL for the default
 * @ticks: any value
 *
 * Return: nanoseconds, rounded to nearest; INT64_MIN or INT64_MAX if they do not fit
 *
 * Safety: conversion. Cost: one multiplication. While the rate is still being refined, a duration that is not short
 *         compared with the clock's age costs a read of the clock more.
 * Since:  1.0
 */
HPT_API int64_t hpt_ticks_to_ns(hpt_clock *clk, int64_t ticks);

/**
 * hpt_ns_to_ticks - a duration in nanoseconds as ticks
 *
 * @clk: the clock whose ticks are wanted, or NULL for the default
 * @ns:  any value
 *
 * Return: ticks, rounded to nearest; INT64_MIN or INT64_MAX if they do not fit
 *
 * Safety: conversion. Cost: as hpt_ticks_to_ns().
 * Since:  1.0
 */
HPT_API int64_t hpt_ns_to_ticks(hpt_clock *clk, int64_t ns);

/**
 * hpt_ticks_to_timespec - a duration in ticks as seconds and nanoseconds
 *
 * @clk:   the clock of the ticks, or NULL for the default
 * @ticks: any value; the result always fits
 * @ret:   the duration, rounded to nearest; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *
 * Safety: conversion. Cost: one multiplication and four divisions.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_ticks_to_timespec(hpt_clock *clk, int64_t ticks, struct hpt_timespec *ret);

/**
 * hpt_ticks_format - a duration in ticks as text: -12.345678901 s
 *
 * @clk:   the clock of the ticks, or NULL for the default
 * @ticks: any value
 * @buf:   the text, with a terminating NUL; untouched on failure
 * @size:  bytes in @buf; HPT_TICKS_FORMAT_SIZE are enough for every duration
 *
 * Writes seconds with nine digits after the point, in every locale. A duration that rounds to 0 has no sign.
 *
 * Return: the length without the NUL
 *         -EINVAL  @buf is NULL
 *         -ERANGE  @size is too small for this duration
 *
 * Safety: conversion. Cost: below a microsecond.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_ticks_format(hpt_clock *clk, int64_t ticks, char *buf, size_t size);
enum { HPT_TICKS_FORMAT_SIZE = 33 };

/* ---- Sums ---------------------------------------------------------------------------------------------- */

/**
 * hpt_time_add_ns - a time and a duration in nanoseconds
 *
 * @clk:    the clock of @t, or NULL for the default
 * @t:      a time of that clock
 * @amount: nanoseconds; negative for an earlier time
 * @ret:    the sum; untouched on failure
 *
 * Adds hpt_ns_to_ticks() of @amount. That number of ticks need not fit in 64 bits; the sum must.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the sum does not fit
 *
 * Safety: conversion. Cost: one multiplication.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_add_ns(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret);

/* ---- Nanoseconds of hpt_now_ns() and of the kernel's clocks -------------------------------------------- */

/**
 * hpt_time_to_ns - a time of the clock as nanoseconds on hpt_now_ns()'s timeline
 *
 * @clk: the clock of @t, or NULL for the default
 * @t:   a time of that clock
 * @ret: nanoseconds, rounded down as in hpt_now_ns(); untouched on failure
 *
 * A @t of the last second of use gives exactly the result of hpt_now_ns() at that tick. About once a second of use the
 * library compares the clocks and may change the slope of the timeline; the result is exact since the comparison before
 * the latest one. Earlier and future times go by the present rate. A time of an earlier generation is off by the event
 * that ended it. In the state DEMOTED the result goes by the counter, and hpt_now_ns() does not: they differ by up to
 * frequency_error_ppb of the time since the latest comparison. While no rate is known they differ by what the guess is
 * wrong. In both cases a comparison between two calls may take results back: see hpt_clock_check().
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the result does not fit
 *
 * Safety: conversion. Cost: one multiplication; a read of the clock and some 30 ns more if @t is not of the last
 *         second.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_to_ns(hpt_clock *clk, hpt_time_t t, int64_t *ret);

/**
 * hpt_time_from_ns - nanoseconds on hpt_now_ns()'s timeline as a time of the clock
 *
 * @clk: the clock whose time is wanted, or NULL for the default
 * @ns:  nanoseconds, as hpt_now_ns() returns them
 * @ret: the nearest tick; untouched on failure
 *
 * The reverse of hpt_time_to_ns(). Until the library compares the clocks again, the way there and back returns @t where
 * a tick is a nanosecond or longer. Elsewhere it returns a tick within half a nanosecond and half a tick of @t.
 *
 * Return: as hpt_time_to_ns()
 *
 * Safety: conversion. Cost: two divisions of 128 bits, 0.3 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_from_ns(hpt_clock *clk, int64_t ns, hpt_time_t *ret);

/**
 * hpt_time_to_os - a time of the clock as time of one of the kernel's clocks
 *
 * @clk:     the clock of @t, or NULL for the default
 * @t:       a time of that clock
 * @clockid: CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI, CLOCK_REALTIME or CLOCK_MONOTONIC_RAW of <time.h>
 * @ret:     nanoseconds of that clock, rounded to nearest; untouched on failure
 *
 * Reads that clock now, between two reads of the counter, and extrapolates to @t by the present slope. The result is
 * therefore wrong for a @t before a suspend, a step of that clock, or another event that moved the two against each
 * other. Two calls may differ by the width of the bracket, some 50 ns, and by the change of the slope by NTP over the
 * distance to @t. For the OS source CLOCK_MONOTONIC is @t itself, and CLOCK_MONOTONIC_RAW is off by up to 500 ppm of
 * the distance.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @clockid is another clock, or this kernel does not have it
 *         -ENOTSUP @clk is a manual clock
 *         -ERANGE  the result does not fit
 *         other    errno of clock_gettime(2) where a sandbox denies the clock: -EPERM, ...
 *
 * Safety: conversion. Cost: four reads of the clock and three of clock_gettime(2), 0.2 us; three system calls where
 *         that is one.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_to_os(hpt_clock *clk, hpt_time_t t, int32_t clockid, int64_t *ret);

/**
 * hpt_time_from_os - time of one of the kernel's clocks as a time of the clock
 *
 * @clk:     the clock whose time is wanted, or NULL for the default
 * @ns:      nanoseconds of that clock
 * @clockid: as in hpt_time_to_os()
 * @ret:     the nearest tick; untouched on failure
 *
 * The reverse of hpt_time_to_os(), with its limits.
 *
 * Return: as hpt_time_to_os()
 *
 * Safety: conversion. Cost: as hpt_time_to_os().
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_from_os(hpt_clock *clk, int64_t ns, int32_t clockid, hpt_time_t *ret);

/* ---- Unix time ----------------------------------------------------------------------------------------- */

/**
 * hpt_time_to_unix_ns - a time of the clock as Unix time
 *
 * @clk: the clock of @t, or NULL for the default
 * @t:   a time of that clock
 * @ret: nanoseconds since 1970-01-01 00:00 UTC, rounded to nearest; untouched on failure
 *
 * A present @t gives the result of hpt_now_unix_ns(). Another @t goes by the present rate from there. A comparison of
 * the clocks, about once a second of use, may change that rate, and so the Unix time of one and the same tick.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the result does not fit (years 1677 to 2262): @t is before hpt_time_min() or after hpt_time_max()
 *
 * Safety: conversion. Cost: one multiplication; a read of the clock more if @t is not of the last second.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_to_unix_ns(hpt_clock *clk, hpt_time_t t, int64_t *ret);

/**
 * hpt_time_from_unix_ns - Unix time as a time of the clock
 *
 * @clk:     the clock whose time is wanted, or NULL for the default
 * @unix_ns: nanoseconds since 1970-01-01 00:00 UTC
 * @ret:     the nearest tick; untouched on failure
 *
 * The reverse of hpt_time_to_unix_ns(). Until the library compares the clocks again, the way there and back returns @t
 * where a tick is a nanosecond or longer. Elsewhere it returns a tick within half a nanosecond and half a tick of @t.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the result does not fit
 *
 * Safety: conversion. Cost: two divisions of 128 bits, 0.3 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_from_unix_ns(hpt_clock *clk, int64_t unix_ns, hpt_time_t *ret);

/**
 * hpt_time_to_timespec - a time of the clock as Unix time in seconds and nanoseconds
 *
 * @clk: the clock of @t, or NULL for the default
 * @t:   a time of that clock; the result always fits
 * @ret: Unix time, as hpt_time_to_unix_ns() rounds it; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *
 * Safety: conversion. Cost: as hpt_time_to_unix_ns(), and four divisions.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_to_timespec(hpt_clock *clk, hpt_time_t t, struct hpt_timespec *ret);

/**
 * hpt_time_from_timespec - Unix time in seconds and nanoseconds as a time of the clock
 *
 * @clk: the clock whose time is wanted, or NULL for the default
 * @ts:  Unix time
 * @ret: the nearest tick; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @ts or @ret is NULL, or the nanoseconds are not 0 to 999999999
 *         -ERANGE  the result does not fit
 *
 * Safety: conversion. Cost: two divisions of 128 bits, 0.3 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_from_timespec(hpt_clock *clk, const struct hpt_timespec *ts, hpt_time_t *ret);

/**
 * hpt_time_to_unix_ticks - a time of the clock as ticks since 1970 (the papers' value of a timer)
 *
 * @clk: the clock of @t, or NULL for the default
 * @t:   a time of that clock
 * @ret: Unix time multiplied by the clock's rate; untouched on failure
 *
 * Such numbers overflow early: at 5 GHz on 2028-06-15, at 4.7 GHz on 2032-03-09. They also follow the rate, which is
 * an estimate: one part in a million changes them by half an hour of ticks. For these reasons hpt_time_t does not count
 * from 1970.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the result does not fit
 *
 * Safety: conversion. Cost: as hpt_time_to_unix_ns().
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_to_unix_ticks(hpt_clock *clk, hpt_time_t t, int64_t *ret);

/**
 * hpt_time_min - the earliest time of the clock that hpt_time_to_unix_ns() can convert
 *
 * @clk: the clock, or NULL for the default
 *
 * In Unix time it is 1677-09-21, or the time of INT64_MIN ticks if that is later. hpt_time_format() has the same range.
 * A step of the wall clock changes it.
 *
 * Return: ticks since the counter's zero. Cannot fail.
 *
 * Safety: conversion. Cost: below a microsecond; it may compare the clocks.
 * Since:  1.0
 */
HPT_API hpt_time_t hpt_time_min(hpt_clock *clk);

/**
 * hpt_time_max - the latest time of the clock that hpt_time_to_unix_ns() can convert
 *
 * @clk: the clock, or NULL for the default
 *
 * In Unix time it is 2262-04-11, or the time of INT64_MAX ticks if that is earlier. See hpt_time_min().
 *
 * Return: ticks since the counter's zero. Cannot fail.
 *
 * Safety: conversion. Cost: as hpt_time_min().
 * Since:  1.0
 */
HPT_API hpt_time_t hpt_time_max(hpt_clock *clk);

/* ---- Text ---------------------------------------------------------------------------------------------- */

/**
 * hpt_time_format - a time of the clock as text: 2026-11-20T10:47:59.123456789Z
 *
 * @clk:  the clock of @t, or NULL for the default
 * @t:    a time of that clock
 * @buf:  the text, with a terminating NUL; untouched on failure
 * @size: bytes in @buf; HPT_TIME_FORMAT_SIZE are enough
 *
 * Writes UTC as ISO 8601 with nanoseconds, in every locale and time zone.
 *
 * Return: the length without the NUL
 *         -EINVAL  @buf is NULL
 *         -ERANGE  @size is too small, or @t is before hpt_time_min() or after hpt_time_max()
 *
 * Safety: conversion. Cost: below a microsecond.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_format(hpt_clock *clk, hpt_time_t t, char *buf, size_t size);
enum { HPT_TIME_FORMAT_SIZE = 31 };

/**
 * hpt_time_parse - text as a time of the clock
 *
 * @clk:  the clock whose time is wanted, or NULL for the default
 * @text: as hpt_time_format() writes it. It may have t or one blank for T, z or an offset from UTC such as +02:00 for
 *        Z, a comma for the point, and fewer digits after the point; without digits it has no point.
 * @ret:  the nearest tick; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @text or @ret is NULL, @text has another form, or there is no such date or time of day; a leap
 *                  second (:60) is refused
 *         -ERANGE  the result does not fit
 *
 * Safety: conversion. Cost: below a microsecond.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_time_parse(hpt_clock *clk, const char *text, hpt_time_t *ret);

#ifdef __cplusplus
}
#endif

#endif
