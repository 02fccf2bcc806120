// SPDX-License-Identifier: MIT
/*
 * The functions with times of 64 bits. A time that fits into 32 bits goes to the hook of the plain function, if the C
 * library's own function would be called by either name. Others go to the next object as they are.
 * lib/preload/hook.h
 */
#include "preload/hook.h"

#if HPT_HAS_TIME64

/* Names of the C library that programs call by those of the plain functions. */
HOOK int __nanosleep64(const struct hpt_time64 *length, struct hpt_time64 *rem);
HOOK int __clock_nanosleep_time64(clockid_t id, int flags, const struct hpt_time64 *time, struct hpt_time64 *rem);
HOOK int __thrd_sleep64(const struct hpt_time64 *length, struct hpt_time64 *rem);
HOOK int __select64(int n, fd_set *in, fd_set *out, fd_set *other, struct hpt_timeval64 *length);
HOOK int __pselect64(int n, fd_set *in, fd_set *out, fd_set *other, const struct hpt_time64 *length,
		     const sigset_t *mask);
HOOK int __ppoll64(struct pollfd *fds, nfds_t n, const struct hpt_time64 *length, const sigset_t *mask);
HOOK int __ppoll64_chk(struct pollfd *fds, nfds_t n, const struct hpt_time64 *length, const sigset_t *mask,
		       size_t fds_bytes);
HOOK int __epoll_pwait2_time64(int epfd, struct epoll_event *events, int max, const struct hpt_time64 *length,
			       const sigset_t *mask);
HOOK int __sem_timedwait64(sem_t *sem, const struct hpt_time64 *until);
HOOK int __sem_clockwait64(sem_t *sem, clockid_t id, const struct hpt_time64 *until);
HOOK int __pthread_cond_timedwait64(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct hpt_time64 *until);
HOOK int __pthread_cond_clockwait64(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id,
				    const struct hpt_time64 *until);
HOOK int __cnd_timedwait64(cnd_t *cnd, mtx_t *mtx, const struct hpt_time64 *until);

/* ---- Times ----------------------------------------------------------------------------------------------- */

/* The same time in 32 bits. False: there is no such time, or none at all. Whether it is a good one the hook asks. */
static bool is_narrow(const struct hpt_time64 *time, struct timespec *ret)
{
	if (!time)
		return false;
	*ret = (struct timespec){ .tv_sec = (time_t)time->s, .tv_nsec = time->ns };
	return ret->tv_sec == time->s;
}

static bool is_narrow_interval(const struct hpt_timeval64 *tv, struct timeval *ret)
{
	if (!tv)
		return false;
	*ret = (struct timeval){ .tv_sec = (time_t)tv->s, .tv_usec = (suseconds_t)tv->us };
	return ret->tv_sec == tv->s && ret->tv_usec == tv->us;
}

static void widen(struct hpt_time64 *ret, const struct timespec *ts)
{
	if (ret)
		*ret = (struct hpt_time64){ .s = ts->tv_sec, .ns = (int32_t)ts->tv_nsec };
}

/* Whether the C library's own would be called by both names: the plain hook may pass the call on. */
static bool is_own(enum hpt_name wide, enum hpt_name plain)
{
	return hpt_is_served(wide) && hpt_is_own[plain];
}

static bool can_wait(enum hpt_name wide, enum hpt_name plain)
{
	return hpt_is_wait_served(wide) && hpt_is_own[plain];
}

/* ---- Sleeps ---------------------------------------------------------------------------------------------- */

HOOK int __nanosleep64(const struct hpt_time64 *length, struct hpt_time64 *rem)
{
	struct timespec ts, left;
	int r;

	if (!is_own(HPT_NAME_NANOSLEEP64, HPT_NAME_NANOSLEEP) || !is_narrow(length, &ts))
		return hpt_next()->nanosleep64 ? hpt_next()->nanosleep64(length, rem) : hpt_missing();
	r = hpt_hooks.nanosleep(&ts, &left);
	if (r && errno == EINTR)
		widen(rem, &left);
	return r;
}

HOOK int __clock_nanosleep_time64(clockid_t id, int flags, const struct hpt_time64 *time, struct hpt_time64 *rem)
{
	struct timespec ts, left;
	int err;

	if (!is_own(HPT_NAME_CLOCK_NANOSLEEP64, HPT_NAME_CLOCK_NANOSLEEP) || !is_narrow(time, &ts))
		return hpt_next()->clock_nanosleep64 ?
		       hpt_next()->clock_nanosleep64(id, flags, time, rem) : ENOSYS;
	err = hpt_hooks.clock_nanosleep(id, flags, &ts, &left);
	if (err == EINTR && !(flags & TIMER_ABSTIME))
		widen(rem, &left);
	return err;
}

HOOK int __thrd_sleep64(const struct hpt_time64 *length, struct hpt_time64 *rem)
{
	struct timespec ts, left;
	int r;

	if (!is_own(HPT_NAME_THRD_SLEEP64, HPT_NAME_THRD_SLEEP) || !is_narrow(length, &ts))
		return hpt_next()->thrd_sleep64 ? hpt_next()->thrd_sleep64(length, rem) : THRD_REFUSED;
	r = hpt_hooks.thrd_sleep(&ts, &left);
	if (r == THRD_INTERRUPTED)
		widen(rem, &left);
	return r;
}

/* ---- Waits for descriptors, or sleeps -------------------------------------------------------------------- */

/* The C library too writes the remaining time back whatever the result. */
HOOK int __select64(int n, fd_set *in, fd_set *out, fd_set *other, struct hpt_timeval64 *length)
{
	struct timeval tv;
	int r;

	if (!is_own(HPT_NAME_SELECT64, HPT_NAME_SELECT) || !is_narrow_interval(length, &tv))
		return hpt_next()->select64 ? hpt_next()->select64(n, in, out, other, length) : hpt_missing();
	r = hpt_hooks.select(n, in, out, other, &tv);
	*length = (struct hpt_timeval64){ .s = tv.tv_sec, .us = tv.tv_usec };
	return r;
}

HOOK int __pselect64(int n, fd_set *in, fd_set *out, fd_set *other, const struct hpt_time64 *length,
		     const sigset_t *mask)
{
	struct timespec ts;

	if (is_own(HPT_NAME_PSELECT64, HPT_NAME_PSELECT) && is_narrow(length, &ts))
		return hpt_hooks.pselect(n, in, out, other, &ts, mask);
	return hpt_next()->pselect64 ? hpt_next()->pselect64(n, in, out, other, length, mask) : hpt_missing();
}

HOOK int __ppoll64(struct pollfd *fds, nfds_t n, const struct hpt_time64 *length, const sigset_t *mask)
{
	struct timespec ts;

	if (is_own(HPT_NAME_PPOLL64, HPT_NAME_PPOLL) && is_narrow(length, &ts))
		return hpt_hooks.ppoll(fds, n, &ts, mask);
	return hpt_next()->ppoll64 ? hpt_next()->ppoll64(fds, n, length, mask) : hpt_missing();
}

/* Younger than the others. */
HOOK int __ppoll64_chk(struct pollfd *fds, nfds_t n, const struct hpt_time64 *length, const sigset_t *mask,
		       size_t fds_bytes)
{
	struct timespec ts;

	if (is_own(HPT_NAME_PPOLL64_CHK, HPT_NAME_PPOLL_CHK) && is_narrow(length, &ts))
		return hpt_hooks.ppoll_chk(fds, n, &ts, mask, fds_bytes);
	return hpt_next()->ppoll64_chk ? hpt_next()->ppoll64_chk(fds, n, length, mask, fds_bytes) : hpt_missing();
}

/* ---- Waits that events end ------------------------------------------------------------------------------- */

/* The C library leaves the time to the kernel, as hpt_is_time_of_kernel() has it. */
HOOK int __epoll_pwait2_time64(int epfd, struct epoll_event *events, int max, const struct hpt_time64 *length,
			       const sigset_t *mask)
{
	struct timespec ts;

	if (can_wait(HPT_NAME_EPOLL_PWAIT2_64, HPT_NAME_EPOLL_PWAIT2) && length &&
	    hpt_is_readable(length, sizeof(*length)) && is_narrow(length, &ts))
		return hpt_hooks.epoll_pwait2(epfd, events, max, &ts, mask);
	return hpt_next()->epoll_pwait2_64 ?
	       hpt_next()->epoll_pwait2_64(epfd, events, max, length, mask) : hpt_missing();
}

HOOK int __sem_timedwait64(sem_t *sem, const struct hpt_time64 *until)
{
	struct timespec ts;

	if (can_wait(HPT_NAME_SEM_TIMEDWAIT64, HPT_NAME_SEM_TIMEDWAIT) && is_narrow(until, &ts))
		return hpt_hooks.sem_timedwait(sem, &ts);
	return hpt_next()->sem_timedwait64 ? hpt_next()->sem_timedwait64(sem, until) : hpt_missing();
}

HOOK int __sem_clockwait64(sem_t *sem, clockid_t id, const struct hpt_time64 *until)
{
	struct timespec ts;

	if (can_wait(HPT_NAME_SEM_CLOCKWAIT64, HPT_NAME_SEM_CLOCKWAIT) && is_narrow(until, &ts))
		return hpt_hooks.sem_clockwait(sem, id, &ts);
	return hpt_next()->sem_clockwait64 ? hpt_next()->sem_clockwait64(sem, id, until) : hpt_missing();
}

HOOK int __pthread_cond_timedwait64(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct hpt_time64 *until)
{
	struct timespec ts;

	if (can_wait(HPT_NAME_COND_TIMEDWAIT64, HPT_NAME_COND_TIMEDWAIT) && is_narrow(until, &ts))
		return hpt_hooks.pthread_cond_timedwait(cond, mutex, &ts);
	return hpt_next()->pthread_cond_timedwait64 ?
	       hpt_next()->pthread_cond_timedwait64(cond, mutex, until) : ENOSYS;
}

HOOK int __pthread_cond_clockwait64(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id,
				    const struct hpt_time64 *until)
{
	struct timespec ts;

	if (can_wait(HPT_NAME_COND_CLOCKWAIT64, HPT_NAME_COND_CLOCKWAIT) && is_narrow(until, &ts))
		return hpt_hooks.pthread_cond_clockwait(cond, mutex, id, &ts);
	return hpt_next()->pthread_cond_clockwait64 ?
	       hpt_next()->pthread_cond_clockwait64(cond, mutex, id, until) : ENOSYS;
}

HOOK int __cnd_timedwait64(cnd_t *cnd, mtx_t *mtx, const struct hpt_time64 *until)
{
	struct timespec ts;

	if (can_wait(HPT_NAME_CND_TIMEDWAIT64, HPT_NAME_CND_TIMEDWAIT) && is_narrow(until, &ts))
		return hpt_hooks.cnd_timedwait(cnd, mtx, &ts);
	return hpt_next()->cnd_timedwait64 ? hpt_next()->cnd_timedwait64(cnd, mtx, until) : thrd_error;
}

#endif
