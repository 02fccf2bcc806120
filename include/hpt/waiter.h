/* SPDX-License-Identifier: MIT */
/*
 * waiter.h - sleeps that can be interrupted: waiters and gates; part of hpt.h. clock.h has the rules of all functions,
 * and sleep.h has "sleep results", "sleep safety" and "sleep cost".
 */
#ifndef LIBHPT_WAITER_H
#define LIBHPT_WAITER_H

#include <hpt/sleep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/*
 * Flags of waiters, gates and tickers. With HPT_WAIT_EINTR a policy of HPT_SLEEP_SPIN spins for the last millisecond at
 * most, because only a wait in the kernel notices a signal handler.
 */
enum {
	HPT_WAIT_EINTR = 1 /* a signal handler that runs while the sleep is in the kernel ends it: -EINTR */
};

/*
 * Objects. Each holds its clock, as hpt_clock_ref() does. Any thread may call their functions at any time. The one
 * exception is the function that frees: other calls must have returned before, and none may follow. After fork(2) the
 * child's objects are its own, no thread sleeps on them, and pending interrupts stay. The first object of a process
 * makes three system calls, by which the library will notice a fork; hpt_sleep(7) names them.
 */
typedef struct hpt_waiter hpt_waiter; /* one thread sleeps, and any thread may interrupt it */
typedef struct hpt_gate   hpt_gate;   /* many threads wait, and all wake at once */

/* ---- Waiter: one sleeper ------------------------------------------------------------------------------- */

/**
 * hpt_waiter_new - an object that one thread at a time sleeps on
 *
 * @clk:   the clock, or NULL for the default
 * @flags: 0 or HPT_WAIT_EINTR
 * @ret:   the new waiter; untouched on failure. hpt_waiter_free() gives it back.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @flags has an unknown bit
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_waiter_new(hpt_clock *clk, uint32_t flags, hpt_waiter **ret);

/**
 * hpt_waiter_free - give a waiter back
 *
 * @w: the waiter. NULL is left alone.
 *
 * A thread whose sleep an interrupt ended may free the waiter at once. Where the processor has no 64-bit atomic
 * instructions it must know that hpt_waiter_interrupt() has returned.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), and hpt_clock_close().
 * Since:  1.0
 */
HPT_API void hpt_waiter_free(hpt_waiter *w);

/**
 * hpt_waiter_sleep_ns - sleep for a duration, or until interrupted
 *
 * @w:  the waiter
 * @ns: nanoseconds, as in hpt_sleep_ns(). INT64_MAX: until interrupted
 *
 * A pending interrupt ends the sleep at once, even if @ns is not positive.
 *
 * Return: sleep results, or
 *         -ECANCELED hpt_waiter_interrupt() was called, and that interrupt is no longer pending;
 *                  hpt_waiter_remaining_ns() has the rest
 *         -EINTR   a signal handler ran while the sleep was in the kernel, and the waiter has HPT_WAIT_EINTR
 *         -EBUSY   another thread sleeps on @w, or the call is in a handler of a signal that came during a sleep on @w
 *         -EINVAL  @w is NULL
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_waiter_sleep_ns(hpt_waiter *w, int64_t ns);

/**
 * hpt_waiter_sleep_until_ticks - sleep until a time of the waiter's clock, or until interrupted
 *
 * @w:        the waiter
 * @deadline: in ticks, as in hpt_sleep_until_ticks(). INT64_MAX: until interrupted
 *
 * Return: as hpt_waiter_sleep_ns()
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_waiter_sleep_until_ticks(hpt_waiter *w, hpt_time_t deadline);

/**
 * hpt_waiter_sleep_until_ns - sleep until a time on hpt_now_ns()'s timeline, or until interrupted
 *
 * @w:  the waiter
 * @ns: nanoseconds, as hpt_now_ns() of the waiter's clock counts
 *
 * Return: as hpt_waiter_sleep_ns()
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_waiter_sleep_until_ns(hpt_waiter *w, int64_t ns);

/**
 * hpt_waiter_sleep_until_unix_ns - sleep until a Unix time, or until interrupted
 *
 * @w:       the waiter
 * @unix_ns: nanoseconds since 1970, as in hpt_sleep_until_unix_ns()
 *
 * Return: as hpt_waiter_sleep_ns()
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_waiter_sleep_until_unix_ns(hpt_waiter *w, int64_t unix_ns);

/**
 * hpt_waiter_interrupt - end the sleep on a waiter, or the next one
 *
 * @w: the waiter
 *
 * The interrupt stays pending until a sleep returns -ECANCELED for it, or hpt_waiter_clear() removes it. Several
 * interrupts before that count as one. The sleeper that it ends sees all memory writes that the caller made before.
 *
 * Return: 0
 *         -EINVAL  @w is NULL
 *
 * Safety: leaf. Cost: two atomic additions, and a system call if the sleeper is in the kernel, or hpt_waiter_fd() has
 * made a descriptor.
 * Since:  1.0
 */
HPT_API int hpt_waiter_interrupt(hpt_waiter *w);

/**
 * hpt_waiter_clear - remove a pending interrupt
 *
 * @w: the waiter
 *
 * Return: 0, pending or not
 *         -EINVAL  @w is NULL
 *
 * Safety: leaf. Cost: a compare-and-swap; a system call if there was one and hpt_waiter_fd() has made a descriptor.
 * Since:  1.0
 */
HPT_API int hpt_waiter_clear(hpt_waiter *w);

/**
 * hpt_waiter_remaining_ns - the time that was left when the latest sleep on a waiter ended
 *
 * @w:   the waiter
 * @ret: nanoseconds, by the sleep's last read of the counter; 0 if the sleep did not end with -ECANCELED or -EINTR, or
 *       by an event or an error (wait.h), or there was none; INT64_MAX if it had no deadline. Untouched on failure.
 *
 * After hpt_wall_wait_after_on() it is what was left of the time-out.
 *
 * Return: 0
 *         -EINVAL  @w or @ret is NULL
 *
 * Safety: conversion. Cost: a load and a multiplication.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_waiter_remaining_ns(hpt_waiter *w, int64_t *ret);

/**
 * hpt_waiter_set_policy - the policy of sleeps on a waiter
 *
 * @w:           the waiter
 * @policy:      HPT_SLEEP_; a new waiter has INHERIT
 * @max_spin_ns: as in hpt_sleep_set_policy(); 0 for INHERIT
 *
 * Affects later sleeps.
 *
 * Return: 0
 *         -EINVAL  @w is NULL, @policy is not one of the constants, or @max_spin_ns is negative or, for INHERIT, not 0
 *
 * Safety: leaf. Cost: as hpt_sleep_set_policy().
 * Since:  1.0
 */
HPT_API int hpt_waiter_set_policy(hpt_waiter *w, uint32_t policy, int64_t max_spin_ns);

/**
 * hpt_waiter_clock - the clock of a waiter
 *
 * @w: the waiter
 *
 * Return: the clock, valid as long as the waiter; NULL if @w is NULL
 *
 * Safety: leaf. Cost: a load.
 * Since:  1.0
 */
HPT_API hpt_clock *hpt_waiter_clock(hpt_waiter *w);

/* ---- Gate: many waiters -------------------------------------------------------------------------------- */

/**
 * hpt_gate_new - an object that any number of threads wait on
 *
 * @clk:   the clock, or NULL for the default
 * @flags: 0 or HPT_WAIT_EINTR
 * @ret:   the new gate, open; untouched on failure. hpt_gate_free() gives it back.
 *
 * A gate answers as a condition variable does, and needs no mutex.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @flags has an unknown bit
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_gate_new(hpt_clock *clk, uint32_t flags, hpt_gate **ret);

/**
 * hpt_gate_free - give a gate back
 *
 * @g: the gate. NULL is left alone.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), and hpt_clock_close().
 * Since:  1.0
 */
HPT_API void hpt_gate_free(hpt_gate *g);

/**
 * hpt_gate_ticket - a ticket for the next wait on a gate
 *
 * @g: the gate
 *
 * Take the ticket first, then check the condition that you wait for, then wait with the ticket. If another thread
 * changes the condition and calls hpt_gate_notify_all() after the ticket was taken, the wait returns at once, so no
 * wake-up is lost. After 2^31 - 1 calls of hpt_gate_notify_all() the same ticket comes again.
 *
 * Return: the ticket, never 0; 0 if @g is NULL
 *
 * Safety: leaf. Cost: a load.
 * Since:  1.0
 */
HPT_API uint32_t hpt_gate_ticket(hpt_gate *g);

/**
 * hpt_gate_wait_until_ns - wait until notified, or until a time on hpt_now_ns()'s timeline
 *
 * @g:      the gate
 * @ticket: from hpt_gate_ticket(), taken before the caller checked its condition
 * @ns:     nanoseconds, as hpt_now_ns() of the gate's clock counts. INT64_MAX: no deadline. Past: one look
 *
 * Checks for a shut gate first, then for an old ticket, then for a past deadline. A suspend, a jump of the counter or a
 * step of the wall clock does not end the wait. Where the counter stands still, or the kernel has left it,
 * CLOCK_MONOTONIC decides. With HPT_SLEEP_NOSPIN the wait is not early either, whatever max_spin_ns is.
 *
 * Return: 0        hpt_gate_notify_all() was called after the ticket was taken, or the gate was shut and reopened
 *         -ETIMEDOUT a read of the timeline after the wait is at or after @ns
 *         -ESHUTDOWN the gate is shut
 *         -EINTR   a signal handler ran while the wait was in the kernel, and the gate has HPT_WAIT_EINTR; the ticket
 *                  stays valid
 *         -EINVAL  @g is NULL, or @ticket is 0, which no ticket is
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_gate_wait_until_ns(hpt_gate *g, uint32_t ticket, int64_t ns);

/**
 * hpt_gate_wait_until_ticks - wait until notified, or until a time of the gate's clock
 *
 * @g:        the gate
 * @ticket:   as in hpt_gate_wait_until_ns()
 * @deadline: in ticks, as hpt_now() of the gate's clock counts. INT64_MAX: no deadline. Past: one look
 *
 * Return: as hpt_gate_wait_until_ns()
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_gate_wait_until_ticks(hpt_gate *g, uint32_t ticket, hpt_time_t deadline);

/**
 * hpt_gate_notify_all - wake all threads that wait on a gate, and those that hold a ticket
 *
 * @g: the gate
 *
 * A wait with a later ticket is not affected: nothing stays pending. The threads that it wakes see all memory writes
 * that the caller made before.
 *
 * Return: 0
 *         -EINVAL  @g is NULL
 *
 * Safety: leaf. Cost: a compare-and-swap, and a system call if a thread waits in the kernel.
 * Since:  1.0
 */
HPT_API int hpt_gate_notify_all(hpt_gate *g);

/**
 * hpt_gate_shut - wake all threads that wait on a gate, and refuse later waits
 *
 * @g: the gate; may be shut already
 *
 * Return: 0
 *         -EINVAL  @g is NULL
 *
 * Safety: leaf. Cost: as hpt_gate_notify_all().
 * Since:  1.0
 */
HPT_API int hpt_gate_shut(hpt_gate *g);

/**
 * hpt_gate_reopen - allow waits on a shut gate again
 *
 * @g: the gate; may be open already
 *
 * Return: 0
 *         -EINVAL  @g is NULL
 *
 * Safety: leaf. Cost: an atomic operation.
 * Since:  1.0
 */
HPT_API int hpt_gate_reopen(hpt_gate *g);

/**
 * hpt_gate_set_policy - the policy of waits on a gate
 *
 * @g:           the gate
 * @policy:      as in hpt_waiter_set_policy()
 * @max_spin_ns: as in hpt_waiter_set_policy()
 *
 * Return: as hpt_waiter_set_policy()
 *
 * Safety: leaf. Cost: as hpt_sleep_set_policy().
 * Since:  1.0
 */
HPT_API int hpt_gate_set_policy(hpt_gate *g, uint32_t policy, int64_t max_spin_ns);

/**
 * hpt_gate_clock - the clock of a gate
 *
 * @g: the gate
 *
 * Return: the clock, valid as long as the gate; NULL if @g is NULL
 *
 * Safety: leaf. Cost: a load.
 * Since:  1.0
 */
HPT_API hpt_clock *hpt_gate_clock(hpt_gate *g);

#ifdef __cplusplus
}
#endif

#endif
