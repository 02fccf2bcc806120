/* SPDX-License-Identifier: MIT */
/*
 * wait.h - waits for descriptors, and sleeps by the kernel's clocks, that end on time. hpt.h does not include it:
 * libhpt(3) says what young headers promise. clock.h has the rules of all functions, waiter.h the waiters, and sleep.h
 * "sleep safety" and "sleep cost".
 */
#ifndef LIBHPT_WAIT_H
#define LIBHPT_WAIT_H

#include <hpt/waiter.h>

#ifdef __cplusplus
extern "C" {
#endif

struct epoll_event; /* <sys/epoll.h> */
struct pollfd;      /* <poll.h> */

/* ---- Descriptors --------------------------------------------------------------------------------------- */

/**
 * hpt_waiter_poll_until_ns - wait for descriptors as poll(2), until a time on hpt_now_ns()'s timeline
 *
 * @w:   the waiter
 * @fds: descriptors and their events, as poll(2) has them; revents are set unless the wait fails. NULL if @n is 0
 * @n:   how many
 * @at:  nanoseconds, as hpt_now_ns() of the waiter's clock counts. INT64_MAX: no deadline. Past: one look
 *
 * Waits in the kernel until a margin before the deadline, and looks at the descriptors again and again for the rest, up
 * to the last 5 us or the time of one and a half looks. No event is lost: what comes later is for the next wait. Ends
 * at events that the kernel has, else at the deadline, never before it. A step of the wall clock, a jump of the counter
 * or a suspend does not end the wait.
 *
 * An interrupt that is pending at the call ends it. One that comes later ends it if hpt_waiter_fd() is one of the
 * descriptors; otherwise only in the last margin, or where the kernel's wait ends. Events that come with it are
 * returned, and the interrupt stays pending for the next wait.
 *
 * Return: above 0  the number of @fds that have events
 *         0        a read of the timeline after the wait is at or after @at
 *         -ECANCELED hpt_waiter_interrupt() was called, and that interrupt is no longer pending
 *         -EINTR   a signal handler ran while the wait was in the kernel, and the waiter has HPT_WAIT_EINTR
 *         -EBUSY   as hpt_waiter_sleep_ns()
 *         -EINVAL  @w is NULL; or poll(2)'s: @n exceeds RLIMIT_NOFILE
 *         other    errno of ppoll(2): -EFAULT, -ENOMEM
 *
 * Safety: sleep safety. Cost: a system call where an event is there; else sleep cost, and a look of 0.1 us or more.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_waiter_poll_until_ns(hpt_waiter *w, struct pollfd *fds, uint32_t n, int64_t at);

/**
 * hpt_waiter_epoll_until_ns - wait for the events of an epoll set, until a time on hpt_now_ns()'s timeline
 *
 * @w:      the waiter
 * @epfd:   the set, of epoll_create1(2)
 * @events: room for the events
 * @max:    of how many, at least 1
 * @at:     as in hpt_waiter_poll_until_ns()
 *
 * As hpt_waiter_poll_until_ns(), with the set in the place of the array: each event is returned once, also of EPOLLET
 * and EPOLLONESHOT.
 *
 * Return: above 0  the number of @events
 *         0, -ECANCELED, -EINTR, -EBUSY as hpt_waiter_poll_until_ns()
 *         -EINVAL  @w is NULL, or epoll_wait(2)'s: @epfd is no epoll set, or @max is 0 or too many
 *         other    errno of epoll_wait(2): -EBADF, -EFAULT
 *
 * Safety: sleep safety. Cost: as hpt_waiter_poll_until_ns(). Before Linux 5.11 two system calls more.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_waiter_epoll_until_ns(hpt_waiter *w, int epfd, struct epoll_event *events, uint32_t max,
						int64_t at);

/**
 * hpt_waiter_fd - a descriptor that is readable while an interrupt of a waiter is pending
 *
 * @w: the waiter
 *
 * Put it among the descriptors of a wait, so that hpt_waiter_interrupt() ends it. Do not read it: the interrupt is over
 * as a wait or sleep on @w returns -ECANCELED, or by hpt_waiter_clear(). The waiter owns the descriptor and closes it.
 *
 * Return: the descriptor, the same in each call and thread; a forked child gets another one
 *         -EINVAL  @w is NULL
 *         other    errno of eventfd(2): -EMFILE, -ENFILE, -ENOMEM, ...
 *
 * Safety: MT-Safe, AS-Safe. Cost: a system call the first time; then each interrupt and its end make one more.
 * Since:  1.0
 */
HPT_API int hpt_waiter_fd(hpt_waiter *w);

/* ---- Clocks of the kernel ------------------------------------------------------------------------------ */

/**
 * hpt_sleep_until_os_ns - sleep until a time of a clock of the kernel
 *
 * @clk:     the clock, or NULL for the default
 * @clockid: CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI or CLOCK_REALTIME
 * @at:      nanoseconds, as clock_gettime(2) of that clock, and hpt_now_monotonic_ns(), hpt_now_boottime_ns(),
 *           hpt_now_tai_ns() or hpt_now_unix_ns(), count; on a manual clock as hpt_now_ns(). Returns at once if past.
 *
 * Follows that clock, with its slew, and with the steps of CLOCK_REALTIME and CLOCK_TAI, as hpt_sleep_until_unix_ns()
 * follows CLOCK_REALTIME. CLOCK_MONOTONIC stands still in a suspend. CLOCK_BOOTTIME goes on: a sleep whose time comes
 * in a suspend ends within a second after it.
 *
 * Return: sleep results
 *         -EINVAL  @clockid is another clock
 *
 * Safety: sleep safety. Cost: sleep cost; by CLOCK_BOOTTIME also a wake each second.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_sleep_until_os_ns(hpt_clock *clk, int32_t clockid, int64_t at);

/**
 * hpt_waiter_sleep_until_os_ns - sleep until a time of a clock of the kernel, or until interrupted
 *
 * @w:       the waiter
 * @clockid: as in hpt_sleep_until_os_ns()
 * @at:      as in hpt_sleep_until_os_ns(). INT64_MAX: until interrupted
 *
 * Return: as hpt_waiter_sleep_ns()
 *         -EINVAL  also: @clockid is another clock
 *
 * Safety: sleep safety. Cost: as hpt_sleep_until_os_ns().
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_waiter_sleep_until_os_ns(hpt_waiter *w, int32_t clockid, int64_t at);

/* ---- Waits of the program's own ------------------------------------------------------------------------ */

/**
 * hpt_waiter_margin_ns - how long before its deadline a wait of the program's own is to end
 *
 * @w:       the waiter, for its policy
 * @left_ns: the time until the deadline
 * @ret:     nanoseconds; untouched on failure. More than @left_ns: do not wait in the kernel at all. 0 on a manual
 *           clock
 *
 * For waits in the kernel that the library does not know: wait until the deadline less the margin, call
 * hpt_waiter_learn_ns(), and do it again while more is left than the margin of what is left. The rest is for a sleep on
 * @w, or for looks at what the program waits for. A margin holds what the calling thread has learned, the thread's
 * timer slack, and for waits of milliseconds a second wait.
 *
 * Return: 0
 *         -EINVAL  @w or @ret is NULL
 *
 * Safety: leaf. Cost: 0.2 to 0.4 us; a thread's first calls make system calls.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_waiter_margin_ns(hpt_waiter *w, int64_t left_ns, int64_t *ret);

/**
 * hpt_waiter_learn_ns - teach the calling thread how late a wait of the program's own was
 *
 * @w:        the waiter of the latest hpt_waiter_margin_ns() in this thread
 * @asked_at: when the wait was to end, on any timeline in nanoseconds
 * @woke_at:  when it did; before @asked_at: nothing is learned. Of a wait that an event ended the time says nothing.
 *
 * Sleeps of the thread use what it learns, and what they learn is in hpt_waiter_margin_ns().
 *
 * Return: 0
 *         -EINVAL  @w is NULL
 *
 * Safety: leaf. Cost: some 0.2 us.
 * Since:  1.0
 */
HPT_API int hpt_waiter_learn_ns(hpt_waiter *w, int64_t asked_at, int64_t woke_at);

#ifdef __cplusplus
}
#endif

#endif
