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

typedef struct hpt_ticker hpt_ticker; /* a period */

/* ---- Ticker: a period ---------------------------------------------------------------------------- */

/**
 * hpt_ticker_new - a period that does not drift
 *
 * @clk:       the clock, or NULL for the default of now; not to be closed before the ticker is freed
 * @period_ns: nanoseconds from tick to tick, 1 at least
 * @flags:     0 or HPT_WAIT_EINTR
 * @ret:       the new ticker; untouched on failure. Give it back with hpt_ticker_free().
 *
 * Tick n is n periods after this call, on the line of hpt_now_ns(), however late each is taken.
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

#ifdef __cplusplus
}
#endif

#endif
