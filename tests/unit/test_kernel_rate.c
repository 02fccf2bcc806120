// SPDX-License-Identifier: MIT
/* Kilohertz to mult and shift: values seen on real machines, and a second implementation of Linux's algorithm. */
#include "unit.h"

#include "rate/kernel_rate.h"

#define UHZ_PER_KHZ UINT64_C(1000000000)

/* ---- Linux 6.12, kernel/time/clocksource.c ------------------------------------------------------------- */

static void clocks_calc_mult_shift(uint32_t *mult, uint32_t *shift, uint32_t from, uint32_t to, uint32_t maxsec)
{
	uint64_t tmp = ((uint64_t)maxsec * from) >> 32;
	uint32_t sft, sftacc = 32;

	while (tmp) {
		tmp >>= 1;
		sftacc--;
	}
	for (sft = 32; sft > 0; sft--) {
		tmp = (uint64_t)to << sft;
		tmp += from / 2;
		tmp /= from;
		if ((tmp >> sftacc) == 0)
			break;
	}
	*mult = (uint32_t)tmp;
	*shift = sft;
}

/* __clocksource_update_freq_scale(cs, 1000, khz) of a 64-bit counter. */
static struct hpt_kernel_rate linux_rate(uint32_t khz)
{
	struct hpt_kernel_rate r;
	uint64_t sec = UINT64_MAX / khz / 1000;
	uint32_t maxadj;

	if (sec > 600)
		sec = 600;
	clocks_calc_mult_shift(&r.mult, &r.shift, khz, 1000000, (uint32_t)sec * 1000);
	maxadj = (uint32_t)((uint64_t)r.mult * 11 / 100);
	while (r.mult + maxadj < r.mult || r.mult - maxadj > r.mult) {
		r.mult >>= 1;
		r.shift--;
		maxadj = (uint32_t)((uint64_t)r.mult * 11 / 100);
	}
	return r;
}

/* 10^15 * 2^shift / mult, rounded down: long division in 32-bit limbs. */
static uint64_t divided(struct hpt_kernel_rate r)
{
	uint64_t low = (UINT64_C(1000000000000000) & UINT32_MAX) << r.shift;
	uint64_t high = (UINT64_C(1000000000000000) >> 32 << r.shift) + (low >> 32), rest;

	assert_true(high / r.mult <= UINT32_MAX);
	rest = high % r.mult;
	return high / r.mult << 32 | (rest << 32 | (low & UINT32_MAX)) / r.mult;
}

static bool equal(struct hpt_kernel_rate a, struct hpt_kernel_rate b)
{
	return a.mult == b.mult && a.shift == b.shift;
}

/* ---- Rates --------------------------------------------------------------------------------------------- */

static void known_machines_rates_are_met(void **state)
{
	static const struct {
		uint32_t khz;
		struct hpt_kernel_rate rate;
	} rows[] = {
		{ 1000000, { 8388608, 23 } }, { 1900000, { 4415057, 23 } }, { 2300000, { 7294442, 24 } },
		{ 2596136, { 6462379, 24 } }, { 3400000, { 4934475, 24 } }, { 5000000, { 3355443, 24 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (!equal(hpt_kernel_rate_of(rows[i].khz), rows[i].rate))
			fail_msg("%u kHz", (unsigned)rows[i].khz);
}

/* "clocksource: tsc: mask: ... max_cycles: 0x212735223b2" in the log of a machine of 2.3 GHz. */
static void known_machines_max_cycles_follow(void **state)
{
	struct hpt_kernel_rate r = hpt_kernel_rate_of(2300000);

	(void)state;
	assert_true(UINT64_MAX / (r.mult + r.mult * UINT64_C(11) / 100) == UINT64_C(0x212735223b2));
}

static void every_kilohertz_is_as_linux_makes_it(void **state)
{
	(void)state;
	for (uint32_t khz = 10000; khz <= 8000000; khz += 1 + (uint32_t)random_below(4)) {
		struct hpt_kernel_rate r = hpt_kernel_rate_of(khz);

		if (!equal(r, linux_rate(khz)))
			fail_msg("%u kHz: %u >> %u", (unsigned)khz, (unsigned)r.mult, (unsigned)r.shift);
	}
}

static void frequency_is_exact(void **state)
{
	(void)state;
	for (uint32_t khz = 10000; khz <= 8000000; khz += 1 + (uint32_t)random_below(4)) {
		struct hpt_kernel_rate r = hpt_kernel_rate_of(khz);

		assert_true(hpt_kernel_rate_uhz(r) == divided(r));
	}
	assert_true(hpt_kernel_rate_uhz((struct hpt_kernel_rate){ 1000000, 0 }) == 1000000000);
	assert_true(hpt_kernel_rate_uhz((struct hpt_kernel_rate){ 3, 0 }) == UINT64_C(333333333333333));
	assert_true(hpt_kernel_rate_uhz((struct hpt_kernel_rate){ 1, 0 }) == UINT64_C(1000000000000000));
	assert_true(hpt_kernel_rate_uhz((struct hpt_kernel_rate){ 1 << 23, 23 }) == UINT64_C(1000000000000000));
	for (uint32_t shift = 1; shift <= 32; shift++) {
		struct hpt_kernel_rate r = { 3 << 22 | 1, shift };

		assert_true(hpt_kernel_rate_uhz(r) == divided(r));
	}
}

/* ---- The rate within an interval ----------------------------------------------------------------------- */

/* Counts by trying every kilohertz in the interval and around it. */
static uint32_t count_within(uint64_t lo, uint64_t hi, uint32_t step, struct hpt_kernel_rate *ret)
{
	uint64_t first = lo / UHZ_PER_KHZ / step, last = hi / UHZ_PER_KHZ / step + 10;
	uint32_t n = 0;

	for (first = first > 10 ? first - 10 : 1; first <= last; first++) {
		struct hpt_kernel_rate r = linux_rate((uint32_t)first * step);

		if (divided(r) < lo || divided(r) > hi || (n && equal(r, *ret)))
			continue;
		*ret = r;
		n++;
	}
	return n;
}

static const struct hpt_kernel_rate untouched = { 4711, 12 };

/* Asks for [lo, hi] among kilohertz or megahertz; returns how many there are. */
static uint32_t check_within(uint64_t lo, uint64_t hi, bool is_round)
{
	struct hpt_kernel_rate want = { 0 }, got = untouched;
	uint32_t n = count_within(lo, hi, is_round ? 1000 : 1, &want);
	bool found = (is_round ? hpt_kernel_rate_round : hpt_kernel_rate_within)(lo, hi, &got);

	if (found != (n == 1) || !equal(got, n == 1 ? want : untouched))
		fail_msg("[%llu, %llu]: %u rates, %s", (unsigned long long)lo, (unsigned long long)hi, (unsigned)n,
			 found ? "found" : "not found");
	return n;
}

static void exactly_one_is_found(uint64_t widest, bool is_round)
{
	uint32_t seen[3] = { 0 };

	for (int i = 0; i < 100000; i++) {
		uint64_t middle = (10000 + random_below(7990000)) * UHZ_PER_KHZ + random_below(UHZ_PER_KHZ);
		uint64_t lo = middle - random_below(widest), hi = middle + random_below(widest);
		uint32_t n = check_within(lo, hi, is_round);

		seen[n < 2 ? n : 2]++;
	}
	note("%u ranges without a rate, %u with one, %u with more", (unsigned)seen[0], (unsigned)seen[1],
	     (unsigned)seen[2]);
	assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
}

static void one_alone_is_found_among_kilohertz(void **state)
{
	(void)state;
	exactly_one_is_found(2 * UHZ_PER_KHZ, false);
}

static void one_alone_is_found_among_megahertz(void **state)
{
	(void)state;
	exactly_one_is_found(1500 * UHZ_PER_KHZ, true);
}

static void bounds_are_within(void **state)
{
	static const uint32_t some[] = {
		10000, 1000000, 2300000, 2596136, 3999999, 4000000, 4000001, 5000000, 7999999,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(some); i++) {
		uint64_t uhz = hpt_kernel_rate_uhz(hpt_kernel_rate_of(some[i]));

		assert_int_equal(check_within(uhz, uhz, false), 1);
		assert_int_equal(check_within(uhz - 1, uhz, false), 1);
		assert_int_equal(check_within(uhz, uhz + 1, false), 1);
		assert_int_equal(check_within(uhz + 1, uhz + 2, false), 0);
		assert_int_equal(check_within(uhz - 2, uhz - 1, false), 0);
	}
	assert_int_equal(check_within(UINT64_C(2299999) * UHZ_PER_KHZ, UINT64_C(2300001) * UHZ_PER_KHZ, true), 1);
	assert_int_equal(check_within(UINT64_C(2299000) * UHZ_PER_KHZ, UINT64_C(2301000) * UHZ_PER_KHZ, true) > 1, 1);
}

/* Above 3.66 GHz one step of mult is more than a kilohertz. */
static void kilohertz_with_a_mult_in_common_are_one_rate(void **state)
{
	static const uint32_t some[] = { 3800000, 5000001, 7500000 };
	uint32_t shared = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(some); i++)
		for (uint32_t khz = some[i]; khz < some[i] + 20; khz++) {
			uint64_t uhz = hpt_kernel_rate_uhz(hpt_kernel_rate_of(khz));

			if (!equal(hpt_kernel_rate_of(khz), hpt_kernel_rate_of(khz + 1)))
				continue;
			assert_int_equal(check_within(uhz - UHZ_PER_KHZ / 2, uhz + UHZ_PER_KHZ / 2, false), 1);
			shared++;
		}
	assert_true(shared > 10);
}

static void absurd_bounds_hold_none(void **state)
{
	static const uint64_t rows[][2] = {
		{ 0, 0 }, { 0, UINT64_MAX }, { UINT64_MAX, UINT64_MAX }, { UINT64_MAX, 0 }, { 0, 1 },
		{ UHZ_PER_KHZ + 1, UHZ_PER_KHZ + 1 }, { UHZ_PER_KHZ - 1, UHZ_PER_KHZ - 1 },
		{ UINT64_C(2300000000000001), UINT64_C(2299999999999999) },
		{ UINT64_C(2400000000000000), UINT64_C(2300000000000000) },
		{ UINT64_C(1000000000000000), UINT64_MAX }, { UINT64_C(1000000000000000), UINT64_C(5000000000000000) },
		{ UINT64_C(4294967296) * 1000000000, UINT64_C(4294967296) * 1000000000 }, /* 2^32 kHz */
		{ UINT64_C(4294967296) * 1000000000, UINT64_C(4294967297) * 1000000000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_kernel_rate r = untouched;

		assert_false(hpt_kernel_rate_within(rows[i][0], rows[i][1], &r));
		assert_false(hpt_kernel_rate_round(rows[i][0], rows[i][1], &r));
		assert_true(equal(r, untouched));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_machines_rates_are_met),
		cmocka_unit_test(known_machines_max_cycles_follow),
		cmocka_unit_test(every_kilohertz_is_as_linux_makes_it),
		cmocka_unit_test(frequency_is_exact),
		cmocka_unit_test(one_alone_is_found_among_kilohertz),
		cmocka_unit_test(one_alone_is_found_among_megahertz),
		cmocka_unit_test(bounds_are_within),
		cmocka_unit_test(kilohertz_with_a_mult_in_common_are_one_rate),
		cmocka_unit_test(absurd_bounds_hold_none),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
