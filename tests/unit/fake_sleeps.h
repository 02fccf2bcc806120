/* SPDX-License-Identifier: MIT */
/* Ways to sleep whose misses are known, and stand-ins for what the command has around a sweep. */
#ifndef HPT_TEST_FAKE_SLEEPS_H
#define HPT_TEST_FAKE_SLEEPS_H

#include "bench/sweep.h"

#define FAKE_CALLS_MAX 256

/* What was slept, in order. Ticks are nanoseconds here. */
struct fake_call {
	unsigned way;
	int64_t ns;
	int slack_ns;
	unsigned threads;
};
extern struct fake_call fake_calls[FAKE_CALLS_MAX];
extern unsigned fake_n_calls;

/* On top of what hpt_sleep_until() and hpt_sleep_ns() miss by anyway. */
extern int64_t fake_until_late, fake_for_late;

/* hpt_worker_step(): calls, the one that says to leave off (0: none), and what the last was told. */
extern int fake_steps, fake_steps_wanted;
extern int64_t fake_step_done, fake_step_total;

/* 8, 4, 2, 1 ms; the kernel's tick is 4 ms. */
struct hpt_sweep_plan fake_plan(uint32_t rounds);

void fake_prepare(const struct hpt_sweep_plan *plan, struct hpt_sweep *ret);
void fake_run(struct hpt_sweep *s);

/* Both, and hpt_sweep_summarise() of whole rounds. */
void fake_sweep(const struct hpt_sweep_plan *plan, struct hpt_sweep *ret);

void fake_drop(struct hpt_sweep *s);

/* Of this process. */
unsigned fake_count_threads(void);

/* Nothing is late, early or broken off. */
void fake_reset(void);

#endif
