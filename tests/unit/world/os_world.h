/* SPDX-License-Identifier: MIT */
/* A clock on the OS source in the fake world, whose libc's clocks another object may have replaced. */
#ifndef HPT_TEST_OS_WORLD_H
#define HPT_TEST_OS_WORLD_H

#include "sleep_world.h"
#include "source/os.h"

#define YEARS_NS (10 * 365 * 24 * 3600 * NS_PER_S)

/* libc's clocks: the true time plus a shift; from replaced_ps on they run at so many per cent of its rate. */
static int64_t shift_ns, percent;
static uint64_t replaced_ps; /* 0: never */

static inline int64_t libc_clock(clockid_t id)
{
	int64_t ns = fake_world_clock(id);

	if (!ns || !replaced_ps)
		return ns ? ns + shift_ns : 0;
	return (int64_t)(replaced_ps / 1000) + world.clock_offset_ns + shift_ns +
	       (int64_t)(world.now_ps - replaced_ps) / 100000 * percent;
}

static inline uint64_t os_read(const struct hpt_source *src)
{
	int saved = errno;
	uint64_t ns = (uint64_t)src->clock_ns(CLOCK_MONOTONIC);

	errno = saved;
	return ns;
}

/* Nothing has used it yet. */
static inline void make_os(int64_t ahead_ns)
{
	fake_env_reset();
	shift_ns = ahead_ns;
	replaced_ps = 0;
	new_clock(1000);
	clk.src.read = clk.src.read_unordered = os_read;
	clk.src.clock_ns = libc_clock;
	clk.src.ops = &hpt_source_os;
	clk.src.rate = (struct hpt_rate){ 1, 1, HPT_UHZ_PER_GHZ, 0, HPT_ORIGIN_EXACT, false };
	hpt_read_set(&clk);
	fake_kernel_reset();
	kernel.late_ns = LATE_NS;
	end_contention();
	eventcount = (struct hpt_eventcount){ 0 };
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
}

static inline void begin_os(int64_t ahead_ns)
{
	make_os(ahead_ns);
	train();
}

static inline void run_at(int64_t percent_of_true)
{
	percent = percent_of_true;
	replaced_ps = world.now_ps;
}

static inline void freeze(void)
{
	run_at(0);
}

#endif
