// SPDX-License-Identifier: MIT
/* Bounds: lines that widen to both sides, their cuts, and the tick from which on a time is past. */
#include "unit.h"

#include <string.h>

#include "wall/bound.h"

#define NS INT64_C(1700000000000000000)

/* From `lo` to `hi` nanoseconds per 1000 ticks. */
static struct hpt_band band_of(uint64_t lo, uint64_t hi)
{
	return (struct hpt_band){ hpt_scale_of(lo, 1000), hpt_scale_of(hi, 1000) };
}

static struct hpt_bound_lines lines_of(uint64_t tick, int64_t lo_ns, int64_t hi_ns, uint64_t lo_rate, uint64_t hi_rate)
{
	return (struct hpt_bound_lines){ .tick = tick, .lo.ns = (uint64_t)lo_ns, .hi.ns = (uint64_t)hi_ns,
					 .band = band_of(lo_rate, hi_rate) };
}

static void assert_utc(struct hpt_utc utc, int64_t lo_ns, int64_t hi_ns)
{
	if (utc.lo_ns != lo_ns || utc.hi_ns != hi_ns)
		fail_msg("[%lld, %lld], not [%lld, %lld]", (long long)utc.lo_ns, (long long)utc.hi_ns,
			 (long long)lo_ns, (long long)hi_ns);
}

/* hi is rounded up, and whole nanoseconds too get one more. */
static void lines_widen_to_both_sides(void **state)
{
	const struct hpt_bound_lines lines = lines_of(5000, NS, NS + 100, 500, 750);

	(void)state;
	assert_utc(hpt_bound_after(&lines, 0), NS, NS + 101);
	assert_utc(hpt_bound_after(&lines, 1000), NS + 500, NS + 851);
	assert_utc(hpt_bound_before(&lines, 1000), NS - 750, NS + 100 - 500 + 1);
	assert_utc(hpt_bound_at(&lines, 6000), NS + 500, NS + 851);
	assert_utc(hpt_bound_at(&lines, 4000), NS - 750, NS - 399);
	assert_utc(hpt_bound_at(&lines, 5000), NS, NS + 101);
}

static void distance_wraps_as_the_counter_does(void **state)
{
	const struct hpt_bound_lines lines = lines_of(UINT64_MAX - 499, NS, NS + 100, 500, 750);

	(void)state;
	assert_utc(hpt_bound_at(&lines, 500), NS + 500, NS + 851);
	assert_utc(hpt_bound_at(&lines, UINT64_MAX - 1499), NS - 750, NS - 399);
}

/* A line that is carried does not lose what it had of a nanosecond. */
static void carried_lines_are_the_same_lines(void **state)
{
	struct hpt_bound_lines lines = lines_of(5000, NS, NS + 100, 333, 777), first = lines;

	(void)state;
	for (uint64_t t = 5001; t <= 6000; t++)
		hpt_bound_carry(&lines, t);
	assert_int_equal(lines.tick, 6000);
	assert_utc(hpt_bound_after(&lines, 500), hpt_bound_at(&first, 6500).lo_ns, hpt_bound_at(&first, 6500).hi_ns);
}

/*
 * The moment may be as early as `before`, so that the window counts by the fast rate. The counter may show `after` for
 * a step more, and a reading may be a step late.
 */
static void statement_allows_for_window_and_step(void **state)
{
	struct hpt_band band = band_of(500, 750);
	struct hpt_bound_lines lines = hpt_bound_of(4000, 5000, (struct hpt_utc){ NS, NS + 100 }, 1000, &band);

	(void)state;
	assert_int_equal(lines.tick, 5000);
	assert_utc(hpt_bound_after(&lines, 0), NS - 750, NS + 100 + 750 + 750 + 1);
	lines = hpt_bound_of(5000, 5000, (struct hpt_utc){ NS, NS }, 1, &band);
	assert_utc(hpt_bound_after(&lines, 0), NS - 1, NS + 1);
}

/* ---- Cuts ---------------------------------------------------------------------------------------------------- */

static void cut_takes_the_inner_lines_at_the_later_tick(void **state)
{
	const struct hpt_bound_lines later = lines_of(6000, NS + 600, NS + 2000, 600, 900);
	struct hpt_bound_lines lines = lines_of(5000, NS, NS + 100, 500, 750), other = later;

	(void)state;
	assert_true(hpt_bound_cut(&lines, &later));
	assert_int_equal(lines.tick, 6000);
	assert_utc(hpt_bound_after(&lines, 0), NS + 600, NS + 851);
	assert_int_equal(lines.band.lo.frac, hpt_scale_of(600, 1000).frac);
	assert_int_equal(lines.band.hi.frac, hpt_scale_of(750, 1000).frac);
	lines = lines_of(5000, NS, NS + 100, 500, 750);
	assert_true(hpt_bound_cut(&other, &lines));
	assert_int_equal(other.tick, 6000);
	assert_utc(hpt_bound_after(&other, 0), NS + 600, NS + 851);
}

/* The older lines are carried by the rates that both allow. */
static void cut_carries_by_the_common_rate(void **state)
{
	const struct hpt_bound_lines older = lines_of(5000, NS, NS + 100, 1, 1500);
	struct hpt_bound_lines lines = lines_of(6000, NS - 5000, NS + 5000, 500, 750);

	(void)state;
	assert_true(hpt_bound_cut(&lines, &older));
	assert_utc(hpt_bound_after(&lines, 0), NS + 500, NS + 851);
}

static void assert_nothing_in_common(struct hpt_bound_lines a, struct hpt_bound_lines b)
{
	struct hpt_bound_lines was = a;

	assert_false(hpt_bound_cut(&a, &b));
	assert_memory_equal(&a, &was, sizeof(a));
}

static void cut_of_nothing_changes_nothing(void **state)
{
	const struct hpt_bound_lines lines = lines_of(5000, NS, NS + 100, 500, 750);
	struct hpt_bound_lines touching = lines_of(5000, NS + 100, NS + 200, 500, 750), beside = touching;

	(void)state;
	assert_nothing_in_common(lines, lines_of(6000, NS + 851, NS + 900, 500, 750));
	assert_nothing_in_common(lines, lines_of(4000, NS - 1000, NS - 760, 500, 750));
	assert_nothing_in_common(lines, lines_of(5000, NS, NS + 100, 751, 800));
	beside.lo.frac = 1;
	assert_nothing_in_common(lines, beside);
	assert_true(hpt_bound_cut(&touching, &lines));
	assert_utc(hpt_bound_after(&touching, 0), NS + 100, NS + 101);
}

/* ---- The tick from which on a time is past ------------------------------------------------------------------- */

static void assert_first_after(const struct hpt_bound_lines *lines, int64_t ns)
{
	uint64_t tick = hpt_bound_tick_after(lines, ns), passed = tick - lines->tick;

	if (hpt_bound_after(lines, passed).lo_ns <= ns)
		fail_msg("%llu ticks are too early for %lld", (unsigned long long)passed, (long long)ns);
	if (passed && hpt_bound_after(lines, passed - 1).lo_ns > ns)
		fail_msg("%llu ticks are not the first for %lld", (unsigned long long)passed, (long long)ns);
}

/* Threads of a simulation wait on a manual clock: a tick later may be never. */
static void tick_after_is_the_first_one(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(20000); i++) {
		uint64_t lo = 1 + random_below(i & 1 ? 2000 : 2000000000);
		struct hpt_bound_lines lines = lines_of(random_magnitude() >> 2, NS, NS + 5, lo, lo + 7);

		if (lo < 100) /* 10 GHz, the fastest counter */
			lines.band.lo = hpt_scale_of(1, 10);
		lines.lo.frac = random_u64();
		assert_first_after(&lines, NS - 2 + (int64_t)random_below(1 + (random_magnitude() >> 20)));
	}
}

static void tick_after_a_past_time_is_the_lines_own(void **state)
{
	const struct hpt_bound_lines lines = lines_of(5000, NS, NS + 100, 500, 750);

	(void)state;
	assert_int_equal(hpt_bound_tick_after(&lines, NS - 1), 5000);
	assert_int_equal(hpt_bound_tick_after(&lines, INT64_MIN), 5000);
	assert_int_equal(hpt_bound_tick_after(&lines, NS), 5002);
	assert_int_equal(hpt_bound_tick_after(&lines, NS + 499), 6000);
}

/* INT64_MAX is never. A sum that wraps would be long past. */
static void tick_after_saturates(void **state)
{
	struct hpt_bound_lines lines = lines_of(UINT64_C(1) << 50, NS, NS + 100, 500, 750);

	(void)state;
	assert_true((int64_t)hpt_bound_tick_after(&lines, INT64_MAX) == INT64_MAX);
	lines.band = band_of(1, 2);
	assert_true((int64_t)hpt_bound_tick_after(&lines, INT64_MAX) == INT64_MAX);
}

/* At each tick it is half way between the two, however far it is carried. */
static void middle_is_half_way_at_each_tick(void **state)
{
	const struct hpt_bound_lines lines = lines_of(5000, NS, NS + 100, 500, 751);
	struct hpt_bound_lines middle = hpt_bound_middle(&lines), odd = lines_of(5000, NS, NS + 101, 500, 500);

	(void)state;
	for (uint64_t ticks = 0; ticks < 1000000; ticks += 12345) {
		struct hpt_utc both = hpt_bound_after(&lines, ticks), of_middle = hpt_bound_after(&middle, ticks);
		int64_t half_ns = both.lo_ns + (both.hi_ns - both.lo_ns) / 2;

		assert_in_range(of_middle.lo_ns - half_ns + 1, 0, 2);
		assert_int_equal(of_middle.hi_ns, of_middle.lo_ns + 1);
	}
	assert_true(hpt_bound_middle(&odd).lo.frac == UINT64_C(1) << 63);
	assert_int_equal(middle.tick, 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_widen_to_both_sides),
		cmocka_unit_test(distance_wraps_as_the_counter_does),
		cmocka_unit_test(carried_lines_are_the_same_lines),
		cmocka_unit_test(statement_allows_for_window_and_step),
		cmocka_unit_test(cut_takes_the_inner_lines_at_the_later_tick),
		cmocka_unit_test(cut_carries_by_the_common_rate),
		cmocka_unit_test(cut_of_nothing_changes_nothing),
		cmocka_unit_test(tick_after_is_the_first_one),
		cmocka_unit_test(tick_after_a_past_time_is_the_lines_own),
		cmocka_unit_test(tick_after_saturates),
		cmocka_unit_test(middle_is_half_way_at_each_tick),
	};

	random_start();
	return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
