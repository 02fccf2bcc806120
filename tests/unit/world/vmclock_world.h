/* SPDX-License-Identifier: MIT */
/* The source VMCLOCK with a page that the test fills in, and a counter that stands where the test puts it. */
#ifndef HPT_TEST_VMCLOCK_WORLD_H
#define HPT_TEST_VMCLOCK_WORLD_H

#include <string.h>

#include "unit.h"

#include "arch/arch.h"
#include "clock/clock.h"
#include "fake_env.h"
#include "source/arch_counter.h"
#include "source/tsc.h"
#include "vmclock_page.h"
#include "wall/vmclock.h"

#define NS_PER_S   INT64_C(1000000000)
#define NOW_S      INT64_C(1700000000)
#define GHZ_PERIOD UINT64_C(0x89705F4136B4A597) /* 1 ns with shift 29: an example in UAPI.13 */
#define GHZ_SHIFT  29

#ifdef HPT_ARCH_X86
#define OWN_OPS hpt_source_tsc
#else
#define OWN_OPS hpt_source_arch
#endif

typedef void hook_fn(void);

static struct hpt_clock clk;
static struct hpt_wall_config config;
static _Alignas(8) uint32_t page[1024];
static struct vmclock_page p;
static uint64_t counter;
static hook_fn *read_hook; /* called by each read */

static inline uint64_t read_counter(const struct hpt_source *src)
{
	(void)src;
	if (read_hook)
		read_hook();
	return counter;
}

/* The page has numbers for the counters of x86 and Arm only. */
#ifdef ARCH_VMCLOCK_COUNTER
static const bool has_counter = true;
static const uint8_t own_counter = ARCH_VMCLOCK_COUNTER;
#else
static const bool has_counter = false;
static const uint8_t own_counter = 0;
#endif

/* A page that states a bound: a counter of 1 GHz, 50 ppb, a microsecond. */
static inline int setup(void **state)
{
	memset(&clk, 0, sizeof(clk));
	memset(&config, 0, sizeof(config));
	memset(page, 0, sizeof(page));
	clk.src.ops = &OWN_OPS;
	clk.src.read = read_counter;
	clk.src.env = &fake_env;
	read_hook = NULL;
	counter = 5000000000000;
	p = (struct vmclock_page){
		.magic = VMCLOCK_MAGIC, .size = 4096, .version = 1, .counter_id = own_counter,
		.time_type = 0, .seq_count = 4, .disruption_marker = UINT64_C(0x1122334455667788),
		.flags = VMCLOCK_FLAG_PERIOD_MAX | VMCLOCK_FLAG_TIME_MAX, .clock_status = VMCLOCK_STATUS_SYNCHRONIZED,
		.counter_period_shift = GHZ_SHIFT, .counter_value = 5000000000000 - 1000000000,
		.counter_period_frac_sec = GHZ_PERIOD, .counter_period_maxerror_rate_frac_sec = GHZ_PERIOD / 20000000,
		.time_sec = NOW_S, .time_maxerror_nanosec = 1000,
	};
	return fake_env_setup(state);
}

static inline void assert_reason(uint32_t reason)
{
	struct hpt_wall_ask question = { .clk = &clk, .config = &config, .vmclock = page };
	struct hpt_wall_reading reading = { .leap = HPT_WALL_LEAP_UNKNOWN };

	vmclock_encode(&p, page);
	assert_int_equal(hpt_wall_vmclock.ask(&question, &reading), reason);
	assert_int_equal(question.error, 0);
}

static inline struct hpt_wall_reading good(void)
{
	struct hpt_wall_ask question = { .clk = &clk, .config = &config, .vmclock = page };
	struct hpt_wall_reading reading = { .leap = HPT_WALL_LEAP_UNKNOWN };

	vmclock_encode(&p, page);
	assert_int_equal(hpt_wall_vmclock.ask(&question, &reading), HPT_WALL_REASON_NONE);
	return reading;
}

#endif
