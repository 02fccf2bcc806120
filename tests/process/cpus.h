/* SPDX-License-Identifier: MIT */
/* Pins threads to CPUs. Without that the kernel may run two threads in turns that should run at the same time. */
#ifndef HPT_PROCESS_CPUS_H
#define HPT_PROCESS_CPUS_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static inline bool pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return !pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* Returns the n-th CPU that this thread may run on, or -1. */
static inline int allowed_cpu(int n)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &set) && n-- == 0)
			return cpu;
	return -1;
}

#endif
