// SPDX-License-Identifier: MIT
/* Calls each function alike: sleeper.h. */
#include "sleeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/select.h>
#include <threads.h>

/*
 * Of the C library, in no header: names for other libraries, and what fortified programs call. Those with a time have
 * no other name for a wide one.
 */
int __nanosleep(const struct timespec *length, struct timespec *rem);
int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length);
int __poll(struct pollfd *fds, nfds_t n, int ms);
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask, size_t fds_bytes);

static int by_nanosleep(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns), left = { .tv_nsec = UNTOLD };
	int r = nanosleep(&ts, &left);

	*left_ns = ns_of(&left);
	return r ? errno : 0;
}

static int by_clock(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns), left = { .tv_nsec = UNTOLD };
	int r = clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &left);

	*left_ns = ns_of(&left);
	return r;
}

static int by_wall_clock(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns), left = { .tv_nsec = UNTOLD };
	int r = clock_nanosleep(CLOCK_REALTIME, 0, &ts, &left);

	*left_ns = ns_of(&left);
	return r;
}

static int until(clockid_t id, int64_t ns, int64_t *left_ns)
{
	struct timespec now, ts, left = { .tv_nsec = UNTOLD };
	int r;

	clock_gettime(id, &now);
	ts = timespec_of(ns_of(&now) + ns);
	r = clock_nanosleep(id, TIMER_ABSTIME, &ts, &left);
	*left_ns = ns_of(&left);
	return r;
}

static int until_monotonic(int64_t ns, int64_t *left_ns)
{
	return until(CLOCK_MONOTONIC, ns, left_ns);
}

static int until_real(int64_t ns, int64_t *left_ns)
{
	return until(CLOCK_REALTIME, ns, left_ns);
}

static int by_usleep(int64_t ns, int64_t *left_ns)
{
	*left_ns = UNTOLD;
	return usleep((useconds_t)(ns / US)) ? errno : 0;
}

static int by_sleep(int64_t ns, int64_t *left_ns)
{
	unsigned left = sleep((unsigned)(ns / S));

	*left_ns = left ? left * S : UNTOLD;
	return left ? errno : 0;
}

static int by_thrd_sleep(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns), left = { .tv_nsec = UNTOLD };
	int r = thrd_sleep(&ts, &left);

	*left_ns = ns_of(&left);
	return r == -1 ? EINTR : r ? ENOTSUP : 0;
}

static int by_select(int64_t ns, int64_t *left_ns)
{
	struct timeval tv = { .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };
	int r = select(0, NULL, NULL, NULL, &tv);

	*left_ns = tv.tv_sec * S + tv.tv_usec * US;
	return r < 0 ? errno : r;
}

static int by_pselect(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns);
	int r = pselect(0, NULL, NULL, NULL, &ts, NULL);

	*left_ns = ns_of(&ts) == ns ? UNTOLD : ns_of(&ts);
	return r < 0 ? errno : r;
}

static int by_poll(int64_t ns, int64_t *left_ns)
{
	int r = poll(NULL, 0, (int)(ns / MS));

	*left_ns = UNTOLD;
	return r < 0 ? errno : r;
}

static int by_ppoll(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns);
	int r = ppoll(NULL, 0, &ts, NULL);

	*left_ns = ns_of(&ts) == ns ? UNTOLD : ns_of(&ts);
	return r < 0 ? errno : r;
}

static int by_poll_alias(int64_t ns, int64_t *left_ns)
{
	int r = __poll(NULL, 0, (int)(ns / MS));

	*left_ns = UNTOLD;
	return r < 0 ? errno : r;
}

static int by_poll_chk(int64_t ns, int64_t *left_ns)
{
	int r = __poll_chk(NULL, 0, (int)(ns / MS), 0);

	*left_ns = UNTOLD;
	return r < 0 ? errno : r;
}

#if !HAS_WIDE_TIME

static int by_nanosleep_alias(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns), left = { .tv_nsec = UNTOLD };
	int r = __nanosleep(&ts, &left);

	*left_ns = ns_of(&left);
	return r ? errno : 0;
}

static int by_select_alias(int64_t ns, int64_t *left_ns)
{
	struct timeval tv = { .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };
	int r = __select(0, NULL, NULL, NULL, &tv);

	*left_ns = tv.tv_sec * S + tv.tv_usec * US;
	return r < 0 ? errno : r;
}

static int by_ppoll_chk(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns);
	int r = __ppoll_chk(NULL, 0, &ts, NULL, 0);

	*left_ns = ns_of(&ts) == ns ? UNTOLD : ns_of(&ts);
	return r < 0 ? errno : r;
}

#endif

#ifdef SYS_clock_nanosleep_time64
#define NAP { SYS_clock_nanosleep_time64, SYS_clock_nanosleep }
#else
#define NAP { SYS_clock_nanosleep, SYS_clock_nanosleep }
#endif
#ifdef SYS_pselect6_time64
#define PSELECT SYS_pselect6_time64
#else
#define PSELECT SYS_pselect6
#endif
#ifdef SYS_ppoll_time64
#define PPOLL SYS_ppoll_time64
#else
#define PPOLL SYS_ppoll
#endif
/* glibc's select() became pselect6 in 2.34. */
#ifdef SYS_select
#define SELECT SYS_select
#else
#define SELECT SYS_pselect6
#endif
#ifdef SYS_poll
#define POLL SYS_poll
#else
#define POLL SYS_ppoll
#endif

const struct sleeper sleepers[] = {
	{ "nanosleep",       by_nanosleep,       1,  NAP, true, CLOCK_MONOTONIC },
	{ "monotonic",       by_clock,           1,  NAP, true, CLOCK_MONOTONIC },
	{ "real",            by_wall_clock,      1,  NAP, true, CLOCK_MONOTONIC },
	{ "monotonic-abs",   until_monotonic,    1,  NAP, false, CLOCK_MONOTONIC },
	{ "real-abs",        until_real,         1,  NAP, false, CLOCK_REALTIME },
	{ "usleep",          by_usleep,          US, NAP, false, CLOCK_MONOTONIC },
	{ "sleep",           by_sleep,           S,  NAP, true, CLOCK_MONOTONIC },
	{ "thrd_sleep",      by_thrd_sleep,      1,  NAP, true, CLOCK_MONOTONIC },
	{ "select",          by_select,          US, { SELECT, PSELECT }, true, CLOCK_MONOTONIC },
	{ "pselect",         by_pselect,         1,  { SYS_pselect6, PSELECT }, false, CLOCK_MONOTONIC },
	{ "poll",            by_poll,            MS, { POLL, POLL }, false, CLOCK_MONOTONIC },
	{ "poll-alias",      by_poll_alias,      MS, { POLL, POLL }, false, CLOCK_MONOTONIC },
	{ "poll-chk",        by_poll_chk,        MS, { POLL, POLL }, false, CLOCK_MONOTONIC },
	{ "ppoll",           by_ppoll,           1,  { SYS_ppoll, PPOLL }, false, CLOCK_MONOTONIC },
#if !HAS_WIDE_TIME
	{ "nanosleep-alias", by_nanosleep_alias, 1,  NAP, true, CLOCK_MONOTONIC },
	{ "select-alias",    by_select_alias,    US, { SELECT, PSELECT }, true, CLOCK_MONOTONIC },
	{ "ppoll-chk",       by_ppoll_chk,       1,  { SYS_ppoll, PPOLL }, false, CLOCK_MONOTONIC },
#endif
};

const int sleepers_n = sizeof(sleepers) / sizeof(sleepers[0]);

const struct sleeper *sleeper_named(const char *name)
{
	for (int i = 0; i < sleepers_n; i++)
		if (!strcmp(name, sleepers[i].name))
			return &sleepers[i];
	return NULL;
}

int64_t sleeper_round(const struct sleeper *s, int64_t ns)
{
	return (ns + s->unit_ns - 1) / s->unit_ns * s->unit_ns;
}
