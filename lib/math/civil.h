/* SPDX-License-Identifier: MIT */
/* Dates and text: pure functions, independent of the locale and time zone, and of locks in libc. */
#ifndef HPT_CIVIL_H
#define HPT_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "math/scale.h"

/* Nanoseconds as seconds, rounded down, and the nanoseconds above them. */
static inline struct hpt_timespec hpt_civil_seconds(struct hpt_wide ns)
{
	struct hpt_timespec ts;
	uint32_t above_ns;

	hpt_wide_seconds(ns, &ts.sec, &above_ns);
	ts.nsec = above_ns;
	return ts;
}

/* The proleptic Gregorian date of a day counted from 1970-01-01: any day whose Unix time in nanoseconds fits int64. */
void hpt_civil_date(int64_t days, int32_t *ret_year, uint32_t *ret_month, uint32_t *ret_day);

/* The day of a date, counted from 1970-01-01. Months and days outside the calendar give the day of another date. */
int64_t hpt_civil_days(int32_t year, uint32_t month, uint32_t day);

/* Writes a Unix time as 2026-11-20T10:47:59.123456789Z. */
void hpt_civil_format(int64_t unix_ns, char ret[HPT_TIME_FORMAT_SIZE]);

/*
 * Parses such a time into Unix time: seconds, rounded down, and 0 to 999999999 ns more. Returns -EINVAL and writes
 * nothing if text is NULL or malformed.
 */
int hpt_civil_parse(const char *text, int64_t *ret_s, uint32_t *ret_ns);

/* Writes a duration of s >= 0 seconds and ns nanoseconds as -12.345678901 s. Returns the length. */
uint32_t hpt_civil_format_duration(bool negative, int64_t s, uint32_t ns, char ret[HPT_TICKS_FORMAT_SIZE]);

#endif
