/* SPDX-License-Identifier: MIT */
/* Does time run backwards between CPUs? Messages with time stamps, between two pinned threads. */
#ifndef HPT_TOOLS_WARP_H
#define HPT_TOOLS_WARP_H

#include <stdbool.h>
#include <stdint.h>

/* The counter under test: an ordered read on the CPU where it is called. */
struct hpt_warp_counter {
	int64_t (*read)(void *ctx);
	void     *ctx;
};

/*
 * What two CPUs showed. Every message carries the sender's time; the receiver's, read after it arrived, must not
 * be smaller. A question and its answer also bound the offset: the answerer's time lies between
 * the asker's two.
 */
struct hpt_warp_pair {
	int      cpu_a, cpu_b;
	uint64_t messages;                  /* those to oneself included; 0: the two never met, nothing is known */
	uint64_t backwards;                 /* messages that arrived before they were sent */
	int64_t  worst_ticks;               /* by how much at most */
	int64_t  least_ticks, most_ticks;   /* b's counter less a's lies between these; least > most: it changed */
};

/* Nothing known yet. */
struct hpt_warp_pair hpt_warp_pair_new(int cpu_a, int cpu_b);

/* What is left open of the offset; INT64_MAX: everything. 0 where the bounds cross. */
int64_t hpt_warp_pair_width(const struct hpt_warp_pair *pair);

/*
 * Compares its two CPUs (or one with itself: then only that it never steps back) until the
 * hpt_warp_clock_ns() time end_ns, and adds what was seen to *pair; the threads end by that clock whatever
 * the counter does. 0; -EPERM, -EINVAL: *ret_cpu is forbidden or gone; other errno of pthread_create(3).
 */
int hpt_warp_compare(const struct hpt_warp_counter *counter, int64_t end_ns, struct hpt_warp_pair *pair, int *ret_cpu);

/*
 * The order in which n CPUs are compared when time may not suffice for all pairs: the first with every other, so that
 * each has been compared with a common one, then neighbours, then ever farther ones.
 */
struct hpt_warp_plan { uint32_t n, a, b; };

struct hpt_warp_plan hpt_warp_plan_new(uint32_t n);

/* The next pair of indices; false: that was all. */
bool hpt_warp_plan_next(struct hpt_warp_plan *plan, uint32_t *ret_a, uint32_t *ret_b);

/* The kernel's own CLOCK_MONOTONIC, which nothing in this process can stop. */
int64_t hpt_warp_clock_ns(void);

#endif
