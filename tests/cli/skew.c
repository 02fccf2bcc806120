// SPDX-License-Identifier: MIT
/* For LD_PRELOAD: the counter of CPU SKEW_CPU is SKEW_TICKS ahead. */
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

#include <hpt/hpt.h>

static hpt_time_t (*real_now)(hpt_clock *clk);
static long long skew_ticks;
static int skew_cpu;

__attribute__((constructor)) static void start(void)
{
	const char *ticks = getenv("SKEW_TICKS"), *cpu = getenv("SKEW_CPU");

	real_now = (hpt_time_t (*)(hpt_clock *))dlsym(RTLD_NEXT, "hpt_now");
	skew_ticks = ticks ? atoll(ticks) : 0;
	skew_cpu = cpu ? atoi(cpu) : -1;
}

hpt_time_t hpt_now(hpt_clock *clk)
{
	hpt_time_t now = real_now(clk);

	return sched_getcpu() == skew_cpu ? now + skew_ticks : now;
}
