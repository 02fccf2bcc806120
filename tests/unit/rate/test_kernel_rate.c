// SPDX-License-Identifier: MIT
/* Kilohertz and hertz to mult and shift: values of real machines, and a second implementation of Linux's algorithm. */
#include "unit.h"

#include "rate/kernel_rate.h"

#define UHZ_PER_KHZ UINT64_C(1000000000)
#define UHZ_PER_HZ  UINT64_C(1000000)

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

/* __clocksource_update_freq_scale(cs, scale, freq) of a counter of 56 bits. */
static struct hpt_kernel_rate linux_rate(uint32_t freq, uint32_t scale)
{
	struct hpt_kernel_rate r;
	uint64_t sec = (UINT64_C(1) << 56) / freq / scale;
	uint32_t maxadj;

	if (sec > 600)
		sec = 600;
	clocks_calc_mult_shift(&r.mult, &r.shift, freq, 1000000000 / scale, (uint32_t)sec * scale);
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
		uint32_t rate, unit_hz;
		struct hpt_kernel_rate want;
	} rows[] = {
		{ 1000000, HPT_KERNEL_KHZ, { 8388608, 23 } }, { 1900000, HPT_KERNEL_KHZ, { 4415057, 23 } },
		{ 2300000, HPT_KERNEL_KHZ, { 7294442, 24 } }, { 2596136, HPT_KERNEL_KHZ, { 6462379, 24 } },
		{ 3400000, HPT_KERNEL_KHZ, { 4934475, 24 } }, { 5000000, HPT_KERNEL_KHZ, { 3355443, 24 } },
		{ 24000000, HPT_KERNEL_HZ, { 699050667, 24 } }, { 62500000, HPT_KERNEL_HZ, { 134217728, 23 } },
		{ 1000000000, HPT_KERNEL_HZ, { 8388608, 23 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (!equal(hpt_kernel_rate_of(rows[i].rate, rows[i].unit_hz), rows[i].want))
			fail_msg("%u", (unsigned)rows[i].rate);
}

/*
 * "clocksource: tsc: mask: ... max_cycles: 0x212735223b2" in the log of a machine of 2.3 GHz, "arch_sys_counter: ..."
 * in those of 62.5 and 24 MHz.
 */
static void known_machines_max_cycles_follow(void **state)
{
	static const struct {
		uint32_t rate, unit_hz;
		uint64_t max_cycles;
	} rows[] = {
		{ 2300000, HPT_KERNEL_KHZ, UINT64_C(0x212735223b2) },
		{ 62500000, HPT_KERNEL_HZ, UINT64_C(0x1cd42e208c) }, { 24000000, HPT_KERNEL_HZ, UINT64_C(0x588fe9dc0) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_kernel_rate r = hpt_kernel_rate_of(rows[i].rate, rows[i].unit_hz);

		assert_true(UINT64_MAX / (r.mult + r.mult * UINT64_C(11) / 100) == rows[i].max_cycles);
	}
}

static void check_linux(uint32_t rate, uint32_t unit_hz)
{
	struct hpt_kernel_rate r = hpt_kernel_rate_of(rate, unit_hz);

	if (!equal(r, linux_rate(rate, unit_hz)))
		fail_msg("%u * %u Hz: %u >> %u", (unsigned)rate, (unsigned)unit_hz, (unsigned)r.mult,
			 (unsigned)r.shift);
}

static void every_rate_is_as_linux_makes_it(void **state)
{
	(void)state;
	for (uint32_t khz = 10000; khz <= 8000000; khz += (1 + (uint32_t)random_below(4)) * stride())
		check_linux(khz, HPT_KERNEL_KHZ);
	for (uint32_t hz = 1000; hz <= 2000000000;
	     hz += (1 + hz / 500000 + (uint32_t)random_below(1 + hz / 100000)) * stride())
		check_linux(hz, HPT_KERNEL_HZ);
}

static void frequency_is_exact(void **state)
{
	(void)state;
	for (uint32_t khz = 10000; khz <= 8000000; khz += (1 + (uint32_t)random_below(4)) * stride()) {
		struct hpt_kernel_rate r = hpt_kernel_rate_of(khz, HPT_KERNEL_KHZ);

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

/* Counts by trying each kilohertz or hertz in the interval and as far around it as rounding reaches. */
static uint32_t count_within(uint64_t lo, uint64_t hi, uint32_t unit_hz, struct hpt_kernel_rate *ret)
{
	uint64_t first = lo / UHZ_PER_HZ / unit_hz, last = hi / UHZ_PER_HZ / unit_hz, more = 10 + last / 2000000;
	uint32_t n = 0;

	for (first = first > more ? first - more : 1; first <= last + more; first++) {
		struct hpt_kernel_rate r = linux_rate((uint32_t)first, unit_hz);

		if (divided(r) < lo || divided(r) > hi || (n && equal(r, *ret)))
			continue;
		*ret = r;
		n++;
	}
	return n;
}

static const struct hpt_kernel_rate untouched = { 4711, 12 };

/* Asks for [lo, hi]; returns how many there are. */
static uint32_t check_within(uint64_t lo, uint64_t hi, uint32_t unit_hz)
{
	struct hpt_kernel_rate want = { 0 }, got = untouched;
	uint32_t n = count_within(lo, hi, unit_hz, &want), found = hpt_kernel_rates_within(lo, hi, unit_hz, &got);

	if (found != (n < 2 ? n : 2) || (n < 2 && !equal(got, n == 1 ? want : untouched)))
		fail_msg("[%llu, %llu]: %u rates, found %u", (unsigned long long)lo, (unsigned long long)hi,
			 (unsigned)n, (unsigned)found);
	return n;
}

static void check_random(uint64_t least_hz, uint64_t most_hz, uint32_t unit_hz, uint64_t widest_uhz, int times)
{
	uint32_t seen[3] = { 0 };

	for (int i = 0; i < times; i++) {
		uint64_t middle = (least_hz + random_below(most_hz - least_hz)) * UHZ_PER_HZ + random_below(UHZ_PER_HZ);
		uint64_t lo = middle - random_below(widest_uhz), hi = middle + random_below(widest_uhz);
		uint32_t n = check_within(lo, hi, unit_hz);

		seen[n < 2 ? n : 2]++;
	}
	note("%u ranges without a rate, %u with one, %u with more", (unsigned)seen[0], (unsigned)seen[1],
	     (unsigned)seen[2]);
	assert_true(seen[0] > (uint32_t)times / 100 && seen[1] > (uint32_t)times / 100 &&
		    seen[2] > (uint32_t)times / 100);
}

static void kilohertz_are_found(void **state)
{
	(void)state;
	check_random(10000000, 8000000000, HPT_KERNEL_KHZ, 2 * UHZ_PER_KHZ, rounds(100000));
}

/* Up to 100 MHz each hertz has a mult of its own; at 1 GHz 120 share one. */
static void hertz_are_found(void **state)
{
	(void)state;
	check_random(10000000, 100000000, HPT_KERNEL_HZ, 2 * UHZ_PER_HZ, rounds(100000));
	check_random(900000000, 2000000000, HPT_KERNEL_HZ, 200 * UHZ_PER_HZ, 1000);
}

static void bounds_are_within(void **state)
{
	static const uint32_t some[] = {
		10000, 1000000, 2300000, 2596136, 3999999, 4000000, 4000001, 5000000, 7999999,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(some); i++) {
		uint64_t uhz = hpt_kernel_rate_uhz(hpt_kernel_rate_of(some[i], HPT_KERNEL_KHZ));

		assert_int_equal(check_within(uhz, uhz, HPT_KERNEL_KHZ), 1);
		assert_int_equal(check_within(uhz - 1, uhz, HPT_KERNEL_KHZ), 1);
		assert_int_equal(check_within(uhz, uhz + 1, HPT_KERNEL_KHZ), 1);
		assert_int_equal(check_within(uhz + 1, uhz + 2, HPT_KERNEL_KHZ), 0);
		assert_int_equal(check_within(uhz - 2, uhz - 1, HPT_KERNEL_KHZ), 0);
	}
}

/* Above 3.66 GHz one step of mult is more than a kilohertz. */
static void kilohertz_with_a_mult_in_common_are_one_rate(void **state)
{
	static const uint32_t some[] = { 3800000, 5000001, 7500000 };
	uint32_t shared = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(some); i++)
		for (uint32_t khz = some[i]; khz < some[i] + 20; khz++) {
			struct hpt_kernel_rate rate = hpt_kernel_rate_of(khz, HPT_KERNEL_KHZ);
			uint64_t uhz = hpt_kernel_rate_uhz(rate);

			if (!equal(rate, hpt_kernel_rate_of(khz + 1, HPT_KERNEL_KHZ)))
				continue;
			assert_int_equal(check_within(uhz - UHZ_PER_KHZ / 2, uhz + UHZ_PER_KHZ / 2, HPT_KERNEL_KHZ), 1);
			shared++;
		}
	assert_true(shared > 10);
}

static void absurd_bounds_do_not_hold_one(void **state)
{
	static const struct {
		uint64_t lo, hi;
		uint32_t want;
	} rows[] = {
		{ 0, 0, 0 }, { 0, UINT64_MAX, 2 }, { UINT64_MAX, UINT64_MAX, 2 }, { UINT64_MAX, 0, 0 }, { 0, 1, 0 },
		{ UHZ_PER_KHZ + 1, UHZ_PER_KHZ + 1, 0 }, { UHZ_PER_KHZ - 1, UHZ_PER_KHZ - 1, 0 },
		{ UINT64_C(2300000000000001), UINT64_C(2299999999999999), 0 },
		{ UINT64_C(2400000000000000), UINT64_C(2300000000000000), 0 },
		{ UINT64_C(1000000000000000), UINT64_MAX, 2 },
		{ UINT64_C(1000000000000000), UINT64_C(5000000000000000), 2 },
		{ UINT64_C(4294967296) * 1000000000, UINT64_C(4294967296) * 1000000000, 2 }, /* 2^32 kHz */
		{ UINT64_C(4294967296) * 1000000000, UINT64_C(4294967297) * 1000000000, 2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_kernel_rate r = untouched;
		uint32_t n = hpt_kernel_rates_within(rows[i].lo, rows[i].hi, HPT_KERNEL_KHZ, &r);

		if (n != rows[i].want)
			fail_msg("row %zu: %u", i, (unsigned)n);
		assert_true(n == 2 || equal(r, untouched));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_machines_rates_are_met),
		cmocka_unit_test(known_machines_max_cycles_follow),
		cmocka_unit_test(every_rate_is_as_linux_makes_it),
		cmocka_unit_test(frequency_is_exact),
		cmocka_unit_test(kilohertz_are_found),
		cmocka_unit_test(hertz_are_found),
		cmocka_unit_test(bounds_are_within),
		cmocka_unit_test(kilohertz_with_a_mult_in_common_are_one_rate),
		cmocka_unit_test(absurd_bounds_do_not_hold_one),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
