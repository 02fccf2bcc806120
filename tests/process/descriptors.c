// SPDX-License-Identifier: MIT
/*
 * Waits for descriptors among real threads: each event ends a wait or is there for the next one, whatever the waiting
 * thread does at that moment, and no time-out is early.
 *
 * usage: descriptors poll|epoll|edge|interrupt [spin] EVENTS    (spin: by HPT_SLEEP_SPIN, so that all waits spin)
 * A lost event leaves a thread waiting: the alarm kills the test.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wait.h>

#include "process.h"

#define LIMIT_S 840

/* Events come after a random part of this, and deadlines too: about as long as a margin. */
#define DELAY_NS 200000

enum kind { POLL, EPOLL, EDGE, INTERRUPT };

static enum kind kind;
static long events;
static int ends[2], epfd;
static hpt_waiter *waiter;
static _Atomic long seen; /* events that ended a wait */

/* xorshift64, each thread by a state of its own. */
static int64_t random_below(uint64_t *state, int64_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (int64_t)(*state % (uint64_t)n);
}

static void make_event(void)
{
	if (kind == INTERRUPT)
		CHECK(!hpt_waiter_interrupt(waiter), "interrupt");
	else
		CHECK(write(ends[1], "x", 1) == 1, "write: %s", strerror(errno));
}

/* An event, once the one before it was seen. Half of the delays are spun, so that the CPU stays warm. */
static void *produce(void *arg)
{
	uint64_t state = 88172645463325252u;

	(void)arg;
	for (long i = 0; i < events; i++) {
		int64_t delay_ns = random_below(&state, DELAY_NS), until_ns = hpt_now_ns(NULL) + delay_ns;

		while (atomic_load(&seen) < i)
			sched_yield();
		if (i & 1)
			hpt_sleep_until_ns(NULL, until_ns);
		while (hpt_now_ns(NULL) < until_ns)
			;
		make_event();
	}
	return NULL;
}

/* As the waits: above 0, or 0; an interrupt is an event too. */
static int wait_until(int64_t at_ns)
{
	struct pollfd set = { .fd = kind == INTERRUPT ? hpt_waiter_fd(waiter) : ends[0], .events = POLLIN };
	struct epoll_event event;
	int r;

	if (kind == POLL || kind == INTERRUPT)
		r = hpt_waiter_poll_until_ns(waiter, &set, 1, at_ns);
	else
		r = hpt_waiter_epoll_until_ns(waiter, epfd, &event, 1, at_ns);
	if (kind == INTERRUPT && r > 0)
		r = hpt_waiter_poll_until_ns(waiter, &set, 1, INT64_MAX); /* it has begun */
	return r == -ECANCELED ? 1 : r;
}

static void take_event(void)
{
	char c;

	if (kind != INTERRUPT)
		CHECK(read(ends[0], &c, 1) == 1, "an event without a byte: %s", strerror(errno));
	atomic_fetch_add(&seen, 1);
}

static void consume(void)
{
	uint64_t state = 362436069362436069u;
	long expired = 0;

	for (long taken = 0; taken < events && !failures;) {
		int64_t at_ns = hpt_now_ns(NULL) + random_below(&state, DELAY_NS);
		int r = wait_until(at_ns);

		CHECK(r >= 0, "%s", strerror(-r));
		if (r > 0) {
			take_event();
			taken++;
			continue;
		}
		CHECK(hpt_now_ns(NULL) >= at_ns, "%ld ns early", (long)(at_ns - hpt_now_ns(NULL)));
		expired++;
	}
	printf("%ld events, %ld time-outs\n", atomic_load(&seen), expired);
}

static bool prepare(void)
{
	struct epoll_event in = { .events = EPOLLIN | (kind == EDGE ? EPOLLET : 0) };

	epfd = epoll_create1(0);
	return !pipe(ends) && !fcntl(ends[0], F_SETFL, O_NONBLOCK) && epfd >= 0 &&
	       !epoll_ctl(epfd, EPOLL_CTL_ADD, ends[0], &in) && !hpt_waiter_new(NULL, 0, &waiter);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "poll", "epoll", "edge", "interrupt" };
	pthread_t producer;

	if (argc < 3)
		return 2;
	if (argc > 3)
		CHECK(!hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0), "policy");
	while (kind < INTERRUPT && strcmp(argv[1], names[kind]))
		kind++;
	events = atol(argv[argc - 1]);
	if (!prepare())
		return skip("no descriptors");
	alarm(LIMIT_S);
	if (pthread_create(&producer, NULL, produce, NULL))
		return 1;
	consume();
	if (failures)
		return 1; /* the threads are out of step */
	pthread_join(producer, NULL);
	hpt_waiter_free(waiter);
	return 0;
}
