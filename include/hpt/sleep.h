/* SPDX-License-Identifier: MIT */
/*
 * sleep.h - sleeps that end on their deadline; part of hpt.h. clock.h has the rules of all functions.
 *
 * A sleep waits in the kernel until a margin before its deadline, and spins for the rest. Each thread learns its margin
 * from how late the kernel wakes it: see hpt_sleep(7).
 *
 * Each sleep follows one timeline:
 *   hpt_sleep_until_ticks()                        the counter, as hpt_now()
 *   hpt_sleep_ns(), hpt_sleep_until_ns(), tickers  hpt_now_ns(); CLOCK_MONOTONIC where the two disagree
 *   hpt_sleep_until_unix_ns()                      CLOCK_REALTIME, with its steps and its slew
 *
 * "Sleep results" are
 *   0                     The deadline has come: a read of the timeline after the sleep is at or after it. A deadline
 *                         that is past at the first read gives 0 at once.
 *   HPT_STATE_REANCHORED  The counter and the system's clocks moved against each other during the sleep: a suspend, a
 *   HPT_STATE_DISRUPTED   restored snapshot, a counter that jumped or stopped; hpt_sleep(7) has the size that counts.
 *                         DISRUPTED also where a sandbox leaves no clock to compare with.
 *                         The sleep may be early on its timeline. It never lasts longer than CLOCK_MONOTONIC says, or
 *                         CLOCK_REALTIME for Unix time.
 *
 * "Sleep safety" is blocking; MT-Safe, AS-Safe; not a cancellation point. A signal handler does not end a sleep, except
 * for objects with HPT_WAIT_EINTR. libhpt(3) has what an asynchronous cancellation and a jump out of a sleep leave.
 *
 * "Sleep cost" is the time of the sleep itself if that is shorter than the margin. Otherwise it is 10 to 40 us of CPU
 * time and the spin.
 */
#ifndef LIBHPT_SLEEP_H
#define LIBHPT_SLEEP_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/* Policies: how a sleep weighs CPU time against lateness. In brackets: what a max_spin_ns of 0 means. */
enum {
	HPT_SLEEP_BALANCED = 0, /* at most some 2.5 times the CPU time of the kernel's own sleep [1 ms] */
	HPT_SLEEP_FRUGAL   = 1, /* at most some 1.6 times [1 ms] */
	HPT_SLEEP_STRICT   = 2, /* at most some four times [a jiffy of the kernel; 4 ms if that is unknown] */
	HPT_SLEEP_NOSPIN   = 3, /* no spin: may return max_spin_ns early [never early, and always late] */
	HPT_SLEEP_SPIN     = 4, /* spins through the last max_spin_ns, by no learned margin [the whole sleep] */
	HPT_SLEEP_INHERIT  = 5 /* the process's policy; for waiters, gates and tickers only */
};

/* What the calling thread has learned, and how its sleeps ended. New members are added at the end. */
struct hpt_sleep_info {
	uint32_t size;           /* bytes filled in */
	uint32_t policy;         /* HPT_SLEEP_: the process's */
	int64_t  max_spin_ns;    /* the process's longest margin; 2^60 if there is no limit */
	uint32_t margin_ns;      /* how long before a deadline a short wait ends, by the process's policy */
	uint32_t long_margin_ns; /* the same for a long wait, which a short one follows; 0 for SPIN */
	uint32_t samples;        /* waits that margin_ns is learned from; below 8 it is a guess */
	uint32_t long_samples;   /* waits that long_margin_ns is learned from */
	uint64_t waits;          /* waits of this thread in the kernel; a sleep makes none, one, two or more */
	uint64_t oversleeps;     /* those that ended after the sleep's deadline ... */
	uint64_t oversleep_ns;   /* ... and by how much, all together */
};
enum { HPT_SLEEP_INFO_SIZE_V0 = 56 };

/* ---- Sleeps -------------------------------------------------------------------------------------------- */

/**
 * hpt_sleep_ns - sleep for a duration
 *
 * @clk:    the clock, or NULL for the default
 * @amount: nanoseconds, rounded up to ticks. Returns at once if not positive. A duration beyond the clock's range is
 *          clamped to its end. INT64_MAX: for ever
 *
 * Counts from the call. CLOCK_MONOTONIC stops in a suspend, and so does the duration. The time between two calls adds
 * up, so a cadence needs a sleep until a time, or a ticker.
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_sleep_ns(hpt_clock *clk, int64_t amount);

/**
 * hpt_sleep_until_ticks - sleep until a time of the clock
 *
 * @clk:      the clock, or NULL for the default
 * @deadline: in ticks, as hpt_now() counts. Returns at once, without a system call, if past.
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_sleep_until_ticks(hpt_clock *clk, hpt_time_t deadline);

/**
 * hpt_sleep_until_ns - sleep until a time on hpt_now_ns()'s timeline
 *
 * @clk: the clock, or NULL for the default
 * @ns:  nanoseconds, as hpt_now_ns() counts. Returns at once if past.
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_sleep_until_ns(hpt_clock *clk, int64_t ns);

/**
 * hpt_sleep_until_unix_ns - sleep until a Unix time (the papers' SleepToThis by their text)
 *
 * @clk:     the clock, or NULL for the default
 * @unix_ns: nanoseconds since 1970, as hpt_now_unix_ns() counts. Returns at once if past.
 *
 * Follows CLOCK_REALTIME, with its steps and its slew, while in the kernel. A step of it during the spin, which is a
 * margin long, is not noticed.
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_sleep_until_unix_ns(hpt_clock *clk, int64_t unix_ns);

/* ---- Policy and facts ---------------------------------------------------------------------------------- */

/**
 * hpt_sleep_set_policy - the policy of all sleeps of the process
 *
 * @policy:      HPT_SLEEP_, but not INHERIT; BALANCED until this is called
 * @max_spin_ns: the longest margin that a thread spins through; 0: the policy's own
 *
 * Affects later sleeps. Waiters, gates and tickers may have a policy of their own: hpt_waiter_set_policy().
 *
 * Return: 0
 *         -EINVAL  @policy is not one of these constants, or @max_spin_ns is negative
 *
 * Safety: leaf. Cost: a store; for STRICT with 0 also clock_getres(2).
 * Since:  1.0
 */
HPT_API int hpt_sleep_set_policy(uint32_t policy, int64_t max_spin_ns);

/**
 * hpt_sleep_get_info - what the calling thread has learned, and how its sleeps ended
 *
 * @ret:  the facts; untouched on failure
 * @size: sizeof(*ret), at least HPT_SLEEP_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @size is too small
 *
 * Safety: leaf. Cost: about 0.3 us; three system calls if nothing in this process has slept or made an object before.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_sleep_get_info(struct hpt_sleep_info *ret, size_t size);

#ifdef __cplusplus
}
#endif

#endif
