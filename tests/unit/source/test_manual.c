// SPDX-License-Identifier: MIT
/* The counter of a manual clock: its count of sleepers, and its memory. */
#include "manual_world.h"

#include <sys/wait.h>
#include <unistd.h>

static struct hpt_manual *counter(void)
{
	return hpt_manual_of(&clk->src);
}

static uint32_t value(void)
{
	return hpt_eventcount_value(&counter()->eventcount);
}

static bool enter(uint32_t v)
{
	return hpt_manual_enter(counter(), v, &no_clocks);
}

static void other_sources_have_none(void **state)
{
	(void)state;
	assert_null(hpt_manual_of(&hpt_clock_default()->src));
	hpt_own_time_notify(NULL, &no_clocks);
}

static void sleepers_are_counted_since_the_latest_notification(void **state)
{
	uint32_t v = value();

	(void)state;
	assert_true(enter(v));
	assert_true(enter(v));
	assert_int_equal(hpt_clock_sleepers(clk), 2);
	hpt_manual_leave(counter(), v);
	assert_int_equal(hpt_clock_sleepers(clk), 1);
	advance(1);
	assert_int_equal(hpt_clock_sleepers(clk), 0);
	assert_false(enter(v)); /* it has not seen the advance */
	assert_int_equal(hpt_clock_sleepers(clk), 0);
	assert_true(enter(v + 1));
	hpt_manual_leave(counter(), v); /* one that was woken */
	assert_int_equal(hpt_clock_sleepers(clk), 1);
	hpt_own_time_notify(&counter()->eventcount, &no_clocks);
	assert_int_equal(hpt_clock_sleepers(clk), 0);
	assert_true(enter(v + 2));
	hpt_manual_leave(counter(), v + 2);
}

static void count_survives_the_values_wrap(void **state)
{
	(void)state;
	hpt_eventcount_notify(&counter()->eventcount, UINT32_MAX - value(), &no_clocks);
	assert_true(enter(UINT32_MAX));
	assert_int_equal(hpt_clock_sleepers(clk), 1);
	advance(1);
	assert_int_equal(hpt_clock_sleepers(clk), 0);
	assert_true(enter(0));
	assert_int_equal(hpt_clock_sleepers(clk), 1);
	advance(1);
}

static void a_notification_counts_whatever_was_advanced(void **state)
{
	uint32_t v = value();

	(void)state;
	assert_int_equal(hpt_clock_advance(clk, -1), -ERANGE);
	assert_int_equal(value(), v);
	advance(0);
	assert_int_equal(value(), v + 1);
}

static void memory_is_used_again_and_differs_among_clocks(void **state)
{
	struct hpt_manual *first = counter();
	hpt_clock *other = new_manual(GHZ, 7);

	(void)state;
	assert_ptr_not_equal(hpt_manual_of(&other->src), first);
	assert_true(enter(value()));
	hpt_clock_close(clk);
	clk = new_manual(GHZ, 9);
	assert_ptr_equal(counter(), first);
	assert_int_equal(hpt_now(clk), 9);
	assert_int_equal(hpt_clock_sleepers(clk), 0);
	assert_true(enter(value()));
	assert_int_equal(hpt_clock_sleepers(clk), 1);
	advance(1);
	assert_int_equal(hpt_now(other), 7);
	hpt_clock_close(other);
}

/* A clock that is held lives on; a fork of it goes its own way, and has none of the threads that sleep on it. */
static void child_has_its_own(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	assert_true(enter(value()));
	assert_int_equal(hpt_clock_sleepers(clk), 1);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		bool good = !hpt_clock_sleepers(clk) && enter(value()) && hpt_clock_sleepers(clk) == 1 &&
			    !hpt_clock_advance(clk, 5) && hpt_now(clk) == 1005;

		_exit(!good);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(hpt_now(clk), 1000);
	assert_int_equal(hpt_clock_sleepers(clk), 1);
	advance(1);
}

static void child_may_sleep_first(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	assert_true(enter(value()));
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		uint32_t v = value();
		bool good = !enter(v) && enter(v + 1) && hpt_clock_sleepers(clk) == 1; /* looks again */

		_exit(!good);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	advance(1);
}

#define THREADS 4
#define CLOCKS  200

static void *make_and_close(void *arg)
{
	for (int i = 0; i < CLOCKS; i++) {
		hpt_clock *c;

		if (hpt_clock_new_manual(GHZ, i, 0, &c) || hpt_clock_advance(c, 1) || hpt_now(c) != i + 1)
			return arg;
		hpt_clock_close(c);
	}
	return NULL;
}

static void threads_do_not_share_memory(void **state)
{
	pthread_t threads[THREADS];
	void *failed;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, make_and_close, clk), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		manual_test(other_sources_have_none),
		manual_test(sleepers_are_counted_since_the_latest_notification),
		manual_test(count_survives_the_values_wrap),
		manual_test(a_notification_counts_whatever_was_advanced),
		manual_test(memory_is_used_again_and_differs_among_clocks),
		manual_test(child_has_its_own),
		manual_test(child_may_sleep_first),
		manual_test(threads_do_not_share_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
