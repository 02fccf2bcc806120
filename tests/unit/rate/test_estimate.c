// SPDX-License-Identifier: MIT
/* The rate of a clock through hours: when it is known, how good it is, and that its rates holds the truth. */
#include "record_world.h"

static void kernels_rate_is_told_from_its_neighbours(void **state)
{
	(void)state;
	new_kernel_clock();
	use(PS_PER_S, 10 * PS_PER_MS);
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_KERNEL);
	assert_int_equal(info().frequency_uhz, UINT64_C(2299999917745593));
	use(3 * PS_PER_S, 10 * PS_PER_MS);
	for (int hours = 0; hours < 24; hours++) {
		use(3600 * PS_PER_S, 900 * PS_PER_MS);
		assert_on_raw(1);
		assert_on_wall(1);
	}
	assert_state(HPT_STATE_OK, 1);
	assert_true(info().frequency_error_ppb < 5);
}

/* At 10 ms of age only one rate of the kernel's is near the estimate. */
static void early_guess_is_the_kernels_rate(void **state)
{
	(void)state;
	new_kernel_clock();
	pass(10 * PS_PER_MS);
	assert_int_equal(info().frequency_uhz, UINT64_C(2299999917745593));
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED); /* not proven yet */
	assert_true(info().frequency_error_ppb > 1000);
}

static uint64_t late_by_100_ns(void)
{
	return random_below(100000);
}

/* By the counter's steps it is known at 1 ms, and stays; that it is proven is said when it is. */
static void steps_show_the_kernels_rate(void **state)
{
	uint64_t uhz = hpt_kernel_rate_uhz(hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ));

	(void)state;
	for (int i = 0; i < 20; i++) {
		new_staircase_clock();
		pass(PS_PER_MS + random_below(PS_PER_MS));
		assert_int_equal(info().frequency_uhz, uhz);
		assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED);
		assert_true(info().frequency_error_ppb > 10000);
		world.jitter_ps = late_by_100_ns;
		for (int ms = 0; ms < 2000; ms++) {
			pass(PS_PER_MS);
			hpt_now_ns(&clk);
			assert_int_equal(info().frequency_uhz, uhz);
			assert_bound_holds();
		}
		assert_int_equal(info().frequency_origin, HPT_ORIGIN_KERNEL);
	}
}

/*
 * A choice that is wrong by off_ppb: the published rates holds the truth all the time, and the samples take the choice
 * back. Returns the age at that, in ms.
 */
static uint64_t wrong_choice_lasts_ms(double off_ppb, struct hpt_record *rec)
{
	double uhz = true_uhz() * (1 + off_ppb / 1e9);
	struct hpt_rate wrong = { .num = HPT_UHZ_PER_GHZ, .den = (uint64_t)uhz, .frequency_uhz = (uint64_t)uhz,
				  .error_ppb = 40000, .origin = HPT_ORIGIN_MEASURED, .is_kernels = true };
	struct hpt_granularity granularity = { .ref_ns = 1, .ticks = 26 };
	struct hpt_interval base = hpt_interval_of(clk.anchor.brackets, clk.anchor.n,
						   hpt_scale_of(wrong.num, wrong.den), wrong.error_ppb, granularity);
	uint64_t age_ms = 1, given_up_ms = 0;
	struct hpt_samples samples;
	struct hpt_record next;

	pass(PS_PER_MS);
	hpt_samples_take(&clk.src, &samples);
	memset(rec, 0, sizeof(*rec));
	rec->granularity = granularity;
	hpt_record_first(rec, &wrong, &base, &samples);
	for (; age_ms < 4000; age_ms += 1 + age_ms / 2) {
		if (fabs(true_uhz() / (double)rec->rate.frequency_uhz - 1) * 1e9 > (double)rec->rate.error_ppb + 1)
			fail_msg("at %u ms: %g uHz, rates %u ppb", (unsigned)age_ms, (double)rec->rate.frequency_uhz,
				 (unsigned)rec->rate.error_ppb);
		if (!given_up_ms && rec->rate.frequency_uhz != wrong.frequency_uhz)
			given_up_ms = age_ms;
		pass((1 + age_ms / 2) * PS_PER_MS);
		hpt_samples_take(&clk.src, &samples);
		hpt_record_next(rec, &samples, &next);
		*rec = next;
	}
	return given_up_ms;
}

/* By one step and by more at 1 ms, and by the kernel's neighbour, which is as near as a wrong rate can be. */
static void a_wrong_choice_is_taken_back(void **state)
{
	static const struct {
		double off_ppb;
		uint64_t within_ms;
	} rows[] = { { 10015, 20 }, { -10015, 20 }, { 20030, 20 }, { -385, 400 }, { 385, 400 } };
	uint64_t uhz = hpt_kernel_rate_uhz(hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ));

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_record rec;
		uint64_t ms;

		new_staircase_clock();
		ms = wrong_choice_lasts_ms(rows[i].off_ppb, &rec);
		note("off by %g ppb: taken back after %u ms", rows[i].off_ppb, (unsigned)ms);
		assert_true(ms && ms <= rows[i].within_ms);
		assert_int_equal(rec.rate.frequency_uhz, uhz);
		assert_int_equal(rec.rate.origin, HPT_ORIGIN_KERNEL);
		assert_int_equal(rec.generation, 1);
	}
}

/* The same if it is not known that the kernel keeps time with this counter. */
static void rate_of_another_clock_is_measured(void **state)
{
	(void)state;
	new_kernel_clock();
	clk.is_clocksource = false;
	use(100 * PS_PER_S, 50 * PS_PER_MS);
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED);
	assert_true(info().frequency_error_ppb >= 1000);
	assert_on_raw(100);
}

static void bound_holds_the_truth_at_every_sample(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 200, 385, 400, 1000, 1001, 10000, 41667, 69841, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps) * 4; i++) {
		new_clock(ticks_ps[i / 4]);
		clk.is_clocksource = i & 1;
		world.jitter_ps = i & 2 ? jitter : NULL;
		for (int samples = 0; samples < 60; samples++) {
			struct hpt_clock_info now = info();

			if (fabs(true_uhz() / (double)now.frequency_uhz - 1) * 1e9 > now.frequency_error_ppb)
				fail_msg("%llu ps, sample %d: %.1f ppb off, rates %u",
					 (unsigned long long)world.tick_ps, samples,
					 (true_uhz() / (double)now.frequency_uhz - 1) * 1e9,
					 (unsigned)now.frequency_error_ppb);
			pass(samples < 10 ? 3 * PS_PER_MS :
			     samples < 20 ? 100 * PS_PER_MS : random_below(20 * PS_PER_S));
		}
		use(6 * PS_PER_S, 50 * PS_PER_MS);
		assert_state(HPT_STATE_OK, 1);
		assert_true(info().frequency_error_ppb < 3000);
	}
}

/* A rate that was measured in another way, and is right, but not the best that the readings allow. */
static void first_estimate_is_kept_within_the_bound(void **state)
{
	struct hpt_rate rate = { 0, 0, UINT64_C(2500000200000000), 100, HPT_ORIGIN_MEASURED, false };
	struct hpt_record rec;
	struct hpt_samples samples;
	struct hpt_interval base;

	(void)state;
	rate.num = HPT_UHZ_PER_GHZ;
	rate.den = rate.frequency_uhz;
	new_clock(400);
	base = hpt_interval_of(clk.anchor.brackets, clk.anchor.n, hpt_scale_of(rate.num, rate.den), 100,
			       (struct hpt_granularity){ 1, 1 });
	pass(2 * PS_PER_S);
	memset(&rec, 0, sizeof(rec));
	rec.granularity = (struct hpt_granularity){ 1, 1 };
	rec.rate.wander_ppb = 1;
	hpt_samples_take(&clk.src, &samples);
	hpt_record_first(&rec, &rate, &base, &samples);
	assert_in_range(rec.rate.frequency_uhz, rec.rate.rates.lo_uhz, rec.rate.rates.hi_uhz);
	assert_in_range(UINT64_C(2500000000000000), rec.rate.rates.lo_uhz, rec.rate.rates.hi_uhz);
	assert_true(rec.rate.error_ppb < 90);
}

/* The error is that of two successive parts of the baseline, so that of a tenth of its age: see narrow_safe(). */
static void error_falls_while_the_baseline_grows(void **state)
{
	uint32_t last;

	(void)state;
	new_kernel_clock();
	use(150 * PS_PER_MS, PS_PER_MS);
	last = info().frequency_error_ppb;
	for (uint64_t age_ps = PS_PER_S + PS_PER_S / 10; age_ps <= 1000 * PS_PER_S; age_ps *= 10) {
		uint32_t error_ppb;

		use(age_ps, age_ps / 20);
		error_ppb = info().frequency_error_ppb;
		assert_in_range(error_ppb, 1, last / 4 + 1);
		last = error_ppb;
	}
}

/* Also where samples follow each other so closely that two of them prove nothing. */
static void error_falls_under_constant_checks(void **state)
{
	(void)state;
	new_clock(400);
	for (uint64_t end = world.now_ps + 300 * PS_PER_MS; world.now_ps < end; pass(PS_PER_MS / 50))
		hpt_clock_check(&clk, NULL);
	assert_bound_holds();
	assert_true(info().frequency_error_ppb < 4000);
}

/* Converting a long duration first refines the rate if it can; converting a short one need not. */
static void long_durations_get_the_refined_rate(void **state)
{
	uint32_t reads;

	(void)state;
	new_clock(400);
	hpt_ticks_to_ns(&clk, 1);
	pass(10 * PS_PER_S);
	reads = world.clock_reads;
	hpt_ticks_to_ns(&clk, 1000);
	hpt_ns_to_ticks(&clk, -1000);
	assert_int_equal(world.clock_reads, reads);
	assert_in_range(hpt_ticks_to_ns(&clk, INT64_C(2500000000)), NS_PER_S - 50, NS_PER_S + 50);
	assert_true(world.clock_reads > reads);
	assert_in_range(hpt_ticks_to_ns(&clk, INT64_C(-2500000000)) + 2 * NS_PER_S, NS_PER_S - 50, NS_PER_S + 50);
}

/* Of the period: a rate that is 20 % too high has a period that is 25 % too short. */
static void predictions_allow_for_the_error_of_the_period(void **state)
{
	struct hpt_estimate est = { .rates = { 1, 2 }, .error_ppb = 200000000 - HPT_ESTIMATE_JUMP_PPB };

	(void)state;
	assert_in_range(hpt_estimate_trusted_ppb(&est), 250000000, 250000001);
	est.error_ppb = 600000000;
	assert_int_equal(hpt_estimate_trusted_ppb(&est), 500000000);
	est.error_ppb = UINT32_MAX - 1;
	assert_int_equal(hpt_estimate_trusted_ppb(&est), 500000000);
	assert_int_equal(hpt_estimate_doubted_ppb(&est), 500000000);
	est.rates = hpt_rates_none;
	assert_int_equal(hpt_estimate_trusted_ppb(&est), 500000000);
	assert_int_equal(hpt_estimate_doubted_ppb(&est), 4000000000u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_rate_is_told_from_its_neighbours),
		cmocka_unit_test(early_guess_is_the_kernels_rate),
		cmocka_unit_test(steps_show_the_kernels_rate),
		cmocka_unit_test(a_wrong_choice_is_taken_back),
		cmocka_unit_test(rate_of_another_clock_is_measured),
		cmocka_unit_test(bound_holds_the_truth_at_every_sample),
		cmocka_unit_test(first_estimate_is_kept_within_the_bound),
		cmocka_unit_test(error_falls_while_the_baseline_grows),
		cmocka_unit_test(error_falls_under_constant_checks),
		cmocka_unit_test(long_durations_get_the_refined_rate),
		cmocka_unit_test(predictions_allow_for_the_error_of_the_period),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
