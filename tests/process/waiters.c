// SPDX-License-Identifier: MIT
/*
 * Waiters among real threads, signals and forks: each interrupt ends a sleep or stays pending for the next one,
 * whatever the sleeper does at that moment.
 *
 * usage: waiters kernel|spin|deadline|handler-kernel|handler-spin|storm INTERRUPTS | fork CHILDREN
 * A lost interrupt leaves a thread waiting: the alarm kills the test.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define LIMIT_S       240
#define CHILD_LIMIT_S 60
#define NS_PER_S      INT64_C(1000000000)

/* Interrupts come after a random part of this: mostly when the sleeper is in the kernel, sometimes before. */
#define DELAY_NS 120000

static hpt_waiter *waiter;
static long interrupts;

static long posted;       /* the interrupt's number; not atomic: an interrupt makes it visible to the thread it wakes */
static _Atomic long seen; /* the latest interrupt that ended a sleep */
static _Atomic bool stop;

static uint64_t random_state = 88172645463325252u;

static int64_t random_below(int64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (int64_t)(random_state % (uint64_t)n);
}

static pthread_t start(void *(*fn)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fn, arg)) {
		fprintf(stderr, "no thread\n");
		exit(1);
	}
	return thread;
}

static void await_seen(long n)
{
	while (atomic_load(&seen) < n)
		sched_yield();
}

/* The sleep reached its deadline. A positive result, counter and clock diverged, is right only in a new generation. */
static bool is_reached(int r)
{
	return !r || (r > 0 && hpt_clock_generation(NULL) != 1);
}

/* After a failure the two threads are out of step, and further rounds prove nothing. */
static void end_if_failed(void)
{
	if (failures)
		exit(1);
}

/* ---- From another thread ---------------------------------------------------------------------------------- */

typedef int sleep_fn(void);

static int sleep_in_kernel(void)
{
	return hpt_waiter_sleep_until_ticks(waiter, INT64_MAX);
}

/* Spins for an hour if nothing ends it. */
static int sleep_in_spin(void)
{
	return hpt_waiter_sleep_ns(waiter, 3600 * NS_PER_S);
}

/* Sleeps whose deadlines come at about the time of the interrupt. */
static int sleep_until_about_then(void)
{
	int r;

	do
		r = hpt_waiter_sleep_ns(waiter, DELAY_NS / 2);
	while (is_reached(r));
	return r;
}

static void *sleep_each_time(void *arg)
{
	sleep_fn *const *sleep = arg;

	for (long n = 1; n <= interrupts; n++) {
		errno = EXDEV;
		int r = (*sleep)();

		CHECK(r == -ECANCELED, "sleep %ld returned %d", n, r);
		CHECK(posted == n, "sleep %ld was ended by interrupt %ld", n, posted);
		CHECK(errno == EXDEV, "errno was touched");
		end_if_failed();
		atomic_store(&seen, n);
	}
	return NULL;
}

static void interrupt_each_sleep(sleep_fn *sleep, int64_t delay_ns)
{
	pthread_t sleeper = start(sleep_each_time, &sleep);

	for (long n = 1; n <= interrupts; n++) {
		hpt_sleep_ns(NULL, random_below(delay_ns));
		posted = n;
		CHECK(!hpt_waiter_interrupt(waiter), "no interrupt");
		await_seen(n);
	}
	pthread_join(sleeper, NULL);
	CHECK(!hpt_waiter_sleep_ns(waiter, 1000), "one interrupt too many");
}

static void kernel(void)
{
	interrupt_each_sleep(sleep_in_kernel, DELAY_NS);
}

static void spin(void)
{
	hpt_waiter_set_policy(waiter, HPT_SLEEP_SPIN, 0);
	interrupt_each_sleep(sleep_in_spin, DELAY_NS / 10);
}

static void deadline(void)
{
	interrupt_each_sleep(sleep_until_about_then, DELAY_NS);
}

/* ---- From a handler of the sleeper's own thread ------------------------------------------------------------ */

static void on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	errno = ELOOP;
	hpt_waiter_interrupt(waiter);
	if (errno != ELOOP)
		_exit(1);
	errno = saved;
}

static void *signal_each_time(void *arg)
{
	const pthread_t *sleeper = arg;

	for (long n = 1; n <= interrupts; n++) {
		hpt_sleep_ns(NULL, random_below(DELAY_NS));
		CHECK(!pthread_kill(*sleeper, SIGUSR1), "no signal");
		await_seen(n);
	}
	return NULL;
}

static void interrupt_by_handler(sleep_fn *sleep)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pthread_t self = pthread_self(), other;

	sigaction(SIGUSR1, &action, NULL);
	other = start(signal_each_time, &self);
	for (long n = 1; n <= interrupts; n++) {
		int r = sleep();

		CHECK(r == -ECANCELED, "sleep %ld returned %d", n, r);
		end_if_failed();
		atomic_store(&seen, n);
	}
	pthread_join(other, NULL);
	CHECK(!hpt_waiter_sleep_ns(waiter, 1000), "one interrupt too many");
}

static void handler_kernel(void)
{
	interrupt_by_handler(sleep_in_kernel);
}

static void handler_spin(void)
{
	hpt_waiter_set_policy(waiter, HPT_SLEEP_SPIN, 0);
	interrupt_by_handler(sleep_in_spin);
}

/* ---- Storm ------------------------------------------------------------------------------------------------- */

static atomic_long canceled;

/* A busy machine may run all the interrupts before the sleeper begins its first sleep: goes on until one has ended. */
static void *interrupt_all_the_time(void *arg)
{
	long *ret_made = arg;

	for (; *ret_made < interrupts || !atomic_load(&canceled); ++*ret_made) {
		hpt_waiter_interrupt(waiter);
		if (*ret_made % 64 == 0)
			sched_yield();
	}
	return NULL;
}

static void *clear_now_and_then(void *arg)
{
	while (!atomic_load(&stop)) {
		hpt_waiter_clear(waiter);
		hpt_sleep_ns(NULL, 50000);
	}
	return arg;
}

static void *sleep_all_the_time(void *arg)
{
	while (!atomic_load(&stop)) {
		int r = hpt_waiter_sleep_ns(waiter, random_below(DELAY_NS));
		int64_t left_ns = -1;

		if (r == -ECANCELED)
			atomic_fetch_add(&canceled, 1);
		CHECK(is_reached(r) || r == -ECANCELED, "a sleep returned %d", r);
		CHECK(!hpt_waiter_remaining_ns(waiter, &left_ns) && left_ns >= 0, "%lld ns are left",
		      (long long)left_ns);
	}
	return arg;
}

/* Whatever happened before: one interrupt ends one sleep. */
static void storm(void)
{
	long made[3] = { 0 }, all = 1; /* and the one below */
	pthread_t sleeper = start(sleep_all_the_time, NULL), clearer = start(clear_now_and_then, NULL), others[3];

	for (int i = 0; i < 3; i++)
		others[i] = start(interrupt_all_the_time, &made[i]);
	for (int i = 0; i < 3; i++) {
		pthread_join(others[i], NULL);
		all += made[i];
	}
	atomic_store(&stop, true);
	pthread_join(clearer, NULL);
	hpt_waiter_interrupt(waiter);
	pthread_join(sleeper, NULL);
	CHECK(canceled <= all, "%ld interrupts ended %ld sleeps", all, canceled);
	hpt_waiter_interrupt(waiter);
	CHECK(hpt_waiter_sleep_until_ticks(waiter, INT64_MAX) == -ECANCELED, "no interrupt is pending");
	CHECK(!hpt_waiter_sleep_ns(waiter, 1000), "one interrupt too many");
}

/* ---- Forks ------------------------------------------------------------------------------------------------- */

/* The child's own waiter, gate and ticker work although a thread of the parent sleeps. */
static int be_child(void)
{
	hpt_waiter *w = NULL;
	hpt_gate *g = NULL;
	hpt_ticker *t = NULL;

	alarm(CHILD_LIMIT_S);
	if (hpt_waiter_new(NULL, 0, &w) || hpt_gate_new(NULL, 0, &g) || hpt_ticker_new(NULL, 200000, 0, &t))
		return 1;
	if (hpt_waiter_sleep_ns(w, 200000) ||
	    hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), hpt_now_ns(NULL) + 200000) != -ETIMEDOUT)
		return 2;
	if (hpt_ticker_wait(t, NULL) || hpt_ticker_fd(t) < 0 || hpt_ticker_wait(t, NULL))
		return 3;
	if (hpt_waiter_interrupt(w) || hpt_waiter_sleep_until_ticks(w, INT64_MAX) != -ECANCELED)
		return 4;
	if (hpt_gate_shut(g) || hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), INT64_MAX) != -ESHUTDOWN)
		return 5;
	hpt_waiter_free(w);
	hpt_gate_free(g);
	hpt_ticker_free(t);
	return 0;
}

#define HOUR_NS (3600 * NS_PER_S)

static hpt_ticker *ticker; /* made by the parent, with a descriptor */

/* A thread of the parent sleeps on each: in the child no thread does, and the parent's timer is not touched (K11). */
static int use_inherited(void)
{
	int inherited = hpt_ticker_fd(ticker), fd;

	if (hpt_waiter_sleep_ns(waiter, 100000) || hpt_waiter_interrupt(waiter) ||
	    hpt_waiter_sleep_until_ticks(waiter, INT64_MAX) != -ECANCELED)
		return 6;
	if (hpt_ticker_start(ticker, hpt_now_ns(NULL), 100000) || hpt_ticker_wait(ticker, NULL) < 0 ||
	    hpt_ticker_wait(ticker, NULL) < 0)
		return 7;
	fd = hpt_ticker_fd(ticker);
	if (fd < 0 || fd != inherited || hpt_ticker_wait(ticker, NULL) < 0 || hpt_ticker_interrupt(ticker) ||
	    hpt_ticker_wait(ticker, NULL) != -ECANCELED)
		return 8;
	hpt_waiter_free(waiter);
	hpt_ticker_free(ticker);
	return 0;
}

static int64_t timer_left_ns(int fd)
{
	struct itimerspec its = { 0 };

	CHECK(!timerfd_gettime(fd, &its), "no timer");
	return its.it_value.tv_sec * NS_PER_S + its.it_value.tv_nsec;
}

static void *wait_once(void *arg)
{
	int *ret = arg;

	*ret = hpt_ticker_wait(ticker, NULL);
	return NULL;
}

static void *sleep_once(void *arg)
{
	int *ret = arg;

	*ret = sleep_in_kernel();
	return NULL;
}

static void forks(void)
{
	int result = 0, waited = 0, fd;
	pthread_t sleeper = start(sleep_once, &result), other;

	CHECK(!hpt_ticker_new(NULL, HOUR_NS, 0, &ticker), "no ticker");
	fd = hpt_ticker_fd(ticker);
	other = start(wait_once, &waited);
	for (long n = 0; n < interrupts; n++) {
		int status = 0;
		pid_t pid = fork();

		if (!pid)
			_exit(n % 2 ? use_inherited() : be_child());
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "no child");
		CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "child %ld ended with %#x", n, (unsigned)status);
	}
	CHECK(timer_left_ns(fd) > HOUR_NS / 2, "a child armed the parent's timer: %lld ns are left",
	      (long long)timer_left_ns(fd));
	hpt_waiter_interrupt(waiter);
	hpt_ticker_interrupt(ticker);
	pthread_join(sleeper, NULL);
	pthread_join(other, NULL);
	CHECK(result == -ECANCELED && waited == -ECANCELED, "the parent's sleeps returned %d and %d", result, waited);
	hpt_ticker_free(ticker);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void      (*run)(void);
	} modes[] = {
		{ "kernel", kernel },
		{ "spin", spin },
		{ "deadline", deadline },
		{ "handler-kernel", handler_kernel },
		{ "handler-spin", handler_spin },
		{ "storm", storm },
		{ "fork", forks },
	};

	interrupts = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	for (size_t i = 0; interrupts > 0 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		alarm(LIMIT_S);
		CHECK(!hpt_waiter_new(NULL, 0, &waiter), "no waiter");
		if (!failures)
			modes[i].run();
		hpt_waiter_free(waiter);
		return failures != 0;
	}
	fprintf(stderr, "usage: %s MODE AMOUNT\n", argv[0]);
	return 2;
}
