// SPDX-License-Identifier: MIT
/*
 * Each function is a cancellation point, in the kernel's wait as in a spin: the thread ends as cancelled, and its
 * clean-up handlers run. A thread that disabled cancellation sleeps on.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>

#include "process.h"
#include "sleeper.h"

static _Atomic int cleaned, passed_by;
static _Atomic bool is_there;

static void clean(void *arg)
{
	(void)arg;
	atomic_fetch_add(&cleaned, 1);
}

static void raw_pause(int64_t ns)
{
	struct timespec ts = timespec_of(ns);

	nanosleep(&ts, NULL);
}

static pthread_t start(void *(*run)(void *), const struct sleeper *s)
{
	pthread_t thread;

	atomic_store(&cleaned, 0);
	atomic_store(&passed_by, 0);
	atomic_store(&is_there, false);
	CHECK(!pthread_create(&thread, NULL, run, (void *)s), "no thread");
	return thread;
}

static void await_start(void)
{
	while (!atomic_load(&is_there))
		raw_pause(100 * US);
}

static void expect_cancelled(pthread_t thread, const char *name)
{
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);
	void *result = NULL;

	CHECK(!pthread_join(thread, &result) && result == PTHREAD_CANCELED, "%s is not cancelled", name);
	CHECK(atomic_load(&cleaned) == 1, "%s: %d clean-ups", name, atomic_load(&cleaned));
	CHECK(kernel_ns(CLOCK_MONOTONIC) - began_ns < 60 * S, "%s slept to its end", name);
}

/* ---- In the kernel's wait ------------------------------------------------------------------------------------- */

static void *sleep_long(void *arg)
{
	const struct sleeper *s = arg;
	int64_t left_ns;

	pthread_cleanup_push(clean, NULL);
	atomic_store(&is_there, true);
	s->sleep(100 * S, &left_ns);
	pthread_cleanup_pop(0);
	return NULL;
}

/* The thread has its clean-up handler first: a cancellation that is already there ends an asynchronous one at once. */
static void check_cancelled_asleep(void *(*run)(void *))
{
	for (int i = 0; i < sleepers_n; i++) {
		pthread_t thread = start(run, &sleepers[i]);

		await_start();
		raw_pause(10 * MS);
		pthread_cancel(thread);
		expect_cancelled(thread, sleepers[i].name);
	}
}

static void waits_are_cancelled(void)
{
	check_cancelled_asleep(sleep_long);
}

static void *sleep_long_asynchronously(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	return sleep_long(arg);
}

static void waits_are_cancelled_asynchronously(void)
{
	check_cancelled_asleep(sleep_long_asynchronously);
}

/* ---- Before the call ------------------------------------------------------------------------------------------- */

/* Also a sleep that is passed on because it is brief, and one that has nothing to wait for. */
static void *sleep_cancelled(void *arg)
{
	const struct sleeper *s = arg;
	int64_t left_ns;

	pthread_cleanup_push(clean, NULL);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	await_start();
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	s->sleep(sleeper_round(s, 80 * US), &left_ns);
	atomic_store(&passed_by, 1);
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancelled_threads_do_not_sleep(void)
{
	for (int i = 0; i < sleepers_n; i++) {
		pthread_t thread = start(sleep_cancelled, &sleepers[i]);

		pthread_cancel(thread);
		atomic_store(&is_there, true);
		expect_cancelled(thread, sleepers[i].name);
		CHECK(!atomic_load(&passed_by), "%s slept", sleepers[i].name);
	}
}

static void *sleep_uncancelled(void *arg)
{
	const struct sleeper *s = arg;
	int64_t left_ns, length_ns = sleeper_round(s, 30 * MS), began_ns = sleeper_clock_ns(s);
	int r;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	atomic_store(&is_there, true);
	r = s->sleep(length_ns, &left_ns);
	CHECK(!r && sleeper_clock_ns(s) - began_ns >= length_ns, "%s: %d", s->name, r);
	return arg;
}

static void disabled_cancellation_ends_nothing(void)
{
	for (int i = 0; i < sleepers_n; i++) {
		pthread_t thread = start(sleep_uncancelled, &sleepers[i]);
		void *result = NULL;

		await_start();
		pthread_cancel(thread);
		pthread_join(thread, &result);
		CHECK(result == &sleepers[i], "%s was cancelled", sleepers[i].name);
	}
}

/* ---- In spins --------------------------------------------------------------------------------------------------- */

/* Most of a sleep of 60 us is spun. */
static void *sleep_briefly_for_ever(void *arg)
{
	const struct sleeper *s = arg;
	int64_t left_ns;

	pthread_cleanup_push(clean, NULL);
	for (;;)
		s->sleep(sleeper_round(s, 60 * US), &left_ns);
	pthread_cleanup_pop(0);
	return NULL;
}

static void spins_are_cancelled(void)
{
	int slack = prctl(PR_GET_TIMERSLACK);

	for (int i = 0; i < 300; i++) {
		const struct sleeper *s = &sleepers[i % sleepers_n];
		pthread_t thread;

		if (s->unit_ns == S)
			continue;
		thread = start(sleep_briefly_for_ever, s);
		raw_pause((300 + i * 7) * US);
		pthread_cancel(thread);
		expect_cancelled(thread, s->name);
	}
	CHECK(prctl(PR_GET_TIMERSLACK) == slack, "the slack changed");
}

int main(void)
{
	waits_are_cancelled();
	waits_are_cancelled_asynchronously();
	cancelled_threads_do_not_sleep();
	disabled_cancellation_ends_nothing();
	spins_are_cancelled();
	return failures != 0;
}
