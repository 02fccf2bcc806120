// SPDX-License-Identifier: MIT
/*
 * Order statistics compared with ranks, the confidence interval compared with the binomial distribution, and extreme
 * values.
 */
#include <math.h>
#include <string.h>

#include "unit.h"

#include "cli/stats.h"

static struct stats dist_of(const int64_t *v, size_t n)
{
	struct stats d;

	memset(&d, 0xa5, sizeof(d));
	stats_of(v, n, &d);
	return d;
}

static void near(double value, double expected)
{
	if (fabs(value - expected) > 1e-9 * fabs(expected))
		fail_msg("%.17g, not %.17g", value, expected);
}

static void known_samples_have_known_figures(void **state)
{
	int64_t v[100];
	struct stats d;

	(void)state;
	for (int64_t i = 0; i < 100; i++)
		v[i] = 1 + i * 37 % 100; /* 1 to 100, not in order */
	d = dist_of(v, 100);
	assert_int_equal(d.count, 100);
	assert_int_equal(d.min, 1);
	assert_int_equal(d.p10, 10);
	assert_int_equal(d.median, 50);
	assert_int_equal(d.p90, 90);
	assert_int_equal(d.p99, 99);
	assert_int_equal(d.p9999, 100);
	assert_int_equal(d.max, 100);
	near(d.mean, 50.5);
	near(d.stddev, sqrt(100.0 * 101 / 12)); /* (n^2 - 1) / 12, by n / (n - 1) */
	assert_int_equal(d.dropped, 0);
	near(d.filtered_mean, 50.5);
	assert_int_equal(v[1], 38); /* as they lay */
}

static void no_samples_are_zeros_and_one_is_all_there_is(void **state)
{
	static const struct stats zeros;
	struct stats d = dist_of(NULL, 0), one = dist_of((const int64_t[]){ -7 }, 1);

	(void)state;
	assert_memory_equal(&d, &zeros, sizeof(d));
	assert_int_equal(one.count, 1);
	assert_int_equal(one.min, -7);
	assert_int_equal(one.median, -7);
	assert_int_equal(one.p9999, -7);
	assert_int_equal(one.low, -7);
	assert_int_equal(one.high, -7);
	near(one.mean, -7);
	near(one.filtered_mean, -7);
	assert_true(one.stddev == 0 && one.filtered_stddev == 0);
}

static void filter_leaves_out_what_is_above_twice_the_median(void **state)
{
	static const int64_t even[] = { 9, 10, 10, 10, 20, 21, 1000 }, odd[] = { 3, 3, 3, 6, 7 };
	struct stats d = dist_of(even, COUNT(even)), o = dist_of(odd, COUNT(odd));

	(void)state;
	assert_int_equal(d.dropped, 2);
	near(d.filtered_mean, 59.0 / 5);
	near(d.mean, 1080.0 / 7);
	near(d.filtered_stddev, sqrt((2.8 * 2.8 + 3 * 1.8 * 1.8 + 8.2 * 8.2) / 4));
	assert_int_equal(o.dropped, 1); /* 7 is above 6, though half of it is not above 3 */
}

static void filter_leaves_alone_what_has_no_median_above_zero(void **state)
{
	static const int64_t below[] = { -30, -20, -10, 5, 1000 }, still[] = { 0, 0, 0, 0, 4000 };
	struct stats d = dist_of(below, COUNT(below)), s = dist_of(still, COUNT(still));

	(void)state;
	assert_int_equal(d.median, -10);
	assert_int_equal(d.dropped, 0);
	near(d.filtered_mean, 189);
	near(d.filtered_mean, d.mean);
	assert_int_equal(s.dropped, 0);
}

static void what_has_hardly_room_is_no_trouble(void **state)
{
	static const int64_t top[] = { INT64_MAX, INT64_MAX, INT64_MAX }, ends[] = { INT64_MAX, 0, INT64_MIN };
	static const int64_t peak[] = { 1, 1, 1, INT64_MAX }, high[] = { INT64_MAX / 2, INT64_MAX, INT64_MAX / 2 };
	struct stats d = dist_of(top, 3);

	(void)state;
	assert_int_equal(d.dropped, 0);
	assert_int_equal(d.median, INT64_MAX);
	near(d.mean, (double)INT64_MAX);
	assert_true(d.stddev == 0);
	d = dist_of(ends, 3);
	assert_int_equal(d.min, INT64_MIN);
	assert_int_equal(d.max, INT64_MAX);
	near(d.stddev, (double)INT64_MAX);
	assert_true(fabs(d.mean) <= 1024); /* the resolution of a double of this size */
	assert_int_equal(dist_of(peak, 4).dropped, 1);
	assert_int_equal(dist_of(high, 3).dropped, 1); /* 2^63 - 1 is above 2^63 - 2 */
}

static void far_from_zero_no_digit_is_lost(void **state)
{
	static const int64_t v[] = { INT64_C(1) << 60, (INT64_C(1) << 60) + 1, (INT64_C(1) << 60) + 2 };

	(void)state;
	near(dist_of(v, 3).stddev, 1);
}

static void quantiles_are_ranks(void **state)
{
	static const struct { double q; uint64_t per_10000; } quantiles[] = {
		{ 0, 0 }, { 0.1, 1000 }, { 0.5, 5000 }, { 0.9, 9000 }, { 0.99, 9900 }, { 0.9999, 9999 }, { 1, 10000 },
	};
	enum { MANY = 20000 };
	static int64_t ranks[MANY];

	(void)state;
	for (int64_t i = 0; i < MANY; i++)
		ranks[i] = i + 1;
	for (size_t n = 1; n <= MANY; n++)
		for (size_t i = 0; i < COUNT(quantiles); i++) {
			uint64_t rank = (n * quantiles[i].per_10000 + 9999) / 10000;

			assert_int_equal(stats_quantile(ranks, n, quantiles[i].q), rank ? rank : 1);
		}
}

/* ---- The confidence interval of the median ---------------------------------------------------------------------- */

/* The probability that at most @most of n fair throws fall on one side. */
static double binomial(size_t n, int64_t most)
{
	double sum = 0;

	for (int64_t k = 0; k <= most; k++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)n - (double)k + 1) -
			   (double)n * log(2));
	return sum;
}

static void bounds_hold_the_median_19_times_of_20(void **state)
{
	enum { MANY = 1500 };
	int64_t ranks[MANY];

	(void)state;
	for (int64_t i = 0; i < MANY; i++)
		ranks[i] = i;
	for (size_t n = 6; n <= MANY; n++) { /* even the outermost two of 5 samples enclose it in 15 of 16 cases only */
		struct stats d = dist_of(ranks, n);
		double covered = 1 - 2 * binomial(n, d.low);

		assert_int_equal(d.low + d.high, n - 1);
		if (covered < 0.95 || (n >= 50 && covered > 0.98))
			fail_msg("%zu samples: %.4f of all medians", n, covered);
	}
}

/* Samples from an exponential distribution: many small ones, few large ones. Their median is known. */
static void bounds_hold_the_median_of_skewed_samples(void **state)
{
	enum { TRIALS = 4000, SAMPLES = 201 };
	int64_t v[SAMPLES], median = (int64_t)(log(2) * 1e6);
	unsigned inside = 0;

	(void)state;
	random_state = 42; /* the same trials in every run */
	for (unsigned trial = 0; trial < TRIALS; trial++) {
		struct stats d;

		for (size_t i = 0; i < SAMPLES; i++)
			v[i] = (int64_t)(-log(((double)(random_u64() >> 11) + 1) / 9007199254740993.0) * 1e6);
		d = dist_of(v, SAMPLES);
		inside += d.low <= median && median <= d.high;
	}
	note("%u of %d", inside, TRIALS);
	assert_in_range(inside, TRIALS * 94 / 100, TRIALS * 98 / 100);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static int64_t member(const json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);

	if (!json_is_integer(value))
		fail_msg("%s is no integer", key);
	return json_integer_value(value);
}

static void json_has_all_of_it_in_the_unit_asked_for(void **state)
{
	struct stats d = {
		.count = 9, .dropped = 3,
		.min = -1500, .p10 = -1499, .median = 1499, .p90 = 1500, .p99 = 4499, .p9999 = 4500, .max = 99999,
		.low = 0, .high = 1, .mean = 1500.4, .stddev = 499, .filtered_mean = -2600, .filtered_stddev = 500,
	};
	json_t *o = stats_json(&d, "ns", 1000);

	(void)state;
	assert_int_equal(json_object_size(o), 15);
	assert_int_equal(member(o, "count"), 9);
	assert_int_equal(member(o, "dropped"), 3);
	assert_int_equal(member(o, "min_ns"), -2);
	assert_int_equal(member(o, "p10_ns"), -1);
	assert_int_equal(member(o, "median_ns"), 1);
	assert_int_equal(member(o, "p90_ns"), 2);
	assert_int_equal(member(o, "p99_ns"), 4);
	assert_int_equal(member(o, "p9999_ns"), 5);
	assert_int_equal(member(o, "max_ns"), 100);
	assert_int_equal(member(o, "low_ns"), 0);
	assert_int_equal(member(o, "high_ns"), 0);
	assert_int_equal(member(o, "mean_ns"), 2);
	assert_int_equal(member(o, "stddev_ns"), 0);
	assert_int_equal(member(o, "filtered_mean_ns"), -3);
	assert_int_equal(member(o, "filtered_stddev_ns"), 1);
	json_decref(o);
}

static void json_of_what_has_hardly_room(void **state)
{
	static const int64_t top[] = { INT64_MIN, INT64_MAX, INT64_MAX, INT64_MAX - 1 };
	struct stats d = dist_of(top + 1, 2);
	json_t *o = stats_json(&d, "ps", 1);

	(void)state;
	assert_int_equal(member(o, "max_ps"), INT64_MAX);
	assert_int_equal(member(o, "mean_ps"), INT64_MAX);
	json_decref(o);
	d = dist_of(top, 4);
	o = stats_json(&d, "ps", 1);
	assert_int_equal(member(o, "min_ps"), INT64_MIN);
	assert_int_equal(member(o, "median_ps"), INT64_MAX - 1); /* no double equals it */
	json_decref(o);
}

static void quantiles_that_few_samples_do_not_know(void **state)
{
	(void)state;
	for (size_t n = 1; n < 20; n++)
		assert_int_equal(stats_knows(n, 0.9), n >= 10);
	assert_false(stats_knows(99, 0.99) || stats_knows(999, 0.999) || stats_knows(9999, 0.9999));
	assert_true(stats_knows(100, 0.99) && stats_knows(1000, 0.999) && stats_knows(10000, 0.9999));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_samples_have_known_figures),
		cmocka_unit_test(no_samples_are_zeros_and_one_is_all_there_is),
		cmocka_unit_test(filter_leaves_out_what_is_above_twice_the_median),
		cmocka_unit_test(filter_leaves_alone_what_has_no_median_above_zero),
		cmocka_unit_test(what_has_hardly_room_is_no_trouble),
		cmocka_unit_test(far_from_zero_no_digit_is_lost),
		cmocka_unit_test(quantiles_are_ranks),
		cmocka_unit_test(bounds_hold_the_median_19_times_of_20),
		cmocka_unit_test(bounds_hold_the_median_of_skewed_samples),
		cmocka_unit_test(quantiles_that_few_samples_do_not_know),
		cmocka_unit_test(json_has_all_of_it_in_the_unit_asked_for),
		cmocka_unit_test(json_of_what_has_hardly_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
