/* SPDX-License-Identifier: MIT */
/* Busy threads that compete with a measurement for the CPUs. */
#ifndef HPT_TOOLS_BUSY_H
#define HPT_TOOLS_BUSY_H

#include "cli/cpus.h"

#define BUSY_MAX 1024

struct busy;

/*
 * Starts @n threads that never sleep, 0 .. BUSY_MAX. The scheduler may move each of them among the @allowed CPUs.
 * Returns 0, or a negative errno with no thread left.
 */
int busy_start(unsigned n, const struct cpus *allowed, struct busy **ret);

/* Ends the threads and waits for them. */
void busy_stop(struct busy *b);

#endif
