// SPDX-License-Identifier: MIT
/* Threads that wait for a wall on a manual clock: each wakes at the very tick, and no time of the machine is asked. */
#include "manual_world.h"

#include <string.h>

#include "machine/bell.h"
#include "wall/wall_object.h"

#define START_NS INT64_C(1750000000000000000)
#define THREADS  8

static hpt_wall *wall;

static void feed_at(int64_t earliest_ns, int64_t latest_ns)
{
	struct hpt_wall_sample s = { .before = hpt_now(clk), .after = hpt_now(clk), .earliest_ns = earliest_ns,
				     .latest_ns = latest_ns };

	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
}

static void open_wall(void)
{
	struct hpt_wall_config c = { .sources = HPT_WALL_SOURCE_FEED, .rate_ppb = 1, .wander_ppb = 1 };

	assert_int_equal(hpt_wall_open(clk, &c, sizeof(c), 0, &wall), 0);
}

/* On another clock, in place of the first ones. */
static void open_wall_on(uint64_t hz, hpt_time_t tick)
{
	hpt_wall_close(wall);
	hpt_clock_close(clk);
	clk = new_manual(hz, tick);
	open_wall();
}

static int wait_begins(void **state)
{
	clock_begins(state);
	open_wall();
	feed_at(START_NS, START_NS + 100);
	return 0;
}

static int wait_ends(void **state)
{
	assert_int_equal(wall->waiting, 0);
	hpt_wall_close(wall);
	wall = NULL;
	return clock_ends(state);
}

#define wait_test(f) cmocka_unit_test_setup_teardown(f, wait_begins, wait_ends)

struct wait {
	hpt_waiter *waiter;
	int64_t unix_ns, timeout_ns;
};

static int wait_after(void *arg)
{
	struct wait *t = arg;

	if (t->waiter)
		return hpt_wall_wait_after_on(wall, t->waiter, t->unix_ns, t->timeout_ns);
	return hpt_wall_wait_after(wall, t->unix_ns, t->timeout_ns);
}

static int wait_ready(void *arg)
{
	struct wait *t = arg;

	return hpt_wall_wait_ready(wall, t->unix_ns, t->timeout_ns);
}

/* The first tick at which the wall says so, by going there in the program's thread. */
static void thread_wakes_at_the_first_tick(void **state)
{
	static struct sleeping s;

	(void)state;
	for (int64_t wait_ns = 1; wait_ns < 40; wait_ns++) {
		struct wait t = { .unix_ns = START_NS + (hpt_now(clk) - 1000) + wait_ns, .timeout_ns = INT64_MAX };

		begin(&s, wait_after, &t);
		while (!hpt_wall_after(wall, t.unix_ns)) {
			await_sleepers(1);
			assert_false(s.is_over);
			advance(1);
		}
		assert_int_equal(result_of(&s), 0);
		assert_int_equal(s.ended, hpt_now(clk));
	}
}

static void slow_clock(void **state)
{
	static struct sleeping s;
	struct wait t = { .timeout_ns = INT64_MAX };

	(void)state;
	open_wall_on(HZ, 5);
	feed_at(START_NS, START_NS);
	for (int i = 0; i < 5; i++) {
		t.unix_ns = START_NS + (hpt_now(clk) - 5) * 1000000000 + 1500000000;
		begin(&s, wait_after, &t);
		while (!hpt_wall_after(wall, t.unix_ns)) {
			await_sleepers(1);
			advance(1);
		}
		assert_int_equal(result_of(&s), 0);
		assert_int_equal(s.ended, hpt_now(clk));
	}
}

static void time_out_is_in_the_clocks_own_time(void **state)
{
	static struct sleeping s;
	struct wait t = { .unix_ns = START_NS + 1000000000, .timeout_ns = 500 };

	(void)state;
	begin(&s, wait_after, &t);
	await_sleepers(1);
	advance(499);
	await_sleepers(1);
	assert_false(s.is_over);
	advance(2);
	assert_int_equal(result_of(&s), -ETIMEDOUT);
	t.unix_ns = 1;
	begin(&s, wait_ready, &t);
	await_sleepers(1);
	advance(501);
	assert_int_equal(result_of(&s), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_after(wall, t.unix_ns + START_NS + 1000000000, 0), -ETIMEDOUT);
}

/* To the nanosecond, also where the counter is below 0 or a time-out does not fit. */
static void interrupt_leaves_the_rest_of_the_time_out(void **state)
{
	static const hpt_time_t starts[] = { INT64_MIN, -2000, 1000, INT64_MAX / 2 };
	hpt_waiter *waiter = NULL;
	int64_t left_ns;

	(void)state;
	for (size_t i = 0; i < COUNT(starts); i++) {
		struct wait t = { .unix_ns = START_NS + 1000000, .timeout_ns = INT64_MAX - 1 };
		static struct sleeping s;

		open_wall_on(GHZ, starts[i]);
		feed_at(START_NS, START_NS);
		assert_int_equal(hpt_waiter_new(clk, 0, &waiter), 0);
		t.waiter = waiter;
		assert_int_equal(hpt_waiter_interrupt(waiter), 0);
		assert_int_equal(wait_after(&t), -ECANCELED);
		assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
		assert_int_equal(left_ns, INT64_MAX - 1);
		t.timeout_ns = 5000;
		begin(&s, wait_after, &t);
		await_sleepers(1);
		assert_int_equal(hpt_waiter_interrupt(waiter), 0);
		assert_int_equal(result_of(&s), -ECANCELED);
		assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
		assert_int_equal(left_ns, 5000);
		begin(&s, wait_after, &t);
		await_sleepers(1);
		advance(100);
		await_sleepers(1);
		assert_int_equal(hpt_waiter_interrupt(waiter), 0);
		assert_int_equal(result_of(&s), -ECANCELED);
		assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
		assert_in_range(left_ns, 4900, 4901);
		hpt_waiter_free(waiter);
	}
}

/* A time-out of nothing or less is one look, though a tick of this clock is a second. */
static void no_time_out_is_one_look(void **state)
{
	static const int64_t timeouts_ns[] = { 0, -1, -1000000000, INT64_MIN };

	(void)state;
	open_wall_on(HZ, 5);
	feed_at(START_NS, START_NS);
	for (size_t i = 0; i < COUNT(timeouts_ns); i++)
		assert_int_equal(hpt_wall_wait_after(wall, START_NS + 1000000, timeouts_ns[i]), -ETIMEDOUT);
}

/* From a tick below 0 the longest time-out would end within the clock's range. */
static void time_out_for_ever(void **state)
{
	static struct sleeping s;
	struct wait t = { .timeout_ns = INT64_MAX };

	(void)state;
	open_wall_on(GHZ, INT64_MIN + 10);
	begin(&s, wait_ready, &t);
	await_sleepers(1);
	advance(INT64_MAX);
	advance(INT64_MAX - 1000000);
	await_sleepers(1);
	assert_false(s.is_over);
	feed_at(START_NS, START_NS + 100);
	assert_int_equal(result_of(&s), 0);
}

static void sample_wakes_all_threads(void **state)
{
	static struct sleeping s[THREADS];
	struct wait after = { .unix_ns = START_NS + 1000000, .timeout_ns = INT64_MAX };
	struct wait ready = { .unix_ns = 20, .timeout_ns = INT64_MAX };

	(void)state;
	for (int i = 0; i < THREADS; i++)
		begin(&s[i], i & 1 ? wait_after : wait_ready, i & 1 ? &after : &ready);
	await_sleepers(THREADS);
	assert_int_equal(wall->waiting, THREADS);
	/* UTC is in the wall's interval's upper half, as another sample shows, and then after the time. */
	feed_at(START_NS + 90, START_NS + 100);
	for (int i = 0; i < THREADS; i += 2)
		assert_int_equal(result_of(&s[i]), 0);
	await_sleepers(THREADS / 2);
	advance(1000000 - 90);
	await_sleepers(THREADS / 2);
	advance(3);
	for (int i = 1; i < THREADS; i += 2)
		assert_int_equal(result_of(&s[i]), 0);
}

static void contradiction_ends_all_waits(void **state)
{
	static struct sleeping s[THREADS];
	struct wait t = { .unix_ns = START_NS + 1000000, .timeout_ns = INT64_MAX };
	struct hpt_wall_sample lie = { .before = hpt_now(clk), .after = hpt_now(clk) };

	(void)state;
	for (int i = 0; i < THREADS; i++)
		begin(&s[i], wait_after, &t);
	await_sleepers(THREADS);
	assert_int_equal(hpt_wall_feed(wall, &lie, sizeof(lie)), -EAGAIN);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(result_of(&s[i]), -EAGAIN);
}

static void interrupt_ends_the_wait_of_its_waiter_alone(void **state)
{
	static struct sleeping s[2];
	struct wait t[2] = { { .unix_ns = START_NS + 1000, .timeout_ns = INT64_MAX },
			     { .unix_ns = START_NS + 1000, .timeout_ns = INT64_MAX } };

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(hpt_waiter_new(clk, 0, &t[i].waiter), 0);
		begin(&s[i], wait_after, &t[i]);
	}
	await_sleepers(2);
	assert_int_equal(hpt_waiter_interrupt(t[0].waiter), 0);
	assert_int_equal(result_of(&s[0]), -ECANCELED);
	await_sleepers(1);
	advance(1010);
	assert_int_equal(result_of(&s[1]), 0);
	for (int i = 0; i < 2; i++)
		hpt_waiter_free(t[i].waiter);
}

static void *interrupt_once(void *arg)
{
	hpt_waiter_interrupt(arg);
	return NULL;
}

static _Atomic bool is_over;

/* Interrupts at any moment of a wait. Those that come between two waits are one. */
static void *interrupt_often(void *arg)
{
	while (!is_over) {
		hpt_waiter_interrupt(arg);
		sched_yield();
	}
	return NULL;
}

static void no_interrupt_is_lost(void **state)
{
	hpt_waiter *waiter = NULL;
	pthread_t thread;

	(void)state;
	for (int i = 0; i < rounds(2000); i++) {
		assert_int_equal(hpt_waiter_new(clk, 0, &waiter), 0);
		assert_int_equal(pthread_create(&thread, NULL, interrupt_once, waiter), 0);
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, START_NS + 1000000, INT64_MAX), -ECANCELED);
		hpt_waiter_free(waiter); /* the thread may still ring */
		assert_int_equal(pthread_join(thread, NULL), 0);
	}
	assert_int_equal(hpt_waiter_new(clk, 0, &waiter), 0);
	is_over = false;
	assert_int_equal(pthread_create(&thread, NULL, interrupt_often, waiter), 0);
	for (int i = 0; i < rounds(2000); i++)
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, START_NS + 1000000, INT64_MAX), -ECANCELED);
	is_over = true;
	assert_int_equal(pthread_join(thread, NULL), 0);
	hpt_waiter_free(waiter);
}

/* Returns arg if that fails. */
static void *feed_often(void *arg)
{
	while (!is_over) {
		struct hpt_wall_sample s = { .before = hpt_now(clk), .earliest_ns = START_NS,
					     .latest_ns = START_NS + 1000000000 };
		int r;

		s.after = s.before;
		r = hpt_wall_feed(wall, &s, sizeof(s));
		if (r && r != -EBUSY)
			return arg;
		sched_yield();
	}
	return NULL;
}

/* Feeds, an advancing program and threads that wait, all at once: each wait ends, and none before its time. */
static void waits_end_on_time_among_feeds(void **state)
{
	static struct sleeping s[THREADS];
	static struct wait t[THREADS];
	pthread_t feeders[2];
	void *failed;

	(void)state;
	is_over = false;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&feeders[i], NULL, feed_often, clk), 0);
	for (int round = 0; round < rounds(100); round++) {
		for (int i = 0; i < THREADS; i++) {
			t[i] = (struct wait){ .unix_ns = START_NS + (hpt_now(clk) - 1000) + 10 * i,
					     .timeout_ns = INT64_MAX };
			begin(&s[i], wait_after, &t[i]);
		}
		for (int i = 0; i < THREADS; i++) {
			while (!s[i].is_over) {
				advance(1);
				sched_yield();
			}
			assert_int_equal(result_of(&s[i]), 0);
			assert_true(s[i].ended - 1000 > t[i].unix_ns - START_NS);
		}
	}
	is_over = true;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pthread_join(feeders[i], &failed), 0);
		assert_null(failed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wait_test(thread_wakes_at_the_first_tick),
		wait_test(slow_clock),
		wait_test(time_out_is_in_the_clocks_own_time),
		wait_test(interrupt_leaves_the_rest_of_the_time_out),
		wait_test(no_time_out_is_one_look),
		wait_test(time_out_for_ever),
		wait_test(sample_wakes_all_threads),
		wait_test(contradiction_ends_all_waits),
		wait_test(interrupt_ends_the_wait_of_its_waiter_alone),
		wait_test(no_interrupt_is_lost),
		wait_test(waits_end_on_time_among_feeds),
	};

	return cmocka_run_group_tests_name("wall_wait_manual", tests, NULL, NULL);
}
