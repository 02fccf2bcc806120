/* SPDX-License-Identifier: MIT */
/* Sets of CPUs: those that this machine has online, those that a thread may run on; and threads bound to one CPU. */
#ifndef HPT_TOOLS_CPUS_H
#define HPT_TOOLS_CPUS_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

/*
 * Eight times the most CPUs that any kernel can be built for (NR_CPUS: 8192 on x86-64 and POWER). cpu_set_t has 1024,
 * and sched_getaffinity(2) refuses a set that is smaller than the kernel's own.
 */
#define CPUS_COUNT_MAX (1 << 16)

/* musl's CPU_SETSIZE is in bytes. */
struct cpus {
	cpu_set_t set[CPUS_COUNT_MAX / (8 * sizeof(cpu_set_t))];
};

/* The CPUs that the calling thread may run on. Returns 0 or -errno. */
int cpus_of_thread(struct cpus *ret);

/*
 * All CPUs of the machine that are online, whatever this process may use. Returns 0, or -ENOENT: neither /sys nor /proc
 * shows them.
 */
int cpus_online(struct cpus *ret);

/* Parses a list as the kernel writes it: "0-3,8". Returns 0 or -EINVAL. */
int cpus_parse(const char *text, struct cpus *ret);

int cpus_count(const struct cpus *cpus);
bool cpus_has(const struct cpus *cpus, int cpu);
void cpus_add(struct cpus *cpus, int cpu);

/* The first CPU of the set after this one; -1: there is none. Begin with -1. */
int cpus_next(const struct cpus *cpus, int cpu);

/* Lets a thread run on these CPUs alone. Returns 0 or -errno. */
int cpus_bind(pthread_t thread, const struct cpus *cpus);

/* The same with one CPU; -1 is none, and refused. */
int cpus_bind_to(pthread_t thread, int cpu);

/* Lets the calling thread run on this CPU alone, where it is on return. Returns 0 or -errno. */
int cpus_move_to(int cpu);

/*
 * May a thread of this process run on that CPU? It may on CPUs outside of the mask that the process began with, as
 * isolated ones are, unless a cpuset forbids it. Nothing runs there: the CPU may be one that another program never
 * gives up. Returns 0, or -errno: -EINVAL is a cpuset's answer, and that of a CPU that is not online.
 */
int cpus_try(int cpu);

#endif
