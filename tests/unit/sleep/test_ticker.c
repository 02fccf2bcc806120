// SPDX-License-Identifier: MIT
/* Tickers in a simulated world: the times of ticks, missed ticks, and clocks that diverge. */
#include "ticker_world.h"

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
	int64_t raw_ns, mono_ns, ticks = rounds(1000000);

	(void)state;
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0), 0);
	new_ticker(period_ns);
	raw_ns = hpt_now_ns(&clk);
	mono_ns = fake_world_true_ns(CLOCK_MONOTONIC);
	for (int64_t n = 1; n <= ticks; n++) {
		int64_t tick_ns = start_ns + n * period_ns, off_ns;

		if (hpt_ticker_wait(t, NULL) || hpt_now_ns(&clk) < tick_ns)
			fail_msg("tick %lld came early, or not at all", (long long)n);
		off_ns = sleeping.until_ns - mono_ns - (tick_ns - raw_ns);
		if (off_ns < -OPEN_NS || off_ns > OPEN_NS)
			fail_msg("tick %lld was waited for %lld ns from its place", (long long)n, (long long)off_ns);
	}
	assert_int_equal(sleeping.waits, ticks);
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
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_CATCH_UP, 0), 0);
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
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_SKIP, 0), 0);
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
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_CATCH_UP, 0), 0);
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
		assert_int_equal(hpt_ticker_set_missed(t, policies[i], 0), 0);
		pass_ns(3600 * NS_PER_S);
		assert_int_equal(hpt_ticker_wait(t, &seen), 0);
		assert_in_range(hpt_now_ns(&clk) - start_ns - (int64_t)seen, 0, OPEN_NS);
	}
}

/* ---- Clocks that diverge ---------------------------------------------------------------------------------- */

static void counter_jumps_back(void)
{
	world.tick_offset -= UINT64_C(100000000);
}

static void counter_stops(void)
{
	world.tick_offset -= PERIOD_NS / 2 * 1000 / world.tick_ps;
}

static void expect_tick_at(int64_t n, int result)
{
	uint64_t seen = UINT64_MAX;
	int64_t off_ns;

	assert_int_equal(hpt_ticker_wait(t, &seen), result);
	assert_int_equal(seen, 0);
	off_ns = (int64_t)(world.now_ps - made_ps) / 1000 - n * PERIOD_NS;
	if (off_ns < -OPEN_NS || off_ns > PERIOD_NS / 4)
		fail_msg("tick %lld came %lld ns off", (long long)n, (long long)off_ns);
}

static void jump_of_the_counter_moves_no_tick(void **state)
{
	static void (*const jumps[])(void) = { counter_jumps, counter_jumps_back, counter_stops };

	(void)state;
	for (size_t i = 0; i < COUNT(jumps); i++) {
		new_placed_ticker();
		expect_tick_at(1, 0);
		happens_after(PERIOD_NS / 2, jumps[i]);
		expect_tick_at(2, HPT_STATE_DISRUPTED);
		expect_tick_at(3, 0);
		pass_ns(PERIOD_NS / 2);
		jumps[i]();
		expect_tick_at(4, 0);
		expect_tick_at(5, 0);
	}
}

/* K2: ticks follow the counter, which the namespace does not move, in whichever thread notices it first. */
static void time_namespace_moves_no_tick(void **state)
{
	static const int64_t offsets_ns[] = {
		5 * NS_PER_S, -5 * NS_PER_S, 50 * NS_PER_MS, -50 * NS_PER_MS, PERIOD_NS * 3 / 4, -PERIOD_NS * 3 / 4,
	};
	static const uint32_t policies[] = { HPT_TICKER_SKIP, HPT_TICKER_CATCH_UP, HPT_TICKER_DELAY };

	(void)state;
	for (size_t i = 0; i < 6 * COUNT(offsets_ns); i++) {
		namespace_ns = offsets_ns[i / 6];
		new_placed_ticker();
		assert_int_equal(hpt_ticker_set_missed(t, policies[i / 2 % 3], 0), 0);
		expect_tick_at(1, 0);
		pass_ns(PERIOD_NS / 3);
		enter_namespace();
		if (i % 2)
			assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_REANCHORED);
		expect_tick_at(2, 0);
		expect_tick_at(3, 0);
		expect_tick_at(4, 0);
	}
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

static void counter_jumps_a_little(void)
{
	world.tick_offset += 30 * NS_PER_MS * 1000 / world.tick_ps;
}

/* The counter jumps between the wait's first read and the sleep's, within what the present record serves. */
static void early_jump_moves_no_tick(void **state)
{
	(void)state;
	new_placed_ticker();
	for (int64_t n = 1; n <= 40; n++) {
		uint64_t seen = UINT64_MAX;
		int r;

		happens_after(n * 8, counter_jumps_a_little);
		r = hpt_ticker_wait(t, &seen);
		assert_true(r == 0 || r == HPT_STATE_DISRUPTED);
		assert_int_equal(seen, 0);
		assert_in_range((int64_t)(world.now_ps - made_ps) / 1000 - n * PERIOD_NS + OPEN_NS, 0, PERIOD_NS / 4);
	}
}

/* ---- Missed ticks: a limit ------------------------------------------------------------------------------- */

static void ticks_beyond_the_most_are_dropped_and_counted(void **state)
{
	static const uint64_t missed[] = { 7, 1, 0 };
	struct hpt_ticker_info info;

	(void)state;
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_CATCH_UP, 2), 0);
	pass_ns(PERIOD_NS * 17 / 2);
	for (size_t i = 0; i < COUNT(missed); i++) {
		uint64_t seen = UINT64_MAX;

		assert_int_equal(hpt_ticker_wait(t, &seen), 0);
		assert_int_equal(seen, missed[i]);
	}
	assert_int_equal(hpt_ticker_get_info(t, &info, sizeof(info)), 0);
	assert_int_equal(info.ticks, 3);
	assert_int_equal(info.missed, 5);
	expect_tick(9, 0, 0);
	pass_ns(PERIOD_NS * 5 / 2);
	expect_tick(10, PERIOD_NS * 3 / 2, 1);
	expect_tick(11, PERIOD_NS / 2, 0);
}

static void no_limit_is_the_greatest_limit(void **state)
{
	static const uint64_t limits[] = { 0, UINT64_MAX, UINT64_MAX / 4 + 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(limits); i++) {
		uint64_t seen = 0;

		new_ticker(PERIOD_NS);
		assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_CATCH_UP, limits[i]), 0);
		pass_ns(PERIOD_NS * 201 / 2);
		for (uint64_t more = 99; more < 100; more--) {
			assert_int_equal(hpt_ticker_wait(t, &seen), 0);
			assert_int_equal(seen, more);
		}
	}
}

/* ---- Facts ---------------------------------------------------------------------------------------------------- */

static struct hpt_ticker_info facts(void)
{
	struct hpt_ticker_info info;

	memset(&info, 0xff, sizeof(info));
	assert_int_equal(hpt_ticker_get_info(t, &info, sizeof(info)), 0);
	assert_int_equal(info.size, sizeof(info));
	return info;
}

static void facts_count_ticks_and_their_lateness(void **state)
{
	struct hpt_ticker_info info = facts();

	(void)state;
	assert_true(!info.ticks && !info.missed && !info.late_median_ns && !info.late_p99_ns && !info.late_max_ns);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	info = facts();
	assert_int_equal(info.ticks, 1);
	assert_true(info.late_max_ns < OPEN_NS);
	pass_ns(PERIOD_NS * 3 / 2);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	info = facts();
	assert_int_equal(info.ticks, 2);
	assert_int_equal(info.missed, 0);
	assert_in_range(info.late_max_ns, PERIOD_NS / 2 - OPEN_NS, PERIOD_NS / 2 + OPEN_NS);
	assert_true(info.late_median_ns < OPEN_NS);
	assert_int_equal(info.late_p99_ns, info.late_max_ns);
	/* The latest of the ticks that went by, 1 ms after its time. */
	pass_ns(PERIOD_NS * 61 / 10 - PERIOD_NS / 2);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	info = facts();
	assert_int_equal(info.missed, 5);
	assert_in_range(info.late_max_ns, PERIOD_NS / 2 - OPEN_NS, PERIOD_NS / 2 + OPEN_NS);
	assert_in_range(info.late_median_ns, PERIOD_NS / 10 - OPEN_NS, PERIOD_NS / 10 * 9 / 8);
}

/* The kernel of this world wakes 20 us late, and without a spin so does the ticker. */
static void lateness_is_that_of_the_return(void **state)
{
	struct hpt_ticker_info info;

	(void)state;
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_NOSPIN, 0), 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	info = facts();
	assert_in_range(info.late_median_ns, LATE_PS / 1000 - OPEN_NS, LATE_PS / 1000 * 9 / 8 + OPEN_NS);
	assert_in_range(info.late_max_ns, LATE_PS / 1000 - OPEN_NS, LATE_PS / 1000 + OPEN_NS);
	assert_int_equal(info.ticks, 100);
}

static void interrupted_and_diverged_waits_are_not_late(void **state)
{
	(void)state;
	interrupt();
	assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
	assert_int_equal(facts().ticks, 0);
	happens_after(PERIOD_NS / 2, counter_jumps);
	assert_int_equal(hpt_ticker_wait(t, NULL), HPT_STATE_DISRUPTED);
	assert_int_equal(facts().ticks, 1);
	assert_int_equal(facts().late_max_ns, 0);
	/* The next one is the only one that counts. */
	pass_ns(PERIOD_NS * 3 / 2);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_int_equal(facts().ticks, 2);
	assert_true(facts().late_median_ns > PERIOD_NS / 3);
}

static void facts_have_a_size(void **state)
{
	struct hpt_ticker_info info = { .ticks = 77 };

	(void)state;
	assert_int_equal(sizeof(info), HPT_TICKER_INFO_SIZE_V0);
	assert_int_equal(hpt_ticker_get_info(NULL, &info, sizeof(info)), -EINVAL);
	assert_int_equal(hpt_ticker_get_info(t, NULL, sizeof(info)), -EINVAL);
	assert_int_equal(hpt_ticker_get_info(t, &info, HPT_TICKER_INFO_SIZE_V0 - 1), -EINVAL);
	assert_int_equal(info.ticks, 77);
}

/* ---- Policies and signals ------------------------------------------------------------------------------------ */

static void policy_is_the_tickers_own(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_SPIN, 0), 0);
	expect_tick(1, 0, 0);
	assert_int_equal(sleeping.waits, 0);
	assert_int_equal(facts().policy, HPT_SLEEP_SPIN);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_INHERIT, 1), -EINVAL);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_INHERIT, 0), 0);
	expect_tick(2, 0, 0);
	assert_true(sleeping.waits > 0);
}

static int signalled_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	(void)word, (void)value, (void)id, (void)until_ns;
	return -EINTR;
}

static void signal_ends_a_wait_and_keeps_the_tick(void **state)
{
	hpt_ticker *plain = t;

	(void)state;
	t = NULL;
	start_ns = hpt_now_ns(&clk);
	assert_int_equal(hpt_ticker_new(&clk, PERIOD_NS, HPT_WAIT_EINTR, &t), 0);
	fake_env.wait = signalled_wait;
	assert_int_equal(hpt_ticker_wait(t, NULL), -EINTR);
	assert_int_equal(hpt_ticker_wait(t, NULL), -EINTR);
	assert_int_equal(hpt_ticker_wait(plain, NULL), 0);
	fake_env.wait = world_wait;
	pass_ns(PERIOD_NS / 2);
	expect_tick(1, PERIOD_NS / 2, 0);
	hpt_ticker_free(plain);
}

static void ticker_holds_its_clock(void **state)
{
	hpt_ticker *other = NULL;
	hpt_clock *os = NULL;

	(void)state;
	assert_ptr_equal(hpt_ticker_clock(t), &clk);
	assert_null(hpt_ticker_clock(NULL));
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_ticker_new(os, PERIOD_NS, 0, &other), 0);
	assert_int_equal(os->holders, 2);
	hpt_ticker_free(other);
	assert_int_equal(os->holders, 1);
	hpt_clock_close(os);
}

/* ---- Bad input -------------------------------------------------------------------------------------------- */

static void nothing_is_done_without_a_ticker(void **state)
{
	hpt_ticker *other = NULL;

	(void)state;
	assert_int_equal(hpt_ticker_new(&clk, 1, 0, NULL), -EINVAL);
	assert_int_equal(hpt_ticker_new(&clk, -1, 0, &other), -EINVAL);
	assert_int_equal(hpt_ticker_new(&clk, INT64_MIN, 0, &other), -EINVAL);
	assert_null(other);
	assert_int_equal(hpt_ticker_wait(NULL, NULL), -EINVAL);
	assert_int_equal(hpt_ticker_interrupt(NULL), -EINVAL);
	assert_int_equal(hpt_ticker_set_missed(NULL, HPT_TICKER_SKIP, 0), -EINVAL);
	assert_int_equal(hpt_ticker_set_policy(NULL, HPT_SLEEP_BALANCED, 0), -EINVAL);
	assert_int_equal(hpt_ticker_new(&clk, 1, HPT_WAIT_EINTR << 1, &other), -EINVAL);
	assert_null(other);
	assert_int_equal(hpt_ticker_fd(NULL), -EINVAL);
	hpt_ticker_free(NULL);
}

static void invalid_policy_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_DELAY + 1, 0), -EINVAL);
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
		ticker_test(early_jump_moves_no_tick),
		ticker_test(time_namespace_moves_no_tick),
		ticker_test(ticks_keep_their_places_in_a_new_generation),
		ticker_test(ticks_beyond_the_most_are_dropped_and_counted),
		ticker_test(no_limit_is_the_greatest_limit),
		ticker_test(facts_count_ticks_and_their_lateness),
		ticker_test(lateness_is_that_of_the_return),
		ticker_test(interrupted_and_diverged_waits_are_not_late),
		ticker_test(facts_have_a_size),
		ticker_test(policy_is_the_tickers_own),
		ticker_test(signal_ends_a_wait_and_keeps_the_tick),
		ticker_test(ticker_holds_its_clock),
		ticker_test(nothing_is_done_without_a_ticker),
		ticker_test(invalid_policy_changes_nothing),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests_name("ticker", tests, NULL, NULL);
}
