// SPDX-License-Identifier: MIT
/* Bands of rates: each rounding makes a band wider, by less than two units of 2^-64 ns. */
#include "unit.h"
#include "wide.h"

#include "wall/band.h"
#include "math/units.h"

static struct hpt_scale of(uint64_t whole, uint64_t frac)
{
	return (struct hpt_scale){ .whole = whole, .frac = frac };
}

static void assert_scale(struct hpt_scale s, uint64_t whole, uint64_t frac)
{
	assert_int_equal(s.whole, whole);
	assert_int_equal(s.frac, frac);
}

/* ---- Wider by a share ------------------------------------------------------------------------------------ */

static void shares_are_rounded_outward(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(10000); i++) {
		uint64_t lo = random_magnitude() >> 2, hi = lo + (random_magnitude() >> 3);
		uint32_t ppb = (uint32_t)random_below(PPB);
		struct hpt_band in = { of(0, lo), of(0, hi) }, band = hpt_band_widened(&in, ppb);
		uint64_t floor = wide_ratio(lo, PPB - ppb, PPB), most = wide_ratio(hi, PPB + ppb, PPB);

		assert_scale(band.lo, 0, floor);
		assert_int_equal(band.hi.whole, 0);
		assert_true(band.hi.frac == most || band.hi.frac == most + 1);
	}
}

static void thirds_show_each_direction(void **state)
{
	struct hpt_band third = { of(0, 10), of(0, 10) };
	struct hpt_band slow = { of(UINT32_MAX, UINT64_MAX), of(UINT32_MAX, UINT64_MAX) };
	struct hpt_band band = hpt_band_widened(&third, 1), same = hpt_band_widened(&slow, 0);

	(void)state;
	assert_scale(band.lo, 0, 9);
	assert_scale(band.hi, 0, 11);
	assert_scale(same.lo, UINT32_MAX, UINT64_MAX);
	assert_scale(same.hi, UINT32_MAX, UINT64_MAX);
	band = hpt_band_widened(&slow, PPB - 1);
	assert_scale(band.lo, 4, UINT64_C(0x4b82fa09b5a52cb9));
	assert_int_equal(band.hi.whole, UINT64_C(8589934587));
}

/* ---- By two intervals --------------------------------------------------------------------------------------- */

/* The divisor is a power of two: the exact quotients are known. */
static void quotients_are_a_unit_beyond(void **state)
{
	struct hpt_utc from = { 1000, 1100 }, to = { 1164, 1300 };
	struct hpt_band band = hpt_band_between(from, to, 128, 256);

	(void)state;
	assert_scale(band.lo, 0, (UINT64_C(64) << 56) - 1); /* (1164 - 1100) / 256 */
	assert_scale(band.hi, 2, (UINT64_C(44) << 57) + 1);  /* (1300 - 1000) / 128 */
}

/* Such intervals prove nothing of the least rate. */
static void rates_are_never_negative(void **state)
{
	struct hpt_utc from = { 1000, 2000 }, same = { 1000, 2000 }, before = { 0, 900 };
	struct hpt_band band = hpt_band_between(from, same, 10, 10);

	(void)state;
	assert_scale(band.lo, 0, 0);
	assert_scale(band.hi, 100, 1);
	band = hpt_band_between(from, before, 10, 10);
	assert_scale(band.lo, 0, 0);
	assert_scale(band.hi, 0, 0);
}

/* The true rate of two moments of which each is in its interval. */
static void bands_contain_the_truth(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(10000); i++) {
		uint64_t ticks = 1 + random_below(UINT64_C(1) << 40), early = random_below(ticks);
		int64_t rate = 1 + (int64_t)random_below(1000), start = (int64_t)random_below(UINT64_C(1) << 60);
		int64_t end = start + (int64_t)ticks * rate, off = (int64_t)random_below(1000000);
		struct hpt_utc from = { start - off, start + (int64_t)random_below(1000) };
		struct hpt_utc to = { end - (int64_t)random_below(1000), end + off };
		struct hpt_band band = hpt_band_between(from, to, ticks - early, ticks + random_below(1000));

		assert_true(band.lo.whole < (uint64_t)rate);
		assert_true(band.hi.whole >= (uint64_t)rate);
	}
}

/* ---- Cuts ---------------------------------------------------------------------------------------------------- */

static void cut_is_what_both_allow(void **state)
{
	struct hpt_band band = { of(1, 10), of(3, 20) };
	const struct hpt_band with = { of(1, 11), of(3, 19) }, outer = { of(0, 99), of(4, 0) };
	const struct hpt_band left = { of(0, 0), of(2, 0) }, right = { of(1, 99), of(9, 0) };
	const struct hpt_band point = { of(2, 0), of(5, 0) };

	(void)state;
	assert_true(hpt_band_cut(&band, &outer));
	assert_scale(band.lo, 1, 10);
	assert_scale(band.hi, 3, 20);
	assert_true(hpt_band_cut(&band, &with));
	assert_scale(band.lo, 1, 11);
	assert_scale(band.hi, 3, 19);
	assert_true(hpt_band_cut(&band, &left));
	assert_true(hpt_band_cut(&band, &right));
	assert_scale(band.lo, 1, 99);
	assert_scale(band.hi, 2, 0);
	assert_true(hpt_band_cut(&band, &point));
	assert_scale(band.lo, 2, 0);
	assert_scale(band.hi, 2, 0);
}

static void cut_of_nothing_changes_nothing(void **state)
{
	struct hpt_band band = { of(1, 10), of(3, 20) };
	const struct hpt_band above = { of(3, 21), of(9, 0) }, below = { of(0, 0), of(1, 9) };

	(void)state;
	assert_false(hpt_band_cut(&band, &above));
	assert_false(hpt_band_cut(&band, &below));
	assert_scale(band.lo, 1, 10);
	assert_scale(band.hi, 3, 20);
}

/* ---- Parts per billion ------------------------------------------------------------------------------------------ */

static void shares_are_signed_and_saturate(void **state)
{
	struct hpt_scale one = of(1, 0), slow = of(1, UINT64_MAX / 1000000);
	struct hpt_scale fast = of(0, UINT64_MAX / 1000000 * 999999);

	(void)state;
	assert_int_equal(hpt_band_ppb(one, one), 0);
	assert_int_equal(hpt_band_ppb(slow, one), 1000);
	assert_int_equal(hpt_band_ppb(fast, one), -1000);
	assert_int_equal(hpt_band_ppb(of(0, 0), one), -PPB);
	assert_int_equal(hpt_band_ppb(of(1, UINT64_MAX / 10000 * 7), of(1, 0)), 700000);
	assert_int_equal(hpt_band_ppb(of(3, UINT64_MAX), one), INT32_MAX);
	assert_int_equal(hpt_band_ppb(of(UINT32_MAX, 0), of(0, 1)), INT32_MAX);
	assert_int_equal(hpt_band_ppb(of(0, 3 * (UINT64_MAX / 10)), of(0, UINT64_MAX / 10)), 2 * PPB);
}

static void within_has_both_ends(void **state)
{
	struct hpt_band of_it = { of(1, 10), of(2, 20) };
	struct hpt_band lower = { of(1, 9), of(2, 20) }, higher = { of(1, 10), of(2, 21) };
	struct hpt_band inner = { of(1, 11), of(2, 19) };

	(void)state;
	assert_true(hpt_band_is_within(&of_it, &of_it));
	assert_true(hpt_band_is_within(&inner, &of_it));
	assert_false(hpt_band_is_within(&lower, &of_it));
	assert_false(hpt_band_is_within(&higher, &of_it));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_rounded_outward),
		cmocka_unit_test(thirds_show_each_direction),
		cmocka_unit_test(quotients_are_a_unit_beyond),
		cmocka_unit_test(rates_are_never_negative),
		cmocka_unit_test(bands_contain_the_truth),
		cmocka_unit_test(cut_is_what_both_allow),
		cmocka_unit_test(cut_of_nothing_changes_nothing),
		cmocka_unit_test(within_has_both_ends),
		cmocka_unit_test(shares_are_signed_and_saturate),
	};

	random_start();
	return cmocka_run_group_tests_name("band", tests, NULL, NULL);
}
