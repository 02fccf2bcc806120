// SPDX-License-Identifier: MIT
/* The verdict on a clock: every finding alone and against the others; and a whole run on this machine. */
#include "unit.h"

#include "../../tools/check.h"

static struct hpt_warp_pair pairs[2];

static struct hpt_check good(void)
{
	pairs[0] = (struct hpt_warp_pair){ .messages = 10 };
	pairs[1] = (struct hpt_warp_pair){ .messages = 10 };
	return (struct hpt_check){
		.before = { .state = HPT_STATE_OK, .generation = 7 },
		.after = { .state = HPT_STATE_OK, .generation = 7 },
		.drift = { .error_ppb = -150, .uncertainty_ppb = 50 },
		.drift_allowed_ppb = 100,
		.pairs = pairs,
		.n_pairs = 2,
	};
}

#define assert_verdict(check, verdict) assert_int_equal(hpt_check_verdict(&(check)), HPT_CHECK_##verdict)

static void all_in_order_is_ok(void **state)
{
	struct hpt_check c = good();

	(void)state;
	assert_verdict(c, OK);
}

static void rate_beyond_bound_and_doubt_is_degraded(void **state)
{
	struct hpt_check c = good();

	(void)state;
	c.drift.error_ppb = -151;
	assert_verdict(c, DEGRADED);
	c.drift.error_ppb = 151;
	assert_verdict(c, DEGRADED);
	c.drift.error_ppb = 150;
	assert_verdict(c, OK);
	c.drift.error_ppb = INT64_MIN;
	assert_verdict(c, DEGRADED);
}

static void clock_that_claims_nothing_is_degraded(void **state)
{
	struct hpt_check c = good();

	(void)state;
	c.drift_allowed_ppb = UINT32_MAX;
	assert_verdict(c, DEGRADED);
}

static void state_and_generation_are_judged(void **state)
{
	struct hpt_check c = good();

	(void)state;
	c.before.state = HPT_STATE_VETOED;
	assert_verdict(c, DEGRADED);
	c = good();
	c.after.state = HPT_STATE_DEMOTED;
	assert_verdict(c, DEGRADED);
	c = good();
	c.after.generation = 8;
	assert_verdict(c, DEGRADED);
}

static void one_step_back_outweighs_all(void **state)
{
	struct hpt_check c = good();

	(void)state;
	c.after.generation = 8;
	c.drift.error_ppb = 1000000;
	pairs[1].backwards = 1;
	assert_verdict(c, BACKWARDS);
}

static void nothing_compared_is_incomplete(void **state)
{
	struct hpt_check c = good();

	(void)state;
	c.n_pairs = 0;
	assert_verdict(c, INCOMPLETE);
}

static void os_clock_of_this_machine_passes(void **state)
{
	struct hpt_check c;
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, &os), 0);
	do { /* until two CPUs have met: busy ones may take longer */
		assert_int_equal(hpt_check_run(os, 100000000, &c), 0);
		assert_true(c.n_cpus >= 1);
		assert_int_equal(c.pairs_possible, (uint64_t)c.n_cpus * (c.n_cpus - 1) / 2);
		assert_int_equal(c.error, 0);
		assert_true(c.duration_ns >= 100000000);
		hpt_check_free(&c);
	} while (!c.n_pairs);
	assert_true(c.n_pairs <= c.pairs_possible + 1);
	assert_int_not_equal(c.drift_allowed_ppb, 0); /* NTP bends it */
	hpt_clock_close(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_in_order_is_ok),
		cmocka_unit_test(rate_beyond_bound_and_doubt_is_degraded),
		cmocka_unit_test(clock_that_claims_nothing_is_degraded),
		cmocka_unit_test(state_and_generation_are_judged),
		cmocka_unit_test(one_step_back_outweighs_all),
		cmocka_unit_test(nothing_compared_is_incomplete),
		cmocka_unit_test(os_clock_of_this_machine_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
