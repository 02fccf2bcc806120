// SPDX-License-Identifier: MIT
/* Waits in the real kernel: their results, and that they do not end early. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "unit.h"

#include "machine/sys_clock.h"
#include "machine/futex.h"

#define NS_PER_MS INT64_C(1000000)

/* A time-out for waits that something else must end: a wait that lasts this long was not woken. */
#define LONG_NS (60 * INT64_C(1000000000))

static _Atomic uint32_t word, was_interrupted;

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
	assert_int_equal(hpt_futex_wait(&word, 1, CLOCK_MONOTONIC, before_ns + LONG_NS), 0);
	assert_int_equal(hpt_futex_wait(&word, 1, CLOCK_REALTIME, INT64_MAX), 0);
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

static void slack_is_the_threads_own(void **state)
{
	int before = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);

	(void)state;
	assert_int_equal(hpt_timer_slack_ns(), before);
	hpt_timer_slack_set_ns(12345);
	if (prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) != 12345)
		leave_out("a real-time thread has no slack");
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
		cmocka_unit_test(slack_is_the_threads_own),
	};

	random_start();
	return cmocka_run_group_tests_name("kernel wait", tests, NULL, NULL);
}
