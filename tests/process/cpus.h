/* SPDX-License-Identifier: MIT */
/* Threads on CPUs of their own: left to itself the kernel may run two that should meet in turns. */
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

/* The n-th CPU that we may run on, or -1. */
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
