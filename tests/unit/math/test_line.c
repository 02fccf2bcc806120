// SPDX-License-Identifier: MIT
/* Lines in 64.64 fixed point compared with arithmetic in 32-bit limbs. */
#include <math.h>

#include "unit.h"

#include "math/line.h"

#define ROUNDS rounds(1000000)

/* ---- 128 bits, least significant limb first ---------------------------------------------------------- */

struct wide {
	uint32_t w[4];
};

static struct wide wide_of(struct hpt_fixed f)
{
	return (struct wide){ { (uint32_t)f.frac, (uint32_t)(f.frac >> 32), (uint32_t)f.ns, (uint32_t)(f.ns >> 32) } };
}

static struct wide wide_sum(struct wide a, struct wide b)
{
	uint64_t carry = 0;

	for (int i = 0; i < 4; i++) {
		carry += (uint64_t)a.w[i] + b.w[i];
		a.w[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return a;
}

static struct wide wide_negative(struct wide a)
{
	for (int i = 0; i < 4; i++)
		a.w[i] = ~a.w[i];
	return wide_sum(a, (struct wide){ { 1, 0, 0, 0 } });
}

static struct wide wide_times(struct wide a, uint32_t x)
{
	uint64_t carry = 0;

	for (int i = 0; i < 4; i++) {
		carry += (uint64_t)a.w[i] * x;
		a.w[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return a;
}

/* ticks of either sign. */
static struct wide wide_product(int64_t ticks, struct hpt_scale slope)
{
	uint64_t x = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks;
	struct wide s = wide_of((struct hpt_fixed){ .ns = slope.whole, .frac = slope.frac }), p;

	p = wide_times(s, (uint32_t)(x >> 32));
	p = (struct wide){ { 0, p.w[0], p.w[1], p.w[2] } };
	p = wide_sum(p, wide_times(s, (uint32_t)x));
	return ticks < 0 ? wide_negative(p) : p;
}

static void assert_is(struct hpt_fixed f, struct wide want)
{
	struct wide got = wide_of(f);

	assert_memory_equal(&got, &want, sizeof(got));
}

/* ---- Realistic slopes and points ---------------------------------------------------------------------- */

static struct hpt_scale random_slope(void)
{
	uint64_t few = (random_magnitude() >> 8) + 1;

	switch (random_below(5)) {
	case 0: /* around 1 ns a tick, on either side */
		return few & 1 ? (struct hpt_scale){ .whole = 1, .frac = few } : (struct hpt_scale){ .frac = 0 - few };
	case 1: /* the HPET of most machines: 69.84 ns */
		return hpt_scale_of(69841279 - 100 + random_below(200), 1000000);
	case 2: /* 1 to 100 ns */
		return (struct hpt_scale){ .whole = 1 + random_below(100), .frac = random_u64() };
	default: /* 167 ps to 1 ns */
		return hpt_scale_of(167000 + random_below(833001), 1000000);
	}
}

static struct hpt_fixed random_fixed(void)
{
	uint64_t ns = random_magnitude();

	return (struct hpt_fixed){ .ns = random_below(2) ? ns : 0 - ns,
				   .frac = random_below(16) ? random_u64() : 0 - random_below(3) };
}

/* Returns any tick, often one near the edge of a window. */
static uint64_t random_tick(void)
{
	uint64_t tick = random_u64();

	return random_below(4) ? tick : hpt_window_start(tick) + random_below(5) - 2;
}

static bool same(struct hpt_fixed a, struct hpt_fixed b)
{
	return a.ns == b.ns && a.frac == b.frac;
}

static double as_double(struct hpt_scale s)
{
	return (double)s.whole + (double)s.frac / 18446744073709551616.0;
}

/* ---- Numbers ------------------------------------------------------------------------------------------ */

static void sums_and_differences_are_exact(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct hpt_fixed a = random_fixed(), b = random_fixed();

		assert_is(hpt_fixed_add(a, b), wide_sum(wide_of(a), wide_of(b)));
		assert_is(hpt_fixed_sub(a, b), wide_sum(wide_of(a), wide_negative(wide_of(b))));
	}
}

static void femtoseconds_come_back_as_they_went_in(void **state)
{
	static const int64_t edges[] = { 0, 1, -1, 999999, -999999, 1000000, -1000000, 1000001, -1000001, INT64_MAX,
					 INT64_MIN, INT64_MIN + 1, INT64_MIN + 775807, INT64_MIN + 775808 };

	(void)state;
	for (size_t i = 0; i < COUNT(edges); i++)
		assert_true(hpt_fixed_fs(hpt_fixed_of_fs(edges[i])) == edges[i]);
	for (int i = 0; i < ROUNDS; i++) {
		int64_t fs = (int64_t)(random_magnitude() >> 1);

		fs = random_below(2) ? fs : -fs;
		assert_true(hpt_fixed_fs(hpt_fixed_of_fs(fs)) == fs);
	}
}

static void femtoseconds_are_parts_of_a_nanosecond(void **state)
{
	struct hpt_fixed half = hpt_fixed_of_fs(500000), minus = hpt_fixed_of_fs(-1250000);

	(void)state;
	assert_true(half.ns == 0 && half.frac >> 40 == UINT64_C(1) << 23);
	assert_true(minus.ns == (uint64_t)-2 && minus.frac >> 40 == UINT64_C(3) << 22);
	/* Down, not to nearest. */
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = 7, .frac = UINT64_MAX }) == 7999999);
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = (uint64_t)-8, .frac = 1 }) == -8000000);
}

static void too_many_femtoseconds_saturate(void **state)
{
	static const uint64_t most_ns = INT64_MAX / 1000000;

	(void)state;
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = most_ns }) == (int64_t)most_ns * 1000000);
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = most_ns, .frac = UINT64_MAX }) == INT64_MAX);
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = most_ns + 1 }) == INT64_MAX);
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = INT64_MAX, .frac = UINT64_MAX }) == INT64_MAX);
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = 0 - most_ns - 2 }) == INT64_MIN);
	assert_true(hpt_fixed_fs((struct hpt_fixed){ .ns = UINT64_C(1) << 63 }) == INT64_MIN);
}

static void products_are_exact_for_ticks_of_either_sign(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t magnitude = random_magnitude();
		int64_t ticks = (int64_t)(random_below(2) ? magnitude : 0 - magnitude);
		struct hpt_scale slope = random_slope();

		assert_is(hpt_slope_times((uint64_t)ticks, slope), wide_product(ticks, slope));
	}
}

/* ---- Lines -------------------------------------------------------------------------------------------- */

static void line_goes_through_its_point(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t tick = random_tick();
		struct hpt_fixed at = random_fixed();
		struct hpt_scale s = random_slope();
		struct hpt_line line = hpt_line_through(tick, at, s);

		assert_true(same(hpt_line_at(&line, tick, tick), at));
		assert_true(hpt_line_ns((uint32_t)tick, s.whole, s.frac, line.at.ns, line.at.frac) == (int64_t)at.ns);
		assert_true(line.slope.whole == s.whole && line.slope.frac == s.frac);
	}
}

/* From any tick of the window: before it, within it and after it. */
static void line_is_exact_at_every_tick(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t tick = random_tick(), in_window = hpt_window_start(tick) + (uint32_t)random_u64();
		uint64_t away = random_magnitude() / 2, other = random_below(2) ? tick + away : tick - away;
		struct hpt_fixed at = random_fixed();
		struct hpt_line line = hpt_line_through(tick, at, random_slope());

		assert_is(hpt_line_at(&line, in_window, other),
			  wide_sum(wide_of(at), wide_product((int64_t)(other - tick), line.slope)));
	}
}

static void read_agrees_with_the_line_in_its_window_and_after_it(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t tick = random_tick(), start = hpt_window_start(tick);
		uint64_t offset = random_below(2) ? (uint32_t)random_u64() : random_magnitude() / 2;
		struct hpt_line line = hpt_line_through(tick, random_fixed(), random_slope());
		int64_t ns = hpt_line_ns(offset, line.slope.whole, line.slope.frac, line.at.ns, line.at.frac);

		assert_true(ns == (int64_t)hpt_line_at(&line, tick, start + offset).ns);
	}
}

static void line_never_decreases(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 100; i++) {
		uint64_t tick = random_tick(), offset = (uint32_t)random_u64();
		struct hpt_line line = hpt_line_through(tick, random_fixed(), random_slope());
		int64_t before = hpt_line_ns(offset, line.slope.whole, line.slope.frac, line.at.ns, line.at.frac);

		for (int step = 0; step < 100; step++) {
			int64_t ns;

			offset += random_below(3);
			ns = hpt_line_ns(offset, line.slope.whole, line.slope.frac, line.at.ns, line.at.frac);
			assert_true((int64_t)((uint64_t)ns - (uint64_t)before) >= 0);
			before = ns;
		}
	}
}

/* Each piece starts where the previous one ends, with another slope and often in another window. */
static void pieces_meet_to_the_last_bit(void **state)
{
	uint64_t tick = random_tick();
	struct hpt_line line = hpt_line_through(tick, random_fixed(), random_slope());

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t next_tick = tick + random_below(UINT64_C(6000000000));
		struct hpt_fixed there = hpt_line_at(&line, tick, next_tick);
		struct hpt_line next = hpt_line_through(next_tick, there, random_slope());

		assert_true(same(hpt_line_at(&next, next_tick, next_tick), there));
		assert_true(hpt_line_ns((uint32_t)next_tick, next.slope.whole, next.slope.frac, next.at.ns,
					next.at.frac) ==
			    hpt_line_ns(next_tick - hpt_window_start(tick), line.slope.whole, line.slope.frac,
					line.at.ns, line.at.frac));
		tick = next_tick;
		line = next;
	}
}

/* ---- Bent slopes -------------------------------------------------------------------------------------- */

static double gained_fs(struct hpt_scale slope, struct hpt_scale bent, uint64_t ticks)
{
	struct hpt_fixed gain = hpt_fixed_sub(hpt_slope_times(ticks, bent), hpt_slope_times(ticks, slope));

	return (double)(int64_t)gain.ns * 1e6 + (double)gain.frac / 18446744073709551616.0 * 1e6;
}

static void check_gain(struct hpt_scale slope, int64_t fs, uint64_t ticks)
{
	double gain = gained_fs(slope, hpt_slope_bent(slope, fs, ticks), ticks);

	if (fabs(gain - (double)fs) > fabs((double)fs) * 1e-9 + 1e-3)
		fail_msg("%llu + %llu / 2^64, %lld fs in %llu ticks: %.6f gained", (unsigned long long)slope.whole,
			 (unsigned long long)slope.frac, (long long)fs, (unsigned long long)ticks, gain);
}

static void bent_slope_gains_what_it_should(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct hpt_scale slope = random_slope();
		uint64_t ticks = 1 + random_below(HPT_WINDOW_TICKS);
		double most = as_double(slope) * (double)ticks * 1e6;
		int64_t fs = (int64_t)(random_magnitude() >> 1);

		fs = (double)fs > most ? fs % (int64_t)most : fs;
		if (random_below(2))
			fs = -(fs > (int64_t)(most / 2) ? fs / 2 : fs);
		check_gain(slope, fs, ticks);
	}
}

static void nothing_to_gain_leaves_the_slope_as_it_is(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct hpt_scale slope = random_slope(), bent = hpt_slope_bent(slope, 0, 1 + random_magnitude() / 2);

		assert_true(bent.whole == slope.whole && bent.frac == slope.frac);
	}
}

/* A bend makes frac carry into whole and borrow from it. */
static void bending_goes_across_whole_nanoseconds(void **state)
{
	const struct hpt_scale below = { .frac = 0 - (UINT64_C(1) << 30) }, one = { .whole = 1 };
	const struct hpt_scale hpet = { 69, UINT64_C(15) << 60 };

	(void)state;
	assert_int_equal(hpt_slope_bent(below, 1000, 10000000).whole, 1);
	check_gain(below, 1000, 10000000);
	assert_int_equal(hpt_slope_bent(one, -1, 1000000).whole, 0);
	check_gain(one, -1, 1000000);
	assert_int_equal(hpt_slope_bent(hpet, 1000000, 4).whole, 70);     /* a quarter of a nanosecond a tick */
	assert_int_equal(hpt_slope_bent(hpet, 3500000, 1).whole, 73);
	assert_int_equal(hpt_slope_bent(hpet, -3950000, 1).whole, 65);
	check_gain(hpet, 3500000, 1);
	check_gain(hpet, -3950000, 1);
	check_gain(hpet, -900000, 1);
}

static void bent_slope_stays_between_half_and_double(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 10; i++) {
		struct hpt_scale slope = random_slope();
		double s = as_double(slope), ticks = (double)(1 + random_below(1000));
		double most = as_double(hpt_slope_bent(slope, INT64_MAX, (uint64_t)ticks));
		double least = as_double(hpt_slope_bent(slope, INT64_MIN, (uint64_t)ticks));

		assert_true(fabs(most / s - 2) < 1e-12 && fabs(least / s - 0.5) < 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_and_differences_are_exact),
		cmocka_unit_test(femtoseconds_come_back_as_they_went_in),
		cmocka_unit_test(femtoseconds_are_parts_of_a_nanosecond),
		cmocka_unit_test(too_many_femtoseconds_saturate),
		cmocka_unit_test(products_are_exact_for_ticks_of_either_sign),
		cmocka_unit_test(line_goes_through_its_point),
		cmocka_unit_test(line_is_exact_at_every_tick),
		cmocka_unit_test(read_agrees_with_the_line_in_its_window_and_after_it),
		cmocka_unit_test(line_never_decreases),
		cmocka_unit_test(pieces_meet_to_the_last_bit),
		cmocka_unit_test(bent_slope_gains_what_it_should),
		cmocka_unit_test(nothing_to_gain_leaves_the_slope_as_it_is),
		cmocka_unit_test(bending_goes_across_whole_nanoseconds),
		cmocka_unit_test(bent_slope_stays_between_half_and_double),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
