// SPDX-License-Identifier: MIT
/* Prints the cost of reads as tables, JSON and CSV: tools/bench/reads_report.h. */
#include "bench/reads_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "bench/candidates_read.h"
#include "bench/published.h"
#include "bench/reads.h"
#include "bench/stopwatch_report.h"
#include "cli/amount.h"
#include "cli/doc.h"
#include "cli/format.h"
#include "cli/out.h"
#include "cli/stats.h"
#include "math/units.h"

static uint32_t rounds_of(const struct reads *r)
{
	return atomic_load_explicit(&((struct reads *)(uintptr_t)r)->rounds_done, memory_order_acquire);
}

#define N(list) (sizeof(list) / sizeof((list)[0]))

static bool has_ratio(const struct reads_row *row)
{
	return row->ratio.count > 0;
}

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

static struct amount ns_text(double ps)
{
	return amount_of(ps / PS_PER_NS);
}

static void cell_ns(struct libscols_line *ln, size_t column, double ps)
{
	out_table_cell(ln, column, "%s", ns_text(ps).s);
}

/* 35.9+-12.1 */
static void cell_spread(struct libscols_line *ln, size_t column, double mean_ps, double stddev_ps)
{
	out_table_cell(ln, column, "%s%s%s", ns_text(mean_ps).s, format_plus_minus(), ns_text(stddev_ps).s);
}

/* A dash if too few samples know the quantile. */
static void cell_quantile(struct libscols_line *ln, size_t column, const struct stats *d, double q, int64_t ps)
{
	if (stats_knows(d->count, q))
		cell_ns(ln, column, (double)ps);
	else
		out_table_cell(ln, column, "-");
}

enum { NAME, EACH, RATIO, RATIO_SPREAD, ISOLATED, FILTERED, UNFILTERED, MEDIAN, P99, P9999, MAX };

static const struct doc_column cost_columns[] = {
	[NAME] = { "CALL", 0, NULL },
	[EACH] = { "NS", SCOLS_FL_RIGHT, "a call, right after another" },
	[RATIO] = { "RATIO", SCOLS_FL_RIGHT, "to clock_gettime" },
	[RATIO_SPREAD] = { "P10-P90", SCOLS_FL_RIGHT, "of the ratio" },
	[ISOLATED] = { "ISOLATED", SCOLS_FL_RIGHT, "each call ends before the next" },
	[FILTERED] = { "FILTERED", SCOLS_FL_RIGHT, "single calls, peaks left out" },
	[UNFILTERED] = { "UNFILTERED", SCOLS_FL_RIGHT, "single calls, all" },
	[MEDIAN] = { "MEDIAN", SCOLS_FL_RIGHT, "single calls" },
	[P99] = { "P99", SCOLS_FL_RIGHT, "1 of 100 takes longer" },
	[P9999] = { "P99.99", SCOLS_FL_RIGHT, "1 of 10,000" },
	[MAX] = { "MAX", SCOLS_FL_RIGHT, "the longest" },
	{ 0 },
};

static void print_ratio(struct libscols_line *ln, const struct stats *ratio)
{
	out_table_cell(ln, RATIO, "%.2f", (double)ratio->median / PPM);
	out_table_cell(ln, RATIO_SPREAD, "%.2f-%.2f", (double)ratio->p10 / PPM, (double)ratio->p90 / PPM);
}

static void print_row(struct libscols_table *tb, const struct reads_row *row)
{
	struct libscols_line *ln = out_table_line(tb);
	const struct stats *single = &row->single;

	out_table_cell(ln, NAME, "%s", row->call->name);
	cell_ns(ln, EACH, (double)row->throughput.median);
	if (has_ratio(row))
		print_ratio(ln, &row->ratio);
	cell_ns(ln, ISOLATED, (double)row->isolated.median);
	cell_spread(ln, FILTERED, single->filtered_mean, single->filtered_stddev);
	cell_spread(ln, UNFILTERED, single->mean, single->stddev);
	cell_ns(ln, MEDIAN, (double)single->median);
	cell_quantile(ln, P99, single, 0.99, single->p99);
	cell_quantile(ln, P9999, single, 0.9999, single->p9999);
	cell_ns(ln, MAX, (double)single->max);
}

static void print_costs(const struct reads *r, struct doc *doc)
{
	struct libscols_table *tb = doc_table_new(cost_columns);

	doc_heading(doc, "Cost of a read, ns");
	for (unsigned i = 0; i < r->n_rows; i++)
		print_row(tb, &r->rows[i]);
	doc_table(doc, tb);
}

static void print_steps(const struct reads *r, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "COUNTER", 0, NULL },
		{ "TICK", SCOLS_FL_RIGHT, "its unit" },
		{ "STEP", SCOLS_FL_RIGHT, "it moves by multiples of this" },
		{ "LEAST", SCOLS_FL_RIGHT, "least move seen" },
		{ 0 },
	};
	struct libscols_table *tb = doc_table_new(columns);

	doc_heading(doc, "Granularity, ns");
	for (unsigned i = 0; i < r->n_steps; i++) {
		const struct reads_granularity *s = &r->steps[i];
		struct libscols_line *ln = out_table_line(tb);

		out_table_cell(ln, 0, "%s", s->name);
		cell_ns(ln, 1, (double)s->tick_ps);
		out_table_cell(ln, 2, "%s", s->step_ps ? ns_text((double)s->step_ps).s : "-");
		out_table_cell(ln, 3, "%s", s->step_ps ? ns_text((double)s->least_ps).s : "-");
	}
	doc_table(doc, tb);
}

static bool has_default(const struct reads *r)
{
	for (unsigned i = 0; i < r->n_rows; i++)
		if (r->rows[i].call->is_default)
			return true;
	return false;
}

static void print_notes(const struct reads *r, struct doc *doc)
{
	struct hpt_clock_info info;

	doc_fold(doc, "How it was measured");
	doc_note(doc, "NS: a call in a loop of calls, one after the other; they may overlap. Median of all "
		     "rounds.");
	if (r->base)
		doc_note(doc, "RATIO: NS to that of " READ_BASE " in the same round. P10-P90: 8 of 10 rounds "
			     "lie there.");
	if (has_default(r) && hpt_clock_get_info(NULL, &info, sizeof(info)) == 0)
		doc_note(doc, "NULL: the default clock, here %s.", hpt_source_name(info.source));
	doc_note(doc, "ISOLATED: the same, but each call has ended before the next begins. This includes the "
		     "barrier between them.");
	stopwatch_print(&r->watch, doc);
	doc_note(doc, "The rest: calls timed one by one, minus the %s ns that the stopwatch takes without a call.",
		     ns_text((double)r->stopwatch_ps).s);
	doc_note(doc, "FILTERED: mean and standard deviation; %s. UNFILTERED: of all.", STATS_FILTER);
	doc_note(doc, "STEP: the counter moves by multiples of this. LEAST: the least move between two "
		     "reads.");
	doc_note(doc, "%" PRIu32 " of %" PRIu32 " rounds in %s on CPU %d, each in a new random order, seed %" PRIu32
		     ".", rounds_of(r), r->plan.rounds, format_span(r->elapsed_ns).s, r->cpu, r->plan.seed);
	doc_fold_end(doc);
}

/* ---- What the papers published ----------------------------------------------------------------------------------- */

/* Table 1 of the project's page, microseconds a call; -: not given. */
static const char *const published_costs[] = {
	"Intel Core i7-2600", "0.031", "0.017", "",
	"Intel Core i5-3337U", "0.044", "0.019", "",
	"AMD Opteron 4238", "0.061", "0.031", "",
	"AMD Athlon X2 BE-2350", "1.117", "1.063", "HPET",
	"VIA Nano X2 U4025", "0.102", "0.038", "",
	"ARM Cortex-A8", "1.262", "0.391", "",
	"ARM Cortex-A9", "-", "0.508", "system clock steps of 30.5 us",
	"ARM Cortex-A5", "2.069", "0.636", "",
};

static const struct reads_row *row_of(const struct reads *r, const struct published_read *p)
{
	for (unsigned i = 0; i < r->n_rows; i++)
		if (published_is_of(p, r->rows[i].call->name, r->rows[i].call->source))
			return &r->rows[i];
	return NULL;
}

/* The measured mean that is comparable: filtered if the published one is. */
static double mean_beside(const struct published_read *p, const struct reads_row *row)
{
	return p->is_filtered ? row->single.filtered_mean : row->single.mean;
}

static double ratio_to(const struct published_read *p, const struct reads_row *row)
{
	return mean_beside(p, row) / (p->mean_ns.value * PS_PER_NS);
}

static void print_published_read(const struct reads *r, const struct published_read *p, struct libscols_line *ln)
{
	const struct reads_row *row = row_of(r, p);

	out_table_cell(ln, 0, "%s", p->machine);
	out_table_cell(ln, 1, "%s", p->read);
	out_table_cell(ln, 2, "%s", published_text(&p->mean_ns).s);
	out_table_cell(ln, 3, "%s", published_text(&p->stddev_ns).s);
	out_table_cell(ln, 4, "%s", p->is_filtered ? "filtered" : "unfiltered");
	if (!row || !row->single.count) {
		out_table_cell(ln, 5, "-");
		out_table_cell(ln, 6, "-");
		return;
	}
	cell_spread(ln, 5, mean_beside(p, row), p->is_filtered ? row->single.filtered_stddev : row->single.stddev);
	out_table_cell(ln, 6, "%s", amount_of(ratio_to(p, row)).s);
}

static void print_published_reads(const struct reads *r, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "PUBLISHED 2012-13", 0, NULL }, { "READ", 0, NULL }, { "MEAN ns", SCOLS_FL_RIGHT, NULL },
		{ "STDDEV ns", SCOLS_FL_RIGHT, NULL }, { "PEAKS", 0, "as the papers say" },
		{ "HERE", SCOLS_FL_RIGHT, "the same of this machine" },
		{ "x PUBLISHED", SCOLS_FL_RIGHT, "mean here to mean there" }, { 0 },
	};
	struct libscols_table *tb = doc_table_new(columns);

	for (unsigned i = 0; i < n_published_reads; i++)
		print_published_read(r, &published_reads[i], out_table_line(tb));
	doc_table(doc, tb);
}

static void print_published(const struct reads *r, struct doc *doc)
{
	static const struct doc_column page_columns[] = {
		{ "PUBLISHED 2012-13", 0, NULL }, { "SYSTEM us", SCOLS_FL_RIGHT, "the system call" },
		{ "TIMER us", SCOLS_FL_RIGHT, "setting their timer" }, { "NOTE", 0, NULL }, { 0 },
	};

	doc_fold(doc, "What the papers published: a system call for the time, and setting one of their timers");
	doc_texts(doc, page_columns, published_costs, N(published_costs));
	doc_heading(doc, "What the papers published: reads by source, and the same reads here");
	print_published_reads(r, doc);
	doc_note(doc, "The project's page calls nearly the same numbers unfiltered that the papers call filtered.");
	doc_fold_end(doc);
}

void reads_print(const void *reads, struct doc *doc)
{
	const struct reads *r = reads;

	print_costs(r, doc);
	if (r->n_steps)
		print_steps(r, doc);
	print_notes(r, doc);
	print_published(r, doc);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static json_t *numbers(const int64_t *v, uint32_t n)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(list, json_integer(v[i]));
	return list;
}

static json_t *ratio_json(const struct reads_row *row)
{
	json_t *o;

	if (!has_ratio(row))
		return json_null();
	o = json_object();
	out_json_sint(o, "median", row->ratio.median);
	out_json_sint(o, "p10", row->ratio.p10);
	out_json_sint(o, "p90", row->ratio.p90);
	return o;
}

static const char *kind_of(const struct read_candidate *call)
{
	return read_candidate_is_ours(call) ? "source" : "yardstick";
}

static const char *source_of(const struct read_candidate *call)
{
	struct hpt_clock_info info;

	if (call->is_default && !hpt_clock_get_info(NULL, &info, sizeof(info)))
		return hpt_source_name(info.source);
	return call->source ? hpt_source_name(call->source) : NULL;
}

/* What was published of this kind of call: an empty list for most. */
static json_t *published_json(const struct reads_row *row)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < n_published_reads; i++) {
		const struct published_read *p = &published_reads[i];
		json_t *o;

		if (!published_is_of(p, row->call->name, row->call->source))
			continue;
		o = json_object();
		out_json_text(o, "machine", p->machine);
		out_json_sint(o, "mean_ps", llround(p->mean_ns.value * PS_PER_NS));
		out_json_sint(o, "stddev_ps", llround(p->stddev_ns.value * PS_PER_NS));
		out_json_bool(o, "is_filtered", p->is_filtered);
		out_json_sint(o, "ratio_ppm", llround(ratio_to(p, row) * PPM));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *row_json(const struct reads_row *row, uint32_t rounds)
{
	json_t *o = json_object();

	out_json_text(o, "name", row->call->name);
	out_json_text(o, "kind", kind_of(row->call));
	out_json_text(o, "source", source_of(row->call));
	out_json_int(o, "calls", row->calls);
	out_json_add(o, "throughput", stats_json(&row->throughput, "ps", 1));
	out_json_add(o, "isolated", stats_json(&row->isolated, "ps", 1));
	out_json_add(o, "single", stats_json(&row->single, "ps", 1));
	out_json_add(o, "ratio_ppm", ratio_json(row));
	out_json_add(o, "published", published_json(row));
	out_json_add(o, "throughput_ps", numbers(row->throughput_ps, rounds));
	out_json_add(o, "isolated_ps", numbers(row->isolated_ps, rounds));
	return o;
}

static json_t *step_json(const struct reads_granularity *s)
{
	json_t *o = json_object();

	out_json_text(o, "name", s->name);
	out_json_sint(o, "tick_ps", s->tick_ps);
	out_json_sint(o, "step_ps", s->step_ps);
	out_json_sint(o, "least_ps", s->least_ps);
	return o;
}

static void json_head(json_t *o, const struct reads *r, uint32_t rounds)
{
	out_json_text(o, "bench", "read");
	out_json_sint(o, "start_unix_ns", r->start_unix_ns);
	out_json_sint(o, "wall_ns", r->elapsed_ns);
	out_json_sint(o, "cpu", r->cpu);
	out_json_int(o, "rounds", r->plan.rounds);
	out_json_int(o, "rounds_done", rounds);
	out_json_int(o, "seed", r->plan.seed);
	out_json_text(o, "filter", STATS_FILTER);
	out_json_sint(o, "stopwatch_ps", r->stopwatch_ps);
}

json_t *reads_json(const void *reads)
{
	const struct reads *r = reads;
	json_t *o = out_json_new(), *rows = json_array(), *steps = json_array();
	uint32_t rounds = rounds_of(r);

	json_head(o, r, rounds);
	for (unsigned i = 0; i < r->n_rows; i++)
		json_array_append_new(rows, row_json(&r->rows[i], rounds));
	for (unsigned i = 0; i < r->n_steps; i++)
		json_array_append_new(steps, step_json(&r->steps[i]));
	out_json_add(o, "rows", rows);
	out_json_add(o, "granularity", steps);
	return o;
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

static void csv_dist(FILE *to, const struct stats *d)
{
	fprintf(to, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, d->median, d->low, d->high, d->p10,
		d->p90);
}

/* Names contain no comma and no quote. */
static void csv_row(FILE *to, const struct reads_row *row, uint32_t rounds)
{
	const struct stats *s = &row->single;
	const char *source = source_of(row->call);

	fprintf(to, "%s,%s,%s,%" PRIu32 ",%" PRIu32, row->call->name, kind_of(row->call), source ? source : "", rounds,
		row->calls);
	csv_dist(to, &row->throughput);
	csv_dist(to, &row->isolated);
	if (has_ratio(row))
		fprintf(to, ",%" PRId64 ",%" PRId64 ",%" PRId64, row->ratio.median, row->ratio.p10, row->ratio.p90);
	else
		fputs(",,,", to);
	fprintf(to, ",%zu,%lld,%lld,%zu,%lld,%lld", s->count, llround(s->filtered_mean), llround(s->filtered_stddev),
		s->dropped, llround(s->mean), llround(s->stddev));
	fprintf(to, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", s->min, s->median, s->p99,
		s->p9999, s->max);
}

void reads_csv(const void *reads, FILE *to)
{
	const struct reads *r = reads;
	uint32_t rounds = rounds_of(r);

	fputs("name,kind,source,rounds,calls,"
	      "throughput_median_ps,throughput_low_ps,throughput_high_ps,throughput_p10_ps,throughput_p90_ps,"
	      "isolated_median_ps,isolated_low_ps,isolated_high_ps,isolated_p10_ps,isolated_p90_ps,"
	      "ratio_median_ppm,ratio_p10_ppm,ratio_p90_ppm,"
	      "singles,single_filtered_mean_ps,single_filtered_stddev_ps,single_dropped,single_mean_ps,"
	      "single_stddev_ps,single_min_ps,single_median_ps,single_p99_ps,single_p9999_ps,single_max_ps\n", to);
	for (unsigned i = 0; i < r->n_rows; i++)
		csv_row(to, &r->rows[i], rounds);
}

/* begun_ns is that of the round's single reads of this call: from the start of the run. */
static void row_samples(FILE *to, const struct reads_row *row, uint32_t rounds)
{
	for (uint32_t round = 0; round < rounds; round++)
		for (uint32_t i = 0; i < row->singles; i++) {
			size_t n = (size_t)round * row->singles + i;

			fprintf(to, "%s,%" PRIu32 ",%zu,%" PRId64 ",%" PRId64 "\n", row->call->name, round, n,
				row->begun_ns[round], row->single_ps[n]);
		}
}

void reads_samples(const void *reads, FILE *to)
{
	const struct reads *r = reads;

	fputs("name,round,number,round_begun_ns,single_ps\n", to);
	for (unsigned i = 0; i < r->n_rows; i++)
		row_samples(to, &r->rows[i], rounds_of(r));
}
