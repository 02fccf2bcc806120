// SPDX-License-Identifier: MIT
/* Prints counts as a table or as JSON: tools/run/tally_report.h. */
#include "run/tally_report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/format.h"
#include "cli/out.h"
#include "math/units.h"
#include "cli/util.h"
#include "run/call_names.h"
#include "run/ended.h"
#include "run/late_bins.h"

#define BINS HPT_TALLY_BINS

/* Sleeps without spinning. */
static const struct { const char *key, *fact, *because; } unspun[HPT_UNSPUN_REASONS] = {
	[HPT_UNSPUN_BUDGET] = { "unspun", "Without spinning",
				"because the budget was spent, or after 50 ms of spinning" },
	[HPT_UNSPUN_CROWD] = { "crowded", "Crowded", "without spinning, because other threads spun" },
	[HPT_UNSPUN_BACKOFF] = { "backed_off", "Backed off", "without spinning, because the CPU was busy" },
	[HPT_UNSPUN_EVENTS] = { "for_events", "For events", "without spinning, because events end the thread's waits" },
	[HPT_UNSPUN_LIMIT] = { "limited", "Limited", "without spinning, because of a quota or SCHED_DEADLINE" },
};

/* The quantiles that are reported, as parts of a thousand. */
static const struct { uint32_t permille; const char *heading, *key; } quantiles[] = {
	{ 500, "Median", "median_below_ns" }, { 900, "90 %", "p90_below_ns" }, { 990, "99 %", "p99_below_ns" },
	{ 1000, "Max", "max_below_ns" },
};

#define N_QUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

/* Programs that outlive the one waited for go on counting. */
struct snapshot {
	uint64_t served[HPT_CALLS], passed[HPT_CALLS], by_event[HPT_CALLS];
	uint64_t kernel_late[BINS], late[HPT_CALLS][BINS];
	uint64_t unspun[HPT_UNSPUN_REASONS];
	uint64_t programs, interrupted, spun_ns;
};

static void read_all(_Atomic uint64_t *from, uint64_t *ret, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = atomic_load_explicit(&from[i], memory_order_relaxed);
}

static struct snapshot snapshot_of(const struct hpt_tally *tally)
{
	struct hpt_tally *t = (struct hpt_tally *)tally; /* C11 loads from objects that are not const */
	struct snapshot s;

	read_all(t->served, s.served, HPT_CALLS);
	read_all(t->passed, s.passed, HPT_CALLS);
	read_all(t->by_event, s.by_event, HPT_CALLS);
	read_all(t->kernel_late, s.kernel_late, BINS);
	for (size_t i = 0; i < HPT_CALLS; i++)
		read_all(t->late[i], s.late[i], BINS);
	read_all(&t->programs, &s.programs, 1);
	read_all(&t->interrupted, &s.interrupted, 1);
	read_all(t->unspun, s.unspun, HPT_UNSPUN_REASONS);
	read_all(&t->spun_ns, &s.spun_ns, 1);
	return s;
}

/* Of all functions. */
static void late_of_all(const struct snapshot *s, uint64_t ret[BINS])
{
	for (size_t k = 0; k < BINS; k++) {
		ret[k] = 0;
		for (size_t i = 0; i < HPT_CALLS; i++)
			ret[k] += s->late[i][k];
	}
}

static int64_t clamped(uint64_t n)
{
	return n < INT64_MAX ? (int64_t)n : INT64_MAX;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_calls(json_t *o, const char *key, const uint64_t *counts)
{
	json_t *by_call = xneed(json_object());

	for (size_t i = 0; i < HPT_CALLS; i++)
		out_json_sint(by_call, call_names[i], clamped(counts[i]));
	out_json_add(o, key, by_call);
}

static json_t *json_bins(const uint64_t *bins)
{
	json_t *list = xneed(json_array());

	for (size_t k = 0; k < BINS; k++) {
		json_t *bin;

		if (!bins[k])
			continue;
		bin = xneed(json_object());
		out_json_sint(bin, "below_ns", late_bins_end(k));
		out_json_sint(bin, "count", clamped(bins[k]));
		if (json_array_append_new(list, bin))
			xneed(NULL);
	}
	return list;
}

static void json_lateness(json_t *o, const char *key, const uint64_t *bins)
{
	json_t *late = xneed(json_object());

	out_json_sint(late, "count", clamped(late_bins_total(bins, BINS)));
	for (size_t i = 0; i < N_QUANTILES; i++)
		out_json_sint(late, quantiles[i].key, late_bins_below(bins, BINS, quantiles[i].permille));
	out_json_add(late, "bins", json_bins(bins));
	out_json_add(o, key, late);
}

/* Of the functions that ended anything on time. */
static void json_late_by_call(json_t *o, const struct snapshot *s)
{
	uint64_t all[BINS];
	json_t *by_call = xneed(json_object());

	late_of_all(s, all);
	json_lateness(o, "sleep_late", all);
	for (size_t i = 0; i < HPT_CALLS; i++)
		if (late_bins_total(s->late[i], BINS))
			json_lateness(by_call, call_names[i], s->late[i]);
	out_json_add(o, "late_by_function", by_call);
}

void tally_print_json(const struct hpt_tally *t, const struct watched *w, const char *program, FILE *to)
{
	struct snapshot s = snapshot_of(t);
	json_t *o = out_json_new();
	char *line;

	out_json_text(o, "command", program);
	out_json_sint(o, "programs", clamped(s.programs));
	json_calls(o, "served", s.served);
	json_calls(o, "passed_on", s.passed);
	json_calls(o, "by_event", s.by_event);
	out_json_sint(o, "interrupted", clamped(s.interrupted));
	for (size_t i = HPT_UNSPUN_BUDGET; i < HPT_UNSPUN_REASONS; i++)
		out_json_sint(o, unspun[i].key, clamped(s.unspun[i]));
	out_json_sint(o, "spun_ns", clamped(s.spun_ns));
	json_lateness(o, "kernel_late", s.kernel_late);
	json_late_by_call(o, &s);
	ended_json(o, w);
	line = xneed(json_dumps(o, JSON_COMPACT));
	fprintf(to, "%s\n", line);
	free(line);
	json_decref(o);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static void print_table(struct libscols_table *tb, FILE *to)
{
	scols_table_set_stream(tb, to);
	out_table_print(tb);
}

static void late_cells(struct libscols_line *ln, const uint64_t *bins)
{
	uint64_t total = late_bins_total(bins, BINS);

	out_table_cell(ln, 4, "%" PRIu64, total);
	if (!total)
		return;
	out_table_cell(ln, 5, "< %s", format_span(late_bins_below(bins, BINS, 500)).s);
	out_table_cell(ln, 6, "< %s", format_span(late_bins_below(bins, BINS, 990)).s);
}

static void print_calls(const struct snapshot *s, FILE *to)
{
	static const struct out_column columns[] = {
		{ "Function", 0 }, { "Served", SCOLS_FL_RIGHT }, { "Passed on", SCOLS_FL_RIGHT },
		{ "By event", SCOLS_FL_RIGHT }, { "By time", SCOLS_FL_RIGHT }, { "Median late", SCOLS_FL_RIGHT },
		{ "99 %", SCOLS_FL_RIGHT }, { 0 },
	};
	struct libscols_table *tb = out_table_new(columns);

	for (size_t i = 0; i < HPT_CALLS; i++) {
		struct libscols_line *ln;

		if (!s->served[i] && !s->passed[i])
			continue;
		ln = out_table_line(tb);
		out_table_cell(ln, 0, "%s", call_names[i]);
		out_table_cell(ln, 1, "%" PRIu64, s->served[i]);
		out_table_cell(ln, 2, "%" PRIu64, s->passed[i]);
		out_table_cell(ln, 3, "%" PRIu64, s->by_event[i]);
		late_cells(ln, s->late[i]);
	}
	print_table(tb, to);
}

static void lateness_line(struct libscols_table *tb, const char *of, const uint64_t *bins)
{
	struct libscols_line *ln = out_table_line(tb);
	uint64_t total = late_bins_total(bins, BINS);

	out_table_cell(ln, 0, "%s", of);
	out_table_cell(ln, 1, "%" PRIu64, total);
	for (size_t i = 0; total && i < N_QUANTILES; i++)
		out_table_cell(ln, 2 + i, "< %s",
			       format_span(late_bins_below(bins, BINS, quantiles[i].permille)).s);
}

static void print_lateness(const struct snapshot *s, FILE *to)
{
	struct out_column columns[3 + N_QUANTILES] = { { "Late", 0 }, { "Count", SCOLS_FL_RIGHT } };
	struct libscols_table *tb;
	uint64_t all[BINS];

	late_of_all(s, all);
	for (size_t i = 0; i < N_QUANTILES; i++)
		columns[2 + i] = (struct out_column){ quantiles[i].heading, SCOLS_FL_RIGHT };
	tb = out_table_new(columns);
	lateness_line(tb, "kernel", s->kernel_late);
	lateness_line(tb, "sleep", all);
	print_table(tb, to);
	fputs("kernel: the ends of its waits; sleep: the ends of sleeps and waits. Counted in bins of powers of two.\n",
	      to);
}

static void print_facts(const struct snapshot *s, const struct watched *w, const char *program, FILE *to)
{
	struct libscols_table *tb = out_table_new_facts();

	out_table_fact(tb, "Command", "%s", program);
	ended_fact(tb, w);
	out_table_fact(tb, "Programs", "%" PRIu64 " loaded the object", s->programs);
	out_table_fact(tb, "Interrupted", "%" PRIu64 " sleeps and waits, by signals", s->interrupted);
	for (size_t i = HPT_UNSPUN_BUDGET; i < HPT_UNSPUN_REASONS; i++)
		out_table_fact(tb, unspun[i].fact, "%" PRIu64 " sleeps and waits, %s", s->unspun[i], unspun[i].because);
	out_table_fact(tb, "CPU time", "%s user, %s system", format_span(w->user_ns).s,
		       format_span(w->system_ns).s);
	out_table_fact(tb, "Spun", "%s, of elapsed time", format_span(clamped(s->spun_ns)).s);
	print_table(tb, to);
}

static bool has_calls(const struct snapshot *s)
{
	return late_bins_total(s->served, HPT_CALLS) || late_bins_total(s->passed, HPT_CALLS);
}

void tally_print_table(const struct hpt_tally *t, const struct watched *w, const char *program, FILE *to)
{
	struct snapshot s = snapshot_of(t);

	print_facts(&s, w, program, to);
	if (!has_calls(&s))
		return;
	fputc('\n', to);
	print_calls(&s, to);
	fputc('\n', to);
	print_lateness(&s, to);
}
