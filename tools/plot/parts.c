// SPDX-License-Identifier: MIT
/* Computes ranges, and notes what an axis cannot show: tools/plot/parts.h. */
#include "plot/parts.h"

#include <math.h>

#include "cli/amount.h"
#include "plot/axes.h"
#include "plot/svg.h"

void range_add(struct range *span, double ps)
{
	if (isnan(ps))
		return;
	if (!(ps >= PLOT_LEAST_PS))
		ps = PLOT_LEAST_PS;
	span->low = fmin(span->low, ps);
	span->high = fmax(span->high, ps);
}

void range_fit(const struct range *span, struct axis *axis)
{
	axis_fit(axis, isfinite(span->low) ? span->low : PLOT_LEAST_PS,
		     isfinite(span->high) ? span->high : PLOT_LEAST_PS);
}

void plot_note_below(struct svg *svg, size_t below, size_t all, const struct axis *axis)
{
	struct amount foot = axis->unit == AXIS_SHARE ? amount_share(axis->from) :
								amount_length(axis->from);

	if (below)
		svg_note(svg, "%zu of %zu values are below %s, some perhaps 0 or less: they are drawn there.",
			     below, all, foot.s);
}
