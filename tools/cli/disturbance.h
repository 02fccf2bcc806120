/* SPDX-License-Identifier: MIT */
/* What other programs and the host took from a measurement. */
#ifndef HPT_TOOLS_DISTURBANCE_H
#define HPT_TOOLS_DISTURBANCE_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "cli/doc.h"

/* The time of all CPUs since boot, in units of sysconf(_SC_CLK_TCK). */
struct cpu_times {
	uint64_t busy;                  /* in user mode, in the kernel, in interrupts */
	uint64_t steal;                 /* a CPU was ready to run, and the host ran others */
	uint64_t total;
};

/* The state at one moment. */
struct disturbance_reading {
	int64_t at_ns;                  /* CLOCK_MONOTONIC */
	int64_t own_cpu_ns;             /* CPU time of this process */
	uint64_t preemptions;           /* involuntary switches of the calling thread */
	struct cpu_times cpus;      /* total is 0 where the kernel does not say */
};

struct disturbance {
	bool is_known;                  /* false: the measuring thread did not end */
	bool is_disturbed;              /* one of the results below is beyond its limit */
	int64_t steal_ppm;              /* of the time of all CPUs; -1: unknown */
	int64_t others_ppm;             /* 10^6: other processes kept one CPU busy; -1: unknown */
	uint64_t preemptions;           /* of the measuring thread */
	bool is_preempted;              /* these are too many, and not by this process's own busy threads */
};

/* Above these a run is disturbed. */
#define STEAL_MAX_PPM         10000
#define OTHERS_MAX_PPM        100000
#define PREEMPTIONS_MAX_PER_S 10

/* Parses the first line of /proc/stat. False, and *ret untouched: it is not that line, or all is 0. */
bool cpu_times_parse(const char *line, struct cpu_times *ret);

/* Call on the measuring thread. */
void disturbance_read(struct disturbance_reading *ret);

/* @is_crowded: other threads of this process preempt the measuring thread, which is then no disturbance. */
void disturbance_between(const struct disturbance_reading *before, const struct disturbance_reading *after,
			     bool is_crowded, struct disturbance *ret);

/* The disturbances beyond their limits: "other processes used 0.45 CPUs"; "" if the run was not disturbed. */
struct disturbance_words { char s[160]; };
struct disturbance_words disturbance_words(const struct disturbance *d);

/* One note with these words, if the run was disturbed. */
void disturbance_print(const struct disturbance *d, struct doc *doc);

/* null if unknown. */
json_t *disturbance_json(const struct disturbance *d);

#endif
