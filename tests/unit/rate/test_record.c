// SPDX-License-Identifier: MIT
/*
 * A clock through hours without an event, in all kinds of worlds: drifting oscillators, coarse and interrupted clocks,
 * slews, idle days. For events see test_event.c.
 */
#include "record_world.h"

/* ---- No event ------------------------------------------------------------------------------------------- */

static void interrupted_samples_are_no_event(void **state)
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

/* Crystals diverge by less than 1 ppm in the time that a baseline is used, and by 20 ppm over a day. */
static void wandering_oscillators_are_no_event(void **state)
{
	(void)state;
	new_clock(385);
	for (int i = 0; i < 2000; i++) {
		struct hpt_record rec;

		fake_world_slew(&world.all, (int64_t)(20000 * sin(i / 100.0)));
		use(10 * PS_PER_S, 500 * PS_PER_MS);
		assert_on_raw(1500);
		assert_bound_holds();
		hpt_timekeeper_current(&clk, &rec);
		assert_true(rec.rate.rates.lo_uhz <= rec.rate.rates.hi_uhz);
	}
	assert_state(HPT_STATE_OK, 1);
}

/* Between two samples hours apart a crystal's rate may change more. */
static void hours_apart_oscillators_are_strangers(void **state)
{
	(void)state;
	new_clock(385);
	settle();
	for (int i = 0; i < 100; i++) {
		fake_world_slew(&world.all, (int64_t)(20000 * sin(i)));
		pass(3 * 3600 * PS_PER_S);
		use(10 * PS_PER_S, 100 * PS_PER_MS);
		assert_on_raw(READ_NS);
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
		hpt_anchor_take(&clk.src, &clk.anchor);
		use(600 * PS_PER_S, 37 * PS_PER_MS);
		assert_state(HPT_STATE_OK, 1);
		assert_on_raw(2 * steps_ns[i / 2]);
	}
}

/* At the first samples the rate is known only to some per cent. */
static void early_samples_of_coarse_clocks_are_no_event(void **state)
{
	(void)state;
	for (int n = 0; n < rounds(1000); n++) {
		uint64_t start_ps;

		new_clock(167 + random_below(2000));
		start_ps = world.now_ps;
		world.clock_step_ns = n & 1 ? 1000000 : 4000000;
		pass(random_below(PS_PER_S));
		hpt_anchor_take(&clk.src, &clk.anchor);
		for (int samples = 0; samples < 30; samples++) {
			hpt_now_ns(&clk);
			pass(random_below(8 * (world.now_ps - start_ps) % PS_PER_S + PS_PER_MS));
		}
		assert_state(HPT_STATE_OK, 1);
	}
}

/* A rate that is 20 % too high makes periods 25 % too short. */
static void wide_bound_is_of_the_rate(void **state)
{
	struct hpt_rate rate = { HPT_UHZ_PER_GHZ, UINT64_C(3121000000000000), UINT64_C(3121000000000000), 200000000,
				 HPT_ORIGIN_MEASURED, false };
	struct hpt_record old, next;
	struct hpt_samples samples;

	(void)state;
	new_clock(400);
	hpt_timekeeper_current(&clk, &old);
	hpt_estimate_set_rate(&old.rate, &rate);
	old.convert.ns_per_tick = hpt_scale_of(rate.num, rate.den);
	pass(100 * PS_PER_MS);
	hpt_samples_take(&clk.src, &samples);
	hpt_record_next(&old, &samples, &next);
	assert_int_equal(next.generation, 1);
	old.rate.error_ppb = 190000000; /* and a little more is a jump */
	hpt_record_next(&old, &samples, &next);
	assert_int_equal(next.generation, 2);
}

/* By how much a line is off the clock at a tick. Coarse steps aside, that clock is offset_ns and the time since 0. */
static double line_off_ns(const struct hpt_line *line, uint64_t start, uint64_t tick, int64_t offset_ns)
{
	int64_t true_ns = (int64_t)((tick - world.tick_offset) * world.tick_ps / 1000) + offset_ns;

	return fabs((double)((int64_t)hpt_line_at(line, start, tick).ns - true_ns));
}

/*
 * The middle of a sample is off by half a step and half a bracket. After a gap the line continues at the rate, so that
 * its start is off by as much as the old end and by the gap's share of the rate's error. Where it bends it meets the
 * sample, carried on at the rate, at the segment's end. After a gap longer than a segment, and up to the end of a
 * window, it does not get there. ROUNDED_NS: two times on lines and two true ones, each rounded to a nanosecond.
 */
#define ROUNDED_NS 4

static void assert_line_follows(const struct hpt_record *old, const struct hpt_record *rec, bool is_unix)
{
	const struct hpt_line *line = is_unix ? &rec->read.unix_ns : &rec->read.ns;
	const struct hpt_line *old_line = is_unix ? &old->read.unix_ns : &old->read.ns;
	int64_t offset_ns = world.clock_offset_ns + (is_unix ? world.realtime_offset_ns : 0);
	uint64_t start = rec->read.start, old_end = old->read.start + old->convert.span, gap = start - old_end;
	uint64_t uhz = is_unix ? rec->rate.unix_uhz : rec->rate.frequency_uhz;
	double error_ns = fabs(1e15 / (double)uhz - (double)world.tick_ps / 1000); /* of a tick */
	double sample_ns = (double)world.clock_step_ns / 2 + 2 * READ_NS;
	double old_end_ns = line_off_ns(old_line, old->read.start, old_end, offset_ns);
	double start_ns = line_off_ns(line, start, start, offset_ns);
	double end_ns = line_off_ns(line, start, start + rec->convert.span, offset_ns);
	bool is_met = gap <= rec->convert.span && (start + rec->convert.span) % HPT_WINDOW_TICKS;

	if (start_ns > fmax(old_end_ns, sample_ns) + (double)gap * error_ns + ROUNDED_NS)
		fail_msg("%.0f ns off at the start, %.0f at the old end", start_ns, old_end_ns);
	if (end_ns > sample_ns + (double)rec->convert.span * error_ns + (is_met ? 0 : start_ns) + ROUNDED_NS)
		fail_msg("%.0f ns off at the end, %.0f at the start", end_ns, start_ns);
}

/*
 * Each sample of a coarse clock is off by up to a step, and the line bends to it. If no sample follows in time the line
 * must not continue at that slope.
 */
static void coarse_clock_does_not_throw_the_line(void **state)
{
	struct hpt_record old, rec;

	(void)state;
	for (int n = 0; n < 50; n++) {
		new_clock(400);
		pass(random_below(30000000));
		world.clock_step_ns = 30000;
		hpt_anchor_take(&clk.src, &clk.anchor);
		hpt_timekeeper_now(&clk, &rec);
		for (uint64_t gap_ps = PS_PER_MS; gap_ps < 900 * PS_PER_MS;
		     gap_ps += gap_ps / 3 + random_below(gap_ps)) {
			pass(gap_ps);
			old = rec;
			hpt_timekeeper_now(&clk, &rec);
			if (rec.read.start == old.read.start)
				continue;
			assert_line_follows(&old, &rec, false);
			assert_line_follows(&old, &rec, true);
		}
		assert_state(HPT_STATE_OK, 1);
	}
}

/* Each clock read is delayed before the clock is read, never after. */
static uint64_t lopsided(void)
{
	static int calls;

	return calls++ & 1 ? 0 : 100000000;
}

/* Once the kernel's rate is known, all samples together place the line: a bad one does not move it. */
static void bad_sample_does_not_move_the_kernels_line(void **state)
{
	(void)state;
	new_kernel_clock();
	settle();
	for (int i = 0; i < 10; i++) {
		world.jitter_ps = lopsided;
		pass(PS_PER_S + PS_PER_S / 10);
		hpt_now_ns(&clk);
		world.jitter_ps = NULL;
		pass(PS_PER_S / 2);
		assert_on_raw(2);
	}
}

/* Another clock's line follows the prediction where that proves more than the samples, so it stays within the error. */
static void bad_sample_does_not_move_a_measured_line(void **state)
{
	(void)state;
	new_kernel_clock();
	clk.is_clocksource = false;
	settle();
	for (int i = 0; i < 10; i++) {
		pass(PS_PER_S + PS_PER_S / 10);
		hpt_now_ns(&clk);
		world.jitter_ps = lopsided;
		pass(PS_PER_S + PS_PER_S / 10);
		hpt_now_ns(&clk);
		world.jitter_ps = NULL;
		pass(PS_PER_S / 2);
		assert_on_raw(2 * (int64_t)info().frequency_error_ppb);
	}
}

/* NTP slews CLOCK_MONOTONIC and CLOCK_REALTIME alike, and does not change CLOCK_MONOTONIC_RAW. */
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
		use(3 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_wall(30);
		use(2 * PS_PER_S, 10 * PS_PER_MS);
		assert_on_wall(20);
		assert_on_raw(1);
	}
	assert_state(HPT_STATE_OK, 1);
}

/* How far hpt_now_unix_ns() is off while it is read each millisecond for that long; in the end at most within_ns. */
static int64_t worst_on_wall(uint64_t ps, int64_t within_ns)
{
	int64_t worst = 0;

	for (uint64_t end = world.now_ps + ps; world.now_ps < end; pass(PS_PER_MS)) {
		int64_t off = hpt_now_unix_ns(&clk) - fake_world_true_ns(CLOCK_REALTIME);

		off = off < 0 ? -off : off;
		worst = off > worst ? off : worst;
	}
	assert_on_wall(within_ns);
	return worst;
}

/*
 * chrony's default maximum. Nothing shows a slew before the next samples, up to a second later. From then on the line
 * converges as fast as it can without going back: in 0.2 s.
 */
static void fast_slew_is_followed_soon(void **state)
{
	static const int64_t slews_ppb[] = { 83333000, -83333000 };
	int64_t worst = 0, later = 0;

	(void)state;
	for (uint64_t i = 0; i < 40; i++) { /* phases of the second, one of each fortieth */
		new_kernel_clock();
		settle();
		use(PS_PER_S + i * PS_PER_S / 40 + random_below(PS_PER_S / 40), PS_PER_MS);
		for (int end = 0; end < 2; end++) {
			int64_t off;

			fake_world_slew(&world.wall, end ? 0 : slews_ppb[i & 1]);
			off = worst_on_wall(1250 * PS_PER_MS, 10000);
			worst = off > worst ? off : worst;
			off = worst_on_wall(3 * PS_PER_S, 100);
			later = off > later ? off : later;
		}
		assert_state(HPT_STATE_OK, 1);
	}
	note("worst %.3f ms in the first 1.25 s, %.6f ms after that", (double)worst / 1e6, (double)later / 1e6);
	assert_in_range(worst, 70000000, 91000000);
	assert_in_range(later, 0, 20000);
}

static uint32_t clock_reads_in(uint64_t ps)
{
	uint32_t before = world.clock_reads;

	use(ps, 10 * PS_PER_MS);
	return world.clock_reads - before;
}

/* The short segments of a slew, each of which begins with samples, grow long again after it. */
static void short_segments_end_after_the_slew(void **state)
{
	uint32_t before, during;

	(void)state;
	new_kernel_clock();
	settle();
	before = clock_reads_in(10 * PS_PER_S);
	fake_world_slew(&world.wall, 83333000);
	use(PS_PER_S + PS_PER_S / 10, 10 * PS_PER_MS);
	fake_world_slew(&world.wall, 0);
	during = clock_reads_in(PS_PER_S / 2);
	use(5 * PS_PER_S, 10 * PS_PER_MS);
	note("clock reads: %u in 10 s, %u in the 0.5 s after a slew", before, during);
	assert_true(during > 4 * before / 20);
	assert_in_range(clock_reads_in(10 * PS_PER_S), before / 2, 2 * before);
}

/* A change too small to be proven by two successive samples. */
static void small_change_of_rate_is_followed(void **state)
{
	(void)state;
	new_kernel_clock();
	use(600 * PS_PER_S, 500 * PS_PER_MS);
	fake_world_slew(&world.wall, 12);
	use(8 * PS_PER_S, 10 * PS_PER_MS);
	for (int i = 0; i < 100; i++) {
		use(50 * PS_PER_MS, 10 * PS_PER_MS);
		assert_on_wall(5);
	}
}

/* 1 GHz within 1000 ppm, by a counter that moves once in 100 us, and 500000 ticks later. */
static struct hpt_estimate refined_after(int64_t ns)
{
	static const struct hpt_rate rate = { .num = HPT_UHZ_PER_GHZ, .den = 1000000000000000, .error_ppb = 1000000,
					      .frequency_uhz = 1000000000000000, .origin = HPT_ORIGIN_MEASURED };
	struct hpt_interval later = { .tick = 500000, .ref_ns = ns, .hi_fs = 100000000000 };
	struct hpt_estimate est = { .wander_ppb = HPT_ESTIMATE_WANDER_PPB };

	hpt_estimate_set_rate(&est, &rate);
	est.baseline = est.mark = est.last = (struct hpt_interval){ .hi_fs = 100000000000 };
	hpt_estimate_refine(&est, &later, &later);
	assert_int_equal(est.baseline.tick, later.tick);
	return est;
}

/* With a step in it a baseline of 50 us says: any rate above 3.3 GHz. One of 200 us says: 1.7 to 5 GHz. */
static void short_baseline_does_not_unlearn_the_rate(void **state)
{
	struct hpt_estimate est = refined_after(50000);

	(void)state;
	assert_false(hpt_estimate_is_learning(&est));
	assert_in_range(est.error_ppb, 1000000, 1001002);
	assert_in_range(refined_after(200000).rates.hi_uhz, 4999999999999990, 5000000000000010);
}

/* After a day with a slightly changed oscillator the time is right at once, not only in the end. */
static void time_is_right_after_an_idle_day(void **state)
{
	(void)state;
	new_clock(400);
	settle();
	fake_world_slew(&world.all, 700);
	pass(86400 * PS_PER_S);
	assert_on_raw(READ_NS);
	assert_on_wall(READ_NS);
	assert_state(HPT_STATE_OK, 1);
}

/* A line that is far ahead for any reason waits; it does not go back. */
static void line_far_ahead_does_not_go_back(void **state)
{
	struct hpt_record old, next;
	struct hpt_fixed end;
	struct hpt_samples samples;

	(void)state;
	new_kernel_clock();
	settle();
	hpt_timekeeper_current(&clk, &old);
	old.read.ns.at.ns += 10 * NS_PER_S;
	end = hpt_line_at(&old.read.ns, old.read.start, old.read.start + old.convert.span);
	pass(5 * PS_PER_S);
	hpt_samples_take(&clk.src, &samples);
	hpt_record_next(&old, &samples, &next);
	assert_int_equal(next.generation, 1);
	assert_true((int64_t)(hpt_line_at(&next.read.ns, next.read.start, next.read.start).ns - end.ns) >= 0);
}

static void idle_days_are_no_event(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < 2; kernel++) {
		new_kernel_clock();
		clk.is_clocksource = kernel;
		settle();
		for (int i = 0; i < 10; i++) {
			pass(random_below(30 * 86400 * PS_PER_S / 10));
			use(20 * PS_PER_MS, PS_PER_MS);
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
		hpt_anchor_take(&clk.src, &clk.anchor);
		use(10 * PS_PER_S, 20 * PS_PER_MS);
		assert_on_raw(1);
		assert_state(HPT_STATE_OK, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interrupted_samples_are_no_event),
		cmocka_unit_test(wandering_oscillators_are_no_event),
		cmocka_unit_test(hours_apart_oscillators_are_strangers),
		cmocka_unit_test(coarse_clocks_are_no_event),
		cmocka_unit_test(bad_sample_does_not_move_the_kernels_line),
		cmocka_unit_test(bad_sample_does_not_move_a_measured_line),
		cmocka_unit_test(early_samples_of_coarse_clocks_are_no_event),
		cmocka_unit_test(wide_bound_is_of_the_rate),
		cmocka_unit_test(coarse_clock_does_not_throw_the_line),
		cmocka_unit_test(slew_is_followed),
		cmocka_unit_test(fast_slew_is_followed_soon),
		cmocka_unit_test(short_segments_end_after_the_slew),
		cmocka_unit_test(line_far_ahead_does_not_go_back),
		cmocka_unit_test(short_baseline_does_not_unlearn_the_rate),
		cmocka_unit_test(time_is_right_after_an_idle_day),
		cmocka_unit_test(small_change_of_rate_is_followed),
		cmocka_unit_test(idle_days_are_no_event),
		cmocka_unit_test(counter_may_pass_any_number),
	};

	random_start();
	fake_env_reset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
