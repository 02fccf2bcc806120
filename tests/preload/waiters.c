// SPDX-License-Identifier: MIT
/* Calls each function alike: waiters.h. */
#include "waiters.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>

static int silent, epfd;
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static mtx_t mtx;
static cnd_t cnd;
static uint32_t word;

epoll_pwait2_fn *waiter_epoll_pwait2;
sem_clockwait_fn *waiter_sem_clockwait;
cond_clockwait_fn *waiter_cond_clockwait;

static int result_of(int r)
{
	return r < 0 ? errno : r ? WAITER_EVENT : 0;
}

/* ---- Descriptors ---------------------------------------------------------------------------------------------- */

static int by_poll(int64_t ns, int64_t *left_ns)
{
	struct pollfd pfd = { .fd = silent, .events = POLLIN };

	*left_ns = UNTOLD;
	return result_of(poll(&pfd, 1, (int)(ns / MS)));
}

static int by_ppoll(int64_t ns, int64_t *left_ns)
{
	struct pollfd pfd = { .fd = silent, .events = POLLIN };
	struct timespec ts = timespec_of(ns);
	int r = result_of(ppoll(&pfd, 1, &ts, NULL));

	*left_ns = ns_of(&ts) == ns ? UNTOLD : ns_of(&ts);
	return r;
}

static int by_select(int64_t ns, int64_t *left_ns)
{
	struct timeval tv = { .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };
	fd_set set;
	int r;

	FD_ZERO(&set);
	FD_SET(silent, &set);
	r = result_of(select(silent + 1, &set, NULL, NULL, &tv));
	*left_ns = tv.tv_sec * S + tv.tv_usec * US;
	return r;
}

static int by_pselect(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns);
	fd_set set;
	int r;

	FD_ZERO(&set);
	FD_SET(silent, &set);
	r = result_of(pselect(silent + 1, &set, NULL, NULL, &ts, NULL));
	*left_ns = ns_of(&ts) == ns ? UNTOLD : ns_of(&ts);
	return r;
}

static int by_epoll_wait(int64_t ns, int64_t *left_ns)
{
	struct epoll_event event;

	*left_ns = UNTOLD;
	return result_of(epoll_wait(epfd, &event, 1, (int)(ns / MS)));
}

static int by_epoll_pwait(int64_t ns, int64_t *left_ns)
{
	struct epoll_event event;

	*left_ns = UNTOLD;
	return result_of(epoll_pwait(epfd, &event, 1, (int)(ns / MS), NULL));
}

static int by_epoll_pwait2(int64_t ns, int64_t *left_ns)
{
	struct timespec ts = timespec_of(ns);
	struct epoll_event event;
	int r = waiter_epoll_pwait2 ? result_of(waiter_epoll_pwait2(epfd, &event, 1, &ts, NULL)) : ENOSYS;

	*left_ns = ns_of(&ts) == ns ? UNTOLD : ns_of(&ts);
	return r;
}

/* ---- Words in memory ------------------------------------------------------------------------------------------ */

static int ended(int err)
{
	return !err ? WAITER_EVENT : err == ETIMEDOUT ? 0 : err;
}

/* A time-out is an error here; as a sleep it changes nothing. */
static int ended_with(int r, int saved)
{
	int err = r ? errno : 0;

	errno = saved;
	return ended(err);
}

static int by_sem(int64_t ns, int64_t *left_ns)
{
	struct timespec until = time_after(CLOCK_REALTIME, ns);
	int saved = errno;

	*left_ns = UNTOLD;
	return ended_with(sem_timedwait(&sem, &until), saved);
}

static int by_sem_clock(int64_t ns, int64_t *left_ns)
{
	struct timespec until = time_after(CLOCK_MONOTONIC, ns);
	int saved = errno;

	*left_ns = UNTOLD;
	return waiter_sem_clockwait ? ended_with(waiter_sem_clockwait(&sem, CLOCK_MONOTONIC, &until), saved) : ENOSYS;
}

static int by_cond(int64_t ns, int64_t *left_ns)
{
	struct timespec until = time_after(CLOCK_REALTIME, ns);
	int r;

	*left_ns = UNTOLD;
	pthread_mutex_lock(&mutex);
	r = pthread_cond_timedwait(&cond, &mutex, &until);
	pthread_mutex_unlock(&mutex);
	return ended(r);
}

static int by_cond_clock(int64_t ns, int64_t *left_ns)
{
	struct timespec until = time_after(CLOCK_MONOTONIC, ns);
	int r;

	*left_ns = UNTOLD;
	pthread_mutex_lock(&mutex);
	r = waiter_cond_clockwait ? waiter_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &until) : ENOSYS;
	pthread_mutex_unlock(&mutex);
	return ended(r);
}

static int by_cnd(int64_t ns, int64_t *left_ns)
{
	struct timespec until = time_after(CLOCK_REALTIME, ns);
	int r;

	*left_ns = UNTOLD;
	mtx_lock(&mtx);
	r = cnd_timedwait(&cnd, &mtx, &until);
	mtx_unlock(&mtx);
	return r == thrd_success ? WAITER_EVENT : r == thrd_timedout ? 0 : ENOTSUP;
}

static int by_futex(int64_t ns, int64_t *left_ns)
{
	struct timespec length = timespec_of(ns);
	int saved = errno;

	*left_ns = UNTOLD;
	return ended_with((int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &length, NULL, 0), saved);
}

static int by_futex_bitset(int64_t ns, int64_t *left_ns)
{
	struct timespec until = time_after(CLOCK_MONOTONIC, ns);
	int saved = errno;

	*left_ns = UNTOLD;
	return ended_with((int)syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &until, NULL,
				       FUTEX_BITSET_MATCH_ANY), saved);
}

static int by_futex_real(int64_t ns, int64_t *left_ns)
{
	struct timespec until = time_after(CLOCK_REALTIME, ns);
	int saved = errno;

	*left_ns = UNTOLD;
	return ended_with((int)syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, &until,
				       NULL, FUTEX_BITSET_MATCH_ANY), saved);
}

/* ---- The table ------------------------------------------------------------------------------------------------ */

#ifdef SYS_poll
#define POLL { SYS_poll, SYS_poll }
#else
#define POLL { SYS_ppoll, SYS_ppoll }
#endif
#ifdef SYS_ppoll_time64
#define PPOLL { SYS_ppoll, SYS_ppoll_time64 }
#else
#define PPOLL { SYS_ppoll, SYS_ppoll }
#endif
#ifdef SYS_pselect6_time64
#define PSELECT_TIME SYS_pselect6_time64
#else
#define PSELECT_TIME SYS_pselect6
#endif
/* glibc's select() became pselect6 in 2.34. Where there are two of that name, the first is an older one. */
#ifdef SYS__newselect
#define SELECT { SYS__newselect, PSELECT_TIME }
#elif defined(SYS_select)
#define SELECT { SYS_select, PSELECT_TIME }
#else
#define SELECT { SYS_pselect6, PSELECT_TIME }
#endif
#ifdef SYS_epoll_wait
#define EPOLL_WAIT { SYS_epoll_wait, SYS_epoll_wait }
#else
#define EPOLL_WAIT { SYS_epoll_pwait, SYS_epoll_pwait }
#endif
/* Since Linux 5.11. */
#ifdef SYS_epoll_pwait2
#define EPOLL_PWAIT2 { SYS_epoll_pwait2, SYS_epoll_pwait2 }
#else
#define EPOLL_PWAIT2 { SYS_epoll_pwait, SYS_epoll_pwait }
#endif
#ifdef SYS_futex_time64
#define FUTEX { SYS_futex, SYS_futex_time64 }
#else
#define FUTEX { SYS_futex, SYS_futex }
#endif

const struct sleeper waiters[] = {
	{ "poll-fd",        by_poll,         MS, POLL, false, CLOCK_MONOTONIC },
	{ "ppoll-fd",       by_ppoll,        1,  PPOLL, false, CLOCK_MONOTONIC },
	{ "select-fd",      by_select,       US, SELECT, true, CLOCK_MONOTONIC },
	{ "pselect-fd",     by_pselect,      1,  { SYS_pselect6, PSELECT_TIME }, false, CLOCK_MONOTONIC },
	{ "epoll_wait",     by_epoll_wait,   MS, EPOLL_WAIT, false, CLOCK_MONOTONIC },
	{ "epoll_pwait",    by_epoll_pwait,  MS, { SYS_epoll_pwait, SYS_epoll_pwait }, false, CLOCK_MONOTONIC },
	{ "epoll_pwait2",   by_epoll_pwait2, 1,  EPOLL_PWAIT2, false, CLOCK_MONOTONIC },
	{ "sem_timedwait",  by_sem,          1,  FUTEX, false, CLOCK_REALTIME },
	{ "sem_clockwait",  by_sem_clock,    1,  FUTEX, false, CLOCK_MONOTONIC },
	{ "cond_timedwait", by_cond,         1,  FUTEX, false, CLOCK_REALTIME },
	{ "cond_clockwait", by_cond_clock,   1,  FUTEX, false, CLOCK_MONOTONIC },
	{ "cnd_timedwait",  by_cnd,          1,  FUTEX, false, CLOCK_REALTIME },
	{ "futex",          by_futex,        1,  FUTEX, false, CLOCK_MONOTONIC },
	{ "futex-bitset",   by_futex_bitset, 1,  FUTEX, false, CLOCK_MONOTONIC },
	{ "futex-real",     by_futex_real,   1,  FUTEX, false, CLOCK_REALTIME },
};

const int waiters_n = sizeof(waiters) / sizeof(waiters[0]);

static void find(void *ret, const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	memcpy(ret, &found, sizeof(found));
}

bool waiters_open(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int ends[2];

	find(&waiter_epoll_pwait2, HAS_WIDE_TIME ? "__epoll_pwait2_time64" : "epoll_pwait2");
	find(&waiter_sem_clockwait, HAS_WIDE_TIME ? "__sem_clockwait64" : "sem_clockwait");
	find(&waiter_cond_clockwait, HAS_WIDE_TIME ? "__pthread_cond_clockwait64" : "pthread_cond_clockwait");
	epfd = epoll_create1(0);
	if (epfd < 0 || pipe(ends))
		return false;
	silent = ends[0];
	return !epoll_ctl(epfd, EPOLL_CTL_ADD, silent, &event) && !sem_init(&sem, 0, 0) &&
	       cnd_init(&cnd) == thrd_success && mtx_init(&mtx, mtx_plain) == thrd_success;
}

const struct sleeper *waiter_named(const char *name)
{
	for (int i = 0; i < waiters_n; i++)
		if (!strcmp(name, waiters[i].name))
			return &waiters[i];
	return NULL;
}

bool waiter_is_here(const struct sleeper *s)
{
	bool is_new = s->sleep == by_epoll_pwait2 || s->sleep == by_sem_clock || s->sleep == by_cond_clock;
	int64_t left_ns;

	return !is_new || s->sleep(0, &left_ns) != ENOSYS;
}

bool waiter_is_condition(const struct sleeper *s)
{
	return s->sleep == by_cond || s->sleep == by_cond_clock || s->sleep == by_cnd;
}
