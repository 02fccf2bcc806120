/* SPDX-License-Identifier: MIT */
/* Dates and text: pure functions, independent of locale, time zone and libc's locks. */
#ifndef HPT_CIVIL_H
#define HPT_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

/* The proleptic Gregorian date of a day counted from 1970-01-01; any day that int64 nanoseconds hold. */
void hpt_civil_date(int64_t days, int32_t *ret_year, uint32_t *ret_month, uint32_t *ret_day);

/* The day of a date. Months and days outside the calendar give the day of some other date. */
int64_t hpt_civil_days(int32_t year, uint32_t month, uint32_t day);

/* 2026-11-20T10:47:59.123456789Z */
void hpt_civil_format(int64_t unix_ns, char ret[HPT_TIME_FORMAT_SIZE]);

/*
 * The reverse: Unix time as seconds and 0 to 999999999 ns above them. -EINVAL, nothing written, if it is no such text;
 * NULL is none.
 */
int hpt_civil_parse(const char *text, int64_t *ret_s, uint32_t *ret_ns);

/* -12.345678901 s; returns the length. s is not negative. */
uint32_t hpt_civil_format_duration(bool negative, int64_t s, uint32_t ns, char ret[HPT_TICKS_FORMAT_SIZE]);

#endif
