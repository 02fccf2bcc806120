/* SPDX-License-Identifier: MIT */
/* How soon an interrupt ends a sleep on another CPU, compared with other ways to wake a thread. */
#ifndef HPT_TOOLS_INTERRUPT_H
#define HPT_TOOLS_INTERRUPT_H

#include <sched.h>

#include "bench/wakes_run.h"

/* Allocates the samples, and makes the objects to sleep on. Returns 0, or a negative errno without having made any. */
int interrupt_prepare(struct wakes *s);

/* The expected time of all phases, in ns. */
int64_t interrupt_estimate_ns(const struct wakes *s);

/* Measures with the sleeper on one of these CPUs, other than the waker's. False: the run must stop. */
bool interrupt_measure(struct wakes_run *run, const struct cpus *allowed);

/* Releases the objects to sleep on, not the samples. */
void interrupt_end(void);

#endif
