// SPDX-License-Identifier: MIT
/* Chooses the clock of a stopwatch, waits for its rate, and converts its ticks: tools/cli/stopwatch.h. */
#include "cli/stopwatch.h"

#include <math.h>
#include <time.h>

#include "hpt/system.h"

#include "cli/facts.h"
#include "math/units.h"

/* Over this many ticks the conversion to whole nanoseconds is exact to a millionth of a tick. */
#define TICKS_MANY INT64_C(1000000000)

static bool has_rdtscp(void)
{
#ifdef HPT_ARCH_X86
	struct hpt_cpu_info cpu;

	return !hpt_cpu_get_info(&cpu, sizeof(cpu)) && cpu.rdtscp;
#else
	return false;
#endif
}

static struct stopwatch stopwatch_on(hpt_clock *clk)
{
	struct hpt_clock_info info = clock_facts(clk);

	return (struct stopwatch){
		.clk = clk, .source = info.source, .reason = info.reason, .is_vetoed = info.flags & HPT_CLOCK_VETOED,
		.is_tsc = info.source == HPT_SOURCE_TSC && has_rdtscp(),
	};
}

struct stopwatch stopwatch_of_default(void)
{
	return stopwatch_on(hpt_clock_default());
}

struct stopwatch stopwatch_finest(void)
{
	static hpt_clock *tsc;
	struct stopwatch own = stopwatch_of_default();

	if (own.source == HPT_SOURCE_TSC || (!tsc && hpt_clock_open(HPT_SOURCE_TSC, 0, &tsc)))
		return own;
	return stopwatch_on(tsc);
}

struct stopwatch stopwatch_sound(void)
{
	struct stopwatch finest = stopwatch_finest();

	return finest.is_vetoed ? stopwatch_of_default() : finest;
}

/* ---- Time ------------------------------------------------------------------------------------------------------- */

int64_t stopwatch_os_ns(int clock_id)
{
	struct timespec ts = { 0 };

	clock_gettime((clockid_t)clock_id, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

void stopwatch_await_rate(hpt_clock *clk)
{
	struct timespec ts = { STOPWATCH_RATE_NS / NS_PER_S, STOPWATCH_RATE_NS % NS_PER_S };

	hpt_now_ns(clk);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	hpt_now_ns(clk);
}

int64_t stopwatch_to_ps(hpt_clock *clk, int64_t ticks)
{
	double ns_per_tick = (double)hpt_ticks_to_ns(clk, TICKS_MANY) / (double)TICKS_MANY;

	return (int64_t)llround((double)ticks * ns_per_tick * 1000);
}
