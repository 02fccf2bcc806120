// SPDX-License-Identifier: MIT
/* Takes the anchor and says whether it still holds: lib/clock/anchor.h. */
#include "clock/anchor.h"

#include "arch/arch.h"

#define ANCHOR_MAX_NS INT64_C(16000000000)

COLD void hpt_anchor_take(const struct hpt_source *src, struct hpt_anchor *ret)
{
	ret->n = 0;
	if (src->rate.origin == HPT_ORIGIN_EXACT)
		return;
	ret->n = hpt_brackets_take(src, CLOCK_MONOTONIC_RAW, ret->brackets, HPT_ANCHOR_BRACKETS);
	ret->offset = hpt_unix_offset_take(src);
}

/*
 * Where the reference runs on another oscillator, a small jump of the counter over more than ANCHOR_MAX_NS looks like a
 * different rate.
 */
static bool is_stale(const struct hpt_anchor *anchor, const struct hpt_source *src)
{
	return src->clock_ns(CLOCK_MONOTONIC_RAW) - anchor->brackets[0].ref_ns > ANCHOR_MAX_NS;
}

/*
 * During a suspend CLOCK_MONOTONIC_RAW stands still while the counter runs on or starts again from zero. In a new
 * time namespace CLOCK_MONOTONIC_RAW has jumped and the counter has not. Both change the offset between CLOCK_REALTIME
 * and CLOCK_MONOTONIC.
 */
COLD bool hpt_anchor_is_valid(const struct hpt_anchor *anchor, const struct hpt_source *src, bool is_clocksource)
{
	return anchor->n && (is_clocksource || !is_stale(anchor, src)) &&
	       !hpt_unix_offset_differs(anchor->offset, hpt_unix_offset_take(src));
}
