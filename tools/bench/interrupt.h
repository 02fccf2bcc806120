/* SPDX-License-Identifier: MIT */
/* How soon an interrupt ends a sleep on another CPU, beside what else one can wake a thread with. */
#ifndef HPT_BENCH_INTERRUPT_H
#define HPT_BENCH_INTERRUPT_H

#include <sched.h>

#include "bench/wakes_run.h"

/* Makes room, and what is slept on. 0 or a negative errno; then nothing is left behind. */
int hpt_interrupt_prepare(struct hpt_wakes *s);

/* ns that all phases are expected to take. */
int64_t hpt_interrupt_estimate_ns(const struct hpt_wakes *s);

/* With the sleeper on one of these CPUs, which we are not on. False: leave off. */
bool hpt_interrupt_measure(struct hpt_wakes_run *run, const cpu_set_t *allowed);

/* Gives back what is slept on; not the samples. */
void hpt_interrupt_end(void);

#endif
