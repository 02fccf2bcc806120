// SPDX-License-Identifier: MIT
/* Whether wakes wait for other threads: lib/sleep/contention.h. */
#include "sleep/contention.h"

/*
 * `queued` is a moving average over PART wakes. Of a guest's wakes on idle CPUs 0.15 to 0.3 % wait as long, for other
 * guests: that is far below ON. Beside four busy threads a CPU 2 % do without spins and 3 to 6 % with them, so once
 * spins are given up they stay so at OFF. That is far below 2 %, or chance ends it: where it was 700, a quarter of the
 * sleeps there had spins. MOST ends it within 260 wakes that do not wait.
 */
#define PART 128
#define STEP (65536 / PART)
#define MOST 2000
#define ON   1400
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
