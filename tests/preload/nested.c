// SPDX-License-Identifier: MIT
/*
 * Signal handlers that wait themselves, in the middle of a wait: neither is early, and each ends as it does without the
 * object. Also handlers that are interrupted in turn.
 */
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>

#include "process.h"
#include "waiters.h"

/* More signals would keep a thread in their handlers. */
#define HANDLERS 4

static const struct sleeper *inner;
static int64_t inner_ns;
static volatile sig_atomic_t handled, depth, deepest;

/* 0: no more. */
static void alarm_every(int64_t ns)
{
	struct itimerval it = { .it_value.tv_usec = (suseconds_t)(ns / US) }, once = it;

	it.it_interval = it.it_value;
	setitimer(ITIMER_REAL, &it, NULL);
	setitimer(ITIMER_VIRTUAL, &once, NULL);
}

/* ---- Waits in the handler ---------------------------------------------------------------------------------------- */

static int full, full_epfd; /* there is a byte */

static int event_by_poll(void)
{
	return poll(&(struct pollfd){ .fd = full, .events = POLLIN }, 1, 1000);
}

static int event_by_ppoll(void)
{
	return ppoll(&(struct pollfd){ .fd = full, .events = POLLIN }, 1, &(struct timespec){ .tv_sec = 1 }, NULL);
}

static int event_by_select(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(full, &set);
	return select(full + 1, &set, NULL, NULL, &(struct timeval){ .tv_sec = 1 });
}

static int event_by_epoll(void)
{
	struct epoll_event event;

	return epoll_wait(full_epfd, &event, 1, 1000);
}

/* Another signal may have taken it, but its handler has given it back. */
static int event_by_sem(void)
{
	static sem_t sem;
	static bool is_made;
	struct timespec until = time_after(CLOCK_REALTIME, S);

	if (!is_made)
		sem_init(&sem, 0, 1);
	is_made = true;
	return sem_timedwait(&sem, &until) ? -1 : !sem_post(&sem);
}

static int (*const events[])(void) = {
	event_by_poll, event_by_ppoll, event_by_select, event_by_epoll, event_by_sem,
};

/* They take no time, and the interrupted wait is for others. */
static void take_events(void)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		int r = events[i]();

		CHECK(r == 1 || (r == -1 && errno == EINTR), "event %zu in a handler: %d", i, r);
	}
}

static bool prepare(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int ends[2];

	full_epfd = epoll_create1(0);
	if (full_epfd < 0 || pipe(ends) || write(ends[1], "x", 1) != 1)
		return false;
	full = ends[0];
	return !epoll_ctl(full_epfd, EPOLL_CTL_ADD, full, &event);
}

static void check_inner(const struct sleeper *s, int64_t ns)
{
	int64_t began_ns = sleeper_clock_ns(s), left_ns;
	int r = s->sleep(ns, &left_ns);

	CHECK(r == EINTR || (!r && sleeper_clock_ns(s) - began_ns >= ns), "%s of %lld ns in a handler: %d",
	      s->name, (long long)ns, r);
}

static void on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	if (++handled == HANDLERS)
		alarm_every(0);
	if (++depth > deepest)
		deepest = depth;
	take_events();
	check_inner(inner, inner_ns);
	take_events();
	depth--;
	errno = saved;
}

/* Two signals, each of which may interrupt the other's handler. */
static void handle_both(void)
{
	struct sigaction a = { .sa_handler = on_signal };

	sigaction(SIGALRM, &a, NULL);
	sigaction(SIGVTALRM, &a, NULL);
}

/* ---- Waits that they interrupt ----------------------------------------------------------------------------------- */

/* Some handlers take longer than the time between signals, so that they follow each other at once. */
static void check_outer(const struct sleeper *s, int64_t ns)
{
	int64_t began_ns = sleeper_clock_ns(s), left_ns;
	int r;

	handled = 0;
	alarm_every(ns > MS ? 900 * US : 170 * US);
	r = s->sleep(ns, &left_ns);
	alarm_every(0);
	if (waiter_is_condition(s))
		CHECK(!r, "%s with handlers that wait by %s: %d", s->name, inner->name, r);
	CHECK(r == EINTR || !r, "%s with handlers that wait by %s: %d", s->name, inner->name, r);
	CHECK(r || sleeper_clock_ns(s) - began_ns >= ns, "%s of %lld ns is early with handlers that wait by %s",
	      s->name, (long long)ns, inner->name);
}

/* A handler may not take the mutex of a condition variable. */
static void each_in_each(void)
{
	for (int i = 0; i < waiters_n; i++)
		for (int k = 0; k < waiters_n; k++) {
			inner = &waiters[k];
			if (waiter_is_condition(inner) || !waiter_is_here(inner) || !waiter_is_here(&waiters[i]))
				continue;
			inner_ns = sleeper_round(inner, (k % 2 ? 60 : 5) * US);
			check_outer(&waiters[i], sleeper_round(&waiters[i], 400 * US));
			check_outer(&waiters[i], 4 * MS);
		}
}

/* The signal is there when its handler has to run: the first wait ends by it, in the handler it is blocked. */
static void the_result_is_the_interrupted_waits(void)
{
	for (int i = 0; i < waiters_n; i++) {
		const struct sleeper *s = &waiters[i];
		int64_t left_ns;
		int r;

		if (waiter_is_condition(s) || !waiter_is_here(s))
			continue;
		inner = s;
		inner_ns = 2 * MS;
		handled = 0;
		alarm_every(20 * MS);
		r = s->sleep(60 * S, &left_ns);
		alarm_every(0);
		CHECK(r == EINTR && handled, "%s with handlers that wait by it: %d", s->name, r);
	}
}

int main(void)
{
	if (!waiters_open() || !prepare())
		return skip("no descriptors here");
	handle_both();
	each_in_each();
	the_result_is_the_interrupted_waits();
	CHECK(deepest > 0, "no handler ran");
	return failures != 0;
}
