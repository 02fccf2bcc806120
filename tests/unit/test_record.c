// SPDX-License-Identifier: MIT
/*
 * A clock through hours without an event, in all kinds of worlds: drifting oscillators, coarse and interrupted clocks,
 * slews, idle days. For events see test_event.c.
 */
#include "record_world.h"

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
 * A choice that is wrong by off_ppb: the published bound holds the truth all the time, and the samples take the choice
 * back. Returns the age at that, in ms.
 */
static uint64_t wrong_choice_lasts_ms(double off_ppb, struct hpt_record *rec)
{
	double uhz = true_uhz() * (1 + off_ppb / 1e9);
	struct hpt_rate wrong = { .num = HPT_UHZ_PER_GHZ, .den = (uint64_t)uhz, .frequency_uhz = (uint64_t)uhz,
				  .error_ppb = 40000, .origin = HPT_ORIGIN_MEASURED, .is_kernels = true };
	struct hpt_granularity granularity = { .ref_ns = 1, .ticks = 26 };
	struct hpt_interval base = hpt_interval_of(clk.anchor, clk.n_anchor, hpt_scale_of(wrong.num, wrong.den),
						   wrong.error_ppb, granularity);
	uint64_t age_ms = 1, given_up_ms = 0;
	struct hpt_samples samples;
	struct hpt_record next;

	pass(PS_PER_MS);
	hpt_samples_take(&clk.src, &samples);
	memset(rec, 0, sizeof(*rec));
	rec->granularity = granularity;
	hpt_record_first(rec, &wrong, &base, &samples);
	for (; age_ms < 4000; age_ms += 1 + age_ms / 2) {
		if (fabs(true_uhz() / (double)rec->frequency_uhz - 1) * 1e9 > (double)rec->error_ppb + 1)
			fail_msg("at %u ms: %g uHz, bound %u ppb", (unsigned)age_ms, (double)rec->frequency_uhz,
				 (unsigned)rec->error_ppb);
		if (!given_up_ms && rec->frequency_uhz != wrong.frequency_uhz)
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
		assert_int_equal(rec.frequency_uhz, uhz);
		assert_int_equal(rec.origin, HPT_ORIGIN_KERNEL);
		assert_int_equal(rec.generation, 1);
	}
}

/* The same if it is not known that the kernel keeps time with this counter. */
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

static void bound_holds_the_truth_at_every_sample(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 200, 385, 400, 1000, 1001, 10000, 41667, 69841, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps) * 4; i++) {
		new_clock(ticks_ps[i / 4]);
		clk.kernel_is_tsc = i & 1;
		world.jitter_ps = i & 2 ? jitter : NULL;
		for (int samples = 0; samples < 60; samples++) {
			struct hpt_clock_info now = info();

			if (fabs(true_uhz() / (double)now.frequency_uhz - 1) * 1e9 > now.frequency_error_ppb)
				fail_msg("%llu ps, sample %d: %.1f ppb off, bound %u",
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
	base = hpt_interval_of(clk.anchor, clk.n_anchor, hpt_scale_of(rate.num, rate.den), 100,
			       (struct hpt_granularity){ 1, 1 });
	pass(2 * PS_PER_S);
	memset(&rec, 0, sizeof(rec));
	rec.granularity = (struct hpt_granularity){ 1, 1 };
	rec.wander_ppb = 1;
	hpt_samples_take(&clk.src, &samples);
	hpt_record_first(&rec, &rate, &base, &samples);
	assert_in_range(rec.frequency_uhz, rec.bound.lo_uhz, rec.bound.hi_uhz);
	assert_in_range(UINT64_C(2500000000000000), rec.bound.lo_uhz, rec.bound.hi_uhz);
	assert_true(rec.error_ppb < 90);
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
		assert_true(rec.bound.lo_uhz <= rec.bound.hi_uhz);
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
		hpt_anchor_take(&clk);
		use(600 * PS_PER_S, 37 * PS_PER_MS);
		assert_state(HPT_STATE_OK, 1);
		assert_on_raw(2 * steps_ns[i / 2]);
	}
}

/* At the first samples the rate is known only to some per cent. */
static void early_samples_of_coarse_clocks_are_no_event(void **state)
{
	(void)state;
	for (int n = 0; n < 1000; n++) {
		uint64_t start_ps;

		new_clock(167 + random_below(2000));
		start_ps = world.now_ps;
		world.clock_step_ns = n & 1 ? 1000000 : 4000000;
		pass(random_below(PS_PER_S));
		hpt_anchor_take(&clk);
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
	hpt_estimate_set_rate(&old, &rate);
	pass(100 * PS_PER_MS);
	hpt_samples_take(&clk.src, &samples);
	hpt_record_next(&old, &samples, &next);
	assert_int_equal(next.generation, 1);
	old.error_ppb = 190000000; /* and a little more is a jump */
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
	uint64_t start = rec->read.start, old_end = old->read.start + old->span, gap = start - old_end;
	uint64_t uhz = is_unix ? rec->unix_uhz : rec->frequency_uhz;
	double error_ns = fabs(1e15 / (double)uhz - (double)world.tick_ps / 1000); /* of a tick */
	double sample_ns = (double)world.clock_step_ns / 2 + 2 * READ_NS;
	double old_end_ns = line_off_ns(old_line, old->read.start, old_end, offset_ns);
	double start_ns = line_off_ns(line, start, start, offset_ns);
	double end_ns = line_off_ns(line, start, start + rec->span, offset_ns);
	bool is_met = gap <= rec->span && (start + rec->span) % HPT_WINDOW_TICKS;

	if (start_ns > fmax(old_end_ns, sample_ns) + (double)gap * error_ns + ROUNDED_NS)
		fail_msg("%.0f ns off at the start, %.0f at the old end", start_ns, old_end_ns);
	if (end_ns > sample_ns + (double)rec->span * error_ns + (is_met ? 0 : start_ns) + ROUNDED_NS)
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
		hpt_anchor_take(&clk);
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
	clk.kernel_is_tsc = false;
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
	for (int i = 0; i < 40; i++) {
		new_kernel_clock();
		settle();
		use(PS_PER_S + random_below(PS_PER_S), PS_PER_MS);
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
static struct hpt_record refined_after(int64_t ns)
{
	static const struct hpt_rate rate = { .num = HPT_UHZ_PER_GHZ, .den = 1000000000000000, .error_ppb = 1000000,
					      .frequency_uhz = 1000000000000000, .origin = HPT_ORIGIN_MEASURED };
	struct hpt_interval later = { .tick = 500000, .ref_ns = ns, .hi_fs = 100000000000 };
	struct hpt_record rec = { .state = HPT_STATE_OK, .wander_ppb = HPT_RECORD_WANDER_PPB };

	hpt_estimate_set_rate(&rec, &rate);
	rec.baseline = rec.mark = rec.last = (struct hpt_interval){ .hi_fs = 100000000000 };
	hpt_estimate_refine(&rec, &later);
	assert_int_equal(rec.baseline.tick, later.tick);
	return rec;
}

/* With a step in it a baseline of 50 us says: any rate above 3.3 GHz. One of 200 us says: 1.7 to 5 GHz. */
static void short_baseline_does_not_unlearn_the_rate(void **state)
{
	struct hpt_record rec = refined_after(50000);

	(void)state;
	assert_false(hpt_record_is_learning(&rec));
	assert_in_range(rec.error_ppb, 1000000, 1001002);
	assert_in_range(refined_after(200000).bound.hi_uhz, 4999999999999990, 5000000000000010);
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
	end = hpt_line_at(&old.read.ns, old.read.start, old.read.start + old.span);
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
		clk.kernel_is_tsc = kernel;
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
		hpt_anchor_take(&clk);
		use(10 * PS_PER_S, 20 * PS_PER_MS);
		assert_on_raw(1);
		assert_state(HPT_STATE_OK, 1);
	}
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
