// SPDX-License-Identifier: MIT
/* Anchors that no longer hold: the rate is measured from a fresh one. */
#include "clock_world.h"

/*
 * The counter runs on for a second that CLOCK_MONOTONIC_RAW does not see: too little of 1000 s to be a contradiction.
 */
static void anchor_from_before_a_suspend_is_not_used(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 400);
	world.now_ps += UINT64_C(1000000000000000);
	world.tick_offset += UINT64_C(2500000000);
	world.realtime_offset_ns += INT64_C(1000000000);
	hpt_timekeeper_current(&clk, &rec);
	check_measured(&rec, 100000);
}

/*
 * The anchor is an hour old and the counter gained a second: too little to be a contradiction between two
 * oscillators.
 */
static void old_anchor_against_another_counter_is_not_used(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 400);
	world.now_ps += UINT64_C(3600000000000000);
	world.tick_offset += UINT64_C(2500000000);
	hpt_timekeeper_current(&clk, &rec);
	check_measured(&rec, 100000);
}

/* A child in a new time namespace: every clock but CLOCK_REALTIME has moved, the counter has not. */
static void anchor_from_another_time_namespace_is_not_used(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 400);
	world.now_ps += UINT64_C(10000000000000);
	world.clock_offset_ns += 50000000;
	world.realtime_offset_ns -= 50000000;
	hpt_timekeeper_current(&clk, &rec);
	check_measured(&rec, 100000);
}

/*
 * libfaketime starts its clocks again after load: all of them jump, and no offset between them changes. The jump is too
 * small for brackets of a few microseconds to contradict each other, but it is half a per cent of a millisecond.
 */
static void anchor_of_replaced_clocks_is_not_used(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 400);
	clk.reason = HPT_REASON_INTERPOSED;
	clk.is_vetoed = true;
	world.clock_offset_ns += 5000;
	hpt_timekeeper_current(&clk, &rec);
	check_measured(&rec, 100000);
}

/* A counter that the kernel keeps time with shares an oscillator with the reference. */
static void only_another_oscillators_anchor_grows_old(void **state)
{
	struct hpt_clock clk;

	(void)state;
	new_clock(&clk, 400);
	assert_true(hpt_anchor_is_valid(&clk.anchor, &clk.src, false));
	assert_true(hpt_anchor_is_valid(&clk.anchor, &clk.src, true));
	world.now_ps += UINT64_C(17000000000000);
	assert_false(hpt_anchor_is_valid(&clk.anchor, &clk.src, false));
	assert_true(hpt_anchor_is_valid(&clk.anchor, &clk.src, true));
}

static void an_exact_rate_needs_no_anchor(void **state)
{
	struct hpt_clock clk;

	(void)state;
	new_clock(&clk, 400);
	assert_int_equal(clk.anchor.n, HPT_ANCHOR_BRACKETS);
	clk.src.rate.origin = HPT_ORIGIN_EXACT;
	hpt_anchor_take(&clk.src, &clk.anchor);
	assert_int_equal(clk.anchor.n, 0);
	assert_false(hpt_anchor_is_valid(&clk.anchor, &clk.src, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anchor_from_before_a_suspend_is_not_used),
		cmocka_unit_test(old_anchor_against_another_counter_is_not_used),
		cmocka_unit_test(anchor_from_another_time_namespace_is_not_used),
		cmocka_unit_test(anchor_of_replaced_clocks_is_not_used),
		cmocka_unit_test(only_another_oscillators_anchor_grows_old),
		cmocka_unit_test(an_exact_rate_needs_no_anchor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
