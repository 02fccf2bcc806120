// SPDX-License-Identifier: MIT
/* The memory of a clock and its facts, whatever its source: lib/clock/clock.h. */
#include "clock/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "source/ordered_read.h"
#include "source/own_read.h"

COLD struct hpt_clock *hpt_clock_allocate(void)
{
	struct hpt_clock *clk = aligned_alloc(_Alignof(struct hpt_clock), sizeof(*clk));

	if (!clk)
		return NULL;
	memset(clk, 0, sizeof(*clk));
	atomic_init(&clk->holders, 1);
	return clk;
}

COLD void hpt_clock_keep(struct hpt_clock *clk, const struct hpt_findings *found)
{
	if (hpt_source_is_own(&clk->src))
		hpt_own_set_order(&clk->src, found->order);
	clk->is_clocksource = found->is_clocksource;
	clk->load_reads = found->reads;
	clk->anchor = found->anchor;
}

COLD void hpt_clock_read_cost(const struct hpt_clock *clk, struct hpt_read_cost *ret, uint64_t *ret_other)
{
	int64_t deltas[HPT_LOAD_READS];

	*ret = clk->cost;
	*ret_other = clk->other_mticks;
	if (ret->samples || !clk->load_reads.n)
		return;
	memcpy(deltas, clk->load_reads.deltas, sizeof(deltas));
	hpt_ordered_read_cost(deltas, clk->load_reads.n, HPT_LOAD_READS, ret, ret_other);
}

COLD bool hpt_clock_is_interposed(const struct hpt_clock *clk)
{
	return clk->src.ops->id == HPT_SOURCE_OS || clk->reason == HPT_REASON_INTERPOSED;
}

int64_t hpt_clock_kernel_ns(const struct hpt_clock *clk, clockid_t id)
{
	int saved = errno;
	int64_t ns;

	if (!hpt_clock_is_interposed(clk) || !clk->src.env->kernel_ns(id, &ns))
		ns = clk->src.clock_ns(id);
	errno = saved;
	return ns;
}
