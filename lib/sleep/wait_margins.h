/* SPDX-License-Identifier: MIT */
/*
 * How long before the deadline the waits of a sleep end, by its policy and what the thread has learned of the kernel's
 * lateness. Pure functions.
 */
#ifndef HPT_WAIT_MARGINS_H
#define HPT_WAIT_MARGINS_H

#include "sleep/habits.h"
#include "sleep/policy.h"

/* The margin until one is learned: how late an idle CPU of a virtual machine wakes. */
#define HPT_WAIT_MARGINS_GUESS_NS 100000

struct hpt_wait_margins {
	int64_t brief_ns;  /* after a short wait, which the spin follows */
	int64_t long_ns;   /* after a long one, which a short one follows; 0: no wait is long */
	int64_t cap_ns;    /* the longest spin */
	int64_t slack_ns;  /* as far as waits allow for it */
	int64_t two_ns;    /* a wait is long if more than this is left before both margins */
	bool is_learned;   /* brief_ns is learned, not the policy's */
};

/* No spin is longer than most_ns. left_ns: the time to the deadline, or more. */
struct hpt_wait_margins hpt_wait_margins_of(const struct hpt_habits *h, struct hpt_policy p, int64_t most_ns,
					    int64_t left_ns);

/* True if enough is left for a long wait and a short one after it. */
bool hpt_wait_margins_are_two(const struct hpt_wait_margins *m, int64_t left_ns);

/* How long before the deadline the next wait is to end, the slack apart. */
int64_t hpt_wait_margins_ahead_ns(const struct hpt_wait_margins *m, int64_t left_ns);

/*
 * Of a wait that ended late_ns late. Where the margin is the policy's a wait that the spin follows may be of any length
 * and teaches nothing.
 */
void hpt_wait_margins_learn(const struct hpt_wait_margins *m, struct hpt_habits *h, int64_t late_ns, bool was_long);

#endif
