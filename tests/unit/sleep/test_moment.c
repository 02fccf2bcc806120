// SPDX-License-Identifier: MIT
/* Moments: times that are carried to another timeline, and clocks that diverge between two moments. */
#include "object_world.h"

#include "sleep/moment.h"

/* A tick is 2 ns, on a timeline that reads 1 s; CLOCK_MONOTONIC reads 5 s. */
static struct hpt_moment moment(void)
{
	return (struct hpt_moment){
		.at = { .tick = 1000000, .ns = NS_PER_S, .slope = { 2, 0 }, .mono_per_tick = { 2, 0 },
			.tick_per_ns = { 0, UINT64_C(1) << 63 }, .generation = 1 },
		.mono_ns = 5 * NS_PER_S,
	};
}

/* The same, later by counter and clock; both timelines and the generation are the next one's. */
static struct hpt_moment later(int64_t ticks, int64_t mono_ns, uint32_t state)
{
	struct hpt_moment m = moment();

	m.at.tick += (uint64_t)ticks;
	m.at.ns = 7 * NS_PER_S;
	m.at.generation = 2;
	m.at.state = state;
	m.mono_ns += mono_ns;
	return m;
}

static int64_t carried(int64_t ns, struct hpt_moment now)
{
	struct hpt_moment last = moment();

	return hpt_moment_carried_ns(&last, &now, ns) - HPT_MOMENT_OPEN_NS - now.at.ns;
}

static void counter_carries_where_the_clocks_moved(void **state)
{
	(void)state;
	/* 10 ms were left; by the counter 4 ms passed, whatever the clock says. */
	assert_int_equal(carried(NS_PER_S + 10 * NS_PER_MS, later(2000000, 5 * NS_PER_S, HPT_STATE_REANCHORED)),
			 6 * NS_PER_MS);
	assert_int_equal(carried(NS_PER_S + 10 * NS_PER_MS, later(2000000, -5 * NS_PER_S, HPT_STATE_REANCHORED)),
			 6 * NS_PER_MS);
	assert_int_equal(carried(NS_PER_S + NS_PER_MS, later(2000000, 0, HPT_STATE_REANCHORED)), -3 * NS_PER_MS);
}

static void clock_carries_where_the_counter_jumped(void **state)
{
	static const uint32_t states[] = { HPT_STATE_DISRUPTED, HPT_STATE_DEMOTED };

	(void)state;
	for (size_t i = 0; i < COUNT(states); i++) {
		assert_int_equal(carried(NS_PER_S + 10 * NS_PER_MS, later(1 << 30, 4 * NS_PER_MS, states[i])),
				 6 * NS_PER_MS);
		assert_int_equal(carried(NS_PER_S + 10 * NS_PER_MS, later(-(1 << 30), 4 * NS_PER_MS, states[i])),
				 6 * NS_PER_MS);
		assert_int_equal(carried(NS_PER_S, later(0, 4 * NS_PER_MS, states[i])), -4 * NS_PER_MS);
	}
}

/* A suspend may leave the counter at zero. */
static void clock_carries_where_the_counter_restarted(void **state)
{
	(void)state;
	assert_int_equal(carried(NS_PER_S + 10 * NS_PER_MS, later(-999999, 4 * NS_PER_MS, HPT_STATE_REANCHORED)),
			 6 * NS_PER_MS);
}

static void nothing_comes_further_away(void **state)
{
	(void)state;
	assert_int_equal(carried(NS_PER_S + 10 * NS_PER_MS, later(0, -5 * NS_PER_S, HPT_STATE_DISRUPTED)),
			 10 * NS_PER_MS - HPT_MOMENT_OPEN_NS);
	/* What was due already may become due later. */
	assert_int_equal(carried(NS_PER_S - 10, later(0, -1000, HPT_STATE_DISRUPTED)), 990);
}

/* The new generation's rates are used for what is left. */
static void rates_of_both_generations_count(void **state)
{
	struct hpt_moment now = later(0, 0, HPT_STATE_DISRUPTED);

	(void)state;
	now.at.slope = (struct hpt_scale){ 3, 0 };
	now.at.mono_per_tick = (struct hpt_scale){ 4, 0 };
	now.at.tick_per_ns = (struct hpt_scale){ 0, UINT64_C(1) << 62 };
	assert_int_equal(carried(NS_PER_S + 8000, now), 6000);
}

static void range_ends_in_saturation(void **state)
{
	struct hpt_moment last = moment(), now = later(0, 0, HPT_STATE_REANCHORED);

	(void)state;
	last.at.tick = now.at.tick = UINT64_MAX / 2;
	assert_int_equal(hpt_moment_carried_ns(&last, &now, INT64_MAX), INT64_MAX);
	assert_true(hpt_moment_carried_ns(&last, &now, INT64_MIN) < -INT64_MAX / 2);
}

static void counter_and_clock_may_differ_a_little(void **state)
{
	static const struct {
		int64_t counted_ms, passed_us;
		bool diverged;
	} rows[] = {
		{ 0, 0, false },        { 0, 999, false },       { 0, 1200, true },      { 1, 0, false },
		{ 2, 0, true },         { 80, 90000, false },    { 80, 95000, true },    { 80, 72000, false },
		{ 80, 60000, true },    { -2, 0, true },         { 0, -2000, true },     { 0, -900, false },
		{ 10, -5000000, true }, { 10, 5000000, true },
	};
	struct hpt_moment last = moment();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_moment now = later(rows[i].counted_ms * 500000, rows[i].passed_us * 1000, 0);

		if (hpt_moment_has_diverged(&last, &now) != rows[i].diverged)
			fail_msg("row %zu", i);
	}
}

/* A manual clock's times may be any. */
static void all_of_int64_may_pass(void **state)
{
	struct hpt_moment last = moment(), now = later(INT64_MAX, 0, 0);

	(void)state;
	last.mono_ns = INT64_MIN;
	now.mono_ns = INT64_MAX;
	assert_false(hpt_moment_has_diverged(&last, &now));
	last.mono_ns = INT64_MAX;
	now.mono_ns = INT64_MIN;
	assert_true(hpt_moment_has_diverged(&last, &now));
}

static void moment_after_a_jump_is_of_the_generation_that_it_begins(void **state)
{
	struct hpt_moment last, now;

	(void)state;
	hpt_moment_take(&clk, &last);
	assert_in_range(last.mono_ns - fake_world_true_ns(CLOCK_MONOTONIC) + 100, 0, 200);
	pass(PS_PER_MS);
	hpt_moment_after(&clk, &last, &now);
	assert_int_equal(now.at.generation, last.at.generation);
	world.tick_offset += 30 * NS_PER_MS * 1000 / world.tick_ps;
	hpt_moment_after(&clk, &last, &now);
	assert_int_equal(now.at.generation, last.at.generation + 1);
	assert_int_equal(now.at.state, HPT_STATE_DISRUPTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counter_carries_where_the_clocks_moved),
		cmocka_unit_test(clock_carries_where_the_counter_jumped),
		cmocka_unit_test(clock_carries_where_the_counter_restarted),
		cmocka_unit_test(nothing_comes_further_away),
		cmocka_unit_test(rates_of_both_generations_count),
		cmocka_unit_test(range_ends_in_saturation),
		cmocka_unit_test(counter_and_clock_may_differ_a_little),
		cmocka_unit_test(all_of_int64_may_pass),
		sleeping_test(moment_after_a_jump_is_of_the_generation_that_it_begins),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("moment", tests, NULL, NULL);
}
