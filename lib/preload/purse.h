/* SPDX-License-Identifier: MIT */
/* The CPU time that all threads of a process may spin together: one token bucket, without a lock. */
#ifndef HPT_PURSE_H
#define HPT_PURSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of a rate, in thousandths of a CPU: no limit. */
#define HPT_PURSE_ANY UINT32_MAX

/* What can be saved up is the gain of this time: at 25 % of a CPU 10 ms, as much as a thread has of its own. */
#define HPT_PURSE_SAVED_NS 40000000

/* The debt is at most what this time makes up for. */
#define HPT_PURSE_DEBT_NS 1000000000

/* Zeros: of no process. Any thread or signal handler may call the functions at any time. */
struct hpt_purse {
	_Atomic uint32_t process; /* that it is counted for, as hpt_process() */
	_Atomic int64_t saved_ns; /* negative: more was spun than there was */
	_Atomic int64_t last_ns;  /* CLOCK_MONOTONIC to which gains are counted */
};

/*
 * Adds the gain since the latest call, at so many thousandths of a CPU, and takes off what a thread spun. A process
 * that is new, as a forked child, begins with all that can be saved up. True: there is something to spend.
 */
bool hpt_purse_pay(struct hpt_purse *p, uint32_t process, int64_t now_ns, uint32_t millicpus, int64_t spun_ns);

#endif
