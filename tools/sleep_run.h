/* SPDX-License-Identifier: MIT */
/* Sleeps one after the other, and how late each ended. */
#ifndef HPT_TOOLS_SLEEP_RUN_H
#define HPT_TOOLS_SLEEP_RUN_H

#include <stdbool.h>
#include <stdint.h>

enum hpt_sleep_kind {
	HPT_SLEEP_KIND_FOR,   /* a time from each call on */
	HPT_SLEEP_KIND_EVERY, /* until start, plus 1, 2, ... intervals */
	HPT_SLEEP_KIND_UNTIL, /* a Unix time, once */
};

struct hpt_sleep_plan {
	enum hpt_sleep_kind kind;
	int64_t ns;             /* the length, the interval, the Unix time */
	int64_t count;
	bool is_measured;
};

/* As many as are measured at once: 80 MB of them. */
#define HPT_SLEEP_RUN_MEASURED_MAX 10000000

struct hpt_sleep_run {
	int64_t done;
	int64_t parted;         /* of those, that told of counter and clock having parted ... */
	uint32_t state;         /* ... and what the latest of them said: HPT_STATE_ */
	int signal;             /* that ended it, or 0 */
	/* The rest only if measured. */
	int64_t *miss_ns;       /* of each, in ascending order; to be given back with free() */
	int64_t early, past;    /* ended before their time; had none left when they began */
	int64_t cpu_ns, wall_ns;
	uint64_t waits, oversleeps, oversleep_ns; /* as in struct hpt_sleep_info */
};

/* False if there is no memory. SIGINT and SIGTERM end a measured run of several. */
bool hpt_sleep_run_all(const struct hpt_sleep_plan *plan, struct hpt_sleep_run *ret);

#endif
