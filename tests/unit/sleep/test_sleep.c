// SPDX-License-Identifier: MIT
/* Sleeps in a simulated world without events: when they end, and what they ask of the kernel. */
#include "sleep_world.h"

/* ---- Never early, and on time ------------------------------------------------------------------------ */

static const struct {
	uint64_t tick_ps, read_ps;
} counters[] = {
	{ 167, 8000 }, { 385, 10000 }, { 400, 8000 }, { 1000, 25000 }, { 1001, 8000 }, { 41667, 50000 },
	{ 69841, 700000 }, /* an HPET */
	{ 1000000, 8000 },
};

static const int64_t lengths_ns[] = {
	1, 2, 399, 400, 401, 1000, 4999, 20000, 100000, 123457, 300000, 1000000,
	4 * NS_PER_MS, 250 * NS_PER_MS, 3 * NS_PER_S + 1,
};

/* Measured by hpt_now_ns() from before the call, which allows for the time up to the call's first read. */
static void for_ns(int64_t ns)
{
	int64_t before = hpt_now_ns(&clk), took_ns;

	assert_int_equal(slept(hpt_sleep_ns(&clk, ns)), 0);
	took_ns = hpt_now_ns(&clk) - before;
	assert_in_range(took_ns, ns, ns + (2 * turn_ps() + 4 * (int64_t)world.clock_ps) / 1000);
}

static void until_unix_time(int64_t ns)
{
	int64_t at_ns = hpt_now_unix_ns(&clk) + ns, late_ns;

	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, at_ns)), 0);
	late_ns = hpt_now_unix_ns(&clk) - at_ns;
	assert_in_range(late_ns, 0, (3 * turn_ps() + 4 * (int64_t)world.clock_ps) / 1000);
}

static void until_a_time_of_the_timeline(int64_t ns)
{
	int64_t at_ns = hpt_now_ns(&clk) + ns;

	assert_int_equal(slept(hpt_sleep_until_ns(&clk, at_ns)), 0);
	assert_in_range(hpt_now_ns(&clk) - at_ns, 0, 2 * turn_ps() / 1000);
}

static void at_each_rate(void (*one)(int64_t ns))
{
	for (size_t i = 0; i < COUNT(counters); i++) {
		begin_at(counters[i].tick_ps, counters[i].read_ps);
		train();
		for (size_t k = 0; k < COUNT(lengths_ns); k++)
			one(lengths_ns[k]);
		for (int n = 0; n < 100; n++)
			one(1 + (int64_t)random_below(n % 10 ? 50000 : 5000000));
	}
}

static void sleep_until_ends_on_its_tick(void **state)
{
	(void)state;
	at_each_rate(until_a_tick);
}

static void sleep_for_ns_ends_when_they_are_over(void **state)
{
	(void)state;
	at_each_rate(for_ns);
}

static void sleep_until_unix_time_ends_there(void **state)
{
	(void)state;
	at_each_rate(until_unix_time);
}

static void sleep_until_a_time_of_the_timeline_ends_there(void **state)
{
	(void)state;
	at_each_rate(until_a_time_of_the_timeline);
}

/* A counter that moves in steps: between two reads it may stand still, though it moved between all before. */
static void sleep_ends_on_its_tick_of_a_staircase(void **state)
{
	static const uint64_t reads_ps[] = { 10000, 100000, 300000 };

	(void)state;
	for (size_t i = 0; i < COUNT(reads_ps); i++) {
		begin_in_steps(400, reads_ps[i], reads_ps[i] * 12 / 10 / 400);
		train();
		for (int n = 0; n < 10000; n++) {
			hpt_time_t deadline = in_ns(20000 + (int64_t)random_below(50000));

			assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
			if (hpt_now(&clk) < deadline)
				fail_msg("%lld ticks early, reads of %llu ps", (long long)(deadline - hpt_now(&clk)),
					 (unsigned long long)reads_ps[i]);
		}
	}
}

/* ---- Waits in the kernel ----------------------------------------------------------------------------- */

/* Idle CPUs wake later after longer waits. */
static void begin_idle(void)
{
	begin();
	kernel.late_long_ns = 2 * LATE_NS;
	train();
}

/* CPUs that other threads keep busy do not; the thread has forgotten those that do. */
static void begin_busy(void)
{
	begin();
	for (int i = 0; i < 2000; i++)
		hpt_sleep_ns(&clk, 10 * NS_PER_MS);
	train();
}

static void long_sleeps_take_two_waits_and_short_ones_one(void **state)
{
	(void)state;
	begin_idle();
	assert_in_range(waits_of(20 * NS_PER_S), 2, 4);
	assert_int_equal(waits_of(20 * NS_PER_MS), 2);
	assert_int_equal(waits_of(5 * NS_PER_MS / 2), 2);
	assert_int_equal(waits_of(2 * NS_PER_MS), 1);
	assert_int_equal(waits_of(200 * NS_PER_US), 1);
	assert_int_equal(waits_of(LATE_NS + 15 * NS_PER_US), 1);
}

/* Where other threads keep the CPUs busy the kernel wakes as soon after long waits, and a second wake costs more. */
static void long_sleeps_take_one_wait_where_it_ends_as_soon(void **state)
{
	(void)state;
	begin_busy();
	for (int64_t ns = 5 * NS_PER_MS / 2; ns <= 10 * NS_PER_MS; ns += NS_PER_MS / 2)
		assert_int_equal(waits_of(ns), 1);
	/* Counter and clock may differ by more than a second wait costs. */
	assert_int_equal(waits_of(50 * NS_PER_MS), 2);
	/* After ten sleeps on idle CPUs there are two waits again. */
	kernel.late_long_ns = 2 * LATE_NS;
	for (int i = 0; i < 10; i++)
		hpt_sleep_ns(&clk, 10 * NS_PER_MS);
	assert_int_equal(waits_of(10 * NS_PER_MS), 2);
	begin_busy();
	assert_int_equal(waits_of(10 * NS_PER_MS), 1);
}

/* The spin after it is no longer than the policy allows. */
static void long_sleeps_take_two_waits_rather_than_exceed_the_cap(void **state)
{
	(void)state;
	begin_busy();
	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, habits().long_margin_ns + 5 * NS_PER_US);
	assert_int_equal(waits_of(10 * NS_PER_MS), 2);
	assert_int_equal(waits_of(5 * NS_PER_MS / 2), 1);
}

static void sleeps_shorter_than_the_margin_are_spun(void **state)
{
	(void)state;
	begin();
	train();
	for (int64_t ns = 1; ns < LATE_NS; ns += 997)
		assert_int_equal(waits_of(ns), 0);
	assert_int_equal(kernel.slack_gets + kernel.slack_sets, 0);
}

/* The last wait ends the margin before the deadline, earlier waits end more before it. */
static void waits_end_ahead_of_the_deadline(void **state)
{
	int64_t start_ns, ahead_ns[2];

	(void)state;
	begin();
	train();
	start_ns = true_monotonic_ns();
	assert_int_equal(waits_of(50 * NS_PER_MS), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(kernel.wait[i].id, CLOCK_MONOTONIC);
		assert_int_equal(kernel.wait[i].word, kernel.wait[i].value);
		ahead_ns[i] = start_ns + 50 * NS_PER_MS - kernel.wait[i].until_ns;
	}
	assert_in_range(ahead_ns[1], LATE_NS, 2 * LATE_NS);
	assert_in_range(ahead_ns[0], ahead_ns[1] + LATE_NS, NS_PER_MS);
}

/* Sleeps until Unix time wait by CLOCK_REALTIME, so that the kernel follows its steps and slews. */
static void unix_sleeps_wait_by_the_wall_clock(void **state)
{
	(void)state;
	begin();
	train();
	until_unix_time(50 * NS_PER_MS);
	assert_int_equal(kernel.waits, 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(kernel.wait[i].id, CLOCK_REALTIME);
}

/* ---- Refusals ---------------------------------------------------------------------------------------- */

static void sleep_that_may_not_wait_spins(void **state)
{
	static const int refusals[] = { -ENOSYS, -EPERM, -EACCES, -EINVAL, -EFAULT };

	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		begin();
		train();
		kernel.refusal = refusals[i];
		until_a_tick(5 * NS_PER_MS);
		assert_int_equal(kernel.waits, 1);
		for_ns(5 * NS_PER_MS);
		until_unix_time(5 * NS_PER_MS);
	}
}

static void sleep_that_may_not_wait_teaches_nothing(void **state)
{
	struct hpt_sleep_info before;

	(void)state;
	begin();
	train();
	before = habits();
	kernel.refusal = -EPERM;
	for (int i = 0; i < 10; i++)
		until_a_tick(NS_PER_MS);
	assert_int_equal(habits().samples, before.samples);
	assert_int_equal(habits().margin_ns, before.margin_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleep_until_ends_on_its_tick),
		cmocka_unit_test(sleep_for_ns_ends_when_they_are_over),
		cmocka_unit_test(sleep_until_unix_time_ends_there),
		cmocka_unit_test(sleep_until_a_time_of_the_timeline_ends_there),
		cmocka_unit_test(sleep_ends_on_its_tick_of_a_staircase),
		cmocka_unit_test(long_sleeps_take_two_waits_and_short_ones_one),
		cmocka_unit_test(long_sleeps_take_one_wait_where_it_ends_as_soon),
		cmocka_unit_test(long_sleeps_take_two_waits_rather_than_exceed_the_cap),
		cmocka_unit_test(sleeps_shorter_than_the_margin_are_spun),
		cmocka_unit_test(waits_end_ahead_of_the_deadline),
		cmocka_unit_test(unix_sleeps_wait_by_the_wall_clock),
		cmocka_unit_test(sleep_that_may_not_wait_spins),
		cmocka_unit_test(sleep_that_may_not_wait_teaches_nothing),
	};

	random_start();
	return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
