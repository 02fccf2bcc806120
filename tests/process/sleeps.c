// SPDX-License-Identifier: MIT
/*
 * Real sleeps: none ends early by the clock, and errno and the thread's timer slack stay unchanged. How late the sleeps
 * end is not checked here.
 *
 * usage: sleeps WAY SLEEPS, where WAY is a function that sleeps, or a situation in which all four are called:
 *        until | ns | unix | mixed | threads | fork | handler | signals | cancel
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define LIMIT_S  240
#define SLACK_NS 12345
#define THREADS  6

/* A step of the wall clock by this much or more may make a sleep look early. */
#define STEP_NS 100000

static _Atomic uint32_t early, diverged, errnos, refused;
static uint64_t generation;

/* ---- One sleep --------------------------------------------------------------------------------------- */

typedef int64_t sleep_fn(int64_t ns);

static void note_result(int result)
{
	if (result < 0)
		atomic_fetch_add(&refused, 1);
	if (result > 0)
		atomic_fetch_add(&diverged, 1);
	if (errno != EXDEV)
		atomic_fetch_add(&errnos, 1);
}

/* Each returns the time left by the clock: positive is early. If counter and clock diverged it returns 0. */
static int64_t by_until(int64_t ns)
{
	hpt_time_t deadline = hpt_now(NULL) + hpt_ns_to_ticks(NULL, ns);
	int result = hpt_sleep_until_ticks(NULL, deadline);
	hpt_time_t after = hpt_now(NULL);

	note_result(result);
	return result ? 0 : deadline - after;
}

static int64_t by_ns(int64_t ns)
{
	int64_t before = hpt_now_ns(NULL);
	int result = hpt_sleep_ns(NULL, ns);
	int64_t after = hpt_now_ns(NULL);

	note_result(result);
	return result ? 0 : ns - (after - before);
}

static int64_t unix_offset_ns(void)
{
	return clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
}

static int64_t by_unix(int64_t ns)
{
	int64_t offset_ns = unix_offset_ns(), at_ns = hpt_now_unix_ns(NULL) + ns, after, change_ns;
	int result = hpt_sleep_until_unix_ns(NULL, at_ns);

	after = hpt_now_unix_ns(NULL);
	note_result(result);
	if (result || after >= at_ns)
		return 0;
	change_ns = unix_offset_ns() - offset_ns;
	return change_ns > -STEP_NS && change_ns < STEP_NS ? at_ns - after : 0;
}

static sleep_fn *const ways[] = { by_until, by_ns, by_unix };
#define WAYS (sizeof(ways) / sizeof(ways[0]))

/* Vigna's xorshift64*. */
static uint64_t random_u64(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* Mostly up to 200 us, one in 500 up to 20 ms. */
static int64_t random_length_ns(uint64_t *state)
{
	uint64_t n = random_u64(state) >> 16;

	return (int64_t)(n % 500 ? n / 500 % 200000 : n / 500 % 20000000);
}

static void sleep_once(sleep_fn *fn, int64_t ns)
{
	int saved = errno;
	int64_t left;

	errno = EXDEV;
	left = fn(ns);
	if (left > 0)
		atomic_fetch_add(&early, 1);
	errno = saved;
}

/* fn NULL: all four in turn. */
static void sleep_often(sleep_fn *fn, long n, uint64_t seed)
{
	uint64_t state = seed * 2 + 1;

	for (long i = 0; i < n; i++)
		sleep_once(fn ? fn : ways[i % WAYS], random_length_ns(&state));
}

static bool has_slack(void)
{
	return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == SLACK_NS;
}

static int report(void)
{
	CHECK(!atomic_load(&early), "%u sleeps ended early", atomic_load(&early));
	CHECK(!atomic_load(&errnos), "%u times errno was touched", atomic_load(&errnos));
	CHECK(!atomic_load(&refused), "%u sleeps were refused", atomic_load(&refused));
	CHECK(has_slack(), "timer slack became %d", prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
	/* A machine that was suspended or restored meanwhile has another generation. */
	if (hpt_clock_generation(NULL) == generation)
		CHECK(!atomic_load(&diverged), "%u times counter and clock diverged within one generation",
		      atomic_load(&diverged));
	return failures != 0;
}

/* ---- Threads, children ------------------------------------------------------------------------------- */

static _Atomic uint32_t slacks;
static long each;

/* The creating thread is not asleep then, so the thread starts with the slack of its creator and must keep it. */
static void *sleep_in_thread(void *arg)
{
	bool had_slack = has_slack();

	sleep_often(NULL, each, (uintptr_t)arg);
	if (!had_slack || !has_slack())
		atomic_fetch_add(&slacks, 1);
	return NULL;
}

/* One thread after the other, so that each begins while others sleep. */
static int in_threads(long n)
{
	pthread_t threads[THREADS];

	each = n / THREADS;
	for (uintptr_t i = 0; i < THREADS; i++) {
		CHECK(!pthread_create(&threads[i], NULL, sleep_in_thread, (void *)(i + 1)), "no thread");
		sleep_often(NULL, 10, i);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK(!atomic_load(&slacks), "%u threads with other timer slack", atomic_load(&slacks));
	return report();
}

/* Children of a thread that has slept, forked while another thread sleeps. */
static int in_children(long n)
{
	pthread_t thread;

	each = n;
	CHECK(!pthread_create(&thread, NULL, sleep_in_thread, (void *)1), "no thread");
	for (int i = 0; i < 10; i++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid) {
			alarm(LIMIT_S);
			sleep_often(NULL, n / 10, (uint64_t)i);
			_exit(report());
		}
		sleep_often(NULL, n / 100, (uint64_t)i);
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && !status, "child: status %#x", (unsigned)status);
	}
	pthread_join(thread, NULL);
	return report();
}

/* ---- Signals ----------------------------------------------------------------------------------------- */

static _Atomic uint32_t handled;

static void sleep_in_handler(int sig)
{
	(void)sig;
	sleep_once(ways[atomic_fetch_add(&handled, 1) % WAYS], 50000);
}

static void count_signal(int sig)
{
	(void)sig;
	atomic_fetch_add(&handled, 1);
}

static int under_signals(void (*handler)(int), int every_us, long n)
{
	struct sigaction action = { .sa_handler = handler };
	struct itimerval timer = { .it_interval.tv_usec = every_us, .it_value.tv_usec = 1 }, off = { 0 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (long i = 0; i < n || !atomic_load(&handled); i++)
		sleep_once(ways[i % WAYS], i % 100 ? 1500000 : 20000000);
	setitimer(ITIMER_REAL, &off, NULL);
	printf("%u signals\n", atomic_load(&handled));
	return report();
}

static int on_top(long n)
{
	return under_signals(sleep_in_handler, 700, n);
}

static int storm(long n)
{
	return under_signals(count_signal, 100, n);
}

/* ---- Cancellation ------------------------------------------------------------------------------------ */

#define CANCELLED_NS 10000000

static _Atomic bool sleeps, has_slept, kept_slack, is_cancelled;

static void *be_cancelled(void *arg)
{
	int64_t ns = CANCELLED_NS;
	sleep_fn *const *fn = arg;

	atomic_store(&sleeps, true);
	sleep_once(*fn, ns);
	atomic_store(&kept_slack, has_slack());
	atomic_store(&has_slept, true);
	/* The cancelling thread may be late. sched_yield() is no cancellation point either. */
	while (!atomic_load(&is_cancelled))
		sched_yield();
	pthread_testcancel();
	return NULL;
}

static void cancel_one(sleep_fn *const *fn, useconds_t after_us)
{
	pthread_t thread;
	void *end;

	atomic_store(&sleeps, false);
	atomic_store(&has_slept, false);
	atomic_store(&is_cancelled, false);
	CHECK(!pthread_create(&thread, NULL, be_cancelled, (void *)(uintptr_t)fn), "no thread");
	while (!atomic_load(&sleeps))
		;
	usleep(after_us);
	pthread_cancel(thread);
	atomic_store(&is_cancelled, true);
	pthread_join(thread, &end);
	CHECK(end == PTHREAD_CANCELED, "not cancelled at the test after the sleep");
	CHECK(atomic_load(&has_slept) && atomic_load(&kept_slack), "cancelled within the sleep");
}

static int cancelled(long n)
{
	for (long i = 0; i < n; i++)
		cancel_one(&ways[i % WAYS], (useconds_t)(i * 37 % 9900));
	return report();
}

/* ---- All --------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	sleep_fn *fn;
	int (*run)(long n);
} tests[] = {
	{ "until", by_until, NULL },     { "ns", by_ns, NULL },
	{ "unix", by_unix, NULL },       { "mixed", NULL, NULL },     { "threads", NULL, in_threads },
	{ "fork", NULL, in_children },   { "handler", NULL, on_top }, { "signals", NULL, storm },
	{ "cancel", NULL, cancelled },
};

int main(int argc, char **argv)
{
	long n = argc == 3 ? atol(argv[2]) : 0;

	alarm(LIMIT_S);
	prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0);
	if (!has_slack())
		return skip("no timer slack here: a real-time thread, or a sandbox");
	generation = hpt_clock_generation(NULL);
	for (size_t i = 0; n > 0 && i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (strcmp(argv[1], tests[i].name))
			continue;
		if (tests[i].run)
			return tests[i].run(n);
		sleep_often(tests[i].fn, n, (uint64_t)clock_ns(CLOCK_MONOTONIC));
		return report();
	}
	fprintf(stderr, "usage: sleeps until|ns|unix|mixed|threads|fork|handler|signals|cancel SLEEPS\n");
	return 2;
}
