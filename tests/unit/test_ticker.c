// SPDX-License-Identifier: MIT
/* Tickers in a simulated world: the times of ticks, missed ticks, and clocks that diverge. */
#include "ticker_world.h"

/* Waits, and returns on tick n or late_ns after it. */
static void expect_tick(int64_t n, int64_t late_ns, uint64_t missed)
{
	uint64_t seen = UINT64_MAX;

	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, missed);
	assert_in_range(hpt_now_ns(&clk) - (start_ns + n * PERIOD_NS), late_ns, late_ns + OPEN_NS);
}

/* ---- Ticks ------------------------------------------------------------------------------------------------ */

static void ticks_come_a_period_apart(void **state)
{
	(void)state;
	for (int64_t n = 1; n <= 100; n++) {
		expect_tick(n, 0, 0);
		pass_ns((int64_t)random_below(PERIOD_NS * 9 / 10));
	}
	assert_true(sleeping.waits > 0);
}

static void count_may_be_left_out(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	pass_ns(5 * PERIOD_NS);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	expect_tick(7, 0, 0);
}

/* A drift of a nanosecond per tick would add up to a millisecond. The kernel of this world wakes late each time. */
static void a_million_ticks_do_not_drift(void **state)
{
	const int64_t period_ns = 333667; /* not a multiple of the counter's tick */
	int64_t raw_ns, mono_ns;

	(void)state;
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0), 0);
	new_ticker(period_ns);
	raw_ns = hpt_now_ns(&clk);
	mono_ns = fake_world_true_ns(CLOCK_MONOTONIC);
	for (int64_t n = 1; n <= 1000000; n++) {
		int64_t tick_ns = start_ns + n * period_ns, off_ns;

		if (hpt_ticker_wait(t, NULL) || hpt_now_ns(&clk) < tick_ns)
			fail_msg("tick %lld came early, or not at all", (long long)n);
		off_ns = sleeping.until_ns - mono_ns - (tick_ns - raw_ns);
		if (off_ns < -OPEN_NS || off_ns > OPEN_NS)
			fail_msg("tick %lld was waited for %lld ns from its place", (long long)n, (long long)off_ns);
	}
	assert_int_equal(sleeping.waits, 1000000);
}

static void first_tick_is_a_period_after_creation(void **state)
{
	(void)state;
	pass_ns(PERIOD_NS / 2);
	expect_tick(1, 0, 0);
}

/* With NOSPIN one wait may end early for several ticks: each tick is still delivered once. */
static void early_ticks_do_not_drift(void **state)
{
	const int64_t period_ns = 10000, early_ns = 500000;

	(void)state;
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, early_ns), 0);
	new_ticker(period_ns);
	for (int64_t n = 1; n <= 2000; n++) {
		uint64_t seen = 0;

		assert_int_equal(hpt_ticker_wait(t, &seen), 0);
		n += (int64_t)seen;
		if (hpt_now_ns(&clk) < start_ns + n * period_ns - early_ns)
			fail_msg("tick %lld came too early", (long long)n);
	}
}

/* ---- Missed ticks ----------------------------------------------------------------------------------------- */

static void skipped_ticks_are_counted(void **state)
{
	(void)state;
	pass_ns(PERIOD_NS * 3 / 2);
	expect_tick(1, PERIOD_NS / 2, 0);
	expect_tick(2, 0, 0);
	pass_ns(PERIOD_NS * 7 / 2);
	expect_tick(5, PERIOD_NS / 2, 2); /* ticks 3 and 4 */
	expect_tick(6, 0, 0);
	pass_ns(1000000 * PERIOD_NS);
	expect_tick(1000006, 0, 999999);
	expect_tick(1000007, 0, 0);
}

static void missed_ticks_are_caught_up(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_set_policy(t, HPT_TICKER_CATCH_UP), 0);
	expect_tick(1, 0, 0);
	pass_ns(PERIOD_NS * 7 / 2);
	for (uint64_t more = 2; more < 3; more--) {
		uint64_t seen = UINT64_MAX;
		uint32_t waits = sleeping.waits;

		assert_int_equal(hpt_ticker_wait(t, &seen), 0);
		assert_int_equal(seen, more);
		assert_int_equal(sleeping.waits, waits);
	}
	expect_tick(5, 0, 0);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_TICKER_SKIP), 0);
	pass_ns(PERIOD_NS * 7 / 2);
	expect_tick(8, PERIOD_NS / 2, 2);
}

static void oversleep(void)
{
	pass_ns(PERIOD_NS * 3);
}

/* The sleep for a tick ends late: the ticks that passed meanwhile are due, and counted once. */
static void ticks_that_pass_in_a_sleep_are_due_after_it(void **state)
{
	uint64_t seen = UINT64_MAX;

	(void)state;
	happens_after(PERIOD_NS / 2, oversleep);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, 1); /* tick 2 */
	expect_tick(4, 0, 0);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_TICKER_CATCH_UP), 0);
	happens_after(PERIOD_NS / 2, oversleep);
	for (uint64_t more = 2; more < 3; more--) {
		assert_int_equal(hpt_ticker_wait(t, &seen), 0);
		assert_int_equal(seen, more);
	}
	expect_tick(8, 0, 0);
}

/* ---- Interrupts ------------------------------------------------------------------------------------------- */

static int other_result;

static void wait_too(void)
{
	other_result = hpt_ticker_wait(t, NULL);
}

static void interrupted_tick_remains_the_next_one(void **state)
{
	uint64_t seen = 12345;

	(void)state;
	interrupt();
	assert_int_equal(hpt_ticker_wait(t, &seen), -ECANCELED);
	happens_after(PERIOD_NS / 2, interrupt);
	assert_int_equal(hpt_ticker_wait(t, &seen), -ECANCELED);
	assert_true(sleeping.in_wait);
	happens_after(PERIOD_NS / 2 - 3000 - (hpt_now_ns(&clk) - start_ns - PERIOD_NS / 2), interrupt);
	assert_int_equal(hpt_ticker_wait(t, &seen), -ECANCELED);
	assert_false(sleeping.in_wait);
	assert_true(hpt_now_ns(&clk) < start_ns + PERIOD_NS);
	assert_int_equal(seen, 12345);
	expect_tick(1, 0, 0);
}

static void interrupt_wins_over_due_ticks(void **state)
{
	(void)state;
	pass_ns(PERIOD_NS * 7 / 2);
	interrupt();
	interrupt();
	assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
	expect_tick(3, PERIOD_NS / 2, 2);
}

static void second_waiter_is_refused(void **state)
{
	(void)state;
	happens_after(PERIOD_NS / 2, wait_too);
	expect_tick(1, 0, 0);
	assert_int_equal(other_result, -EBUSY);
	expect_tick(2, 0, 0);
}

/* ---- Ends of the range ------------------------------------------------------------------------------------ */

static void longest_period_never_ends(void **state)
{
	static const int64_t periods_ns[] = { INT64_MAX, INT64_MAX - 1, INT64_MAX / 2 };

	(void)state;
	for (size_t i = 0; i < COUNT(periods_ns); i++) {
		new_ticker(periods_ns[i]);
		happens_after(100 * NS_PER_S, interrupt);
		assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
		assert_true(sleeping.in_wait);
	}
}

static void shortest_period_counts_each_nanosecond(void **state)
{
	static const uint32_t policies[] = { HPT_TICKER_SKIP, HPT_TICKER_CATCH_UP };

	(void)state;
	for (size_t i = 0; i < COUNT(policies); i++) {
		uint64_t seen = 0;

		new_ticker(1);
		assert_int_equal(hpt_ticker_set_policy(t, policies[i]), 0);
		pass_ns(3600 * NS_PER_S);
		assert_int_equal(hpt_ticker_wait(t, &seen), 0);
		assert_in_range(hpt_now_ns(&clk) - start_ns - (int64_t)seen, 0, OPEN_NS);
	}
}

/* ---- Clocks that diverge ---------------------------------------------------------------------------------- */

static void counter_jumps(void)
{
	world.tick_offset += UINT64_C(100000000000000);
}

static void counter_stops(void)
{
	world.tick_offset -= PERIOD_NS / 4 * 1000 / world.tick_ps;
}

static void clocks_go_ahead(void)
{
	world.clock_offset_ns += 1000 * PERIOD_NS;
}

/* The next tick comes after a period of the world's own time, and no tick was missed. */
static void expect_a_period(void)
{
	uint64_t start_ps = world.now_ps, seen = UINT64_MAX;

	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, 0);
	assert_in_range((world.now_ps - start_ps) / 1000, PERIOD_NS * 3 / 4, PERIOD_NS * 5 / 4);
}

static void jump_of_the_counter_moves_no_tick(void **state)
{
	uint64_t seen = UINT64_MAX;

	(void)state;
	happens_after(PERIOD_NS / 2, counter_jumps);
	assert_int_equal(hpt_ticker_wait(t, &seen), HPT_STATE_DISRUPTED);
	assert_int_equal(seen, 0);
	expect_a_period();
	expect_a_period();
}

static void counter_that_stopped_delays_no_tick(void **state)
{
	uint64_t start_ps = world.now_ps, seen = UINT64_MAX;

	(void)state;
	happens_after(PERIOD_NS / 2, counter_stops);
	assert_int_equal(hpt_ticker_wait(t, &seen), HPT_STATE_DISRUPTED);
	assert_int_equal(seen, 0);
	assert_in_range((world.now_ps - start_ps) / 1000, PERIOD_NS - OPEN_NS, PERIOD_NS * 5 / 4);
	expect_a_period();
}

/* Ticks that the timeline skipped are not missed. */
static void timeline_that_went_ahead_makes_no_tick_due(void **state)
{
	static const uint32_t policies[] = { HPT_TICKER_SKIP, HPT_TICKER_CATCH_UP };

	(void)state;
	for (size_t i = 0; i < COUNT(policies); i++) {
		uint64_t seen = UINT64_MAX;

		assert_int_equal(hpt_ticker_set_policy(t, policies[i]), 0);
		happens_after(PERIOD_NS / 2, clocks_go_ahead);
		assert_true(hpt_ticker_wait(t, &seen) > 0);
		assert_int_equal(seen, 0);
		expect_a_period();
		expect_a_period();
	}
}

static void clocks_go_ahead_a_little(void)
{
	world.clock_offset_ns += PERIOD_NS * 3 / 4;
}

static void timeline_that_went_ahead_a_little_moves_no_tick(void **state)
{
	uint64_t seen = UINT64_MAX;

	(void)state;
	happens_after(PERIOD_NS / 2, clocks_go_ahead_a_little);
	assert_true(hpt_ticker_wait(t, &seen) > 0);
	assert_int_equal(seen, 0);
	expect_tick(2, 0, 0);
}

/* It goes back between two waits: the next wait must not last for as long as the timeline lost. */
static void timeline_that_went_back_delays_no_tick(void **state)
{
	(void)state;
	expect_tick(1, 0, 0);
	world.clock_offset_ns -= 1000 * PERIOD_NS;
	assert_true(hpt_clock_check(&clk, NULL) > 0);
	expect_a_period();
	expect_a_period();
}

/* The timeline moved by less than a period: the ticks keep their places on it. */
static void ticks_keep_their_places_in_a_new_generation(void **state)
{
	(void)state;
	expect_tick(1, 0, 0);
	pass_ns(PERIOD_NS / 2);
	world.realtime_offset_ns += 1000 * PERIOD_NS;
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_REANCHORED);
	expect_tick(2, 0, 0);
	expect_tick(3, 0, 0);
}

/* ---- Bad input -------------------------------------------------------------------------------------------- */

static void nothing_is_done_without_a_ticker(void **state)
{
	hpt_ticker *other = NULL;

	(void)state;
	assert_int_equal(hpt_ticker_new(&clk, 1, 0, NULL), -EINVAL);
	assert_int_equal(hpt_ticker_new(&clk, 0, 0, &other), -EINVAL);
	assert_int_equal(hpt_ticker_new(&clk, -1, 0, &other), -EINVAL);
	assert_int_equal(hpt_ticker_new(&clk, INT64_MIN, 0, &other), -EINVAL);
	assert_null(other);
	assert_int_equal(hpt_ticker_wait(NULL, NULL), -EINVAL);
	assert_int_equal(hpt_ticker_interrupt(NULL), -EINVAL);
	assert_int_equal(hpt_ticker_set_policy(NULL, HPT_TICKER_SKIP), -EINVAL);
	assert_int_equal(hpt_ticker_fd(NULL), -EINVAL);
	hpt_ticker_free(NULL);
}

static void invalid_policy_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_set_policy(t, HPT_TICKER_CATCH_UP + 1), -EINVAL);
	pass_ns(PERIOD_NS * 7 / 2);
	expect_tick(3, PERIOD_NS / 2, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ticker_test(ticks_come_a_period_apart),
		ticker_test(count_may_be_left_out),
		ticker_test(a_million_ticks_do_not_drift),
		ticker_test(early_ticks_do_not_drift),
		ticker_test(first_tick_is_a_period_after_creation),
		ticker_test(skipped_ticks_are_counted),
		ticker_test(missed_ticks_are_caught_up),
		ticker_test(ticks_that_pass_in_a_sleep_are_due_after_it),
		ticker_test(interrupted_tick_remains_the_next_one),
		ticker_test(interrupt_wins_over_due_ticks),
		ticker_test(second_waiter_is_refused),
		ticker_test(longest_period_never_ends),
		ticker_test(shortest_period_counts_each_nanosecond),
		ticker_test(jump_of_the_counter_moves_no_tick),
		ticker_test(counter_that_stopped_delays_no_tick),
		ticker_test(timeline_that_went_ahead_makes_no_tick_due),
		ticker_test(timeline_that_went_ahead_a_little_moves_no_tick),
		ticker_test(timeline_that_went_back_delays_no_tick),
		ticker_test(ticks_keep_their_places_in_a_new_generation),
		ticker_test(nothing_is_done_without_a_ticker),
		ticker_test(invalid_policy_changes_nothing),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests_name("ticker", tests, NULL, NULL);
}
