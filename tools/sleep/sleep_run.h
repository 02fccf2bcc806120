/* SPDX-License-Identifier: MIT */
/* Sleeps one after the other, and how late each of them ended. */
#ifndef HPT_TOOLS_SLEEP_RUN_H
#define HPT_TOOLS_SLEEP_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "cli/disturbance.h"

enum sleep_kind {
	SLEEP_KIND_FOR,   /* a duration from each call */
	SLEEP_KIND_EVERY, /* until start, plus 1, 2, ... intervals */
	SLEEP_KIND_UNTIL, /* a Unix time, once, by the system's clock or by a wall */
};

struct sleep_plan {
	enum sleep_kind kind;
	int64_t ns;             /* the duration, the interval or the Unix time */
	int64_t count;
	bool is_measured;
	bool by_wall;           /* KIND_UNTIL: by UTC as a wall knows it */
	int64_t max_error_ns;   /* of that; 0: any */
	struct hpt_wall_config config;
};

/* Limit on the samples kept in memory: 80 MB. */
#define SLEEP_RUN_MEASURED_MAX 10000000

struct sleep_run {
	int64_t done;
	int64_t diverged;         /* of those, sleeps that reported that counter and clock diverged ... */
	uint32_t state;         /* ... and the state that the latest of them returned: HPT_STATE_ */
	int signal;             /* the signal that ended the run, or 0 */
	int wall_error;         /* -errno of a sleep by a wall that was refused or lost its bound; 0: none was */
	int64_t error_ns;       /* by how much UTC may have been off the time at its end; for errors see sleep_wall.h */
	/* The rest only if measured. */
	int64_t *miss_ns;       /* of each sleep, in ascending order; free() it */
	int64_t early, past;    /* sleeps that ended before their time; sleeps whose time was past when they began */
	int64_t cpu_ns, wall_ns;
	struct disturbance disturbance; /* unknown for a run too short for the kernel's samples */
	uint64_t waits, oversleeps, oversleep_ns; /* as in struct hpt_sleep_info */
};

/* False: no memory. SIGINT and SIGTERM end a measured run of several sleeps. */
bool sleep_run_all(const struct sleep_plan *plan, struct sleep_run *ret);

#endif
