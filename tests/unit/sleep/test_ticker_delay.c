// SPDX-License-Identifier: MIT
/* Tickers with HPT_TICKER_DELAY: a tick that is late by a period or more moves the grid. */
#include "ticker_world.h"

static int delay_begins(void **state)
{
	ticker_begins(state);
	return hpt_ticker_set_missed(t, HPT_TICKER_DELAY, 0);
}

#define delay_test(f) cmocka_unit_test_setup_teardown(f, delay_begins, ticker_ends)

static int64_t due_ns(void)
{
	int64_t ns = INT64_MIN;

	assert_int_equal(hpt_ticker_next_ns(t, &ns), 0);
	return ns;
}

/* Returns when it returned. */
static int64_t take(uint64_t missed)
{
	uint64_t seen = UINT64_MAX;

	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, missed);
	return hpt_now_ns(&clk);
}

static void take_at(int64_t at_ns)
{
	assert_int_equal(due_ns(), at_ns);
	take(0);
}

static uint64_t missed_in_all(void)
{
	struct hpt_ticker_info info;

	assert_int_equal(hpt_ticker_get_info(t, &info, sizeof(info)), 0);
	return info.missed;
}

static void ticks_on_time_come_a_period_apart(void **state)
{
	(void)state;
	for (int n = 1; n <= 100; n++)
		expect_tick(n, 0, 0);
}

static void tick_late_by_less_than_a_period_keeps_the_grid(void **state)
{
	(void)state;
	pass_ns(2 * PERIOD_NS - OPEN_NS);
	take(0);
	pass_ns(PERIOD_NS / 2);
	take(0);
	expect_tick(3, 0, 0);
	assert_int_equal(missed_in_all(), 0);
}

static void tick_late_by_a_period_moves_the_grid(void **state)
{
	int64_t returned_ns;

	(void)state;
	pass_ns(PERIOD_NS * 7 / 2);
	returned_ns = take(2);
	assert_in_range(returned_ns - (due_ns() - PERIOD_NS), 0, OPEN_NS);
	assert_in_range(take(0) - returned_ns, PERIOD_NS - OPEN_NS, PERIOD_NS + OPEN_NS);
	returned_ns = due_ns();
	pass_ns(2 * PERIOD_NS);
	assert_in_range(take(1) - returned_ns, PERIOD_NS, PERIOD_NS + OPEN_NS);
	assert_int_equal(missed_in_all(), 3);
}

static void oversleep(void)
{
	pass_ns(PERIOD_NS * 3);
}

/* The sleep itself ended late: counted from its end. */
static void late_end_of_a_sleep_moves_the_grid(void **state)
{
	int64_t returned_ns;

	(void)state;
	happens_after(PERIOD_NS / 2, oversleep);
	returned_ns = take(2);
	assert_in_range(returned_ns - (due_ns() - PERIOD_NS), 0, OPEN_NS);
	assert_in_range(take(0) - returned_ns, PERIOD_NS - OPEN_NS, PERIOD_NS + OPEN_NS);
}

/* Tick n comes n / 44100 s after the return of the late one, rounded up. */
static void rational_period_counts_from_the_late_tick(void **state)
{
	int64_t first_ns = hpt_now_ns(&clk), moved_ns;

	(void)state;
	assert_int_equal(hpt_ticker_start_rational(t, first_ns, 1, 44100), 0);
	take(0);
	for (int n = 1; n < 5; n++)
		take_at(first_ns + (n * NS_PER_S + 44099) / 44100);
	pass_ns(NS_PER_S);
	(void)!hpt_ticker_wait(t, NULL);
	moved_ns = due_ns() - (NS_PER_S + 44099) / 44100;
	assert_in_range(hpt_now_ns(&clk) - moved_ns, 0, OPEN_NS);
	for (int n = 1; n < 5; n++)
		take_at(moved_ns + (n * NS_PER_S + 44099) / 44100);
}

static void single_tick_may_be_late(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_start(t, hpt_now_ns(&clk) - NS_PER_S, 0), 0);
	take(0);
	assert_int_equal(hpt_ticker_wait(t, NULL), -ENODATA);
}

static void past_first_tick_moves_the_grid_too(void **state)
{
	int64_t now_ns;

	(void)state;
	assert_int_equal(hpt_ticker_start(t, hpt_now_ns(&clk) - PERIOD_NS * 5 / 2, PERIOD_NS), 0);
	now_ns = take(2);
	assert_in_range(now_ns - (due_ns() - PERIOD_NS), 0, OPEN_NS);
	assert_int_equal(hpt_ticker_start(t, INT64_MIN, PERIOD_NS), 0);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_in_range(hpt_now_ns(&clk) - (due_ns() - PERIOD_NS), 0, OPEN_NS);
}

static void policies_may_change(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_DELAY, 1), -EINVAL);
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_DELAY, UINT64_MAX), -EINVAL);
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_DELAY + 1, 0), -EINVAL);
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_SKIP, 0), 0);
	pass_ns(PERIOD_NS * 7 / 2);
	expect_tick(3, PERIOD_NS / 2, 2);
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_DELAY, 0), 0);
	pass_ns(PERIOD_NS);
	expect_tick(4, PERIOD_NS / 2, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		delay_test(ticks_on_time_come_a_period_apart),
		delay_test(tick_late_by_less_than_a_period_keeps_the_grid),
		delay_test(tick_late_by_a_period_moves_the_grid),
		delay_test(late_end_of_a_sleep_moves_the_grid),
		delay_test(rational_period_counts_from_the_late_tick),
		delay_test(single_tick_may_be_late),
		delay_test(past_first_tick_moves_the_grid_too),
		delay_test(policies_may_change),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("ticker_delay", tests, NULL, NULL);
}
