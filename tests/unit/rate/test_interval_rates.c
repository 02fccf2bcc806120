// SPDX-License-Identifier: MIT
/* Bounds of a rate: around a rate, how far they reach, and what two of them share. */
#include <math.h>

#include "unit.h"

#include "rate/interval.h"

#define TRIALS 20000

static void bound_around_a_rate_reaches_as_far_as_its_error(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		uint64_t uhz = 1 + (random_u64() >> 11 >> random_below(30));
		uint64_t ppb = random_below(2) ? random_below(5000) : (uint32_t)random_magnitude();
		struct hpt_rates rates = hpt_rates_around(uhz, ppb);
		uint32_t error = hpt_rates_error_ppb(rates, uhz);
		double part = (double)uhz * 1e-9 * (double)ppb * (1 - 1e-15);

		assert_true((double)rates.lo_uhz <= fmax(0, (double)uhz - part));
		assert_true((double)rates.hi_uhz >= (double)uhz + part);
		assert_true((double)rates.lo_uhz >= (double)uhz - part * (1 + 1e-12) - 3);
		assert_true((double)rates.hi_uhz <= (double)uhz + part * (1 + 1e-12) + 3);
		assert_true(error == UINT32_MAX || error >= ppb); /* never less than the input */
	}
	assert_int_equal(hpt_rates_around(1000, UINT32_MAX).lo_uhz, 0);
	assert_int_equal(hpt_rates_error_ppb(hpt_rates_around(UINT64_C(2300000000000000), 100),
					     UINT64_C(2300000000000000)), 101);
}

static void error_is_the_farther_end_of_the_bound(void **state)
{
	const uint64_t ghz = UINT64_C(1000000000000000);

	(void)state;
	assert_in_range(hpt_rates_error_ppb((struct hpt_rates){ ghz - 5000000, ghz + 2000000 }, ghz), 5, 6);
	assert_in_range(hpt_rates_error_ppb((struct hpt_rates){ ghz - 2000000, ghz + 5000000 }, ghz), 5, 6);
	assert_in_range(hpt_rates_error_ppb((struct hpt_rates){ ghz, ghz }, ghz), 0, 1);
	/* The rate is outside the rates. */
	assert_in_range(hpt_rates_error_ppb((struct hpt_rates){ ghz + 1000000, ghz + 3000000 }, ghz), 3, 4);
	assert_in_range(hpt_rates_error_ppb((struct hpt_rates){ ghz - 3000000, ghz - 1000000 }, ghz), 3, 4);
	assert_true(hpt_rates_error_ppb((struct hpt_rates){ 0, UINT64_MAX }, ghz) == UINT32_MAX);
	assert_true(hpt_rates_error_ppb((struct hpt_rates){ 0, ghz }, 0) == UINT32_MAX);
	assert_true(hpt_rates_error_ppb((struct hpt_rates){ 0, 6 * ghz }, ghz) == UINT32_MAX); /* 5 x 10^9 ppb */
	assert_in_range(hpt_rates_error_ppb((struct hpt_rates){ 0, 5 * ghz }, ghz), 4000000000, 4000000001);
}

static void both_bounds_are_what_they_share(void **state)
{
	struct hpt_rates a = { 10, 20 }, b = { 15, 30 }, none = { 0, UINT64_MAX }, apart = { 25, 30 };

	(void)state;
	assert_int_equal(hpt_rates_both(a, b).lo_uhz, 15);
	assert_int_equal(hpt_rates_both(a, b).hi_uhz, 20);
	assert_int_equal(hpt_rates_both(b, a).lo_uhz, 15);
	assert_int_equal(hpt_rates_both(b, a).hi_uhz, 20);
	assert_int_equal(hpt_rates_both(a, none).lo_uhz, 10);
	assert_int_equal(hpt_rates_both(none, a).hi_uhz, 20);
	assert_true(hpt_rates_both(a, apart).lo_uhz > hpt_rates_both(a, apart).hi_uhz);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bound_around_a_rate_reaches_as_far_as_its_error),
		cmocka_unit_test(error_is_the_farther_end_of_the_bound),
		cmocka_unit_test(both_bounds_are_what_they_share),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
