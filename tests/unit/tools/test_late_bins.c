// SPDX-License-Identifier: MIT
/* Quantiles of counts in bins of powers of two. */
#include "unit.h"

#include "preload/tally.h"
#include "run/late_bins.h"

#define N HPT_TALLY_BINS

static void an_end_is_what_the_bin_is_below(void **state)
{
	(void)state;
	assert_int_equal(late_bins_end(0), 1);
	assert_int_equal(late_bins_end(1), 2);
	assert_int_equal(late_bins_end(10), 1024);
	assert_int_equal(late_bins_end(62), INT64_C(1) << 62);
	assert_int_equal(late_bins_end(63), INT64_MAX);
	/* As the programs count. */
	for (int64_t ns = 1; ns < INT64_MAX / 3; ns = ns * 3 - 1) {
		uint32_t k = hpt_tally_bin(ns);

		assert_true(ns < late_bins_end(k));
		assert_true(ns >= late_bins_end(k - 1));
	}
	assert_int_equal(hpt_tally_bin(0), 0);
	assert_int_equal(hpt_tally_bin(-5), 0);
	assert_int_equal(hpt_tally_bin(INT64_MAX), 63);
}

static void no_values_have_no_quantile(void **state)
{
	const uint64_t bins[N] = { 0 };

	(void)state;
	assert_int_equal(late_bins_total(bins, N), 0);
	assert_int_equal(late_bins_below(bins, N, 500), 0);
	assert_int_equal(late_bins_below(bins, N, 1000), 0);
}

static void a_quantile_is_the_end_of_its_bin(void **state)
{
	/* 50 values below 1, 40 below 512, 9 below 4096, one below 2^20. */
	const uint64_t bins[N] = { [0] = 50, [9] = 40, [12] = 9, [20] = 1 };

	(void)state;
	assert_int_equal(late_bins_total(bins, N), 100);
	assert_int_equal(late_bins_below(bins, N, 500), 1);
	assert_int_equal(late_bins_below(bins, N, 501), 512);
	assert_int_equal(late_bins_below(bins, N, 900), 512);
	assert_int_equal(late_bins_below(bins, N, 901), 4096);
	assert_int_equal(late_bins_below(bins, N, 990), 4096);
	assert_int_equal(late_bins_below(bins, N, 991), 1 << 20);
	assert_int_equal(late_bins_below(bins, N, 1000), 1 << 20);
}

static void few_values_count_up(void **state)
{
	const uint64_t one[N] = { [5] = 1 }, three[N] = { [5] = 2, [7] = 1 };

	(void)state;
	for (uint32_t permille = 1; permille <= 1000; permille++)
		assert_int_equal(late_bins_below(one, N, permille), 32);
	assert_int_equal(late_bins_below(three, N, 666), 32);
	assert_int_equal(late_bins_below(three, N, 667), 128);
}

static uint64_t below(const uint64_t *bins, int64_t end)
{
	uint64_t n = 0;

	for (size_t k = 0; k < N && late_bins_end(k) <= end; k++)
		n += bins[k];
	return n;
}

static void enough_values_are_below_and_fewer_in_the_bins_before(void **state)
{
	(void)state;
	srand(1);
	for (int i = 0; i < rounds(2000); i++) {
		uint64_t bins[N] = { 0 };

		for (int k = 0; k < 5; k++)
			bins[rand() % N] = (uint64_t)(rand() % 3000);
		for (uint32_t permille = 1; permille <= 1000; permille += 37) {
			uint64_t total = late_bins_total(bins, N);
			int64_t end = late_bins_below(bins, N, permille);

			if (!total)
				continue;
			assert_true(below(bins, end) * 1000 >= total * permille);
			assert_true(end == 1 || below(bins, end == INT64_MAX ? INT64_C(1) << 62 : end / 2) * 1000 <
					    total * permille);
		}
	}
}

static void counts_beyond_64_bits_saturate(void **state)
{
	const uint64_t bins[N] = { [3] = UINT64_MAX - 1, [4] = 5, [63] = UINT64_MAX };

	(void)state;
	assert_int_equal(late_bins_total(bins, N), UINT64_MAX);
	assert_int_equal(late_bins_below(bins, N, 500), 8);
	assert_int_equal(late_bins_below(bins, N, 1000), 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_is_what_the_bin_is_below),
		cmocka_unit_test(no_values_have_no_quantile),
		cmocka_unit_test(a_quantile_is_the_end_of_its_bin),
		cmocka_unit_test(few_values_count_up),
		cmocka_unit_test(enough_values_are_below_and_fewer_in_the_bins_before),
		cmocka_unit_test(counts_beyond_64_bits_saturate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
