// SPDX-License-Identifier: MIT
/* Makes and frees clocks: opens the source, judges it, times its reads, records what it found: lib/clock/opener.h. */
#include "clock/opener.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "clock/anchor.h"
#include "clock/judge.h"
#include "clock/read.h"
#include "clock/source_status.h"
#include "clock/world.h"
#include "source/find.h"
#include "source/ordered_read.h"

static COLD void note_failure(const struct hpt_source_status *at_load, uint32_t source, const struct hpt_source *src,
			      int err)
{
	struct hpt_source_status status = {
		.stage = src->stage, .reason = src->reason, .error = (uint64_t)-err,
	};

	hpt_source_status_set(at_load, source, &status);
}

/* Keeps load's reason for not making this source the default, unless that was a failure: a failure is now disproved. */
static COLD void note_success(uint32_t source, const struct hpt_clock *clk)
{
	struct hpt_source_status status;

	hpt_source_status_get(clk->at_load, source, &status);
	if (status.error || clk->is_vetoed)
		status.reason = clk->reason;
	status.usable = 1;
	status.error = 0;
	status.stage = HPT_STAGE_USABLE;
	status.cost = clk->cost;
	status.frequency_uhz = clk->src.rate.frequency_uhz;
	hpt_source_status_set(clk->at_load, source, &status);
}

static COLD void prepare_clock(struct hpt_clock *clk)
{
	int64_t deltas[HPT_READ_COST_READS];
	struct hpt_findings found;

	hpt_judge(&clk->src, &found);
	hpt_clock_keep(clk, &found);
	clk->reason = found.verdict.trusted ? HPT_REASON_REQUESTED : found.verdict.reason;
	clk->is_vetoed = !found.verdict.trusted;
	hpt_ordered_read_cost(deltas, hpt_ordered_read_choose(&clk->src, deltas, HPT_READ_COST_READS),
			      HPT_READ_COST_READS, &clk->cost, &clk->other_mticks);
	hpt_read_set(clk);
	if (!clk->anchor.n)
		hpt_anchor_take(&clk->src, &clk->anchor);
}

COLD int hpt_clock_open_by(uint32_t source, hpt_opener *opener, const void *given,
			   const struct hpt_source_status *at_load, hpt_clock **ret)
{
	struct hpt_clock *clk;
	int r, saved = errno, cancel;

	/* open(2) is a cancellation point; a thread cancelled there would hold the HPET for ever. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	clk = hpt_clock_allocate();
	if (!clk)
		r = -ENOMEM;
	else
		r = opener ? opener(&clk->src, hpt_world.env, given) :
			     hpt_source_open(&clk->src, hpt_source_find(source), hpt_world.env);
	if (!r) {
		clk->at_load = at_load;
		prepare_clock(clk);
		note_success(source, clk);
		*ret = clk;
	} else if (clk) {
		note_failure(at_load, source, &clk->src, r);
		free(clk);
	}
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	return r;
}

COLD void hpt_clock_close(hpt_clock *clk)
{
	if (!clk || !hpt_clock_is_counted(clk))
		return;
	/* Release, so that what this holder did with the clock is done before another one frees it. */
	if (atomic_fetch_sub_explicit(&clk->holders, 1, memory_order_acq_rel) != 1)
		return;
	hpt_source_close(&clk->src);
	free(clk);
}
