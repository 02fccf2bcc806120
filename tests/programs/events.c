// SPDX-License-Identifier: MIT
/*
 * events KIND N WHEN: one thread waits N times for 1 ms by KIND: cond, poll, epoll or sem. Another one, on a CPU of its
 * own, ends waits by an event: each, in its first 0.85 ms (WHEN is "any"), or each eighth, in its last 0.1 ms ("last").
 * Prints for each event that ended its wait how long after the sending the wait had returned, in ns.
 */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define WAIT_NS 1000000

/* The sender is awake that long before its event: longer than a CPU takes to come out of idle. */
#define AWAKE_NS 60000

/* Not counted: what is learned, loaded and cached first. */
#define WARM_UP 50

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static bool is_signalled;
static int ends[2], epoll, wanted;
static sem_t sem;

/* Of the wait in progress: when its event is due, passed on by the eventfd, and was sent, passed on by is_sent. */
static int64_t due_ns, sent_ns;
static _Atomic bool is_sent, is_over;

static int64_t now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static struct timespec at(int64_t ns)
{
	return (struct timespec){ ns / 1000000000, ns % 1000000000 };
}

static void need(bool is_well, const char *what)
{
	if (is_well)
		return;
	perror(what);
	exit(1);
}

/* ---- The kinds. wait() is true if the event ended it; clear() takes one that came too late. ---------------------- */

static bool wait_cond(void)
{
	struct timespec end = at(now_ns(CLOCK_MONOTONIC) + WAIT_NS);
	bool ret;

	pthread_mutex_lock(&mutex);
	while (!is_signalled && !pthread_cond_timedwait(&cond, &mutex, &end))
		;
	ret = is_signalled;
	is_signalled = false;
	pthread_mutex_unlock(&mutex);
	return ret;
}

static void send_cond(void)
{
	pthread_mutex_lock(&mutex);
	is_signalled = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
}

static void clear_cond(void)
{
	pthread_mutex_lock(&mutex);
	is_signalled = false;
	pthread_mutex_unlock(&mutex);
}

static bool wait_poll(void)
{
	struct pollfd p = { .fd = ends[0], .events = POLLIN };

	return poll(&p, 1, 1) > 0;
}

static bool wait_epoll(void)
{
	struct epoll_event event;

	return epoll_wait(epoll, &event, 1, 1) > 0;
}

static void send_byte(void)
{
	need(write(ends[1], "x", 1) == 1, "write");
}

static void clear_byte(void)
{
	char byte;

	need(read(ends[0], &byte, 1) == 1, "read");
}

static bool wait_sem(void)
{
	struct timespec end = at(now_ns(CLOCK_REALTIME) + WAIT_NS);

	return !sem_timedwait(&sem, &end);
}

static void send_sem(void)
{
	sem_post(&sem);
}

static void clear_sem(void)
{
	need(!sem_trywait(&sem), "sem_trywait");
}

static const struct kind {
	const char *name;
	bool (*wait)(void);
	void (*send)(void), (*clear)(void);
	bool clears_always;             /* the wait leaves its event */
} kinds[] = {
	{ "cond", wait_cond, send_cond, clear_cond, false },
	{ "poll", wait_poll, send_byte, clear_byte, true },
	{ "epoll", wait_epoll, send_byte, clear_byte, true },
	{ "sem", wait_sem, send_sem, clear_sem, false },
};

/* ---- The sender -------------------------------------------------------------------------------------------------- */

/* The nth CPU that this process may use. */
static void stay_on(int n)
{
	cpu_set_t all, one;

	need(!sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && !n--)
			CPU_SET(cpu, &one);
	need(!sched_setaffinity(0, sizeof(one), &one), "two CPUs");
}

/* It sleeps by a timerfd and an eventfd, which "hpt run" leaves alone: the waiter alone is served. */
static void *sender(void *arg)
{
	const struct kind *kind = arg;
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	uint64_t n;

	stay_on(1);
	for (;;) {
		struct itimerspec awake = { 0 };

		need(read(wanted, &n, sizeof(n)) == (ssize_t)sizeof(n), "eventfd");
		if (is_over)
			return NULL;
		awake.it_value = at(due_ns - AWAKE_NS);
		need(!timerfd_settime(timer, TFD_TIMER_ABSTIME, &awake, NULL), "timerfd");
		need(read(timer, &n, sizeof(n)) == (ssize_t)sizeof(n), "timerfd");
		while (now_ns(CLOCK_MONOTONIC) < due_ns)
			;
		sent_ns = now_ns(CLOCK_MONOTONIC);
		kind->send();
		is_sent = true;
	}
}

/* ---- The waiter -------------------------------------------------------------------------------------------------- */

static uint64_t random_below(uint64_t n)
{
	static uint64_t state = 88172645463325252; /* xorshift64, Marsaglia 2003 */

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

/* How long after the sending the wait had returned; -1: no event ended it. */
static int64_t wait_once(const struct kind *kind, int64_t after_ns)
{
	bool has_come;
	int64_t end_ns;

	is_sent = false;
	if (after_ns >= 0) {
		due_ns = now_ns(CLOCK_MONOTONIC) + after_ns;
		eventfd_write(wanted, 1);
	}
	has_come = kind->wait();
	end_ns = now_ns(CLOCK_MONOTONIC);
	while (after_ns >= 0 && !is_sent)
		sched_yield();
	if (after_ns >= 0 && (kind->clears_always || !has_come))
		kind->clear();
	return has_come ? end_ns - sent_ns : -1;
}

static void prepare(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&cond, &monotonic);
	sem_init(&sem, 0, 0);
	wanted = eventfd(0, EFD_CLOEXEC);
	epoll = epoll_create1(EPOLL_CLOEXEC);
	need(wanted >= 0 && epoll >= 0 && !pipe(ends), "descriptors");
	need(!epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event), "epoll_ctl");
}

static void run(const struct kind *kind, long n, bool is_last)
{
	pthread_t thread;

	prepare();
	need(!pthread_create(&thread, NULL, sender, (void *)(uintptr_t)kind), "thread");
	stay_on(0);
	for (long i = 0; i < n; i++) {
		int64_t after_ns = is_last ? 900000 + (int64_t)random_below(95000) : (int64_t)random_below(850000);
		int64_t took_ns = wait_once(kind, is_last && i % 8 ? -1 : after_ns);

		if (took_ns >= 0 && i >= WARM_UP)
			printf("%lld\n", (long long)took_ns);
	}
	is_over = true;
	eventfd_write(wanted, 1);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	bool is_last = argc == 4 && !strcmp(argv[3], "last");
	long n = argc == 4 ? atol(argv[2]) : 0;

	for (size_t i = 0; n > 0 && (is_last || !strcmp(argv[3], "any")) && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name)) {
			run(&kinds[i], n, is_last);
			return 0;
		}
	fprintf(stderr, "usage: events cond|poll|epoll|sem N any|last\n");
	return 2;
}
