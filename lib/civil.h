/* SPDX-License-Identifier: MIT */
/* Unix time as text: pure functions, independent of locale, time zone and libc's locks. */
#ifndef HPT_CIVIL_H
#define HPT_CIVIL_H

#include <stdint.h>

#include "hpt/hpt.h"

/* The proleptic Gregorian date of a day counted from 1970-01-01; any day that int64 nanoseconds hold. */
void hpt_civil_date(int64_t days, int32_t *ret_year, uint32_t *ret_month, uint32_t *ret_day);

/* 2026-11-20T10:47:59.123456789Z */
void hpt_unix_format(int64_t unix_ns, char ret[HPT_TIME_FORMAT_SIZE]);

#endif
