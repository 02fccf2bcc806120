// SPDX-License-Identifier: MIT
/*
 * Chooses the source and takes an anchor, in microseconds: lib/clock/choose.h. It does not calibrate, allocate, print,
 * start a thread or keep a file open.
 */
#include "clock/choose.h"

#include <string.h>

#include "arch/arch.h"
#include "clock/anchor.h"
#include "clock/judge.h"
#include "clock/read.h"
#include "clock/select.h"
#include "source/find.h"
#include "source/ordered_read.h"
#include "source/os.h"

/* The 25 % rule may take 1 ms of load time: each of its two sources gets this much. */
#define RULE_LIMIT_NS 400000

/* ---- The request ------------------------------------------------------------------------------------- */

static COLD void read_request(struct hpt_boot *b, const struct hpt_env *env)
{
	const char *text = env->getenv("HPT_SOURCE");
	size_t n = text ? strlen(text) : 0;

	if (!n)
		return;
	if (n >= sizeof(b->env_source))
		n = sizeof(b->env_source) - 1;
	memcpy(b->env_source, text, n);
	if (hpt_source_parse(text, &b->requested))
		b->flags |= HPT_CLOCK_ENV_UNKNOWN;
}

/* Not inline: a load that measures nothing does not touch these 2.5 KiB of stack. */
static COLD __attribute__((noinline)) void measure(const struct hpt_source *src, uint32_t reads,
						   uint64_t limit_ticks, struct hpt_read_cost *ret)
{
	int64_t deltas[HPT_READ_COST_READS];

	hpt_read_cost_of(deltas, hpt_read_cost_deltas(src, deltas, reads, limit_ticks), ret);
}

/* ---- The choice ------------------------------------------------------------------------------------ */

struct choosing {
	const struct hpt_env *env;
	struct hpt_boot *boot;
	struct hpt_source src[HPT_SOURCE_IDS];
	struct hpt_candidate candidate[HPT_SOURCE_IDS];
};

/* *ret_found: what the judge finds about the source, if it can be opened. */
static COLD void try_source(struct choosing *c, uint32_t id, struct hpt_findings *ret_found)
{
	struct hpt_candidate *candidate = &c->candidate[id];
	struct hpt_source_status *status = &c->boot->status[id];
	int r = hpt_source_open(&c->src[id], hpt_source_find(id), c->env);

	status->error = (uint64_t)-r;
	status->stage = c->src[id].stage;
	status->usable = !r;
	candidate->usable = !r;
	candidate->reason = c->src[id].reason;
	if (r)
		return;
	hpt_judge(&c->src[id], ret_found);
	candidate->trusted = ret_found->verdict.trusted;
	candidate->reason = ret_found->verdict.reason;
	status->frequency_uhz = c->src[id].rate.frequency_uhz;
}

/* Measures the cost and the step of a source's reads, which the 25 % rule compares. */
static COLD void weigh(struct choosing *c, uint32_t id)
{
	struct hpt_candidate *candidate = &c->candidate[id];
	struct hpt_read_cost *cost = &c->boot->status[id].cost;
	uint64_t uhz = c->src[id].rate.frequency_uhz;
	uint64_t limit = (uint64_t)RULE_LIMIT_NS * c->src[id].rate.den / c->src[id].rate.num;

	measure(&c->src[id], HPT_READ_COST_READS, limit, cost);
	candidate->mean_ps = hpt_read_cost_ps(cost->mean_mticks, uhz);
	candidate->stddev_ps = hpt_read_cost_ps(cost->stddev_mticks, uhz);
	/* No step in any of the reads: too coarse to measure. */
	candidate->shortest_ps = cost->shortest_ticks ? hpt_read_cost_ps(cost->shortest_ticks * 1000, uhz) : UINT64_MAX;
}

/* True if no other source has to be tried: the own counter is requested, or trusted while no source is requested. */
static COLD bool own_settles_it(const struct choosing *c, uint32_t requested)
{
	const struct hpt_candidate *own = &c->candidate[HPT_SOURCE_OWN];

	return own->usable && (requested == HPT_SOURCE_OWN || (own->trusted && requested == HPT_SOURCE_AUTO));
}

static COLD bool may_be_chosen(const struct choosing *c, uint32_t id)
{
	return c->candidate[id].usable && c->candidate[id].trusted;
}

/* Of a source that is not the processor's own counter the judge finds a verdict, and nothing to keep. */
static COLD bool try_other(struct choosing *c, uint32_t id)
{
	struct hpt_findings found;

	try_source(c, id, &found);
	return may_be_chosen(c, id);
}

/* The counter that rivals the OS clock: the requested one, the one that HPT_MMIO describes, or the HPET. OS: none. */
static COLD uint32_t try_rivals(struct choosing *c, uint32_t requested)
{
	if (requested == HPT_SOURCE_HPET && try_other(c, HPT_SOURCE_HPET))
		return HPT_SOURCE_HPET;
	if ((requested == HPT_SOURCE_MMIO || c->env->getenv("HPT_MMIO")) && try_other(c, HPT_SOURCE_MMIO))
		return HPT_SOURCE_MMIO;
	if (requested != HPT_SOURCE_HPET && !may_be_chosen(c, HPT_SOURCE_OWN) && try_other(c, HPT_SOURCE_HPET))
		return HPT_SOURCE_HPET;
	return HPT_SOURCE_OS;
}

/* Opens only the sources that the choice needs: /dev/hpet has one channel on common machines, for all processes. */
static COLD void try_sources(struct choosing *c, uint32_t requested)
{
	uint32_t untried = HPT_REASON_NOT_NEEDED, rival;

	if (!hpt_source_find(requested))
		requested = HPT_SOURCE_AUTO;
	if (requested != HPT_SOURCE_AUTO)
		untried = requested == HPT_SOURCE_OS ? HPT_REASON_SKIPPED_ENV : HPT_REASON_OTHER_REQUESTED;

	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		c->candidate[id].reason = hpt_source_find(id) ? untried : HPT_REASON_NOT_BUILT;
	c->candidate[HPT_SOURCE_MANUAL].reason = HPT_REASON_MANUAL;
	if (hpt_source_find(HPT_SOURCE_MMIO) && !c->env->getenv("HPT_MMIO"))
		c->candidate[HPT_SOURCE_MMIO].reason = HPT_REASON_MMIO_UNDESCRIBED;
	if (requested != HPT_SOURCE_OS)
		try_source(c, HPT_SOURCE_OWN, &c->boot->own);
	if (own_settles_it(c, requested))
		return;
	try_other(c, HPT_SOURCE_OS);
	if (requested == HPT_SOURCE_OS)
		return;
	rival = try_rivals(c, requested);
	if (rival != HPT_SOURCE_OS && requested != rival) {
		weigh(c, rival);
		weigh(c, HPT_SOURCE_OS);
	}
}

/* Moves the chosen source into the default clock and closes the others. */
static COLD void adopt(struct choosing *c, const struct hpt_choice *choice)
{
	struct hpt_boot *b = c->boot;

	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++) {
		b->status[id].reason = choice->reason[id];
		if (c->candidate[id].usable && id != choice->source)
			hpt_source_close(&c->src[id]);
	}
	b->clk.src = c->src[choice->source];
	if (choice->source == HPT_SOURCE_OWN)
		hpt_clock_keep(&b->clk, &b->own);
	b->clk.reason = choice->reason[choice->source];
	b->clk.is_vetoed = choice->vetoed;
	b->clk.at_load = b->status;
	b->clk.cost = b->status[choice->source].cost;
	if (!b->clk.cost.samples && !b->clk.load_reads.n)
		b->clk.load_reads.n = hpt_ordered_read_choose(&b->clk.src, b->clk.load_reads.deltas, HPT_LOAD_READS);
	hpt_read_set(&b->clk);
	if (!b->clk.anchor.n)
		hpt_anchor_take(&b->clk.src, &b->clk.anchor);
	if (choice->refused)
		b->flags |= HPT_CLOCK_ENV_REFUSED;
}

/* The OS clock works everywhere, so it counts as usable even where it was not tried. */
static COLD void os_is_usable(struct hpt_boot *b)
{
	b->status[HPT_SOURCE_OS].usable = 1;
	b->status[HPT_SOURCE_OS].frequency_uhz = HPT_UHZ_PER_GHZ;
}

COLD void hpt_choose_os(struct hpt_boot *ret, const struct hpt_env *env)
{
	struct hpt_source src;

	hpt_source_open(&src, &hpt_source_os, env);
	ret->clk.src = src;
	hpt_read_set(&ret->clk);
	os_is_usable(ret);
	ret->clk.reason = HPT_REASON_ONLY_ONE;
	ret->clk.at_load = ret->status;
}

COLD void hpt_choose(struct hpt_boot *ret, const struct hpt_env *env)
{
	struct choosing c = { .env = env, .boot = ret };
	struct hpt_choice choice;

	os_is_usable(ret);
	read_request(ret, env);
	try_sources(&c, ret->requested);
	hpt_select(c.candidate, ret->requested, &choice);
	adopt(&c, &choice);
}
