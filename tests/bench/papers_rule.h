/* SPDX-License-Identifier: MIT */
/*
 * The papers' sleep (Fedotova, Siemens, Hu 2013): in the kernel for all but one jiffy, then a spin. In a library of its
 * own, as theirs was and as libhpt is, and in the program's text.
 */
#ifndef HPT_BENCH_PAPERS_RULE_H
#define HPT_BENCH_PAPERS_RULE_H

#include <stdint.h>
#include <time.h>

#include "arch/arch.h"

struct papers_sleep {
	int64_t ns, ticks, jiffy_ns;
};

static inline uint64_t papers_tick(void)
{
#ifdef HPT_ARCH_X86
	return arch_rdtscp();
#elif defined(HPT_ARCH_COUNTER)
	return arch_counter_ordered();
#else
	return 0;
#endif
}

static inline void papers_rule_inline(const struct papers_sleep *asked)
{
	uint64_t target = papers_tick() + (uint64_t)asked->ticks;

	if (asked->ns >= asked->jiffy_ns) {
		int64_t ns = asked->ns - asked->jiffy_ns;
		struct timespec ts = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

		nanosleep(&ts, NULL);
	}
	while ((int64_t)(papers_tick() - target) < 0)
		arch_relax();
}

/* The same, in the library. */
void papers_rule(const struct papers_sleep *asked);

#endif
