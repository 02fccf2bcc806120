/* SPDX-License-Identifier: MIT */
/*
 * Extends a counter of up to 32 bits, which wraps, to 64 bits. Which wrap it is comes from another clock, or from the
 * promise that a read never comes later than half a wrap after the one before. Each read computes the whole tick by
 * itself, so that ticks are ordered as the counter's values are: there is no lock, and no thread waits for another.
 * All functions may be called by any thread or signal handler at any time, and in a forked child.
 */
#ifndef HPT_NARROW_H
#define HPT_NARROW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/scale.h"

struct hpt_narrow {
	/*
	 * By the clock: ticks less the clock's time in ticks, which drifts as the stated frequency is wrong. By the
	 * promise: the tick of a recent read. Each is renewed by reads.
	 */
	_Atomic uint64_t base;
	struct hpt_scale ticks_per_ns;
	uint64_t span;      /* ticks to a wrap: 2^16 or 2^32 */
	int64_t  window_ns; /* a sixteenth of that time: how late the clock, and a read after it, may be */
	uint32_t flip;      /* all ones if the counter counts down */
};

/* bits: 16 or 32. The first read settles which wrap it is: it ends before another thread reads. */
void hpt_narrow_start(struct hpt_narrow *n, uint32_t bits, uint64_t hz, bool is_down);

/* The counter's value for a register's, counting up. */
static inline uint64_t hpt_narrow_value(const struct hpt_narrow *n, uint32_t reg)
{
	return (reg ^ n->flip) & (n->span - 1);
}

/*
 * The tick of a value. clock_ns was read before base was loaded, and base before the value was read; all that within
 * window_ns by the same clock. Then the tick is right while the clock is at most window_ns late and base has drifted by
 * less than a quarter of the span since a read renewed it: with a frequency that is wrong by 500 ppm that takes 500
 * wraps without a read.
 */
uint64_t hpt_narrow_by_clock(struct hpt_narrow *n, uint64_t base, int64_t clock_ns, uint64_t value);

/*
 * The tick of a value that was read after base was loaded and while base did not change. Right if the promise holds.
 */
uint64_t hpt_narrow_by_promise(struct hpt_narrow *n, uint64_t base, uint64_t value);

#endif
