// SPDX-License-Identifier: MIT
/*
 * A program with a table of drivers, a table of contacts and a world of its own: the own counter and the OS clock of
 * the real machine, and nothing of another device. tests/ci/linked.py looks at what the linker took into this program.
 */
#include <errno.h>
#include <time.h>

#include "unit.h"

#include "clock/world.h"
#include "hpt/hpt.h"
#include "machine/file_read.h"
#include "machine/live_calls.h"
#include "machine/sys_clock.h"
#include "source/arch_counter.h"
#include "source/drivers.h"
#include "source/find.h"
#include "source/os.h"
#include "source/tsc.h"

#define NEAR_NS 1000000 /* 1 ns was measured on x86-64; a rate that is known to 500 ppm is off by this after 2 s */

const struct hpt_source_ops *const hpt_drivers[HPT_SOURCE_IDS] = {
#ifdef HPT_ARCH_X86
	&hpt_source_tsc,
#endif
#ifdef HPT_ARCH_COUNTER
	&hpt_source_arch,
#endif
	&hpt_source_os,
	NULL,
};

static const struct hpt_env two_sources = {
	.cpuid = hpt_live_cpuid,
	.cached_cpu = hpt_live_cached_cpu,
	.tsc_forbidden = hpt_live_tsc_forbidden,
	.clock_ns = hpt_live_clock_ns,
	.clock_ns_syscall = hpt_live_clock_ns_syscall,
	.read_os = hpt_live_read_os,
	.kernel_ns = hpt_sys_clock_ns,
	.try_clock = hpt_live_try_clock,
	.open = hpt_path_open,
	.coarse_step_ns = hpt_live_coarse_step_ns,
	.getenv = hpt_live_getenv,
	.auxval = hpt_live_auxval,
	.counter_hz = hpt_live_counter_hz,
};

const struct hpt_world hpt_world = { .env = &two_sources, .choose = hpt_choose };

/* The kernel's clock that this one follows: the OS clock is CLOCK_MONOTONIC itself. */
static int64_t kernels_ns(hpt_clock *clk)
{
	struct hpt_clock_info info = { 0 };
	int64_t ns = 0;

	assert_int_equal(hpt_clock_get_info(clk, &info, sizeof(info)), 0);
	assert_true(info.source == HPT_SOURCE_OWN || info.source == HPT_SOURCE_OS);
	assert_true(hpt_sys_clock_ns(info.source == HPT_SOURCE_OS ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW, &ns));
	return ns;
}

/* A value that was read between two others, however far they are apart. */
static void assert_between(int64_t before_ns, int64_t ns, int64_t after_ns)
{
	if (ns < before_ns - NEAR_NS || ns > after_ns + NEAR_NS)
		fail_msg("%lld ns, read between %lld and %lld", (long long)ns, (long long)before_ns,
			 (long long)after_ns);
}

static void table_is_the_programs(void **state)
{
	hpt_clock *clk;

	(void)state;
	assert_ptr_equal(hpt_source_find(HPT_SOURCE_OS), &hpt_source_os);
	assert_null(hpt_source_find(HPT_SOURCE_HPET));
	assert_null(hpt_source_find(HPT_SOURCE_MMIO));
	assert_int_equal(hpt_clock_open(HPT_SOURCE_HPET, 0, &clk), -ENODEV);
}

static void is_near_the_kernels(hpt_clock *clk)
{
	int64_t before_ns = kernels_ns(clk), ns = hpt_now_ns(clk);

	assert_between(before_ns, ns, kernels_ns(clk));
}

static void time_passes(hpt_clock *clk)
{
	int64_t before_ns = kernels_ns(clk), ns = hpt_now_ns(clk);
	hpt_time_t tick = hpt_now(clk);

	is_near_the_kernels(clk);
	while (kernels_ns(clk) - before_ns < 1000000)
		;
	assert_true(hpt_now(clk) > tick);
	is_near_the_kernels(clk);
	assert_true(hpt_now_ns(clk) > ns);
}

static void converts(hpt_clock *clk)
{
	int64_t before_ns = hpt_now_ns(clk), ns, by_base_ns;
	hpt_time_t tick = hpt_now(clk), back;
	struct hpt_timebase base;

	assert_int_equal(hpt_time_to_ns(clk, tick, &ns), 0);
	assert_between(before_ns, ns, hpt_now_ns(clk));
	assert_int_equal(hpt_time_from_ns(clk, ns, &back), 0);
	assert_between(0, hpt_ticks_to_ns(clk, back - tick), 0);
	assert_int_equal(hpt_clock_get_timebase(clk, &base, sizeof(base)), 0);
	assert_int_equal(hpt_timebase_to_ns(&base, NULL, &tick, &by_base_ns, 1), 0);
	assert_between(ns, by_base_ns, ns);
}

static void chosen_clock_reads_and_converts(void **state)
{
	(void)state;
	time_passes(NULL);
	converts(NULL);
}

static void opened_clock_reads_and_converts(void **state)
{
	hpt_clock *clk;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &clk), 0);
	time_passes(clk);
	converts(clk);
	hpt_clock_close(clk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_the_programs),
		cmocka_unit_test(chosen_clock_reads_and_converts),
		cmocka_unit_test(opened_clock_reads_and_converts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
