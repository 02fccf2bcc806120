/* SPDX-License-Identifier: MIT */
/* Ways to sleep with known misses, and fakes of the parts of the command around a sweep. */
#ifndef HPT_TEST_FAKE_SLEEPS_H
#define HPT_TEST_FAKE_SLEEPS_H

#include "bench/sweep.h"

#define FAKE_CALLS_MAX 256

/* The sleeps, in order. A tick is a nanosecond here. */
struct fake_call {
	unsigned way;
	int64_t ns;
	int slack_ns;
};
extern struct fake_call fake_calls[FAKE_CALLS_MAX];
extern unsigned fake_n_calls;

/* Added to the known misses of hpt_sleep_until_ticks() and hpt_sleep_ns(). */
extern int64_t fake_until_late, fake_for_late;

/* worker_step(): number of calls, the call that returns false (0: none), and the arguments of the last. */
extern int fake_steps, fake_steps_wanted;
extern int64_t fake_step_done, fake_step_total;

/* 8, 4, 2, 1 ms; a jiffy is 4 ms. */
struct sweep_plan fake_plan(uint32_t rounds);

/* The papers' 18 lengths. */
struct sweep_plan fake_papers_plan(uint32_t rounds);

void fake_prepare(const struct sweep_plan *plan, struct sweep *ret);
void fake_run(struct sweep *s);

/* Both, and sweep_summarise() if a length is complete. */
void fake_sweep(const struct sweep_plan *plan, struct sweep *ret);

void fake_drop(struct sweep *s);

/* Resets the faults: no sleep is late or early, and no run is stopped. */
void fake_reset(void);

#endif
