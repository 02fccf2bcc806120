/* SPDX-License-Identifier: MIT */
/* A wait that "hpt doctor" watches: it ends as the kernel ends it, and if that is late, the cause is named. */
#ifndef HPT_OBSERVE_H
#define HPT_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "preload/diagnosis.h"
#include "preload/schedstat.h"
#include "preload/tally.h"

struct hpt_observed {
	enum hpt_call call;
	int64_t began_ns, length_ns; /* began_ns: CLOCK_MONOTONIC */
	bool is_read;                /* the next one is valid */
	struct hpt_schedstat before;
	uint64_t blocked;            /* how often the thread had before */
	int64_t asleep_ns;           /* CLOCK_BOOTTIME less CLOCK_MONOTONIC, at most */
};

/* Where the process counts; NULL: nobody watches. */
extern struct hpt_diagnosis *hpt_diagnosis HIDDEN;

/* As the process begins. */
void hpt_observe_load(struct hpt_diagnosis *d);

/*
 * Right before the wait: reads a file of the kernel, in 0.4 us, and calls getrusage(), in 0.2. now_ns: CLOCK_MONOTONIC.
 * May change errno.
 */
void hpt_observe_begin(struct hpt_observed *w, enum hpt_call call, int64_t now_ns, int64_t length_ns);

/* Time has ended it. late_ns: by its own clock. May change errno. */
void hpt_observe_end(const struct hpt_observed *w, int64_t late_ns);

/* Something else has. */
void hpt_observe_end_early(const struct hpt_observed *w);

#endif
