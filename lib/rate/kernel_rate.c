// SPDX-License-Identifier: MIT
/* Linux's arithmetic from kilohertz or hertz to mult and shift: lib/rate/kernel_rate.h. */
#include "rate/kernel_rate.h"

#include "arch/arch.h"
#include "math/units.h"

/* kernel/time/clocksource.c, __clocksource_update_freq_scale(): conversions must not overflow for ten minutes. */
#define KERNEL_SECONDS 600
#define UHZ_PER_HZ     UINT64_C(1000000)

/* A range of more rates than this contains several for sure, beside those that rounding makes equal. */
#define RATES_MAX 16

/*
 * mult has at least 22 bits up to 7 GHz, so that each rate is rounded by up to 2^-22 of it. The rate of a neighbour may
 * lie within the rates although its kilohertz or hertz do not.
 */
#define ROUNDING_SHIFT 22

/*
 * NTP may change mult by 11 %, clocksource_max_adjustment(), and the sum must fit 32 bits. Only below 7 MHz it may
 * not.
 */
static struct hpt_kernel_rate with_room(uint32_t mult, uint32_t shift)
{
	uint32_t half = mult > UINT32_MAX - (uint32_t)(mult * UINT64_C(11) / 100);

	return (struct hpt_kernel_rate){ .mult = mult >> half, .shift = shift - half };
}

/* clocks_calc_mult_shift(&mult, &shift, rate, NSEC_PER_SEC / unit, 600 * unit) */
COLD struct hpt_kernel_rate hpt_kernel_rate_of(uint32_t rate, uint32_t unit_hz)
{
	uint64_t cycles = (uint64_t)KERNEL_SECONDS * unit_hz * rate >> 32, mult = 0;
	uint32_t room = 32, shift;

	for (; cycles; cycles >>= 1)
		room--;
	for (shift = 32; shift > 0; shift--) {
		mult = (((uint64_t)NS_PER_S / unit_hz << shift) + rate / 2) / rate;
		if (!(mult >> room))
			break;
	}
	return with_room((uint32_t)mult, shift);
}

/* 2^shift GHz / mult, rounded down. The rest is below 2^32 and the shift at most 32: 64 bits are enough. */
COLD uint64_t hpt_kernel_rate_uhz(struct hpt_kernel_rate rate)
{
	return (HPT_UHZ_PER_GHZ / rate.mult << rate.shift) + (HPT_UHZ_PER_GHZ % rate.mult << rate.shift) / rate.mult;
}

COLD uint32_t hpt_kernel_rates_within(uint64_t lo_uhz, uint64_t hi_uhz, uint32_t unit_hz, struct hpt_kernel_rate *ret)
{
	uint64_t unit_uhz = UHZ_PER_HZ * unit_hz, n = lo_uhz / unit_uhz, last = hi_uhz / unit_uhz, more;
	struct hpt_kernel_rate found = { 0 };

	if (lo_uhz > hi_uhz)
		return 0;
	more = (last >> ROUNDING_SHIFT) + 2;
	last += more;
	if (last > UINT32_MAX || last - n > RATES_MAX + 2 * more)
		return 2;
	for (n = n > more ? n - more : 1; n <= last; n++) {
		struct hpt_kernel_rate rate = hpt_kernel_rate_of((uint32_t)n, unit_hz);
		uint64_t uhz = hpt_kernel_rate_uhz(rate);

		if (uhz < lo_uhz || uhz > hi_uhz)
			continue;
		if (found.mult && (found.mult != rate.mult || found.shift != rate.shift))
			return 2;
		found = rate;
	}
	if (!found.mult)
		return 0;
	*ret = found;
	return 1;
}
