/* SPDX-License-Identifier: MIT */
/* The C library's times, as programs pass them, and nanoseconds. */
#ifndef HPT_TIMES_H
#define HPT_TIMES_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#include "math/scale.h"
#include "math/units.h"

/*
 * Where plain times have 32 bits a program that is compiled with _TIME_BITS=64 calls functions of other names, since
 * glibc 2.34. This object has plain ones for its own.
 */
#if defined(__TIMESIZE) && __TIMESIZE == 32
#define HPT_HAS_TIME64 1
#else
#define HPT_HAS_TIME64 0
#endif

/* As the C library has its times of 64 bits. The kernel too writes zeros beside the nanoseconds. */
struct hpt_time64 {
	int64_t s;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	int32_t zero;
	int32_t ns;
#else
	int32_t ns;
	int32_t zero;
#endif
};

struct hpt_timeval64 {
	int64_t s;
	int64_t us;
};

/* Saturates at 292 years, as the kernel does. */
static inline int64_t hpt_timespec_ns(const struct timespec *ts)
{
	int64_t ns;

	return __builtin_mul_overflow((int64_t)ts->tv_sec, NS_PER_S, &ns) ||
	       __builtin_add_overflow(ns, (int64_t)ts->tv_nsec, &ns) ? INT64_MAX : ns;
}

/* A time of 32 bits ends after 68 years, before the longest sleep(): the sleep then waits again. */
static inline time_t hpt_seconds_of(int64_t s)
{
	return (time_t)s == s ? (time_t)s : (time_t)INT32_MAX;
}

static inline struct timespec hpt_timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = hpt_seconds_of(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S) };
}

/* Of a duration, rounded up to a whole microsecond. */
static inline struct timeval hpt_timeval_of(int64_t ns)
{
	int64_t us = ns / 1000 + (ns % 1000 != 0);

	return (struct timeval){ .tv_sec = hpt_seconds_of(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000) };
}

#endif
