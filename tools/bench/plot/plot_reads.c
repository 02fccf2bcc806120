// SPDX-License-Identifier: MIT
/* Draws the cost of reads: tools/bench/plot/plot_reads.h. */
#include "bench/plot/plot_reads.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/candidates_read.h"
#include "bench/plot/axes.h"
#include "bench/plot/parts.h"
#include "bench/plot/ridge.h"
#include "bench/plot/svg.h"
#include "bench/reads.h"
#include "util.h"

#define HEAD_HEIGHT  66.0
#define TIME_LEFT    70.0
#define TIME_WIDTH   866.0
#define TIME_HEIGHT  120.0
#define TIME_APART   42.0       /* with room for a title */
#define TIMES_HEAD   62.0
#define FOOT_HEIGHT  66.0
#define TIMES_MAX    6

/* The rows of libhpt have one colour, the yardsticks another. */
enum { OURS, YARDSTICK };

static uint32_t rounds_of(const struct hpt_reads *r)
{
	return atomic_load_explicit(&r->rounds_done, memory_order_acquire);
}

static struct hpt_trace trace_of(const struct hpt_reads *r, const struct hpt_reads_row *row)
{
	return (struct hpt_trace){ .name = row->call->name,
				   .series = hpt_read_candidate_is_ours(row->call) ? OURS : YARDSTICK,
				   .ps = row->single_ps, .each = row->singles, .n_times = rounds_of(r),
				   .at_ns = row->begun_ns };
}

/* ---- Distributions ---------------------------------------------------------------------------------------------- */

static void plot_distributions(const struct hpt_reads *r, struct hpt_svg *svg, double top)
{
	static const char *const names[] = { "libhpt", "other calls that read the time" };
	struct hpt_ridge *ridges = hpt_calloc(r->n_rows + 1, sizeof(ridges[0]));

	for (unsigned i = 0; i < r->n_rows; i++) {
		struct hpt_trace s = trace_of(r, &r->rows[i]);

		ridges[i] = (struct hpt_ridge){ .name = s.name, .series = s.series, .ps = s.ps, .n = s.n_times * s.each,
						.dist = &r->rows[i].single };
	}
	hpt_svg_text(svg, 20, top + 14, "head", "Distribution of the cost of single reads");
	hpt_svg_legend(svg, 20, top + 36, names, sizeof(names) / sizeof(names[0]));
	hpt_svg_text(svg, HPT_PLOT_WIDTH - 20, top + 36, "soft end",
		     "marker: median; strokes: 99 %% and 99.99 %%; each shape is as high as its fullest part");
	hpt_plot_ridges(svg, top + 40, ridges, r->n_rows, "cost of one read");
	free(ridges);
}

/* ---- Over time -------------------------------------------------------------------------------------------------- */

static bool is_hpt_now(const struct hpt_reads_row *row)
{
	return row->call->source && !strncmp(row->call->name, "hpt_now(", strlen("hpt_now("));
}

static uint32_t default_source(void)
{
	struct hpt_clock_info info = { 0 };

	return hpt_clock_get_info(NULL, &info, sizeof(info)) < 0 ? 0 : info.source;
}

/* First the read of the default source, then those of the others, then the yardsticks of the papers. */
static unsigned pick_rows(const struct hpt_reads *r, const struct hpt_reads_row **ret)
{
	uint32_t source = default_source();
	unsigned n = 0;

	for (int rank = 0; rank < 4; rank++)
		for (unsigned i = 0; i < r->n_rows && n < TIMES_MAX; i++) {
			const struct hpt_reads_row *row = &r->rows[i];
			int is = is_hpt_now(row) ? row->call->source != source : row == r->base ? 2 :
				 !strcmp(row->call->name, "rdtscp") ? 3 : -1;

			if (is == rank)
				ret[n++] = row;
		}
	return n;
}

static struct hpt_axis cost_axis(const struct hpt_reads_row *const *rows, unsigned n)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .is_log = true };
	struct hpt_range span = HPT_RANGE_EMPTY;

	for (unsigned i = 0; i < n; i++) {
		hpt_range_add(&span, (double)rows[i]->single.min);
		hpt_range_add(&span, (double)rows[i]->single.max);
	}
	hpt_range_fit(&span, &axis);
	return axis;
}

static struct hpt_axis time_axis(const struct hpt_reads *r, const struct hpt_reads_row *const *rows, unsigned n)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .label = "time since the start" };
	double end = 0;

	for (unsigned i = 0; i < n; i++) {
		struct hpt_trace s = trace_of(r, rows[i]);

		end = fmax(end, (double)hpt_trace_end_ns(&s));
	}
	hpt_axis_fit(&axis, 0, end * 1000);
	return axis;
}

static double times_height(unsigned n)
{
	return n ? TIMES_HEAD + (TIME_HEIGHT + TIME_APART) * n + FOOT_HEIGHT - TIME_APART : 0;
}

static void plot_times(const struct hpt_reads *r, const struct hpt_reads_row *const *rows, unsigned n,
		       struct hpt_svg *svg, double top)
{
	struct hpt_panel p = { .svg = svg, .left = TIME_LEFT, .width = TIME_WIDTH, .height = TIME_HEIGHT };
	size_t below = 0, all = 0;

	if (!n)
		return;
	p.x = time_axis(r, rows, n);
	p.y = cost_axis(rows, n);
	hpt_svg_text(svg, 20, top, "head", "Cost over time");
	hpt_svg_text(svg, 20, top + 18, "soft",
		     "line: median; band: least to 90 %%; points: the highest of each stretch of time. "
		     "All panels have the same axes.");
	for (unsigned i = 0; i < n; i++) {
		struct hpt_trace s = trace_of(r, rows[i]);

		p.title = s.name;
		p.top = top + TIMES_HEAD + (TIME_HEIGHT + TIME_APART) * i;
		p.hides_x = i + 1 < n;
		hpt_panel_frame(&p);
		hpt_plot_over_time(&p, &s);
		below += hpt_plot_below(&p.y, s.ps, s.n_times * s.each);
		all += s.n_times * s.each;
	}
	hpt_plot_note_below(svg, TIME_LEFT, p.top + p.height + 52, below, all, &p.y);
}

void hpt_plot_reads(const void *reads, FILE *to)
{
	const struct hpt_reads *r = reads;
	const struct hpt_reads_row *rows[TIMES_MAX];
	unsigned n = pick_rows(r, rows);
	double times_top = HEAD_HEIGHT + 40 + hpt_ridges_height(r->n_rows) + 34;
	struct hpt_svg svg = { .to = to, .width = HPT_PLOT_WIDTH, .height = times_top + times_height(n) };
	char subtitle[160];

	snprintf(subtitle, sizeof(subtitle),
		 "CPU %d, %u round%s; each read timed by itself, minus the stopwatch's own %s",
		 r->cpu, rounds_of(r), rounds_of(r) == 1 ? "" : "s", hpt_svg_time((double)r->stopwatch_ps).s);
	hpt_svg_begin(&svg, "The cost of reading the time", subtitle);
	plot_distributions(r, &svg, HEAD_HEIGHT);
	plot_times(r, rows, n, &svg, times_top);
	hpt_svg_end(&svg);
}
