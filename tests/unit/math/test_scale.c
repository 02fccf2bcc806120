// SPDX-License-Identifier: MIT
/* Fixed-point factors compared with arithmetic in 192 bits, done bit by bit. */
#include <errno.h>

#include "unit.h"

#include "math/scale.h"
#include "math/units.h"

#define ROUNDS rounds(1000000)

/* Wide enough for the product of an int64 and a factor. */
struct wide {
	uint64_t w[3]; /* least significant first */
};

static struct wide wide_add(struct wide a, struct wide b)
{
	struct wide r;
	unsigned carry = 0;

	for (int i = 0; i < 3; i++) {
		r.w[i] = a.w[i] + b.w[i] + carry;
		carry = r.w[i] < a.w[i] || (carry && r.w[i] == a.w[i]);
	}
	return r;
}

static struct wide wide_double(struct wide a)
{
	return wide_add(a, a);
}

/* Returns x * (whole + frac / 2^64), scaled by 2^64, by doubling and adding. */
static struct wide wide_product(uint64_t x, struct hpt_scale s)
{
	struct wide r = { { 0, 0, 0 } }, factor = { { s.frac, s.whole, 0 } };

	for (int bit = 63; bit >= 0; bit--) {
		r = wide_double(r);
		if (x >> bit & 1)
			r = wide_add(r, factor);
	}
	return r;
}

static int64_t reference_round(int64_t x, struct hpt_scale s)
{
	uint64_t magnitude = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, limit = (uint64_t)INT64_MAX + (x < 0);
	struct wide p = wide_add(wide_product(magnitude, s), (struct wide){ { UINT64_C(1) << 63, 0, 0 } });

	if (p.w[2] || p.w[1] > limit)
		p.w[1] = limit;
	return x < 0 ? (int64_t)(0 - p.w[1]) : (int64_t)p.w[1];
}

/* A random frequency from 10 MHz to 6 GHz, in micro-hertz. */
static uint64_t random_uhz(void)
{
	return UINT64_C(10000000000000) + random_below(UINT64_C(5990000000000001));
}

#define FS_PER_S UINT64_C(1000000000000000)

/* The factor is the nearest multiple of 2^-64: | den * factor - num | <= den / 2. */
static void assert_nearest(uint64_t num, uint64_t den)
{
	struct hpt_scale s = hpt_scale_of(num, den);
	struct wide p = wide_product(den, s), want = { { 0, num, 0 } }, apart;
	bool above = p.w[2] || p.w[1] >= num;

	/* Subtracts the smaller from the larger. */
	for (int i = 0; i < 3; i++) {
		p.w[i] = above ? p.w[i] : ~p.w[i];
		want.w[i] = above ? ~want.w[i] : want.w[i];
	}
	apart = wide_add(wide_add(p, want), (struct wide){ { 1, 0, 0 } });
	assert_int_equal(apart.w[2], 0);
	assert_int_equal(apart.w[1], 0);
	assert_true(apart.w[0] <= den - apart.w[0]);
}

static void factor_is_the_nearest(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 10; i++) {
		uint64_t uhz = random_uhz();

		assert_nearest(FS_PER_S, uhz);
		assert_nearest(uhz, FS_PER_S);
		assert_nearest(random_magnitude(), random_magnitude() | 1);
	}
}

static void factor_of_known_fractions(void **state)
{
	struct hpt_scale s;

	(void)state;
	s = hpt_scale_of(1, 1);
	assert_true(s.whole == 1 && s.frac == 0);
	s = hpt_scale_of(1, 2);
	assert_true(s.whole == 0 && s.frac == UINT64_C(1) << 63);
	s = hpt_scale_of(1, 3);
	assert_true(s.whole == 0 && s.frac == UINT64_C(0x5555555555555555));
	s = hpt_scale_of(2, 3); /* rounded up */
	assert_true(s.whole == 0 && s.frac == UINT64_C(0xaaaaaaaaaaaaaaab));
	s = hpt_scale_of(0, 7);
	assert_true(s.whole == 0 && s.frac == 0);
	s = hpt_scale_of(UINT64_MAX, 1);
	assert_true(s.whole == UINT64_MAX && s.frac == 0);
	s = hpt_scale_of(1, UINT64_MAX);
	assert_true(s.whole == 0 && s.frac == 1);
	s = hpt_scale_of(UINT64_MAX - 1, UINT64_MAX);
	assert_true(s.whole == 0 && s.frac == UINT64_MAX);
	s = hpt_scale_of(69841279, 1000000); /* HPET of many chipsets */
	assert_true(s.whole == 69);
}

static void wide_product_matches(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 10; i++) {
		uint64_t a = random_magnitude(), b = random_magnitude(), hi, lo = hpt_mul_wide(a, b, &hi);
		struct wide p = wide_product(a, (struct hpt_scale){ .frac = b });

		assert_true(lo == p.w[0] && hi == p.w[1]);
	}
}

static void wide_product_at_its_edges(void **state)
{
	static const uint64_t edges[] = { 0, 1, 2, UINT32_MAX, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1,
					  INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(edges); i++)
		for (size_t j = 0; j < COUNT(edges); j++) {
			uint64_t hi, lo = hpt_mul_wide(edges[i], edges[j], &hi);
			struct wide p = wide_product(edges[i], (struct hpt_scale){ .frac = edges[j] });

			assert_true(lo == p.w[0] && hi == p.w[1]);
		}
}

static int64_t random_signed(void)
{
	uint64_t r = random_magnitude();

	return (int64_t)(random_below(2) ? r : 0 - r);
}

static void rounding_matches_at_random(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t uhz = random_uhz();
		struct hpt_scale s = random_below(2) ? hpt_scale_of(FS_PER_S, uhz) : hpt_scale_of(uhz, FS_PER_S);
		int64_t x = random_signed();

		assert_int_equal(hpt_scale_round(x, s), reference_round(x, s));
	}
}

static void rounding_matches_at_the_edges(void **state)
{
	static const int64_t edges[] = { INT64_MIN, INT64_MIN + 1, -2, -1, 0, 1, 2, INT64_MAX - 1, INT64_MAX };
	static const struct hpt_scale factors[] = {
		{ 0, 0 }, { 0, 1 }, { 0, UINT64_C(1) << 63 }, { 0, UINT64_MAX }, { 1, 0 }, { 1, 1 },
		{ 1, UINT64_MAX }, { 2, 0 }, { 100, 5 }, { UINT64_MAX, UINT64_MAX }, { UINT64_C(1) << 63, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(edges); i++)
		for (size_t j = 0; j < COUNT(factors); j++)
			assert_int_equal(hpt_scale_round(edges[i], factors[j]), reference_round(edges[i], factors[j]));
}

static void halves_go_away_from_zero(void **state)
{
	struct hpt_scale half = hpt_scale_of(1, 2);

	(void)state;
	assert_int_equal(hpt_scale_round(1, half), 1);
	assert_int_equal(hpt_scale_round(-1, half), -1);
	assert_int_equal(hpt_scale_round(5, half), 3);
	assert_int_equal(hpt_scale_round(-5, half), -3);
	assert_int_equal(hpt_scale_round(4, half), 2);
	assert_int_equal(hpt_scale_round(INT64_MAX, half), INT64_C(1) << 62);
	half.frac--;
	assert_int_equal(hpt_scale_round(1, half), 0);
	assert_int_equal(hpt_scale_round(-1, half), 0);
}

static void too_large_saturates(void **state)
{
	struct hpt_scale hpet = hpt_scale_of(69841279, 1000000), twice = { 2, 0 };

	(void)state;
	assert_int_equal(hpt_scale_round(INT64_MAX, hpet), INT64_MAX);
	assert_int_equal(hpt_scale_round(INT64_MIN, hpet), INT64_MIN);
	assert_int_equal(hpt_scale_round(INT64_C(1) << 62, twice), INT64_MAX);
	assert_int_equal(hpt_scale_round((INT64_C(1) << 62) - 1, twice), INT64_MAX - 1);
	assert_int_equal(hpt_scale_round(-(INT64_C(1) << 62), twice), INT64_MIN);
	assert_int_equal(hpt_scale_round(-(INT64_C(1) << 62) - 1, twice), INT64_MIN);
}

static void floor_is_modular_and_rounds_down(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 10; i++) {
		struct hpt_scale s = { random_magnitude(), random_u64() };
		uint64_t x = random_magnitude();

		assert_int_equal(hpt_scale_floor(x, s.whole, s.frac), wide_product(x, s).w[1]);
	}
}

/* Ticks to nanoseconds and back differ by at most half of the longer unit, so by 1 tick. */
static void round_trip_is_within_a_tick(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t uhz = random_uhz();
		struct hpt_scale ns = hpt_scale_of(FS_PER_S, uhz), ticks = hpt_scale_of(uhz, FS_PER_S);
		/* within 2^52, where the rounding of the factors themselves does not matter */
		int64_t t = random_signed() >> 11, back = hpt_scale_round(hpt_scale_round(t, ns), ticks);
		int64_t off = back - t, allowed = 1 + (int64_t)(uhz / FS_PER_S / 2 + 1);

		if (uhz <= FS_PER_S)
			allowed = 1;
		assert_in_range((uint64_t)(off + allowed), 0, (uint64_t)(2 * allowed));
	}
}

static struct hpt_wide wide_ns(int64_t s, int64_t ns)
{
	return hpt_wide_add(hpt_wide_product(s, (uint64_t)NS_PER_S), hpt_wide_of(ns));
}

static void assert_wide(struct hpt_wide x, uint64_t hi, uint64_t lo)
{
	assert_int_equal(x.hi, hi);
	assert_int_equal(x.lo, lo);
}

static void sums_carry_into_the_high_half(void **state)
{
	struct hpt_wide most = { 0, UINT64_MAX }, one = hpt_wide_of(1);

	(void)state;
	assert_wide(hpt_wide_add(most, one), 1, 0);
	assert_wide(hpt_wide_subtract(hpt_wide_add(most, one), one), 0, UINT64_MAX);
	assert_wide(hpt_wide_add(hpt_wide_of(INT64_MIN), hpt_wide_of(INT64_MIN)), UINT64_MAX, 0);
	assert_wide(hpt_wide_negate(hpt_wide_of(INT64_MIN)), 0, UINT64_C(1) << 63);
	assert_wide(hpt_wide_negate(hpt_wide_of(0)), 0, 0);
	assert_wide(hpt_wide_of(-1), UINT64_MAX, UINT64_MAX);
	assert_wide(hpt_wide_product(-1, 1), UINT64_MAX, UINT64_MAX);
	assert_wide(hpt_wide_product(INT64_MIN, 4), UINT64_MAX - 1, 0);
	assert_wide(hpt_wide_product(INT64_MAX, 4), 1, UINT64_MAX - 3);
}

static void what_does_not_fit_is_refused(void **state)
{
	int64_t ret = 4711;

	(void)state;
	assert_int_equal(hpt_wide_narrow((struct hpt_wide){ 0, UINT64_C(1) << 63 }, &ret), -ERANGE);
	assert_int_equal(hpt_wide_narrow((struct hpt_wide){ 1, 0 }, &ret), -ERANGE);
	assert_int_equal(hpt_wide_narrow((struct hpt_wide){ UINT64_MAX, INT64_MAX }, &ret), -ERANGE);
	assert_int_equal(hpt_wide_narrow((struct hpt_wide){ UINT64_C(1) << 63, UINT64_C(1) << 63 }, &ret), -ERANGE);
	assert_int_equal(ret, 4711);
	assert_int_equal(hpt_wide_narrow((struct hpt_wide){ UINT64_MAX, UINT64_C(1) << 63 }, &ret), 0);
	assert_true(ret == INT64_MIN);
	assert_int_equal(hpt_wide_narrow((struct hpt_wide){ 0, INT64_MAX }, &ret), 0);
	assert_true(ret == INT64_MAX);
}

static void assert_seconds(struct hpt_wide ns, int64_t want_s, uint32_t want_ns)
{
	uint32_t above_ns;
	int64_t s;

	hpt_wide_seconds(ns, &s, &above_ns);
	assert_int_equal(s, want_s);
	assert_int_equal(above_ns, want_ns);
}

static void seconds_are_rounded_down(void **state)
{
	static const int64_t seconds[] = { 0, 1, -1, 4, 5, UINT32_MAX, INT64_C(1) << 32, -(INT64_C(1) << 32), INT64_MAX,
					   INT64_MIN };
	static const uint32_t above_ns[] = { 0, 1, 294967295, 294967296, 500000000, 999999999 };

	(void)state;
	for (size_t i = 0; i < COUNT(seconds); i++)
		for (size_t j = 0; j < COUNT(above_ns); j++)
			assert_seconds(wide_ns(seconds[i], above_ns[j]), seconds[i], above_ns[j]);
	assert_seconds(hpt_wide_of(-1), -1, 999999999);
	assert_seconds(hpt_wide_of(-500000000), -1, 500000000);
	for (int i = 0; i < ROUNDS; i++) {
		int64_t s = random_signed();
		uint32_t ns = (uint32_t)random_below((uint64_t)NS_PER_S);

		assert_seconds(wide_ns(s, ns), s, ns);
	}
}

static void wide_product_is_the_narrow_one_without_an_end(void **state)
{
	struct hpt_scale hpet = hpt_scale_of(69841279, 1000000), half = { 0, UINT64_C(1) << 63 };
	/* The largest difference of two int64. */
	struct hpt_wide most = hpt_wide_subtract(hpt_wide_of(INT64_MAX), hpt_wide_of(INT64_MIN));

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct hpt_scale s = hpt_scale_of(FS_PER_S, random_uhz());
		int64_t x = random_signed(), narrow;

		if (hpt_wide_narrow(hpt_scale_wide(hpt_wide_of(x), s), &narrow))
			narrow = x < 0 ? INT64_MIN : INT64_MAX;
		assert_int_equal(hpt_scale_round(x, s), narrow);
	}
	assert_wide(hpt_scale_wide(most, (struct hpt_scale){ 1, 0 }), 0, UINT64_MAX);
	assert_wide(hpt_scale_wide(most, half), 0, UINT64_C(1) << 63);
	assert_wide(hpt_scale_wide(hpt_wide_negate(most), (struct hpt_scale){ 2, 0 }), UINT64_MAX - 1, 2);
	/* 2^64 - 1 HPET ticks: 69.841279 * 2^64 - 69.841279, rounded */
	assert_wide(hpt_scale_wide(most, hpet), 69, UINT64_C(15518858407586297804));
}

/* The quotient must be the nearest: |x * 2^64 - q * factor| <= factor / 2, checked with the exact product. */
static void division_undoes_the_product(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 10; i++) {
		struct hpt_scale s = hpt_scale_of(FS_PER_S, 1 + random_below(FS_PER_S)); /* from 1 ns a tick on */
		struct hpt_wide x = hpt_wide_of(random_signed());
		struct hpt_wide back = hpt_scale_divide(hpt_scale_wide(x, s), s);

		assert_wide(back, x.hi, x.lo);
	}
}

static void division_rounds_and_saturates(void **state)
{
	struct hpt_scale two = { 2, 0 }, half = { 0, UINT64_C(1) << 63 }, one = { 1, 0 };
	struct hpt_wide far = { 1, 0 };

	(void)state;
	assert_wide(hpt_scale_divide(hpt_wide_of(0), two), 0, 0);
	assert_wide(hpt_scale_divide(hpt_wide_of(1), two), 0, 1);
	assert_wide(hpt_scale_divide(hpt_wide_of(-1), two), UINT64_MAX, UINT64_MAX);
	assert_wide(hpt_scale_divide(hpt_wide_of(5), two), 0, 3);
	assert_wide(hpt_scale_divide(hpt_wide_of(4), two), 0, 2);
	assert_wide(hpt_scale_divide(hpt_wide_of(3), half), 0, 6);
	assert_wide(hpt_scale_divide(hpt_wide_of(1), (struct hpt_scale){ 2, 1 }), 0, 0);
	assert_wide(hpt_scale_divide(hpt_wide_of(1), (struct hpt_scale){ 1, UINT64_MAX }), 0, 1);
	/* At 2^64 - 1/2 the quotient rounds up to 2^64, and stays there. */
	assert_wide(hpt_scale_divide((struct hpt_wide){ 0, UINT64_MAX }, one), 0, UINT64_MAX);
	assert_wide(hpt_scale_divide((struct hpt_wide){ 1, UINT64_MAX }, two), 1, 0);
	assert_wide(hpt_scale_divide(far, one), 1, 0);
	assert_wide(hpt_scale_divide((struct hpt_wide){ INT64_MAX, 7 }, one), 1, 0);
	assert_wide(hpt_scale_divide(hpt_wide_negate((struct hpt_wide){ 3, 7 }), half), UINT64_MAX, 0);
	/* Factors for which twice the remainder needs more than 128 bits. */
	assert_wide(hpt_scale_divide((struct hpt_wide){ INT64_MAX, 0 }, (struct hpt_scale){ UINT64_MAX, UINT64_MAX }),
		    0,
		    INT64_MAX);
	assert_wide(hpt_scale_divide((struct hpt_wide){ 0, 5 }, (struct hpt_scale){ 0, 5 }), 1, 0);
}

static void nanoseconds_beyond_int64_are_divided(void **state)
{
	struct hpt_scale ns_per_tick = { 100, 0 }, tick_per_ns = hpt_scale_of(1, 100);
	struct hpt_wide most = hpt_wide_of(INT64_MAX), more = hpt_wide_add(most, hpt_wide_of(1));

	(void)state;
	assert_wide(hpt_scale_ticks(hpt_wide_of(260), tick_per_ns, ns_per_tick), 0, 3);
	assert_wide(hpt_scale_ticks(hpt_wide_of(-260), tick_per_ns, ns_per_tick), UINT64_MAX, UINT64_MAX - 2);
	/* Two factors that disagree show which of them was used. */
	assert_wide(hpt_scale_ticks(most, (struct hpt_scale){ 0, 0 }, ns_per_tick), 0, 0);
	assert_wide(hpt_scale_ticks(more, (struct hpt_scale){ 0, 0 }, ns_per_tick), 0, UINT64_C(92233720368547758));
	/* 2^70 ns: the product would be 5 ticks off. */
	assert_wide(hpt_scale_ticks((struct hpt_wide){ 64, 0 }, tick_per_ns, ns_per_tick), 0,
		    UINT64_C(11805916207174113034));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(factor_is_the_nearest),
		cmocka_unit_test(factor_of_known_fractions),
		cmocka_unit_test(wide_product_matches),
		cmocka_unit_test(wide_product_at_its_edges),
		cmocka_unit_test(rounding_matches_at_random),
		cmocka_unit_test(rounding_matches_at_the_edges),
		cmocka_unit_test(halves_go_away_from_zero),
		cmocka_unit_test(too_large_saturates),
		cmocka_unit_test(floor_is_modular_and_rounds_down),
		cmocka_unit_test(round_trip_is_within_a_tick),
		cmocka_unit_test(sums_carry_into_the_high_half),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(seconds_are_rounded_down),
		cmocka_unit_test(wide_product_is_the_narrow_one_without_an_end),
		cmocka_unit_test(division_undoes_the_product),
		cmocka_unit_test(division_rounds_and_saturates),
		cmocka_unit_test(nanoseconds_beyond_int64_are_divided),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
