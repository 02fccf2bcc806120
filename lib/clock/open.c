// SPDX-License-Identifier: MIT
/* Handles: hpt_clock_open(), hpt_clock_open_mmio(), hpt_clock_ref(), hpt_clock_close(). */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "machine/live.h"
#include "clock/anchor.h"
#include "clock/default.h"
#include "clock/judge.h"
#include "clock/read.h"
#include "clock/sized.h"
#include "clock/source_status.h"
#include "source/mmio.h"
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

static COLD void prepare(struct hpt_clock *clk)
{
	int64_t deltas[HPT_READ_COST_READS];
	char kernel[sizeof(((struct hpt_clock_info *)0)->kernel_clocksource)];
	struct hpt_verdict verdict = hpt_judge(clk, kernel, sizeof(kernel));

	clk->reason = verdict.trusted ? HPT_REASON_REQUESTED : verdict.reason;
	clk->is_vetoed = !verdict.trusted;
	hpt_ordered_read_cost(deltas, hpt_ordered_read_choose(&clk->src, deltas, HPT_READ_COST_READS),
			      HPT_READ_COST_READS, &clk->cost, &clk->other_mticks);
	hpt_read_set(clk);
	if (!clk->n_anchor) /* the verdict on a TSC may have taken one */
		hpt_anchor_take(clk);
}

/* On a source, or on the memory-mapped counter that is described. */
static COLD int open_clock(uint32_t source, const struct hpt_mmio *mmio, hpt_clock **ret)
{
	const struct hpt_boot *booted = hpt_booted();
	struct hpt_clock *clk;
	int r, saved = errno, cancel;

	/* open(2) is a cancellation point; a thread cancelled there would hold the HPET for ever. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	clk = hpt_clock_allocate();
	if (!clk)
		r = -ENOMEM;
	else
		r = mmio ? hpt_mmio_open(&clk->src, &hpt_env_live, mmio) :
			   hpt_source_open(&clk->src, hpt_source_find(source), &hpt_env_live);
	if (!r) {
		clk->at_load = booted->status;
		prepare(clk);
		note_success(source, clk);
		*ret = clk;
	} else if (clk) {
		note_failure(booted->status, source, &clk->src, r);
		free(clk);
	}
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	return r;
}

COLD int hpt_clock_open(uint32_t source, uint32_t flags, hpt_clock **ret)
{
	if (!ret || source >= HPT_SOURCE_IDS || flags)
		return -EINVAL;
	if (source == HPT_SOURCE_MANUAL)
		return -ENOTSUP;
	return open_clock(source == HPT_SOURCE_AUTO ? hpt_booted()->clk.src.ops->id : source, NULL, ret);
}

COLD int hpt_clock_open_mmio(const struct hpt_mmio *mmio, size_t size, hpt_clock **ret)
{
	if (!mmio || !ret || !hpt_can_take(mmio, size, HPT_MMIO_SIZE_V0, sizeof(*mmio)))
		return -EINVAL;
	return open_clock(HPT_SOURCE_MMIO, mmio, ret);
}

COLD hpt_clock *hpt_clock_ref(hpt_clock *clk)
{
	clk = hpt_clock_or_default(clk);
	if (atomic_load_explicit(&clk->holders, memory_order_relaxed))
		atomic_fetch_add_explicit(&clk->holders, 1, memory_order_relaxed);
	return clk;
}

COLD void hpt_clock_close(hpt_clock *clk)
{
	if (!clk || !atomic_load_explicit(&clk->holders, memory_order_relaxed))
		return;
	/* Release, so that what this holder did with the clock is done before another one frees it. */
	if (atomic_fetch_sub_explicit(&clk->holders, 1, memory_order_acq_rel) > 1)
		return;
	hpt_source_close(&clk->src);
	free(clk);
}
