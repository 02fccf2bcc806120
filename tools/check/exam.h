/* SPDX-License-Identifier: MIT */
/*
 * The examination of a clock: does it show one time on all CPUs, at its stated rate, without an event during the test?
 */
#ifndef HPT_TOOLS_EXAM_H
#define HPT_TOOLS_EXAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "check/drift.h"
#include "check/warp.h"

/* A CPU that was not examined, and why: -errno of moving a thread there. */
struct exam_refusal {
	int cpu, error;                 /* -ETIMEDOUT: no thread came to run there */
};

struct exam {
	struct hpt_clock_info before, after;
	struct drift drift;
	uint64_t drift_allowed_ppb;     /* the clock's own bound; for the OS clock, the most that NTP may slew it */
	int     *cpus;                  /* the online CPUs that threads of this process can be moved to */
	uint32_t n_cpus;
	struct exam_refusal *left_out;
	uint32_t n_left_out;
	bool     knows_online;          /* false: neither /sys nor /proc shows which CPUs there are */
	uint64_t pairs_possible;
	int64_t  width_limit_ticks;     /* a pair counts as compared below this uncertainty of its offset */
	struct warp_pair *pairs;    /* those that exchanged messages; with one CPU, it with itself */
	size_t   n_pairs;
	int      error;                 /* that of the first CPU that was left out, or 0 */
	int      error_cpu;
	int64_t  duration_ns;
	bool     is_interrupted;        /* by exam_stop() */
};

/* The measured rate against the bound that the clock states. */
enum exam_rate {
	EXAM_RATE_WITHIN,          /* all that the measurement leaves possible is within the bound */
	EXAM_RATE_CONSISTENT,      /* a part of it is */
	EXAM_RATE_INCONCLUSIVE,    /* a part of it is, and the measurement is coarser than the bound */
	EXAM_RATE_OUTSIDE,
	EXAM_RATE_UNKNOWN,         /* the clock claims nothing, or the reference stood still */
};

enum exam_verdict {
	EXAM_OK,
	EXAM_DEGRADED,             /* rate outside its bound, vetoed, state not ok, or generation changed */
	EXAM_BACKWARDS,            /* time went backwards between two CPUs or on one */
	EXAM_INCOMPLETE,           /* some CPU was not compared with the first; nothing else was found */
};

/* Takes about duration_ns. Returns 0, -ENOMEM, or -errno of listing the CPUs. Call exam_free() in any case. */
int exam_run(hpt_clock *clk, int64_t duration_ns, struct exam *ret);
void exam_free(struct exam *exam);

/* Ends the examination within a tenth of a second; its results are those until then. Async-signal-safe. */
void exam_stop(void);

enum exam_verdict exam_verdict(const struct exam *exam);

enum exam_rate exam_rate(const struct exam *exam);

/* Not outside, and not unknown. */
bool exam_rate_ok(const struct exam *exam);

/* Did the two CPUs exchange messages quickly enough to bound their offset? */
bool exam_is_compared(const struct exam *exam, const struct warp_pair *pair);
size_t exam_compared(const struct exam *exam);

/*
 * The largest offset that any two CPUs can have: proven, not estimated. INT64_MAX: some CPU was not compared with the
 * first.
 */
int64_t exam_offset_ticks(const struct exam *exam);

#endif
