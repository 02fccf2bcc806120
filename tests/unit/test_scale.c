// SPDX-License-Identifier: MIT
/* Fixed-point factors against arithmetic in 192 bits, written a bit at a time. */
#include "unit.h"

#include "scale.h"

#define ROUNDS 1000000

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

/* x * (whole + frac / 2^64), scaled by 2^64: by doubling and adding. */
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

/* 10 MHz to 6 GHz in micro-hertz, all magnitudes of odd ones. */
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

	/* The difference of the two, smaller from larger. */
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

/* Ticks to nanoseconds and back: within the half of whichever unit is longer, so 1 tick. */
static void round_trip_is_within_a_tick(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t uhz = random_uhz();
		struct hpt_scale ns = hpt_scale_of(FS_PER_S, uhz), ticks = hpt_scale_of(uhz, FS_PER_S);
		/* within 2^52, where rounding the factors themselves is worth nothing */
		int64_t t = random_signed() >> 11, back = hpt_scale_round(hpt_scale_round(t, ns), ticks);
		int64_t off = back - t, allowed = 1 + (int64_t)(uhz / FS_PER_S / 2 + 1);

		if (uhz <= FS_PER_S)
			allowed = 1;
		assert_in_range((uint64_t)(off + allowed), 0, (uint64_t)(2 * allowed));
	}
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
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
