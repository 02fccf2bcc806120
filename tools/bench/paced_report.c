// SPDX-License-Identifier: MIT
/* Prints sleeps beside a load as tables, JSON and CSV: tools/bench/paced_report.h. */
#include "bench/paced_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

#include "bench/paced.h"
#include "bench/stopwatch_report.h"
#include "cli/amount.h"
#include "cli/cpus.h"
#include "cli/out.h"
#include "cli/stats.h"
#include "math/units.h"

static uint32_t rounds_of(const struct paced *s)
{
	return atomic_load_explicit(&s->rounds_done, memory_order_acquire);
}

/* Of fewer than 1000 sleeps it would be the greatest lateness under another name. */
static bool has_p999(const struct paced_row *row)
{
	return stats_knows(row->late.count, 0.999);
}

/* A value as a multiple of clock_nanosleep's; 0: unknown. */
static double ratio_to(int64_t own, int64_t kernels)
{
	return kernels > 0 && own >= 0 ? (double)own / (double)kernels : 0;
}

static double cpu_ratio(const struct paced *s, unsigned rate, unsigned way)
{
	return ratio_to(s->rows[rate][way].cpu_ns, s->rows[rate][PACED_KERNEL].cpu_ns);
}

static double over_ratio(const struct paced *s, unsigned rate, unsigned way)
{
	return ratio_to((int64_t)s->rows[rate][way].over, (int64_t)s->rows[rate][PACED_KERNEL].over);
}

static double p99_ratio(const struct paced *s, unsigned rate, unsigned way)
{
	return ratio_to(s->rows[rate][way].late.p99, s->rows[rate][PACED_KERNEL].late.p99);
}

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

static void cell_ratio(struct libscols_line *ln, size_t column, double ratio)
{
	if (ratio > 0)
		out_table_cell(ln, column, "%s", amount_of(ratio).s);
	else
		out_table_cell(ln, column, "-");
}

/* Two values, each @per_unit of what is shown. */
static void cell_spread(struct libscols_line *ln, size_t column, struct paced_spread spread, double per_unit)
{
	out_table_cell(ln, column, "%s-%s", amount_of((double)spread.low / per_unit).s,
		       amount_of((double)spread.high / per_unit).s);
}

static void put_row(struct libscols_table *tb, const struct paced *s, unsigned rate, unsigned way)
{
	const struct paced_row *row = &s->rows[rate][way];
	struct libscols_line *ln = out_table_line(tb);
	double sleeps = (double)row->late.count;

	out_table_cell(ln, 0, "%s", paced_ways[way].name);
	out_table_cell(ln, 1, "%s", amount_of((double)row->late.median / PS_PER_US).s);
	out_table_cell(ln, 2, "%s", stats_knows(row->late.count, 0.99) ?
		       amount_of((double)row->late.p99 / PS_PER_US).s : "-");
	if (stats_knows(paced_sleeps_each_round(s, rate), 0.99))
		cell_spread(ln, 3, row->round_p99_ps, PS_PER_US);
	else
		out_table_cell(ln, 3, "-");
	out_table_cell(ln, 4, "%s", amount_of((double)row->late.max / PS_PER_US).s);
	out_table_cell(ln, 5, "%s", amount_of(100 * (double)row->over / sleeps).s);
	cell_spread(ln, 6, row->round_over, paced_sleeps_each_round(s, rate) / 100.0);
	cell_ratio(ln, 7, over_ratio(s, rate, way));
	out_table_cell(ln, 8, "%s", amount_of((double)row->cpu_ns / NS_PER_US).s);
	cell_ratio(ln, 9, cpu_ratio(s, rate, way));
	out_table_cell(ln, 10, "%s", amount_count(row->missed).s);
	out_table_cell(ln, 11, "%s", amount_count(row->early).s);
}

static void note_bistable(const struct paced *s, struct doc *doc, unsigned rate, unsigned way)
{
	const struct paced_spread *p99 = &s->rows[rate][way].round_p99_ps;

	if (!paced_is_bistable(s, rate, way))
		return;
	doc_note(doc, "P99 of %s is no one figure here: it was up to %s us in a quarter of the rounds and %s us or "
		 "more in another. Compare OVER.", paced_ways[way].name, amount_of((double)p99->low / PS_PER_US).s,
		 amount_of((double)p99->high / PS_PER_US).s);
}

/* Other threads than those that sleep take next to nothing of it. */
static void note_stops(const struct paced *s, struct doc *doc, unsigned rate, unsigned way)
{
	uint64_t stops = s->rows[rate][way].stops;

	if (stops)
		doc_note(doc, "In %" PRIu64 " period%s of 100 ms %s used the quota up, and the kernel stopped all "
			 "threads until the next.", stops, stops == 1 ? "" : "s", paced_ways[way].name);
}

static void print_rate(const struct paced *s, struct doc *doc, unsigned rate)
{
	static const struct doc_column columns[] = {
		{ "WAY", 0, NULL },
		{ "P50(us)", SCOLS_FL_RIGHT, "median lateness" },
		{ "P99(us)", SCOLS_FL_RIGHT, "1 of 100 is later" },
		{ "ROUNDS", SCOLS_FL_RIGHT, "the P99 of the middle half of them" },
		{ "MAX(us)", SCOLS_FL_RIGHT, "the latest" },
		{ "OVER(%)", SCOLS_FL_RIGHT, "sleeps more than 0.2 ms late" },
		{ "ROUNDS", SCOLS_FL_RIGHT, "OVER of the middle half of them" },
		{ "x OVER", SCOLS_FL_RIGHT, "of clock_nanosleep's" },
		{ "CPU(us)", SCOLS_FL_RIGHT, "of one sleep" },
		{ "x CPU", SCOLS_FL_RIGHT, "of clock_nanosleep's" },
		{ "MISSED", SCOLS_FL_RIGHT, "deadlines" },
		{ "EARLY", SCOLS_FL_RIGHT, "sleeps" },
		{ 0 },
	};
	struct libscols_table *tb = doc_table_new(columns);
	char of_threads[32] = "", beside[64];

	if (s->plan.threads > 1)
		snprintf(of_threads, sizeof(of_threads), " of %" PRIu32 " threads", s->plan.threads);
	if (s->plan.quota_percent)
		snprintf(beside, sizeof(beside), "with a quota of %" PRIu32 " %% of a CPU", s->plan.quota_percent);
	else
		snprintf(beside, sizeof(beside), "beside %" PRIu32 " busy thread%s", s->plan.load,
			 s->plan.load == 1 ? "" : "s");
	doc_heading(doc, "Sleeps %s apart%s %s on %d CPU%s: how late, %zu sleeps each way", paced_rates[rate].name,
		    of_threads, beside, cpus_count(&s->allowed), cpus_count(&s->allowed) == 1 ? "" : "s",
		    paced_sleeps(s, rate));
	for (unsigned way = 0; way < PACED_WAYS; way++)
		put_row(tb, s, rate, way);
	doc_table(doc, tb);
	for (unsigned way = 0; way < PACED_WAYS; way++)
		note_bistable(s, doc, rate, way);
	for (unsigned way = 0; way < PACED_WAYS; way++)
		note_stops(s, doc, rate, way);
}

/* Failures of libhpt, first on the page. */
static void print_alarms(const struct paced *s, struct doc *doc)
{
	for (unsigned rate = 0; rate < PACED_RATES; rate++)
		if (s->rows[rate][PACED_UNTIL].early)
			doc_note(doc,
				 "TOO EARLY: %" PRIu64 " of %zu sleeps %s apart of hpt_sleep_until_ticks ended before "
				     "their time. Please report this.", s->rows[rate][PACED_UNTIL].early,
				     paced_sleeps(s, rate), paced_rates[rate].name);
	if (s->disturbed)
		doc_note(doc, "In %" PRIu64 " sleeps hpt found that the counter and the system's clock had "
			     "diverged.", s->disturbed);
}

static void print_notes(const struct paced *s, struct doc *doc)
{
	if (s->plan.threads > 1)
		doc_note(doc, "In a turn all %" PRIu32 " threads sleep in one way, each to deadlines of its own phase.",
			 s->plan.threads);
	doc_note(doc, "How late: the time from the deadline until the sleep has returned. x: a multiple of "
		     "clock_nanosleep's.");
	doc_note(doc, "CPU: the CPU time of one sleep, mean. Timer slack: the thread's own.");
	doc_note(doc, "A percentile that would be the latest of these few sleeps is shown as -.");
	doc_note(doc, "OVER: sleeps that were more than 0.2 ms late. Few idle CPUs wake so late. ROUNDS: the middle "
		     "half of the rounds.");
	doc_note(doc, "MISSED: deadlines that passed while an earlier sleep was late; they are left out.");
	doc_note(doc, "spin_sleep's rule: in the kernel until 125 us before the deadline, then sched_yield().");
	doc_note(doc, "hpt_sleep_until_ticks is on the source %s.", hpt_source_name(s->watch.source));
	stopwatch_print(&s->watch, doc);
	if (s->cpu < 0)
		doc_note(doc, "The scheduler chose the CPU of every thread.");
	else
		doc_note(doc, "The sleeps were made on CPU %d; the busy threads run on any.", s->cpu);
	doc_note(doc, "%" PRIu32 " of %" PRIu32 " rounds; each way has a turn at each rate, in random order, seed %"
		     PRIu32 ".", rounds_of(s), s->plan.rounds, s->plan.seed);
}

void paced_print(const void *paced, struct doc *doc)
{
	const struct paced *s = paced;

	print_alarms(s, doc);
	for (unsigned rate = 0; rate < PACED_RATES; rate++)
		print_rate(s, doc, rate);
	doc_fold(doc, "How it was measured");
	print_notes(s, doc);
	doc_fold_end(doc);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static int64_t ns_of(int64_t ps)
{
	return (int64_t)llround((double)ps / PS_PER_NS);
}

/* null if unknown. */
static json_t *json_ratio(double ratio)
{
	return ratio > 0 ? json_integer(llround(ratio * PPM)) : json_null();
}

/* One value for each round. */
static void json_rounds(json_t *o, const struct paced *s, unsigned rate, unsigned way)
{
	json_t *p99 = json_array(), *over = json_array(), *cpu = json_array(), *stops = json_array();
	uint32_t sleeps = paced_sleeps_each_round(s, rate);

	for (uint32_t round = 0; round < rounds_of(s); round++) {
		const struct paced_turn *turn = &s->rows[rate][way].turns[round];

		json_array_append_new(p99, json_integer(ns_of(turn->p99_ps)));
		json_array_append_new(over, json_integer(turn->over));
		json_array_append_new(stops, json_integer(turn->stops));
		json_array_append_new(cpu, json_integer(llround((double)turn->cpu_ns / sleeps)));
	}
	out_json_add(o, "round_p99_ns", p99);
	out_json_add(o, "round_over", over);
	out_json_add(o, "round_cpu_ns", cpu);
	out_json_add(o, "round_stops", stops);
}

static json_t *json_row(const struct paced *s, unsigned rate, unsigned way)
{
	const struct paced_row *row = &s->rows[rate][way];
	json_t *o = json_object();

	out_json_text(o, "name", paced_ways[way].name);
	out_json_int(o, "sleeps", row->late.count);
	out_json_int(o, "early", row->early);
	out_json_int(o, "missed", row->missed);
	out_json_int(o, "over", row->over);
	out_json_int(o, "stops", row->stops);
	out_json_add(o, "late", stats_json(&row->late, "ns", PS_PER_NS));
	out_json_add(o, "p999_ns", has_p999(row) ? json_integer(ns_of(row->p999_ps)) : json_null());
	out_json_add(o, "is_bistable", json_boolean(paced_is_bistable(s, rate, way)));
	out_json_add(o, "p99_ratio_ppm", json_ratio(p99_ratio(s, rate, way)));
	out_json_add(o, "over_ratio_ppm", json_ratio(over_ratio(s, rate, way)));
	out_json_sint(o, "cpu_ns", row->cpu_ns);
	out_json_add(o, "cpu_ratio_ppm", json_ratio(cpu_ratio(s, rate, way)));
	json_rounds(o, s, rate, way);
	return o;
}

static json_t *json_rates(const struct paced *s)
{
	json_t *rates = json_array();

	for (unsigned rate = 0; rate < PACED_RATES; rate++) {
		json_t *o = json_object(), *ways = json_array();

		out_json_text(o, "name", paced_rates[rate].name);
		out_json_sint(o, "period_ns", paced_rates[rate].period_ns);
		for (unsigned way = 0; way < PACED_WAYS; way++)
			json_array_append_new(ways, json_row(s, rate, way));
		out_json_add(o, "ways", ways);
		json_array_append_new(rates, o);
	}
	return rates;
}

json_t *paced_json(const void *paced)
{
	const struct paced *s = paced;
	json_t *o = out_json_new();

	out_json_text(o, "bench", "load");
	out_json_sint(o, "start_unix_ns", s->start_unix_ns);
	out_json_sint(o, "wall_ns", s->elapsed_ns);
	out_json_add(o, "cpu", s->cpu < 0 ? json_null() : json_integer(s->cpu));
	out_json_int(o, "cpus", (uint64_t)cpus_count(&s->allowed));
	out_json_int(o, "load", s->plan.load);
	out_json_int(o, "threads", s->plan.threads);
	out_json_add(o, "quota_percent", s->plan.quota_percent ? json_integer(s->plan.quota_percent) : json_null());
	out_json_int(o, "rounds", s->plan.rounds);
	out_json_int(o, "rounds_done", rounds_of(s));
	out_json_int(o, "seed", s->plan.seed);
	out_json_sint(o, "over_ns", PACED_OVER_NS);
	out_json_int(o, "diverged", s->disturbed);
	out_json_text(o, "filter", STATS_FILTER);
	out_json_add(o, "rates", json_rates(s));
	return o;
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

/* An empty field if unknown. */
static void csv_ratio(FILE *to, double ratio)
{
	if (ratio > 0)
		fprintf(to, ",%lld", llround(ratio * PPM));
	else
		putc(',', to);
}

static void csv_row(FILE *to, const struct paced *s, unsigned rate, unsigned way)
{
	const struct paced_row *row = &s->rows[rate][way];
	const int64_t ps[] = { row->late.min, row->late.median, row->late.p90, row->late.p99 };

	fprintf(to, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRId64 ",\"%s\",%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%"
		PRIu64, s->plan.load, s->plan.threads, s->plan.quota_percent, paced_rates[rate].period_ns,
		paced_ways[way].name, row->late.count, row->early, row->missed, row->over, row->stops);
	for (size_t i = 0; i < sizeof(ps) / sizeof(ps[0]); i++)
		fprintf(to, ",%" PRId64, ns_of(ps[i]));
	if (has_p999(row))
		fprintf(to, ",%" PRId64, ns_of(row->p999_ps));
	else
		putc(',', to);
	fprintf(to, ",%" PRId64, ns_of(row->late.max));
	csv_ratio(to, p99_ratio(s, rate, way));
	fprintf(to, ",%" PRId64, row->cpu_ns);
	csv_ratio(to, cpu_ratio(s, rate, way));
	putc('\n', to);
}

void paced_csv(const void *paced, FILE *to)
{
	fputs("load,threads,quota_percent,period_ns,way,sleeps,early,missed,over,stops,late_min_ns,late_median_ns,"
	      "late_p90_ns,late_p99_ns,late_p999_ns,late_max_ns,p99_ratio_ppm,cpu_ns,cpu_ratio_ppm\n", to);
	for (unsigned rate = 0; rate < PACED_RATES; rate++)
		for (unsigned way = 0; way < PACED_WAYS; way++)
			csv_row(to, paced, rate, way);
}
