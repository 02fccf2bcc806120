/* SPDX-License-Identifier: MIT */
/* What other programs and the host took from a measurement. */
#ifndef HPT_BENCH_DISTURBANCE_H
#define HPT_BENCH_DISTURBANCE_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "cli/doc.h"

/* The time of all CPUs since boot, in units of sysconf(_SC_CLK_TCK). */
struct hpt_cpu_times {
	uint64_t busy;                  /* in user mode, in the kernel, in interrupts */
	uint64_t steal;                 /* a CPU was ready to run, and the host ran others */
	uint64_t total;
};

/* The state at one moment. */
struct hpt_disturbance_reading {
	int64_t at_ns;                  /* CLOCK_MONOTONIC */
	int64_t own_cpu_ns;             /* CPU time of this process */
	uint64_t preemptions;           /* involuntary switches of the calling thread */
	struct hpt_cpu_times cpus;      /* total is 0 where the kernel does not say */
};

struct hpt_disturbance {
	bool is_known;                  /* false: the measuring thread did not end */
	bool is_disturbed;              /* one of the results below is beyond its limit */
	int64_t steal_ppm;              /* of the time of all CPUs; -1: unknown */
	int64_t others_ppm;             /* 10^6: other processes kept one CPU busy; -1: unknown */
	uint64_t preemptions;           /* of the measuring thread */
	bool is_preempted;              /* these are too many, and not by this process's own busy threads */
};

/* Above these a run is disturbed. */
#define HPT_STEAL_MAX_PPM         10000
#define HPT_OTHERS_MAX_PPM        100000
#define HPT_PREEMPTIONS_MAX_PER_S 10

/* Parses the first line of /proc/stat. False, and *ret untouched: it is not that line, or all is 0. */
bool hpt_cpu_times_parse(const char *line, struct hpt_cpu_times *ret);

/* Call on the measuring thread. */
void hpt_disturbance_read(struct hpt_disturbance_reading *ret);

/* @is_crowded: busy threads of this process preempt the measuring thread, which is then no disturbance. */
void hpt_disturbance_between(const struct hpt_disturbance_reading *before, const struct hpt_disturbance_reading *after,
			     bool is_crowded, struct hpt_disturbance *ret);

/* The disturbances beyond their limits: "other processes used 0.45 CPUs"; "" if the run was not disturbed. */
struct hpt_disturbance_words { char s[160]; };
struct hpt_disturbance_words hpt_disturbance_words(const struct hpt_disturbance *d);

/* One note with these words, if the run was disturbed. */
void hpt_disturbance_print(const struct hpt_disturbance *d, struct hpt_doc *doc);

/* null if unknown. */
json_t *hpt_disturbance_json(const struct hpt_disturbance *d);

#endif
