// SPDX-License-Identifier: MIT
/* hpt check: is the clock one time on all CPUs, at the rate it claims? On demand, for about a second. */
#include "check/cmd_check.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "check/exam.h"
#include "cli/facts.h"
#include "cli/format.h"
#include "cli/out.h"
#include "cli/parse.h"
#include "cli/signals.h"
#include "cli/take.h"
#include "math/units.h"
#include "check/warp.h"

#define DURATION_NS     NS_PER_S
#define DURATION_MIN_NS (10 * NS_PER_MS)
#define DURATION_MAX_NS NS_PER_H

/* Rows of CPUs that disagree in the table; JSON has them all. */
#define BAD_ROWS_MAX 16

struct request {
	bool json;
	int64_t duration_ns;
	uint32_t source; /* AUTO: the default clock */
};

/* ---- Words for the verdicts -------------------------------------------------------------------------- */

static const struct {
	int exit;
	const char *name, *sentence;
} verdicts[] = {
	[EXAM_OK] = { EXIT_SUCCESS, "ok", "ok: time never went backwards, and nothing disproves the claimed rate" },
	[EXAM_DEGRADED] = { EXIT_DEGRADED, "degraded", "degraded: see above" },
	[EXAM_BACKWARDS] = { EXIT_BACKWARDS, "backwards",
				 "TIME WENT BACKWARDS: do not use this source on this machine" },
	[EXAM_INCOMPLETE] = { EXIT_FAILURE, "incomplete",
				   "incomplete: no fault was found, but not all CPUs could be compared" },
};

static const struct {
	const char *name, *phrase;
} rates[] = {
	[EXAM_RATE_WITHIN] = { "within", "within" },
	[EXAM_RATE_CONSISTENT] = { "consistent", "consistent with" },
	[EXAM_RATE_INCONCLUSIVE] = { "inconclusive", "inconclusive: coarser than" },
	[EXAM_RATE_OUTSIDE] = { "outside", "OUTSIDE" },
	[EXAM_RATE_UNKNOWN] = { "unknown", "" },
};

static const char *why_left_out(int error)
{
	return error == -EINVAL ? "a cpuset keeps this process off it, or it is no longer online" :
	       error == -ETIMEDOUT ? "no thread came to run there: another program does not give it up" :
	       strerror(-error);
}

static uint64_t messages_of(const struct exam *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->n_pairs; i++)
		n += c->pairs[i].messages;
	return n;
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static json_t *json_rate(const struct exam *c)
{
	json_t *o = json_object();

	out_json_bool(o, "ok", exam_rate_ok(c));
	out_json_text(o, "finding", rates[exam_rate(c)].name);
	out_json_sint(o, "error_ppb", c->drift.error_ppb);
	out_json_int(o, "uncertainty_ppb", c->drift.uncertainty_ppb);
	out_json_int(o, "allowed_ppb", c->drift_allowed_ppb);
	out_json_sint(o, "raw_ns", c->drift.raw_ns);
	return o;
}

static json_t *json_pair(hpt_clock *clk, const struct exam *c, const struct warp_pair *p)
{
	json_t *o = json_object();

	out_json_sint(o, "cpu_a", p->cpu_a);
	out_json_sint(o, "cpu_b", p->cpu_b);
	out_json_bool(o, "compared", exam_is_compared(c, p));
	out_json_int(o, "messages", p->messages);
	out_json_int(o, "backwards", p->backwards);
	out_json_sint(o, "worst_ns", hpt_ticks_to_ns(clk, p->worst_ticks));
	out_json_sint(o, "offset_min_ns", hpt_ticks_to_ns(clk, p->least_ticks));
	out_json_sint(o, "offset_max_ns", hpt_ticks_to_ns(clk, p->most_ticks));
	return o;
}

static json_t *json_left_out(const struct exam *c)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < c->n_left_out; i++) {
		json_t *o = json_object();

		out_json_sint(o, "cpu", c->left_out[i].cpu);
		out_json_text(o, "error", format_errno((uint32_t)-c->left_out[i].error));
		out_json_text(o, "reason", why_left_out(c->left_out[i].error));
		json_array_append_new(list, o);
	}
	return list;
}

static void print_json(hpt_clock *clk, const struct exam *c)
{
	json_t *o = out_json_new(), *cpus = json_array(), *pairs = json_array();

	out_json_text(o, "source", hpt_source_name(c->after.source));
	out_json_text(o, "verdict", verdicts[exam_verdict(c)].name);
	out_json_text(o, "state", hpt_state_name(c->after.state));
	out_json_bool(o, "vetoed", c->after.flags & HPT_CLOCK_VETOED);
	out_json_text(o, "reason", hpt_reason_text(c->after.reason));
	out_json_int(o, "generation", c->after.generation);
	out_json_bool(o, "generation_changed", c->after.generation != c->before.generation);
	out_json_int(o, "granularity_ns", c->after.granularity_ns);
	out_json_add(o, "rate", json_rate(c));
	out_json_add(o, "cpus", cpus);
	for (uint32_t i = 0; i < c->n_cpus; i++)
		json_array_append_new(cpus, json_integer(c->cpus[i]));
	out_json_add(o, "cpus_left_out", json_left_out(c));
	out_json_bool(o, "cpus_known", c->knows_online);
	out_json_text(o, "cpu_refused", c->error ? format_errno((uint32_t)-c->error) : NULL);
	out_json_int(o, "pairs_possible", c->pairs_possible);
	out_json_int(o, "pairs_compared", exam_compared(c));
	out_json_add(o, "pairs", pairs);
	for (size_t i = 0; i < c->n_pairs; i++)
		json_array_append_new(pairs, json_pair(clk, c, &c->pairs[i]));
	out_json_sint(o, "duration_ns", c->duration_ns);
	out_json_bool(o, "interrupted", c->is_interrupted);
	out_json_print(o);
}

/* ---- Table --------------------------------------------------------------------------------------------- */

static void text_state(struct libscols_table *tb, const struct exam *c)
{
	out_table_fact(tb, "Source", "%s", hpt_source_name(c->after.source));
	if (c->after.flags & HPT_CLOCK_VETOED)
		out_table_fact(tb, "Vetoed", "%s", hpt_reason_text(c->after.reason));
	out_table_fact(tb, "State", "%s, generation %" PRIu64 "%s", hpt_state_name(c->after.state),
		       c->after.generation,
		       c->after.generation != c->before.generation ? ": it changed during the check" : "");
}

static void text_rate(struct libscols_table *tb, const struct exam *c)
{
	if (exam_rate(c) == EXAM_RATE_UNKNOWN) {
		out_table_fact(tb, "Rate",
			       "unknown: counter and clocks contradict each other, or the reference stands still");
		return;
	}
	out_table_fact(tb, "Rate", "%s %s %s ppm against CLOCK_MONOTONIC_RAW, %s the %s %s ppm %s",
		       format_ppm(c->drift.error_ppb).s, format_plus_minus(),
		       format_ppm((int64_t)c->drift.uncertainty_ppb).s, rates[exam_rate(c)].phrase,
		       format_plus_minus(), format_ppm((int64_t)c->drift_allowed_ppb).s,
		       c->after.source == HPT_SOURCE_OS ? "by which NTP may slew it" : "that the clock claims");
}

static void text_granularity(struct libscols_table *tb, const struct exam *c)
{
	if (c->after.granularity_ns)
		out_table_fact(tb, "Granularity", "%u ns", c->after.granularity_ns);
	else
		out_table_fact(tb, "Granularity", "coarser than could be seen");
}

/* The number of CPUs from this one on that follow each other and have one reason. */
static uint32_t alike_from(const struct exam *c, uint32_t first)
{
	const struct exam_refusal *of = &c->left_out[first];
	uint32_t n = 1;

	while (first + n < c->n_left_out && of[n].cpu == of->cpu + (int)n && of[n].error == of->error)
		n++;
	return n;
}

static void text_left_out(struct libscols_table *tb, const struct exam *c)
{
	uint32_t n;

	for (uint32_t i = 0; i < c->n_left_out; i += n) {
		const struct exam_refusal *first = &c->left_out[i];

		n = alike_from(c, i);
		if (n == 1)
			out_table_fact(tb, "Left out", "CPU %d: %s", first->cpu, why_left_out(first->error));
		else
			out_table_fact(tb, "Left out", "CPU %d to %d: %s", first->cpu, first[n - 1].cpu,
				       why_left_out(first->error));
	}
	if (!c->knows_online)
		out_table_fact(tb, "", "other CPUs may be online: neither /sys nor /proc shows them");
}

static void text_cpus(struct libscols_table *tb, hpt_clock *clk, const struct exam *c)
{
	int64_t offset_ticks = exam_offset_ticks(c);

	if (c->n_cpus == 1) {
		out_table_fact(tb, "CPUs", "1: %" PRIu64 " reads in a row, and no other CPU to compare with",
			       messages_of(c));
		text_left_out(tb, c);
		return;
	}
	out_table_fact(tb, "CPUs", "%u: %zu of %" PRIu64 " pairs compared, %" PRIu64 " messages", c->n_cpus,
		       exam_compared(c), c->pairs_possible, messages_of(c));
	if (offset_ticks != INT64_MAX && exam_verdict(c) != EXAM_BACKWARDS)
		out_table_fact(tb, "Offset", "no two of them differ by more than %" PRId64 " ns",
			       hpt_ticks_to_ns(clk, offset_ticks));
	text_left_out(tb, c);
}

/* Crossing bounds mean that the offset changed during the comparison. */
static void text_backwards(struct libscols_table *tb, hpt_clock *clk, const struct warp_pair *p)
{
	int64_t least_ns = hpt_ticks_to_ns(clk, p->least_ticks), most_ns = hpt_ticks_to_ns(clk, p->most_ticks);
	char offset[96] = "";

	if (p->cpu_a == p->cpu_b)
		;
	else if (p->least_ticks <= p->most_ticks)
		snprintf(offset, sizeof(offset), "; CPU %d is ahead by %" PRId64 " to %" PRId64 " ns", p->cpu_b,
			 least_ns, most_ns);
	else
		snprintf(offset, sizeof(offset), "; their offset changes");
	out_table_fact(tb, "Backwards", "CPU %d and %d: %" PRIu64 " of %" PRIu64 " messages, by up to %" PRId64 " ns%s",
		       p->cpu_a, p->cpu_b, p->backwards, p->messages, hpt_ticks_to_ns(clk, p->worst_ticks), offset);
}

static void print_table(hpt_clock *clk, const struct exam *c)
{
	struct libscols_table *tb = out_table_new_facts();
	size_t bad = 0;

	if (c->is_interrupted)
		out_table_fact(tb, "Interrupted", "after %s: what follows is of the time until then",
			       format_span(c->duration_ns).s);
	text_state(tb, c);
	text_rate(tb, c);
	text_granularity(tb, c);
	text_cpus(tb, clk, c);
	for (size_t i = 0; i < c->n_pairs; i++)
		if (c->pairs[i].backwards && bad++ < BAD_ROWS_MAX)
			text_backwards(tb, clk, &c->pairs[i]);
	if (bad > BAD_ROWS_MAX)
		out_table_fact(tb, "", "and %zu more pairs: see --json", bad - BAD_ROWS_MAX);
	out_table_fact(tb, "Verdict", "%s", verdicts[exam_verdict(c)].sentence);
	out_table_print(tb);
}

/* ---- The command --------------------------------------------------------------------------------------- */

/* Ends the process by the signal that ended the check, if one did. */
static void end_by_signal(const struct signals *signals)
{
	if (!signals_caught())
		return;
	signals_release(signals);
	out_end_by(signals_caught());
}

static int check(const struct cmd *cmd, hpt_clock *clk, const struct request *request)
{
	enum exam_verdict verdict;
	struct signals signals;
	struct exam c;
	int r;

	signals_catch(exam_stop, &signals);
	r = exam_run(clk, request->duration_ns, &c);

	if (r) {
		err_print("%s: cannot list the CPUs: %s", cmd->name, strerror(-r));
		exam_free(&c);
		return EXIT_FAILURE;
	}
	if (c.error)
		err_print("%s: CPU %d cannot be used for the comparison: %s", cmd->name, c.error_cpu,
			why_left_out(c.error));
	else if (!c.knows_online)
		err_print("%s: which CPUs are online is unknown", cmd->name);
	if (request->json)
		print_json(clk, &c);
	else
		print_table(clk, &c);
	end_by_signal(&signals);
	verdict = exam_verdict(&c);
	if (verdict == EXAM_INCOMPLETE && !c.error && c.knows_online)
		err_print("%s: the CPUs are too busy, or too many for this time: see --seconds", cmd->name);
	exam_free(&c);
	return verdicts[verdict].exit;
}

/* Returns ARGS_END if all options are sound. */
static int take_options(const struct cmd *cmd, int argc, char *argv[], struct request *ret)
{
	bool is_good = true;
	int c;

	while (is_good && (c = take_next(cmd, argc, argv, &ret->source)) > 0) {
		if (c == 'j')
			ret->json = true;
		else
			is_good = take_seconds(cmd, optarg, DURATION_MIN_NS, DURATION_MAX_NS, &ret->duration_ns);
	}
	return is_good ? c : ARGS_WRONG;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request = { .duration_ns = DURATION_NS };
	int r = take_options(cmd, argc, argv, &request);

	if (r != ARGS_END)
		return args_exit(r);
	if (optind < argc && parse_source(argv[optind]))
		return args_usage(cmd, "the source is an option: --source=NAME");
	if (optind < argc)
		return args_surplus(cmd, argv);
	if (!take_default(cmd, request.source))
		return EXIT_FAILURE;
	return check(cmd, hpt_clock_default(), &request);
}

static const struct opt opts[] = {
	OPT_JSON,
	OPT_SOURCE,
	{ "seconds", 256, "time to compare the CPUs: seconds, or with a unit, from 10ms to 1h; 1 if not given",
	  "DURATION", KIND_DURATION },
	{ 0 },
};

const struct cmd cmd_check = {
	.name = "check",
	.args = "",
	.help = "is the clock one time on all CPUs, at the rate it claims?",
	.details = "Sends messages with time stamps between all pairs of online CPUs, also isolated\n"
		   "ones, and measures the rate against CLOCK_MONOTONIC_RAW; of the default clock, or\n"
		   "of one on --source. It keeps two CPUs busy. CPUs that a cpuset forbids are left\n"
		   "out, and named. Ctrl-C ends it, and the report is of the comparisons until then.\n\n"
		   "Exit status: 0 no fault was found; 3 the rate is outside its bound, or the clock\n"
		   "is not in order; 4 time went backwards; 1 not all CPUs could be compared.",
	.opts = opts,
	.run = run,
};
