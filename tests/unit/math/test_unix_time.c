// SPDX-License-Identifier: MIT
/* Ticks and Unix time: the papers' years, both ends of the range, conversions in both directions. */
#include <errno.h>

#include "unit.h"

#include "math/unix_time.h"

#define NS_PER_S   INT64_C(1000000000)
#define UHZ_PER_HZ UINT64_C(1000000)
#define NOW_S      INT64_C(1795171679) /* 2026-11-20 */

static struct hpt_unix_time map_at(uint64_t hz, int64_t tick, int64_t unix_ns)
{
	return (struct hpt_unix_time){ .ray = { tick, unix_ns, hpt_scale_of((uint64_t)NS_PER_S, hz) },
				   .tick_per_ns = hpt_scale_of(hz, (uint64_t)NS_PER_S) };
}

static const uint64_t rates_hz[] = { 10000000, 14318180, 24000000, 999999999, 1000000000, 1000000001, 2596135968,
				     4700000000, 5000000000, 6000000000 };

static int64_t random_tick(void)
{
	uint64_t r = random_magnitude();

	return (int64_t)(random_below(2) ? r : 0 - r);
}

static void there_and_back_is_the_nearest_tick(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rates_hz); i++) {
		struct hpt_unix_time e = map_at(rates_hz[i], 4711 * (int64_t)rates_hz[i],
						NOW_S * NS_PER_S + 123456789);
		/* Half a nanosecond and half a tick. */
		uint64_t allowed = rates_hz[i] <= 1000000000 ? 0 : (rates_hz[i] + 1000000000) / 2000000000;

		for (int n = 0; n < 20000; n++) {
			int64_t t = random_tick() / 2, back;

			assert_int_equal(hpt_ray_tick(&e.ray, hpt_ray_ns(&e.ray, t), &back), 0);
			assert_in_range((uint64_t)(back - t) + allowed, 0, 2 * allowed);
		}
	}
}

static void what_is_far_away_fits_where_the_result_does(void **state)
{
	struct hpt_unix_time e = map_at(1000000000, INT64_C(1000000000000), NOW_S * NS_PER_S);
	int64_t ns, t;

	(void)state;
	/* The distance takes 65 bits, the result does not. */
	assert_int_equal(hpt_wide_narrow(hpt_ray_ns(&e.ray, INT64_MIN), &ns), 0);
	assert_true(ns == INT64_MIN + (NOW_S * NS_PER_S - INT64_C(1000000000000)));
	assert_int_equal(hpt_ray_tick(&e.ray, hpt_wide_of(ns), &t), 0);
	assert_true(t == INT64_MIN);
	t = 4711;
	assert_int_equal(hpt_ray_tick(&e.ray, hpt_wide_of(ns - 1), &t), -ERANGE);
	assert_int_equal(t, 4711);
	e.ray.tick = -e.ray.tick;
	assert_int_equal(hpt_ray_tick(&e.ray, hpt_wide_of(INT64_MAX), &t), 0);
	assert_true(t == INT64_MAX - NOW_S * NS_PER_S - INT64_C(1000000000000));
}

static bool fits(const struct hpt_unix_time *e, int64_t t)
{
	int64_t ns;

	return !hpt_wide_narrow(hpt_ray_ns(&e->ray, t), &ns);
}

static void ends_are_exact_to_the_tick(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rates_hz); i++)
		for (int n = 0; n < 1000; n++) {
			struct hpt_unix_time e = map_at(rates_hz[i], n ? random_tick() : 0,
						      n ? random_tick() : NOW_S * NS_PER_S);
			int64_t first = hpt_unix_time_furthest(&e, INT64_MIN);
			int64_t last = hpt_unix_time_furthest(&e, INT64_MAX);

			assert_true(first <= e.ray.tick && e.ray.tick <= last);
			assert_true(fits(&e, first) && fits(&e, last));
			assert_true(first == INT64_MIN || !fits(&e, first - 1));
			assert_true(last == INT64_MAX || !fits(&e, last + 1));
		}
}

static void ends_are_those_of_int64_or_of_the_years(void **state)
{
	struct hpt_unix_time fast = map_at(6000000000, 0, NOW_S * NS_PER_S);
	struct hpt_unix_time slow = map_at(10000000, 0, NOW_S * NS_PER_S);

	(void)state;
	assert_true(hpt_unix_time_furthest(&fast, INT64_MIN) == INT64_MIN);
	assert_true(hpt_unix_time_furthest(&fast, INT64_MAX) == INT64_MAX);
	assert_true(hpt_unix_time_furthest(&slow, INT64_MAX) == (INT64_MAX - NOW_S * NS_PER_S) / 100);
	/* The last half tick before 1677 rounds to it. */
	assert_true(hpt_unix_time_furthest(&slow, INT64_MIN) == INT64_MIN / 100 - NOW_S * (NS_PER_S / 100));
}

/* From the project's research: the papers' value overflows on these days. */
static void ticks_since_1970_end_when_they_must(void **state)
{
	static const struct {
		uint64_t hz;
		int64_t last_s; /* INT64_MAX / hz, rounded down */
	} rows[] = {
		{ 2600000000, INT64_C(3547450783) }, /* 2082-05-31 */
		{ 4700000000, INT64_C(1962419582) }, /* 2032-03-09 */
		{ 5000000000, INT64_C(1844674407) }, /* 2028-06-15 */
		{ 6000000000, INT64_C(1537228672) }, /* 2018-09-17 */
		{ 1000000000, INT64_C(9223372036) }, /* 2262-04-11 */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t hz = (int64_t)rows[i].hz, ticks = 4711;
		struct hpt_unix_time e = map_at(rows[i].hz, 1000 * hz, (rows[i].last_s - 10) * NS_PER_S);

		assert_int_equal(hpt_unix_time_ticks(&e, 1009 * hz, &ticks), 0);
		assert_in_range(INT64_MAX - ticks - hz, 0, hz + 1);
		ticks = 4711;
		assert_int_equal(hpt_unix_time_ticks(&e, 1011 * hz, &ticks), -ERANGE);
		assert_int_equal(ticks, 4711);
		e.ray.ns = -e.ray.ns;
		assert_int_equal(hpt_unix_time_ticks(&e, 991 * hz, &ticks), 0);
		ticks = 4711;
		assert_int_equal(hpt_unix_time_ticks(&e, 989 * hz - 1, &ticks), -ERANGE);
		assert_int_equal(ticks, 4711);
	}
}

static void ticks_since_1970_are_unix_time_times_rate(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rates_hz) && rates_hz[i] < 5000000000; i++) {
		int64_t hz = (int64_t)rates_hz[i], ticks, more;
		struct hpt_unix_time e = map_at(rates_hz[i], 77 * hz, NOW_S * NS_PER_S);

		assert_int_equal(hpt_unix_time_ticks(&e, 77 * hz, &ticks), 0);
		assert_in_range((uint64_t)(ticks - NOW_S * hz) + 1, 0, 2);
		/* One tick later the result is greater by one. */
		assert_int_equal(hpt_unix_time_ticks(&e, 77 * hz + 1, &more), 0);
		assert_true(more == ticks + 1);
	}
}

/* One line of three pieces, without a step where they meet; each converts in both directions. */
static void pieces_meet(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(100000); i++) {
		uint64_t uhz = UINT64_C(10000000000000) + random_below(UINT64_C(6000000000000000));
		struct hpt_unix_segment e = {
			.start = (int64_t)random_u64() >> 1, .span = random_below(UINT64_C(1) << 32) + 1,
			.unix_ns = INT64_C(1795171679123456789),
			.beyond = hpt_scale_of(UINT64_C(1000000000000000), uhz),
		};
		int64_t last = INT64_MIN;

		e.within = hpt_scale_of(UINT64_C(1000000000000000), uhz + random_below(uhz / 1000));
		e.end_unix_ns = e.unix_ns + hpt_scale_round((int64_t)e.span, e.within);
		for (int64_t d = -2; d <= 2; d++) {
			struct hpt_unix_time at_start = hpt_unix_time_for(&e, e.start + d);
			int64_t ns;

			assert_int_equal(hpt_wide_narrow(hpt_ray_ns(&at_start.ray, e.start + d), &ns), 0);
			assert_true(ns >= last && (last == INT64_MIN || ns - last <= 101));
			last = ns;
		}
		last = INT64_MIN;
		for (int64_t d = -2; d <= 2; d++) {
			int64_t t = e.start + (int64_t)e.span + d, ns;
			struct hpt_unix_time at_end = hpt_unix_time_for(&e, t);

			assert_int_equal(hpt_wide_narrow(hpt_ray_ns(&at_end.ray, t), &ns), 0);
			if (e.span > 2)
				assert_true(ns >= last && (last == INT64_MIN || ns - last <= 101));
			last = ns;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back_is_the_nearest_tick),
		cmocka_unit_test(what_is_far_away_fits_where_the_result_does),
		cmocka_unit_test(ends_are_exact_to_the_tick),
		cmocka_unit_test(ends_are_those_of_int64_or_of_the_years),
		cmocka_unit_test(ticks_since_1970_end_when_they_must),
		cmocka_unit_test(ticks_since_1970_are_unix_time_times_rate),
		cmocka_unit_test(pieces_meet),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
