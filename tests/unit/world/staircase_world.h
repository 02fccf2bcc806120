/* SPDX-License-Identifier: MIT */
/* A machine whose counter moves in steps, and whose kernel keeps time with it: for the tests of rates. */
#ifndef HPT_TEST_STAIRCASE_WORLD_H
#define HPT_TEST_STAIRCASE_WORLD_H

#include <string.h>

#include "unit.h"

#include "math/scale.h"
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
	uint64_t step_ps, per_step;  /* machine_steps() fills in: of a step, and 2^64 / step_ps */
} machine;

/* Half of the time of a simulation went into divisions, at each read: this multiplies instead. */
static inline uint64_t machine_steps(uint64_t ps)
{
	uint64_t step_ps = machine.tick_ps * machine.step, steps;

	if (machine.step_ps != step_ps) {
		machine.step_ps = step_ps;
		machine.per_step = UINT64_MAX / step_ps;
	}
	(void)hpt_mul_wide(ps, machine.per_step, &steps);
	/* per_step is rounded down, and ps far below 2^63: the product is at most one step less. */
	return steps + (ps - steps * step_ps >= step_ps);
}

/* The latest step. It was ps / tick_ps + shift, rounded down to steps. */
static inline uint64_t machine_counter(void)
{
	uint64_t shift = machine.cpu_shift[machine.cpu];

	return machine_steps(machine.now_ps + shift * machine.tick_ps) * machine.step + 1000000007 -
	       (shift ? shift % machine.step : 0);
}

/* As random_below(), without its division. */
static inline uint64_t random_part(uint64_t n)
{
	uint64_t hi;

	(void)hpt_mul_wide(random_u64(), n, &hi);
	return hi;
}

static inline void machine_passes(uint64_t ps)
{
	machine.now_ps += ps + random_part(machine.noise_ps);
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
