/* SPDX-License-Identifier: MIT */
/* The end of a sleep: reads the counter in turns until the deadline. */
#ifndef HPT_SPIN_H
#define HPT_SPIN_H

#include <stdint.h>

#include "arch/arch.h"
#include "source/own_read.h"
#include "sleep/sleeper.h"

struct hpt_spin {
	const struct hpt_sleeper *s;
	uint64_t deadline;       /* ticks */
	uint64_t now;            /* the latest tick read */
	uint64_t until;          /* the deadline less the lead; set by hpt_spin_near() */
	uint64_t gap;            /* HPT_SPIN_GAP_NS in ticks; set by hpt_spin_near() */
	uint64_t step;           /* of the counter, in ticks */
	struct hpt_scale tick_per_ns;
	const void *exits[2];    /* the two return addresses before the program's own, in the order of return */
	bool reads_ns;           /* the deadline is in nanoseconds, so the program probably reads nanoseconds next */
};

enum hpt_spin_end {
	HPT_SPIN_REACHED, /* or jumped over */
	HPT_SPIN_INTERRUPTED,
	HPT_SPIN_CHECK,  /* compare the counter with the kernel's clock, then go on */
};

/*
 * The spin asks for a comparison after this many PAUSEs, some 10 us, because the counter may have stopped;
 * and where two reads lie further apart than the gap: either the thread was preempted, or the counter stepped.
 */
#define HPT_SPIN_PAUSES 256
#define HPT_SPIN_GAP_NS 30000

/*
 * A hypervisor on AMD takes the CPU from a guest after 3000 PAUSEs that follow each other within 128 cycles, in user
 * mode too. The comparison ends such a row. With PAUSE alone 64 to 100 % of spins of 150 us had a gap of 3 to 8 us,
 * with a clock read each 256 PAUSEs 6 to 18 %; without PAUSE it was the same (an EPYC guest).
 */
_Static_assert(HPT_SPIN_PAUSES < 3000, "KVM's pause_filter_count (arch/x86/kvm/svm/svm.c)");

/* Spins until hpt_spin_last() is to take over, some 200 ns before the deadline. REACHED, INTERRUPTED or CHECK. */
enum hpt_spin_end hpt_spin_near(struct hpt_spin *sp);

/* The last turns: a read each, no PAUSE. Inline, next to the code that runs after. REACHED, INTERRUPTED or CHECK. */
static inline __attribute__((always_inline)) enum hpt_spin_end hpt_spin_last(struct hpt_spin *sp)
{
	const struct hpt_source *src = &sp->s->clk->src;
	uint64_t until = sp->until;
	int n = HPT_SPIN_PAUSES;

	do {
		if (unlikely(hpt_sleeper_is_interrupted(sp->s)))
			return HPT_SPIN_INTERRUPTED;
		sp->now = hpt_source_now_unordered(src);
	} while ((int64_t)(sp->now - until) < 0 && n--);
	return likely((int64_t)(sp->now - until) >= 0) ? HPT_SPIN_REACHED : HPT_SPIN_CHECK;
}

#endif
