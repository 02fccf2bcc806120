// SPDX-License-Identifier: MIT
/* Tickers keep their period on an OS clock that another object has replaced, and where no clock can be read. */
#include "os_world.h"

#include "sleep/moment.h"

#define PERIOD_NS (10 * NS_PER_MS)
#define TICKS     30

/* What a sleep does not notice, HPT_DIVERGED_NS and a share of it, and how late the kernel is. */
#define OPEN_NS (PERIOD_NS / 8 + 2 * NS_PER_MS)

static const int64_t percents[] = { 0, 10, 50, 80, 100, 125, 200, 1000, -10, -100 };

static hpt_ticker *t;
static bool is_skipping;

static void new_ticker(int64_t period_ns, uint32_t missed)
{
	is_skipping = missed == HPT_TICKER_SKIP;
	hpt_ticker_free(t);
	assert_int_equal(hpt_ticker_new(&clk, period_ns, 0, &t), 0);
	assert_int_equal(hpt_ticker_set_missed(t, missed, 0), 0);
}

static int ticker_ends(void **state)
{
	(void)state;
	hpt_ticker_free(t);
	t = NULL;
	return 0;
}

/* Waits for the ticks, and returns the true time that they took. */
static int64_t took_ns(int ticks)
{
	uint64_t missed = 0, since_ps = world.now_ps;

	for (int i = 0; i < ticks; i++) {
		assert_in_range(slept(hpt_ticker_wait(t, &missed)), 0, HPT_STATE_DISRUPTED);
		i += is_skipping ? (int)missed : 0;
	}
	return (int64_t)(world.now_ps - since_ps) / 1000;
}

/* What no sleep of a period notices is believed: then the clock's own periods may count. */
static bool is_believed(int64_t of_true, int64_t period_ns)
{
	int64_t true_ns = of_true > 0 && of_true < 100 ? period_ns * 100 / of_true : period_ns;

	return llabs(true_ns * of_true / 100 - true_ns) <= NS_PER_MS + true_ns / 8;
}

static void assert_periods(int64_t of_true, int64_t period_ns)
{
	int64_t least_ns = TICKS * period_ns, most_ns = least_ns, ns = took_ns(TICKS);

	if (is_believed(of_true, period_ns) && of_true > 100)
		least_ns = least_ns * 100 / of_true;
	else if (is_believed(of_true, period_ns) && of_true > 0)
		most_ns = most_ns * 100 / of_true;
	/* A wait ends up to a sixteenth early, and finds the clock ahead: see EARLY_PART_LONG in wait_margins.c. */
	if (ns < least_ns - least_ns / 16 - OPEN_NS || ns > most_ns + most_ns / 4 + OPEN_NS)
		fail_msg("%lld %%: %d ticks of %lld ns took %lld", (long long)of_true, TICKS, (long long)period_ns,
			 (long long)ns);
}

static void replaced_clock_does_not_change_the_period(void **state)
{
	static const int64_t periods_ns[] = { NS_PER_MS, 3 * NS_PER_MS, PERIOD_NS, NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(percents) * COUNT(periods_ns); i++)
		for (uint32_t missed = HPT_TICKER_SKIP; missed <= HPT_TICKER_CATCH_UP; missed++) {
			begin_os(YEARS_NS);
			run_at(percents[i / COUNT(periods_ns)]);
			new_ticker(periods_ns[i % COUNT(periods_ns)], missed);
			assert_periods(percents[i / COUNT(periods_ns)], periods_ns[i % COUNT(periods_ns)]);
		}
}

static void clock_that_is_replaced_between_waits_keeps_the_next_tick(void **state)
{
	uint64_t since_ps;

	(void)state;
	for (size_t i = 0; i < COUNT(percents); i++) {
		begin_os(0);
		new_ticker(PERIOD_NS, HPT_TICKER_SKIP);
		since_ps = world.now_ps;
		took_ns(3);
		run_at(percents[i]);
		world.now_ps += 5 * PS_PER_MS;
		took_ns(1);
		assert_in_range((world.now_ps - since_ps) / 1000, 4 * PERIOD_NS - OPEN_NS, 4 * PERIOD_NS + OPEN_NS);
	}
}

static void rational_ticks_keep_their_period(void **state)
{
	(void)state;
	begin_os(0);
	freeze();
	new_ticker(PERIOD_NS, HPT_TICKER_SKIP);
	assert_int_equal(hpt_ticker_start_rational(t, hpt_now_ns(&clk), 1, 60), 0);
	took_ns(1); /* due at once */
	assert_in_range(took_ns(60), NS_PER_S - OPEN_NS, NS_PER_S + OPEN_NS);
}

static void next_tick_is_a_period_away_after_a_wait(void **state)
{
	int64_t next = 0;

	(void)state;
	begin_os(0);
	freeze();
	new_ticker(PERIOD_NS, HPT_TICKER_SKIP);
	for (int i = 0; i < 5; i++) {
		assert_in_range(slept(hpt_ticker_wait(t, NULL)), HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED);
		assert_int_equal(hpt_ticker_next_ns(t, &next), 0);
		assert_in_range(next - hpt_now_ns(&clk), PERIOD_NS - OPEN_NS, PERIOD_NS + NS_PER_US);
	}
}

/* ---- A good clock --------------------------------------------------------------------------------------------- */

static void lose_20_ms(void)
{
	world.now_ps += 20 * PS_PER_MS;
}

/* A preemption between the reads of two clocks that agree looks like a divergence: no tick moves by it. */
static void preemption_moves_no_tick(void **state)
{
	int64_t next = 0;

	(void)state;
	for (int64_t after_ns = 0; after_ns < 2000; after_ns += 7) {
		int64_t start_ns;

		begin_os(0);
		start_ns = hpt_now_ns(&clk);
		new_ticker(NS_PER_S, HPT_TICKER_SKIP);
		assert_int_equal(hpt_ticker_next_ns(t, &next), 0);
		start_ns = next - NS_PER_S;
		for (int n = 1; n <= 2; n++) {
			set_event(after_ns, lose_20_ms);
			assert_int_equal(slept(hpt_ticker_wait(t, NULL)), 0);
			assert_true(hpt_now_ns(&clk) >= start_ns + n * NS_PER_S);
			assert_int_equal(hpt_ticker_next_ns(t, &next), 0);
			assert_int_equal(next, start_ns + (n + 1) * NS_PER_S);
		}
	}
}

/* The two clocks of a moment are read again after a preemption between them. */
static void moments_are_read_close_together(void **state)
{
	struct hpt_moment moment;

	(void)state;
	for (int64_t after_ns = 0; after_ns < 300; after_ns += 3) {
		begin_os(0);
		set_event(after_ns, lose_20_ms);
		hpt_moment_take(&clk, &moment);
		assert_false(moment.is_torn);
		assert_in_range(moment.mono_ns - (int64_t)moment.at.tick, 0, NS_PER_US);
	}
}

static uint64_t slow_read_ps(void)
{
	return 2 * PS_PER_MS;
}

static void moments_that_are_torn_move_nothing(void **state)
{
	struct hpt_moment last, now;

	(void)state;
	begin_os(0);
	hpt_moment_take(&clk, &last);
	world.jitter_ps = slow_read_ps;
	hpt_moment_take(&clk, &now);
	assert_true(now.is_torn);
	now.at.generation = last.at.generation;
	now.mono_ns += 3600 * NS_PER_S;
	assert_false(hpt_moment_has_moved(&last, &now));
	assert_false(hpt_moment_has_moved(&now, &last));
	now.is_torn = false;
	assert_true(hpt_moment_has_moved(&last, &now));
	now.is_os = false; /* a counter's divergence is a generation, once the clocks are sampled */
	assert_false(hpt_moment_has_moved(&last, &now));
}

/* ---- No clock --------------------------------------------------------------------------------------------------- */

static void ticks_without_clocks_are_a_period_apart(void **state)
{
	(void)state;
	for (int i = 0; i < 6; i++) {
		if (i < 2)
			begin();
		else
			make_os(0);
		if (i < 4)
			hpt_now_ns(&clk);
		if (i >= 4)
			fake_world_lose_clocks(); /* never read */
		new_ticker(PERIOD_NS, i % 2 ? HPT_TICKER_CATCH_UP : HPT_TICKER_SKIP);
		if (i < 2)
			fake_world_lose_clocks();
		if (i < 2 || i >= 4)
			assert_in_range(took_ns(TICKS), TICKS * PERIOD_NS - OPEN_NS, TICKS * PERIOD_NS * 9 / 8);
		else
			assert_periods(100, PERIOD_NS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(replaced_clock_does_not_change_the_period, ticker_ends),
		cmocka_unit_test_teardown(clock_that_is_replaced_between_waits_keeps_the_next_tick, ticker_ends),
		cmocka_unit_test_teardown(rational_ticks_keep_their_period, ticker_ends),
		cmocka_unit_test_teardown(next_tick_is_a_period_away_after_a_wait, ticker_ends),
		cmocka_unit_test_teardown(preemption_moves_no_tick, ticker_ends),
		cmocka_unit_test(moments_are_read_close_together),
		cmocka_unit_test(moments_that_are_torn_move_nothing),
		cmocka_unit_test_teardown(ticks_without_clocks_are_a_period_apart, ticker_ends),
	};

	return cmocka_run_group_tests_name("tickers on a replaced clock", tests, NULL, NULL);
}
