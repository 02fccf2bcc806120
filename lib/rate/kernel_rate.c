// SPDX-License-Identifier: MIT
/* Linux's arithmetic from kilohertz to mult and shift: lib/rate/kernel_rate.h. */
#include "rate/kernel_rate.h"

#include "math/scale.h"
#include "source/source.h"

/* kernel/time/clocksource.c, __clocksource_update_freq_scale(): conversions must not overflow for ten minutes. */
#define KERNEL_SECONDS 600
/* clocksource_register_khz() counts in kilohertz, hence in milliseconds. */
#define HZ_PER_KHZ 1000
#define NS_PER_MS  1000000

#define UHZ_PER_KHZ UINT64_C(1000000000)

#define KHZ_PER_MHZ 1000

/* A range of more steps than this contains several rates for sure. */
#define STEPS_MAX 16

/*
 * clocks_calc_mult_shift(&mult, &shift, khz, NSEC_PER_SEC / 1000, 600 * 1000). The kernel then makes sure that mult
 * +- 11 % fits 32 bits; here mult has 23 bits.
 */
struct hpt_kernel_rate hpt_kernel_rate_of(uint32_t khz)
{
	uint64_t cycles = (uint64_t)KERNEL_SECONDS * HZ_PER_KHZ * khz >> 32, mult = 0;
	uint32_t room = 32, shift;

	for (; cycles; cycles >>= 1)
		room--;
	for (shift = 32; shift > 0; shift--) {
		mult = (((uint64_t)NS_PER_MS << shift) + khz / 2) / khz;
		if (!(mult >> room))
			break;
	}
	return (struct hpt_kernel_rate){ .mult = (uint32_t)mult, .shift = shift };
}

uint64_t hpt_kernel_rate_uhz(struct hpt_kernel_rate rate)
{
	struct hpt_scale s = hpt_scale_of(HPT_UHZ_PER_GHZ, rate.mult);

	return s.whole << rate.shift | (rate.shift ? s.frac >> (64 - rate.shift) : 0);
}

/*
 * Finds the only rate within the bounds among multiples of step_khz. mult rounds each by up to 2^-23: the rate of a
 * neighbour may lie within the bounds although its kilohertz do not.
 */
static bool only_one(uint64_t lo_uhz, uint64_t hi_uhz, uint32_t step_khz, struct hpt_kernel_rate *ret)
{
	uint64_t step_uhz = UHZ_PER_KHZ * step_khz, n = lo_uhz / step_uhz, last = hi_uhz / step_uhz + 2;
	struct hpt_kernel_rate found = { 0 };

	if (last > UINT32_MAX / step_khz || last - n > STEPS_MAX)
		return false;
	for (n = n > 1 ? n - 1 : 1; n <= last; n++) {
		struct hpt_kernel_rate rate = hpt_kernel_rate_of((uint32_t)n * step_khz);
		uint64_t uhz = hpt_kernel_rate_uhz(rate);

		if (uhz < lo_uhz || uhz > hi_uhz)
			continue;
		if (found.mult && (found.mult != rate.mult || found.shift != rate.shift))
			return false;
		found = rate;
	}
	if (!found.mult)
		return false;
	*ret = found;
	return true;
}

bool hpt_kernel_rate_within(uint64_t lo_uhz, uint64_t hi_uhz, struct hpt_kernel_rate *ret)
{
	return only_one(lo_uhz, hi_uhz, 1, ret);
}

bool hpt_kernel_rate_round(uint64_t lo_uhz, uint64_t hi_uhz, struct hpt_kernel_rate *ret)
{
	return only_one(lo_uhz, hi_uhz, KHZ_PER_MHZ, ret);
}
