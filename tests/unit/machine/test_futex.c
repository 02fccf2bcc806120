// SPDX-License-Identifier: MIT
/* Waits in the real kernel: their results, and that they do not end early. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "unit.h"

#include "machine/env.h"
#include "machine/sys_clock.h"
#include "machine/futex.h"

#define NS_PER_MS INT64_C(1000000)

/* A time-out for waits that something else must end: a wait that lasts this long was not woken. */
#define LONG_NS (60 * INT64_C(1000000000))

static _Atomic uint32_t word, was_interrupted;

/* The 64-bit calls of a 32-bit machine; elsewhere the old ones again. */
#ifdef SYS_futex_time64
#define NEW_FUTEX     SYS_futex_time64
#define NEW_NANOSLEEP SYS_clock_nanosleep_time64
#else
#define NEW_FUTEX     SYS_futex
#define NEW_NANOSLEEP SYS_clock_nanosleep
#endif

static const int errors[] = { ENOSYS, EPERM, EACCES, EINVAL, EIO };

/* System calls that syscall() refuses, as a sandbox does. */
static _Atomic long refused[4];
static _Atomic int refusal; /* errno; 0: all are allowed */
static _Atomic uint32_t naps, refusals;

long syscall(long number, ...)
{
	static long (*_Atomic real)(long number, ...);
	long (*call)(long number, ...) = real;
	long args[6];
	va_list list;

	va_start(list, number);
	for (size_t i = 0; i < COUNT(args); i++)
		args[i] = va_arg(list, long);
	va_end(list);
	for (size_t i = 0; i < COUNT(refused); i++)
		if (refusal && refused[i] == number) {
			errno = refusal;
			refusals++;
			return -1;
		}
	naps += number == SYS_clock_nanosleep;
	if (!call) {
		void *found = dlsym(RTLD_NEXT, "syscall");

		memcpy(&call, &found, sizeof(call));
		real = call;
	}
	return call(number, args[0], args[1], args[2], args[3], args[4], args[5]);
}

static void refuse_calls(long a, long b, int error)
{
	refused[0] = a;
	refused[1] = b;
	refused[2] = refused[3] = 0;
	refusal = error;
}

static int64_t now_ns(clockid_t id)
{
	int64_t ns = 0;

	assert_true(hpt_sys_clock_ns(id, &ns));
	return ns;
}

static void wait_ends_at_its_time_and_not_before(void **state)
{
	static const clockid_t ids[] = { CLOCK_MONOTONIC, CLOCK_REALTIME };

	(void)state;
	for (int i = 0; i < 200; i++) {
		clockid_t id = ids[i % 2];
		int64_t until_ns = now_ns(id) + (int64_t)random_below(NS_PER_MS);

		assert_int_equal(hpt_futex_wait(&word, 0, id, until_ns), -ETIMEDOUT);
		assert_true(now_ns(id) >= until_ns);
	}
}

static void past_times_are_over(void **state)
{
	static const int64_t past_ns[] = { 0, 1, -1, INT64_MIN, NS_PER_MS };

	(void)state;
	for (size_t i = 0; i < COUNT(past_ns); i++) {
		assert_int_equal(hpt_futex_wait(&word, 0, CLOCK_MONOTONIC, past_ns[i]), -ETIMEDOUT);
		assert_int_equal(hpt_futex_wait(&word, 0, CLOCK_REALTIME, past_ns[i]), -ETIMEDOUT);
	}
}

static void word_of_another_value_is_not_waited_for(void **state)
{
	int64_t before_ns = now_ns(CLOCK_MONOTONIC);

	(void)state;
	naps = 0;
	assert_int_equal(hpt_futex_wait(&word, 1, CLOCK_MONOTONIC, before_ns + LONG_NS), 0);
	assert_int_equal(hpt_futex_wait(&word, 1, CLOCK_REALTIME, INT64_MAX), 0);
	assert_int_equal(naps, 0);
	assert_true(now_ns(CLOCK_MONOTONIC) - before_ns < LONG_NS);
}

static void *ring(void *arg)
{
	(void)arg;
	usleep(2000);
	atomic_store(&word, 1);
	errno = ELOOP;
	hpt_futex_wake(&word);
	return (void *)(uintptr_t)(errno == ELOOP);
}

/* Repeatedly, because a signal that comes too early finds no wait yet. */
static void *keep_interrupting(void *arg)
{
	pthread_t *whom = arg;

	while (!atomic_load(&was_interrupted)) {
		usleep(2000);
		pthread_kill(*whom, SIGUSR1);
	}
	return NULL;
}

static void wake_ends_a_wait(void **state)
{
	static const int64_t until_ns[] = { INT64_MAX, INT64_MAX / 2 };
	pthread_t thread;
	void *kept;

	(void)state;
	for (size_t i = 0; i < COUNT(until_ns); i++) {
		atomic_store(&word, 0);
		assert_int_equal(pthread_create(&thread, NULL, ring, NULL), 0);
		assert_int_equal(hpt_futex_wait(&word, 0, i ? CLOCK_REALTIME : CLOCK_MONOTONIC, until_ns[i]), 0);
		assert_int_equal(atomic_load(&word), 1);
		pthread_join(thread, &kept);
		assert_true(kept != NULL);
	}
	atomic_store(&word, 0);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void handlers_end_a_wait(void **state)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, old;
	pthread_t self = pthread_self(), thread;

	(void)state;
	sigaction(SIGUSR1, &action, &old);
	assert_int_equal(pthread_create(&thread, NULL, keep_interrupting, &self), 0);
	assert_int_equal(hpt_futex_wait(&word, 0, CLOCK_MONOTONIC, now_ns(CLOCK_MONOTONIC) + LONG_NS), -EINTR);
	atomic_store(&was_interrupted, 1);
	pthread_join(thread, NULL);
	sigaction(SIGUSR1, &old, NULL);
}

static void durations_are_waited_for(void **state)
{
	(void)state;
	refuse_calls(0, 0, 0);
	for (int i = 0; i < 100; i++) {
		int64_t ns = (int64_t)random_below(NS_PER_MS), before_ns = now_ns(CLOCK_MONOTONIC);

		assert_int_equal(hpt_futex_wait(&word, 0, HPT_DURATION, ns), -ETIMEDOUT);
		assert_true(now_ns(CLOCK_MONOTONIC) - before_ns >= ns);
	}
	assert_int_equal(hpt_futex_wait(&word, 1, HPT_DURATION, LONG_NS), 0);
	assert_int_equal(hpt_futex_wait(&word, 0, HPT_DURATION, -1), -ETIMEDOUT);
}

/* ---- Refused calls ---------------------------------------------------------------------------------------------- */

static void refused_futexes_leave_sleeps_in_pieces(void **state)
{
	int64_t before_ns = now_ns(CLOCK_MONOTONIC);

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		refuse_calls(SYS_futex, NEW_FUTEX, errors[i]);
		assert_int_equal(hpt_futex_wait(&word, 0, HPT_DURATION, 5 * NS_PER_MS), -ETIMEDOUT);
		assert_true(now_ns(CLOCK_MONOTONIC) - before_ns >= 5 * NS_PER_MS);
		before_ns = now_ns(CLOCK_MONOTONIC);
		assert_int_equal(hpt_futex_wait(&word, 0, CLOCK_MONOTONIC, before_ns + LONG_NS), 0);
		assert_true(now_ns(CLOCK_MONOTONIC) - before_ns >= NS_PER_MS);
		assert_int_equal(hpt_futex_wait(&word, 0, CLOCK_MONOTONIC, before_ns), -ETIMEDOUT);
		assert_int_equal(hpt_futex_wait(&word, 1, HPT_DURATION, LONG_NS), 0);
		before_ns = now_ns(CLOCK_MONOTONIC);
	}
	refuse_calls(0, 0, 0);
}

static void waits_that_are_all_refused_say_so(void **state)
{
	(void)state;
	refuse_calls(SYS_futex, NEW_FUTEX, EPERM);
	refused[2] = SYS_clock_nanosleep;
	refused[3] = NEW_NANOSLEEP;
	refusals = 0;
	assert_int_equal(hpt_futex_wait(&word, 0, HPT_DURATION, LONG_NS), -EPERM);
	assert_in_range(refusals, 2, 4); /* of each call, and of its 64-bit one, once */
	assert_int_equal(hpt_futex_wait(&word, 0, CLOCK_MONOTONIC, INT64_MAX), -EPERM);
	refuse_calls(0, 0, 0);
}

#ifdef SYS_futex_time64
/* A sandbox that is older than the 64-bit calls answers them by any error: the old ones wait as well. */
static void old_calls_wait_where_the_new_ones_are_refused(void **state)
{
	for (size_t i = 0; i < COUNT(errors); i++) {
		refuse_calls(NEW_FUTEX, NEW_NANOSLEEP, errors[i]);
		naps = 0;
		past_times_are_over(state);
		word_of_another_value_is_not_waited_for(state);
		wake_ends_a_wait(state);
		assert_int_equal(hpt_futex_wait(&word, 0, HPT_DURATION, 3 * NS_PER_MS), -ETIMEDOUT);
		assert_int_equal(naps, 0);
		refused[2] = SYS_futex;
		assert_int_equal(hpt_futex_wait(&word, 0, HPT_DURATION, 3 * NS_PER_MS), -ETIMEDOUT);
		assert_int_equal(naps, 3);
	}
	refuse_calls(0, 0, 0);
}
#endif

static void slack_is_the_threads_own(void **state)
{
	int before = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);

	(void)state;
	assert_int_equal(hpt_timer_slack_ns(), before);
	prctl(PR_SET_TIMERSLACK, 4711UL, 0, 0, 0);
	if (prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) != 4711)
		leave_out("a real-time thread has no slack");
	hpt_timer_slack_set_ns(12345);
	assert_int_equal(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), 12345);
	assert_int_equal(hpt_timer_slack_ns(), 12345);
	hpt_timer_slack_set_ns(before);
	assert_int_equal(hpt_timer_slack_ns(), before);
#if LONG_MAX > INT32_MAX /* services may have a slack of seconds; prctl() returns an int, also QEMU's emulation of it */
	hpt_timer_slack_set_ns(5000000001);
	assert_true(hpt_timer_slack_ns() == 5000000001 || is_emulated());
	hpt_timer_slack_set_ns(before);
#endif
	assert_int_equal(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wait_ends_at_its_time_and_not_before),
		cmocka_unit_test(past_times_are_over),
		cmocka_unit_test(word_of_another_value_is_not_waited_for),
		cmocka_unit_test(wake_ends_a_wait),
		cmocka_unit_test(handlers_end_a_wait),
		cmocka_unit_test(durations_are_waited_for),
		cmocka_unit_test(refused_futexes_leave_sleeps_in_pieces),
		cmocka_unit_test(waits_that_are_all_refused_say_so),
#ifdef SYS_futex_time64
		cmocka_unit_test(old_calls_wait_where_the_new_ones_are_refused),
#endif
		cmocka_unit_test(slack_is_the_threads_own),
	};

	random_start();
	return cmocka_run_group_tests_name("kernel wait", tests, NULL, NULL);
}
