/* SPDX-License-Identifier: MIT */
/* What the kernel allows of CPU time, but for quotas (machine/quota.h). The questions are system calls. */
#ifndef HPT_CPU_TIME_H
#define HPT_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* The CPUs that the calling thread or the process's first one may run on; 1 where that cannot be asked. */
uint32_t hpt_cpu_time_cpus(void);

/* True: the calling thread may run on one CPU alone, or that cannot be asked. */
bool hpt_cpu_time_is_pinned(void);

/* The soft RLIMIT_RTTIME; INT64_MAX: none, or not known. */
int64_t hpt_cpu_time_rttime_ns(void);

/* The calling thread's scheduling class, SCHED_, without SCHED_RESET_ON_FORK; or -errno. */
int hpt_cpu_time_class(void);

/*
 * The calling thread's time slice; 0: the kernel has none for each thread (before Linux 6.12), or the thread has a
 * seccomp filter, which might kill it.
 */
int64_t hpt_cpu_time_slice_ns(void);

/*
 * Sets it to ns, 0: the kernel's own, if it is was_ns; was_ns 0: whatever it is. Returns the slice before, also where
 * that is another; 0: this thread has no slice that could be set. May change errno.
 */
int64_t hpt_cpu_time_change_slice_ns(int64_t was_ns, int64_t ns);

/* Sets it; 0: the kernel's own. 0, -ENOTSUP where there are none, or another -errno. May change errno. */
int hpt_cpu_time_set_slice_ns(int64_t ns);

/* True: the calling thread has a seccomp filter, or that cannot be asked. */
bool hpt_cpu_time_is_filtered(void);

#endif
