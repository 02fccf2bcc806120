// SPDX-License-Identifier: MIT
/*
 * A clock through a life of hours in a world that does to it what worlds do: suspends, steps, slews, jumps, other
 * namespaces, wandering oscillators, coarse and interrupted clocks.
 */
#include <math.h>
#include <string.h>

#include "unit.h"

#include "clock.h"
#include "fake_env.h"
#include "fake_source.h"
#include "hpt/hpt.h"

#define PS_PER_S  UINT64_C(1000000000000)
#define PS_PER_MS UINT64_C(1000000000)
#define NS_PER_S  INT64_C(1000000000)

/* A read of the clock and half a pair: how far a time read may be from the truth a moment later. */
#define READ_NS 60

static struct hpt_clock clk;

static void new_clock(uint64_t tick_ps)
{
	world = (struct fake_world){
		.now_ps = 5 * PS_PER_S, .tick_ps = tick_ps, .tick_offset = 1000000007, .read_ps = 8000,
		.clock_ps = 24000, .clock_offset_ns = INT64_C(77000000000), .realtime_offset_ns = INT64_C(1700000000000000000),
	};
	memset(&clk, 0, sizeof(clk));
	fake_world_source(&clk.src, &fake_env);
	hpt_clock_set_reads(&clk);
	clk.is_static = true;
	hpt_clock_take_anchor(&clk);
}

/* A counter that the kernel keeps time with, as 2300000 kHz. */
static void new_kernel_clock(void)
{
	new_clock(435);
	world.kernel_mult = 7294442;
	world.kernel_shift = 24;
	hpt_clock_take_anchor(&clk);
	clk.kernel_is_tsc = true;
}

static void pass(uint64_t ps)
{
	world.now_ps += ps;
}

static struct hpt_clock_info info(void)
{
	struct hpt_clock_info i;

	assert_int_equal(hpt_clock_get_info(&clk, &i, sizeof(i)), 0);
	return i;
}

/* Reads for a while, every so often; no time smaller than the one before as long as the generation is the same. */
static void use(uint64_t ps, uint64_t every_ps)
{
	uint64_t end = world.now_ps + ps, generation = hpt_clock_generation(&clk);
	int64_t last = hpt_now_ns(&clk), last_unix = hpt_now_unix_ns(&clk);

	while (world.now_ps < end) {
		int64_t now = hpt_now_ns(&clk), now_unix = hpt_now_unix_ns(&clk);
		uint64_t g = hpt_clock_generation(&clk);

		if (g == generation && (now < last || now_unix < last_unix))
			fail_msg("generation %llu: %lld ns after %lld, Unix %lld after %lld", (unsigned long long)g,
				 (long long)now, (long long)last, (long long)now_unix, (long long)last_unix);
		generation = g;
		last = now;
		last_unix = now_unix;
		pass(every_ps);
	}
}

/* Until the library looks once a second only. */
static void settle(void)
{
	use(4 * PS_PER_S, 50 * PS_PER_MS);
	assert_int_equal(hpt_clock_generation(&clk), 1);
}

static void assert_on_raw(int64_t within_ns)
{
	int64_t before = fake_world_true_ns(CLOCK_MONOTONIC_RAW), now = hpt_now_ns(&clk);
	int64_t after = fake_world_true_ns(CLOCK_MONOTONIC_RAW);

	if (now < before - within_ns || now > after + within_ns)
		fail_msg("%lld ns off", (long long)(now < before ? now - before : now - after));
}

static void assert_on_wall(int64_t within_ns)
{
	int64_t before = fake_world_true_ns(CLOCK_REALTIME), now = hpt_now_unix_ns(&clk);
	int64_t after = fake_world_true_ns(CLOCK_REALTIME);

	if (now < before - within_ns || now > after + within_ns)
		fail_msg("Unix time %lld ns off", (long long)(now < before ? now - before : now - after));
}

static void assert_state(uint32_t state, uint64_t generation)
{
	struct hpt_clock_info i = info();

	assert_int_equal(i.generation, generation);
	assert_int_equal(i.state, state);
}

/* Mostly small, now and then a preemption of up to 40 ms. */
static uint64_t jitter(void)
{
	return random_below(50) ? random_below(15000) : random_below(20) ? random_below(300000) : random_below(40 * PS_PER_MS);
}

/* ---- Rate ----------------------------------------------------------------------------------------------- */

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

/* At 1 ms of age too: whole megahertz alone come near. */
static void early_guess_is_the_kernels_rate(void **state)
{
	(void)state;
	new_kernel_clock();
	pass(PS_PER_MS);
	assert_int_equal(info().frequency_uhz, UINT64_C(2299999917745593));
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED); /* not proven yet */
	assert_true(info().frequency_error_ppb > 1000);
}

/* The same where it is not known that the kernel keeps time with this counter. */
static void rate_of_another_clock_is_measured(void **state)
{
	(void)state;
	new_kernel_clock();
	clk.kernel_is_tsc = false;
	use(100 * PS_PER_S, 50 * PS_PER_MS);
	assert_int_equal(info().frequency_origin, HPT_ORIGIN_MEASURED);
	assert_true(info().frequency_error_ppb >= 1000);
	assert_on_raw(100);
}

static double true_uhz(void)
{
	return 1e18 / (double)world.tick_ps;
}

static void bound_holds_the_truth_at_every_look(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 200, 385, 400, 1000, 1001, 10000, 41667, 69841, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps) * 4; i++) {
		new_clock(ticks_ps[i / 4]);
		clk.kernel_is_tsc = i & 1;
		world.jitter_ps = i & 2 ? jitter : NULL;
		for (int looks = 0; looks < 60; looks++) {
			struct hpt_clock_info now = info();

			if (fabs(true_uhz() / (double)now.frequency_uhz - 1) * 1e9 > now.frequency_error_ppb)
				fail_msg("%llu ps, look %d: %.1f ppb off, bound %u", (unsigned long long)world.tick_ps, looks,
					 (true_uhz() / (double)now.frequency_uhz - 1) * 1e9, (unsigned)now.frequency_error_ppb);
			pass(looks < 10 ? 3 * PS_PER_MS : looks < 20 ? 100 * PS_PER_MS : random_below(20 * PS_PER_S));
		}
		assert_state(HPT_STATE_OK, 1);
		assert_true(info().frequency_error_ppb < 3000);
	}
}

static void error_falls_while_the_baseline_grows(void **state)
{
	uint32_t last;

	(void)state;
	new_clock(400);
	clk.kernel_is_tsc = true;
	last = info().frequency_error_ppb;
	for (uint64_t age_ps = 10 * PS_PER_MS; age_ps <= 1000 * PS_PER_S; age_ps *= 10) {
		uint32_t error_ppb;

		use(age_ps, age_ps / 20);
		error_ppb = info().frequency_error_ppb;
		assert_in_range(error_ppb, 1, last / 4 + 1);
		last = error_ppb;
	}
}

/* A long duration asks whether there is a better rate by now; a short one need not. */
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

/* ---- Nothing has happened ------------------------------------------------------------------------------- */

static void interrupted_looks_are_no_event(void **state)
{
	(void)state;
	new_kernel_clock();
	world.jitter_ps = jitter;
	use(7200 * PS_PER_S, 700 * PS_PER_MS);
	world.jitter_ps = NULL;
	use(3 * PS_PER_S, 10 * PS_PER_MS);
	assert_on_raw(1);
	assert_state(HPT_STATE_OK, 1);
}

/* Crystals part by less than 1 ppm in the time that a baseline is used, and by 20 over a day. */
static void wandering_oscillators_are_no_event(void **state)
{
	(void)state;
	new_clock(385);
	for (int i = 0; i < 2000; i++) {
		fake_world_slew(&world.all, (int64_t)(20000 * sin(i / 100.0)));
		use(10 * PS_PER_S, 500 * PS_PER_MS);
		assert_on_raw(1500);
	}
	assert_state(HPT_STATE_OK, 1);
}

static void coarse_clocks_are_no_event(void **state)
{
	static const int64_t steps_ns[] = { 100, 30000, 1000000, 4000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(steps_ns) * 2; i++) {
		new_clock(i & 1 ? 69841 : 400);
		world.clock_step_ns = steps_ns[i / 2];
		hpt_clock_take_anchor(&clk);
		use(600 * PS_PER_S, 37 * PS_PER_MS);
		assert_state(HPT_STATE_OK, 1);
		assert_on_raw(2 * steps_ns[i / 2]);
	}
}

/* NTP bends CLOCK_MONOTONIC and CLOCK_REALTIME alike; CLOCK_MONOTONIC_RAW knows nothing of it. */
static void slew_is_followed(void **state)
{
	static const int64_t slews_ppb[] = { 500000, -500000, 100, -12345, 0 };

	(void)state;
	new_kernel_clock();
	settle();
	for (size_t i = 0; i < COUNT(slews_ppb); i++) {
		fake_world_slew(&world.wall, slews_ppb[i]);
		use(1100 * PS_PER_MS, 10 * PS_PER_MS);
		assert_on_wall(1100000); /* 1000 ppm apart for 1.1 s */
		use(4 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_wall(20);
		assert_on_raw(1);
	}
	assert_state(HPT_STATE_OK, 1);
}

static void idle_days_are_no_event(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < 2; kernel++) {
		new_kernel_clock();
		clk.kernel_is_tsc = kernel;
		settle();
		for (int i = 0; i < 10; i++) {
			pass(random_below(30 * 86400 * PS_PER_S / 10));
			use(10 * PS_PER_MS, PS_PER_MS);
			assert_on_raw(100);
			assert_on_wall(100);
		}
		assert_state(HPT_STATE_OK, 1);
	}
}

/* Where signed numbers end, and where unsigned ones do: 2^63 and 2^64. */
static void counter_may_pass_any_number(void **state)
{
	static const uint64_t ends[] = { UINT64_C(1) << 32, UINT64_C(1) << 63, 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(ends); i++) {
		new_kernel_clock();
		world.tick_offset = ends[i] - (world.now_ps + 6 * PS_PER_S) / world.tick_ps;
		hpt_clock_take_anchor(&clk);
		use(10 * PS_PER_S, 20 * PS_PER_MS);
		assert_on_raw(1);
		assert_state(HPT_STATE_OK, 1);
	}
}

/* ---- Something has ------------------------------------------------------------------------------------- */

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
		assert_state(HPT_STATE_REANCHORED, generation + 1);
	}
}

static void counter_goes(int64_t ticks)
{
	world.tick_offset += (uint64_t)ticks;
}

static void jump_out_of_the_segment_is_noticed_at_once(void **state)
{
	static const int64_t jumps[] = { INT64_C(100000000000), INT64_C(-100000000000), INT64_C(3000000000), INT64_C(-3000000000),
					 INT64_C(4000000000000000000), INT64_C(-4000000000000000000), -1 };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(jumps); i++) {
		new_kernel_clock();
		clk.kernel_is_tsc = i & 1;
		settle();
		if (jumps[i / 2] == -1) /* starts anew from zero, as an HPET over a suspend */
			world.tick_offset = 0 - world.now_ps / world.tick_ps;
		else
			counter_goes(jumps[i / 2]);
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_DISRUPTED, 2);
		use(4 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_raw(clk.kernel_is_tsc ? 1 : 20);
		assert_on_wall(20);
		assert_state(HPT_STATE_DISRUPTED, 2);
	}
}

static void small_jump_is_noticed_at_the_next_look(void **state)
{
	static const int64_t jumps[] = { 10000, -10000, 1000000, -1000000, 1000000000, -100000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(jumps); i++) {
		new_kernel_clock();
		settle();
		counter_goes(jumps[i]);
		use(1200 * PS_PER_MS, PS_PER_S + PS_PER_S / 10); /* one read after 1.1 s: within a segment it would go back */
		assert_on_raw(READ_NS);
		assert_on_wall(READ_NS);
		assert_state(HPT_STATE_DISRUPTED, 2);
	}
}

/* Two sockets' counters may differ by so much, and pairs are taken on both. */
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

/* The machine that the snapshot is restored on counts at another rate. */
static void rate_is_measured_anew_after_a_jump(void **state)
{
	(void)state;
	new_clock(400);
	clk.kernel_is_tsc = true;
	settle();
	counter_goes(INT64_C(-2500000000));
	world.tick_offset += world.now_ps / 400 - world.now_ps / 300;
	world.tick_ps = 300;
	assert_on_raw(1000); /* a quarter of what passes until the first look at the new rate */
	assert_state(HPT_STATE_DISRUPTED, 2);
	assert_int_equal(info().frequency_error_ppb, UINT32_MAX);
	use(3 * PS_PER_S, PS_PER_MS);
	assert_on_raw(READ_NS);
	assert_true(fabs(true_uhz() / (double)info().frequency_uhz - 1) * 1e9 <= info().frequency_error_ppb);
	assert_true(info().frequency_error_ppb < 1000);
	assert_state(HPT_STATE_DISRUPTED, 2);
}

/* A second jump before anything is known of the rate again must not be taken for rate. */
static void jump_upon_jump_is_no_rate(void **state)
{
	static const int64_t jumps[] = { 1000000000, 100000000, 10000000, -1000, -1000000000, INT64_C(1000000000000) };

	(void)state;
	for (size_t i = 0; i < COUNT(jumps); i++) {
		new_clock(i & 1 ? 400 : 10000);
		settle();
		counter_goes(INT64_C(-3000000000));
		hpt_clock_check(&clk);
		pass(PS_PER_MS / 3);
		counter_goes(jumps[i]);
		use(2 * PS_PER_S, PS_PER_MS / 7);
		assert_on_raw(READ_NS);
		assert_in_range(hpt_clock_generation(&clk), 2, 5);
		assert_true(fabs(true_uhz() / (double)info().frequency_uhz - 1) * 1e9 <= info().frequency_error_ppb);
		assert_true(info().frequency_error_ppb < 2000);
	}
}

/* Four times as fast as before, or as slow: found in the end. */
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
		assert_in_range(hpt_clock_generation(&clk), 2, 6);
		assert_true(fabs(true_uhz() / (double)info().frequency_uhz - 1) * 1e9 <= info().frequency_error_ppb);
	}
}

/* CLOCK_MONOTONIC and _RAW stand still, CLOCK_REALTIME goes on; the counter goes on, or starts anew. */
static void suspend_reanchors(void **state)
{
	(void)state;
	for (int restarts = 0; restarts < 2; restarts++) {
		int64_t before;

		new_kernel_clock();
		clk.kernel_is_tsc = !restarts;
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
		assert_true(info().frequency_error_ppb < 5000); /* the same counter: its rate is known */
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
		assert_int_equal(info().frequency_origin, HPT_ORIGIN_KERNEL);
	}
}

/* 100 jumps, out of the segment, with reads all the time: nothing smaller within a generation, ever. */
static void storm_of_jumps(void **state)
{
	(void)state;
	new_kernel_clock();
	settle();
	for (int i = 0; i < 100; i++) {
		int64_t jump = (int64_t)(random_magnitude() >> 2) + INT64_C(5000000000);
		uint64_t generation = hpt_clock_generation(&clk);

		counter_goes(random_below(2) ? jump : -jump);
		if (random_below(2))
			world.realtime_offset_ns += (int64_t)random_below(UINT64_C(1000000000000)) + 1000000;
		use(random_below(2 * PS_PER_S), random_below(PS_PER_MS) + 1000000);
		assert_on_raw(READ_NS);
		assert_in_range(hpt_clock_generation(&clk), generation + 1, generation + 2); /* its own step, seen a look later */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_rate_is_told_from_its_neighbours),
		cmocka_unit_test(early_guess_is_the_kernels_rate),
		cmocka_unit_test(rate_of_another_clock_is_measured),
		cmocka_unit_test(bound_holds_the_truth_at_every_look),
		cmocka_unit_test(error_falls_while_the_baseline_grows),
		cmocka_unit_test(long_durations_get_the_refined_rate),
		cmocka_unit_test(interrupted_looks_are_no_event),
		cmocka_unit_test(wandering_oscillators_are_no_event),
		cmocka_unit_test(coarse_clocks_are_no_event),
		cmocka_unit_test(slew_is_followed),
		cmocka_unit_test(idle_days_are_no_event),
		cmocka_unit_test(counter_may_pass_any_number),
		cmocka_unit_test(step_of_the_wall_clock_leaves_nanoseconds_alone),
		cmocka_unit_test(jump_out_of_the_segment_is_noticed_at_once),
		cmocka_unit_test(small_jump_is_noticed_at_the_next_look),
		cmocka_unit_test(some_nanoseconds_are_no_jump),
		cmocka_unit_test(rate_is_measured_anew_after_a_jump),
		cmocka_unit_test(jump_upon_jump_is_no_rate),
		cmocka_unit_test(wholly_other_counter_is_learnt),
		cmocka_unit_test(suspend_reanchors),
		cmocka_unit_test(another_time_namespace_reanchors),
		cmocka_unit_test(storm_of_jumps),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
