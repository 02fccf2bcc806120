/* SPDX-License-Identifier: MIT */
/*
 * ticker.h - periods that do not drift; part of hpt.h. clock.h has the rules of all functions, and sleep.h has "sleep
 * results", "sleep safety" and "sleep cost".
 */
#ifndef LIBHPT_TICKER_H
#define LIBHPT_TICKER_H

#include <hpt/waiter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/*
 * What a ticker does with missed ticks. A wait that slept returns the tick that it slept for, however late it wakes.
 * With SKIP further ticks that came by then are missed ticks of the next wait.
 */
enum {
	HPT_TICKER_SKIP     = 0, /* counts them, and goes on with the latest */
	HPT_TICKER_CATCH_UP = 1, /* returns each of them at once */
	HPT_TICKER_DELAY    = 2 /* drops them, and moves the grid: the next tick comes a period after the late one */
};

/*
 * A period, with the properties of the objects in waiter.h: one thread waits at a time. The child of a fork(2) has no
 * descriptor for its ticker until it calls hpt_ticker_fd(). The parent's descriptor stays open in the child, and the
 * child's ticker does not use it.
 */
typedef struct hpt_ticker hpt_ticker;

/* What a ticker has done since it was made. New members are added at the end. */
struct hpt_ticker_info {
	uint32_t size;           /* bytes filled in */
	uint32_t policy;         /* HPT_SLEEP_: its own, or INHERIT */
	uint64_t ticks;          /* ticks that hpt_ticker_wait() returned */
	uint64_t missed;         /* ticks that it skipped or dropped */
	int64_t  late_median_ns; /* half of the returned ticks were no later than this ... */
	int64_t  late_p99_ns;    /* ... and 99 of 100 no later than this; each may be too large by an eighth */
	int64_t  late_max_ns;    /* the greatest lateness. Waits that returned a state do not count here. */
};
enum { HPT_TICKER_INFO_SIZE_V0 = 48 };

/* ---- Make and start ------------------------------------------------------------------------------------ */

/**
 * hpt_ticker_new - a period that begins now
 *
 * @clk:       the clock, or NULL for the default
 * @period_ns: nanoseconds from tick to tick; 0: made, but not started; INT64_MAX: for ever
 * @flags:     0 or HPT_WAIT_EINTR
 * @ret:       the new ticker; untouched on failure. hpt_ticker_free() gives it back.
 *
 * Tick n comes n periods after this call on the timeline of hpt_now_ns(), however late the ticks before it were taken.
 * In a new generation of the clock the ticks keep their times by the clock that did not move: by the counter after
 * HPT_STATE_REANCHORED, and by CLOCK_MONOTONIC otherwise, or if the counter began again.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @period_ns is negative, or @flags has an unknown bit
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_ticker_new(hpt_clock *clk, int64_t period_ns, uint32_t flags, hpt_ticker **ret);

/**
 * hpt_ticker_free - give a ticker back, and close its descriptor
 *
 * @t: the ticker. NULL is left alone.
 *
 * All other calls on @t must have returned. If the ticker has a descriptor, that includes the hpt_ticker_interrupt()
 * that ended a wait.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), hpt_clock_close(), and close(2) if there is a descriptor.
 * Since:  1.0
 */
HPT_API void hpt_ticker_free(hpt_ticker *t);

/**
 * hpt_ticker_start - set another phase or period, or a single tick
 *
 * @t:         the ticker
 * @first_ns:  the time of the first tick in nanoseconds, as hpt_now_ns() of the ticker's clock counts
 * @period_ns: nanoseconds from tick to tick; 0: the first tick is the only one
 *
 * If @first_ns is past, a tick is due at once: the latest one that is past with HPT_TICKER_SKIP, the first one
 * otherwise. A pending interrupt stays pending, and hpt_ticker_get_info() goes on counting.
 *
 * Return: 0
 *         -EBUSY   another thread waits for @t or starts it
 *         -EINVAL  @t is NULL, or @period_ns is negative
 *
 * Safety: conversion. Cost: about twice hpt_now_ns(); with a descriptor also a system call.
 * Since:  1.0
 */
HPT_API int hpt_ticker_start(hpt_ticker *t, int64_t first_ns, int64_t period_ns);

/**
 * hpt_ticker_start_rational - set a period that is not a whole number of nanoseconds, without drift
 *
 * @t:        the ticker
 * @first_ns: as in hpt_ticker_start()
 * @num:      tick n comes n * @num / @den seconds after the first, rounded up to a nanosecond: 1001/60000, 1/44100
 * @den:      see @num
 *
 * Return: as hpt_ticker_start(), and
 *         -EINVAL  @num or @den is 0
 *
 * Safety: conversion. Cost: as hpt_ticker_start().
 * Since:  1.0
 */
HPT_API int hpt_ticker_start_rational(hpt_ticker *t, int64_t first_ns, uint32_t num, uint32_t den);

/**
 * hpt_ticker_set_missed - what happens to missed ticks
 *
 * @t:      the ticker
 * @missed: HPT_TICKER_SKIP, which a new ticker has, CATCH_UP or DELAY
 * @most:   for CATCH_UP: return at most this many missed ticks at once, the latest ones. Older ones are dropped and
 *          counted. 0: no limit. For DELAY: 0
 *
 * With DELAY a tick that is returned late by a whole period or more starts the grid there: the next one comes a period
 * after that return, and n of hpt_ticker_start_rational() counts from it.
 *
 * Return: 0
 *         -EINVAL  @t is NULL, @missed is not one of the constants, or @missed is DELAY and @most is not 0
 *
 * Safety: leaf. Cost: a store.
 * Since:  1.0
 */
HPT_API int hpt_ticker_set_missed(hpt_ticker *t, uint32_t missed, uint64_t most);

/**
 * hpt_ticker_set_policy - the policy of waits for a ticker
 *
 * @t:           the ticker
 * @policy:      as in hpt_waiter_set_policy()
 * @max_spin_ns: as in hpt_waiter_set_policy()
 *
 * Return: as hpt_waiter_set_policy()
 *
 * Safety: leaf. Cost: as hpt_sleep_set_policy().
 * Since:  1.0
 */
HPT_API int hpt_ticker_set_policy(hpt_ticker *t, uint32_t policy, int64_t max_spin_ns);

/* ---- Wait ---------------------------------------------------------------------------------------------- */

/**
 * hpt_ticker_wait - wait for the next tick
 *
 * @t:          the ticker
 * @ret_missed: the number of missed ticks, or NULL; untouched on failure. SKIP: those since the tick that the previous
 *              call returned. CATCH_UP: those that were due besides this one, to come at once or dropped. DELAY: by
 *              how many whole periods this one is late.
 *
 * Returns at once if a tick is due. After -ECANCELED and -EINTR the next tick is the same as before.
 *
 * Return: sleep results, or
 *         -ECANCELED hpt_ticker_interrupt() was called
 *         -ENODATA the ticker is not started, or its single tick has been returned
 *         -EINTR   a signal handler ran while the wait was in the kernel, and the ticker has HPT_WAIT_EINTR
 *         -EBUSY   another thread waits for @t or starts it
 *         -EINVAL  @t is NULL
 *
 * Safety: sleep safety. Cost: sleep cost; with a descriptor also a system call.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_ticker_wait(hpt_ticker *t, uint64_t *ret_missed);

/**
 * hpt_ticker_interrupt - end the wait for a ticker, or the next one
 *
 * @t: the ticker
 *
 * The interrupt stays pending as that of hpt_waiter_interrupt() does. Until a wait returns -ECANCELED for it, the
 * descriptor of the ticker is readable.
 *
 * Return: 0
 *         -EINVAL  @t is NULL
 *
 * Safety: leaf. Cost: as hpt_waiter_interrupt(); with a descriptor also a system call.
 * Since:  1.0
 */
HPT_API int hpt_ticker_interrupt(hpt_ticker *t);

/**
 * hpt_ticker_fd - a descriptor for event loops, readable a margin before each tick
 *
 * @t: the ticker
 *
 * When poll(2) or the like reports the descriptor readable, call hpt_ticker_wait(). It ends on the tick, or on an
 * interrupt, and arms the descriptor for the next tick. The descriptor need not be read, and EPOLLET works. The ticker
 * owns it and closes it. The margin is learned, up to 1 ms or the longest spin of the ticker's policy, if that is
 * shorter: a loop that may be held up for at most 50 us sets HPT_SLEEP_SPIN with 50000, before it asks for the
 * descriptor. That gives up the learned margin: where the kernel wakes the loop later, the tick is late.
 *
 * Return: the descriptor, the same in each call and thread; a forked child gets another one
 *         -EINVAL  @t is NULL
 *         -ENOTSUP the ticker's clock is a manual one
 *         other    errno of timerfd_create(2): -EMFILE, -ENFILE, -ENOMEM, ...
 *
 * Safety: MT-Safe, AS-Safe. Cost: two system calls the first time; then each hpt_ticker_wait() makes one more.
 * Since:  1.0
 */
HPT_API int hpt_ticker_fd(hpt_ticker *t);

/* ---- Facts --------------------------------------------------------------------------------------------- */

/**
 * hpt_ticker_next_ns - the time of the next tick
 *
 * @t:   the ticker
 * @ret: nanoseconds on the timeline of hpt_now_ns(); INT64_MAX if it does not fit. Untouched on failure.
 *
 * Return: 0
 *         -ENODATA the ticker is not started, or its single tick has been returned
 *         -EBUSY   a thread waits for @t or starts it, and a new generation of the clock has begun meanwhile
 *         -EINVAL  @t or @ret is NULL
 *
 * Safety: conversion. Cost: about twice hpt_now_ns().
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_ticker_next_ns(hpt_ticker *t, int64_t *ret);

/**
 * hpt_ticker_get_info - how many ticks a ticker has had, and how late they were
 *
 * @t:    the ticker
 * @ret:  the facts; untouched on failure
 * @size: sizeof(*ret), at least HPT_TICKER_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  @t or @ret is NULL, or @size is too small
 *
 * Safety: leaf. Cost: about 0.3 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_ticker_get_info(hpt_ticker *t, struct hpt_ticker_info *ret, size_t size);

/**
 * hpt_ticker_clock - the clock of a ticker
 *
 * @t: the ticker
 *
 * Return: the clock, valid as long as the ticker; NULL if @t is NULL
 *
 * Safety: leaf. Cost: a load.
 * Since:  1.0
 */
HPT_API hpt_clock *hpt_ticker_clock(hpt_ticker *t);

#ifdef __cplusplus
}
#endif

#endif
