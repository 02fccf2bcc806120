// SPDX-License-Identifier: MIT
/*
 * The functions that libhpt-preload.so replaces, and its only exports. Calls that the kernel would refuse, and those
 * that are no sleep, go to the next object as they are, and get the kernel's own answer.
 */
#include <errno.h>
#include <stddef.h>
#include <threads.h>

#include "arch/arch.h"
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

/* ---- Times --------------------------------------------------------------------------------------------- */

/* NULL is not. */
static bool is_time(const struct timespec *ts)
{
	return ts && ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < HPT_NS_PER_S;
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
	ret->tv_sec = (time_t)(ns / HPT_NS_PER_S);
	ret->tv_usec = (suseconds_t)(ns % HPT_NS_PER_S / 1000);
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

	if (hpt_is_loaded() && is_time(length))
		return result_of(nap_for(&nap, length, rem));
	return hpt_next()->nanosleep ? hpt_next()->nanosleep(length, rem) : missing();
}

HOOK int clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_CLOCK_NANOSLEEP);

	if (!hpt_is_loaded() || (id != CLOCK_MONOTONIC && id != CLOCK_REALTIME) || flags & ~TIMER_ABSTIME ||
	    !is_time(time))
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

	if (hpt_is_loaded())
		return result_of(hpt_nap_take_for(&nap, (int64_t)us * 1000));
	return hpt_next()->usleep ? hpt_next()->usleep(us) : missing();
}

HOOK unsigned sleep(unsigned s)
{
	struct hpt_nap nap = NAP(HPT_CALL_SLEEP);
	int err;

	if (!hpt_is_loaded())
		return hpt_next()->sleep ? hpt_next()->sleep(s) : s;
	err = hpt_nap_take_for(&nap, (int64_t)s * HPT_NS_PER_S);
	if (!err)
		return 0;
	errno = err;
	return err == EINTR ? (unsigned)(nap.left_ns / HPT_NS_PER_S) : s;
}

HOOK int thrd_sleep(const struct timespec *length, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_THRD_SLEEP);
	int err;

	if (!hpt_is_loaded() || !is_time(length))
		return hpt_next()->thrd_sleep ? hpt_next()->thrd_sleep(length, rem) : THRD_REFUSED;
	err = nap_for(&nap, length, rem);
	return !err ? 0 : err == EINTR ? THRD_INTERRUPTED : THRD_REFUSED;
}

/* ---- Waits for no descriptor, which are sleeps ------------------------------------------------------------ */

/* Writes back the remaining time, as Linux does. */
HOOK int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length)
{
	struct hpt_nap nap = NAP(HPT_CALL_SELECT);
	int err;

	if (!hpt_is_loaded() || n || in || out || other || !is_interval(length) || !(length->tv_sec | length->tv_usec))
		return hpt_next()->select ? hpt_next()->select(n, in, out, other, length) : missing();
	err = hpt_nap_take_for(&nap, ns_of_timeval(length));
	if (!err || err == EINTR)
		set_timeval(length, err ? nap.left_ns : 0);
	return result_of(err);
}

/* A signal mask has to hold for the whole wait, so such a call is passed on. */
static bool is_nap(const struct timespec *length, const sigset_t *mask)
{
	return hpt_is_loaded() && !mask && is_time(length) && (length->tv_sec || length->tv_nsec);
}

HOOK int pselect(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *length, const sigset_t *mask)
{
	struct hpt_nap nap = NAP(HPT_CALL_PSELECT);

	if (!n && !in && !out && !other && is_nap(length, mask))
		return result_of(hpt_nap_take_for(&nap, hpt_timespec_ns(length)));
	return hpt_next()->pselect ? hpt_next()->pselect(n, in, out, other, length, mask) : missing();
}

HOOK int poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct hpt_nap nap = NAP(HPT_CALL_POLL);

	if (hpt_is_loaded() && !n && ms > 0)
		return result_of(hpt_nap_take_for(&nap, ms * HPT_NS_PER_MS));
	return hpt_next()->poll ? hpt_next()->poll(fds, n, ms) : missing();
}

HOOK int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask)
{
	struct hpt_nap nap = NAP(HPT_CALL_PPOLL);

	if (!n && is_nap(length, mask))
		return result_of(hpt_nap_take_for(&nap, hpt_timespec_ns(length)));
	return hpt_next()->ppoll ? hpt_next()->ppoll(fds, n, length, mask) : missing();
}
