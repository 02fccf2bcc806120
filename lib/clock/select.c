// SPDX-License-Identifier: MIT
/*
 * A request wins, then the processor's own counter if it is trusted. Otherwise the papers' 25 % rule decides between
 * the OS clock and a memory-mapped counter, or else the HPET: lib/clock/select.h.
 */
#include "clock/select.h"

#include "hpt/hpt.h"

#include "arch/arch.h"

/*
 * Means closer than this percentage of the larger are a draw (Fedotova's thesis, chapter 3). "25 %" also stands in
 * lib/clock/names.c and hpt_source(7).
 */
#define DRAW_PERCENT 25
_Static_assert(100 % DRAW_PERCENT == 0, "is_draw() divides by 100 / DRAW_PERCENT");

/* A source this many times coarser never wins on cost, since its cheap reads mostly return an old value. */
#define COARSER_TIMES 10

static void decide(struct hpt_choice *ret, uint32_t winner, uint32_t why, uint32_t loser, uint32_t why_not)
{
	ret->source = winner;
	ret->reason[winner] = why;
	ret->reason[loser] = why_not;
}

/* True if they differ by less than DRAW_PERCENT of the larger. That share is rounded up. Cannot overflow. */
static bool is_draw(uint64_t a, uint64_t b)
{
	uint64_t larger = a > b ? a : b, difference = larger - (a > b ? b : a);

	return !difference || difference < larger / (100 / DRAW_PERCENT) + (larger % (100 / DRAW_PERCENT) != 0);
}

/* True if a is more than COARSER_TIMES b. Cannot overflow. */
static bool is_coarser(uint64_t a, uint64_t b)
{
	return b < a / COARSER_TIMES + (a % COARSER_TIMES != 0);
}

/* Between another counter and the OS clock. */
static void by_cost(const struct hpt_candidate c[HPT_SOURCE_IDS], uint32_t rival, struct hpt_choice *ret)
{
	const struct hpt_candidate *r = &c[rival], *o = &c[HPT_SOURCE_OS];

	if (is_coarser(r->shortest_ps, o->shortest_ps))
		decide(ret, HPT_SOURCE_OS, HPT_REASON_FINER, rival, HPT_REASON_COARSER);
	else if (is_coarser(o->shortest_ps, r->shortest_ps))
		decide(ret, rival, HPT_REASON_FINER, HPT_SOURCE_OS, HPT_REASON_COARSER);
	else if (is_draw(r->mean_ps, o->mean_ps)) {
		if (r->stddev_ps < o->stddev_ps) /* equal goes to OS */
			decide(ret, rival, HPT_REASON_LOWER_STDDEV, HPT_SOURCE_OS, HPT_REASON_HIGHER_STDDEV);
		else
			decide(ret, HPT_SOURCE_OS, HPT_REASON_LOWER_STDDEV, rival, HPT_REASON_HIGHER_STDDEV);
	} else if (r->mean_ps < o->mean_ps)
		decide(ret, rival, HPT_REASON_LOWER_MEAN, HPT_SOURCE_OS, HPT_REASON_HIGHER_MEAN);
	else
		decide(ret, HPT_SOURCE_OS, HPT_REASON_LOWER_MEAN, rival, HPT_REASON_HIGHER_MEAN);
}

static bool may_win(const struct hpt_candidate *c)
{
	return c->usable && c->trusted;
}

static void by_rule(const struct hpt_candidate c[HPT_SOURCE_IDS], struct hpt_choice *ret)
{
	uint32_t own = may_win(&c[HPT_SOURCE_TSC]) ? HPT_SOURCE_TSC : HPT_SOURCE_ARCH; /* no machine has both */
	uint32_t better = own == HPT_SOURCE_TSC ? HPT_REASON_BETTER_TSC : HPT_REASON_BETTER_ARCH;
	uint32_t rival = may_win(&c[HPT_SOURCE_MMIO]) ? HPT_SOURCE_MMIO : HPT_SOURCE_HPET; /* described, so wanted */

	if (may_win(&c[own])) {
		decide(ret, own, c[own].reason, HPT_SOURCE_OS, better);
		if (c[HPT_SOURCE_HPET].usable)
			ret->reason[HPT_SOURCE_HPET] = better;
		if (c[HPT_SOURCE_MMIO].usable)
			ret->reason[HPT_SOURCE_MMIO] = better;
	} else if (may_win(&c[rival])) {
		by_cost(c, rival, ret);
	} else {
		ret->source = HPT_SOURCE_OS;
		ret->reason[HPT_SOURCE_OS] = HPT_REASON_ONLY_ONE;
	}
}

static void by_request(const struct hpt_candidate c[HPT_SOURCE_IDS], uint32_t requested, struct hpt_choice *ret)
{
	ret->source = requested;
	ret->vetoed = !c[requested].trusted;
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		if (c[id].usable && c[id].trusted)
			ret->reason[id] = HPT_REASON_OTHER_REQUESTED;
	if (!ret->vetoed)
		ret->reason[requested] = HPT_REASON_REQUESTED_ENV;
}

COLD void hpt_select(const struct hpt_candidate candidates[HPT_SOURCE_IDS], uint32_t requested, struct hpt_choice *ret)
{
	*ret = (struct hpt_choice){ 0 };
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		ret->reason[id] = candidates[id].reason;
	ret->refused = requested != HPT_SOURCE_AUTO && !candidates[requested].usable;
	if (requested == HPT_SOURCE_AUTO || ret->refused)
		by_rule(candidates, ret);
	else
		by_request(candidates, requested, ret);
}
