// SPDX-License-Identifier: MIT
/* Prints the cost and the lateness of ways to sleep: tools/bench/frontier_report.h. */
#include "bench/frontier_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "bench/frontier.h"
#include "bench/stopwatch_report.h"
#include "cli/amount.h"
#include "cli/out.h"
#include "cli/stats.h"
#include "math/units.h"

static uint32_t rounds_of(const struct frontier *f)
{
	return atomic_load_explicit(&f->paced.rounds_done, memory_order_acquire);
}

static const char *name_of(unsigned way)
{
	return frontier_ways[way].name;
}

/* A multiple of clock_nanosleep's in the same regime; 0: unknown. */
static double cpu_ratio(const struct frontier *f, unsigned regime, unsigned way)
{
	int64_t kernels = frontier_row(f, regime, FRONTIER_KERNEL)->cpu_ns;

	return kernels > 0 ? (double)frontier_row(f, regime, way)->cpu_ns / (double)kernels : 0;
}

static double share(uint64_t n, const struct paced_row *row)
{
	return (double)n / (double)row->late.count;
}

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

static void put_row(struct libscols_table *tb, const struct frontier *f, unsigned regime, unsigned way)
{
	const struct paced_row *row = frontier_row(f, regime, way);
	struct libscols_line *ln = out_table_line(tb);
	double ratio = cpu_ratio(f, regime, way);

	out_table_cell(ln, 0, "%s", name_of(way));
	out_table_cell(ln, 1, "%s", amount_of((double)row->cpu_ns / NS_PER_US).s);
	out_table_cell(ln, 2, "%s", ratio > 0 ? amount_of(ratio).s : "-");
	out_table_cell(ln, 3, "%s", amount_of(100 * share(f->late[regime][way], row)).s);
	out_table_cell(ln, 4, "%s", amount_of(100 * share(row->over, row)).s);
	out_table_cell(ln, 5, "%s", amount_of((double)row->late.median / PS_PER_US).s);
	out_table_cell(ln, 6, "%s", stats_knows(row->late.count, 0.99) ?
		       amount_of((double)row->late.p99 / PS_PER_US).s : "-");
	out_table_cell(ln, 7, "%s", amount_count(row->early).s);
}

static void print_regime(const struct frontier *f, struct doc *doc, unsigned regime)
{
	static const struct doc_column columns[] = {
		{ "WAY", 0, NULL },
		{ "CPU(us)", SCOLS_FL_RIGHT, "of one sleep" },
		{ "x CPU", SCOLS_FL_RIGHT, "of clock_nanosleep's" },
		{ "LATE(%)", SCOLS_FL_RIGHT, "sleeps more than 1 us late" },
		{ "OVER(%)", SCOLS_FL_RIGHT, "sleeps more than 0.2 ms late" },
		{ "P50(us)", SCOLS_FL_RIGHT, "median lateness" },
		{ "P99(us)", SCOLS_FL_RIGHT, "1 of 100 is later" },
		{ "EARLY", SCOLS_FL_RIGHT, "sleeps" },
		{ 0 },
	};
	struct libscols_table *tb = doc_table_new(columns);

	doc_heading(doc, "Sleeps %s apart, %s: %zu each way", paced_rates[0].name, frontier_regimes[regime],
		    paced_sleeps(&f->paced, 0));
	for (unsigned way = 0; way < FRONTIER_WAYS; way++)
		put_row(tb, f, regime, way);
	doc_table(doc, tb);
}

static uint64_t early_of_hpt(const struct frontier *f)
{
	uint64_t early = 0;

	for (unsigned regime = 0; regime < f->n_regimes; regime++)
		for (unsigned way = 0; way < FRONTIER_WAYS; way++)
			early += frontier_ways[way].is_ours ? frontier_row(f, regime, way)->early : 0;
	return early;
}

static void print_notes(const struct frontier *f, struct doc *doc)
{
	if (f->awake_error)
		doc_note(doc, "CPUs could not be held awake: /dev/cpu_dma_latency: %s.", strerror(-f->awake_error));
	else
		doc_note(doc, "Held awake: /dev/cpu_dma_latency at 0 during the turn, as cyclictest and rtla do.");
	doc_note(doc, "LATE: ended more than 1 us after the deadline, so the thread woke after it. OVER: 0.2 ms.");
	doc_note(doc, "CPU: the CPU time of one sleep, mean. x: a multiple of clock_nanosleep's.");
	doc_note(doc, "Timer slack: the thread's own.");
	doc_note(doc, "spin_sleep's rule: in the kernel until 125 us before the deadline, then sched_yield().");
	doc_note(doc, "The papers' rule: in the kernel for all but one jiffy, then a spin.");
	stopwatch_print(&f->paced.watch, doc);
	doc_note(doc, "%" PRIu32 " of %" PRIu32 " rounds; each way has a turn in each round, in random order, seed %"
		 PRIu32 ".", rounds_of(f), f->paced.plan.rounds, f->paced.plan.seed);
	doc_note(doc, "The first %" PRIu32 " sleeps of a turn are not counted.", f->paced.plan.set->settling);
}

void frontier_print(const void *frontier, struct doc *doc)
{
	const struct frontier *f = frontier;
	uint64_t early = early_of_hpt(f);

	if (early)
		doc_note(doc, "TOO EARLY: %" PRIu64 " of libhpt's sleeps ended before their time. Please report this.",
			 early);
	for (unsigned regime = 0; regime < f->n_regimes; regime++)
		print_regime(f, doc, regime);
	doc_fold(doc, "How it was measured");
	print_notes(f, doc);
	doc_fold_end(doc);
}

/* ---- JSON and CSV ----------------------------------------------------------------------------------------------- */

static json_t *json_way(const struct frontier *f, unsigned regime, unsigned way)
{
	const struct paced_row *row = frontier_row(f, regime, way);
	double ratio = cpu_ratio(f, regime, way);
	json_t *o = json_object();

	out_json_text(o, "name", name_of(way));
	out_json_int(o, "sleeps", row->late.count);
	out_json_int(o, "early", row->early);
	out_json_int(o, "late", f->late[regime][way]);
	out_json_int(o, "over", row->over);
	out_json_add(o, "lateness", stats_json(&row->late, "ns", PS_PER_NS));
	out_json_sint(o, "cpu_ns", row->cpu_ns);
	out_json_add(o, "cpu_ratio_ppm", ratio > 0 ? json_integer(llround(ratio * PPM)) : json_null());
	return o;
}

json_t *frontier_json(const void *frontier)
{
	const struct frontier *f = frontier;
	json_t *o = out_json_new(), *regimes = json_array();

	out_json_text(o, "bench", "frontier");
	out_json_sint(o, "start_unix_ns", f->paced.start_unix_ns);
	out_json_sint(o, "wall_ns", f->paced.elapsed_ns);
	out_json_add(o, "cpu", f->paced.cpu < 0 ? json_null() : json_integer(f->paced.cpu));
	out_json_int(o, "rounds", f->paced.plan.rounds);
	out_json_int(o, "rounds_done", rounds_of(f));
	out_json_int(o, "seed", f->paced.plan.seed);
	out_json_sint(o, "period_ns", paced_rates[0].period_ns);
	out_json_sint(o, "late_ns", FRONTIER_LATE_NS);
	out_json_sint(o, "over_ns", PACED_OVER_NS);
	out_json_int(o, "diverged", f->paced.disturbed);
	out_json_text(o, "filter", STATS_FILTER);
	out_json_add(o, "awake_error", f->awake_error ? json_integer(-f->awake_error) : json_null());
	for (unsigned regime = 0; regime < f->n_regimes; regime++) {
		json_t *r = json_object(), *ways = json_array();

		out_json_text(r, "name", frontier_regimes[regime]);
		for (unsigned way = 0; way < FRONTIER_WAYS; way++)
			json_array_append_new(ways, json_way(f, regime, way));
		out_json_add(r, "ways", ways);
		json_array_append_new(regimes, r);
	}
	out_json_add(o, "regimes", regimes);
	return o;
}

void frontier_csv(const void *frontier, FILE *to)
{
	const struct frontier *f = frontier;

	fputs("regime,way,sleeps,early,late,over,late_median_ns,late_p99_ns,cpu_ns\n", to);
	for (unsigned regime = 0; regime < f->n_regimes; regime++)
		for (unsigned way = 0; way < FRONTIER_WAYS; way++) {
			const struct paced_row *row = frontier_row(f, regime, way);

			fprintf(to, "\"%s\",\"%s\",%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64
				",%" PRId64 "\n", frontier_regimes[regime], name_of(way), row->late.count, row->early,
				f->late[regime][way], row->over, row->late.median / PS_PER_NS,
				row->late.p99 / PS_PER_NS, row->cpu_ns);
		}
}
