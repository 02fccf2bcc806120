/* SPDX-License-Identifier: MIT */
/* Pins threads to CPUs. Without that the kernel may run two threads in turns that should run at the same time. */
#ifndef HPT_PROCESS_PIN_H
#define HPT_PROCESS_PIN_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

/* The kernel refuses to fill a set that is smaller than its own, and cpu_set_t has 1024 CPUs. */
#define CPUS_MAX 65536

static inline bool pin(int cpu)
{
	cpu_set_t set[CPUS_MAX / CPU_SETSIZE] = { 0 };

	CPU_SET_S((size_t)cpu, sizeof(set), set);
	return !pthread_setaffinity_np(pthread_self(), sizeof(set), set);
}

/* Returns the n-th CPU that this thread may run on, or -1. */
static inline int allowed_cpu(int n)
{
	cpu_set_t set[CPUS_MAX / CPU_SETSIZE] = { 0 };

	if (sched_getaffinity(0, sizeof(set), set))
		return -1;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (CPU_ISSET_S((size_t)cpu, sizeof(set), set) && n-- == 0)
			return cpu;
	return -1;
}

#endif
