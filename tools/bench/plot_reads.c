// SPDX-License-Identifier: MIT
/* Draws the cost of reads: tools/bench/plot_reads.h. */
#include "bench/plot_reads.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/candidates_read.h"
#include "bench/reads.h"
#include "cli/amount.h"
#include "cli/util.h"
#include "plot/rows.h"
#include "plot/svg.h"
#include "plot/traces.h"

#define APART 20.0

static uint32_t rounds_of(const struct hpt_reads *r)
{
	return atomic_load_explicit(&r->rounds_done, memory_order_acquire);
}

/* ---- The cost of a call ----------------------------------------------------------------------------------------- */

static double known(const struct hpt_stats *d, int64_t ps)
{
	return d->count ? (double)ps : NAN;
}

static struct hpt_plot_row row_of(const struct hpt_reads_row *r)
{
	double ns = known(&r->throughput, r->throughput.median), isolated = known(&r->isolated, r->isolated.median);

	return (struct hpt_plot_row){
		.name = r->call->name, .is_ours = hpt_read_candidate_is_ours(r->call), .dot = ns, .ring = isolated,
		.stroke = NAN, .low = known(&r->throughput, r->throughput.p10),
		.high = known(&r->throughput, r->throughput.p90), .numbers = { ns, isolated },
	};
}

static int by_dot(const void *a, const void *b)
{
	double x = ((const struct hpt_plot_row *)a)->dot, y = ((const struct hpt_plot_row *)b)->dot;

	return (x > y) - (x < y);
}

static void plot_costs(const struct hpt_reads *r, struct hpt_svg *svg)
{
	struct hpt_plot_row *rows = hpt_calloc(r->n_rows + 1, sizeof(rows[0]));

	for (unsigned i = 0; i < r->n_rows; i++)
		rows[i] = row_of(&r->rows[i]);
	qsort(rows, r->n_rows, sizeof(rows[0]), by_dot);
	hpt_svg_head(svg, "Cost of a call, the quickest first");
	hpt_svg_key(svg, HPT_SVG_DOT, true, "NS: one call right after another");
	hpt_svg_key(svg, HPT_SVG_RANGE, true, "8 of 10 rounds");
	hpt_svg_key(svg, HPT_SVG_RING, true, "ISOLATED: each ends before the next");
	hpt_svg_key(svg, HPT_SVG_DOT, false, "not libhpt's");
	hpt_svg_key_end(svg);
	hpt_plot_rows(svg, &(struct hpt_plot_rows){ .label = "time of a call", .heads = { "NS", "ISOLATED" },
						    .rows = rows, .n = r->n_rows });
	free(rows);
}

/* ---- Single reads ----------------------------------------------------------------------------------------------- */

static struct hpt_trace trace_of(const struct hpt_reads *r, const struct hpt_reads_row *row)
{
	return (struct hpt_trace){ .name = row->call->name, .is_ours = hpt_read_candidate_is_ours(row->call),
				   .ps = row->single_ps, .each = row->singles, .n_times = rounds_of(r),
				   .at_ns = row->begun_ns, .dist = &row->single };
}

static bool is_hpt_now(const struct hpt_reads_row *row)
{
	return row->call->source && !strncmp(row->call->name, "hpt_now(", strlen("hpt_now("));
}

static uint32_t default_source(void)
{
	struct hpt_clock_info info = { 0 };

	return hpt_clock_get_info(NULL, &info, sizeof(info)) < 0 ? 0 : info.source;
}

/* hpt_now() of the default source, or of the first one that was measured. */
static const struct hpt_reads_row *find_hpt_now(const struct hpt_reads *r)
{
	const struct hpt_reads_row *first = NULL;
	uint32_t source = default_source();

	for (unsigned i = 0; i < r->n_rows; i++) {
		const struct hpt_reads_row *row = &r->rows[i];

		if (is_hpt_now(row) && row->call->source == source)
			return row;
		if (is_hpt_now(row) && !first)
			first = row;
	}
	return first;
}

static void plot_singles(const struct hpt_reads *r, struct hpt_svg *svg)
{
	const struct hpt_reads_row *now = find_hpt_now(r);
	struct hpt_trace traces[2];
	size_t n = 0;

	if (now)
		traces[n++] = trace_of(r, now);
	if (r->base)
		traces[n++] = trace_of(r, r->base);
	if (!n)
		return;
	svg->y += APART;
	hpt_svg_head(svg, "Single reads over the time of the run");
	hpt_svg_note(svg, "Each read is timed by itself, less the %s that the stopwatch takes. Values are multiples of "
		     "the counter's step.", hpt_amount_time((double)r->stopwatch_ps).s);
	hpt_plot_traces(svg, traces, n, "time since the start");
}

void hpt_plot_reads(const void *reads, enum hpt_plot_form form, FILE *to)
{
	const struct hpt_reads *r = reads;
	struct hpt_svg svg;
	char subtitle[80];

	snprintf(subtitle, sizeof(subtitle), "CPU %d, %u round%s", r->cpu, rounds_of(r), rounds_of(r) == 1 ? "" : "s");
	hpt_svg_begin(&svg, form, to, "The cost of reading the time", subtitle);
	plot_costs(r, &svg);
	plot_singles(r, &svg);
	hpt_svg_end(&svg);
}
