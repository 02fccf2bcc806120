/* SPDX-License-Identifier: MIT */
/* Does time run backwards between CPUs? Two pinned threads exchange messages that carry times. */
#ifndef HPT_TOOLS_WARP_H
#define HPT_TOOLS_WARP_H

#include <stdbool.h>
#include <stdint.h>

/* The counter under test: an ordered read on the CPU where it is called. */
struct warp_counter {
	int64_t (*read)(void *ctx);
	void     *ctx;
};

/*
 * The results of two CPUs. Every message carries the sender's time; the receiver's time, read after the arrival, must
 * not be smaller. A question and its answer also bound the offset: the answerer's time lies between the asker's two.
 */
struct warp_pair {
	int      cpu_a, cpu_b;
	uint64_t messages;                  /* including those to itself; 0: the two never ran together */
	uint64_t backwards;                 /* messages that arrived before they were sent */
	int64_t  worst_ticks;               /* the largest step back */
	int64_t  least_ticks, most_ticks;   /* bounds of b's counter minus a's; least > most: the offset changed */
};

/* A pair without results. */
struct warp_pair warp_pair_new(int cpu_a, int cpu_b);

/* Uncertainty of the offset; INT64_MAX: unknown; 0 if the bounds cross. */
int64_t warp_pair_width(const struct warp_pair *pair);

/* Widens the bounds of the offset where readings are up to that old, of a counter that moves in steps. */
void warp_pair_widen(struct warp_pair *pair, int64_t step_ticks);

/*
 * Compares the two CPUs of *pair, or one CPU with itself for steps back only, and adds the results to *pair. Ends at
 * end_ns of warp_clock_ns(), whatever the counter does. Returns 0; -EPERM or -EINVAL: *ret_cpu is forbidden or
 * absent; -ETIMEDOUT: no thread came to run there, not even a second later; other errno of pthread_create(3).
 */
int warp_compare(const struct warp_counter *counter, int64_t end_ns, struct warp_pair *pair, int *ret_cpu);

/*
 * The order in which n CPUs are compared when time may not suffice for all pairs: the first with every other, so that
 * all are compared with a common one, then neighbours, then ever more distant ones.
 */
struct warp_plan { uint32_t n, a, b; };

struct warp_plan warp_plan_new(uint32_t n);

/* The next pair of indices. False: there are no more pairs. */
bool warp_plan_next(struct warp_plan *plan, uint32_t *ret_a, uint32_t *ret_b);

/* The kernel's own CLOCK_MONOTONIC, which nothing in this process can stop. */
int64_t warp_clock_ns(void);

#endif
