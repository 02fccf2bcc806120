// SPDX-License-Identifier: MIT
/* Computes and draws ranges, quantities over time and distributions: tools/bench/plot/parts.h. */
#include "bench/plot/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot/axes.h"
#include "bench/plot/svg.h"
#include "stats.h"
#include "units.h"
#include "util.h"

/* Some 2.5 units each in a panel 600 wide. */
#define STRETCHES 240

void hpt_range_add(struct hpt_range *span, double ps)
{
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

/* ---- Over time -------------------------------------------------------------------------------------------------- */

static int64_t at_ns(const struct hpt_trace *s, size_t time)
{
	return s->at_ns ? s->at_ns[time] : (int64_t)time * s->every_ns;
}

int64_t hpt_trace_end_ns(const struct hpt_trace *s)
{
	return s->n_times ? at_ns(s, s->n_times - 1) : 0;
}

struct stretches {
	double at[STRETCHES], low[STRETCHES], median[STRETCHES], high[STRETCHES], max[STRETCHES];
	size_t n;
};

static void add_stretch(struct stretches *ret, double at_ps, const int64_t *ps, size_t n, int64_t *scratch)
{
	memcpy(scratch, ps, n * sizeof(ps[0]));
	hpt_stats_sort(scratch, n);
	ret->at[ret->n] = at_ps;
	ret->low[ret->n] = (double)scratch[0];
	ret->median[ret->n] = (double)hpt_stats_median(scratch, n);
	ret->high[ret->n] = (double)hpt_stats_quantile(scratch, n, 0.9);
	ret->max[ret->n] = (double)scratch[n - 1];
	ret->n++;
}

static size_t stretch_of(const struct hpt_trace *s, const struct hpt_axis *x, size_t time)
{
	return (size_t)fmin(hpt_axis_at(x, (double)at_ns(s, time) * PS_PER_NS) * STRETCHES, STRETCHES - 1);
}

static void gather(const struct hpt_trace *s, const struct hpt_axis *x, struct stretches *ret)
{
	int64_t *scratch = hpt_calloc(s->n_times * s->each + 1, sizeof(scratch[0]));

	for (size_t from = 0, to; from < s->n_times && ret->n < STRETCHES; from = to) {
		for (to = from + 1; to < s->n_times && stretch_of(s, x, to) == stretch_of(s, x, from);)
			to++;
		add_stretch(ret, ((double)at_ns(s, from) + (double)at_ns(s, to - 1)) / 2 * PS_PER_NS,
			    s->ps + from * s->each, (to - from) * s->each, scratch);
	}
	free(scratch);
}

void hpt_plot_over_time(const struct hpt_panel *p, const struct hpt_trace *s)
{
	struct stretches *st;
	char tip[128];

	if (!s->n_times || !s->each)
		return;
	st = hpt_calloc(1, sizeof(*st));
	gather(s, &p->x, st);
	hpt_panel_band(p, st->at, st->low, st->high, st->n, s->series, s->name);
	hpt_panel_line(p, st->at, st->median, st->n, s->series, "", s->name);
	for (size_t i = 0; i < st->n; i++) {
		snprintf(tip, sizeof(tip), "%s: up to %s, median %s, at %s", s->name, hpt_svg_time(st->max[i]).s,
			 hpt_svg_time(st->median[i]).s, hpt_svg_time(st->at[i]).s);
		hpt_svg_dot(p->svg, hpt_panel_x(p, st->at[i]), hpt_panel_y(p, st->max[i]), s->series, tip);
	}
	free(st);
}

/* ---- Distributions ---------------------------------------------------------------------------------------------- */

static bool is_below(const struct hpt_axis *axis, int64_t ps)
{
	return (double)ps < axis->from;
}

static bool is_above(const struct hpt_axis *axis, int64_t ps)
{
	return (double)ps > axis->to;
}

void hpt_plot_shares(const struct hpt_axis *axis, const int64_t *ps, size_t n, double *ret, size_t n_parts)
{
	memset(ret, 0, n_parts * sizeof(ret[0]));
	for (size_t i = 0; i < n; i++)
		if (!is_above(axis, ps[i])) {
			double part = hpt_axis_at(axis, (double)ps[i]) * (double)n_parts;

			ret[(size_t)fmin(part, (double)n_parts - 1)] += 1 / (double)n;
		}
}

size_t hpt_plot_below(const struct hpt_axis *axis, const int64_t *ps, size_t n)
{
	size_t below = 0;

	for (size_t i = 0; i < n; i++)
		below += is_below(axis, ps[i]);
	return below;
}

size_t hpt_plot_above(const struct hpt_axis *axis, const int64_t *ps, size_t n)
{
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += is_above(axis, ps[i]);
	return above;
}

void hpt_plot_note_below(struct hpt_svg *svg, double x, double y, size_t below, size_t all,
			 const struct hpt_axis *axis)
{
	struct hpt_svg_value foot = axis->unit == HPT_AXIS_SHARE ? hpt_svg_share(axis->from) : hpt_svg_time(axis->from);

	if (below)
		hpt_svg_text(svg, x, y, "soft",
			     "%zu of %zu values are below %s, some perhaps 0 or less: they are drawn there.", below,
			     all, foot.s);
}
