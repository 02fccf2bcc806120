// SPDX-License-Identifier: MIT
/* Prints a sweep as tables, with notes on their meaning: tools/bench/sweep_report.h. */
#include "bench/sweep_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "bench/candidates_sleep.h"
#include "bench/published.h"
#include "bench/stopwatch_report.h"
#include "bench/sweep.h"
#include "cli/amount.h"
#include "cli/doc.h"
#include "cli/out.h"
#include "cli/stats.h"
#include "math/units.h"

/* The rounding to whole microseconds is a thousandth of this. */
#define SPLIT_MIN_US 1000

#define N(list) (sizeof(list) / sizeof((list)[0]))

/* ---- Cells ----------------------------------------------------------------------------------------------------- */

static void cell_us(struct libscols_line *ln, size_t column, double ps)
{
	out_table_cell(ln, column, "%s", amount_of(ps / PS_PER_US).s);
}

/* A dash if too few samples know the quantile. */
static void cell_quantile(struct libscols_line *ln, size_t column, const struct stats *d, double q, int64_t ps)
{
	if (stats_knows(d->count, q))
		cell_us(ln, column, (double)ps);
	else
		out_table_cell(ln, column, "-");
}

static void cell_median(struct libscols_line *ln, size_t column, const struct stats *d)
{
	if (d->count)
		cell_us(ln, column, (double)d->median);
	else
		out_table_cell(ln, column, "-");
}

static void cell_percent(struct libscols_line *ln, size_t column, int64_t ppm)
{
	out_table_cell(ln, column, "%s", amount_of((double)ppm / PPM_PER_PERCENT).s);
}

/* Fills six columns, the first of which is @column. */
static void cells_miss(struct libscols_line *ln, size_t column, const struct stats *miss)
{
	cell_us(ln, column, miss->mean);
	if (miss->count > 1)
		cell_us(ln, column + 1, miss->stddev);
	else
		out_table_cell(ln, column + 1, "-");
	cell_us(ln, column + 2, (double)miss->median);
	cell_quantile(ln, column + 3, miss, 0.9, miss->p90);
	cell_quantile(ln, column + 4, miss, 0.99, miss->p99);
	cell_us(ln, column + 5, (double)miss->max);
}

/* Fills user and system, from @column. Few whole microseconds give no meaningful share. */
static void cells_split(struct libscols_line *ln, size_t column, const struct sweep_stats *f)
{
	if (f->split_us < SPLIT_MIN_US) {
		out_table_cell(ln, column, "-");
		out_table_cell(ln, column + 1, "-");
		return;
	}
	cell_percent(ln, column, f->user_ppm);
	cell_percent(ln, column + 1, f->system_ppm);
}

/* ---- By band --------------------------------------------------------------------------------------------------- */

static void print_band(const struct sweep *s, struct doc *doc, enum hpt_band band)
{
	static const struct doc_column columns[] = {
		{ "WAY", 0, NULL },
		{ "MEAN", SCOLS_FL_RIGHT, "miss" },
		{ "STDDEV", SCOLS_FL_RIGHT, "of the miss" },
		{ "P50", SCOLS_FL_RIGHT, "median miss" },
		{ "P90", SCOLS_FL_RIGHT, "1 of 10 is later" },
		{ "P99", SCOLS_FL_RIGHT, "1 of 100" },
		{ "MAX", SCOLS_FL_RIGHT, "the latest" },
		{ "DEADLINE", SCOLS_FL_RIGHT, "median after a deadline set before" },
		{ "ENTRY", SCOLS_FL_RIGHT, "call to first reading" },
		{ "EXIT", SCOLS_FL_RIGHT, "last reading to return" },
		{ "EARLY", SCOLS_FL_RIGHT, "ended too soon" },
		{ "CPU %", SCOLS_FL_RIGHT, "of the time slept" },
		{ 0 },
	};
	struct libscols_table *tb = doc_table_new(columns);

	for (unsigned way = 0; way < s->n_ways; way++) {
		const struct sweep_stats *f = &s->bands[way][band];
		struct libscols_line *ln;

		if (!sweep_has(s, way))
			continue;
		ln = out_table_line(tb);
		out_table_cell(ln, 0, "%s", sleep_candidates[way].name);
		cells_miss(ln, 1, &f->miss);
		cell_median(ln, 7, &f->deadline_miss);
		cell_median(ln, 8, &f->entry);
		cell_median(ln, 9, &f->exit);
		out_table_cell(ln, 10, "%zu", f->early);
		cell_percent(ln, 11, f->cpu_ppm);
	}
	doc_table(doc, tb);
}

static void print_bands(const struct sweep *s, struct doc *doc)
{
	struct amount tick = amount_length((double)s->jiffy_ns * PS_PER_NS);
	const struct sweep_stats *bands = s->bands[sweep_first(s)];

	if (bands[BAND_LONG].sleeps) {
		doc_heading(doc, "Miss of sleeps of 1/HZ (%s) and more, us: %zu sleeps each way", tick.s,
				bands[BAND_LONG].sleeps);
		print_band(s, doc, BAND_LONG);
	}
	if (bands[BAND_SHORT].sleeps) {
		doc_heading(doc, "Miss of sleeps of less than 1/HZ (%s), us: %zu sleeps each way", tick.s,
				bands[BAND_SHORT].sleeps);
		print_band(s, doc, BAND_SHORT);
	}
}

/* ---- CPU time -------------------------------------------------------------------------------------------------- */

static void print_cpu(const struct sweep *s, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "WAY", 0, NULL },
		{ "CPU %", SCOLS_FL_RIGHT, "of the time slept" },
		{ "USER %", SCOLS_FL_RIGHT, "in the program" },
		{ "SYSTEM %", SCOLS_FL_RIGHT, "in the kernel" },
		{ "x PAPERS' RULE", SCOLS_FL_RIGHT, "multiple of its CPU time" },
		{ 0 },
	};
	double papers_ppm = (double)s->bands[CANDIDATE_PAPERS][BAND_ALL].cpu_ppm;
	struct libscols_table *tb = doc_table_new(columns);

	doc_heading(doc, "CPU time of the whole sweep, of the time slept");
	for (unsigned way = 0; way < s->n_ways; way++) {
		const struct sweep_stats *f = &s->bands[way][BAND_ALL];
		struct libscols_line *ln;

		if (!sweep_has(s, way))
			continue;
		ln = out_table_line(tb);
		out_table_cell(ln, 0, "%s", sleep_candidates[way].name);
		cell_percent(ln, 1, f->cpu_ppm);
		cells_split(ln, 2, f);
		if (papers_ppm > 0)
			out_table_cell(ln, 4, "%s", amount_of((double)f->cpu_ppm / papers_ppm).s);
		else
			out_table_cell(ln, 4, "-");
	}
	doc_table(doc, tb);
}

/* ---- By length ------------------------------------------------------------------------------------------------- */

static void print_medians(const struct sweep *s, struct doc *doc)
{
	struct out_column columns[1 + CANDIDATES + 1] = { { "LENGTH", SCOLS_FL_RIGHT } };
	unsigned ways[CANDIDATES], n = 0;
	struct libscols_table *tb;

	for (unsigned way = 0; way < s->n_ways; way++)
		if (sweep_has(s, way))
			ways[n++] = way;
	for (unsigned i = 0; i < n; i++)
		columns[1 + i] = (struct out_column){ sleep_candidates[ways[i]].name, SCOLS_FL_RIGHT };
	tb = out_table_new(columns);
	doc_heading(doc, "Median miss by length, us");
	for (unsigned length = 0; length < s->n_lengths; length++) {
		struct libscols_line *ln = out_table_line(tb);

		out_table_cell(ln, 0, "%s", amount_length((double)s->lengths_ns[length] * PS_PER_NS).s);
		for (unsigned i = 0; i < n; i++)
			cell_median(ln, 1 + i, &s->lengths[ways[i]][length].miss);
	}
	doc_table(doc, tb);
}

static void print_lengths(const struct sweep *s, struct doc *doc, unsigned way)
{
	static const struct doc_column columns[] = {
		{ "LENGTH", SCOLS_FL_RIGHT, NULL },
		{ "MEAN", SCOLS_FL_RIGHT, "miss" },
		{ "STDDEV", SCOLS_FL_RIGHT, "of the miss" },
		{ "P50", SCOLS_FL_RIGHT, "median miss" },
		{ "P90", SCOLS_FL_RIGHT, "1 of 10 is later" },
		{ "P99", SCOLS_FL_RIGHT, "1 of 100" },
		{ "MAX", SCOLS_FL_RIGHT, "the latest" },
		{ "ENTRY", SCOLS_FL_RIGHT, "call to first reading" },
		{ "EXIT", SCOLS_FL_RIGHT, "last reading to return" },
		{ "EARLY", SCOLS_FL_RIGHT, "ended too soon" },
		{ "CPU %", SCOLS_FL_RIGHT, "of the time slept" },
		{ "USER %", SCOLS_FL_RIGHT, "in the program" },
		{ "SYSTEM %", SCOLS_FL_RIGHT, "in the kernel" },
		{ 0 },
	};
	struct libscols_table *tb = doc_table_new(columns);

	doc_heading(doc, "%s: miss, entry and exit by length, us", sleep_candidates[way].name);
	for (unsigned length = 0; length < s->n_lengths; length++) {
		const struct sweep_stats *f = &s->lengths[way][length];
		struct libscols_line *ln;

		if (!f->sleeps)
			continue;
		ln = out_table_line(tb);
		out_table_cell(ln, 0, "%s", amount_length((double)s->lengths_ns[length] * PS_PER_NS).s);
		cells_miss(ln, 1, &f->miss);
		cell_median(ln, 7, &f->entry);
		cell_median(ln, 8, &f->exit);
		out_table_cell(ln, 9, "%zu", f->early);
		cell_percent(ln, 10, f->cpu_ppm);
		cells_split(ln, 11, f);
	}
	doc_table(doc, tb);
}

/* ---- Notes ----------------------------------------------------------------------------------------------------- */

/* Failures of libhpt, first on the page. */
static void print_alarms(const struct sweep *s, struct doc *doc)
{
	for (unsigned way = 0; way < s->n_ways; way++) {
		const struct sweep_stats *f = &s->bands[way][BAND_ALL];

		if (sleep_candidates[way].is_ours && f->early)
			doc_note(doc, "TOO EARLY: %zu of %zu sleeps of %s ended before their time. Please "
				     "report this.", f->early, f->sleeps, sleep_candidates[way].name);
	}
	if (s->disturbed)
		doc_note(doc, "Disturbed: in %" PRIu32 " sleeps hpt found that the counter and the system's clock "
			     "had diverged.", s->disturbed);
}

static void print_conditions(const struct sweep *s, struct doc *doc)
{
	uint32_t rounds = atomic_load_explicit(&s->rounds_done, memory_order_acquire);

	doc_note(doc, "%" PRIu32 " of %" PRIu32 " rounds on CPU %d; the ways in random order for each length, "
		     "seed %" PRIu32 "; 1/HZ is %s.", rounds, s->plan.rounds, s->cpu,
		     s->plan.seed, amount_length((double)s->jiffy_ns * PS_PER_NS).s);
	if (s->resumed_rounds)
		doc_note(doc, "The first %" PRIu32 " rounds are of earlier runs.", s->resumed_rounds);
	if (atomic_load_explicit(&s->lengths_done, memory_order_acquire))
		doc_note(doc, "The first %" PRIu32 " lengths of a further round are included.",
			     atomic_load_explicit(&s->lengths_done, memory_order_acquire));
	doc_note(doc, "The sleeps of hpt, the papers' rule and the busy wait are on the source %s.",
		     hpt_source_name(s->watch.source));
	stopwatch_print(&s->watch, doc);
	if (s->learned.size)
		doc_note(doc, "hpt waited %" PRIu64 " times in the kernel, which ended %" PRIu64 " of these after "
			     "the deadline.", s->learned.waits, s->learned.oversleeps);
}

static void print_notes(struct doc *doc, const char *const *notes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		doc_note(doc, "%s", notes[i]);
}

static void print_meaning(struct doc *doc)
{
	static const char *const misses[] = {
		"Miss: the time around the call, from T1 to T4, minus the length and nothing else.",
		"P90, P99: 90 or 99 of 100 sleeps are no later; - where that would be the latest of few sleeps.",
		"Deadline: T4 minus the time at which the sleep was to end, if that was fixed before it began; median.",
		("System sleeps follow CLOCK_MONOTONIC, which may be slewed against the counter: "
		 "4 ppm is 1 us in 0.25 s."),
	};
	static const char *const split[] = {
		"T2 is when the way reads the clock to compute its target, T3 when it reads it for the last time.",
		"Entry is T2 - T1 and exit T4 - T3, both medians. For the system's sleeps only T1 and T4 are known.",
		"The exit of hpt's sleeps is derived: T4 of hpt_sleep_until_ticks minus its deadline.",
		("The entry of hpt_sleep_ns is its miss minus this exit, in each round: below 0 where "
		 "hpt_sleep_until_ticks "
		 "was the later."),
	};
	static const char *const shares[] = {
		"x PAPERS' RULE: CPU time as a multiple of that of the papers' rule in this run.",
		"CPU is CLOCK_THREAD_CPUTIME_ID around the call, minus the CPU time that reading it takes.",
		"A remainder shows in the shortest sleeps: at 1 us, CPU may be more than the time slept.",
		"User and system are from getrusage() around that, in whole us: not shown where these are too few.",
		"A kernel that counts jiffies divides CPU time between them as jiffies fell; others measure it.",
	};

	print_notes(doc, misses, N(misses));
	print_notes(doc, split, N(split));
	print_notes(doc, shares, N(shares));
}

/* ---- What the papers published ---------------------------------------------------------------------------------- */

/*
 * A published value, the one measured here, and the ratio of the two, if they can be compared: three columns from
 * @column on.
 */
static void cells_beside(struct libscols_line *ln, size_t column, double published, double here, bool is_comparable)
{
	if (published > 0)
		out_table_cell(ln, column, "%s", amount_of(published).s);
	else
		out_table_cell(ln, column, "-");
	out_table_cell(ln, column + 1, "%s", amount_of(here).s);
	if (published > 0 && is_comparable)
		out_table_cell(ln, column + 2, "%s", amount_of(here / published).s);
	else
		out_table_cell(ln, column + 2, "-");
}

static void print_published_band(const struct sweep *s, struct libscols_table *tb, unsigned way, enum hpt_band band)
{
	static const char *const names[BANDS] = {
		[BAND_ALL] = "all", [BAND_LONG] = ">= 1/HZ", [BAND_SHORT] = "< 1/HZ",
	};
	const struct sweep_stats *f = &s->bands[way][band];
	struct published_sleep p = published_sleep(way, band);
	bool is_comparable = published_is_sweep(&s->plan);
	struct libscols_line *ln = out_table_line(tb);

	out_table_cell(ln, 0, "%s", sleep_candidates[way].name);
	out_table_cell(ln, 1, "%s", names[band]);
	cells_beside(ln, 2, (double)p.miss_ps / PS_PER_US, f->miss.mean / PS_PER_US, is_comparable);
	cells_beside(ln, 5, (double)p.cpu_ppm / PPM_PER_PERCENT, (double)f->cpu_ppm / PPM_PER_PERCENT,
		     is_comparable);
}

static void print_published(const struct sweep *s, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "WAY", 0, NULL }, { "LENGTHS", 0, NULL }, { "MISS us", SCOLS_FL_RIGHT, "mean, published 2012-13" },
		{ "HERE", SCOLS_FL_RIGHT, "mean" }, { "x PUBLISHED", SCOLS_FL_RIGHT, "here to there" },
		{ "CPU %", SCOLS_FL_RIGHT, "published 2012-13" }, { "HERE", SCOLS_FL_RIGHT, "of the time slept" },
		{ "x PUBLISHED", SCOLS_FL_RIGHT, "here to there" }, { 0 },
	};
	static const unsigned ways[] = { CANDIDATE_NANO, CANDIDATE_BUSY, CANDIDATE_PAPERS };
	struct libscols_table *tb;

	if (!sweep_has(s, CANDIDATE_NANO) && !sweep_has(s, CANDIDATE_BUSY) && !sweep_has(s, CANDIDATE_PAPERS))
		return;
	tb = doc_table_new(columns);
	doc_fold(doc, "What the papers published, and the same here");
	for (size_t i = 0; i < N(ways); i++)
		for (unsigned band = 0; band < BANDS && ways[i] < s->n_ways; band++)
			if (s->bands[ways[i]][band].sleeps)
				print_published_band(s, tb, ways[i], band);
	doc_table(doc, tb);
	doc_note(doc, "Published: mean miss of a call over 0.25 s halving to 1 us, where 1/HZ is 1 ms.");
	if (!published_is_sweep(&s->plan))
		doc_note(doc, "The lengths here are others, so there is no ratio.");
	doc_fold_end(doc);
}

void sweep_print(const void *sweep, struct doc *doc)
{
	const struct sweep *s = sweep;

	print_alarms(s, doc);
	print_bands(s, doc);
	print_cpu(s, doc);
	if (!s->plan.is_table)
		print_medians(s, doc);
	for (unsigned way = 0; s->plan.is_table && way < s->n_ways; way++)
		if (sweep_has(s, way))
			print_lengths(s, doc, way);
	doc_fold(doc, "How it was measured");
	print_conditions(s, doc);
	print_meaning(doc);
	doc_fold_end(doc);
	print_published(s, doc);
}
