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
#include "cli/units.h"

static uint32_t rounds_of(const struct hpt_paced *s)
{
	return atomic_load_explicit(&s->rounds_done, memory_order_acquire);
}

/* Of fewer than 1000 sleeps it would be the greatest lateness under another name. */
static bool has_p999(const struct hpt_paced_row *row)
{
	return hpt_stats_knows(row->late.count, 0.999);
}

/* A value as a multiple of clock_nanosleep's; 0: unknown. */
static double ratio_to(int64_t own, int64_t kernels)
{
	return kernels > 0 && own >= 0 ? (double)own / (double)kernels : 0;
}

static double cpu_ratio(const struct hpt_paced *s, unsigned rate, unsigned way)
{
	return ratio_to(s->rows[rate][way].cpu_ns, s->rows[rate][HPT_PACED_KERNEL].cpu_ns);
}

static double p99_ratio(const struct hpt_paced *s, unsigned rate, unsigned way)
{
	return ratio_to(s->rows[rate][way].late.p99, s->rows[rate][HPT_PACED_KERNEL].late.p99);
}

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

static void cell_ratio(struct libscols_line *ln, size_t column, double ratio)
{
	if (ratio > 0)
		hpt_table_cell(ln, column, "%s", hpt_amount(ratio).s);
	else
		hpt_table_cell(ln, column, "-");
}

static void put_row(struct libscols_table *tb, const struct hpt_paced *s, unsigned rate, unsigned way)
{
	const struct hpt_paced_row *row = &s->rows[rate][way];
	struct libscols_line *ln = hpt_table_line(tb);
	const struct { int64_t ps; double q; } late[] = {
		{ row->late.median, 0.5 }, { row->late.p99, 0.99 }, { row->p999_ps, 0.999 }, { row->late.max, 0 },
	};

	hpt_table_cell(ln, 0, "%s", hpt_paced_ways[way].name);
	for (size_t i = 0; i < sizeof(late) / sizeof(late[0]); i++)
		hpt_table_cell(ln, i + 1, "%s", hpt_stats_knows(row->late.count, late[i].q) ?
			       hpt_amount((double)late[i].ps / PS_PER_US).s : "-");
	cell_ratio(ln, 5, p99_ratio(s, rate, way));
	hpt_table_cell(ln, 6, "%s", hpt_amount((double)row->cpu_ns / NS_PER_US).s);
	cell_ratio(ln, 7, cpu_ratio(s, rate, way));
	hpt_table_cell(ln, 8, "%s", hpt_amount_count(row->missed).s);
	hpt_table_cell(ln, 9, "%s", hpt_amount_count(row->early).s);
}

static void print_rate(const struct hpt_paced *s, struct hpt_doc *doc, unsigned rate)
{
	static const struct hpt_doc_column columns[] = {
		{ "WAY", 0, NULL },
		{ "P50(us)", SCOLS_FL_RIGHT, "median lateness" },
		{ "P99(us)", SCOLS_FL_RIGHT, "1 of 100 is later" },
		{ "P99.9(us)", SCOLS_FL_RIGHT, "1 of 1,000" },
		{ "MAX(us)", SCOLS_FL_RIGHT, "the latest" },
		{ "x P99", SCOLS_FL_RIGHT, "of clock_nanosleep's" },
		{ "CPU(us)", SCOLS_FL_RIGHT, "of one sleep" },
		{ "x CPU", SCOLS_FL_RIGHT, "of clock_nanosleep's" },
		{ "MISSED", SCOLS_FL_RIGHT, "deadlines" },
		{ "EARLY", SCOLS_FL_RIGHT, "sleeps" },
		{ 0 },
	};
	struct libscols_table *tb = hpt_doc_table_new(columns);

	hpt_doc_heading(doc, "Sleeps at %s beside %" PRIu32 " busy thread%s on %d CPU%s: how late, %zu sleeps each way",
			hpt_paced_rates[rate].name, s->plan.load, s->plan.load == 1 ? "" : "s",
			hpt_cpus_count(&s->allowed), hpt_cpus_count(&s->allowed) == 1 ? "" : "s",
			hpt_paced_sleeps(s, rate));
	for (unsigned way = 0; way < HPT_PACED_WAYS; way++)
		put_row(tb, s, rate, way);
	hpt_doc_table(doc, tb);
}

/* Failures of libhpt, first on the page. */
static void print_alarms(const struct hpt_paced *s, struct hpt_doc *doc)
{
	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		if (s->rows[rate][HPT_PACED_UNTIL].early)
			hpt_doc_note(doc, "TOO EARLY: %" PRIu64 " of %zu sleeps at %s of hpt_sleep_until ended before "
				     "their time. Please report this.", s->rows[rate][HPT_PACED_UNTIL].early,
				     hpt_paced_sleeps(s, rate), hpt_paced_rates[rate].name);
	if (s->disturbed)
		hpt_doc_note(doc, "In %" PRIu64 " sleeps hpt found that the counter and the system's clock had "
			     "diverged.", s->disturbed);
}

static void print_notes(const struct hpt_paced *s, struct hpt_doc *doc)
{
	hpt_doc_note(doc, "How late: the time from the deadline until the sleep has returned. x: a multiple of "
		     "clock_nanosleep's.");
	hpt_doc_note(doc, "CPU: the CPU time of one sleep, mean. Timer slack: the thread's own.");
	hpt_doc_note(doc, "A percentile that would be the latest of these few sleeps is shown as -.");
	hpt_doc_note(doc, "MISSED: deadlines that passed while an earlier sleep was late; they are left out.");
	hpt_doc_note(doc, "spin_sleep's rule: in the kernel until 125 us before the deadline, then sched_yield().");
	hpt_doc_note(doc, "hpt_sleep_until is on the source %s.", hpt_source_name(s->watch.source));
	hpt_stopwatch_print(&s->watch, doc);
	if (s->cpu < 0)
		hpt_doc_note(doc, "The scheduler chose the CPU of every thread.");
	else
		hpt_doc_note(doc, "The sleeps were made on CPU %d; the busy threads run on any.", s->cpu);
	hpt_doc_note(doc, "%" PRIu32 " of %" PRIu32 " rounds; each way has a turn at each rate, in random order, seed %"
		     PRIu32 ".", rounds_of(s), s->plan.rounds, s->plan.seed);
}

void hpt_paced_print(const void *paced, struct hpt_doc *doc)
{
	const struct hpt_paced *s = paced;

	print_alarms(s, doc);
	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		print_rate(s, doc, rate);
	hpt_doc_fold(doc, "How it was measured");
	print_notes(s, doc);
	hpt_doc_fold_end(doc);
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
static void json_rounds(json_t *o, const struct hpt_paced *s, unsigned rate, unsigned way)
{
	json_t *p99 = json_array(), *cpu = json_array();

	for (uint32_t round = 0; round < rounds_of(s); round++) {
		const struct hpt_paced_turn *turn = &s->rows[rate][way].turns[round];

		json_array_append_new(p99, json_integer(ns_of(turn->p99_ps)));
		json_array_append_new(cpu, json_integer(llround((double)turn->cpu_ns / hpt_paced_rates[rate].sleeps)));
	}
	hpt_json_add(o, "round_p99_ns", p99);
	hpt_json_add(o, "round_cpu_ns", cpu);
}

static json_t *json_row(const struct hpt_paced *s, unsigned rate, unsigned way)
{
	const struct hpt_paced_row *row = &s->rows[rate][way];
	json_t *o = json_object();

	hpt_json_text(o, "name", hpt_paced_ways[way].name);
	hpt_json_int(o, "sleeps", row->late.count);
	hpt_json_int(o, "early", row->early);
	hpt_json_int(o, "missed", row->missed);
	hpt_json_add(o, "late", hpt_stats_json(&row->late, "ns", PS_PER_NS));
	hpt_json_add(o, "p999_ns", has_p999(row) ? json_integer(ns_of(row->p999_ps)) : json_null());
	hpt_json_add(o, "p99_ratio_ppm", json_ratio(p99_ratio(s, rate, way)));
	hpt_json_sint(o, "cpu_ns", row->cpu_ns);
	hpt_json_add(o, "cpu_ratio_ppm", json_ratio(cpu_ratio(s, rate, way)));
	json_rounds(o, s, rate, way);
	return o;
}

static json_t *json_rates(const struct hpt_paced *s)
{
	json_t *rates = json_array();

	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++) {
		json_t *o = json_object(), *ways = json_array();

		hpt_json_text(o, "name", hpt_paced_rates[rate].name);
		hpt_json_sint(o, "period_ns", hpt_paced_rates[rate].period_ns);
		for (unsigned way = 0; way < HPT_PACED_WAYS; way++)
			json_array_append_new(ways, json_row(s, rate, way));
		hpt_json_add(o, "ways", ways);
		json_array_append_new(rates, o);
	}
	return rates;
}

json_t *hpt_paced_json(const void *paced)
{
	const struct hpt_paced *s = paced;
	json_t *o = hpt_json_new();

	hpt_json_text(o, "bench", "load");
	hpt_json_sint(o, "start_unix_ns", s->start_unix_ns);
	hpt_json_sint(o, "wall_ns", s->wall_ns);
	hpt_json_add(o, "cpu", s->cpu < 0 ? json_null() : json_integer(s->cpu));
	hpt_json_int(o, "cpus", (uint64_t)hpt_cpus_count(&s->allowed));
	hpt_json_int(o, "load", s->plan.load);
	hpt_json_int(o, "rounds", s->plan.rounds);
	hpt_json_int(o, "rounds_done", rounds_of(s));
	hpt_json_int(o, "seed", s->plan.seed);
	hpt_json_int(o, "diverged", s->disturbed);
	hpt_json_text(o, "filter", HPT_STATS_FILTER);
	hpt_json_add(o, "rates", json_rates(s));
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

static void csv_row(FILE *to, const struct hpt_paced *s, unsigned rate, unsigned way)
{
	const struct hpt_paced_row *row = &s->rows[rate][way];
	const int64_t ps[] = { row->late.min, row->late.median, row->late.p90, row->late.p99 };

	fprintf(to, "%" PRIu32 ",%" PRId64 ",\"%s\",%zu,%" PRIu64 ",%" PRIu64, s->plan.load,
		hpt_paced_rates[rate].period_ns, hpt_paced_ways[way].name, row->late.count, row->early, row->missed);
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

void hpt_paced_csv(const void *paced, FILE *to)
{
	fputs("load,period_ns,way,sleeps,early,missed,late_min_ns,late_median_ns,late_p90_ns,late_p99_ns,late_p999_ns,"
	      "late_max_ns,p99_ratio_ppm,cpu_ns,cpu_ratio_ppm\n", to);
	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		for (unsigned way = 0; way < HPT_PACED_WAYS; way++)
			csv_row(to, paced, rate, way);
}
