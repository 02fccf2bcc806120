// SPDX-License-Identifier: MIT
/* Opens the stopwatch's clock, waits for its rate, and converts its ticks: tools/bench/stopwatch.h. */
#include "bench/stopwatch.h"

#include <math.h>
#include <time.h>

#include "units.h"

/* Over this many ticks the conversion to whole nanoseconds is exact to a millionth of a tick. */
#define TICKS_MANY INT64_C(1000000000)

bool hpt_stopwatch_is_tsc;

hpt_clock *hpt_stopwatch_clock(void)
{
	static hpt_clock *opened;
	struct hpt_clock_info info;

	if (opened)
		return opened;
	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &opened))
		return opened = hpt_clock_default();
#ifdef HPT_ARCH_X86
	/* The clock reads by RDTSCP only where the processor has it. */
	struct hpt_cpu_info cpu;

	hpt_stopwatch_is_tsc = !hpt_clock_get_info(opened, &info, sizeof(info)) && info.source == HPT_SOURCE_TSC &&
			   !hpt_cpu_get_info(&cpu, sizeof(cpu)) && cpu.rdtscp;
#else
	(void)info;
#endif
	return opened;
}

int64_t hpt_os_ns(int clock_id)
{
	struct timespec ts = { 0 };

	clock_gettime((clockid_t)clock_id, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

void hpt_stopwatch_await_rate(hpt_clock *clk)
{
	struct timespec ts = { HPT_STOPWATCH_RATE_NS / NS_PER_S, HPT_STOPWATCH_RATE_NS % NS_PER_S };

	hpt_now_ns(clk);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	hpt_now_ns(clk);
}

int64_t hpt_stopwatch_ps(hpt_clock *clk, int64_t ticks)
{
	double ns_per_tick = (double)hpt_ticks_to_ns(clk, TICKS_MANY) / (double)TICKS_MANY;

	return (int64_t)llround((double)ticks * ns_per_tick * 1000);
}
