/* SPDX-License-Identifier: MIT */
/* A phase of interrupts with known latencies. */
#ifndef HPT_TEST_FAKE_WAKES_H
#define HPT_TEST_FAKE_WAKES_H

#include "unit.h"

#include "bench/wakes.h"

/* The values after the complete rounds must not be read. */
static int64_t fake_latencies[] = { 5000, 1000, 9000, 3000, 7000, INT64_MAX, INT64_MAX };
static int64_t fake_costs[] = { 10, 30, 20, 50, 40, INT64_MIN, INT64_MIN };

static inline struct wakes fake_wakes(uint32_t done)
{
	return (struct wakes){
		.n_phases = 1, .sleeper_cpu = 1,
		.phases = { { .name = "spin", .asleep_ns = 4000, .rounds = COUNT(fake_latencies), .rounds_done = done,
			      .n_ways = 1, .ways = { { .name = "one", .latency_ps = fake_latencies,
						       .cost_ps = fake_costs } } } },
	};
}

#endif
