// SPDX-License-Identifier: MIT
/* hpt sources: every counter of this build, with its cost, or the stage and reason why it is not usable. */
#include "info/cmd_sources.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpt/hpt.h"

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/format.h"
#include "cli/out.h"
#include "cli/take.h"

#define BIT(id) (1u << (id))

/* Opens the source to learn its cost and rate. False if the library does not know it. */
static bool get_source(uint32_t id, struct hpt_source_info *ret)
{
	hpt_clock *clk = NULL;
	int err = hpt_clock_open(id, 0, &clk);

	if (!err)
		hpt_ticks_to_ns(clk, 0); /* computes the rate, which turns the cost in ticks into ns */
	if (hpt_source_get_info(id, ret, sizeof(*ret)))
		return false;
	hpt_clock_close(clk);
	if (err && !ret->error)
		ret->error = (uint32_t)-err;
	return true;
}

static json_t *to_json(const struct hpt_source_info *s)
{
	json_t *o = json_object();

	out_json_text(o, "name", s->name);
	out_json_text(o, "counter", format_counter(s->source));
	out_json_bool(o, "usable", s->usable);
	out_json_bool(o, "chosen", s->chosen);
	out_json_text(o, "reason", hpt_reason_text(s->reason));
	out_json_int(o, "reason_code", s->reason);
	out_json_text(o, "stage", hpt_stage_name(s->stage));
	out_json_int(o, "errno", s->error);
	out_json_text(o, "errno_name", format_errno(s->error));
	out_json_int(o, "cost_mean_ps", s->cost_mean_ps);
	out_json_int(o, "cost_stddev_ps", s->cost_stddev_ps);
	out_json_int(o, "cost_samples", s->cost_samples);
	out_json_int(o, "cost_dropped", s->cost_dropped);
	out_json_int(o, "frequency_hz", (s->frequency_uhz + 500000) / 1000000);
	out_json_int(o, "granularity_ns", s->granularity_ns);
	return o;
}

/* The stage at which the library gave up on the source, and the error: "ENOENT at stage open: ". */
static struct formatted stopped_text(const struct hpt_source_info *s)
{
	const char *error = format_errno(s->error);
	struct formatted t = { "" };

	if (!s->usable && s->stage != HPT_STAGE_UNTRIED)
		snprintf(t.s, sizeof(t.s), "%s at stage %s: ", error ? error : "stopped", hpt_stage_name(s->stage));
	return t;
}

static void add_row(struct libscols_table *tb, const struct hpt_source_info *s)
{
	struct libscols_line *ln = out_table_line(tb);
	const char *counter = format_counter(s->source);

	out_table_cell(ln, 0, "%s", s->name);
	out_table_cell(ln, 1, "%s", format_yes(s->usable));
	out_table_cell(ln, 2, "%s", format_yes(s->chosen));
	out_table_cell(ln, 3, "%s", s->cost_mean_ps ? format_ns(s->cost_mean_ps).s : "-");
	out_table_cell(ln, 4, "%s", s->cost_mean_ps ? format_ns(s->cost_stddev_ps).s : "-");
	out_table_cell(ln, 5, "%s", s->frequency_uhz ? format_frequency(s->frequency_uhz).s : "-");
	out_table_cell(ln, 6, "%s%s%s%s", stopped_text(s).s, hpt_reason_text(s->reason), counter ? "; the " : "",
		       counter ? counter : "");
}

static struct libscols_table *new_table(void)
{
	const struct out_column columns[] = {
		{ "NAME", 0 }, { "USABLE", 0 }, { "CHOSEN", 0 }, { "COST(ns)", SCOLS_FL_RIGHT },
		{ *format_plus_minus() == '+' ? "+-(ns)" : "\302\261(ns)", SCOLS_FL_RIGHT },
		{ "RATE", SCOLS_FL_RIGHT }, { "WHY", SCOLS_FL_WRAP }, { 0 },
	};

	return out_table_new(columns);
}

/* @wanted: BIT() of each source to show; 0: all of this architecture. */
static void print(bool json, unsigned wanted)
{
	struct libscols_table *tb = json ? NULL : new_table();
	json_t *o = json ? out_json_new() : NULL, *list = json ? json_array() : NULL;
	struct hpt_source_info s;

	for (uint32_t id = HPT_SOURCE_TSC; id < HPT_SOURCE_MANUAL; id++) {
		if ((wanted && !(wanted & BIT(id))) || !get_source(id, &s))
			continue;
		if (!wanted && s.reason == HPT_REASON_NOT_BUILT)
			continue;
		if (json)
			json_array_append_new(list, to_json(&s));
		else
			add_row(tb, &s);
	}
	if (json) {
		out_json_add(o, "sources", list);
		out_json_print(o);
	} else {
		out_table_print(tb);
	}
}

static bool want(const struct cmd *cmd, const char *name, unsigned *wanted)
{
	uint32_t id;

	if (!take_source(cmd, name, &id))
		return false;
	*wanted |= BIT(id);
	return true;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	unsigned wanted = 0;
	bool json = false;
	int c;

	while ((c = args_next(cmd, argc, argv)) > 0) {
		if (c == 's' && !want(cmd, optarg, &wanted))
			return EXIT_USAGE;
		json |= c == 'j';
	}
	if (c != ARGS_END)
		return args_exit(c);
	for (; optind < argc; optind++)
		if (!want(cmd, argv[optind], &wanted))
			return EXIT_USAGE;
	print(json, wanted);
	return EXIT_SUCCESS;
}

static const struct opt opts[] = {
	OPT_JSON,
	{ "source", 's', "only this source, as a NAME", "NAME", KIND_SOURCE },
	{ 0 },
};

const struct cmd cmd_sources = {
	.name = "sources",
	.args = "[NAME...]",
	.operands = KIND_SOURCE,
	.help = "every counter: its cost, or why it is not usable",
	.details = "Opens each source, or those named (tsc, hpet, os, arch, mmio), and shows whether\n"
		   "it can be used or where the library stopped, whether it is the default, the cost\n"
		   "of a read (mean and standard deviation) and the reason.",
	.opts = opts,
	.run = run,
};
