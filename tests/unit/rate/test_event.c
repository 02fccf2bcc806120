// SPDX-License-Identifier: MIT
/* A clock and the events of its world: suspends, steps, jumps, other namespaces. */
#include "record_world.h"

#include "rate/timeline.h"

/* ---- Steps and jumps ----------------------------------------------------------------------------------- */

static void step_of_the_wall_clock_leaves_nanoseconds_alone(void **state)
{
	static const int64_t steps_ns[] = { 3600 * NS_PER_S, -3600 * NS_PER_S, NS_PER_S, -NS_PER_S, 1000, -1000 };

	(void)state;
	new_kernel_clock();
	settle();
	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		uint64_t generation = hpt_clock_generation(&clk);
		int64_t last = hpt_now_ns(&clk);

		world.realtime_offset_ns += steps_ns[i];
		for (int n = 0; n < 1100; n++) { /* across the generation too */
			int64_t now = hpt_now_ns(&clk);

			assert_true(now >= last);
			last = now;
			assert_on_raw(1);
			pass(PS_PER_MS);
		}
		assert_on_wall(20);
		use(2 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_wall(20);
		assert_state(HPT_STATE_REANCHORED, generation + 1);
	}
}

/* Samples of a coarse clock find the line up to a step off, but a new generation must not move it by that. */
static void step_of_the_wall_clock_does_not_shake_a_coarse_line(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		int64_t before;

		new_clock(400);
		world.clock_step_ns = 30000;
		hpt_anchor_take(&clk.src, &clk.anchor);
		use(50 * PS_PER_MS + random_below(100 * PS_PER_MS), PS_PER_MS);
		world.realtime_offset_ns -= NS_PER_S;
		before = hpt_now_ns(&clk);
		assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_REANCHORED);
		assert_in_range(hpt_now_ns(&clk) - before, 0, 3000); /* taking the samples takes 1 us */
	}
}

static int reads_until_step;

static uint64_t step_within_the_samples(void)
{
	if (reads_until_step && !--reads_until_step)
		world.realtime_offset_ns += 50000000;
	return 0;
}

/* Between the sample of the offset and the brackets: the step must not be mistaken for a rate. */
static void step_within_samples_is_a_step(void **state)
{
	(void)state;
	for (int read = 1; read < 60; read++) {
		new_kernel_clock();
		settle();
		reads_until_step = read;
		world.jitter_ps = step_within_the_samples;
		pass(PS_PER_S + PS_PER_S / 10);
		hpt_now_ns(&clk);
		world.jitter_ps = NULL;
		use(2 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_wall(100);
		assert_state(reads_until_step ? HPT_STATE_OK : HPT_STATE_REANCHORED, reads_until_step ? 1 : 2);
	}
}

#define STEP_TICKS (PS_PER_S / 400 / 3)

static void counter_steps_back(void)
{
	counter_goes(-(int64_t)STEP_TICKS);
}

/*
 * The counter steps between the samples of one round. Then the round shows it, and neither clock is off; or else all
 * samples are from before the step, and right about the counter as it was.
 */
static void counter_that_steps_within_samples_has_jumped(void **state)
{
	int jumps = 0;

	(void)state;
	for (uint64_t after_ps = 0; after_ps < 2000000; after_ps += 8000 * stride()) {
		new_clock(400);
		settle();
		world.event = counter_steps_back;
		world.event_at_ps = world.now_ps + after_ps;
		hpt_timekeeper_resample(&clk);
		if (hpt_clock_generation(&clk) == 1)
			counter_goes((int64_t)(world.event ? 0 : STEP_TICKS));
		else
			jumps++;
		world.event = NULL;
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
	}
	assert_true(jumps > 50 / stride());
}

/* An interrupted sample of CLOCK_REALTIME less CLOCK_MONOTONIC does not widen the range that earlier ones proved. */
static void interrupted_sample_hides_no_step(void **state)
{
	(void)state;
	new_kernel_clock();
	settle();
	world.jitter_ps = ten_milliseconds;
	pass(PS_PER_S + PS_PER_S / 10);
	assert_int_equal(hpt_clock_generation(&clk), 1);
	world.jitter_ps = NULL;
	world.realtime_offset_ns += 100000;
	pass(PS_PER_S + PS_PER_S / 10);
	assert_int_equal(hpt_clock_generation(&clk), 2);
}

static void jump_out_of_the_segment_is_noticed_at_once(void **state)
{
	static const int64_t jumps[] = { INT64_C(100000000000), INT64_C(-100000000000), INT64_C(3000000000),
					 INT64_C(-3000000000), INT64_C(4000000000000000000),
					 INT64_C(-4000000000000000000), -1 };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(jumps); i++) {
		new_kernel_clock();
		clk.is_clocksource = i & 1;
		settle();
		if (jumps[i / 2] == -1) /* restarts from zero, as an HPET in a suspend */
			world.tick_offset = 0 - world.now_ps / world.tick_ps;
		else
			counter_goes(jumps[i / 2]);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_DISRUPTED, 2);
		use(4 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_raw(20);
		assert_on_wall(20);
		assert_state(HPT_STATE_DISRUPTED, 2);
	}
}

static void small_jump_is_noticed_by_the_next_samples(void **state)
{
	static const int64_t jumps[] = { 10000, -10000, 1000000, -1000000, 1000000000, -100000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(jumps); i++) {
		new_kernel_clock();
		settle();
		counter_goes(jumps[i]);
		/* One read after 1.1 s; within a segment the time would go back. */
		use(1200 * PS_PER_MS, PS_PER_S + PS_PER_S / 10);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_DISRUPTED, 2);
	}
}

/* Counters on two sockets may differ by that much, and brackets are taken on both. */
static void some_nanoseconds_are_no_jump(void **state)
{
	(void)state;
	new_kernel_clock();
	settle();
	for (int i = 0; i < 600; i++) {
		counter_goes(i & 1 ? 230 : -230); /* 100 ns */
		use(PS_PER_S, PS_PER_S + PS_PER_S / 10);
		assert_on_raw(250);
	}
	assert_state(HPT_STATE_OK, 1);
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_KERNEL);
}

/* The next reader's counter, on another socket, is still before the segment that the samples began. */
static void read_before_the_segment_is_no_leap(void **state)
{
	static const int64_t ticks[] = { -30, -60, -120, -230, -2000 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks) * 2; i++) {
		struct hpt_record old, back;
		int64_t last;

		new_kernel_clock();
		if (i & 1) /* the segment begins within a window's first ticks */
			world.tick_offset = 0 - (world.now_ps + 8 * PS_PER_S) / world.tick_ps;
		settle();
		use(2 * PS_PER_S, 10 * PS_PER_MS);
		pass(PS_PER_S + PS_PER_S / 10);
		if (i & 1)
			counter_goes((int64_t)(hpt_window_start((uint64_t)hpt_now(&clk)) + 10) - hpt_now(&clk));
		last = hpt_now_ns(&clk);
		hpt_timekeeper_current(&clk, &old);
		counter_goes(ticks[i / 2]);
		assert_on_raw(1000);
		hpt_timekeeper_current(&clk, &back);
		if (!(i & 1)) /* the same lines, to the same end */
			assert_int_equal(back.read.start + back.convert.span, old.read.start + old.convert.span);
		counter_goes(-ticks[i / 2]);
		assert_on_raw(1000);
		assert_on_wall(1000);
		assert_true(hpt_now_ns(&clk) >= last);
		use(5 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_raw(100);
		assert_on_wall(100);
	}
}

/* The counter of the machine that restores the snapshot has another rate. */
static void rate_is_measured_again_after_a_jump(void **state)
{
	(void)state;
	new_clock(400);
	clk.is_clocksource = true;
	settle();
	counter_goes(INT64_C(-2500000000));
	world.tick_offset += world.now_ps / 400 - world.now_ps / 300;
	world.tick_ps = 300;
	assert_on_raw(READ_NS);
	assert_state(HPT_STATE_DISRUPTED, 2);
	assert_int_equal(info().frequency_error_ppb, UINT32_MAX);
	use(3 * PS_PER_S, PS_PER_MS);
	assert_on_raw(READ_NS);
	assert_true(fabs(true_uhz() / (double)info().frequency_uhz - 1) * 1e9 <= info().frequency_error_ppb);
	assert_true(info().frequency_error_ppb < 1300);
	assert_state(HPT_STATE_DISRUPTED, 2);
}

/* Others may still be reading the kernel's clocks as the lines take over: times are nowhere below these. */
static void lines_take_over_above_the_kernels_clocks(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct hpt_record rec;
		uint64_t begin_ps;

		new_kernel_clock();
		settle();
		pass(random_below(PS_PER_MS));
		counter_goes(INT64_C(-2500000000));
		for (int n = 0; n < 100000; n++) {
			hpt_now_ns(&clk);
			hpt_timekeeper_current(&clk, &rec);
			if (rec.generation == 2 && rec.read.line_span)
				break;
			pass(PS_PER_MS / 50);
		}
		assert_true(rec.read.line_span);
		for (begin_ps = world.now_ps; world.now_ps < begin_ps + PS_PER_MS / 2; pass(PS_PER_MS / 100)) {
			int64_t raw = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
			int64_t wall = fake_world_true_ns(CLOCK_REALTIME);

			assert_true(hpt_now_ns(&clk) >= raw);
			assert_true(hpt_now_unix_ns(&clk) >= wall);
		}
	}
}

/* Restored on another machine with its clocks: the wall clock shows the event, and the rate is another. */
static void rate_is_measured_again_after_a_move(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < 2; kernel++) {
		new_clock(400);
		clk.is_clocksource = kernel;
		settle();
		world.realtime_offset_ns += 3600 * NS_PER_S;
		world.tick_offset += world.now_ps / 400 - world.now_ps / 336;
		world.tick_ps = 336;
		pass(1200 * PS_PER_MS);
		assert_on_raw(READ_NS);
		assert_state(HPT_STATE_REANCHORED, 2);
		assert_int_equal(info().frequency_error_ppb, UINT32_MAX);
		assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED);
		use_within_bound(20 * PS_PER_MS, PS_PER_MS / 5);
		assert_on_raw(READ_NS);
		assert_true(info().frequency_error_ppb < 200000);
		use_within_bound(4 * PS_PER_S, 50 * PS_PER_MS);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_REANCHORED, 2);
		assert_true(info().frequency_error_ppb < 1500);
	}
}

/* Preempted samples and coarse clocks prove little: until they prove a rate times are the kernel's own. */
static void rate_that_is_hardly_known_is_not_used(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(100); i++) {
		new_clock(400);
		if (i & 1)
			world.clock_step_ns = 4000000;
		hpt_anchor_take(&clk.src, &clk.anchor);
		settle();
		counter_goes(INT64_C(-3000000000));
		world.jitter_ps = i & 1 ? NULL : ten_milliseconds;
		for (int n = 0; n < 200; n++) {
			int64_t before = fake_world_true_ns(CLOCK_MONOTONIC_RAW), now = hpt_now_ns(&clk);

			int64_t after = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
			uint32_t error_ppb = info().frequency_error_ppb;

			assert_true(now >= before - 60000000 && now <= after + 60000000);
			assert_true(error_ppb < 300000000 || error_ppb == UINT32_MAX);
			pass(random_below(PS_PER_MS));
		}
		world.jitter_ps = NULL;
	}
}

/* Also where samples follow each other so closely that any two of them agree on a rate. */
static void rate_is_learned_under_constant_checks(void **state)
{
	(void)state;
	new_clock(400);
	settle();
	world.realtime_offset_ns += 3600 * NS_PER_S;
	world.tick_offset += world.now_ps / 400 - world.now_ps / 336;
	world.tick_ps = 336;
	pass(PS_PER_S / 10);
	hpt_clock_check(&clk, NULL);
	assert_state(HPT_STATE_REANCHORED, 2);
	for (uint64_t end = world.now_ps + 5 * PS_PER_MS; world.now_ps < end; pass(1000000)) {
		uint32_t error_ppb = info().frequency_error_ppb;

		hpt_clock_check(&clk, NULL);
		assert_bound_holds();
		assert_true(error_ppb < 1000000 || error_ppb == UINT32_MAX);
	}
	assert_state(HPT_STATE_REANCHORED, 2);
	assert_true(info().frequency_error_ppb < 1000000);
}

/* ---- More jumps ----------------------------------------------------------------------------------------- */

/* A second jump before the rate is measured again must not be mistaken for a rate. */
static void jump_upon_jump_is_no_rate(void **state)
{
	static const int64_t jumps[] = { 1000000000, 100000000, 10000000, -1000, -1000000000, INT64_C(1000000000000) };

	(void)state;
	for (size_t i = 0; i < COUNT(jumps); i++) {
		new_clock(i & 1 ? 400 : 10000);
		settle();
		counter_goes(INT64_C(-3000000000));
		hpt_clock_check(&clk, NULL);
		pass(PS_PER_MS / 3);
		counter_goes(jumps[i]);
		use(3 * PS_PER_S, PS_PER_MS / 7);
		assert_on_raw(READ_NS);
		assert_in_range(hpt_clock_generation(&clk), 2, 5);
		assert_true(fabs(true_uhz() / (double)info().frequency_uhz - 1) * 1e9 <= info().frequency_error_ppb);
		assert_true(info().frequency_error_ppb < 2000);
	}
}

/* Up to four times as fast as before, or as slow: the rate is found in the end. */
static void wholly_other_counter_is_learnt(void **state)
{
	static const uint64_t ticks_ps[] = { 100, 150, 700, 1600 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps) * 2; i++) {
		new_clock(400);
		settle();
		world.tick_offset += world.now_ps / 400 - world.now_ps / ticks_ps[i / 2];
		world.tick_ps = ticks_ps[i / 2];
		counter_goes(i & 1 ? INT64_C(-3000000000) : INT64_C(100000000000));
		use(4 * PS_PER_S, PS_PER_MS);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_DISRUPTED, 2);
		assert_true(fabs(true_uhz() / (double)info().frequency_uhz - 1) * 1e9 <= info().frequency_error_ppb);
	}
}

static uint64_t up_to_a_microsecond(void)
{
	return random_below(1000000);
}

/* By the forgotten rate brackets look four times as short as they are. The first stated error allows for that. */
static void first_error_after_another_counter_holds(void **state)
{
	(void)state;
	new_clock(400);
	world.jitter_ps = up_to_a_microsecond;
	for (int i = 0; i < 300; i++) {
		uint64_t before = world.tick_ps, after = before == 400 ? 1600 : 400;

		use(20 * PS_PER_S, PS_PER_S / 4);
		world.tick_offset += world.now_ps / before - world.now_ps / after;
		world.tick_ps = after;
		counter_goes(INT64_C(-3000000000));
		do {
			pass(PS_PER_MS * 6 / 10);
			hpt_clock_check(&clk, NULL);
		} while (info().frequency_error_ppb == UINT32_MAX);
		assert_bound_holds();
	}
	world.jitter_ps = NULL;
}

/* A counter that steps again while its rate is learned: the old rate stays the guess. */
static void steps_are_not_taken_for_a_rate(void **state)
{
	(void)state;
	new_clock(400);
	settle();
	for (int i = 0; i < 10; i++) {
		counter_goes((i + 1) * INT64_C(5000000));
		hpt_clock_check(&clk, NULL);
		assert_true(fabs(true_uhz() / (double)info().frequency_uhz - 1) < 0.01);
		pass(PS_PER_MS);
	}
}

/* CLOCK_MONOTONIC and _RAW stand still, CLOCK_REALTIME goes on; the counter goes on or restarts from zero. */
static void suspend_reanchors(void **state)
{
	(void)state;
	for (int restarts = 0; restarts < 2; restarts++) {
		int64_t before;

		new_kernel_clock();
		clk.is_clocksource = !restarts;
		settle();
		before = hpt_now_ns(&clk);
		world.realtime_offset_ns += 3 * NS_PER_S;
		if (restarts)
			world.tick_offset = 0 - world.now_ps / world.tick_ps;
		else
			counter_goes(INT64_C(6900000000));
		assert_true(hpt_now_ns(&clk) >= before);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_REANCHORED, 2);
		use(3 * PS_PER_S, PS_PER_MS);
		assert_true(info().frequency_error_ppb < 1300);
		assert_on_raw(20);
		assert_on_wall(20);
		assert_state(HPT_STATE_REANCHORED, 2);
	}
}

/* Every clock but CLOCK_REALTIME has moved, the counter has not. */
static void another_time_namespace_reanchors(void **state)
{
	static const int64_t offsets_ns[] = { 500 * NS_PER_S, -60 * NS_PER_S, 1000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(offsets_ns); i++) {
		new_kernel_clock();
		settle();
		world.clock_offset_ns += offsets_ns[i];
		world.realtime_offset_ns -= offsets_ns[i];
		use(1100 * PS_PER_MS, 10 * PS_PER_MS);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_REANCHORED, 2);
	}
}

/* What the record states of its line's error now. That of a segment has grown to 360 ns at its end: next_record.c. */
static int64_t stated_ns(void)
{
	struct hpt_record rec;
	uint64_t tick = hpt_timekeeper_now(&clk, &rec);
	uint32_t error_ns;
	int64_t ns;

	if (!rec.read.line_span) /* the kernel's time */
		return 0;
	assert_int_equal(hpt_wide_narrow(hpt_timeline_ns(&rec, (int64_t)tick), &ns), 0);
	error_ns = hpt_interval_error_ns(&rec.raw_now, tick, ns, rec.convert.ns_per_tick,
					 (uint32_t)rec.rate.error_ppb);
	return error_ns < 360 ? error_ns : 360;
}

/*
 * 100 jumps out of the segment, with reads all the time: time never decreases within a generation. They are far enough
 * apart not to demote the counter.
 */
static void storm_of_jumps(void **state)
{
	(void)state;
	new_kernel_clock();
	settle();
	for (int i = 0; i < rounds(100); i++) {
		int64_t jump = (int64_t)(random_magnitude() >> 2) + INT64_C(5000000000);
		uint64_t generation = hpt_clock_generation(&clk);

		counter_goes(random_below(2) ? jump : -jump);
		if (random_below(2))
			world.realtime_offset_ns += (int64_t)random_below(UINT64_C(1000000000000)) + 1000000;
		use(random_below(2 * PS_PER_S), random_below(PS_PER_MS) + 1000000);
		assert_on_raw(READ_NS + stated_ns());
		use(5 * PS_PER_S, 100 * PS_PER_MS);
		/* The second: CLOCK_REALTIME's own step, seen by the next samples. */
		assert_in_range(hpt_clock_generation(&clk), generation + 1, generation + 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_of_the_wall_clock_leaves_nanoseconds_alone),
		cmocka_unit_test(interrupted_sample_hides_no_step),
		cmocka_unit_test(step_within_samples_is_a_step),
		cmocka_unit_test(counter_that_steps_within_samples_has_jumped),
		cmocka_unit_test(step_of_the_wall_clock_does_not_shake_a_coarse_line),
		cmocka_unit_test(jump_out_of_the_segment_is_noticed_at_once),
		cmocka_unit_test(small_jump_is_noticed_by_the_next_samples),
		cmocka_unit_test(some_nanoseconds_are_no_jump),
		cmocka_unit_test(read_before_the_segment_is_no_leap),
		cmocka_unit_test(rate_is_measured_again_after_a_jump),
		cmocka_unit_test(lines_take_over_above_the_kernels_clocks),
		cmocka_unit_test(rate_is_measured_again_after_a_move),
		cmocka_unit_test(rate_that_is_hardly_known_is_not_used),
		cmocka_unit_test(rate_is_learned_under_constant_checks),
		cmocka_unit_test(jump_upon_jump_is_no_rate),
		cmocka_unit_test(wholly_other_counter_is_learnt),
		cmocka_unit_test(first_error_after_another_counter_holds),
		cmocka_unit_test(steps_are_not_taken_for_a_rate),
		cmocka_unit_test(suspend_reanchors),
		cmocka_unit_test(another_time_namespace_reanchors),
		cmocka_unit_test(storm_of_jumps),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
