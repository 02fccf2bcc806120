// SPDX-License-Identifier: MIT
/* The descriptor of a ticker: when it is readable, and which waits its margin learns from. */
#include <poll.h>
#include <sys/timerfd.h>

#include "ticker_world.h"

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, timeout_ms) == 1 && p.revents & POLLIN;
}

/* On the machine's own clocks: the kernel's timer is real. */
static void new_real_ticker(int64_t period_ns)
{
	hpt_ticker_free(t);
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	start_ns = hpt_now_ns(NULL);
	assert_int_equal(hpt_ticker_new(NULL, period_ns, 0, &t), 0);
}

static void descriptor_is_readable_for_each_tick(void **state)
{
	int fd;

	(void)state;
	new_real_ticker(NS_PER_MS);
	fd = hpt_ticker_fd(t);
	assert_true(fd >= 0);
	assert_int_equal(hpt_ticker_fd(t), fd);
	for (int64_t n = 1; n <= 50; n++) {
		assert_true(is_readable(fd, 10000));
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
		assert_true(hpt_now_ns(NULL) >= start_ns + n * NS_PER_MS);
	}
}

static void descriptor_is_not_readable_before(void **state)
{
	static const int64_t periods_ns[] = { 3600 * NS_PER_S, INT64_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(periods_ns); i++) {
		new_real_ticker(periods_ns[i]);
		assert_false(is_readable(hpt_ticker_fd(t), 0));
		interrupt();
		assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
		assert_false(is_readable(hpt_ticker_fd(t), 0));
	}
}

/* With CATCH_UP each missed tick is due at once; the tick after the last missed one is not. */
static void descriptor_is_readable_for_due_ticks(void **state)
{
	const int64_t period_ns = NS_PER_S;
	uint64_t missed = 1;
	bool readable;
	int fd;

	(void)state;
	new_real_ticker(period_ns);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_TICKER_CATCH_UP), 0);
	assert_int_equal(hpt_sleep_ns(NULL, 2 * period_ns + NS_PER_MS), 0);
	fd = hpt_ticker_fd(t);
	while (missed) {
		assert_true(is_readable(fd, 10000));
		assert_int_equal(hpt_ticker_wait(t, &missed), 0);
	}
	readable = is_readable(fd, 0);
	assert_true(!readable || hpt_now_ns(NULL) - start_ns > 3 * period_ns - 2 * NS_PER_MS);
}

/* When the descriptor will be readable, by CLOCK_MONOTONIC: between two reads of that close together. */
static int64_t armed_ns(void)
{
	struct itimerspec its;
	int64_t before, after;

	do {
		before = hpt_env_live.clock_ns(CLOCK_MONOTONIC);
		assert_int_equal(timerfd_gettime(hpt_ticker_fd(t), &its), 0);
		after = hpt_env_live.clock_ns(CLOCK_MONOTONIC);
	} while (after - before > 20000);
	return before + its.it_value.tv_sec * NS_PER_S + its.it_value.tv_nsec;
}

/* How long before tick n it will be readable. The simulated clocks differ from the kernel's in value only. */
static int64_t ahead_ns(int64_t n)
{
	int64_t tick_ns = start_ns + n * ticker_period_ns, mono_ns = fake_world_true_ns(CLOCK_MONOTONIC);

	return mono_ns + (tick_ns - hpt_now_ns(&clk)) - armed_ns();
}

/* A ticker on clocks so far ahead of the machine's own that no timer expires. */
static void new_far_ticker(int64_t period_ns)
{
	world.clock_offset_ns += 10000000 * NS_PER_S;
	assert_true(hpt_clock_check(&clk, NULL) > 0);
	new_ticker(period_ns);
}

/* An event loop that waits for tick n late_ns after the descriptor became readable. */
static int64_t take_late(int64_t n, int64_t late_ns)
{
	pass_ns(start_ns + n * PERIOD_NS - ahead_ns(n) + late_ns - hpt_now_ns(&clk));
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	return n + 1;
}

#define GUESS_NS 150000

static void margin_of_the_descriptor_is_learned(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_in_range(ahead_ns(n), GUESS_NS - 50000, GUESS_NS + 50000);
	while (n < 20)
		n = take_late(n, 600000);
	assert_in_range(ahead_ns(n), 600000 - 50000, 600000 + 150000);
	while (n < 2000)
		n = take_late(n, 50000);
	assert_in_range(ahead_ns(n), 0, 150000);
}

/* A loop that comes before the descriptor is readable was not woken by it; one that comes much later was busy. */
static void nothing_is_learned_from_other_waits(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_true(hpt_ticker_fd(t) >= 0);
	for (; n < 20; n++)
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_in_range(ahead_ns(n), GUESS_NS - 50000, GUESS_NS + 50000);
	while (n < 60)
		n = take_late(n, 17 * NS_PER_MS) + 1; /* and the next tick was due, too */
	assert_in_range(ahead_ns(n), GUESS_NS - 50000, GUESS_NS + 50000);
}

static void oversleep_a_little(void)
{
	pass_ns(700000);
}

/* A descriptor armed for a past tick is readable at once: the tick's age is no lateness. */
static void due_ticks_teach_no_lateness(void **state)
{
	const int64_t period_ns = 200000;
	int64_t n = 1;

	(void)state;
	new_far_ticker(period_ns);
	assert_true(hpt_ticker_fd(t) >= 0);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_TICKER_CATCH_UP), 0);
	for (int rounds = 0; rounds < 20; rounds++) {
		uint64_t missed = 1;

		happens_after(10000, oversleep_a_little);
		while (missed) {
			assert_int_equal(hpt_ticker_wait(t, &missed), 0);
			n++;
		}
	}
	assert_in_range(ahead_ns(n), 0, GUESS_NS + 50000);
}

/* Waits that an interrupt ended before the tick do not teach again. */
static void each_tick_teaches_once(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	while (n < 30) {
		pass_ns(start_ns + n * PERIOD_NS - ahead_ns(n) + 50000 - hpt_now_ns(&clk));
		for (int i = 0; i < 4; i++) {
			interrupt();
			assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
			pass_ns(200000);
		}
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
		n++;
	}
	assert_in_range(ahead_ns(n), 0, GUESS_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ticker_test(descriptor_is_readable_for_each_tick),
		ticker_test(descriptor_is_not_readable_before),
		ticker_test(descriptor_is_readable_for_due_ticks),
		ticker_test(margin_of_the_descriptor_is_learned),
		ticker_test(nothing_is_learned_from_other_waits),
		ticker_test(due_ticks_teach_no_lateness),
		ticker_test(each_tick_teaches_once),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("ticker_fd", tests, NULL, NULL);
}
