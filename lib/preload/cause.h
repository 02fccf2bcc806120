/* SPDX-License-Identifier: MIT */
/* What made a wait end late, by what a process may read: pure. */
#ifndef HPT_CAUSE_H
#define HPT_CAUSE_H

#include <stdint.h>

enum hpt_cause {
	HPT_CAUSE_UNKNOWN,
	HPT_CAUSE_SLACK,     /* the kernel may end the wait later, by the timer slack */
	HPT_CAUSE_IDLE,      /* the CPU had to leave an idle state, or the host to wake a virtual one */
	HPT_CAUSE_RUN_QUEUE, /* other threads had the CPU */
	HPT_CAUSE_QUOTA,     /* a control group had used up its CPU time */
	HPT_CAUSE_STEAL,     /* the host ran others on the CPU */
	HPT_CAUSE_STOPPED,   /* the thread was stopped by a signal or a debugger, or frozen */
	HPT_CAUSE_SUSPEND,   /* the machine slept */
	HPT_CAUSE_TICK,      /* the kernel's timers end at ticks alone */
	HPT_CAUSES
};

/* Of one wait. 0: none, or not known. */
struct hpt_evidence {
	int64_t  late_ns;
	int64_t  slack_ns;     /* by which the kernel may be late */
	int64_t  tick_ns;      /* the resolution of the kernel's timers */
	int64_t  idle_exit_ns; /* the most that a CPU takes to leave its idle states */
	int64_t  queued_ns;    /* meanwhile the thread could run and did not */
	uint64_t blocked;      /* how often it blocked meanwhile, for its wait or to stop: it was not preempted */
	int64_t  throttled_ns; /* the process's control groups stood still, since an earlier look */
	int64_t  stolen_ns;    /* the host ran others on the CPU, since that look */
	int64_t  asleep_ns;    /* the machine slept meanwhile */
	uint64_t was_frozen;   /* a freezer of the process's groups was set meanwhile */
};

/* That which explains the largest part of the lateness. */
enum hpt_cause hpt_cause_of(const struct hpt_evidence *e);

#endif
