// SPDX-License-Identifier: MIT
/* hpt convert: times and durations of one clock, from any form into every form. */
#include "convert/cmd_convert.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpt/hpt.h"

#include "cli/args.h"
#include "cli/cmd.h"
#include "convert/convert_ticks.h"
#include "convert/convert_trace.h"
#include "cli/err.h"
#include "cli/facts.h"
#include "cli/format.h"
#include "cli/out.h"
#include "cli/parse.h"
#include "cli/take.h"
#include "math/units.h"
#include "cli/why.h"

/* Options without a letter. */
enum { NS = 256, UNIX_NS, UTC, TO, FROM, CLOCK, OUTPUT };

struct request {
	bool json;
	uint32_t source; /* HPT_SOURCE_AUTO: the default clock */
	const char *timebase; /* a file of time bases, or NULL */
	int form;             /* 0, or the option that names it */
	bool several;         /* several such options were given */
	const char *to, *from, *clock, *output; /* of a trace, or NULL */
};

struct value {
	bool is_duration;
	int64_t ticks;
	int64_t ns; /* Unix time, or the duration */
	int64_t error_ns; /* uncertainty of the value, from that of the clock's rate */
	char text[HPT_TICKS_FORMAT_SIZE]; /* the longer of the two forms */
};

/* ---- From text: 0, -EINVAL if the text has another form, -ERANGE if the value does not fit ----------------- */

static int read_duration(hpt_clock *clk, const char *text, int64_t *ret_ticks)
{
	int r = parse_number(text, 0, "ticks", ret_ticks);
	int64_t ns;

	if (r != -EINVAL)
		return r;
	r = parse_duration_ns(text, &ns);
	return r ? r : hpt_time_add_ns(clk, 0, ns, ret_ticks);
}

static int read_time(hpt_clock *clk, const char *text, hpt_time_t *ret)
{
	int64_t unix_ns;
	int r;

	if (*text != '@')
		return hpt_time_parse(clk, text, ret);
	r = parse_number(text + 1, 0, "ticks", ret);
	if (r != -EINVAL)
		return r;
	r = parse_unix_ns(text, &unix_ns);
	return r ? r : hpt_time_from_unix_ns(clk, unix_ns, ret);
}

static int measure_duration(hpt_clock *clk, struct value *v)
{
	struct hpt_timespec ts;
	int64_t ns;

	if (hpt_ticks_to_timespec(clk, v->ticks, &ts))
		return -ERANGE;
	ns = hpt_ticks_to_ns(clk, v->ticks);
	/* hpt_ticks_to_ns() saturates at the ends of int64_t. */
	if (ns / INT64_C(1000000000) - (ns % INT64_C(1000000000) < 0) != ts.sec)
		return -ERANGE;
	v->ns = ns;
	return hpt_ticks_format(clk, v->ticks, v->text, sizeof(v->text)) < 0 ? -ERANGE : 0;
}

static int read_value(hpt_clock *clk, const char *text, struct value *ret)
{
	int r = read_duration(clk, text, &ret->ticks);

	ret->is_duration = r != -EINVAL;
	if (ret->is_duration)
		return r ? r : measure_duration(clk, ret);
	r = read_time(clk, text, &ret->ticks);
	if (!r)
		r = hpt_time_to_unix_ns(clk, ret->ticks, &ret->ns);
	if (!r && hpt_time_format(clk, ret->ticks, ret->text, sizeof(ret->text)) < 0)
		r = -ERANGE;
	return r;
}

/* The error of the rate counts from now on for a time, and over the whole length for a duration. */
static int64_t left_open_ns(hpt_clock *clk, const struct value *v)
{
	struct hpt_clock_info info = clock_facts(clk);
	double away_ns = (double)v->ns - (v->is_duration ? 0 : (double)hpt_now_unix_ns(clk)), error_ns;

	error_ns = (away_ns < 0 ? -away_ns : away_ns) / 1e9 * info.frequency_error_ppb;
	return error_ns < 9e18 ? (int64_t)(error_ns + 0.5) : INT64_MAX;
}

/* ---- Output ------------------------------------------------------------------------------------------------ */

static void print_json(const char *given, const char *source, const struct value *v)
{
	json_t *o = out_json_new();

	out_json_text(o, "given", given);
	out_json_text(o, "kind", v->is_duration ? "duration" : "time");
	out_json_text(o, "source", source);
	out_json_sint(o, "ticks", v->ticks);
	out_json_sint(o, v->is_duration ? "ns" : "unix_ns", v->ns);
	out_json_text(o, v->is_duration ? "text" : "utc", v->text);
	out_json_sint(o, "error_ns", v->error_ns);
	out_json_print(o);
}

static void print_table(const char *given, const char *source, const struct value *v)
{
	struct libscols_table *tb = out_table_new_facts();

	out_table_fact(tb, v->is_duration ? "Duration" : "Time", "%s", given);
	out_table_fact(tb, "Source", "%s", source);
	out_table_fact(tb, "Ticks", "%" PRId64, v->ticks);
	out_table_fact(tb, v->is_duration ? "Nanoseconds" : "Unix time, ns", "%" PRId64, v->ns);
	out_table_fact(tb, v->is_duration ? "Seconds" : "UTC", "%s", v->text);
	out_table_fact(tb, "Left open", "%s %" PRId64 ".%09" PRId64 " s", format_plus_minus(),
		       v->error_ns / NS_PER_S, v->error_ns % NS_PER_S);
	out_table_print(tb);
}

static void say_too_far(const struct cmd *cmd, hpt_clock *clk, const char *given, bool is_duration)
{
	char first[HPT_TIME_FORMAT_SIZE] = "", last[HPT_TIME_FORMAT_SIZE] = "";

	if (is_duration) {
		err_print("%s: '%s' does not fit in 64 bits of ticks and of nanoseconds", cmd->name, given);
		return;
	}
	if (hpt_time_format(clk, hpt_time_min(clk), first, sizeof(first)) < 0 ||
	    hpt_time_format(clk, hpt_time_max(clk), last, sizeof(last)) < 0)
		*first = *last = '\0'; /* an event moved the ends meanwhile */
	err_print("%s: '%s' is outside of the times of this clock, which are %s to %s", cmd->name, given, first, last);
}

/* ---- The command -------------------------------------------------------------------------------------------- */

static bool is_all_text_known(const struct cmd *cmd, char *texts[])
{
	for (; *texts; texts++) {
		struct value v;

		/* The form of a value is the same for every clock. */
		if (read_value(NULL, *texts, &v) != -EINVAL)
			continue;
		err_print("%s: '%s': %s; see 'hpt help %s'", cmd->name, *texts,
			why_refused(*texts, WHY_DURATION | WHY_TIME | WHY_TICKS).s, cmd->name);
		return false;
	}
	return true;
}

static int convert(const struct cmd *cmd, hpt_clock *clk, bool json, char *texts[])
{
	int status = EXIT_SUCCESS;
	const char *source;

	source = hpt_source_name(clock_facts(clk).source);
	for (bool first = true; *texts; texts++) {
		struct value v;

		if (read_value(clk, *texts, &v)) {
			say_too_far(cmd, clk, *texts, v.is_duration);
			status = EXIT_FAILURE;
			continue;
		}
		v.error_ns = left_open_ns(clk, &v);
		if (!json && !first)
			putchar('\n');
		first = false;
		(json ? print_json : print_table)(*texts, source, &v);
	}
	return status;
}

/* False: the option is not one of traces in formats of other tools. */
static bool take_trace_option(int c, struct request *ret)
{
	const char **to = c == TO ? &ret->to : c == FROM ? &ret->from : c == CLOCK ? &ret->clock :
			  c == OUTPUT ? &ret->output : NULL;

	if (to)
		*to = optarg;
	return to != NULL;
}

/* Returns ARGS_END if all options are sound. */
static int take_options(const struct cmd *cmd, int argc, char *argv[], struct request *ret)
{
	int c;

	while ((c = take_next(cmd, argc, argv, &ret->source)) > 0) {
		if (c == 'j') {
			ret->json = true;
		} else if (c == 't') {
			ret->timebase = optarg;
		} else if (!take_trace_option(c, ret)) {
			ret->several |= ret->form && ret->form != c;
			ret->form = c;
		}
	}
	return c;
}

static int convert_lines(const struct cmd *cmd, int argc, char *argv[], const struct request *request)
{
	if (optind < argc)
		return args_surplus(cmd, argv);
	if (request->source != HPT_SOURCE_AUTO || request->several || (request->json && request->form))
		return args_usage(cmd, "--timebase takes one of --json, --ns, --unix-ns, --utc, and no --source");
	return convert_ticks(cmd->name, request->timebase,
				 request->json ? CONVERT_JSON : request->form == NS ? CONVERT_NS :
				 request->form == UNIX_NS ? CONVERT_UNIX_NS : CONVERT_UTC);
}

/* ---- A trace in a format of another tool --------------------------------------------------------------------- */

/* What is wrong with the words of the options, or NULL. */
static const char *take_words(const struct request *request, struct convert_trace *ret)
{
	ret->to = encoder_find(request->to);
	if (!ret->to)
		return "--to is one of perfetto, chrome, ctf, otlp";
	ret->from = reader_find(request->from ? request->from : "lines");
	if (!ret->from)
		return "--from is one of lines, perf, ftrace, lttng";
	if (ret->from->needs_clock && !request->clock)
		return "this text does not say which clock its times are of: --clock says it";
	ret->is_clock_named = request->clock != NULL;
	ret->clock = request->clock ? reader_clock(request->clock) : ret->from->clock;
	return ret->clock == EVENT_CLOCKS ? "--clock is one of ticks, raw, monotonic, boottime, realtime, tai" : NULL;
}

/* What is wrong with their combination, or NULL. */
static const char *check_together(const struct request *request, const struct convert_trace *job)
{
	if (request->source != HPT_SOURCE_AUTO || request->json || request->form)
		return "--to takes no --json, --ns, --unix-ns, --utc or --source";
	if (job->clock == EVENT_TICKS && !job->from->has_ticks)
		return "this text has seconds, which are no ticks: --clock is another one";
	if (job->clock == EVENT_TICKS && !job->timebase)
		return "ticks need --timebase";
	if (job->to->lacks_tai && job->clock == EVENT_TAI)
		return "this format has no CLOCK_TAI";
	if (job->to->needs_unix && (job->clock == EVENT_TAI || job->clock == EVENT_BOOTTIME))
		return "this format has Unix times, which times of CLOCK_TAI and CLOCK_BOOTTIME do not become";
	if (job->to->needs_unix && job->clock != EVENT_REALTIME && !job->timebase)
		return "this format has Unix times, which need --timebase";
	if (job->to->needs_folder != (job->output != NULL))
		return job->output ? "--output is for ctf alone: other formats go to standard output" :
				     "this format is a folder of files: --output says which";
	if (job->output && !*job->output)
		return "the name of the folder is empty";
	return NULL;
}

static int convert_to(const struct cmd *cmd, int argc, char *argv[], const struct request *request)
{
	struct convert_trace job = { .timebase = request->timebase, .output = request->output };
	const char *fault;

	if (optind < argc)
		return args_surplus(cmd, argv);
	fault = take_words(request, &job);
	if (!fault)
		fault = check_together(request, &job);
	return fault ? args_usage(cmd, fault) : convert_trace(cmd->name, &job);
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request = { 0 };
	int r = take_options(cmd, argc, argv, &request);

	if (r != ARGS_END)
		return args_exit(r);
	if (request.to)
		return convert_to(cmd, argc, argv, &request);
	if (request.from || request.clock || request.output)
		return args_usage(cmd, "--from, --clock and --output need --to");
	if (request.timebase)
		return convert_lines(cmd, argc, argv, &request);
	if (request.form)
		return args_usage(cmd, "--ns, --unix-ns and --utc need --timebase");
	if (optind == argc)
		return args_usage(cmd, "a time or a duration is missing");
	if (!take_default(cmd, request.source)) /* before the first use of the default clock */
		return EXIT_FAILURE;
	if (!is_all_text_known(cmd, argv + optind))
		return EXIT_USAGE;
	return convert(cmd, hpt_clock_default(), request.json, argv + optind);
}

static const struct opt opts[] = {
	{ "json", 'j', "JSON instead of tables: one object a line", NULL, KIND_NONE },
	OPT_SOURCE,
	{ "timebase", 't', "convert ticks on standard input, one a line, by the time bases in this file", "FILE",
	  KIND_FILE },
	{ "ns", NS, "with --timebase: to nanoseconds on the clock's timeline", NULL, KIND_NONE },
	{ "unix-ns", UNIX_NS, "with --timebase: to nanoseconds since 1970-01-01 00:00 UTC", NULL, KIND_NONE },
	{ "utc", UTC, "with --timebase: to text; this is the default", NULL, KIND_NONE },
	{ "to", TO, "a trace on standard input, to perfetto, chrome, ctf or otlp", "FORMAT", KIND_FORMAT },
	{ "from", FROM, "with --to: the trace's text is that of perf, ftrace, lttng, or lines", "TOOL", KIND_TOOL },
	{ "clock", CLOCK, "with --to: the text's times are of this clock", "CLOCK", KIND_CLOCK },
	{ "output", OUTPUT, "with --to=ctf: the folder that is written", "FOLDER", KIND_FOLDER },
	{ 0 },
};

const struct cmd cmd_convert = {
	.name = "convert",
	.args = "[--] VALUE... | --timebase=FILE | --to=FORMAT",
	.help = "a time or a duration: ticks, nanoseconds, Unix time, UTC",
	.details = "Shows each VALUE in every form, by one clock of this machine: the default one, or\n"
		   "one on --source.\n\n"
		   "A duration: 1.5s, 20ms, 300us, 40ns    and min, h, d: minutes, hours, days\n"
		   "            5000ticks\n"
		   "A time:     2026-11-20T10:47:59.123456789Z, or with an offset such as +02:00\n"
		   "            @1795171679.123456789      since 1970: seconds, or with a unit as\n"
		   "            @1795171679123456789ns     above\n"
		   "            @5000ticks                 of the clock, as 'hpt now --ticks' shows\n\n"
		   "Ticks are valid only with the clock they came from, and until the next boot.\n"
		   "'Left open' is the error of the clock's rate, over the time between VALUE and now\n"
		   "or over the duration. Write '--' before a VALUE that begins with '-'. A VALUE that\n"
		   "does not fit is reported on standard error; the others are still converted, and\n"
		   "the exit status is 1.\n\n"
		   "With --timebase no clock is used: FILE has the time bases of a trace, perhaps of\n"
		   "another machine, as hpt_clock_get_timebase(3) and 'hpt now --timebase' write them.\n"
		   "A tick of no generation in FILE gives a line '-', and the exit status is 1.\n\n"
		   "With --to the trace on standard input goes to a format that other tools read; ctf\n"
		   "is a folder, the others go to standard output. The trace has lines\n\n"
		   "            TICK [@THREAD] [+NAME | -NAME | NAME]\n\n"
		   "of a beginning, an end or a moment, or it is the text of 'perf script', of ftrace's\n"
		   "file trace or of babeltrace2. --clock is ticks, raw, monotonic, boottime, realtime\n"
		   "or tai. What is not converted is reported, and the exit status is 1:\n"
		   "hpt_traces(7).",
	.opts = opts,
	.run = run,
};
