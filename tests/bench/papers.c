// SPDX-License-Identifier: MIT
/* Fedotova, Siemens, Hu 2013; listing 5.3 of the thesis: the kernel sleeps all but one of its ticks. papers.h. */
#include "papers.h"

#include "stamp.h"

static inline __attribute__((always_inline)) void spin_until(hpt_clock *clk, int64_t target)
{
	while (bench_stamp(clk) < target)
		arch_relax();
}

int64_t hpt_bench_papers_sleep(hpt_clock *clk, int64_t ns, int64_t ticks, int64_t kernel_tick_ns)
{
	int64_t target = bench_stamp(clk) + ticks;

	if (ns >= kernel_tick_ns) {
		struct timespec ts = bench_timespec(ns - kernel_tick_ns);

		nanosleep(&ts, NULL);
	}
	spin_until(clk, target);
	return target;
}

int64_t hpt_bench_busy_wait(hpt_clock *clk, int64_t ticks)
{
	int64_t target = bench_stamp(clk) + ticks;

	spin_until(clk, target);
	return target;
}
