// SPDX-License-Identifier: MIT
/* Looks at descriptors in a sleep: lib/sleep/look.h. */
#include "sleep/look.h"

#include <errno.h>

#include "arch/arch.h"
#include "math/units.h"
#include "sleep/deadline.h"

/*
 * How long the first look may take: a system call, and a descriptor's share of it. Later ones are measured. A poll of
 * 10 pipes took 0.5 us, of 1000 37 us (a Xeon guest).
 */
#define LOOK_CALL_NS 500
#define LOOK_FD_NS   50

/* A look that begins this many halves of its time before the end is over in time, if it is not longer by a half. */
#define LOOK_HALVES 3

/* hpt_spin_near() warms the caches from 5 us before the deadline on. */
#define LOOK_NEAR_NS 5000

/* Looks between two comparisons of the counter with the kernel's clock: some 10 us, as in spins. */
#define LOOK_TURNS 32

int hpt_look_for(const struct hpt_sleeper *s, int64_t ns)
{
	struct hpt_look *look = s->look;
	int r = s->clk->src.env->poll(&look->fds, ns);

	look->has_looked = true;
	if (r == -EINTR && !(s->flags & HPT_WAIT_EINTR))
		return hpt_sleeper_is_interrupted(s) ? -ECANCELED : 0;
	look->result = r;
	return r || hpt_sleeper_is_interrupted(s) ? -ECANCELED : -ETIMEDOUT;
}

/* Where no clock can be read: the time left by the counter. */
static int64_t left_until_ns(const struct hpt_sleep *sl, clockid_t id, int64_t until_ns)
{
	int64_t now_ns, left_ns = until_ns;

	if (id != HPT_DURATION && until_ns < INT64_MAX) {
		now_ns = hpt_clock_kernel_ns(sl->s->clk, id);
		left_ns = now_ns ? hpt_sum(until_ns, -now_ns) : hpt_deadline_left_ns(sl);
	}
	return left_ns > 0 ? left_ns : 0;
}

COLD int hpt_look_wait(const struct hpt_sleep *sl, clockid_t id, int64_t until_ns)
{
	return hpt_look_for(sl->s, left_until_ns(sl, id, until_ns));
}

static uint64_t look_ticks(const struct hpt_spin *sp, uint64_t ns)
{
	return hpt_scale_floor(ns, sp->tick_per_ns.whole, sp->tick_per_ns.frac);
}

/* The time that a look is allowed for. */
static uint64_t rest_ticks(const struct hpt_spin *sp)
{
	const struct hpt_look *look = sp->s->look;
	uint64_t near = look_ticks(sp, LOOK_NEAR_NS), took = look->took;

	if (!took)
		took = look_ticks(sp, LOOK_CALL_NS + (look->fds.is_epoll ? 0 : (uint64_t)look->fds.n * LOOK_FD_NS));
	took = took / 2 * LOOK_HALVES;
	return took > near ? took : near;
}

COLD enum hpt_spin_end hpt_look_spin(struct hpt_spin *sp)
{
	struct hpt_look *look = sp->s->look;
	uint64_t gap = look_ticks(sp, HPT_SPIN_GAP_NS), took = 0;

	for (int n = LOOK_TURNS; n && took <= gap; n--) {
		uint64_t before = sp->now;

		if (look->has_looked && (int64_t)(sp->deadline - before) < (int64_t)rest_ticks(sp))
			return HPT_SPIN_REACHED;
		if (hpt_look_for(sp->s, 0) == -ECANCELED)
			return HPT_SPIN_INTERRUPTED;
		sp->now = hpt_source_now_unordered(&sp->s->clk->src);
		took = sp->now - before;
		look->took = look->took && look->took < took ? look->took : took;
	}
	return HPT_SPIN_CHECK;
}

/* The kernel phase has noted the wait already, as one that no event ended. */
COLD void hpt_look_note_end(const struct hpt_look *look, struct hpt_habits *h, bool is_event)
{
	if (h && !look->is_near)
		h->by_events = (uint16_t)(h->by_events << 1);
	if (h && is_event)
		h->by_events |= 1;
}
