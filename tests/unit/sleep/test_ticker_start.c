// SPDX-License-Identifier: MIT
/* Tickers that are started: phase, periods of any fraction, single ticks, and the time of the next tick. */
#include "ticker_world.h"

#include "sleep/habits.h"

/* ---- Start --------------------------------------------------------------------------------------------------- */

/* Waits, and returns on time on the line of nanoseconds. */
static void expect_at(int64_t at_ns, uint64_t missed)
{
	uint64_t seen = UINT64_MAX;
	int64_t next_ns = 0;

	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	assert_int_equal(next_ns, at_ns);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, missed);
	assert_in_range(hpt_now_ns(&clk) - at_ns, 0, OPEN_NS);
}

static void phase_and_period_are_as_started(void **state)
{
	int64_t first_ns = hpt_now_ns(&clk) + PERIOD_NS / 3;

	(void)state;
	assert_int_equal(hpt_ticker_start(t, first_ns, 2 * PERIOD_NS), 0);
	for (int64_t n = 0; n < 20; n++)
		expect_at(first_ns + n * 2 * PERIOD_NS, 0);
	first_ns = hpt_now_ns(&clk) + 5 * NS_PER_S;
	assert_int_equal(hpt_ticker_start(t, first_ns, 1000000), 0);
	expect_at(first_ns, 0);
	expect_at(first_ns + 1000000, 0);
}

/* Its period is made up when it is started: nothing comes before. */
static void ticker_without_a_period_is_not_started(void **state)
{
	int64_t next_ns = 77, first_ns;
	uint64_t seen = 77;
	struct hpt_ticker_info info;

	(void)state;
	new_ticker(0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(hpt_ticker_wait(t, &seen), -ENODATA);
		assert_int_equal(hpt_ticker_next_ns(t, &next_ns), -ENODATA);
		world.realtime_offset_ns += NS_PER_S;
		assert_true(hpt_clock_check(&clk, NULL) > 0);
	}
	interrupt();
	assert_int_equal(hpt_ticker_wait(t, &seen), -ECANCELED);
	assert_true(seen == 77 && next_ns == 77);
	assert_int_equal(hpt_ticker_get_info(t, &info, sizeof(info)), 0);
	assert_true(info.ticks == 0 && info.missed == 0);
	first_ns = hpt_now_ns(&clk) + PERIOD_NS;
	assert_int_equal(hpt_ticker_start(t, first_ns, PERIOD_NS), 0);
	expect_at(first_ns, 0);
	expect_at(first_ns + PERIOD_NS, 0);
}

/* As timerfd counts: a first tick that is past is due at once, and those after it that are past are missed. */
static void past_first_tick_is_due_at_once(void **state)
{
	int64_t first_ns = hpt_now_ns(&clk) - PERIOD_NS * 7 / 2, next_ns = 0;
	uint64_t seen = UINT64_MAX, start_ps = world.now_ps;
	struct hpt_ticker_info info;

	(void)state;
	assert_int_equal(hpt_ticker_start(t, first_ns, PERIOD_NS), 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, 3);
	assert_true(world.now_ps - start_ps < 1000000);
	expect_at(first_ns + 4 * PERIOD_NS, 0);
	assert_int_equal(hpt_ticker_start(t, INT64_MIN, 1), 0);
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_true(seen > INT64_MAX / 4);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_int_equal(hpt_ticker_start_rational(t, INT64_MIN, 1, UINT32_MAX), 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_true(seen > INT64_MAX);
	assert_int_equal(hpt_ticker_start_rational(t, INT64_MIN, 1, UINT32_MAX), 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(hpt_ticker_get_info(t, &info, sizeof(info)), 0);
	assert_int_equal(info.missed, UINT64_MAX);
}

/* Its time is the least, which stands for a spent one. */
static void first_tick_of_all_is_not_spent(void **state)
{
	hpt_clock *os = NULL;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	hpt_ticker_free(t);
	assert_int_equal(hpt_ticker_new(os, 1, 0, &t), 0);
	assert_int_equal(hpt_ticker_start(t, INT64_MIN, NS_PER_S), 0);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	hpt_clock_close(os);
}

static void single_tick_comes_once(void **state)
{
	int64_t first_ns = hpt_now_ns(&clk) + PERIOD_NS, next_ns = 77;
	uint64_t seen = 77;

	(void)state;
	assert_int_equal(hpt_ticker_start(t, first_ns, 0), 0);
	interrupt();
	assert_int_equal(hpt_ticker_wait(t, &seen), -ECANCELED);
	pass_ns(PERIOD_NS / 2);
	expect_at(first_ns, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(hpt_ticker_wait(t, &seen), -ENODATA);
		assert_int_equal(hpt_ticker_next_ns(t, &next_ns), -ENODATA);
		interrupt();
		assert_int_equal(hpt_ticker_wait(t, &seen), -ECANCELED);
	}
	assert_int_equal(seen, 77);
	assert_int_equal(next_ns, 77);
	/* A past one, too; and in a new generation it stays spent. */
	assert_int_equal(hpt_ticker_start(t, first_ns, 0), 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, 0);
	world.realtime_offset_ns += NS_PER_S;
	assert_true(hpt_clock_check(&clk, NULL) > 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), -ENODATA);
	assert_int_equal(hpt_ticker_start(t, hpt_now_ns(&clk) + PERIOD_NS, PERIOD_NS), 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
}

/* Tick n is n * num / den seconds after the first, rounded up: the millionth too. */
static void rational_periods_do_not_drift(void **state)
{
	int64_t first_ns, n = -1;

	(void)state;
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0), 0);
	first_ns = hpt_now_ns(&clk);
	assert_int_equal(hpt_ticker_start_rational(t, first_ns, 1, 44100), 0);
	while (n < rounds(100000)) {
		uint64_t seen = 0;
		int64_t late_ns, spun = *hpt_habits_spun(), blocks_ns;

		assert_int_equal(hpt_ticker_wait(t, &seen), 0);
		n += 1 + (int64_t)seen;
		late_ns = hpt_now_ns(&clk) - first_ns - n * NS_PER_S / 44100;
		blocks_ns = *hpt_habits_spun() < spun ? 60000 : 0; /* once in 50 ms of spinning */
		if (late_ns < 0 || late_ns > LATE_PS / 1000 + OPEN_NS + blocks_ns)
			fail_msg("tick %lld was %lld ns late", (long long)n, (long long)late_ns);
	}
}

static int other_result;

static void start_too(void)
{
	int64_t next_ns = 0;

	other_result = hpt_ticker_start(t, 0, 1);
	assert_int_equal(hpt_ticker_start_rational(t, 0, 1, 1), -EBUSY);
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_SKIP, 0), 0);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_INHERIT, 0), 0);
}

static void ticker_is_not_started_while_waited_on(void **state)
{
	(void)state;
	happens_after(PERIOD_NS / 2, start_too);
	expect_tick(1, 0, 0);
	assert_int_equal(other_result, -EBUSY);
	expect_tick(2, 0, 0);
}

static void pending_interrupt_outlives_a_start(void **state)
{
	(void)state;
	interrupt();
	assert_int_equal(hpt_ticker_start(t, hpt_now_ns(&clk), PERIOD_NS), 0);
	assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
}

static void bad_cadences_are_refused(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_start(t, 0, -1), -EINVAL);
	assert_int_equal(hpt_ticker_start(t, 0, INT64_MIN), -EINVAL);
	assert_int_equal(hpt_ticker_start_rational(t, 0, 0, 1), -EINVAL);
	assert_int_equal(hpt_ticker_start_rational(t, 0, 1, 0), -EINVAL);
	assert_int_equal(hpt_ticker_start(NULL, 0, 1), -EINVAL);
	assert_int_equal(hpt_ticker_start_rational(NULL, 0, 1, 1), -EINVAL);
	expect_tick(1, 0, 0);
}

static void next_tick_of_far_away_is_the_last_time(void **state)
{
	int64_t next_ns = 0;

	(void)state;
	assert_int_equal(hpt_ticker_start(t, INT64_MAX, INT64_MAX), 0);
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	assert_true(next_ns == INT64_MAX);
	new_ticker(INT64_MAX);
	next_ns = 0;
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	assert_true(next_ns == INT64_MAX);
	assert_int_equal(hpt_ticker_next_ns(t, NULL), -EINVAL);
	assert_int_equal(hpt_ticker_next_ns(NULL, &next_ns), -EINVAL);
}

/* Between two waits a new generation began: the tick comes as much later as before, by the clock that did not move. */
static void next_tick_follows_a_new_generation(void **state)
{
	int64_t next_ns = 0, left_ns;

	(void)state;
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	left_ns = next_ns - hpt_now_ns(&clk);
	namespace_ns = -5 * NS_PER_S;
	enter_namespace();
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_REANCHORED);
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	assert_in_range(left_ns - (next_ns - hpt_now_ns(&clk)), 0, 20000);
	new_placed_ticker();
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	left_ns = next_ns - hpt_now_ns(&clk);
	counter_jumps();
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_DISRUPTED);
	assert_int_equal(hpt_ticker_next_ns(t, &next_ns), 0);
	assert_in_range(left_ns - (next_ns - hpt_now_ns(&clk)), 0, 20000);
}

static int64_t nested_next;

static void next_too(void)
{
	int64_t next_ns = 0;

	world.realtime_offset_ns += NS_PER_S;
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_REANCHORED);
	nested_next = hpt_ticker_next_ns(t, &next_ns);
}

static void next_tick_is_refused_in_the_generation_after_the_waits(void **state)
{
	(void)state;
	happens_after(PERIOD_NS / 2, next_too);
	assert_true(hpt_ticker_wait(t, NULL) >= 0);
	assert_int_equal(nested_next, -EBUSY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ticker_test(phase_and_period_are_as_started),
		ticker_test(ticker_without_a_period_is_not_started),
		ticker_test(past_first_tick_is_due_at_once),
		ticker_test(first_tick_of_all_is_not_spent),
		ticker_test(single_tick_comes_once),
		ticker_test(rational_periods_do_not_drift),
		ticker_test(ticker_is_not_started_while_waited_on),
		ticker_test(pending_interrupt_outlives_a_start),
		ticker_test(bad_cadences_are_refused),
		ticker_test(next_tick_of_far_away_is_the_last_time),
		ticker_test(next_tick_follows_a_new_generation),
		ticker_test(next_tick_is_refused_in_the_generation_after_the_waits),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests_name("ticker", tests, NULL, NULL);
}
