/* SPDX-License-Identifier: MIT */
/* The share of its time that a thread may spin: a token bucket. Pure functions. */
#ifndef HPT_BUDGET_H
#define HPT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* The most that can be saved up. At 25 % it takes 40 ms. */
#define HPT_BUDGET_MOST_NS 10000000

/* Any content is valid, since a signal handler may sleep while the thread that it interrupted writes here. */
struct hpt_budget {
	uint32_t process; /* that it is counted for, as hpt_process(); 0: none yet */
	int64_t saved_ns; /* negative: more was spun than there was */
	int64_t last_ns;  /* CLOCK_MONOTONIC to which gains are counted */
};

/*
 * Adds the gain since the latest call. A thread that is new, as in a forked child, begins with all that can be saved
 * up. True: there is something to spend.
 */
bool hpt_budget_gain(struct hpt_budget *b, uint32_t process, int64_t now_ns, uint32_t percent);

/* The debt stays below what a second makes up for at 25 %. */
#define HPT_BUDGET_DEBT_NS 250000000

/* Inline: it runs after a deadline. */
static inline void hpt_budget_spend(struct hpt_budget *b, int64_t ns)
{
	b->saved_ns -= ns < HPT_BUDGET_DEBT_NS ? ns : HPT_BUDGET_DEBT_NS;
	if (b->saved_ns < -HPT_BUDGET_DEBT_NS)
		b->saved_ns = -HPT_BUDGET_DEBT_NS;
}

#endif
