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
 *         HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED (1, 2): the counter and CLOCK_MONOTONIC parted by more than
 *                  1 ms and an eighth of the time meanwhile (suspend, restored snapshot, a counter that jumped or
 *                  stopped): where the counter had fallen behind the sleep ended by CLOCK_MONOTONIC
 *
 * "Sleep safety": blocking; MT-Safe, AS-Safe; no cancellation point (a thread cancelled asynchronously, or a
 * handler that jumps out of a sleep, leaves the thread's timer slack at 1 ns and its waiter busy). "Sleep cost":
 * nothing but the time itself for what is shorter than the margin, else 10 to 40 us of CPU and the spin: see
 * hpt_sleep(7).
 */
#ifndef HPT_SLEEP_H
#define HPT_SLEEP_H

#include <hpt/hpt.h>

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

/* Flags of a waiter. */
#define HPT_WAIT_EINTR 1u /* a signal handler that ran while it was in the kernel ends a sleep: -EINTR */

/* What a ticker does with ticks that went by while nobody waited. */
#define HPT_TICKER_SKIP     0u /* counts them, and goes on with the latest */
#define HPT_TICKER_CATCH_UP 1u /* gives each of them at once */

/* Objects; each belongs to one process and borrows its clock. */
typedef struct hpt_waiter hpt_waiter; /* one sleeper, and who may wake it */
typedef struct hpt_gate   hpt_gate;   /* many sleepers, woken all at once */
typedef struct hpt_ticker hpt_ticker; /* a period */

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
 * Sleeps that have begun go on as they are. Waiters may have their own: hpt_waiter_set_policy().
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
HPT_API int hpt_sleep_get_info(struct hpt_sleep_info *ret, size_t size);

/* ---- Waiter: a sleep that can be interrupted --------------------------------------------------- */

/**
 * hpt_waiter_new - an object to sleep on, for one thread at a time
 *
 * @clk: the clock, or NULL for the default of now; not to be closed before the waiter is freed
 * @ret: the new waiter; untouched on failure. Give it back with hpt_waiter_free().
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  0.1
 */
HPT_API int hpt_waiter_new(hpt_clock *clk, hpt_waiter **ret);

/**
 * hpt_waiter_free - give a waiter back
 *
 * @w: NULL is left alone. Nobody may sleep on it or interrupt it any more.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free().
 * Since:  0.1
 */
HPT_API void hpt_waiter_free(hpt_waiter *w);

/**
 * hpt_waiter_sleep_ns - sleep for a time, or until interrupted
 *
 * @w:  the waiter
 * @ns: nanoseconds; as in hpt_sleep_ns()
 *
 * A pending interrupt ends it at once, whatever @ns is.
 *
 * Return: sleep results, or
 *         -ECANCELED it was interrupted, by one call now used up; hpt_waiter_remaining() says what was left
 *         -EINTR   a signal handler ran, and HPT_WAIT_EINTR is set
 *         -EBUSY   another thread sleeps on @w
 *         -EINVAL  @w is NULL
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_waiter_sleep_ns(hpt_waiter *w, int64_t ns);

/**
 * hpt_waiter_sleep_until - sleep until a time of the waiter's clock, or until interrupted
 *
 * @w:        the waiter
 * @deadline: in ticks; as in hpt_sleep_until(). INT64_MAX: until interrupted
 *
 * Return: as hpt_waiter_sleep_ns()
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_waiter_sleep_until(hpt_waiter *w, hpt_time_t deadline);

/**
 * hpt_waiter_interrupt - end the sleep on a waiter, or the next one
 *
 * @w: the waiter
 *
 * Not lost if nobody sleeps: it stays pending until a sleep returns -ECANCELED for it, or hpt_waiter_clear(). Two
 * before that are one. What the caller wrote before is seen by the sleeper that it ends.
 *
 * Return: 0
 *         -EINVAL  @w is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: an atomic addition; a system call if the sleeper is in the kernel.
 * Since:  0.1
 */
HPT_API int hpt_waiter_interrupt(hpt_waiter *w);

/**
 * hpt_waiter_clear - forget an interrupt that is pending
 *
 * @w: the waiter
 *
 * Return: 0, pending or not
 *         -EINVAL  @w is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a compare-and-swap.
 * Since:  0.1
 */
HPT_API int hpt_waiter_clear(hpt_waiter *w);

/**
 * hpt_waiter_remaining - what the latest sleep on a waiter had left when it ended
 *
 * @w: the waiter
 *
 * Return: ticks, as of its latest read; 0 if it ended otherwise than by -ECANCELED or -EINTR, or there was none
 *         -EINVAL  @w is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a load.
 * Since:  0.1
 */
HPT_API int64_t hpt_waiter_remaining(hpt_waiter *w);

/**
 * hpt_waiter_set_policy - how sleeps on this waiter weigh CPU time against lateness
 *
 * @w:           the waiter
 * @policy:      HPT_SLEEP_; until this is called the process's is used
 * @max_spin_ns: as in hpt_sleep_set_policy()
 * @flags:       0 or HPT_WAIT_EINTR
 *
 * Return: 0
 *         -EINVAL  @w is NULL, @policy or @flags is none of the constants, or @max_spin_ns is negative
 *
 * Safety: leaf; not while another thread sleeps on @w or calls this; AS-Safe. Cost: a few stores.
 * Since:  0.1
 */
HPT_API int hpt_waiter_set_policy(hpt_waiter *w, uint32_t policy, int64_t max_spin_ns, uint32_t flags);

/* ---- Gate: many sleepers, woken at once -------------------------------------------------------- */

/**
 * hpt_gate_new - an object that any number of threads may sleep on
 *
 * @clk: the clock, or NULL for the default of now; not to be closed before the gate is freed
 * @ret: the new gate, open; untouched on failure. Give it back with hpt_gate_free().
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  0.1
 */
HPT_API int hpt_gate_new(hpt_clock *clk, hpt_gate **ret);

/**
 * hpt_gate_free - give a gate back
 *
 * @g: NULL is left alone. Nobody may sleep on it or wake it any more.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free().
 * Since:  0.1
 */
HPT_API void hpt_gate_free(hpt_gate *g);

/**
 * hpt_gate_sleep_until - sleep until a time of the gate's clock, or until woken
 *
 * @g:        the gate
 * @deadline: in ticks; as in hpt_sleep_until(). INT64_MAX: until woken
 *
 * Return: sleep results, or
 *         -ECANCELED hpt_gate_interrupt_all() was called since the call began (or the gate closed and opened again)
 *         -ESHUTDOWN the gate is closed
 *         -EINVAL  @g is NULL
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_gate_sleep_until(hpt_gate *g, hpt_time_t deadline);

/**
 * hpt_gate_interrupt_all - wake all who sleep on a gate now
 *
 * @g: the gate
 *
 * Later sleepers are not concerned: nothing stays pending.
 *
 * Return: 0
 *         -EINVAL  @g is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: an atomic addition; a system call if somebody is in the kernel.
 * Since:  0.1
 */
HPT_API int hpt_gate_interrupt_all(hpt_gate *g);

/**
 * hpt_gate_close - wake all who sleep on a gate, and let nobody sleep on it
 *
 * @g: the gate; may be closed already
 *
 * Return: 0
 *         -EINVAL  @g is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: as hpt_gate_interrupt_all().
 * Since:  0.1
 */
HPT_API int hpt_gate_close(hpt_gate *g);

/**
 * hpt_gate_open - let sleep on a gate again
 *
 * @g: the gate; may be open already
 *
 * Return: 0
 *         -EINVAL  @g is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: an atomic operation.
 * Since:  0.1
 */
HPT_API int hpt_gate_open(hpt_gate *g);

/* ---- Ticker: a period ---------------------------------------------------------------------------- */

/**
 * hpt_ticker_new - a period that does not drift
 *
 * @clk:       the clock, or NULL for the default of now; not to be closed before the ticker is freed
 * @period_ns: nanoseconds from tick to tick, 1 at least
 * @ret:       the new ticker; untouched on failure. Give it back with hpt_ticker_free().
 *
 * Tick n is n periods after this call, on the line of hpt_now_ns(), however late each is taken.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @period_ns is 0 or negative
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  0.1
 */
HPT_API int hpt_ticker_new(hpt_clock *clk, int64_t period_ns, hpt_ticker **ret);

/**
 * hpt_ticker_free - give a ticker back, and close its descriptor
 *
 * @t: NULL is left alone. Nobody may wait for it any more.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), and close(2) if hpt_ticker_fd() made a descriptor.
 * Since:  0.1
 */
HPT_API void hpt_ticker_free(hpt_ticker *t);

/**
 * hpt_ticker_wait - wait for the next tick
 *
 * @t:          the ticker
 * @ret_missed: how many ticks went by unseen, or NULL. HPT_TICKER_SKIP: since the one that the call before
 *              ended on. HPT_TICKER_CATCH_UP: how many more are due already. Untouched on failure.
 *
 * If a tick is due already it returns at once. A tick not reached because of -ECANCELED is the next one still.
 *
 * Return: sleep results, or
 *         -ECANCELED hpt_ticker_interrupt() was called
 *         -EBUSY   another thread waits for @t
 *         -EINVAL  @t is NULL
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_ticker_wait(hpt_ticker *t, uint64_t *ret_missed);

/**
 * hpt_ticker_interrupt - end a wait for the ticker, or the next one
 *
 * @t: the ticker
 *
 * Return: as hpt_waiter_interrupt()
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: as hpt_waiter_interrupt().
 * Since:  0.1
 */
HPT_API int hpt_ticker_interrupt(hpt_ticker *t);

/**
 * hpt_ticker_set_policy - what happens to ticks that went by
 *
 * @t:      the ticker
 * @policy: HPT_TICKER_SKIP, as it is made, or HPT_TICKER_CATCH_UP
 *
 * Return: 0
 *         -EINVAL  @t is NULL, or @policy is none of the constants
 *
 * Safety: leaf; not while another thread waits for @t; AS-Safe. Cost: a store.
 * Since:  0.1
 */
HPT_API int hpt_ticker_set_policy(hpt_ticker *t, uint32_t policy);

/**
 * hpt_ticker_fd - a descriptor for event loops, readable a margin before each tick
 *
 * @t: the ticker
 *
 * When poll(2) and the like say that it is readable, call hpt_ticker_wait(), which ends on the tick and arms
 * it for the next one. It need not be read. The ticker owns it.
 *
 * Return: the descriptor, the same each time
 *         -EINVAL  @t is NULL
 *         other    errno of timerfd_create(2): -EMFILE, -ENFILE, -ENOMEM, ...
 *
 * Safety: not while another thread waits for @t or calls this; AS-Safe. Cost: two system calls the first time; then
 *         each hpt_ticker_wait() makes one more.
 * Since:  0.1
 */
HPT_API int hpt_ticker_fd(hpt_ticker *t);

/* ---- On request ----------------------------------------------------------------------------------- */

/**
 * hpt_thread_prepare - ask the scheduler to run this thread sooner when it wakes, and for shorter turns
 *
 * Gives the calling thread a time slice of 0.1 ms (Linux 6.12 and later), by which it may take a CPU from threads
 * with longer ones as it wakes. It keeps its class and nice value. What it costs: more switches where CPUs are shared.
 *
 * Return: 0
 *         -ENOTSUP this kernel, or the thread's scheduling class, has no such slices
 *         other    errno of sched_setattr(2), as -EPERM or -ENOSYS from a sandbox
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: three system calls.
 * Since:  0.1
 */
HPT_API int hpt_thread_prepare(void);

/**
 * hpt_low_latency_open - keep all CPUs of this machine from deep sleep, as long as the descriptor is open
 *
 * Holds a request of 0 us in /dev/cpu_dma_latency. All CPUs then idle at full power, whoever they belong to: the kernel
 * wakes threads sooner, and the machine draws more and may run slower where it is short of power or cooling.
 *
 * Return: a descriptor (close-on-exec); close(2) ends the request
 *         -EACCES, -ENOENT, ...  errno of open(2) or write(2)
 *
 * Safety: blocking; MT-Safe, AS-Safe; a cancellation point. Cost: two system calls.
 * Since:  0.1
 */
HPT_API int hpt_low_latency_open(void);

#ifdef __cplusplus
}
#endif

#endif
