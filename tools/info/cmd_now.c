// SPDX-License-Identifier: MIT
/* hpt now: one instant, in every form. */
#include "info/cmd_now.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hpt/hpt.h"

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/out.h"
#include "cli/take.h"
#include "cli/timebases.h"

struct instant {
	hpt_time_t ticks;
	int64_t    ns;          /* as hpt_now_ns() would have returned at that tick */
	int64_t    unix_ns;
	char       utc[HPT_TIME_FORMAT_SIZE];
};

/* What the options ask for, and their letters. */
enum { JSON = 1, TICKS = 2, NS = 4, UNIX_NS = 8, UTC = 16, TIMEBASE = 32 };

static bool take(struct instant *ret)
{
	hpt_clock *clk = hpt_clock_default();

	ret->ticks = hpt_now(clk);
	return !hpt_time_to_ns(clk, ret->ticks, &ret->ns) && !hpt_time_to_unix_ns(clk, ret->ticks, &ret->unix_ns) &&
	       hpt_time_format(clk, ret->ticks, ret->utc, sizeof(ret->utc)) > 0;
}

/* After the instant, and only where it is shown: the answer takes until a new clock is 1 ms old. */
static const char *source_name(void)
{
	struct hpt_clock_info info;

	return hpt_clock_get_info(NULL, &info, sizeof(info)) ? "?" : hpt_source_name(info.source);
}

static void print_json(const struct instant *t)
{
	json_t *o = out_json_new();

	out_json_text(o, "source", source_name());
	out_json_sint(o, "ticks", t->ticks);
	out_json_sint(o, "ns", t->ns);
	out_json_sint(o, "unix_ns", t->unix_ns);
	out_json_text(o, "utc", t->utc);
	out_json_print(o);
}

static void print_table(const struct instant *t)
{
	struct libscols_table *tb = out_table_new_facts();

	out_table_fact(tb, "Source", "%s", source_name());
	out_table_fact(tb, "Ticks", "%" PRId64, t->ticks);
	out_table_fact(tb, "Nanoseconds", "%" PRId64, t->ns);
	out_table_fact(tb, "Unix time, ns", "%" PRId64, t->unix_ns);
	out_table_fact(tb, "UTC", "%s", t->utc);
	out_table_print(tb);
}

static void print_values(const struct instant *t, int which)
{
	if (which & TICKS)
		printf("%" PRId64 "\n", t->ticks);
	if (which & NS)
		printf("%" PRId64 "\n", t->ns);
	if (which & UNIX_NS)
		printf("%" PRId64 "\n", t->unix_ns);
	if (which & UTC)
		printf("%s\n", t->utc);
}

struct request {
	int flags;
	uint32_t source;
	const char *path;       /* of --timebase */
};

/* Returns ARGS_END if all options are sound. */
static int take_options(const struct cmd *cmd, int argc, char *argv[], struct request *ret)
{
	int c;

	while ((c = take_next(cmd, argc, argv, &ret->source)) > 0) {
		ret->flags |= c == 'j' ? JSON : c == 't' ? TIMEBASE : 1 << (c - 255);
		if (c == 't')
			ret->path = optarg;
	}
	return c;
}

static int show(const struct cmd *cmd, int flags)
{
	struct instant t;

	if (!take(&t)) {
		err_print("%s: the wall clock is outside the years 1677 to 2262", cmd->name);
		return EXIT_FAILURE;
	}
	if (flags == JSON)
		print_json(&t);
	else if (flags)
		print_values(&t, flags);
	else
		print_table(&t);
	return EXIT_SUCCESS;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request = { 0 };
	int r = take_options(cmd, argc, argv, &request);

	if (r != ARGS_END)
		return args_exit(r);
	if (optind < argc)
		return args_surplus(cmd, argv);
	if (request.flags & TIMEBASE && request.flags != TIMEBASE)
		return args_usage(cmd, "--timebase shows nothing and excludes the options that show a value");
	if (request.flags & JSON && request.flags != JSON)
		return args_usage(cmd, "--json shows every value and excludes the options for one");
	if (!take_default(cmd, request.source))
		return EXIT_FAILURE;
	if (request.path)
		return timebases_append(cmd->name, request.path) ? EXIT_SUCCESS : EXIT_FAILURE;
	return show(cmd, request.flags);
}

static const struct opt opts[] = {
	OPT_JSON,
	OPT_SOURCE,
	{ "ticks", 256, "only the counter's value", NULL, KIND_NONE },
	{ "ns", 257, "only the nanoseconds, on CLOCK_MONOTONIC_RAW's timeline (os: CLOCK_MONOTONIC's)", NULL,
	  KIND_NONE },
	{ "unix-ns", 258, "only the nanoseconds since 1970-01-01 00:00 UTC", NULL, KIND_NONE },
	{ "utc", 259, "only the time as text", NULL, KIND_NONE },
	{ "timebase", 't', "append a time base to this file, for 'hpt convert --timebase', and show nothing", "FILE",
	  KIND_FILE },
	{ 0 },
};

const struct cmd cmd_now = {
	.name = "now",
	.args = "",
	.help = "the time: ticks, nanoseconds, Unix time, UTC",
	.details = "Reads the default clock once, or a clock on --source, and shows that instant in\n"
		   "every form. Several options for one value may be given: each value is a line, in\n"
		   "the order of this list.",
	.opts = opts,
	.run = run,
};
