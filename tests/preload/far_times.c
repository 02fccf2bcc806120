// SPDX-License-Identifier: MIT
/*
 * Times of which the last 32 bits are a time that has passed, or none: each function waits on, until a signal or its
 * event comes. What remains has all bits.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>

#include "process.h"
#include "waiters.h"

#define HOUR_NS  (3600 * S)
#define EVERY_US 20000

static const int64_t far_ns[] = { (INT64_C(1) << 31) * S, (INT64_C(1) << 32) * S };

#define FAR (sizeof(far_ns) / sizeof(far_ns[0]))

static void on_alarm(int sig)
{
	(void)sig;
}

/* Again and again: one may come before the wait that it is for. */
static void send_alarms(void)
{
	struct timeval tv = { .tv_usec = EVERY_US };
	struct itimerval it = { .it_value = tv, .it_interval = tv };
	struct sigaction a = { .sa_handler = on_alarm };

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
}

/* ---- Those that a signal ends --------------------------------------------------------------------------------- */

static void check_interrupted(const struct sleeper *s, int64_t ns)
{
	int64_t left_ns;
	int r = s->sleep(ns, &left_ns);

	CHECK(r == EINTR, "%s of %lld ns: %d", s->name, (long long)ns, r);
	if (s->writes_left)
		CHECK(left_ns <= ns && left_ns > ns - HOUR_NS, "%s of %lld ns has %lld left", s->name, (long long)ns,
		      (long long)left_ns);
	else
		CHECK(left_ns == UNTOLD, "%s wrote %lld back", s->name, (long long)left_ns);
}

static void far_sleeps_go_on(void)
{
	static const char *const names[] = {
		"nanosleep", "monotonic", "real", "monotonic-abs", "real-abs", "thrd_sleep", "select", "pselect",
		"ppoll",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t k = 0; k < FAR; k++)
			check_interrupted(sleeper_named(names[i]), far_ns[k]);
}

static void far_waits_go_on(void)
{
	static const char *const names[] = {
		"ppoll-fd", "select-fd", "pselect-fd", "epoll_pwait2", "sem_timedwait", "sem_clockwait",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t k = 0; k < FAR; k++)
			if (waiter_is_here(waiter_named(names[i])))
				check_interrupted(waiter_named(names[i]), far_ns[k]);
}

static void nothing_is_written_where_nothing_remains(void)
{
	struct timespec far = timespec_of(far_ns[0] - S);

	CHECK(nanosleep(&far, NULL) == -1 && errno == EINTR, "nanosleep");
	CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &far, NULL) == EINTR, "clock_nanosleep");
	CHECK(thrd_sleep(&far, NULL) == -1, "thrd_sleep");
}

/* ---- Those that an event alone ends --------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static mtx_t mtx;
static cnd_t cnd;
static bool is_sent; /* with the mutex */
static _Atomic bool is_over;

/* A moment after the mutex is free, the other thread waits. */
static void *send_signals(void *unused)
{
	struct timespec moment = timespec_of(EVERY_US * US);

	while (!atomic_load(&is_over)) {
		nanosleep(&moment, NULL);
		pthread_mutex_lock(&mutex);
		mtx_lock(&mtx);
		is_sent = true;
		mtx_unlock(&mtx);
		pthread_mutex_unlock(&mutex);
		pthread_cond_signal(&cond);
		cnd_signal(&cnd);
	}
	return unused;
}

/* 0: the signal. */
static int wait_for_cond(clockid_t id, int64_t ns)
{
	struct timespec until = time_after(id, ns);
	int r = 0;

	pthread_mutex_lock(&mutex);
	is_sent = false;
	while (!r && !is_sent)
		r = id == CLOCK_REALTIME ? pthread_cond_timedwait(&cond, &mutex, &until) :
		    waiter_cond_clockwait(&cond, &mutex, id, &until);
	pthread_mutex_unlock(&mutex);
	return r;
}

static int wait_for_cnd(int64_t ns)
{
	struct timespec until = time_after(CLOCK_REALTIME, ns);
	int r = thrd_success;

	mtx_lock(&mtx);
	is_sent = false;
	while (r == thrd_success && !is_sent)
		r = cnd_timedwait(&cnd, &mtx, &until);
	mtx_unlock(&mtx);
	return r;
}

static void far_waits_for_signals_go_on(void)
{
	pthread_t thread;

	CHECK(mtx_init(&mtx, mtx_plain) == thrd_success && cnd_init(&cnd) == thrd_success &&
	      !pthread_create(&thread, NULL, send_signals, NULL), "no thread");
	for (size_t k = 0; k < FAR; k++) {
		CHECK(!wait_for_cond(CLOCK_REALTIME, far_ns[k]), "pthread_cond_timedwait %zu", k);
		CHECK(!waiter_is_here(waiter_named("cond_clockwait")) || !wait_for_cond(CLOCK_MONOTONIC, far_ns[k]),
		      "pthread_cond_clockwait %zu", k);
		CHECK(wait_for_cnd(far_ns[k]) == thrd_success, "cnd_timedwait %zu", k);
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
}

int main(void)
{
	if (sizeof(time_t) == sizeof(int32_t))
		return skip("times have 32 bits");
	if (!waiters_open())
		return skip("no descriptors");
	far_waits_for_signals_go_on();
	send_alarms();
	far_sleeps_go_on();
	far_waits_go_on();
	nothing_is_written_where_nothing_remains();
	return failures != 0;
}
