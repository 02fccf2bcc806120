/* SPDX-License-Identifier: MIT */
/* The functions that libhpt-preload.so replaces, all called alike. Also the kernel's clocks, asked directly. */
#ifndef HPT_PRELOAD_SLEEPER_H
#define HPT_PRELOAD_SLEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define S  INT64_C(1000000000)

/* Plain times have 32 bits here. The C library then reads those of sleeps itself: none at all is a signal. */
#if defined(__TIMESIZE) && __TIMESIZE == 32
#define HAS_NARROW_TIME 1
#else
#define HAS_NARROW_TIME 0
#endif

/* But this program has those of 64 bits: it calls other functions of the C library. */
#if HAS_NARROW_TIME && defined(__USE_TIME_BITS64)
#define HAS_WIDE_TIME 1
#else
#define HAS_WIDE_TIME 0
#endif

/* left_ns where a function reports nothing. */
#define UNTOLD (-1)

struct sleeper {
	const char *name;
	/*
	 * Sleeps for that long, rounded up to unit_ns. Returns 0 or the error, whichever way the function reports it.
	 * *left_ns becomes what it wrote back as left.
	 */
	int (*sleep)(int64_t ns, int64_t *left_ns);
	int64_t unit_ns;
	long calls[2]; /* the system call that the C library makes for it: one of these */
	bool writes_left;
	clockid_t clock; /* by which it ends: if CLOCK_REALTIME is set, such a sleep is short on CLOCK_MONOTONIC */
};

extern const struct sleeper sleepers[];
extern const int sleepers_n;

const struct sleeper *sleeper_named(const char *name);

/* *ns rounded up to what the function can be asked for. */
int64_t sleeper_round(const struct sleeper *s, int64_t ns);

/* Clocks by system calls, which no object replaces. In ns. */
static inline int64_t kernel_ns(clockid_t id)
{
	struct timespec ts = { 0 };

#ifdef SYS_clock_gettime64
	if (sizeof(ts.tv_sec) > sizeof(long))
		syscall(SYS_clock_gettime64, id, &ts);
	else
#endif
		syscall(SYS_clock_gettime, id, &ts);
	return ts.tv_sec * S + ts.tv_nsec;
}

/* The time of the clock by which it ends. */
static inline int64_t sleeper_clock_ns(const struct sleeper *s)
{
	return kernel_ns(s->clock);
}

static inline struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / S), .tv_nsec = (long)(ns % S) };
}

static inline int64_t ns_of(const struct timespec *ts)
{
	return ts->tv_sec * S + ts->tv_nsec;
}

#endif
