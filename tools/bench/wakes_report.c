// SPDX-License-Identifier: MIT
/* Prints wakes and tickers as tables, JSON and CSV: tools/bench/wakes_report.h. */
#include "bench/wakes_report.h"

#include <inttypes.h>

#include "bench/stopwatch_report.h"
#include "bench/wakes_run.h"
#include "cli/amount.h"
#include "cli/doc.h"
#include "cli/out.h"
#include "cli/stats.h"
#include "math/units.h"

#define N(list) (sizeof(list) / sizeof((list)[0]))

/* The rounds in the statistics: rounds_done may be ahead of these. */
static size_t rounds_of(const struct wakes_phase *p)
{
	return p->ways[0].latency.count;
}

static const struct wakes_candidate *bare_of(const struct wakes_phase *p)
{
	return &p->ways[p->n_ways - 1];
}

/* A spinning sleeper stays out of the kernel and its bare way is a flag: times in ns. Else times are in us. */
static bool is_spin(const struct wakes_phase *p)
{
	return p->asleep_ns < 100000;
}

static size_t keepers_ticks(const struct wakes *s)
{
	size_t sum = 0;

	for (unsigned i = 0; i < s->n_keepers; i++)
		sum += s->keepers[i].late.count;
	return sum;
}

/* ---- Interrupts as tables --------------------------------------------------------------------------------------- */

struct value {
	double ps, q;                   /* the quantile, 0: none */
};

/* From the second column on; a dash if too few samples know the quantile. */
static void put_values(struct libscols_line *ln, const struct value *values, size_t n, size_t samples, double unit_ps)
{
	for (size_t i = 0; i < n; i++)
		out_table_cell(ln, i + 1, "%s",
			       stats_knows(samples, values[i].q) ? amount_of(values[i].ps / unit_ps).s : "-");
}

static void put_way(struct libscols_table *tb, const struct wakes_phase *p, const struct wakes_candidate *way)
{
	struct libscols_line *ln = out_table_line(tb);
	double unit = is_spin(p) ? PS_PER_NS : PS_PER_US;
	const struct stats *d = &way->latency;
	const struct value values[] = {
		{ (double)d->median, 0 }, { d->mean, 0 }, { (double)d->p90, 0.9 }, { (double)d->p99, 0.99 },
		{ (double)d->max, 0 }, { (double)way->cost.median, 0 },
	};

	out_table_cell(ln, 0, "%s", way->name);
	put_values(ln, values, N(values), d->count, unit);
	out_table_cell(ln, 7, "%.2f", (double)way->latency.median / (double)bare_of(p)->latency.median);
}

static void print_phase(struct doc *doc, const struct wakes_phase *p)
{
	static const struct doc_column in_ns[] = {
		{ "WAY", 0, NULL },
		{ "MEDIAN(ns)", SCOLS_FL_RIGHT, "until the sleeper runs" },
		{ "MEAN(ns)", SCOLS_FL_RIGHT, NULL },
		{ "P90(ns)", SCOLS_FL_RIGHT, "1 of 10 is later" },
		{ "P99(ns)", SCOLS_FL_RIGHT, "1 of 100" },
		{ "MAX(ns)", SCOLS_FL_RIGHT, "the latest" },
		{ "COST(ns)", SCOLS_FL_RIGHT, "of the call that wakes" },
		{ "x FLAG", SCOLS_FL_RIGHT, "multiple of its median" },
		{ 0 },
	};
	static const struct doc_column in_us[] = {
		{ "WAY", 0, NULL },
		{ "MEDIAN(us)", SCOLS_FL_RIGHT, "until the sleeper runs" },
		{ "MEAN(us)", SCOLS_FL_RIGHT, NULL },
		{ "P90(us)", SCOLS_FL_RIGHT, "1 of 10 is later" },
		{ "P99(us)", SCOLS_FL_RIGHT, "1 of 100" },
		{ "MAX(us)", SCOLS_FL_RIGHT, "the latest" },
		{ "COST(us)", SCOLS_FL_RIGHT, "of the call that wakes" },
		{ "x FUTEX", SCOLS_FL_RIGHT, "multiple of its median" },
		{ 0 },
	};
	struct libscols_table *tb;

	if (is_spin(p))
		doc_heading(doc, "Interrupt of a sleeper that spins: %zu of %" PRIu32 " rounds", rounds_of(p),
				p->rounds);
	else
		doc_heading(doc, "Interrupt of a sleeper in the kernel, %g ms asleep%s: %zu of %" PRIu32 " rounds",
				(double)p->asleep_ns / 1e6, p->is_cold ? ", from a CPU that idled as long" : "",
				rounds_of(p), p->rounds);
	if (!rounds_of(p)) {
		doc_note(doc, "Not measured.");
		return;
	}
	tb = doc_table_new(is_spin(p) ? in_ns : in_us);
	for (unsigned i = 0; i < p->n_ways; i++)
		put_way(tb, p, &p->ways[i]);
	doc_table(doc, tb);
}

static void print_interrupts(const struct wakes *s, struct doc *doc)
{
	if (!s->n_phases) {
		doc_heading(doc, "Interrupts");
		doc_note(doc, "One CPU only: interrupts from another CPU cannot be measured.");
		return;
	}
	if (s->sleeper_cpu < 0) {
		doc_heading(doc, "Interrupts");
		doc_note(doc, "No thread could be put on another CPU: interrupts were not measured.");
		return;
	}
	for (unsigned i = 0; i < s->n_phases; i++)
		print_phase(doc, &s->phases[i]);
	if (s->lost)
		doc_note(doc, "%" PRIu32 " sleeps ended without being woken: their rounds are left out.",
			     s->lost);
	doc_fold(doc, "How interrupts were measured");
	doc_note(doc, "From before the call on CPU %d that wakes until that on CPU %d that sleeps has returned "
		     "with the event.", s->cpu, s->sleeper_cpu);
	stopwatch_print(&s->watch, doc);
	doc_note(doc, "COST: the time of the call that wakes, median. x: median as a multiple of the bare way's.");
	doc_note(doc, "Ways take turns in random order; each sleep is up to a quarter longer, at random.");
	doc_fold_end(doc);
}

/* ---- Tickers as a table ----------------------------------------------------------------------------------------- */

static void put_keeper(struct libscols_table *tb, const struct wakes_keeper *k)
{
	struct libscols_line *ln = out_table_line(tb);
	const struct stats *d = &k->late;
	const struct value values[] = {
		{ (double)d->median, 0 }, { (double)d->p90, 0.9 }, { (double)d->p99, 0.99 }, { (double)d->max, 0 },
		{ d->stddev, 0 }, { (double)d->max - (double)d->min, 0 },
	};

	out_table_cell(ln, 0, "%s", k->name);
	put_values(ln, values, N(values), d->count, PS_PER_US);
	out_table_cell(ln, 7, "%s", amount_of((double)k->cpu_ppm / PPM_PER_PERCENT).s);
	out_table_cell(ln, 8, "%s", amount_count(k->missed).s);
	out_table_cell(ln, 9, "%s%s", k->drift_ps > 0 ? "+" : "", amount_of((double)k->drift_ps / PS_PER_US).s);
}

static void print_tickers(const struct wakes *s, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "KEEPER", 0, NULL },
		{ "MEDIAN(us)", SCOLS_FL_RIGHT, "late" },
		{ "P90(us)", SCOLS_FL_RIGHT, "1 of 10 is later" },
		{ "P99(us)", SCOLS_FL_RIGHT, "1 of 100" },
		{ "MAX(us)", SCOLS_FL_RIGHT, "the latest" },
		{ "JITTER(us)", SCOLS_FL_RIGHT, "standard deviation" },
		{ "PEAK(us)", SCOLS_FL_RIGHT, "latest less earliest" },
		{ "CPU %", SCOLS_FL_RIGHT, "of one CPU" },
		{ "MISSED", SCOLS_FL_RIGHT, "ticks" },
		{ "DRIFT(us)", SCOLS_FL_RIGHT, "end less beginning" },
		{ 0 },
	};
	struct libscols_table *tb;

	doc_heading(doc, "A tick every %s: how late it is taken, %s ticks of %s",
			amount_length((double)s->plan.period_ns * PS_PER_NS).s,
			amount_count(keepers_ticks(s)).s, amount_count(s->n_keepers * s->keepers[0].n).s);
	if (!keepers_ticks(s)) {
		doc_note(doc, "Not measured.");
		return;
	}
	tb = doc_table_new(columns);
	for (unsigned i = 0; i < s->n_keepers; i++)
		if (s->keepers[i].late.count)
			put_keeper(tb, &s->keepers[i]);
	doc_table(doc, tb);
	if (s->disturbed)
		doc_note(doc, "%" PRIu32 " waits for the ticker reported that counter and clock diverged: "
			     "its ticks may have moved.", s->disturbed);
	doc_fold(doc, "How the ticks were measured");
	doc_note(doc, "JITTER: the standard deviation of the lateness (RMS jitter). PEAK: its peak to peak, "
		     "greatest minus least.");
	doc_note(doc, "MISSED: ticks that passed while an earlier one was late. CPU: of the time of the turns, on "
		     "CPU %d.", s->cpu);
	doc_note(doc, "DRIFT: the least lateness in the last quarter of the run minus that in the first.");
	doc_note(doc, "Keepers take turns of 0.25 s, or of five ticks, in random order.");
	doc_note(doc, "Where hpt_ticker_wait's ticks begin, and so all its lateness, is known to +- %.0f ns.",
		     (double)s->start_doubt_ps / PS_PER_NS);
	doc_fold_end(doc);
}

void wakes_print(const void *wakes, struct doc *doc)
{
	const struct wakes *s = wakes;

	print_interrupts(s, doc);
	if (s->n_keepers)
		print_tickers(s, doc);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static json_t *json_phase(const struct wakes_phase *p)
{
	json_t *o = json_object(), *ways = json_array();

	out_json_text(o, "name", p->name);
	out_json_sint(o, "asleep_ns", p->asleep_ns);
	out_json_bool(o, "cold_waker", p->is_cold);
	out_json_int(o, "rounds", p->rounds);
	out_json_int(o, "rounds_done", rounds_of(p));
	for (unsigned i = 0; i < p->n_ways; i++) {
		json_t *way = json_object();

		out_json_text(way, "name", p->ways[i].name);
		out_json_add(way, "latency", stats_json(&p->ways[i].latency, "ns", 1000));
		out_json_add(way, "cost", stats_json(&p->ways[i].cost, "ns", 1000));
		json_array_append_new(ways, way);
	}
	out_json_add(o, "ways", ways);
	return o;
}

/* Rounds to nearest. */
static int64_t ns_of(int64_t ps)
{
	return (ps + (ps < 0 ? -500 : 500)) / 1000;
}

static json_t *json_keepers(const struct wakes *s)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < s->n_keepers; i++) {
		const struct wakes_keeper *k = &s->keepers[i];
		json_t *o = json_object();

		out_json_text(o, "name", k->name);
		out_json_int(o, "ticks", k->late.count);
		out_json_int(o, "missed", k->missed);
		out_json_add(o, "late", stats_json(&k->late, "ns", 1000));
		out_json_sint(o, "cpu_ppm", k->cpu_ppm);
		out_json_sint(o, "drift_ns", ns_of(k->drift_ps));
		json_array_append_new(list, o);
	}
	return list;
}

static void json_ticker(json_t *o, const struct wakes *s)
{
	json_t *ticker = s->n_keepers ? json_object() : json_null();

	if (s->n_keepers) {
		out_json_sint(ticker, "period_ns", s->plan.period_ns);
		out_json_add(ticker, "keepers", json_keepers(s));
	}
	out_json_add(o, "ticker", ticker);
}

json_t *wakes_json(const void *wakes)
{
	const struct wakes *s = wakes;
	json_t *o = out_json_new(), *list = json_array();

	out_json_text(o, "bench", "wake");
	out_json_sint(o, "start_unix_ns", s->start_unix_ns);
	out_json_sint(o, "wall_ns", s->elapsed_ns);
	out_json_sint(o, "cpu", s->cpu);
	out_json_int(o, "rounds", s->plan.rounds);
	out_json_int(o, "seed", s->plan.seed);
	out_json_text(o, "filter", STATS_FILTER);
	out_json_add(o, "sleeper_cpu", s->sleeper_cpu < 0 ? json_null() : json_integer(s->sleeper_cpu));
	out_json_int(o, "lost", s->lost);
	for (unsigned i = 0; i < s->n_phases; i++)
		json_array_append_new(list, json_phase(&s->phases[i]));
	out_json_add(o, "phases", list);
	json_ticker(o, s);
	return o;
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

static void csv_dist(FILE *to, const struct stats *d)
{
	const double ps[] = {
		d->mean, d->stddev, d->filtered_mean, d->filtered_stddev, (double)d->min, (double)d->p10,
		(double)d->median, (double)d->low, (double)d->high, (double)d->p90, (double)d->p99,
		(double)d->p9999, (double)d->max,
	};

	fprintf(to, "%zu,%zu", d->count, d->dropped);
	for (size_t i = 0; i < sizeof(ps) / sizeof(ps[0]); i++)
		fprintf(to, ",%.3f", ps[i] / PS_PER_NS);
}

static void csv_quantity(FILE *to, const char *part, const char *name, const char *quantity, const struct stats *d)
{
	fprintf(to, "%s,\"%s\",%s,", part, name, quantity);
	csv_dist(to, d);
}

static void csv_phase(const struct wakes_phase *p, FILE *to)
{
	for (unsigned i = 0; i < p->n_ways && rounds_of(p); i++) {
		csv_quantity(to, p->name, p->ways[i].name, "latency", &p->ways[i].latency);
		fputs(",,,\n", to);
		csv_quantity(to, p->name, p->ways[i].name, "cost", &p->ways[i].cost);
		fputs(",,,\n", to);
	}
}

/* Only keepers have values in the last three columns. Names are quoted, because one contains a comma. */
void wakes_csv(const void *wakes, FILE *to)
{
	const struct wakes *s = wakes;

	fputs("part,name,quantity,count,dropped,mean_ns,stddev_ns,filtered_mean_ns,filtered_stddev_ns,min_ns,p10_ns,"
	      "median_ns,low_ns,high_ns,p90_ns,p99_ns,p9999_ns,max_ns,missed,cpu_ppm,drift_ns\n", to);
	for (unsigned i = 0; i < s->n_phases; i++)
		csv_phase(&s->phases[i], to);
	for (unsigned i = 0; i < s->n_keepers; i++) {
		const struct wakes_keeper *k = &s->keepers[i];

		if (!k->late.count)
			continue;
		csv_quantity(to, "ticker", k->name, "late", &k->late);
		fprintf(to, ",%" PRIu64 ",%" PRId64 ",%.3f\n", k->missed, k->cpu_ppm, (double)k->drift_ps / PS_PER_NS);
	}
}
