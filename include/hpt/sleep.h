/* SPDX-License-Identifier: MIT */
/*
 * sleep.h - sleeps that end on their deadline; part of hpt.h, which says what its words mean.
 *
 * All of them sleep in the kernel until a margin before the deadline, learned by each thread from how late the kernel
 * wakes it, and spin for the rest: see hpt_sleep(7). None ends early by hpt_now() of its clock, but where
 * HPT_SLEEP_NOSPIN asks for it. A signal handler does not end them, if not asked for. errno is left alone.
 *
 * "Sleep results" below means:
 *         0        the deadline was reached, or was past already
 *         HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED (1, 2): the counter and CLOCK_MONOTONIC_RAW diverged by more
 *                  than 1 ms and the error of the rate (suspend, restored snapshot, a counter that jumped or
 *                  stopped). If the counter lost time, the sleep ended by CLOCK_MONOTONIC
 *
 * "Sleep safety": blocking; MT-Safe, AS-Safe; no cancellation point (a thread cancelled asynchronously, or a
 * handler that jumps out of a sleep, leaves the thread's timer slack at 1 ns and its waiter busy). "Sleep cost":
 * nothing but the time itself for what is shorter than the margin, else 10 to 40 us of CPU and the spin: see
 * hpt_sleep(7).
 */
#ifndef LIBHPT_SLEEP_H
#define LIBHPT_SLEEP_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: values are pinned for ever and never reused -------------------------------- */

/* How CPU time is weighed against lateness. In brackets what max_spin_ns is where it is given as 0. */
#define HPT_SLEEP_BALANCED 0u /* about one kernel wait in 200 ends too late [1 ms] */
#define HPT_SLEEP_FRUGAL   1u /* shorter spins, about one in 100 [1 ms] */
#define HPT_SLEEP_STRICT   2u /* longer spins, about one in 1000 [one tick of the kernel, 4 ms if that is unknown] */
#define HPT_SLEEP_NOSPIN   3u /* does not spin; may return max_spin_ns early [0: never early, always late] */
#define HPT_SLEEP_SPIN     4u /* spins through the last max_spin_ns, whatever was learned [all of it] */
#define HPT_SLEEP_INHERIT  5u /* of waiters, gates and tickers alone: the process's policy */

/* How the calling thread has slept. Members are only ever added at the end. */
struct hpt_sleep_info {
	uint32_t size;           /* bytes filled in */
	uint32_t policy;         /* HPT_SLEEP_: the process's */
	int64_t  max_spin_ns;    /* the process's; where it was given as 0, what that comes to (2^60: all of it) */
	uint32_t margin_ns;      /* how long before a deadline it asks the kernel to be woken: from short waits ... */
	uint32_t long_margin_ns; /* ... and from long ones, which are followed by a short one */
	uint32_t samples;        /* waits behind these two; below 8 a margin is a guess */
	uint32_t long_samples;
	uint64_t waits;          /* of this thread in the kernel */
	uint64_t oversleeps;     /* of those the kernel ended behind the sleep's deadline */
	uint64_t oversleep_ns;   /* by so much in all */
};
#define HPT_SLEEP_INFO_SIZE_V0 56u

/* ---- Sleep ------------------------------------------------------------------------------------- */

/**
 * hpt_sleep_ns - sleep for a time
 *
 * @clk:    the clock, or NULL for the default
 * @amount: nanoseconds, rounded up to ticks; 0 and less return at once; what is too long for the clock ends with it
 *
 * Counts from the call, as hpt_now_ns() does, which a suspend stops. For a cadence sleep until times: the time
 * between two calls adds up.
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_sleep_ns(hpt_clock *clk, int64_t amount);

/**
 * hpt_sleep_us - the same in microseconds
 *
 * @clk:    the clock, or NULL for the default
 * @amount: microseconds; as in hpt_sleep_ns()
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_sleep_us(hpt_clock *clk, int64_t amount);

/**
 * hpt_sleep_s - the same in seconds
 *
 * @clk:    the clock, or NULL for the default
 * @amount: seconds; as in hpt_sleep_ns()
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_sleep_s(hpt_clock *clk, int64_t amount);

/**
 * hpt_sleep_ticks - the same in ticks of the clock
 *
 * @clk:    the clock, or NULL for the default
 * @amount: ticks; as in hpt_sleep_until() with hpt_now() and this sum, which ends at INT64_MAX
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_sleep_ticks(hpt_clock *clk, int64_t amount);

/**
 * hpt_sleep_until - sleep until a time of the clock
 *
 * @clk:      the clock, or NULL for the default
 * @deadline: in ticks, as hpt_now() counts; what is past returns at once, without a system call
 *
 * Follows the counter. The call's own cost does not add to the time, as it does in hpt_sleep_ns().
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_sleep_until(hpt_clock *clk, hpt_time_t deadline);

/**
 * hpt_sleep_until_ns - sleep until a time of hpt_now_ns()
 *
 * @clk: the clock, or NULL for the default
 * @ns:  nanoseconds, as hpt_now_ns() counts them; a past time returns at once
 *
 * Follows the kernel's clock where that and the counter disagree.
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.2
 */
HPT_API_READ int hpt_sleep_until_ns(hpt_clock *clk, int64_t ns);

/**
 * hpt_sleep_until_unix_ns - sleep until a time of the system's clock (the papers' sleep to a system time)
 *
 * @clk:     the clock, or NULL for the default
 * @unix_ns: nanoseconds since 1970, as hpt_now_unix_ns() counts
 *
 * Follows CLOCK_REALTIME with its steps and its slew while in the kernel. A step within the spin that follows, a
 * margin long, is not seen.
 *
 * Return: sleep results
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_sleep_until_unix_ns(hpt_clock *clk, int64_t unix_ns);

/**
 * hpt_sleep_set_policy - how all sleeps of this process weigh CPU time against lateness
 *
 * @policy:      HPT_SLEEP_; BALANCED until this is called
 * @max_spin_ns: no margin that is spun is longer; 0: the policy's own
 *
 * Sleeps that have begun go on as they are. Waiters, gates and tickers may have their own:
 * hpt_waiter_set_policy().
 *
 * Return: 0
 *         -EINVAL  @policy is none of the constants, or @max_spin_ns is negative
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a store; for STRICT with 0 clock_getres(2) too.
 * Since:  0.1
 */
HPT_API int hpt_sleep_set_policy(uint32_t policy, int64_t max_spin_ns);

/**
 * hpt_sleep_get_info - what the calling thread has learned and how it fared
 *
 * @ret:  filled in up to @size bytes; untouched on failure
 * @size: sizeof *ret
 *
 * Margins are those of the process's policy.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @size is below HPT_SLEEP_INFO_SIZE_V0
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: about 0.3 us.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_sleep_get_info(struct hpt_sleep_info *ret, size_t size);

/* ---- On request ----------------------------------------------------------------------------------- */

/**
 * hpt_thread_set_slice_ns - the calling thread's time slice
 *
 * @ns: the slice, which is brought into the kernel's range, 0.1 ms to 100 ms; 0: the kernel's own
 *
 * A thread with a short slice may take a CPU from threads with longer ones as it wakes (Linux 6.12 and later), and
 * gives it up sooner. It keeps its class and nice value. The cost: more switches where CPUs are shared. 0 also sets the
 * thread's timer slack back to its default, which a sleep that the thread left by cancellation or by a jump out of a
 * handler may have left at 1 ns.
 *
 * Return: 0
 *         -EINVAL  @ns is negative
 *         -ENOTSUP this kernel, or the thread's scheduling class, has no such slices
 *         other    errno of sched_setattr(2), as -EPERM or -ENOSYS from a sandbox
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: three or four system calls.
 * Since:  0.1
 */
HPT_API int hpt_thread_set_slice_ns(int64_t ns);

/**
 * hpt_low_latency_open - keep all CPUs of this machine from deep sleep, as long as the descriptor is open
 *
 * @max_us: the longest time in which an idle CPU may wake, in us; 0: CPUs idle at full power
 *
 * Holds a request in /dev/cpu_dma_latency. It concerns all CPUs of the machine: the kernel wakes threads sooner, and
 * the machine draws more power and may run slower where it is short of power or cooling.
 *
 * Return: a descriptor (close-on-exec); close(2) ends the request
 *         -EINVAL  @max_us is negative
 *         -EACCES, -ENOENT, ...  errno of open(2) or write(2)
 *
 * Safety: blocking; MT-Safe, AS-Safe; no cancellation point. Cost: two system calls.
 * Since:  0.1
 */
HPT_API int hpt_low_latency_open(int32_t max_us);

#ifdef __cplusplus
}
#endif

#endif
