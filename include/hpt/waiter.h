/* SPDX-License-Identifier: MIT */
/* waiter.h - sleeps that can be interrupted: waiters and gates; part of hpt.h. */
#ifndef LIBHPT_WAITER_H
#define LIBHPT_WAITER_H

#include <hpt/sleep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: values are pinned for ever and never reused -------------------------------- */

/* Flags of a waiter. */
#define HPT_WAIT_EINTR 1u /* a signal handler that ran while it was in the kernel ends a sleep: -EINTR */

/*
 * Objects. Any thread may call any of their functions at any time, except the one that frees: no call may be under way
 * then, and none may follow. Each object holds its clock. After a fork(2) the child's objects are its own: no thread
 * sleeps on them, and pending interrupts stay.
 */
typedef struct hpt_waiter hpt_waiter; /* one sleeper, and who may wake it */
typedef struct hpt_gate   hpt_gate;   /* many sleepers, woken all at once */

/* ---- Waiter: a sleep that can be interrupted --------------------------------------------------- */

/**
 * hpt_waiter_new - an object to sleep on, for one thread at a time
 *
 * @clk:   the clock, or NULL for the default; the waiter holds it, as hpt_clock_ref() does
 * @flags: 0 or HPT_WAIT_EINTR
 * @ret:   the new waiter; untouched on failure. Give it back with hpt_waiter_free().
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @flags is none of the constants
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_waiter_new(hpt_clock *clk, uint32_t flags, hpt_waiter **ret);

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
 * hpt_waiter_sleep_until_ns - sleep until a time on hpt_now_ns()'s timeline, or until interrupted
 *
 * @w:  the waiter
 * @ns: nanoseconds, as hpt_now_ns() of the waiter's clock returns
 *
 * Return: as hpt_waiter_sleep_ns()
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_waiter_sleep_until_ns(hpt_waiter *w, int64_t ns);

/**
 * hpt_waiter_sleep_until_unix_ns - sleep until a time of the system's clock, or until interrupted
 *
 * @w:       the waiter
 * @unix_ns: nanoseconds since 1970; as in hpt_sleep_until_unix_ns()
 *
 * Return: as hpt_waiter_sleep_ns()
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_waiter_sleep_until_unix_ns(hpt_waiter *w, int64_t unix_ns);

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
 * @policy:      HPT_SLEEP_; INHERIT, as a waiter is made: the process's
 * @max_spin_ns: as in hpt_sleep_set_policy(); 0 with INHERIT
 *
 * A sleep under way goes on as it is.
 *
 * Return: 0
 *         -EINVAL  @w is NULL, @policy is none of the constants, or @max_spin_ns is negative or, with INHERIT, not 0
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: as hpt_sleep_set_policy().
 * Since:  0.1
 */
HPT_API int hpt_waiter_set_policy(hpt_waiter *w, uint32_t policy, int64_t max_spin_ns);

/**
 * hpt_waiter_clock - the clock that a waiter sleeps by
 *
 * @w: the waiter
 *
 * Return: the clock, valid as long as the waiter; NULL if @w is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a load.
 * Since:  0.1
 */
HPT_API hpt_clock *hpt_waiter_clock(hpt_waiter *w);

/* ---- Gate: many sleepers, woken at once -------------------------------------------------------- */

/**
 * hpt_gate_new - an object that any number of threads may sleep on
 *
 * @clk:   the clock, or NULL for the default; the gate holds it, as hpt_clock_ref() does
 * @flags: 0 or HPT_WAIT_EINTR
 * @ret:   the new gate, open; untouched on failure. Give it back with hpt_gate_free().
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @flags is none of the constants
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_gate_new(hpt_clock *clk, uint32_t flags, hpt_gate **ret);

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
 * hpt_gate_ticket - a ticket for the next sleep on a gate
 *
 * @g: the gate
 *
 * Call it before you look at the condition that the sleep waits for: a change of the condition and an
 * hpt_gate_interrupt_all() after the ticket then end the sleep at once, so that no wake-up is lost. 2^31 calls of
 * hpt_gate_interrupt_all() bring the same ticket again.
 *
 * Return: the ticket; 0 if @g is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a load.
 * Since:  0.1
 */
HPT_API uint32_t hpt_gate_ticket(hpt_gate *g);

/**
 * hpt_gate_sleep_until - sleep until a time of the gate's clock, or until woken
 *
 * @g:        the gate
 * @ticket:   of hpt_gate_ticket(), called before the caller looked at its condition
 * @deadline: in ticks; as in hpt_sleep_until(). INT64_MAX: until woken
 *
 * Return: sleep results, or
 *         -ECANCELED hpt_gate_interrupt_all() was called since the ticket (or the gate closed and opened again); also
 *                  where @deadline is past
 *         -ESHUTDOWN the gate is closed
 *         -EINTR   a signal handler ran, and HPT_WAIT_EINTR is set; the ticket is still valid
 *         -EINVAL  @g is NULL
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.1
 */
HPT_API_READ int hpt_gate_sleep_until(hpt_gate *g, uint32_t ticket, hpt_time_t deadline);

/**
 * hpt_gate_interrupt_all - wake all threads that sleep on a gate, and those that have a ticket
 *
 * @g: the gate
 *
 * A sleep with a later ticket is not concerned: nothing stays pending.
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

/**
 * hpt_gate_set_policy - how sleeps on this gate weigh CPU time against lateness
 *
 * @g:           the gate
 * @policy:      as in hpt_waiter_set_policy()
 * @max_spin_ns: as in hpt_waiter_set_policy()
 *
 * Return: as hpt_waiter_set_policy()
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: as hpt_sleep_set_policy().
 * Since:  0.1
 */
HPT_API int hpt_gate_set_policy(hpt_gate *g, uint32_t policy, int64_t max_spin_ns);

/**
 * hpt_gate_clock - the clock that sleeps on a gate go by
 *
 * @g: the gate
 *
 * Return: the clock, valid as long as the gate; NULL if @g is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a load.
 * Since:  0.1
 */
HPT_API hpt_clock *hpt_gate_clock(hpt_gate *g);

#ifdef __cplusplus
}
#endif

#endif
