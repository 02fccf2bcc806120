/* SPDX-License-Identifier: MIT */
/* ticker.h - periods; part of hpt.h. */
#ifndef LIBHPT_TICKER_H
#define LIBHPT_TICKER_H

#include <hpt/waiter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: values are pinned for ever and never reused -------------------------------- */

/* What a ticker does with ticks that went by while nobody waited. */
#define HPT_TICKER_SKIP     0u /* counts them, and goes on with the latest */
#define HPT_TICKER_CATCH_UP 1u /* gives each of them at once */

/*
 * A period. Any thread may call any of its functions at any time, but one thread waits at a time, and hpt_ticker_free()
 * is the last call: none may be under way. After a fork(2) the child's ticker is its own: nobody waits for it, it has
 * no descriptor until hpt_ticker_fd() makes one, and a pending interrupt stays. (The number of the parent's descriptor
 * stays open in the child, and is not used.) A thread that is cancelled asynchronously in a wait, or a handler that
 * jumps out of one, leaves the ticker busy.
 */
typedef struct hpt_ticker hpt_ticker;

/* What a ticker has done since it was made. Members are only ever added at the end. */
struct hpt_ticker_info {
	uint32_t size;           /* bytes filled in */
	uint32_t policy;         /* HPT_SLEEP_: its own, or INHERIT */
	uint64_t ticks;          /* that hpt_ticker_wait() ended on */
	uint64_t missed;         /* that it passed over: skipped, or dropped */
	int64_t  late_median_ns; /* how late those waits ended: half of them no later than this, ... */
	int64_t  late_p99_ns;    /* ... 99 of 100 no later than this (both an eighth too long at most), ... */
	int64_t  late_max_ns;    /* ... and the latest; but those that ended with a state */
};
#define HPT_TICKER_INFO_SIZE_V0 48u

/* ---- Ticker: a period ---------------------------------------------------------------------------- */

/**
 * hpt_ticker_new - a period that does not drift
 *
 * @clk:       the clock, or NULL for the default; the ticker holds it, as hpt_clock_ref() does
 * @period_ns: nanoseconds from tick to tick, 1 at least
 * @flags:     0 or HPT_WAIT_EINTR
 * @ret:       the new ticker; untouched on failure. Give it back with hpt_ticker_free().
 *
 * Tick n is n periods after this call, on the timeline of hpt_now_ns(), however late each is taken. In a new generation
 * of the clock (hpt_clock_check()) the ticks keep their places by the clock that did not move: the counter after
 * HPT_STATE_REANCHORED, else CLOCK_MONOTONIC.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @period_ns is 0 or negative, or @flags is none of the constants
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_ticker_new(hpt_clock *clk, int64_t period_ns, uint32_t flags, hpt_ticker **ret);

/**
 * hpt_ticker_free - give a ticker back, and close its descriptor
 *
 * @t: NULL is left alone. No call on it may be under way: with a descriptor, hpt_ticker_interrupt() too has to have
 *     returned.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), and close(2) if hpt_ticker_fd() made a descriptor.
 * Since:  0.1
 */
HPT_API void hpt_ticker_free(hpt_ticker *t);

/**
 * hpt_ticker_start - other ticks: their first time, and their period
 *
 * @t:         the ticker
 * @first:     when the first tick is, in ticks of the clock; what is past is due at once
 * @period_ns: nanoseconds from tick to tick; 0: the first is the only one
 *
 * @first is converted to hpt_now_ns()'s timeline by this call. Of a first tick that is past, those after it that are
 * past too are missed. An interrupt that is pending stays so. What hpt_ticker_get_info() counts goes on.
 *
 * Return: 0
 *         -EBUSY   a thread waits for @t
 *         -EINVAL  @t is NULL, or @period_ns is negative
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: about twice hpt_now_ns(); with a descriptor a system call.
 * Since:  0.1
 */
HPT_API int hpt_ticker_start(hpt_ticker *t, hpt_time_t first, int64_t period_ns);

/**
 * hpt_ticker_start_rational - ticks whose period is no whole number of nanoseconds
 *
 * @t:     the ticker
 * @first: as in hpt_ticker_start()
 * @num:   tick n is n * @num / @den seconds after the first, rounded up to a nanosecond: 1001/60000, 1/44100
 * @den:   see @num
 *
 * Return: as hpt_ticker_start(), but
 *         -EINVAL  @t is NULL, or @num or @den is 0
 *
 * Safety: as hpt_ticker_start(). Cost: as hpt_ticker_start().
 * Since:  0.1
 */
HPT_API int hpt_ticker_start_rational(hpt_ticker *t, hpt_time_t first, uint32_t num, uint32_t den);

/**
 * hpt_ticker_wait - wait for the next tick
 *
 * @t:          the ticker
 * @ret_missed: how many ticks went by unseen, or NULL. HPT_TICKER_SKIP: since the one that the call before
 *              ended on. HPT_TICKER_CATCH_UP: how many more were due already: those to come at once, and those that
 *              were dropped. Untouched on failure.
 *
 * If a tick is due already it returns at once. A tick not reached because of -ECANCELED or -EINTR is the next one
 * still.
 *
 * Return: sleep results, or
 *         -ECANCELED hpt_ticker_interrupt() was called
 *         -ENODATA the single tick of hpt_ticker_start() with period 0 was taken
 *         -EINTR   a signal handler ran while it was in the kernel, and HPT_WAIT_EINTR is set
 *         -EBUSY   another thread waits for @t, or starts it
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
 * Makes the descriptor readable too, until a wait has returned -ECANCELED.
 *
 * Return: as hpt_waiter_interrupt()
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: as hpt_waiter_interrupt(); with a descriptor one system call more.
 * Since:  0.1
 */
HPT_API int hpt_ticker_interrupt(hpt_ticker *t);

/**
 * hpt_ticker_next - when the next tick is
 *
 * @t:   the ticker
 * @ret: in ticks of the clock, rounded to nearest; what the clock cannot reach is INT64_MAX. Untouched on failure.
 *
 * Return: 0
 *         -ENODATA the single tick of hpt_ticker_start() with period 0 was taken
 *         -EBUSY   a thread waits for @t, and a new generation of the clock has begun meanwhile
 *         -EINVAL  @t or @ret is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: about twice hpt_now_ns().
 * Since:  0.1
 */
HPT_API int hpt_ticker_next(hpt_ticker *t, hpt_time_t *ret);

/**
 * hpt_ticker_set_missed - what happens to ticks that went by
 *
 * @t:      the ticker
 * @missed: HPT_TICKER_SKIP, as it is made, or HPT_TICKER_CATCH_UP
 * @most:   with CATCH_UP: the most missed ticks that come at once, the latest; older ones are dropped and counted.
 *          0: no limit
 *
 * Return: 0
 *         -EINVAL  @t is NULL, or @missed is none of the constants
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a store.
 * Since:  0.1
 */
HPT_API int hpt_ticker_set_missed(hpt_ticker *t, uint32_t missed, uint64_t most);

/**
 * hpt_ticker_set_policy - how waits for this ticker weigh CPU time against lateness
 *
 * @t:           the ticker
 * @policy:      as in hpt_waiter_set_policy()
 * @max_spin_ns: as in hpt_waiter_set_policy()
 *
 * Return: as hpt_waiter_set_policy()
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: as hpt_sleep_set_policy().
 * Since:  0.1
 */
HPT_API int hpt_ticker_set_policy(hpt_ticker *t, uint32_t policy, int64_t max_spin_ns);

/**
 * hpt_ticker_clock - the clock that a ticker goes by
 *
 * @t: the ticker
 *
 * Return: the clock, valid as long as the ticker; NULL if @t is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a load.
 * Since:  0.1
 */
HPT_API hpt_clock *hpt_ticker_clock(hpt_ticker *t);

/**
 * hpt_ticker_get_info - how many ticks a ticker has had, and how late
 *
 * @t:    the ticker
 * @ret:  filled in up to @size bytes; untouched on failure
 * @size: sizeof *ret
 *
 * Return: 0
 *         -EINVAL  @t or @ret is NULL, or @size is below HPT_TICKER_INFO_SIZE_V0
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: about 0.3 us.
 * Since:  0.1
 */
HPT_API int hpt_ticker_get_info(hpt_ticker *t, struct hpt_ticker_info *ret, size_t size);

/**
 * hpt_ticker_fd - a descriptor for event loops, readable a margin before each tick
 *
 * @t: the ticker
 *
 * When poll(2) and the like say that it is readable, call hpt_ticker_wait(), which ends on the tick, or on an
 * interrupt, and arms it for the next tick. It need not be read. The ticker owns it.
 *
 * Return: the descriptor, the same each time and in each thread; a forked child gets another
 *         -EINVAL  @t is NULL
 *         other    errno of timerfd_create(2): -EMFILE, -ENFILE, -ENOMEM, ...
 *
 * Safety: MT-Safe, AS-Safe. Cost: two system calls the first time; then each hpt_ticker_wait() makes one more.
 * Since:  0.1
 */
HPT_API int hpt_ticker_fd(hpt_ticker *t);

#ifdef __cplusplus
}
#endif

#endif
