// SPDX-License-Identifier: MIT
/*
 * The functions that libhpt-preload.so replaces; asan.c has its only other export. Calls that the kernel would refuse,
 * and those that are no sleep, go to the next object as they are, and get the kernel's own answer. So do all calls of a
 * function that another object has: it may be a fibre that sleeps, or time that is skipped.
 */
#include <errno.h>
#include <stddef.h>
#include <threads.h>

#include "arch/arch.h"
#include "math/units.h"
#include "preload/load.h"
#include "preload/nap.h"
#include "preload/next.h"
#include "preload/times.h"

#define HOOK __attribute__((visibility("default")))

/* thrd_sleep() returns -1 after a signal, and another negative number for an error. */
#define THRD_INTERRUPTED (-1)
#define THRD_REFUSED     (-2)

/* The program's code that runs after the hook. */
#define NAP(CALL) { .call = (CALL), .exit = __builtin_return_address(0) }

/* Names of the C library that no header declares. */
HOOK int __nanosleep(const struct timespec *length, struct timespec *rem);
HOOK int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length);
HOOK int __poll(struct pollfd *fds, nfds_t n, int ms);
HOOK int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes);
HOOK int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask,
		     size_t fds_bytes);

static bool is_served(enum hpt_name name)
{
	return hpt_is_loaded() && likely(hpt_is_own[name]);
}

/* ---- Times --------------------------------------------------------------------------------------------- */

/* NULL is not. */
static bool is_time(const struct timespec *ts)
{
	return ts && ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < NS_PER_S;
}

static bool is_interval(const struct timeval *tv)
{
	return tv && tv->tv_sec >= 0 && tv->tv_usec >= 0 && tv->tv_usec < 1000000;
}

static int64_t ns_of_timeval(const struct timeval *tv)
{
	struct timespec ts = { .tv_sec = tv->tv_sec, .tv_nsec = (long)tv->tv_usec * 1000 };

	return hpt_timespec_ns(&ts);
}

static void set_timespec(struct timespec *ret, int64_t ns)
{
	if (ret)
		*ret = hpt_timespec_of(ns);
}

static void set_timeval(struct timeval *ret, int64_t ns)
{
	ret->tv_sec = (time_t)(ns / NS_PER_S);
	ret->tv_usec = (suseconds_t)(ns % NS_PER_S / 1000);
}

/* ---- Results ------------------------------------------------------------------------------------------- */

/* The result of a function that sets errno. */
static int result_of(int err)
{
	if (!err)
		return 0;
	errno = err;
	return -1;
}

/* Of a function that the C library does not have. */
static int missing(void)
{
	return result_of(ENOSYS);
}

/* ---- Sleeps -------------------------------------------------------------------------------------------- */

/* Sleeps for a duration. *rem, which may be NULL, is set after EINTR alone. Returns 0 or the error. */
static int nap_for(struct hpt_nap *nap, const struct timespec *length, struct timespec *rem)
{
	int err = hpt_nap_take_for(nap, hpt_timespec_ns(length));

	if (err == EINTR)
		set_timespec(rem, nap->left_ns);
	return err;
}

HOOK int nanosleep(const struct timespec *length, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_NANOSLEEP);

	if (is_served(HPT_NAME_NANOSLEEP) && is_time(length))
		return result_of(nap_for(&nap, length, rem));
	return hpt_next()->nanosleep ? hpt_next()->nanosleep(length, rem) : missing();
}

HOOK int __nanosleep(const struct timespec *length, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_NANOSLEEP);

	if (is_served(HPT_NAME_NANOSLEEP_ALIAS) && is_time(length))
		return result_of(nap_for(&nap, length, rem));
	return hpt_next()->nanosleep_alias ? hpt_next()->nanosleep_alias(length, rem) : missing();
}

HOOK int clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_CLOCK_NANOSLEEP);

	if (!is_served(HPT_NAME_CLOCK_NANOSLEEP) || (id != CLOCK_MONOTONIC && id != CLOCK_REALTIME) ||
	    flags & ~TIMER_ABSTIME || !is_time(time))
		return hpt_next()->clock_nanosleep ? hpt_next()->clock_nanosleep(id, flags, time, rem) : ENOSYS;
	if (!(flags & TIMER_ABSTIME))
		return nap_for(&nap, time, rem);
	nap.id = id;
	nap.at_ns = hpt_timespec_ns(time);
	return hpt_nap_take(&nap);
}

HOOK int usleep(useconds_t us)
{
	struct hpt_nap nap = NAP(HPT_CALL_USLEEP);

	if (is_served(HPT_NAME_USLEEP))
		return result_of(hpt_nap_take_for(&nap, (int64_t)us * 1000));
	return hpt_next()->usleep ? hpt_next()->usleep(us) : missing();
}

HOOK unsigned sleep(unsigned s)
{
	struct hpt_nap nap = NAP(HPT_CALL_SLEEP);
	int err;

	if (!is_served(HPT_NAME_SLEEP))
		return hpt_next()->sleep ? hpt_next()->sleep(s) : s;
	err = hpt_nap_take_for(&nap, (int64_t)s * NS_PER_S);
	if (!err)
		return 0;
	errno = err;
	return err == EINTR ? (unsigned)(nap.left_ns / NS_PER_S) : s;
}

HOOK int thrd_sleep(const struct timespec *length, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_THRD_SLEEP);
	int err;

	if (!is_served(HPT_NAME_THRD_SLEEP) || !is_time(length))
		return hpt_next()->thrd_sleep ? hpt_next()->thrd_sleep(length, rem) : THRD_REFUSED;
	err = nap_for(&nap, length, rem);
	return !err ? 0 : err == EINTR ? THRD_INTERRUPTED : THRD_REFUSED;
}

/* ---- Waits for no descriptor, which are sleeps ------------------------------------------------------------ */

/* Writes back the remaining time, as Linux does. */
static int select_for(struct hpt_nap *nap, struct timeval *length)
{
	int err = hpt_nap_take_for(nap, ns_of_timeval(length));

	if (!err || err == EINTR)
		set_timeval(length, err ? nap->left_ns : 0);
	return result_of(err);
}

static bool is_select(int n, const fd_set *in, const fd_set *out, const fd_set *other, const struct timeval *length)
{
	return !n && !in && !out && !other && is_interval(length) && (length->tv_sec || length->tv_usec);
}

HOOK int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length)
{
	struct hpt_nap nap = NAP(HPT_CALL_SELECT);

	if (is_served(HPT_NAME_SELECT) && is_select(n, in, out, other, length))
		return select_for(&nap, length);
	return hpt_next()->select ? hpt_next()->select(n, in, out, other, length) : missing();
}

HOOK int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length)
{
	struct hpt_nap nap = NAP(HPT_CALL_SELECT);

	if (is_served(HPT_NAME_SELECT_ALIAS) && is_select(n, in, out, other, length))
		return select_for(&nap, length);
	return hpt_next()->select_alias ? hpt_next()->select_alias(n, in, out, other, length) : missing();
}

/* A signal mask has to hold for the whole wait, so such a call is passed on. */
static bool is_nap(const struct timespec *length, const sigset_t *mask)
{
	return !mask && is_time(length) && (length->tv_sec || length->tv_nsec);
}

HOOK int pselect(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *length, const sigset_t *mask)
{
	struct hpt_nap nap = NAP(HPT_CALL_PSELECT);

	if (is_served(HPT_NAME_PSELECT) && !n && !in && !out && !other && is_nap(length, mask))
		return result_of(hpt_nap_take_for(&nap, hpt_timespec_ns(length)));
	return hpt_next()->pselect ? hpt_next()->pselect(n, in, out, other, length, mask) : missing();
}

HOOK int poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct hpt_nap nap = NAP(HPT_CALL_POLL);

	if (is_served(HPT_NAME_POLL) && !n && ms > 0)
		return result_of(hpt_nap_take_for(&nap, ms * NS_PER_MS));
	return hpt_next()->poll ? hpt_next()->poll(fds, n, ms) : missing();
}

HOOK int __poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct hpt_nap nap = NAP(HPT_CALL_POLL);

	if (is_served(HPT_NAME_POLL_ALIAS) && !n && ms > 0)
		return result_of(hpt_nap_take_for(&nap, ms * NS_PER_MS));
	return hpt_next()->poll_alias ? hpt_next()->poll_alias(fds, n, ms) : missing();
}

/* What a fortified program calls where the compiler does not know n. An array of any size has room for none. */
HOOK int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes)
{
	struct hpt_nap nap = NAP(HPT_CALL_POLL);

	if (is_served(HPT_NAME_POLL_CHK) && !n && ms > 0)
		return result_of(hpt_nap_take_for(&nap, ms * NS_PER_MS));
	return hpt_next()->poll_chk ? hpt_next()->poll_chk(fds, n, ms, fds_bytes) : missing();
}

HOOK int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask)
{
	struct hpt_nap nap = NAP(HPT_CALL_PPOLL);

	if (is_served(HPT_NAME_PPOLL) && !n && is_nap(length, mask))
		return result_of(hpt_nap_take_for(&nap, hpt_timespec_ns(length)));
	return hpt_next()->ppoll ? hpt_next()->ppoll(fds, n, length, mask) : missing();
}

HOOK int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask,
		     size_t fds_bytes)
{
	struct hpt_nap nap = NAP(HPT_CALL_PPOLL);

	if (is_served(HPT_NAME_PPOLL_CHK) && !n && is_nap(length, mask))
		return result_of(hpt_nap_take_for(&nap, hpt_timespec_ns(length)));
	return hpt_next()->ppoll_chk ? hpt_next()->ppoll_chk(fds, n, length, mask, fds_bytes) : missing();
}
