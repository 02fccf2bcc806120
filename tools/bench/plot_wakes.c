// SPDX-License-Identifier: MIT
/* Draws the latencies of wakes and the lateness of tickers: tools/bench/plot_wakes.h. */
#include "bench/plot_wakes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/wakes_run.h"
#include "cli/amount.h"
#include "cli/stats.h"
#include "math/units.h"
#include "cli/util.h"
#include "plot/rows.h"
#include "plot/svg.h"
#include "plot/traces.h"

#define APART 20.0

static size_t rounds_of(const struct wakes_phase *phase)
{
	return atomic_load_explicit(&phase->rounds_done, memory_order_acquire);
}

static size_t ticks_of(const struct wakes_keeper *keeper)
{
	return atomic_load_explicit(&keeper->done, memory_order_acquire);
}

/* The functions of libhpt, not the system's and not a bare flag or futex. */
static bool is_ours(const char *name)
{
	return !strncmp(name, "hpt_", strlen("hpt_"));
}

/* Median, P10 to P90 and P99; NAN: too few samples know it, or nothing was measured. */
static struct plot_row row_of(const char *name, const struct stats *d, size_t n)
{
	bool has_range = n && stats_knows(d->count, 0.9);
	double median = n ? (double)d->median : NAN;
	double p99 = n && stats_knows(d->count, 0.99) ? (double)d->p99 : NAN;

	return (struct plot_row){
		.name = name, .is_ours = is_ours(name), .dot = median, .ring = NAN, .stroke = p99,
		.low = has_range ? (double)d->p10 : NAN, .high = has_range ? (double)d->p90 : NAN,
		.numbers = { median, p99 },
	};
}

static void put_rows(struct svg *svg, const struct plot_row *rows, size_t n, const char *label)
{
	svg_key(svg, SVG_DOT, true, "median");
	svg_key(svg, SVG_RANGE, true, "8 of 10");
	svg_key(svg, SVG_STROKE, true, "99 %");
	svg_key(svg, SVG_DOT, false, "not libhpt's");
	svg_key_end(svg);
	plot_rows(svg, &(struct plot_rows){ .label = label, .heads = { "median", "99 %" }, .rows = rows,
						    .n = n });
}

/* ---- Being woken ------------------------------------------------------------------------------------------------ */

#define ROWS_MAX (WAKES_PHASES * 3)

static void plot_phases(const struct wakes *s, struct svg *svg)
{
	struct plot_row rows[ROWS_MAX];
	char groups[WAKES_PHASES][64];
	size_t n = 0;

	for (unsigned i = 0; i < s->n_phases; i++) {
		const struct wakes_phase *phase = &s->phases[i];
		size_t first = n;

		for (unsigned k = 0; k < phase->n_ways; k++)
			rows[n++] = row_of(phase->ways[k].name, &phase->ways[k].latency, rounds_of(phase));
		snprintf(groups[i], sizeof(groups[i]), "Sleeper: %s%s", phase->name,
			 rounds_of(phase) ? "" : ": not measured");
		if (n > first)
			rows[first].group = groups[i];
	}
	svg_head(svg, "From the waker's call to the sleeper's return");
	put_rows(svg, rows, n, "time until the sleeper runs");
}

/* ---- Keeping a period ------------------------------------------------------------------------------------------- */

static struct trace trace_of(const struct wakes *s, unsigned i)
{
	const struct wakes_keeper *keeper = &s->keepers[i];
	size_t n = ticks_of(keeper);
	/* Missed ticks took time, too. */
	int64_t every_ns = n && keeper->elapsed_ns > 0 ? keeper->elapsed_ns / (int64_t)n : s->plan.period_ns;

	return (struct trace){ .name = keeper->name, .is_ours = is_ours(keeper->name), .ps = keeper->late_ps,
				   .each = 1, .n_times = n, .every_ns = every_ns, .dist = &keeper->late };
}

static void plot_keepers(const struct wakes *s, struct svg *svg)
{
	struct trace traces[WAKES_KEEPERS];

	for (unsigned i = 0; i < s->n_keepers; i++)
		traces[i] = trace_of(s, i);
	svg_head(svg, "How late each tick of a period of %s is",
		     amount_length((double)s->plan.period_ns * PS_PER_NS).s);
	plot_traces(svg, traces, s->n_keepers, "time since the first tick");
}

void plot_wakes(const void *wakes, enum plot_form form, FILE *to)
{
	const struct wakes *s = wakes;
	struct svg svg;
	char subtitle[96];

	if (s->sleeper_cpu >= 0)
		snprintf(subtitle, sizeof(subtitle), "woken on CPU %d, from CPU %d", s->sleeper_cpu, s->cpu);
	else
		snprintf(subtitle, sizeof(subtitle), "CPU %d", s->cpu);
	svg_begin(&svg, form, to, "Being woken, and keeping a period", subtitle);
	if (s->n_phases)
		plot_phases(s, &svg);
	svg.y += APART;
	if (s->n_keepers)
		plot_keepers(s, &svg);
	svg_end(&svg);
}
