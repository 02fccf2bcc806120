// SPDX-License-Identifier: MIT
/* Waits of a sleep in the kernel: lib/sleep/kernel_wait.h. */
#include "sleep/kernel_wait.h"

#include <errno.h>

#include "arch/arch.h"
#include "math/units.h"
#include "sleep/deadline.h"
#include "sleep/look.h"

/*
 * Reads in a row that show a counter which stands still: it ends a sleep where no clock can be read and the kernel does
 * not wait. Four milliseconds or more at a microsecond for the refused calls; the slowest counter ticks once in one.
 */
#define STILL_MOST 4096

/*
 * If no clock could ever be read Unix time counts from 0 here. A deadline that was computed from it is before this, and
 * long past for the kernel; any other is on the kernel's own line.
 */
#define YEAR_NS (365 * 24 * 3600 * NS_PER_S)

int hpt_kernel_wait(struct hpt_sleep *sl, clockid_t id, int64_t until_ns)
{
	const struct hpt_sleeper *s = sl->s;
	struct hpt_eventcount none = { 0 }, *ec = s->eventcount ? s->eventcount : &none;
	int r;

	if (unlikely(s->look != NULL))
		return hpt_look_wait(sl, id, until_ns);
	hpt_eventcount_enter(ec);
	r = s->clk->src.env->wait(hpt_eventcount_futex(ec), s->key, id, until_ns);
	hpt_eventcount_leave(ec);
	if (hpt_sleeper_is_interrupted(s))
		return -ECANCELED;
	return r == -EINTR && !(s->flags & HPT_WAIT_EINTR) ? 0 : r;
}

/*
 * By how much a wait until CLOCK_BOOTTIME may be late after a suspend, in which CLOCK_MONOTONIC stands still: no other
 * wait of the kernel's that an eventcount ends knows that clock.
 */
#define BOOTTIME_LOOK_NS NS_PER_S

clockid_t hpt_kernel_wait_clock(const struct hpt_sleep *sl)
{
	enum hpt_deadline_kind kind = sl->asked.kind;

	return kind == HPT_DEADLINE_UNIX_NS || kind == HPT_DEADLINE_TAI_NS ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

/*
 * CLOCK_TAI steps with CLOCK_REALTIME, so that a step of it moves the end of the wait. libfaketime's clocks differ from
 * the kernel's, possibly by years. A preemption between the two reads makes the wait end earlier.
 */
int64_t hpt_kernel_wait_end_ns(const struct hpt_sleep *sl, int64_t at_ns, bool *ret_is_cut)
{
	const struct hpt_clock *clk = sl->s->clk;
	clockid_t id = hpt_deadline_clock(sl->asked.kind), by = hpt_kernel_wait_clock(sl);
	int64_t now_ns = hpt_clock_kernel_ns(clk, by), off_ns = now_ns - clk->src.clock_ns(id), most_ns;

	if (id == by && off_ns >= -HPT_DIVERGED_NS && off_ns <= HPT_DIVERGED_NS)
		off_ns = 0;
	at_ns = hpt_sum(at_ns, off_ns);
	most_ns = id == CLOCK_BOOTTIME ? hpt_sum(now_ns, BOOTTIME_LOOK_NS) : INT64_MAX;
	*ret_is_cut = at_ns > most_ns;
	return *ret_is_cut ? most_ns : at_ns;
}

/* Where no clock can be read the kernel still waits for a time of it, or for a duration. */
static int wait_blindly(struct hpt_sleep *sl)
{
	int64_t left_ns = hpt_deadline_left_ns(sl);
	bool is_unix = sl->asked.kind == HPT_DEADLINE_UNIX_NS && (sl->end.is_known || sl->asked.at > YEAR_NS);

	if (is_unix && !(sl->end.is_known && hpt_clock_is_interposed(sl->s->clk)))
		return hpt_kernel_wait(sl, CLOCK_REALTIME, sl->asked.at);
	if (sl->end.is_known)
		return hpt_kernel_wait(sl, CLOCK_MONOTONIC, sl->end.ns);
	return hpt_kernel_wait(sl, HPT_DURATION, left_ns > 0 ? left_ns : 1);
}

/* After a wait for the whole time the deadline has come. One in ticks has the last word, unless the counter stopped. */
static bool is_waited(const struct hpt_sleep *sl, int r, bool stands_still)
{
	return r == -ETIMEDOUT && (sl->end.is_known || sl->asked.kind != HPT_DEADLINE_TICK || stands_still);
}

/* Ends by what comes first: the kernel's word, the counter's, or that the counter stands still. */
static COLD int end_blindly(struct hpt_sleep *sl)
{
	const struct hpt_source *src = &sl->s->clk->src;
	uint32_t still = 0;
	int r;

	do {
		uint64_t before = sl->spin.now;

		r = wait_blindly(sl);
		arch_relax();
		sl->spin.now = src->read(src);
		still = sl->spin.now == before ? still + 1 : 0;
	} while (r != -ECANCELED && r != -EINTR && !is_waited(sl, r, still) && still < STILL_MOST &&
		 !hpt_deadline_is_over(sl));
	return r == -ECANCELED || r == -EINTR ? r : (int)sl->state;
}

/* Where libc's clocks may be replaced the deadline's may stand still, so there CLOCK_MONOTONIC decides. */
COLD int hpt_kernel_wait_by_clock(struct hpt_sleep *sl)
{
	const struct hpt_source *src = &sl->s->clk->src;
	bool is_by_os = hpt_deadline_is_by_os(sl->asked.kind) && !hpt_clock_is_interposed(sl->s->clk), is_cut;
	clockid_t id = is_by_os ? hpt_deadline_clock(sl->asked.kind) : CLOCK_MONOTONIC;
	int64_t end_ns = is_by_os ? sl->asked.at : sl->end.ns;
	int saved = errno, r = 0;

	while (r != -ECANCELED && r != -EINTR && !sl->end.is_blind) {
		int64_t now_ns = hpt_clock_kernel_ns(sl->s->clk, id);

		if (now_ns >= end_ns)
			break;
		if (unlikely(!now_ns))
			sl->end.is_blind = sl->end.is_known = hpt_sample_is_blind(src);
		r = hpt_kernel_wait(sl, is_by_os ? hpt_kernel_wait_clock(sl) : id,
				    is_by_os ? hpt_kernel_wait_end_ns(sl, end_ns, &is_cut) : end_ns);
		arch_relax();
	}
	if (sl->end.is_blind && r != -ECANCELED && r != -EINTR)
		r = end_blindly(sl);
	else
		sl->spin.now = src->read(src);
	errno = saved;
	return r == -ECANCELED || r == -EINTR ? r : (int)sl->state;
}
