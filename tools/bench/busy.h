/* SPDX-License-Identifier: MIT */
/* Busy threads that compete with a measurement for the CPUs. */
#ifndef HPT_BENCH_BUSY_H
#define HPT_BENCH_BUSY_H

#include "cli/cpus.h"

#define HPT_BUSY_MAX 1024

struct hpt_busy;

/*
 * Starts @n threads that never sleep, 0 .. HPT_BUSY_MAX. The scheduler may move each of them among the @allowed CPUs.
 * Returns 0, or a negative errno with no thread left.
 */
int hpt_busy_start(unsigned n, const struct hpt_cpus *allowed, struct hpt_busy **ret);

/* Ends the threads and waits for them. */
void hpt_busy_stop(struct hpt_busy *b);

#endif
