// SPDX-License-Identifier: MIT
/* Prints a run of sleeps as JSON or as a table: tools/sleep/sleep_run_report.h. */
#include "sleep/sleep_run_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "hpt/hpt.h"

#include "cli/facts.h"
#include "cli/format.h"
#include "cli/out.h"
#include "sleep/sleep_run.h"
#include "cli/stats.h"
#include "math/units.h"

/* Waits below which a margin is a guess: <hpt/sleep.h>. */
#define SAMPLES_MIN 8

struct results {
	uint32_t source;
	struct hpt_sleep_info sleep;
	int64_t min_ns, median_ns, mean_ns, p90_ns, p99_ns, max_ns; /* of the misses; 0 without any */
	int64_t cpu_each_ns;
	int64_t cpu_ppm;
};

static int64_t quantile_ns(const struct sleep_run *sleeps, double q)
{
	return stats_quantile(sleeps->miss_ns, (size_t)sleeps->done, q);
}

/* Sums distances from the median, so that the mean of one value is exact to the nanosecond. */
static int64_t mean_ns(const struct sleep_run *sleeps, int64_t median_ns)
{
	double sum = 0;

	for (int64_t i = 0; i < sleeps->done; i++)
		sum += (double)sleeps->miss_ns[i] - (double)median_ns;
	return median_ns + (int64_t)(sum / (double)sleeps->done);
}

static struct results results_of(const struct sleep_run *sleeps)
{
	struct results f = { .source = clock_facts(NULL).source, .sleep = sleep_facts() };

	if (!sleeps->done)
		return f;
	f.min_ns = sleeps->miss_ns[0];
	f.median_ns = quantile_ns(sleeps, 0.5);
	f.mean_ns = mean_ns(sleeps, f.median_ns);
	f.p90_ns = quantile_ns(sleeps, 0.9);
	f.p99_ns = quantile_ns(sleeps, 0.99);
	f.max_ns = sleeps->miss_ns[sleeps->done - 1];
	f.cpu_each_ns = sleeps->cpu_ns / sleeps->done;
	f.cpu_ppm = sleeps->wall_ns > 0 ? (int64_t)((double)sleeps->cpu_ns * PPM / (double)sleeps->wall_ns) : 0;
	return f;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void json_plan(json_t *o, const struct sleep_plan *plan, const struct results *f)
{
	static const struct { const char *kind, *key; } words[] = {
		[SLEEP_KIND_FOR] = { "duration", "duration_ns" },
		[SLEEP_KIND_EVERY] = { "interval", "interval_ns" },
		[SLEEP_KIND_UNTIL] = { "until", "unix_ns" },
	};

	out_json_text(o, "source", hpt_source_name(f->source));
	out_json_text(o, "policy", format_policy(f->sleep.policy));
	out_json_sint(o, "max_spin_ns", f->sleep.max_spin_ns);
	out_json_text(o, "kind", words[plan->kind].kind);
	out_json_sint(o, words[plan->kind].key, plan->ns);
	out_json_sint(o, "requested", plan->count);
}

static void json_misses(json_t *o, const struct sleep_run *sleeps, const struct results *f)
{
	out_json_sint(o, "sleeps", sleeps->done);
	out_json_sint(o, "miss_min_ns", f->min_ns);
	out_json_sint(o, "miss_median_ns", f->median_ns);
	out_json_sint(o, "miss_mean_ns", f->mean_ns);
	out_json_sint(o, "miss_p90_ns", f->p90_ns);
	out_json_sint(o, "miss_p99_ns", f->p99_ns);
	out_json_sint(o, "miss_max_ns", f->max_ns);
	out_json_sint(o, "early", sleeps->early);
	out_json_sint(o, "past", sleeps->past);
	out_json_sint(o, "diverged", sleeps->diverged);
}

/* Only of a sleep by a wall: the others know nothing of UTC. */
static void json_wall(json_t *o, const struct sleep_plan *plan, const struct sleep_run *sleeps)
{
	if (!plan->by_wall)
		return;
	out_json_sint(o, "max_error_ns", plan->max_error_ns);
	out_json_sint(o, "error_ns", sleeps->error_ns);
}

void sleep_run_print_json(const struct sleep_plan *plan, const struct sleep_run *sleeps)
{
	struct results f = results_of(sleeps);
	json_t *o = out_json_new();

	json_plan(o, plan, &f);
	json_misses(o, sleeps, &f);
	json_wall(o, plan, sleeps);
	out_json_int(o, "margin_ns", f.sleep.margin_ns);
	out_json_int(o, "margin_samples", f.sleep.samples);
	out_json_int(o, "long_margin_ns", f.sleep.long_margin_ns);
	out_json_int(o, "long_margin_samples", f.sleep.long_samples);
	out_json_int(o, "waits", sleeps->waits);
	out_json_int(o, "oversleeps", sleeps->oversleeps);
	out_json_int(o, "oversleep_ns", sleeps->oversleep_ns);
	out_json_sint(o, "cpu_ns", sleeps->cpu_ns);
	out_json_sint(o, "wall_ns", sleeps->wall_ns);
	out_json_sint(o, "cpu_ppm", f.cpu_ppm);
	out_json_add(o, "disturbance", disturbance_json(&sleeps->disturbance));
	out_json_print(o);
}

/* ---- Table ------------------------------------------------------------------------------------------------------ */

static void table_sleeps(struct libscols_table *tb, const struct sleep_plan *plan,
			 const struct sleep_run *sleeps)
{
	struct formatted length = format_span(plan->ns);

	if (plan->kind == SLEEP_KIND_UNTIL)
		out_table_fact(tb, "Sleeps", "1 until a Unix time%s%s", plan->by_wall ? ", by UTC" : "",
			       sleeps->past ? ", which was past" : "");
	else if (sleeps->done < plan->count)
		out_table_fact(tb, "Sleeps", "%" PRId64 " of %" PRId64 " %s %s", sleeps->done, plan->count,
			       plan->kind == SLEEP_KIND_EVERY ? "every" : "of", length.s);
	else
		out_table_fact(tb, "Sleeps", "%" PRId64 " %s %s", sleeps->done,
			       plan->kind == SLEEP_KIND_EVERY ? "every" : "of", length.s);
	if (sleeps->past && plan->kind == SLEEP_KIND_EVERY)
		out_table_fact(tb, "Past", "%" PRId64 " were past when their turn came", sleeps->past);
}

static void table_misses(struct libscols_table *tb, const struct sleep_plan *plan, const struct sleep_run *sleeps,
			 const struct results *f)
{
	if (!sleeps->done)
		return;
	if (sleeps->done == 1) {
		out_table_fact(tb, "Miss", "%s", format_span(f->median_ns).s);
	} else {
		out_table_fact(tb, "Miss", "median %s, mean %s", format_span(f->median_ns).s,
			       format_span(f->mean_ns).s);
		out_table_fact(tb, "", "90 %% up to %s, 99 %% up to %s, all up to %s", format_span(f->p90_ns).s,
			       format_span(f->p99_ns).s, format_span(f->max_ns).s);
	}
	if (plan->by_wall)
		out_table_fact(tb, "Error", "UTC was within %s of the time", format_span(sleeps->error_ns).s);
	else
		out_table_fact(tb, "Early", "%" PRId64, sleeps->early);
	if (sleeps->diverged)
		out_table_fact(tb, "Diverged", "%" PRId64 ", the latest %s", sleeps->diverged,
			       hpt_state_name(sleeps->state));
	if (sleeps->disturbance.is_disturbed)
		out_table_fact(tb, "Disturbed", "%s: the tails are not the library's alone",
			       disturbance_words(&sleeps->disturbance).s);
}

static void table_margin(struct libscols_table *tb, const char *label, uint32_t margin_ns, uint32_t samples)
{
	out_table_fact(tb, label, "%s before the deadline, %s %u waits", format_span(margin_ns).s,
		       samples < SAMPLES_MIN ? "a guess after" : "learned from", samples);
}

/* The value of max_spin_ns that means "the whole sleep". */
#define SPINS_ALL_NS (INT64_C(1) << 60)

static void table_policy(struct libscols_table *tb, const struct hpt_sleep_info *sleep)
{
	const char *name = format_policy(sleep->policy);

	const char *what = sleep->policy == HPT_SLEEP_NOSPIN ? "may end early by" : "spins at most";

	if (!sleep->max_spin_ns)
		out_table_fact(tb, "Policy", "%s", name);
	else if (sleep->max_spin_ns == SPINS_ALL_NS)
		out_table_fact(tb, "Policy", "%s, all of it", name);
	else
		out_table_fact(tb, "Policy", "%s, %s %s", name, what, format_span(sleep->max_spin_ns).s);
	if (sleep->policy == HPT_SLEEP_SPIN || !sleep->max_spin_ns)
		return;
	table_margin(tb, "Margin", sleep->margin_ns, sleep->samples);
	table_margin(tb, "Long margin", sleep->long_margin_ns, sleep->long_samples);
}

static void table_cost(struct libscols_table *tb, const struct sleep_run *sleeps, const struct results *f)
{
	out_table_fact(tb, "Kernel waits", "%" PRIu64, sleeps->waits);
	if (sleeps->oversleeps)
		out_table_fact(tb, "Oversleeps", "%" PRIu64 " of these ended after the deadline, by %s in all",
			       sleeps->oversleeps, format_span((int64_t)sleeps->oversleep_ns).s);
	else
		out_table_fact(tb, "Oversleeps", "0 of these ended after the deadline");
	if (sleeps->done)
		out_table_fact(tb, "CPU time", "%s a sleep, %" PRId64 ".%02" PRId64 " %% of the time",
			       format_span(f->cpu_each_ns).s, f->cpu_ppm / 10000, f->cpu_ppm / 100 % 100);
}

void sleep_run_print_table(const struct sleep_plan *plan, const struct sleep_run *sleeps)
{
	struct libscols_table *tb = out_table_new_facts();
	struct results f = results_of(sleeps);

	out_table_fact(tb, "Source", "%s", hpt_source_name(f.source));
	table_sleeps(tb, plan, sleeps);
	table_misses(tb, plan, sleeps, &f);
	table_policy(tb, &f.sleep);
	table_cost(tb, sleeps, &f);
	out_table_print(tb);
}
