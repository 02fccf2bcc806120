// SPDX-License-Identifier: MIT
/* Trust in a counter after events: a kernel that leaves it, steps that nothing shows, counters out of step. */
#include "record_world.h"

/* ---- A kernel that leaves the counter ------------------------------------------------------------------- */

/* The rate of clocks by the counter against those of now_ps, which do not have the kernel's rounded mult. */
static int64_t kernel_ppb(void)
{
	return (int64_t)(((double)7294442 / (1 << 24) * 1000 / (double)world.tick_ps - 1) * 1e9);
}

/* From now on the clocks are of another oscillator, whose rate differs by ppb. */
static void kernel_leaves(int64_t ppb)
{
	int64_t before = fake_world_true_ns(CLOCK_MONOTONIC_RAW);

	world.kernel_mult = 0;
	fake_world_slew(&world.all, kernel_ppb() + ppb);
	world.clock_offset_ns += before - fake_world_true_ns(CLOCK_MONOTONIC_RAW);
}

/* A counter that CLOCK_MONOTONIC_RAW is made of cannot jump against it: no rate is the kernel's then. */
static void jump_shows_that_the_kernel_has_left(void **state)
{
	static const int64_t rates_ppb[] = { 20000, -20000, 300, -300 };

	(void)state;
	for (size_t i = 0; i < COUNT(rates_ppb); i++) {
		new_kernel_clock();
		settle();
		assert_int_equal(info().frequency_origin, HPT_ORIGIN_KERNEL);
		kernel_leaves(rates_ppb[i]);
		use(30 * PS_PER_S, 10 * PS_PER_MS); /* up to a second passes before the samples show it */
		assert_true(info().frequency_error_ppb >= 1000);
		for (int n = 0; n < rounds(60); n++) {
			fake_world_slew(&world.all, kernel_ppb() + rates_ppb[i] + (int64_t)(500 * sin(n)));
			use(2 * PS_PER_S, 10 * PS_PER_MS);
			assert_bound_holds();
			assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED);
			assert_true(info().frequency_error_ppb >= 1000);
			assert_on_raw(2000);
		}
		assert_in_range(info().generation, 1, 2);
	}
}

/* Only a check can know that the kernel keeps time with the counter after all. */
static void check_restores_the_kernels_rate(void **state)
{
	(void)state;
	new_kernel_clock();
	settle();
	counter_goes(INT64_C(-3000000000));
	use_within_bound(5 * PS_PER_S, 10 * PS_PER_MS);
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED);
	assert_true(info().frequency_error_ppb >= 1000);
	fake_env_kernel("tsc\n");
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_DISRUPTED);
	use_within_bound(5 * PS_PER_S, 10 * PS_PER_MS);
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_KERNEL);
	assert_true(info().frequency_error_ppb < 100);
	assert_on_raw(1);
	/* A jump weighs more than a name that the kernel may be about to change. */
	counter_goes(INT64_C(-3000000000));
	hpt_clock_check(&clk, NULL);
	use(2 * PS_PER_S, 10 * PS_PER_MS);
	assert_true(info().frequency_error_ppb >= 1000);
	assert_state(HPT_STATE_DISRUPTED, 3);
	fake_env_reset();
}

/* ---- Small steps, and counters out of step ---------------------------------------------------------------- */

/* A step that no single sample can show looks like a rate; the rates knows that it may be none. */
static void bound_holds_after_a_small_step(void **state)
{
	static const int64_t steps_ns[] = { 50, -50, 150, -150, 300, -300, 700, -700, 950, -950, 1500, -1500, 40000 };
	static const uint64_t ages_ps[] = { 2 * PS_PER_MS, 5 * PS_PER_MS, 50 * PS_PER_MS, 500 * PS_PER_MS,
					    PS_PER_S + PS_PER_S / 2, 10 * PS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(steps_ns) * COUNT(ages_ps) * 2; i += is_emulated() ? 5 : 1) {
		if (i & 1)
			new_kernel_clock();
		else
			new_clock(400);
		use(ages_ps[i / 2 % COUNT(ages_ps)], PS_PER_MS);
		counter_goes(steps_ns[i / 2 / COUNT(ages_ps)] * 1000 / (int64_t)world.tick_ps);
		use_within_bound(100 * PS_PER_MS, PS_PER_MS);
		use_within_bound(5 * PS_PER_S, 50 * PS_PER_MS);
		use(20 * PS_PER_S, 100 * PS_PER_MS);
		assert_bound_holds();
		assert_true(info().frequency_error_ppb < 1500);
		assert_on_raw(100);
	}
}

/* The thread moves from CPU to CPU, whose counters differ. */
static void hop(int64_t skew_ns, uint64_t ps, int hops)
{
	static int64_t sign = 1;

	for (int i = 0; i < hops; i++) {
		sign = -sign;
		counter_goes(sign * skew_ns * 1000 / (int64_t)world.tick_ps);
		use_within_bound(ps + random_below(ps), PS_PER_MS);
	}
}

static void counters_out_of_step_are_demoted(void **state)
{
	static const int64_t skews_ns[] = { 38000, 500000, 20000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(skews_ns); i++) {
		uint64_t generation;

		new_kernel_clock();
		settle();
		hop(skews_ns[i], 700 * PS_PER_MS, 40);
		assert_int_equal(info().state, HPT_STATE_DEMOTED);
		generation = info().generation;
		assert_in_range(generation, 4, 8); /* three jumps within ten seconds */
		assert_in_range(info().frequency_error_ppb, 500000, UINT32_MAX);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		fake_env_kernel("tsc\n"); /* the kernel may not have noticed */
		hop(skews_ns[i], 700 * PS_PER_MS, 1);
		assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_OK);
		assert_int_equal(info().generation, generation + 1);
		hop(skews_ns[i], 700 * PS_PER_MS, 40);
		assert_int_equal(info().state, HPT_STATE_DEMOTED);
		generation = info().generation;
		assert_on_raw(READ_NS);
		fake_env_reset();
	}
}

/* Not even a check believes in such a counter again within ten seconds. */
static void demotion_by_jumps_lasts(void **state)
{
	uint64_t end;

	(void)state;
	new_kernel_clock();
	fake_env_kernel("tsc\n");
	settle();
	for (int i = 0; i < 3; i++) {
		counter_goes(100000000);
		assert_int_equal(hpt_clock_check(&clk, NULL), i == 2 ? HPT_STATE_DEMOTED : HPT_STATE_DISRUPTED);
		use(500 * PS_PER_MS, PS_PER_MS);
	}
	assert_state(HPT_STATE_DEMOTED, 4);
	for (end = world.now_ps + 9 * PS_PER_S; world.now_ps < end; pass(100 * PS_PER_MS))
		assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_DEMOTED);
	assert_state(HPT_STATE_DEMOTED, 4);
	pass(PS_PER_S);
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_OK);
	assert_state(HPT_STATE_OK, 5);
	use_within_bound(3 * PS_PER_S, 10 * PS_PER_MS);
	assert_on_raw(1);
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_KERNEL);
	counter_goes(100000000); /* the old jumps no longer count */
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_DISRUPTED);
	fake_env_reset();
}

/* A smaller skew costs precision. */
static void bound_includes_a_small_skew(void **state)
{
	static const int64_t skews_ns[] = { 100, 500, 1100, 4000, 10000 };

	(void)state;
	for (size_t i = 0; i < COUNT(skews_ns); i++) {
		new_kernel_clock();
		settle();
		hop(skews_ns[i], 50 * PS_PER_MS, 100);
		hop(skews_ns[i], 500 * PS_PER_MS, 40);
		assert_in_range(info().generation, 1, 8);
	}
}

/* Three jumps in a longer time are three events. */
static void rare_jumps_demote_nothing(void **state)
{
	(void)state;
	new_kernel_clock();
	settle();
	for (uint64_t i = 2; i < 20; i++) {
		counter_goes(INT64_C(-3000000000));
		use(6 * PS_PER_S, 10 * PS_PER_MS);
		assert_state(HPT_STATE_DISRUPTED, i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jump_shows_that_the_kernel_has_left),
		cmocka_unit_test(check_restores_the_kernels_rate),
		cmocka_unit_test(bound_holds_after_a_small_step),
		cmocka_unit_test(counters_out_of_step_are_demoted),
		cmocka_unit_test(demotion_by_jumps_lasts),
		cmocka_unit_test(bound_includes_a_small_skew),
		cmocka_unit_test(rare_jumps_demote_nothing),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
