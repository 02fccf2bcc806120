// SPDX-License-Identifier: MIT
/* A measured rate against the one that the hardware states: which of the two is used, and its error. */
#include <math.h>

#include "unit.h"

#include "rate/calibrate.h"
#include "hpt/hpt.h"

#define TRIALS rounds(10000)
#define MHZ100 UINT64_C(100000000000000)

static struct hpt_rate measured_rate(uint32_t error_ppb)
{
	return (struct hpt_rate){ .num = 11, .den = 12, .frequency_uhz = MHZ100, .error_ppb = error_ppb,
				  .origin = HPT_ORIGIN_MEASURED };
}

/* As the HPET states it: femtoseconds per tick. */
static struct hpt_rate stated_rate(uint64_t uhz)
{
	return (struct hpt_rate){ .num = 1, .den = 2, .frequency_uhz = uhz, .origin = HPT_ORIGIN_REGISTER };
}

static void check_stated(uint64_t stated_uhz, uint32_t error_ppb, bool want, uint32_t want_origin)
{
	struct hpt_rate stated = stated_rate(stated_uhz), rate = measured_rate(error_ppb), before = rate;

	if (hpt_calibrate_stated(&stated, &rate) != want || rate.origin != want_origin)
		fail_msg("%llu +- %u ppb: origin %u", (unsigned long long)stated_uhz, (unsigned)error_ppb,
			 (unsigned)rate.origin);
	if (want_origin == HPT_ORIGIN_MEASURED) {
		assert_memory_equal(&rate, &before, sizeof(rate)); /* unchanged */
		return;
	}
	assert_int_equal(rate.frequency_uhz, stated_uhz);
	assert_true(rate.num == 1 && rate.den == 2);
}

static void stated_rate_is_taken_where_the_measurement_allows_it(void **state)
{
	(void)state;
	check_stated(MHZ100, 0, true, HPT_ORIGIN_REGISTER);
	check_stated(MHZ100, 5000, true, HPT_ORIGIN_REGISTER);
	check_stated(MHZ100 + 4999 * (MHZ100 / 1000000000), 5000, true, HPT_ORIGIN_REGISTER);
	check_stated(MHZ100 - 4999 * (MHZ100 / 1000000000), 5000, true, HPT_ORIGIN_REGISTER);
	check_stated(MHZ100 * 3, UINT32_MAX, true, HPT_ORIGIN_REGISTER); /* nothing is known */
}

static void error_too_large_for_32_bits_is_unknown(void **state)
{
	struct hpt_rate stated = stated_rate(MHZ100 / 2), rate = measured_rate(UINT32_MAX);

	(void)state;
	assert_true(hpt_calibrate_stated(&stated, &rate));
	assert_int_equal(rate.error_ppb, UINT32_MAX);
}

static void stated_rate_that_is_off_a_little_is_no_lie(void **state)
{
	(void)state;
	check_stated(MHZ100 + 5001 * (MHZ100 / 1000000000), 5000, true, HPT_ORIGIN_MEASURED);
	check_stated(MHZ100 - 5001 * (MHZ100 / 1000000000), 5000, true, HPT_ORIGIN_MEASURED);
	check_stated(MHZ100 + 1004999 * (MHZ100 / 1000000000), 5000, true, HPT_ORIGIN_MEASURED);
	check_stated(MHZ100 - 1004999 * (MHZ100 / 1000000000), 5000, true, HPT_ORIGIN_MEASURED);
}

static void stated_rate_that_is_off_by_more_is_one(void **state)
{
	(void)state;
	check_stated(MHZ100 + 1005001 * (MHZ100 / 1000000000), 5000, false, HPT_ORIGIN_MEASURED);
	check_stated(MHZ100 - 1005001 * (MHZ100 / 1000000000), 5000, false, HPT_ORIGIN_MEASURED);
	check_stated(MHZ100 * 875, 5000, false, HPT_ORIGIN_MEASURED);
	check_stated(MHZ100 / 875, 5000, false, HPT_ORIGIN_MEASURED);
	check_stated(1, 5000, false, HPT_ORIGIN_MEASURED);
	check_stated(UINT64_MAX, 5000, false, HPT_ORIGIN_MEASURED);
}

/* Each rate that the measurement allows is allowed by the stated rate and its error too. */
static void stated_rates_error_holds_what_the_measurement_leaves_open(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		uint32_t error_ppb = (uint32_t)random_below(i & 1 ? 10000 : 100000000);
		double f = (double)MHZ100, part = f * error_ppb / 1e9;
		double off = part * ((double)random_below(2001) / 1000 - 1);
		struct hpt_rate rate = measured_rate(error_ppb), stated = stated_rate((uint64_t)(f + off));
		double s = (double)stated.frequency_uhz, least, most;

		assert_true(hpt_calibrate_stated(&stated, &rate));
		if (rate.origin != HPT_ORIGIN_REGISTER)
			continue; /* just outside by rounding */
		least = (s - (f - part)) / s * 1e9;
		most = (f + part - s) / s * 1e9;
		assert_true(rate.error_ppb >= fmax(least, most) - 1e-3 && rate.error_ppb <= fmax(least, most) + 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stated_rate_is_taken_where_the_measurement_allows_it),
		cmocka_unit_test(error_too_large_for_32_bits_is_unknown),
		cmocka_unit_test(stated_rate_that_is_off_a_little_is_no_lie),
		cmocka_unit_test(stated_rate_that_is_off_by_more_is_one),
		cmocka_unit_test(stated_rates_error_holds_what_the_measurement_leaves_open),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
