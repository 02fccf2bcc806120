// SPDX-License-Identifier: MIT
/* Quantiles compared with those of the sorted numbers, and the bins that they are counted in. */
#include <string.h>

#include "unit.h"

#include "math/octave.h"
#include "sleep/lateness.h"

#define LAST_NS (INT64_C(1) << 34)

static struct hpt_lateness l;

static int nothing_added(void **state)
{
	(void)state;
	memset(&l, 0, sizeof(l));
	return 0;
}

#define lateness_test(f) cmocka_unit_test_setup(f, nothing_added)

static void add(int64_t late_ns, uint32_t n)
{
	while (n-- > 0)
		hpt_lateness_add(&l, late_ns);
}

static struct hpt_lateness_copy copy(void)
{
	struct hpt_lateness_copy c;

	hpt_lateness_get(&l, -1, &c);
	return c;
}

static int64_t quantile_ns(uint32_t num, uint32_t den)
{
	struct hpt_lateness_copy c = copy();

	return hpt_lateness_quantile_ns(&c, num, den);
}

static int64_t median_ns(void)
{
	return quantile_ns(1, 2);
}

/* ---- Bins ----------------------------------------------------------------------------------------------- */

/* Each begins where the one before it ends. */
static void bins_leave_no_gap(void **state)
{
	uint64_t first = 0;

	(void)state;
	for (uint32_t bin = 0; bin < 487; bin++) {
		uint64_t edge = (uint64_t)hpt_octave_edge(bin);

		assert_int_equal(hpt_octave_bin(first), bin);
		assert_int_equal(hpt_octave_bin(edge - 1), bin);
		assert_true(edge - first <= (first < 8 ? 1 : first / 8));
		first = edge;
	}
	assert_int_equal(first, UINT64_C(15) << 59);
	assert_int_equal(hpt_octave_bin(UINT64_MAX), 495);
}

/* ---- Quantiles ------------------------------------------------------------------------------------------ */

static void nothing_is_late_before_the_first(void **state)
{
	(void)state;
	assert_int_equal(median_ns(), 0);
	assert_int_equal(copy().longest_ns, 0);
}

static void small_numbers_are_exact(void **state)
{
	(void)state;
	for (int64_t ns = 0; ns < 16; ns++) {
		nothing_added(NULL);
		add(ns, 3);
		assert_int_equal(median_ns(), ns);
		assert_int_equal(copy().longest_ns, ns);
	}
}

/* The lead of a spin may end a wait some nanoseconds early. */
static void early_counts_as_on_time(void **state)
{
	(void)state;
	add(-10, 1);
	add(INT64_MIN, 1);
	assert_int_equal(median_ns(), 0);
	assert_int_equal(copy().longest_ns, 0);
}

static void share_is_not_exceeded(void **state)
{
	(void)state;
	add(8, 99);
	add(1000, 1);
	assert_int_equal(median_ns(), 8);
	assert_int_equal(quantile_ns(99, 100), 8);
	add(1000, 1);
	assert_int_equal(quantile_ns(99, 100), 1000);
	assert_int_equal(copy().longest_ns, 1000);
}

/* Half of three is two. */
static void rank_is_rounded_up(void **state)
{
	(void)state;
	add(1, 1);
	add(2, 1);
	add(3, 1);
	assert_int_equal(median_ns(), 2);
}

static void result_is_an_eighth_too_long_at_most(void **state)
{
	(void)state;
	for (int i = 0; i < 10000; i++) {
		int64_t ns = (int64_t)(random_magnitude() % LAST_NS), found;

		nothing_added(NULL);
		add(ns, 2);
		add(LAST_NS, 1);
		found = median_ns();
		if (found < ns || found > ns + ns / 8)
			fail_msg("%lld ns became %lld", (long long)ns, (long long)found);
	}
}

/* Where the bin's end is later than the longest lateness, that is the answer. */
static void nothing_is_later_than_the_latest(void **state)
{
	(void)state;
	add(1000001, 5);
	add(1000, 1);
	assert_int_equal(median_ns(), 1000001);
	assert_int_equal(copy().longest_ns, 1000001);
}

static void last_bin_has_no_end(void **state)
{
	(void)state;
	add(3 * LAST_NS, 1);
	assert_int_equal(median_ns(), 3 * LAST_NS);
	add(INT64_MAX, 1);
	assert_int_equal(median_ns(), INT64_MAX);
	assert_int_equal(l.bins[HPT_LATENESS_BINS - 1], 2);
}

static void full_bin_stays_full(void **state)
{
	(void)state;
	l.bins[5] = UINT32_MAX;
	add(5, 1);
	assert_int_equal(l.bins[5], UINT32_MAX);
	assert_int_equal(median_ns(), 5);
}

/* The latest tick, which is counted by the next wait. */
static void one_more_is_in_the_copy_alone(void **state)
{
	struct hpt_lateness_copy c;

	(void)state;
	hpt_lateness_get(&l, 0, &c);
	assert_int_equal(c.all, 1);
	assert_int_equal(hpt_lateness_quantile_ns(&c, 1, 2), 0);
	add(9, 1);
	hpt_lateness_get(&l, 1000, &c);
	assert_int_equal(c.all, 2);
	assert_int_equal(c.longest_ns, 1000);
	assert_int_equal(hpt_lateness_quantile_ns(&c, 99, 100), 1000);
	hpt_lateness_get(&l, 3, &c);
	assert_int_equal(c.longest_ns, 9);
	assert_int_equal(hpt_lateness_quantile_ns(&c, 1, 2), 3);
	assert_int_equal(quantile_ns(99, 100), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_leave_no_gap),
		lateness_test(nothing_is_late_before_the_first),
		lateness_test(small_numbers_are_exact),
		lateness_test(early_counts_as_on_time),
		lateness_test(share_is_not_exceeded),
		lateness_test(rank_is_rounded_up),
		lateness_test(result_is_an_eighth_too_long_at_most),
		lateness_test(nothing_is_later_than_the_latest),
		lateness_test(last_bin_has_no_end),
		lateness_test(one_more_is_in_the_copy_alone),
		lateness_test(full_bin_stays_full),
	};

	random_start();
	return cmocka_run_group_tests_name("lateness", tests, NULL, NULL);
}
