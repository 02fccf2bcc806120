// SPDX-License-Identifier: MIT
/* Compares the cost of libc's clock with that of the system call: lib/machine/virtual_clock.h. */
#include "machine/virtual_clock.h"

#include "arch/arch.h"

/* A batch is long enough for a timer with steps of 1 us; the shortest of the batches is free of interruptions. */
#define CALLS   16
#define BATCHES 4

static COLD int64_t shortest_ns(hpt_clock_ns_fn *clock, hpt_clock_ns_fn *timer, clockid_t id)
{
	int64_t shortest = INT64_MAX;

	for (int b = 0; b < BATCHES; b++) {
		int64_t start = timer(CLOCK_MONOTONIC), ns;

		for (int i = 0; i < CALLS; i++)
			clock(id);
		ns = timer(CLOCK_MONOTONIC) - start;
		if (ns < shortest)
			shortest = ns;
	}
	return shortest;
}

COLD bool hpt_clock_is_virtual(const struct hpt_env *env, hpt_clock_ns_fn *timer, clockid_t id)
{
	return shortest_ns(env->clock_ns, timer, id) * 2 < shortest_ns(env->clock_ns_syscall, timer, id);
}
