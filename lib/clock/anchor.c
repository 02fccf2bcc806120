// SPDX-License-Identifier: MIT
/* Takes the anchor and says whether it still holds: lib/clock/anchor.h. */
#include "clock/anchor.h"

#include "arch/arch.h"

#define ANCHOR_MAX_NS INT64_C(16000000000)

COLD void hpt_anchor_take(struct hpt_clock *clk)
{
	if (clk->src.rate.origin == HPT_ORIGIN_EXACT)
		return;
	clk->n_anchor = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, clk->anchor, HPT_ANCHOR_BRACKETS);
	clk->anchor_offset = hpt_wall_offset_take(&clk->src);
}

/*
 * Where the reference runs on another oscillator, a small jump of the counter over more than ANCHOR_MAX_NS looks like a
 * different rate.
 */
static bool is_too_old(const struct hpt_clock *clk)
{
	return !clk->is_clocksource && clk->src.clock_ns(CLOCK_MONOTONIC_RAW) - clk->anchor[0].ref_ns > ANCHOR_MAX_NS;
}

/*
 * During a suspend CLOCK_MONOTONIC_RAW stands still while the counter runs on or starts again from zero. In a new
 * time namespace CLOCK_MONOTONIC_RAW has jumped and the counter has not. Both change the offset between CLOCK_REALTIME
 * and CLOCK_MONOTONIC. Replaced clocks may jump together: libfaketime's constructor runs after the anchor is taken and
 * starts them again, 30 us ahead.
 */
COLD bool hpt_anchor_is_valid(const struct hpt_clock *clk)
{
	return clk->n_anchor && !hpt_clock_is_interposed(clk) && !is_too_old(clk) &&
	       !hpt_wall_offset_differs(clk->anchor_offset, hpt_wall_offset_take(&clk->src));
}
