/* SPDX-License-Identifier: MIT */
/* Arithmetic on readings of counters that may be broken. */
#ifndef HPT_TOOLS_TICKS_H
#define HPT_TOOLS_TICKS_H

#include <stdint.h>

/* a - b, saturating: the readings of a broken counter may differ by more than fits. */
static inline int64_t ticks_minus(int64_t a, int64_t b)
{
	int64_t difference;

	if (__builtin_sub_overflow(a, b, &difference))
		return a < b ? INT64_MIN : INT64_MAX;
	return difference;
}

static inline int64_t ticks_smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t ticks_larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif
