/* SPDX-License-Identifier: MIT */
/* A machine whose counter moves in steps, and whose kernel keeps time with it: for the tests of rates. */
#ifndef HPT_TEST_STAIRCASE_WORLD_H
#define HPT_TEST_STAIRCASE_WORLD_H

#include <string.h>

#include "unit.h"

#include "rate/kernel_rate.h"
#include "source/source.h"
#include "wide.h"

#define PS_PER_MS UINT64_C(1000000000)

static struct {
	uint64_t now_ps, tick_ps, step;
	struct hpt_kernel_rate kernel;
	uint64_t fraction;           /* of a nanosecond, where CLOCK_MONOTONIC_RAW starts */
	uint64_t to_ps, from_ps;     /* between the counter's read and the clock's own, and back */
	uint64_t other_to_ps, other_from_ps; /* at another speed */
	uint64_t noise_ps;
	void (*disturb)(void);       /* called before each read */
	uint64_t cpu_shift[2];       /* ticks that each CPU's counter is ahead */
	int cpu;
} machine;

static inline uint64_t machine_counter(void)
{
	uint64_t shift = machine.cpu_shift[machine.cpu];

	return (machine.now_ps / machine.tick_ps + shift) / machine.step * machine.step + 1000000007 -
	       shift % machine.step;
}

static inline void machine_passes(uint64_t ps)
{
	machine.now_ps += ps + (machine.noise_ps ? random_below(machine.noise_ps) : 0);
	if (machine.disturb)
		machine.disturb();
}

static inline uint64_t machine_read(const struct hpt_source *src)
{
	uint64_t tick = machine_counter();

	(void)src;
	machine_passes(machine.to_ps);
	return tick;
}

static inline int64_t machine_clock(clockid_t id)
{
	struct hpt_kernel_rate k = machine.kernel;
	uint64_t ticks = machine_counter(), part = ticks * k.mult & ((UINT64_C(1) << k.shift) - 1);
	int64_t ns = (int64_t)(wide_shifted(ticks, k.mult, k.shift) + ((part + machine.fraction) >> k.shift));

	(void)id;
	machine_passes(machine.from_ps);
	return ns;
}

static inline struct hpt_source machine_source(void)
{
	return (struct hpt_source){ .read = machine_read, .read_unordered = machine_read, .clock_ns = machine_clock };
}

#endif
