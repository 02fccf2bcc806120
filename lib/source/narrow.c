// SPDX-License-Identifier: MIT
/* The arithmetic of wraps: lib/source/narrow.h. */
#include "source/narrow.h"

#include "arch/arch.h"
#include "math/units.h"

/* A wrap's ticks are divided by this: see the comments at each use. */
#define PARTS 16u

COLD void hpt_narrow_start(struct hpt_narrow *n, uint32_t bits, uint64_t hz, bool is_down)
{
	struct hpt_scale ns_per_tick = hpt_scale_of(NS_PER_S, hz);

	n->ticks_per_ns = hpt_scale_of(hz, NS_PER_S);
	n->span = UINT64_C(1) << bits;
	n->window_ns = hpt_scale_round((int64_t)(n->span / PARTS), ns_per_tick);
	n->flip = is_down ? UINT32_MAX : 0;
	atomic_init(&n->base, n->span); /* not 0: the first tick may be less than the base by up to a span */
}

/* The only tick with this value from guess - below to guess - below + span - 1. */
static uint64_t tick_near(uint64_t guess, uint64_t value, uint64_t span, uint64_t below)
{
	uint64_t least = guess - below;

	return least + ((value - least) & (span - 1));
}

/*
 * A renewal is dropped if another thread's came first. So a thread that was preempted just before cannot bring back a
 * base from long ago.
 */
static void renew(struct hpt_narrow *n, uint64_t base, uint64_t next)
{
	atomic_compare_exchange_strong_explicit(&n->base, &base, next, memory_order_relaxed, memory_order_relaxed);
}

uint64_t hpt_narrow_by_clock(struct hpt_narrow *n, uint64_t base, int64_t clock_ns, uint64_t value)
{
	uint64_t ticks = hpt_scale_floor((uint64_t)clock_ns, n->ticks_per_ns.whole, n->ticks_per_ns.frac);
	uint64_t tick = tick_near(base + ticks, value, n->span, n->span / 2), part = n->span / PARTS;

	if (unlikely(tick - (base + ticks) + part > 2 * part))
		renew(n, base, tick - ticks);
	return tick;
}

/*
 * A renewal that lost against an older tick's is tried again: base would be older than the newest read by more than the
 * eighth that follows.
 */
static void raise_base(struct hpt_narrow *n, uint64_t base, uint64_t next)
{
	while ((int64_t)(next - base) > 0 &&
	       !atomic_compare_exchange_weak_explicit(&n->base, &base, next, memory_order_relaxed,
						      memory_order_relaxed))
		;
}

/*
 * Renewed from an eighth of the span on, base is at most 5/8 of it old when the next read comes. The rest serves a
 * value that the processor loaded before base, which may be newer than it.
 */
uint64_t hpt_narrow_by_promise(struct hpt_narrow *n, uint64_t base, uint64_t value)
{
	uint64_t eighth = n->span / 8, tick = tick_near(base, value, n->span, eighth);

	if (unlikely(tick - base + eighth > 2 * eighth))
		raise_base(n, base, tick);
	return tick;
}
