// SPDX-License-Identifier: MIT
/* Sleeping until a deadline: lib/sleep/sleep.h. What is left to sleep is reckoned anew after each wait in the kernel. */
#include "sleep/sleep.h"

#include <errno.h>
#include <limits.h>

#include "arch/arch.h"
#include "sleep/deadline.h"

/* Not over yet: none of the results of a sleep. */
#define AGAIN INT_MIN

static COLD int overdue(struct hpt_nap *n)
{
	hpt_nap_note_parted(n);
	return (int)n->state;
}

/* AGAIN, or the result. */
static int come_near(struct hpt_nap *n)
{
	switch (hpt_spin_near(&n->spin)) {
	case HPT_SPIN_REACHED:
		n->plain = n->line == HPT_SLEEP_TO_UNIX_NS || n->state ? 0 : n->spin.parted;
		return AGAIN;
	case HPT_SPIN_RUNG:
		return -ECANCELED;
	default:
		return overdue(n);
	}
}

/* Up to where the last few hundred nanoseconds are to come: AGAIN, or the result. */
static __attribute__((noinline)) int approach(struct hpt_nap *n)
{
	int64_t early_ns = hpt_policy_kind(n->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(n->s->policy) : 0;
	int r = 0;

	hpt_clock_rates(n->s->clk, &n->rates);
	if (hpt_nap_rest_ns(n) > HPT_LEAST_WAIT_NS)
		r = hpt_nap_in_kernel(n);
	if (r || hpt_nap_is_over(n) || (early_ns && hpt_nap_rest_ns(n) <= early_ns))
		return r ? r : (int)n->state;
	/* What is too short for the kernel, and no more. */
	n->spin.deadline -= hpt_scale_floor((uint64_t)early_ns, n->rates.tick_per_ns.whole, n->rates.tick_per_ns.frac);
	n->spin.s = n->s;
	n->spin.exits[0] = __builtin_return_address(0);
	n->spin.reads_ns = n->line == HPT_SLEEP_TO_NS || n->line == HPT_SLEEP_AFTER_NS;
	n->spin.tick_per_ns = n->rates.tick_per_ns;
	n->spin.ns_per_tick = n->rates.ns_per_tick;
	n->spin.rest_ns = hpt_nap_rest_ns(n);
	return come_near(n);
}

/* A step of the wall clock within the spin, or a bend of its line. */
static bool is_early(struct hpt_nap *n)
{
	if (n->line != HPT_SLEEP_TO_UNIX_NS || n->state || hpt_now_unix_ns(n->s->clk) >= n->at)
		return false;
	hpt_nap_reckon(n);
	return !hpt_nap_is_over(n);
}

/* Far beyond the deadline: the counter may have jumped there. */
static bool has_jumped(const struct hpt_nap *n)
{
	return n->spin.end_ns && n->spin.end_ns - hpt_kernel_ns(n->s->clk, CLOCK_MONOTONIC) > HPT_PARTED_NS;
}

/* What is not the plain end of a sleep. */
static COLD __attribute__((noinline)) int settle(struct hpt_nap *n, enum hpt_spin_end end)
{
	int64_t late = (int64_t)(n->spin.now - n->spin.deadline);

	switch (end) {
	case HPT_SPIN_RUNG:
		return -ECANCELED;
	case HPT_SPIN_MORE:
		return hpt_spin_is_overdue(&n->spin) ? overdue(n) : come_near(n);
	default:
		if (is_early(n))
			return approach(n);
		return late > (int64_t)n->spin.parted && has_jumped(n) ? overdue(n) : (int)n->state;
	}
}

/*
 * Part of each function that returns to the program: between the read that decides and the program there are a few
 * instructions and one return. In functions of its own it was 30 ns more below a tick of the kernel, and 100 above.
 */
static inline __attribute__((always_inline)) int sleep_on(struct hpt_nap *n)
{
	int r;

	/* An interrupt wins over the deadline, also over a past one. */
	if (hpt_is_rung(n->s))
		return -ECANCELED;
	if (hpt_nap_is_over(n))
		return HPT_STATE_OK;
	r = approach(n);
	while (r == AGAIN) {
		enum hpt_spin_end end = hpt_spin_last(&n->spin);

		if (likely(end == HPT_SPIN_REACHED && n->spin.now - n->spin.until < n->plain))
			return HPT_STATE_OK;
		r = settle(n, end);
	}
	return r;
}

HOT int hpt_sleep_on(const struct hpt_sleeper *s, enum hpt_sleep_line line, int64_t at, uint64_t unit_ns,
		 int64_t *ret_left)
{
	uint64_t now = hpt_source_now(&s->clk->src);
	struct hpt_nap n = { .s = s, .line = line, .spin.now = now };
	int64_t left = 0;
	int r;

	n.spin.exits[1] = __builtin_return_address(0);
	hpt_nap_set_out(&n, at, unit_ns);
	r = sleep_on(&n);
	if (unlikely(r < 0) && !hpt_nap_is_over(&n))
		left = (int64_t)(n.spin.deadline - n.spin.now);
	*ret_left = left;
	return r;
}

/* Nobody can end it. The functions below jump here, so that the return goes straight to the program. */
static HOT __attribute__((noinline)) int sleep_alone(hpt_clock *clk, enum hpt_sleep_line line, int64_t at,
						     uint64_t unit_ns)
{
	uint64_t now = hpt_source_now(&(clk = hpt_clock_or_default(clk))->src);
	struct hpt_sleeper s = { .clk = clk, .policy = hpt_policy_current(), .exit = __builtin_return_address(0) };
	struct hpt_nap n = { .s = &s, .line = line, .spin.now = now };

	n.spin.exits[1] = s.exit;
	hpt_nap_set_out(&n, at, unit_ns);
	return sleep_on(&n);
}

/* ---- Public --------------------------------------------------------------------------------------------- */

HOT int hpt_sleep_ns(hpt_clock *clk, int64_t amount)
{
	return sleep_alone(clk, HPT_SLEEP_AFTER_NS, amount, 1);
}

HOT int hpt_sleep_us(hpt_clock *clk, int64_t amount)
{
	return sleep_alone(clk, HPT_SLEEP_AFTER_NS, amount, 1000);
}

HOT int hpt_sleep_s(hpt_clock *clk, int64_t amount)
{
	return sleep_alone(clk, HPT_SLEEP_AFTER_NS, amount, HPT_NS_PER_S);
}

HOT int hpt_sleep_ticks(hpt_clock *clk, int64_t amount)
{
	return sleep_alone(clk, HPT_SLEEP_AFTER_TICKS, amount, 1);
}

HOT int hpt_sleep_until(hpt_clock *clk, hpt_time_t deadline)
{
	return sleep_alone(clk, HPT_SLEEP_TO_TICK, deadline, 1);
}

HOT int hpt_sleep_until_unix_ns(hpt_clock *clk, int64_t unix_ns)
{
	return sleep_alone(clk, HPT_SLEEP_TO_UNIX_NS, unix_ns, 1);
}

