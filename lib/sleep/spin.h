/* SPDX-License-Identifier: MIT */
/* The end of a sleep: turns of reading the counter until it says so. */
#ifndef HPT_SPIN_H
#define HPT_SPIN_H

#include <stdint.h>

#include "arch/arch.h"
#include "source/tsc.h"
#include "sleep/sleeper.h"

struct hpt_spin {
	const struct hpt_sleeper *s;
	uint64_t deadline;       /* ticks */
	uint64_t now;            /* the latest tick read */
	uint64_t until;          /* the deadline less the lead; set by hpt_spin_near() */
	uint64_t tolerance;       /* HPT_DIVERGED_NS in ticks; likewise */
	struct hpt_scale tick_per_ns, ns_per_tick;
	int64_t rest_ns;         /* from the spin's start to the deadline */
	int64_t end_ns;          /* CLOCK_MONOTONIC's word for the deadline; 0: not asked yet */
	const void *exits[2];    /* code that runs next, and next but one; then comes the program's */
	bool reads_ns;           /* the deadline is one in nanoseconds: so will be what the program reads */
};

enum hpt_spin_end {
	HPT_SPIN_REACHED,
	HPT_SPIN_INTERRUPTED,
	HPT_SPIN_OVERDUE, /* the deadline has long passed by CLOCK_MONOTONIC: the counter stopped or jumped */
	HPT_SPIN_MORE,    /* none of these yet: see hpt_spin_is_overdue() */
};

/* Turns between two looks at the second clock: some 10 us with PAUSE. */
#define HPT_SPIN_TURNS 256

/* Spins to where hpt_spin_last() is to go on. */
enum hpt_spin_end hpt_spin_near(struct hpt_spin *sp);

/* Has the deadline passed by so much that the counter cannot be right? */
bool hpt_spin_is_overdue(struct hpt_spin *sp);

/* The last turns, without PAUSE: a read each. Inline, so that they lie beside what runs next. REACHED, RUNG or MORE. */
static inline __attribute__((always_inline)) enum hpt_spin_end hpt_spin_last(struct hpt_spin *sp)
{
	const struct hpt_source *src = &sp->s->clk->src;
	uint64_t until = sp->until;
	int n = HPT_SPIN_TURNS;

	do {
		if (unlikely(hpt_sleeper_is_interrupted(sp->s)))
			return HPT_SPIN_INTERRUPTED;
		sp->now = hpt_source_now_unordered(src);
	} while ((int64_t)(sp->now - until) < 0 && n--);
	return likely((int64_t)(sp->now - until) >= 0) ? HPT_SPIN_REACHED : HPT_SPIN_MORE;
}

#endif
