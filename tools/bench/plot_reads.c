// SPDX-License-Identifier: MIT
/* Draws the cost of reads: tools/bench/plot_reads.h. */
#include "bench/plot_reads.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/candidates_read.h"
#include "bench/choice.h"
#include "bench/reads.h"
#include "cli/amount.h"
#include "cli/util.h"
#include "plot/rows.h"
#include "plot/svg.h"
#include "plot/traces.h"

#define APART 20.0

static uint32_t rounds_of(const struct reads *r)
{
	return atomic_load_explicit(&r->rounds_done, memory_order_acquire);
}

/* ---- The cost of a call ----------------------------------------------------------------------------------------- */

static double known(const struct stats *d, int64_t ps)
{
	return d->count ? (double)ps : NAN;
}

static struct plot_row row_of(const struct reads_row *r)
{
	double ns = known(&r->throughput, r->throughput.median), isolated = known(&r->isolated, r->isolated.median);

	return (struct plot_row){
		.name = r->call->name, .is_ours = read_candidate_is_ours(r->call), .dot = ns, .ring = isolated,
		.stroke = NAN, .low = known(&r->throughput, r->throughput.p10),
		.high = known(&r->throughput, r->throughput.p90), .numbers = { ns, isolated },
	};
}

static int by_dot(const void *a, const void *b)
{
	double x = ((const struct plot_row *)a)->dot, y = ((const struct plot_row *)b)->dot;

	return (x > y) - (x < y);
}

static void plot_costs(const struct reads *r, struct svg *svg)
{
	struct plot_row *rows = xcalloc(r->n_rows + 1, sizeof(rows[0]));

	for (unsigned i = 0; i < r->n_rows; i++)
		rows[i] = row_of(&r->rows[i]);
	qsort(rows, r->n_rows, sizeof(rows[0]), by_dot);
	svg_head(svg, "Cost of a call, the quickest first");
	svg_key(svg, SVG_DOT, true, "NS: one call right after another");
	svg_key(svg, SVG_RANGE, true, "8 of 10 rounds");
	svg_key(svg, SVG_RING, true, "ISOLATED: each ends before the next");
	svg_key(svg, SVG_DOT, false, "not libhpt's");
	svg_key_end(svg);
	plot_rows(svg, &(struct plot_rows){ .label = "time of a call", .heads = { "NS", "ISOLATED" },
						    .rows = rows, .n = r->n_rows });
	free(rows);
}

/* ---- Single reads ----------------------------------------------------------------------------------------------- */

static struct trace trace_of(const struct reads *r, const struct reads_row *row)
{
	return (struct trace){ .name = row->call->name, .is_ours = read_candidate_is_ours(row->call),
				   .ps = row->single_ps, .each = row->singles, .n_times = rounds_of(r),
				   .at_ns = row->begun_ns, .dist = &row->single };
}

static bool is_hpt_now(const struct reads_row *row)
{
	return row->call->source && !strncmp(row->call->name, "hpt_now(", strlen("hpt_now("));
}

static uint32_t default_source(void)
{
	struct hpt_clock_info info = { 0 };

	return hpt_clock_get_info(NULL, &info, sizeof(info)) < 0 ? 0 : info.source;
}

/* hpt_now() of the default source, or of the first one that was measured. */
static const struct reads_row *find_hpt_now(const struct reads *r)
{
	const struct reads_row *first = NULL;
	uint32_t source = default_source();

	for (unsigned i = 0; i < r->n_rows; i++) {
		const struct reads_row *row = &r->rows[i];

		if (is_hpt_now(row) && row->call->source == source)
			return row;
		if (is_hpt_now(row) && !first)
			first = row;
	}
	return first;
}

static void plot_singles(const struct reads *r, struct svg *svg)
{
	const struct reads_row *now = find_hpt_now(r);
	struct trace traces[2];
	size_t n = 0;

	if (now)
		traces[n++] = trace_of(r, now);
	if (r->base)
		traces[n++] = trace_of(r, r->base);
	if (!n)
		return;
	svg->y += APART;
	svg_head(svg, "Single reads over the time of the run");
	svg_note(svg, "Each read is timed by itself, less the %s that the stopwatch takes. Values are multiples of "
		     "the counter's step.", amount_time((double)r->stopwatch_ps).s);
	plot_traces(svg, traces, n, "time since the start");
}

/* The papers' figures of two or three calls: the same axes, so that they can be compared. */
static void plot_chosen(const struct reads *r, struct svg *svg)
{
	struct trace traces[CHOICE_MAX];
	size_t n = 0;

	for (unsigned i = 0; i < r->plan.trace.n; i++) {
		const struct reads_row *row = reads_find(r, reads_name(r->plan.trace.way[i]));

		if (!row)
			continue;
		traces[n] = trace_of(r, row);
		traces[n].is_by_number = true;
		traces[n].n_times *= traces[n].each;
		traces[n++].each = 1;
	}
	svg->y += APART;
	svg_head(svg, "Single reads, one after the other");
	svg_note(svg, "Each read is timed by itself, less the %s that the stopwatch takes. Values are multiples of "
		     "the counter's step.", amount_time((double)r->stopwatch_ps).s);
	plot_traces(svg, traces, n, "number of the read");
}

void plot_reads(const void *reads, enum plot_form form, FILE *to)
{
	const struct reads *r = reads;
	struct svg svg;
	char subtitle[80];

	snprintf(subtitle, sizeof(subtitle), "CPU %d, %u round%s", r->cpu, rounds_of(r), rounds_of(r) == 1 ? "" : "s");
	svg_begin(&svg, form, to, "The cost of reading the time", subtitle);
	plot_costs(r, &svg);
	if (r->plan.trace.n)
		plot_chosen(r, &svg);
	else
		plot_singles(r, &svg);
	svg_end(&svg);
}
