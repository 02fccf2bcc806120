// SPDX-License-Identifier: MIT
/* Whether wakes wait for other threads: lib/sleep/contention.h. */
#include "sleep/contention.h"

/*
 * `queued` is a moving average over PART wakes. Of a guest's wakes on idle CPUs 0.06 to 0.3 % wait as long, for other
 * guests, but several of them within a tenth of a second: at three wakes of 128 it began on idle CPUs too, and nothing
 * was spun in 14 % of the sleeps of a run. Beside four busy threads a CPU 1.8 % do without spins and 2 to 6 % with
 * them. Replayed on 60000 of these it is on in 99.5 % of them, and in 87 % with a PART of 128 and an ON of 1400; on
 * 195000 wakes of idle CPUs, and beside up to two busy threads or compilers, it never begins, and begins twice with
 * those. OFF is far below 1.8 %, or chance ends it. MOST ends it within 600 wakes that do not wait.
 */
#define PART 256
#define STEP (65536 / PART)
#define MOST 2000
#define ON   1100
#define OFF  330

/*
 * Two seconds at 1 kHz. With short slices 0.3 to 0.5 % of the wakes beside one or two busy threads were late: by
 * its share alone contention would end while they keep it low.
 */
#define AFTER 2000

void hpt_contention_note(struct hpt_contention *c, int64_t waited_ns, int64_t late_ns)
{
	bool was_queued = late_ns > HPT_CONTENTION_QUEUED_NS && waited_ns <= HPT_CONTENTION_LONGEST_NS;
	int queued = c->queued - c->queued / PART + (was_queued ? STEP : 0);

	c->queued = (uint16_t)(queued < MOST ? queued : MOST);
	c->is_on = c->queued > (c->is_on ? OFF : ON);
	if (c->is_on || (was_queued && c->after))
		c->after = AFTER;
	else if (c->after)
		c->after--;
}
