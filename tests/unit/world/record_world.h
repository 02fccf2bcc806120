/* SPDX-License-Identifier: MIT */
/* One clock in a fake world, its use, and checks of its times: for the tests of records. */
#ifndef HPT_TEST_RECORD_WORLD_H
#define HPT_TEST_RECORD_WORLD_H

#include <math.h>
#include <string.h>

#include "unit.h"

#include "clock/anchor.h"
#include "clock/default.h"
#include "clock/read.h"
#include "clock/timekeeper.h"
#include "rate/estimate.h"
#include "rate/kernel_rate.h"
#include "rate/next_record.h"
#include "fake_env.h"
#include "fake_source.h"
#include "hpt/hpt.h"

#define PS_PER_S  UINT64_C(1000000000000)
#define PS_PER_MS UINT64_C(1000000000)
#define NS_PER_S  INT64_C(1000000000)

/* A read of the clock and half a bracket: how far a time may be from the truth a moment after it is read. */
#define READ_NS 60

static struct hpt_clock clk;

static inline void new_clock(uint64_t tick_ps)
{
	world = (struct fake_world){
		.now_ps = 5 * PS_PER_S, .tick_ps = tick_ps, .tick_offset = 1000000007, .read_ps = 8000,
		.clock_ps = 24000, .clock_offset_ns = INT64_C(77000000000),
		.realtime_offset_ns = INT64_C(1700000000000000000),
	};
	memset(&clk, 0, sizeof(clk));
	fake_world_source(&clk.src, &fake_env);
	hpt_read_set(&clk);
	clk.at_load = hpt_booted()->status;
	hpt_anchor_take(&clk.src, &clk.anchor);
}

/* A counter that the kernel keeps time with, at 2300000 kHz. */
static inline void new_kernel_clock(void)
{
	new_clock(435);
	world.kernel_mult = 7294442;
	world.kernel_shift = 24;
	hpt_anchor_take(&clk.src, &clk.anchor);
	clk.is_clocksource = true;
}

/* The same, of 2596096 kHz, and it moves by 26 ticks at a time. */
static inline void new_staircase_clock(void)
{
	struct hpt_kernel_rate kernel = hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ);

	new_clock(385);
	world.kernel_mult = kernel.mult;
	world.kernel_shift = kernel.shift;
	world.staircase = 26;
	hpt_anchor_take(&clk.src, &clk.anchor);
	clk.is_clocksource = true;
}

static inline void pass(uint64_t ps)
{
	world.now_ps += ps;
}

static inline struct hpt_clock_info info(void)
{
	struct hpt_clock_info i;

	assert_int_equal(hpt_clock_get_info(&clk, &i, sizeof(i)), 0);
	return i;
}

static inline int64_t converted_now(void)
{
	int64_t unix_ns;

	assert_int_equal(hpt_time_to_unix_ns(&clk, hpt_now(&clk), &unix_ns), 0);
	return unix_ns;
}

/* Without a rate, conversions of ticks go by a guess, while the times that are read are the kernel's. */
static inline bool has_rate(void)
{
	struct hpt_clock_info i = info();

	return i.frequency_error_ppb != UINT32_MAX && i.state != HPT_STATE_DEMOTED;
}

/* Reads for a while at regular intervals. No time may be smaller than the one before in the same generation. */
static inline void use(uint64_t ps, uint64_t every_ps)
{
	uint64_t end = world.now_ps + ps, generation = hpt_clock_generation(&clk);
	int64_t last = hpt_now_ns(&clk), last_unix = hpt_now_unix_ns(&clk), last_converted = converted_now();
	bool had_rate = has_rate();

	while (world.now_ps < end) {
		int64_t now = hpt_now_ns(&clk), now_unix = hpt_now_unix_ns(&clk), converted = converted_now();
		uint64_t g = hpt_clock_generation(&clk);

		if (g == generation && (now < last || now_unix < last_unix || (had_rate && converted < last_converted)))
			fail_msg("generation %llu: %lld ns after %lld, Unix %lld after %lld, converted %lld after %lld",
				 (unsigned long long)g, (long long)now, (long long)last, (long long)now_unix,
				 (long long)last_unix, (long long)converted, (long long)last_converted);
		generation = g;
		had_rate = has_rate();
		last = now;
		last_unix = now_unix;
		last_converted = converted;
		pass(every_ps);
	}
}

/* Until the library takes samples only once a second. */
static inline void settle(void)
{
	use(4 * PS_PER_S, 50 * PS_PER_MS);
	assert_int_equal(hpt_clock_generation(&clk), 1);
}

static inline void assert_on_raw(int64_t within_ns)
{
	int64_t before = fake_world_true_ns(CLOCK_MONOTONIC_RAW), now = hpt_now_ns(&clk);
	int64_t after = fake_world_true_ns(CLOCK_MONOTONIC_RAW);

	if (now < before - within_ns || now > after + within_ns)
		fail_msg("%lld ns off", (long long)(now < before ? now - before : now - after));
}

static inline void assert_on_wall(int64_t within_ns)
{
	int64_t before = fake_world_true_ns(CLOCK_REALTIME), now = hpt_now_unix_ns(&clk);
	int64_t after = fake_world_true_ns(CLOCK_REALTIME);

	if (now < before - within_ns || now > after + within_ns)
		fail_msg("Unix time %lld ns off", (long long)(now < before ? now - before : now - after));
}

static inline void assert_state(uint32_t state, uint64_t generation)
{
	struct hpt_clock_info i = info();

	assert_int_equal(i.generation, generation);
	assert_int_equal(i.state, state);
}

/* Mostly small, now and then a preemption of up to 40 ms. */
static inline uint64_t jitter(void)
{
	if (random_below(50))
		return random_below(15000);
	return random_below(20) ? random_below(300000) : random_below(40 * PS_PER_MS);
}

static inline uint64_t ten_milliseconds(void)
{
	return 10 * PS_PER_MS;
}

static inline double true_uhz(void)
{
	double uhz = world.kernel_mult ? 1e15 / world.kernel_mult * (double)(UINT64_C(1) << world.kernel_shift) :
					 1e18 / (double)world.tick_ps;

	return uhz / (1 + (double)world.all.ppb / 1e9);
}

/* The published error contains the truth; a ppb more is rounding. */
static inline void assert_bound_holds(void)
{
	struct hpt_clock_info now = info();
	double off_ppb = (true_uhz() / (double)now.frequency_uhz - 1) * 1e9;

	if (now.frequency_error_ppb != UINT32_MAX && fabs(off_ppb) > now.frequency_error_ppb + 1.0)
		fail_msg("at %.6f s: %.1f ppb off, bound %u", (double)world.now_ps / 1e12, off_ppb,
			 (unsigned)now.frequency_error_ppb);
}

/* As use(), and the bound holds all the time. */
static inline void use_within_bound(uint64_t ps, uint64_t every_ps)
{
	every_ps *= is_emulated() ? 4 : 1;
	for (uint64_t end = world.now_ps + ps; world.now_ps < end; assert_bound_holds())
		use(every_ps, every_ps);
}

static inline void counter_goes(int64_t ticks)
{
	world.tick_offset += (uint64_t)ticks;
}

#endif
