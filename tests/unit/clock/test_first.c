// SPDX-License-Identifier: MIT
/* The first record: how long making it waits, and the rate that it starts with. */
#include "clock_world.h"

#include "rate/kernel_rate.h"

static void first_record_waits_for_a_millisecond_of_age(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;
	uint64_t start;

	(void)state;
	new_clock(&clk, 400);
	start = world.now_ps;
	hpt_timekeeper_current(&clk, &rec);
	assert_in_range(world.now_ps - start, UINT64_C(990000000), UINT64_C(1200000000));
	assert_true(fabs(1 - 2.5e15 / (double)rec.rate.frequency_uhz) * 1e9 <= rec.rate.error_ppb);
	assert_in_range(rec.rate.error_ppb, 1, 100000);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_MEASURED);
	assert_int_equal(rec.generation, 1);
	assert_in_range(rec.convert.span, 1, 2500 * 12000); /* nine times its age, clipped to the window */
}

static uint64_t late_by_2_ns(void)
{
	return random_below(2000);
}

static void old_anchor_needs_no_wait(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;
	uint64_t start;

	(void)state;
	new_clock(&clk, 400);
	world.jitter_ps = late_by_2_ns;
	hpt_anchor_take(&clk.src, &clk.anchor);
	clk.is_clocksource = true;
	world.now_ps += UINT64_C(1000000000000);
	start = world.now_ps;
	hpt_timekeeper_current(&clk, &rec);
	assert_true(world.now_ps - start < 4000000); /* 64 brackets and those for Unix time: no other try */
	assert_true(rec.rate.error_ppb < 200);
}

static void exact_source_needs_no_measurement(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 1000);
	clk.src.rate = (struct hpt_rate){ 1, 1, UINT64_C(1000000000000000), 0, HPT_ORIGIN_EXACT, false };
	clk.anchor.n = 0;
	hpt_anchor_take(&clk.src, &clk.anchor);
	assert_int_equal(clk.anchor.n, 0);
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.convert.ns_per_tick.whole, 1);
	assert_int_equal(rec.convert.ns_per_tick.frac, 0);
	assert_int_equal(rec.rate.error_ppb, 0);
	assert_int_equal(hpt_ticks_to_ns(&clk, 12345), 12345);
}

static void state_rate(struct hpt_clock *clk, uint64_t period_fs)
{
	clk->src.rate = (struct hpt_rate){
		period_fs, 1000000, (uint64_t)(1e21 / (double)period_fs), 500000, HPT_ORIGIN_REGISTER, false,
	};
}

static void stated_rate_that_is_right_is_taken_as_it_is(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 69841);
	state_rate(&clk, 69841000);
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_REGISTER);
	assert_int_equal(rec.rate.frequency_uhz, clk.src.rate.frequency_uhz);
	assert_in_range(rec.rate.error_ppb, 1, 501000);
	assert_int_equal(rec.flags, 0);
	assert_in_range(hpt_now_ns(&clk) - true_ns() + 1000, 700, 1200);
}

/* 2 % off: the HPET of a board whose firmware states another crystal. */
static void stated_rate_that_is_wrong_is_not_believed(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 69841);
	state_rate(&clk, 71237820);
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_MEASURED);
	assert_int_equal(rec.flags, HPT_CLOCK_RATE_CONTRADICTED);
	assert_true(fabs(1 - 1e21 / 69841000 / (double)rec.rate.frequency_uhz) * 1e9 <= rec.rate.error_ppb);
}

static uint32_t granularity_ns(uint64_t staircase, uint64_t step_ticks, uint64_t mean_mticks)
{
	struct hpt_clock_info info;
	struct hpt_clock clk;

	new_clock(&clk, 400);
	world.staircase = staircase;
	clk.cost = (struct hpt_read_cost){ .step_ticks = step_ticks, .mean_mticks = mean_mticks, .samples = 100 };
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	return info.granularity_ns;
}

/* All moves between the reads that were timed were preemptions: calibration has seen the step. Its rate is coarse. */
static void step_is_the_one_of_the_calibration(void **state)
{
	(void)state;
	assert_in_range(granularity_ns(100000, 700000, 20000), 39000, 41000);
	assert_in_range(granularity_ns(100000, 90000, 20000), 35000, 37000);
	assert_in_range(granularity_ns(100000, 300000, 200000000), 117000, 123000); /* slow reads, all alike */
}

/* The reference does not move: no rate can be measured, but the call ends. Times are the kernel's own. */
static void reference_that_stands_still_gives_no_rate(void **state)
{
	struct hpt_clock_info info;
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 400);
	world.clock_step_ns = INT64_C(1000000000000000);
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.rate.error_ppb, UINT32_MAX);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_NONE);
	assert_int_equal(rec.rate.frequency_uhz, 0);
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.frequency_uhz, 0); /* 1 GHz would be a lie */
	assert_int_equal(info.frequency_origin, HPT_ORIGIN_NONE);
	assert_int_equal(info.granularity_ns, 0);
	assert_int_equal(info.read_cost_mean_ps, 0);
	assert_int_equal(hpt_now_ns(&clk), fake_world_true_ns(CLOCK_MONOTONIC_RAW));
	assert_int_equal(hpt_now_unix_ns(&clk), fake_world_true_ns(CLOCK_REALTIME));
	assert_int_equal(hpt_ticks_to_ns(&clk, 12345), 12345);
	assert_int_equal(hpt_ns_to_ticks(&clk, 12345), 12345);
}

static void assert_kernels_now(struct hpt_clock *clk)
{
	int64_t before = fake_world_true_ns(CLOCK_MONOTONIC_RAW), now = hpt_now_ns(clk);

	assert_true(now >= before && now <= fake_world_true_ns(CLOCK_MONOTONIC_RAW));
}

static void counter_that_stands_still_is_not_waited_for(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;
	uint64_t start;

	(void)state;
	new_clock(&clk, 400);
	world.staircase = UINT64_C(1) << 62;
	start = world.now_ps;
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_NONE);
	assert_int_equal(rec.rate.frequency_uhz, 0);
	assert_true(world.now_ps - start < UINT64_C(4000000000));
	assert_kernels_now(&clk);
}

/* Only the steps of the kernel's own counter show its rate. */
static void steps_are_those_of_the_kernels_counter(void **state)
{
	struct hpt_kernel_rate kernel = hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ);

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct hpt_clock clk;
		struct hpt_record rec;

		new_clock(&clk, 385);
		world.kernel_mult = kernel.mult;
		world.kernel_shift = kernel.shift;
		world.staircase = 26;
		hpt_anchor_take(&clk.src, &clk.anchor);
		clk.is_clocksource = i;
		hpt_timekeeper_settled(&clk, &rec);
		assert_int_equal(rec.rate.frequency_uhz == hpt_kernel_rate_uhz(kernel), i);
		assert_int_equal(rec.rate.origin, HPT_ORIGIN_MEASURED);
		assert_true(rec.rate.error_ppb > 5000);
	}
}

/* The anchor is taken by slower reads, because caches are cold: it does not say which number of steps is likely. */
static struct hpt_record record_with_slow_anchor(uint64_t step)
{
	struct hpt_kernel_rate kernel = hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ);
	struct hpt_clock clk;
	struct hpt_record rec;
	uint64_t start;

	new_clock(&clk, 385);
	world.now_ps += random_below(1000000000);
	world.kernel_mult = kernel.mult;
	world.kernel_shift = kernel.shift;
	world.staircase = step;
	world.jitter_ps = late_by_2_ns;
	world.clock_ps += 9000 + random_below(10000);
	hpt_anchor_take(&clk.src, &clk.anchor);
	world.clock_ps = 24000;
	clk.is_clocksource = true;
	world.now_ps += 1000000000;
	start = world.now_ps;
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_MEASURED);
	assert_in_range(rec.rate.error_ppb, 5000, 60000); /* the bound is the one of the brackets */
	assert_in_range(world.now_ps - start, 0, 200000000);
	return rec;
}

/* Later groups show it. Steps of 3.1 ns need nearer ones first, and their phases are known less well. */
static void slow_anchor_shows_the_kernels_rate_too(void **state)
{
	uint64_t uhz = hpt_kernel_rate_uhz(hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ));
	uint32_t right = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct hpt_record rec = record_with_slow_anchor(26);

		assert_int_equal(rec.rate.frequency_uhz, uhz);
		rec = record_with_slow_anchor(8);
		right += rec.rate.frequency_uhz == uhz;
	}
	note("steps of 3.1 ns: %u of 200", (unsigned)right);
	assert_true(right > 190);
}

static uint32_t jitters;

static uint64_t once_late_by_a_step(void)
{
	return ++jitters == 20 ? 10010 : 0;
}

/* Each turn of the loop takes 4 steps, but for one, which shows their length. */
static void reads_in_step_show_the_kernels_rate_too(void **state)
{
	struct hpt_kernel_rate kernel = hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ);
	uint32_t right = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct hpt_clock clk;
		struct hpt_record rec;

		new_clock(&clk, 385);
		world.now_ps += random_below(1000000000);
		world.kernel_mult = kernel.mult;
		world.kernel_shift = kernel.shift;
		world.staircase = 26;
		world.read_ps = 13000;
		world.clock_ps = 4 * 26 * 385 - world.read_ps;
		world.jitter_ps = once_late_by_a_step;
		jitters = 0;
		hpt_anchor_take(&clk.src, &clk.anchor);
		clk.is_clocksource = true;
		world.now_ps += 1000000000;
		hpt_timekeeper_current(&clk, &rec);
		right += rec.rate.frequency_uhz == hpt_kernel_rate_uhz(kernel);
	}
	note("reads in step: %u of 200", (unsigned)right);
	assert_true(right > 150);
}

static void stop_the_clocks(void)
{
	world.clock_step_ns = INT64_C(1000000000000000);
}

/* The wait for a later group ends even if the clocks stop meanwhile. */
static void clocks_that_stop_during_another_try_are_survived(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 385);
	world.staircase = 26; /* each read is in step with it */
	world.clock_ps = 92000;
	hpt_anchor_take(&clk.src, &clk.anchor);
	clk.is_clocksource = true;
	world.now_ps += 1000000000;
	world.event_at_ps = world.now_ps + 15000000;
	world.event = stop_the_clocks;
	hpt_timekeeper_current(&clk, &rec);
	assert_true(world.event == NULL);
}

#define SKEW_TICKS 2400

/* The thread changes to the CPU whose counter is ahead, and back. */
static void change_cpu(void)
{
	static bool is_ahead;

	is_ahead = !is_ahead;
	world.tick_offset += is_ahead ? SKEW_TICKS : (uint64_t)-SKEW_TICKS;
	world.event_at_ps = world.now_ps + 1000000;
	world.event = change_cpu;
}

/* The reference moves again, after a jump. */
static void rate_is_found_once_the_reference_moves(void **state)
{
	struct hpt_clock_info info;
	struct hpt_clock clk;

	(void)state;
	new_clock(&clk, 400);
	world.clock_step_ns = INT64_C(1000000000000000);
	hpt_now_ns(&clk);
	world.clock_step_ns = 0;
	for (int i = 0; i < 20; i++) {
		world.now_ps += UINT64_C(2000000000);
		hpt_now_ns(&clk);
	}
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.frequency_origin, HPT_ORIGIN_MEASURED);
	assert_true(info.frequency_error_ppb < 1000000);
	assert_true(fabs(1 - 2.5e15 / (double)info.frequency_uhz) * 1e9 <= info.frequency_error_ppb);
	assert_in_range(hpt_now_ns(&clk) - true_ns() + 1000, 700, 1300);
}

/*
 * Two counters of 24 MHz are 100 us out of step, and the thread changes its CPU each microsecond: no rate is proven.
 * The guess is within 10 %. Times are the kernel's own, and once the thread stays on one CPU samples give a rate.
 */
static void counters_out_of_step_get_their_rate_later(void **state)
{
	struct hpt_clock_info info;
	struct hpt_clock clk;

	(void)state;
	new_clock(&clk, 41667);
	change_cpu();
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.frequency_origin, HPT_ORIGIN_NONE);
	assert_true(info.frequency_error_ppb == UINT32_MAX);
	assert_in_range(info.frequency_uhz, UINT64_C(21600000000000), UINT64_C(26400000000000));
	assert_kernels_now(&clk);
	assert_in_range(hpt_ticks_to_ns(&clk, 24000), 900000, 1110000);
	world.event = NULL;
	for (int i = 0; i < 8; i++) {
		world.now_ps += UINT64_C(2000000000);
		hpt_now_ns(&clk);
	}
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.frequency_origin, HPT_ORIGIN_MEASURED);
	assert_int_equal(info.state, HPT_STATE_OK);
	assert_true(info.frequency_error_ppb < 1000000);
	assert_true(fabs(1 - 1e21 / 41667000 / (double)info.frequency_uhz) * 1e9 <= info.frequency_error_ppb);
}

static void preempt(void)
{
	world.now_ps += UINT64_C(1000000000);
}

/* A preemption leaves three brackets in the group; the next group is whole. Where each read is slow none is. */
static void group_that_is_cut_short_is_followed_by_another(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;
	uint32_t reads;

	(void)state;
	for (int is_slow = 0; is_slow < 2; is_slow++) {
		new_clock(&clk, 400);
		world.now_ps += UINT64_C(5000000000);
		world.event_at_ps = world.now_ps + 300000;
		world.event = preempt;
		world.clock_ps = is_slow ? 30000000 : 24000;
		reads = world.clock_reads;
		hpt_timekeeper_current(&clk, &rec);
		reads = world.clock_reads - reads;
		assert_in_range(reads, is_slow ? 30 : 64 + 20, is_slow ? 86 : 64 + 40);
	}
}

static void stated_rate_stands_where_none_can_be_measured(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 69841);
	state_rate(&clk, 69841000);
	world.clock_step_ns = INT64_C(1000000000000000);
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_REGISTER);
	assert_int_equal(rec.rate.frequency_uhz, clk.src.rate.frequency_uhz);
	assert_in_range(rec.rate.error_ppb, 500000, 600000);
	assert_int_equal(rec.flags, 0);
}

static void counter_jump_during_calibration_is_survived(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;

	(void)state;
	new_clock(&clk, 400);
	world.now_ps += UINT64_C(10000000000);
	world.tick_offset -= 500000000; /* backwards, between anchor and first use */
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.rate.origin, HPT_ORIGIN_MEASURED);
	assert_true(fabs(1 - 2.5e15 / (double)rec.rate.frequency_uhz) * 1e9 <= rec.rate.error_ppb);
	assert_true(rec.rate.error_ppb < 1000000);
}

/* A kernel that keeps time by jiffies: the reference moves every 4 ms, and the record waits for its steps. */
static void reference_of_4_ms_steps_is_waited_for(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct hpt_clock clk;
		struct hpt_record rec;
		uint64_t start;

		new_clock(&clk, 400);
		world.clock_step_ns = 4000000;
		world.now_ps += random_below(UINT64_C(8000000000));
		hpt_anchor_take(&clk.src, &clk.anchor);
		start = world.now_ps;
		hpt_timekeeper_current(&clk, &rec);
		check_measured(&rec, UINT32_MAX - 1);
		assert_true(world.now_ps - start < UINT64_C(100000000000));
	}
}

/* 30 us steps (some virtual machines): fresh anchors of a few microseconds do not show them. */
static void coarse_reference_does_not_narrow_the_bound(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		struct hpt_clock clk;
		struct hpt_record rec;

		new_clock(&clk, 400);
		world.now_ps += random_below(UINT64_C(30000000));
		world.clock_step_ns = 30000;
		hpt_anchor_take(&clk.src, &clk.anchor);
		hpt_timekeeper_current(&clk, &rec);
		assert_int_equal(rec.rate.origin, HPT_ORIGIN_MEASURED);
		if (fabs(1 - 2.5e15 / (double)rec.rate.frequency_uhz) * 1e9 > rec.rate.error_ppb)
			fail_msg("off by %.0f ppb, bound %u ppb", ((double)rec.rate.frequency_uhz / 2.5e15 - 1) * 1e9,
				 (unsigned)rec.rate.error_ppb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_record_waits_for_a_millisecond_of_age),
		cmocka_unit_test(old_anchor_needs_no_wait),
		cmocka_unit_test(exact_source_needs_no_measurement),
		cmocka_unit_test(stated_rate_that_is_right_is_taken_as_it_is),
		cmocka_unit_test(stated_rate_that_is_wrong_is_not_believed),
		cmocka_unit_test(group_that_is_cut_short_is_followed_by_another),
		cmocka_unit_test(stated_rate_stands_where_none_can_be_measured),
		cmocka_unit_test(step_is_the_one_of_the_calibration),
		cmocka_unit_test(reference_that_stands_still_gives_no_rate),
		cmocka_unit_test(counter_that_stands_still_is_not_waited_for),
		cmocka_unit_test(steps_are_those_of_the_kernels_counter),
		cmocka_unit_test(slow_anchor_shows_the_kernels_rate_too),
		cmocka_unit_test(reads_in_step_show_the_kernels_rate_too),
		cmocka_unit_test(clocks_that_stop_during_another_try_are_survived),
		cmocka_unit_test(rate_is_found_once_the_reference_moves),
		cmocka_unit_test(counters_out_of_step_get_their_rate_later),
		cmocka_unit_test(counter_jump_during_calibration_is_survived),
		cmocka_unit_test(reference_of_4_ms_steps_is_waited_for),
		cmocka_unit_test(coarse_reference_does_not_narrow_the_bound),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
