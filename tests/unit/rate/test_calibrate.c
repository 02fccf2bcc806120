// SPDX-License-Identifier: MIT
/* Rates from brackets of a known world: the rates contains the truth, whatever disturbed the brackets. */
#include <math.h>
#include <string.h>

#include "unit.h"

#include "rate/calibrate.h"
#include "rate/kernel_rate.h"
#include "fake_source.h"
#include "hpt/hpt.h"

#define TRIALS rounds(10000)

static uint32_t unit_hz; /* the kernel has registered the counter so; 0: it does not keep time with it */

/* Mostly small, now and then a preemption. */
static uint64_t jitter(void)
{
	if (random_below(50))
		return random_below(15000);
	return random_below(20) ? random_below(300000) : random_below(40000000);
}

static void new_world(uint64_t tick_ps)
{
	world = (struct fake_world){
		.now_ps = random_below(UINT64_C(1000000000000000)), .tick_ps = tick_ps,
		.tick_offset = random_u64() >> 2, .read_ps = 8000, .clock_ps = 24000, .jitter_ps = jitter,
		.clock_offset_ns = (int64_t)random_below(INT64_C(1000000000000000)),
	};
	unit_hz = 0;
}

static double true_ticks_per_ns(void)
{
	return 1000.0 / (double)world.tick_ps;
}

struct result {
	bool ok;
	struct hpt_rate rate, by_steps; /* the second by unit_hz */
	double error_ppb; /* how far the truth is from the estimate, in parts of the estimate, as the rates is */
};

static struct hpt_granularity granularity;

static struct result calibrate(uint64_t age_ps)
{
	struct hpt_bracket old[HPT_ANCHOR_BRACKETS], recent[HPT_RECENT_BRACKETS];
	struct hpt_source src;
	struct hpt_fit fit;
	struct result r;
	uint32_t n_old, n_recent;

	fake_world_source(&src, NULL);
	n_old = hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, old, HPT_ANCHOR_BRACKETS);
	world.now_ps += age_ps;
	n_recent = hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, recent, HPT_RECENT_BRACKETS);
	hpt_fit_start(&fit, old, n_old);
	hpt_fit_add(&fit, recent, n_recent);
	memset(&r, 0, sizeof(r));
	r.ok = hpt_calibrate_rate(hpt_group_of(old, n_old), hpt_group_of(recent, n_recent),
		&fit, &r.rate, &granularity);
	fit.kernel_unit_hz = unit_hz;
	assert_int_equal(hpt_calibrate_rate(hpt_group_of(old, n_old), hpt_group_of(recent, n_recent),
		&fit, &r.by_steps, &granularity), r.ok);
	r.error_ppb = (1 - true_ticks_per_ns() * 1e15 / (double)r.rate.frequency_uhz) * 1e9;
	return r;
}

static void check_bound(const struct result *r)
{
	assert_true(r->ok);
	if (fabs(r->error_ppb) > r->rate.error_ppb)
		fail_msg("tick %llu ps: estimate off by %.1f ppb, rates %u ppb", (unsigned long long)world.tick_ps,
			 r->error_ppb, r->rate.error_ppb);
	assert_int_equal(r->rate.origin, HPT_ORIGIN_MEASURED);
	assert_int_equal(r->rate.den, r->rate.frequency_uhz);
	assert_int_equal(r->rate.num, UINT64_C(1000000000000000));
}

static void bound_always_holds_the_truth(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		struct result r;

		new_world(167 + random_below(834)); /* 6 to 1 GHz */
		r = calibrate(1000000000 + random_below(UINT64_C(10000000000)));
		check_bound(&r);
	}
}

/* A tick is longer than the bracket: a reading of the counter is up to one tick old, on both sides. */
static void bound_holds_with_a_slow_counter(void **state)
{
	int refused = 0, wrong = 0;

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		struct result r;

		new_world(1000 + random_below(99000)); /* 1 GHz to 10 MHz */
		r = calibrate(1000000000 + random_below(UINT64_C(10000000000)));
		refused += !r.ok;
		wrong += r.ok && fabs(r.error_ppb) > r.rate.error_ppb;
	}
	note("slow counters: of %d, %d refused, %d outside their rates", TRIALS, refused, wrong);
	assert_int_equal(refused, 0);
	assert_int_equal(wrong, 0);
}

static void new_kernel_world(uint64_t tick_ps, uint32_t khz)
{
	struct hpt_kernel_rate kernel = hpt_kernel_rate_of(khz, HPT_KERNEL_KHZ);

	new_world(tick_ps);
	world.jitter_ps = NULL;
	world.kernel_mult = kernel.mult;
	world.kernel_shift = kernel.shift;
	unit_hz = HPT_KERNEL_KHZ;
}

/* The rates is as wide as without. */
static void steps_show_the_kernels_rate(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct result r;
		double off_ppb;

		new_kernel_world(385, 2596096);
		world.staircase = 26;
		r = calibrate(1000000000 + random_below(UINT64_C(10000000000)));
		assert_true(r.ok && !r.rate.is_kernels && r.by_steps.is_kernels);
		assert_int_equal(r.by_steps.num, world.kernel_mult);
		assert_int_equal(r.by_steps.den, UINT64_C(1) << world.kernel_shift);
		assert_int_equal(r.by_steps.origin, HPT_ORIGIN_MEASURED);
		off_ppb = fabs((double)r.by_steps.frequency_uhz / (double)r.rate.frequency_uhz - 1) * 1e9;
		assert_true(fabs((double)r.by_steps.error_ppb - r.rate.error_ppb) <= off_ppb + 3);
	}
}

/* 62.5 MHz in steps of 1 us, of 62 and 63 ticks: the slope of the fit remains. */
static void unequal_steps_show_none(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct result r;

		new_kernel_world(16000, 62500);
		world.pause_ps = 1000000;
		world.clock_ps = 24000 + random_below(50000);
		r = calibrate(UINT64_C(100000000000));
		if (r.ok && (r.by_steps.is_kernels || r.by_steps.frequency_uhz != r.rate.frequency_uhz))
			fail_msg("clock_ps %u", (unsigned)world.clock_ps);
	}
}

/* Where the steps have not shown the kernel's rate at once. Returns how long the other tries take. */
static uint64_t try_again(struct hpt_rate *rate)
{
	struct hpt_bracket old[HPT_ANCHOR_BRACKETS], recent[HPT_RECENT_BRACKETS];
	struct hpt_fit fit = { .kernel_unit_hz = unit_hz };
	struct hpt_source src;
	uint64_t start_ps;

	fake_world_source(&src, NULL);
	hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, old, HPT_ANCHOR_BRACKETS);
	world.now_ps += UINT64_C(1000000000);
	hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, recent, HPT_RECENT_BRACKETS);
	start_ps = world.now_ps;
	hpt_calibrate_again(&src, hpt_group_of(old, HPT_ANCHOR_BRACKETS), hpt_group_of(recent, HPT_RECENT_BRACKETS),
			    &fit, (struct hpt_granularity){ 1, world.staircase }, rate);
	return world.now_ps - start_ps;
}

static uint64_t late_by_2_ns(void)
{
	return random_below(2000);
}

/* The rates of brackets need not lie around the rate that is found. */
static void another_try_keeps_the_bound(void **state)
{
	uint64_t uhz = hpt_kernel_rate_uhz(hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ));

	(void)state;
	for (int i = 0; i < 100; i++) {
		struct hpt_rate rate = { .error_ppb = i % 2 ? 50000 : 10000 };

		new_kernel_world(385, 2596096);
		world.staircase = 26;
		world.jitter_ps = late_by_2_ns;
		rate.frequency_uhz = uhz + uhz / 1000000 * 9;
		assert_in_range(try_again(&rate), 30000000, 60000000);
		assert_true(rate.is_kernels);
		assert_int_equal(rate.frequency_uhz, uhz);
		assert_in_range(rate.error_ppb, i % 2 ? 58990 : 18990, i % 2 ? 59010 : 19010);
		assert_in_range(try_again(&rate), 0, 0); /* found already */
		rate.is_kernels = false;
		unit_hz = 0;
		assert_in_range(try_again(&rate), 0, 0);
		assert_false(rate.is_kernels);
	}
}

/* At 1 ms the kernel's rates in hertz lie 0.05 ns apart for a counter of 19.2 MHz, and 0.02 ns for one of 54 MHz. */
static void rates_too_close_to_be_told_apart_are_not_tried_again(void **state)
{
	struct hpt_rate rate = { .frequency_uhz = UINT64_C(19200000000000), .error_ppb = 50000 };

	(void)state;
	new_world(52083);
	world.staircase = 1;
	unit_hz = HPT_KERNEL_HZ;
	assert_true(try_again(&rate) > 30000000);
	rate = (struct hpt_rate){ .frequency_uhz = UINT64_C(54000000000000), .error_ppb = 50000 };
	new_world(18518);
	world.staircase = 1;
	unit_hz = HPT_KERNEL_HZ;
	assert_int_equal(try_again(&rate), 0);
	assert_int_equal(rate.frequency_uhz, UINT64_C(54000000000000));
	unit_hz = HPT_KERNEL_KHZ;
	assert_true(try_again(&rate) > 30000000);
}

/* The 10 ns staircase of some TSCs: ticks are short, but the counter advances by 26 of them. */
static void bound_holds_with_a_counter_that_steps(void **state)
{
	int refused = 0, wrong = 0;

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		struct result r;

		new_world(385);
		world.staircase = 26;
		r = calibrate(1000000000 + random_below(UINT64_C(10000000000)));
		refused += !r.ok;
		wrong += r.ok && fabs(r.error_ppb) > r.rate.error_ppb;
	}
	note("staircase: of %d, %d refused, %d outside their rates", TRIALS, refused, wrong);
	assert_int_equal(refused, 0);
	assert_int_equal(wrong, 0);
}

/* A reference that steps by 30 us: brackets that span a microsecond do not show its step, a longer span does. */
static void bound_holds_with_a_coarse_reference(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS / 10; i++) {
		struct result r;

		new_world(300 + random_below(1000));
		world.jitter_ps = NULL;
		world.clock_ps = 2000000; /* 2 us a call: the anchor spans three steps */
		world.clock_step_ns = 30000;
		r = calibrate(1000000000 + random_below(UINT64_C(10000000000)));
		check_bound(&r);
	}
}

static void bound_holds_where_no_bracket_shows_the_coarse_step(void **state)
{
	int wrong = 0;

	(void)state;
	for (int i = 0; i < TRIALS / 10; i++) {
		struct result r;

		new_world(300 + random_below(1000));
		world.jitter_ps = NULL;
		world.clock_step_ns = 30000;
		r = calibrate(1000000000 + random_below(UINT64_C(10000000000)));
		wrong += r.ok && fabs(r.error_ppb) > r.rate.error_ppb;
	}
	assert_int_equal(wrong, 0);
}

static void error_falls_with_age(void **state)
{
	double worst[3] = { 0 };
	uint32_t rates[3] = { 0 };

	(void)state;
	for (int i = 0; i < 300; i++)
		for (int age = 0; age < 3; age++) {
			struct result r;

			new_world(400);
			r = calibrate(age == 0 ? 1000000000 :
				      age == 1 ? UINT64_C(100000000000) : UINT64_C(10000000000000));
			check_bound(&r);
			worst[age] = fmax(worst[age], fabs(r.error_ppb));
			rates[age] = r.rate.error_ppb > rates[age] ? r.rate.error_ppb : rates[age];
		}
	note("worst of 300 at 1 ms, 100 ms, 10 s: %.0f, %.1f, %.2f ppb; rates %u, %u, %u", worst[0], worst[1], worst[2],
	     rates[0], rates[1], rates[2]);
	assert_true(worst[1] < worst[0] / 10 && worst[2] < worst[1] / 5);
	assert_true(rates[1] < rates[0] / 10 && rates[2] < rates[1] / 5);
	assert_true(worst[0] < 5000);
}

static void jump_of_the_counter_is_a_contradiction(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		struct hpt_bracket old[2], recent[2];
		struct hpt_fit fit;
		struct hpt_rate rate = { .num = 4711 };
		struct hpt_source src;

		new_world(400);
		world.jitter_ps = NULL;
		fake_world_source(&src, NULL);
		hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, old, 1);
		world.now_ps += 1000000000;
		hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, old + 1, 1);
		world.now_ps += 1000000000;
		world.tick_offset += i & 1 ? 1000000 : (uint64_t)-1000000; /* 0.4 ms in 2 */
		hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, recent, 1);
		world.now_ps += 1000000000;
		hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, recent + 1, 1);
		hpt_fit_start(&fit, old, 2);
		hpt_fit_add(&fit, recent, 2);
		assert_false(hpt_calibrate_rate(hpt_group_of(old, 2), hpt_group_of(recent, 2),
			&fit, &rate, &granularity));
	}
}

static void counter_that_stands_or_runs_back_is_refused(void **state)
{
	struct hpt_bracket old[1] = { { 100, 110, 1000 } }, recent[1] = { { 100, 110, 1001000 } };
	struct hpt_rate rate;
	struct hpt_fit fit;

	(void)state;
	hpt_fit_start(&fit, old, 1);
	hpt_fit_add(&fit, recent, 1);
	if (hpt_calibrate_rate(hpt_group_of(old, 1), hpt_group_of(recent, 1), &fit, &rate, &granularity))
		assert_true(rate.error_ppb >= 1000000000); /* almost nothing is known */
	recent[0] = (struct hpt_bracket){ 10, 20, 1001000 };
	hpt_fit_start(&fit, old, 1);
	hpt_fit_add(&fit, recent, 1);
	assert_false(hpt_calibrate_rate(hpt_group_of(old, 1), hpt_group_of(recent, 1), &fit, &rate, &granularity));
	recent[0] = (struct hpt_bracket){ 1100, 1110, 1000 }; /* the clock stands still */
	hpt_fit_start(&fit, old, 1);
	hpt_fit_add(&fit, recent, 1);
	assert_false(hpt_calibrate_rate(hpt_group_of(old, 1), hpt_group_of(recent, 1), &fit, &rate, &granularity));
}

static bool is_refused(const struct hpt_bracket *old, const struct hpt_bracket *recent)
{
	struct hpt_rate rate;
	struct hpt_fit fit;

	hpt_fit_start(&fit, old, 2);
	hpt_fit_add(&fit, recent, 2);
	return !hpt_calibrate_rate(hpt_group_of(old, 2), hpt_group_of(recent, 2), &fit, &rate, &granularity);
}

static void step_that_is_not_known_gives_no_rate(void **state)
{
	static const struct hpt_bracket old[] = { { 0, 10, 1000 }, { 10, 21, 1040 } };
	static const struct hpt_bracket recent[] = { { 400000, 400010, 1001000 }, { 400010, 400021, 1001040 } };
	static const struct hpt_bracket old_ref[] = { { 0, 10, 1000 }, { 10, 21, 1000 } };
	static const struct hpt_bracket recent_ref[] = { { 400000, 400010, 1001000 }, { 400010, 400021, 1001000 } };
	static const struct hpt_bracket old_tick[] = { { 0, 0, 1000 }, { 0, 0, 1001 } };
	static const struct hpt_bracket recent_tick[] = { { 400000, 400000, 1001000 }, { 400000, 400000, 1001001 } };

	(void)state;
	assert_false(is_refused(old, recent));
	assert_true(is_refused(old_ref, recent_ref));
	assert_true(is_refused(old_tick, recent_tick));
}

static struct hpt_rate guess(struct hpt_bracket from, struct hpt_bracket now)
{
	struct hpt_rate rate;
	struct hpt_fit fit;

	hpt_fit_start(&fit, &from, 1);
	hpt_calibrate_guess(&fit, &now, &rate, &granularity);
	assert_int_equal(rate.origin, HPT_ORIGIN_NONE);
	assert_true(rate.error_ppb == UINT32_MAX);
	return rate;
}

static void guess_is_the_mean_rate_or_none(void **state)
{
	const struct hpt_bracket from = { 1000, 1010, 1000000 };

	(void)state;
	assert_int_equal(guess(from, (struct hpt_bracket){ 25000, 25001, 2000000 }).frequency_uhz,
			 UINT64_C(24000000000000));
	assert_int_equal(guess(from, (struct hpt_bracket){ 25000, 25001, 2000000 }).den, UINT64_C(24000000000000));
	assert_int_equal(guess(from, (struct hpt_bracket){ 1000, 1001, 2000000 }).frequency_uhz, 0);
	assert_int_equal(guess(from, (struct hpt_bracket){ 900, 901, 2000000 }).frequency_uhz, 0);
	assert_int_equal(guess(from, (struct hpt_bracket){ 25000, 25001, 1000000 }).frequency_uhz, 0);
	assert_int_equal(guess(from, (struct hpt_bracket){ 25000, 25001, 900000 }).frequency_uhz, 0);
	assert_int_equal(guess(from, (struct hpt_bracket){ 1001, 1002, 3000000 }).frequency_uhz, 0); /* 500 Hz */
	assert_int_equal(guess(from, (struct hpt_bracket){ 200001000, 200001001, 2000000 }).frequency_uhz, 0);
	assert_int_equal(guess(from, (struct hpt_bracket){ 900, 901, 900000 }).frequency_uhz, 0); /* both went back */
	assert_true(guess(from, (struct hpt_bracket){ 25000, 25001, 900000 }).num == 1);
	assert_int_equal(granularity.ticks, 1); /* no read repeats */
}

static void guess_keeps_what_was_seen_of_the_steps(void **state)
{
	static const struct hpt_bracket b[] = { { 0, 0, 0 }, { 0, 62, 30000 }, { 62, 125, 30000 },
						{ 125, 125, 90000 } };
	struct hpt_rate rate;
	struct hpt_fit fit;

	(void)state;
	hpt_fit_start(&fit, b, 1);
	hpt_calibrate_guess(&fit, &b[3], &rate, &granularity);
	assert_int_equal(granularity.ticks, 1); /* it never moved */
	assert_int_equal(granularity.ref_ns, 1);
	hpt_fit_add(&fit, b + 1, 3);
	hpt_calibrate_guess(&fit, &b[3], &rate, &granularity);
	assert_int_equal(granularity.ticks, 62 + 2);
	assert_int_equal(granularity.ref_ns, 30000 + 2 * 30000);
}

/* A preemption may leave two brackets in each of two groups: they do not show whether readings repeat. */
static void few_brackets_show_no_step(void **state)
{
	struct hpt_bracket b[HPT_FIT_BRACKETS_MIN];
	struct hpt_fit fit;

	(void)state;
	for (uint32_t i = 0; i < HPT_FIT_BRACKETS_MIN; i++)
		b[i] = (struct hpt_bracket){ 100 * i, 100 * i + 100 + i % 3, 1000 + 40 * (int64_t)i };
	hpt_fit_start(&fit, b, HPT_FIT_BRACKETS_MIN - 1);
	assert_false(hpt_fit_knows_steps(&fit));
	hpt_fit_start(&fit, b, HPT_FIT_BRACKETS_MIN);
	assert_true(hpt_fit_knows_steps(&fit));
}

static void narrowest_bracket_is_found(void **state)
{
	static const struct hpt_bracket p[] = { { 0, 50, 1 }, { 100, 120, 2 }, { 200, 219, 3 }, { 300, 319, 4 },
						{ 400, 430, 5 } };

	(void)state;
	assert_ptr_equal(hpt_brackets_narrowest(p, 5), &p[2]);
	assert_ptr_equal(hpt_brackets_narrowest(p, 1), &p[0]);
	assert_int_equal(hpt_bracket_tick(&p[0]), 25);
	assert_int_equal(hpt_bracket_tick(&(struct hpt_bracket){ UINT64_MAX - 1, 3, 0 }), 0); /* across the wrap */
}

static int64_t ref_step(const struct hpt_bracket *p, uint32_t n)
{
	struct hpt_fit fit;

	hpt_fit_start(&fit, p, n);
	return (int64_t)hpt_step_lag(hpt_step_of_clock(&fit.refs));
}

static void reference_step_is_seen_where_readings_repeat(void **state)
{
	static const struct hpt_bracket fine[] = { { 0, 1, 100 }, { 1, 2, 138 }, { 2, 3, 177 } };
	static const struct hpt_bracket coarse[] = { { 0, 1, 0 }, { 1, 2, 0 }, { 2, 3, 30000 }, { 3, 4, 30000 },
						     { 4, 5, 90000 }, { 5, 6, 90000 }, { 6, 7, 120000 },
						     { 7, 8, 150000 } };
	static const struct hpt_bracket uneven[] = { { 0, 1, 0 }, { 1, 2, 0 }, { 2, 3, 3333333 }, { 3, 4, 3333333 },
						     { 4, 5, 6666667 }, { 5, 6, 6666667 }, { 6, 7, 10000000 },
						     { 7, 8, 13333333 } };
	static const struct hpt_bracket still[] = { { 0, 1, 100 }, { 1, 2, 100 }, { 2, 3, 100 } };

	(void)state;
	assert_int_equal(ref_step(fine, 3), 1);
	assert_int_equal(ref_step(coarse, 8), 30002);
	assert_int_equal(ref_step(coarse, 7), 0); /* moved by its smallest step twice only */
	assert_int_equal(ref_step(uneven, 8), 3333335);
	assert_int_equal(ref_step(still, 3), 0);
	assert_int_equal(ref_step(fine, 1), 1);
}

static void taking_brackets_stops_after_200_us(void **state)
{
	struct hpt_bracket p[HPT_ANCHOR_BRACKETS];
	struct hpt_source src;

	(void)state;
	new_world(400);
	world.jitter_ps = NULL;
	fake_world_source(&src, NULL);
	assert_int_equal(hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, p, HPT_ANCHOR_BRACKETS), HPT_ANCHOR_BRACKETS);
	world.clock_ps = 10000000; /* a trapped read: 10 us */
	assert_in_range(hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, p, HPT_ANCHOR_BRACKETS), 20, 22);
	world.clock_ps = UINT64_C(1000000000);
	assert_int_equal(hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, p, HPT_ANCHOR_BRACKETS), 2); /* never fewer */
	for (int i = 0; i < 2; i++)
		assert_true(p[i].before <= p[i].after);
	assert_int_equal(p[1].before, p[0].after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bound_always_holds_the_truth),
		cmocka_unit_test(bound_holds_with_a_slow_counter),
		cmocka_unit_test(steps_show_the_kernels_rate),
		cmocka_unit_test(unequal_steps_show_none),
		cmocka_unit_test(another_try_keeps_the_bound),
		cmocka_unit_test(rates_too_close_to_be_told_apart_are_not_tried_again),
		cmocka_unit_test(bound_holds_with_a_counter_that_steps),
		cmocka_unit_test(bound_holds_with_a_coarse_reference),
		cmocka_unit_test(bound_holds_where_no_bracket_shows_the_coarse_step),
		cmocka_unit_test(error_falls_with_age),
		cmocka_unit_test(jump_of_the_counter_is_a_contradiction),
		cmocka_unit_test(counter_that_stands_or_runs_back_is_refused),
		cmocka_unit_test(step_that_is_not_known_gives_no_rate),
		cmocka_unit_test(few_brackets_show_no_step),
		cmocka_unit_test(guess_is_the_mean_rate_or_none),
		cmocka_unit_test(guess_keeps_what_was_seen_of_the_steps),
		cmocka_unit_test(narrowest_bracket_is_found),
		cmocka_unit_test(reference_step_is_seen_where_readings_repeat),
		cmocka_unit_test(taking_brackets_stops_after_200_us),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
