// SPDX-License-Identifier: MIT
/* The sleeps that libhpt-preload.so replaces: lib/preload/hook.h. */
#include <errno.h>
#include <stddef.h>
#include <threads.h>

#include "preload/hook.h"

/* A name of the C library that no header declares. */
HOOK int __nanosleep(const struct timespec *length, struct timespec *rem);

static void set_timespec(struct timespec *ret, int64_t ns)
{
	if (ret)
		*ret = hpt_timespec_of(ns);
}

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

	if (hpt_is_served(HPT_NAME_NANOSLEEP) && hpt_is_time(length))
		return hpt_result_of(nap_for(&nap, length, rem));
	return hpt_next()->nanosleep ? hpt_next()->nanosleep(length, rem) : hpt_missing();
}

HOOK int __nanosleep(const struct timespec *length, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_NANOSLEEP);

	if (hpt_is_served(HPT_NAME_NANOSLEEP_ALIAS) && hpt_is_time(length))
		return hpt_result_of(nap_for(&nap, length, rem));
	return hpt_next()->nanosleep_alias ? hpt_next()->nanosleep_alias(length, rem) : hpt_missing();
}

HOOK int clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *rem)
{
	struct hpt_nap nap = NAP(HPT_CALL_CLOCK_NANOSLEEP);

	if (!hpt_is_served(HPT_NAME_CLOCK_NANOSLEEP) || (id != CLOCK_MONOTONIC && id != CLOCK_REALTIME) ||
	    flags & ~TIMER_ABSTIME || !hpt_is_time(time))
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

	if (hpt_is_served(HPT_NAME_USLEEP))
		return hpt_result_of(hpt_nap_take_for(&nap, (int64_t)us * 1000));
	return hpt_next()->usleep ? hpt_next()->usleep(us) : hpt_missing();
}

HOOK unsigned sleep(unsigned s)
{
	struct hpt_nap nap = NAP(HPT_CALL_SLEEP);
	int err;

	if (!hpt_is_served(HPT_NAME_SLEEP))
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

	if (!hpt_is_served(HPT_NAME_THRD_SLEEP) || !hpt_is_time(length))
		return hpt_next()->thrd_sleep ? hpt_next()->thrd_sleep(length, rem) : THRD_REFUSED;
	err = nap_for(&nap, length, rem);
	return !err ? 0 : err == EINTR ? THRD_INTERRUPTED : THRD_REFUSED;
}
