/* SPDX-License-Identifier: MIT */
/* What the running kernel offers a thread that sleeps: a time slice of its own, and requests that keep CPUs awake. */
#ifndef HPT_TOOLS_KERNEL_AIDS_H
#define HPT_TOOLS_KERNEL_AIDS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/out.h"

enum offer { OFFER_ABSENT, OFFER_DENIED, OFFER_PERMITTED };

struct kernel_aids {
	int policy;                     /* this thread's SCHED_; -1: unknown */
	int64_t slice_ns;               /* its time slice; 0: the kernel or the policy has no slices that can be set */
	bool has_slice_timer;           /* a timer ends slices on time; false: the next jiffy does */
	/* Requests for low latency, by the caller's permissions: */
	enum offer all_cpus;        /* of all CPUs */
	enum offer one_cpu;         /* of one CPU */
	enum offer from_suspend;    /* of all CPUs, in suspend-to-idle too (Linux 6.19) */
};

/*
 * Changes nothing. @root is put before the paths of files, "" for this machine's; @cpu is the CPU whose requests are
 * meant, @release the kernel's as uname(2) has it.
 */
void kernel_aids_find(const char *root, int cpu, const char *release, struct kernel_aids *ret);

/* The same for this machine, and the CPU that the thread is on. */
void kernel_aids_get(struct kernel_aids *ret);

void kernel_aids_json(json_t *object, const struct kernel_aids *a);
void kernel_aids_table(struct libscols_table *tb, const struct kernel_aids *a);

#endif
