// SPDX-License-Identifier: MIT
/* Computes ranges, and notes what an axis cannot show: tools/plot/parts.h. */
#include "plot/parts.h"

#include <math.h>

#include "cli/amount.h"
#include "plot/axes.h"
#include "plot/svg.h"

void hpt_range_add(struct hpt_range *span, double ps)
{
	if (isnan(ps))
		return;
	if (!(ps >= HPT_PLOT_LEAST_PS))
		ps = HPT_PLOT_LEAST_PS;
	span->low = fmin(span->low, ps);
	span->high = fmax(span->high, ps);
}

void hpt_range_fit(const struct hpt_range *span, struct hpt_axis *axis)
{
	hpt_axis_fit(axis, isfinite(span->low) ? span->low : HPT_PLOT_LEAST_PS,
		     isfinite(span->high) ? span->high : HPT_PLOT_LEAST_PS);
}

void hpt_plot_note_below(struct hpt_svg *svg, size_t below, size_t all, const struct hpt_axis *axis)
{
	struct hpt_amount foot = axis->unit == HPT_AXIS_SHARE ? hpt_amount_share(axis->from) :
								hpt_amount_length(axis->from);

	if (below)
		hpt_svg_note(svg, "%zu of %zu values are below %s, some perhaps 0 or less: they are drawn there.",
			     below, all, foot.s);
}
