// SPDX-License-Identifier: MIT
/* hpt bench: the cost of reads, sleeps and wakes on this machine, compared with the alternatives. */
#include "bench/cmd_bench.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare.h"
#include "bench/engine.h"
#include "bench/engine_load.h"
#include "bench/engine_read.h"
#include "bench/engine_sleep.h"
#include "bench/engine_wake.h"
#include "bench/paced.h"
#include "bench/report.h"
#include "bench/request.h"
#include "bench/run.h"
#include "bench/sweep.h"
#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/take.h"

/* ---- bench read, sleep, wake ------------------------------------------------------------------------------------- */

/* False: the command ends with *ret_status. */
static bool takes_request(uint32_t rounds_max, const struct hpt_cmd *cmd, int argc, char *argv[],
			  struct hpt_request *ret, int *ret_status)
{
	int r = hpt_request_take(cmd, argc, argv, rounds_max, ret);

	if (r == HPT_ARGS_END && optind >= argc)
		return true;
	*ret_status = r == HPT_ARGS_END ? hpt_args_surplus(cmd, argv) : hpt_args_exit(r);
	return false;
}

/* On the default clock, which is one on --source. */
static int run_on(const struct hpt_engine *e, const struct hpt_request *r)
{
	return hpt_take_default(r->cmd, r->source) ? hpt_run_bench(e, r) : EXIT_FAILURE;
}

static int run_read(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	struct hpt_request request;
	int status;

	if (!takes_request(hpt_engine_read.rounds_max, cmd, argc, argv, &request, &status))
		return status;
	return hpt_run_bench(&hpt_engine_read, &request);
}

/* Options of the sweep that sleeps beside a load do not have. */
#define OF_SWEEP (HPT_REQUEST_BIT(HPT_BENCH_LONGEST) | HPT_REQUEST_BIT(HPT_BENCH_SHORTEST) | \
		  HPT_REQUEST_BIT(HPT_BENCH_STEP) | HPT_REQUEST_BIT(HPT_BENCH_TABLE) | HPT_REQUEST_BIT(HPT_BENCH_PLOT))

/* Both engines have the same most rounds. */
_Static_assert(HPT_PACED_ROUNDS_MAX == HPT_SWEEP_ROUNDS_MAX, "one limit for --rounds");

static int run_sleep(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	struct hpt_request request;
	int status;

	if (!takes_request(HPT_SWEEP_ROUNDS_MAX, cmd, argc, argv, &request, &status))
		return status;
	if (!(request.given & HPT_REQUEST_BIT(HPT_BENCH_LOAD)))
		return run_on(&hpt_engine_sleep, &request);
	if (request.given & OF_SWEEP)
		return hpt_args_usage(cmd, "--longest, --shortest, --step, --table and --plot do not go with --load");
	return run_on(&hpt_engine_load, &request);
}

static int run_wake(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	struct hpt_request request;
	int status;

	if (!takes_request(hpt_engine_wake.rounds_max, cmd, argc, argv, &request, &status))
		return status;
	return run_on(&hpt_engine_wake, &request);
}

#define JSON_OPT { "json", HPT_BENCH_JSON, "one JSON object instead of tables", NULL, HPT_KIND_NONE }
#define SHORT_OPT { "short", HPT_BENCH_SHORT, "a tenth of the usual rounds", NULL, HPT_KIND_NONE }
#define CPU_OPT  { "cpu", HPT_BENCH_CPU, "measure on this CPU; if not given, on the one where it starts", "N", \
		   HPT_KIND_CPU }
#define HOST_OPT { "host-name", HPT_BENCH_HOST_NAME, "JSON and page have this machine's name", NULL, HPT_KIND_NONE }
#define SEED_OPT { "seed", HPT_BENCH_SEED, "of the random order, to repeat it", "N", HPT_KIND_NUMBER }

#define FORM_OPTS JSON_OPT, \
	{ "csv", HPT_BENCH_CSV, "comma-separated values instead of tables", NULL, HPT_KIND_NONE }, \
	{ "plot", HPT_BENCH_PLOT, "write the plot to this file, as SVG; -: to standard output instead of tables", \
	  "FILE", HPT_KIND_FILE }, \
	{ "hgrm", HPT_BENCH_HGRM, "write percentiles there, one file for each distribution", "DIR", HPT_KIND_FOLDER }

#define INTERRUPTED \
	"\n\nCtrl-C ends it, and the results are those of the rounds measured until then.\n" \
	"Files are put in place whole, or stay as they were."

static const struct hpt_opt read_opts[] = {
	FORM_OPTS,
	{ "source", HPT_BENCH_SOURCE, "of the sources only this: tsc, hpet, os, arch, mmio", "NAME", HPT_KIND_SOURCE },
	{ "rounds", HPT_BENCH_ROUNDS, "number of rounds; 2000 if not given", "N", HPT_KIND_NUMBER },
	{ "long", HPT_BENCH_LONG, "10000 rounds", NULL, HPT_KIND_NONE },
	SHORT_OPT,
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ 0 },
};

static const struct hpt_cmd read_cmd = {
	.name = "bench read",
	.args = "",
	.help = "cost of a read of each source, and of other calls that read the time",
	.details = "Measures a read of every source that can be opened, and the yardsticks in the same\n"
		   "process: the bare instructions, clock_gettime(), gettimeofday() and the system\n"
		   "call. Each round times all of them, in random order: one call after the other\n"
		   "(throughput), each ended before the next begins (isolated), and one by one."
		   INTERRUPTED,
	.opts = read_opts,
	.run = run_read,
};

static const struct hpt_opt sleep_opts[] = {
	FORM_OPTS,
	HPT_OPT_SOURCE,
	{ "longest", HPT_BENCH_LONGEST, "the longest sleep; 250ms if not given, with --table 10s", "DURATION",
	  HPT_KIND_DURATION },
	{ "shortest", HPT_BENCH_SHORTEST, "no sleep is shorter; 1us if not given", "DURATION", HPT_KIND_DURATION },
	{ "step", HPT_BENCH_STEP, "each length is the one before divided by this: 2, with --table 10", "N",
	  HPT_KIND_NUMBER },
	{ "rounds", HPT_BENCH_ROUNDS, "sleeps of each length; 7 if not given, with --table 3, with --load 10", "N",
	  HPT_KIND_NUMBER },
	{ "long", HPT_BENCH_LONG, "20 rounds, with --load 40", NULL, HPT_KIND_NONE },
	SHORT_OPT,
	{ "table", HPT_BENCH_TABLE, "report each length, with entry and exit, user and system time", NULL,
	  HPT_KIND_NONE },
	{ "load", HPT_BENCH_LOAD, "sleeps at 1 kHz and 100 Hz beside N busy threads instead", "N", HPT_KIND_NUMBER },
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ 0 },
};

static const struct hpt_cmd sleep_cmd = {
	.name = "bench sleep",
	.args = "",
	.help = "how late sleeps end and their CPU time, compared with other ways to sleep",
	.details = "Sleeps from 250 ms down to 1 us in all available ways: libhpt's, nanosleep(),\n"
		   "clock_nanosleep(), the rule of the papers, a busy wait. Reports the miss (the time\n"
		   "around the call minus the length), how long after its deadline a sleep ended, and\n"
		   "the CPU time.\n\n"
		   "With --load it sleeps to deadlines 1 ms and 10 ms apart, beside N busy threads on\n"
		   "all CPUs, by hpt_sleep_until(), clock_nanosleep() and spin_sleep's rule. Reports\n"
		   "how late they ended, and the CPU time of a sleep. The scheduler chooses the CPU if\n"
		   "--cpu is not given; --load=0 is for comparison.\n\n"
		   "DURATION: 1.5s, 20ms, 300us; from 1us to 1h.\n\n"
		   "The exit status is 3 if a sleep of libhpt ended early, or the counter jumped or\n"
		   "stopped."
		   INTERRUPTED,
	.opts = sleep_opts,
	.run = run_sleep,
};

static const struct hpt_opt wake_opts[] = {
	FORM_OPTS,
	HPT_OPT_SOURCE,
	{ "rounds", HPT_BENCH_ROUNDS, "number of rounds; 200 if not given", "N", HPT_KIND_NUMBER },
	{ "long", HPT_BENCH_LONG, "1000 rounds, and each ticker for 20s", NULL, HPT_KIND_NONE },
	SHORT_OPT,
	{ "period", HPT_BENCH_PERIOD, "of the tickers, 10us to 1s; 1ms if not given", "DURATION", HPT_KIND_DURATION },
	{ "ticker", HPT_BENCH_TICKER, "time to measure each ticker; 4s if not given, 0: none", "DURATION",
	  HPT_KIND_DURATION },
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ 0 },
};

static const struct hpt_cmd wake_cmd = {
	.name = "bench wake",
	.args = "",
	.help = "how soon an interrupt ends a sleep, and how well a period is kept",
	.details = "Interrupts sleepers on another CPU, while they spin and while they wait in the\n"
		   "kernel, and compares this with a bare flag, an eventfd and a bare futex; also from\n"
		   "a CPU that idled before. Then keeps a period by a ticker of libhpt's and by\n"
		   "clock_nanosleep(), and reports how late each tick came.\n\n"
		   "DURATION: 1.5s, 20ms, 300us." INTERRUPTED,
	.opts = wake_opts,
	.run = run_wake,
};

/* ---- bench itself ------------------------------------------------------------------------------------------------ */

/* Options that go only with --compare, or only with --report. */
#define OF_COMPARE (HPT_REQUEST_BIT(HPT_BENCH_JSON) | HPT_REQUEST_BIT(HPT_BENCH_THRESHOLD))
#define OF_REPORT  (HPT_REQUEST_BIT(HPT_BENCH_LONG) | HPT_REQUEST_BIT(HPT_BENCH_SHORT) | \
		    HPT_REQUEST_BIT(HPT_BENCH_CPU) | HPT_REQUEST_BIT(HPT_BENCH_SEED) | \
		    HPT_REQUEST_BIT(HPT_BENCH_HOST_NAME) | HPT_REQUEST_BIT(HPT_BENCH_SOURCE))

static bool is_sub(const struct hpt_cmd *cmd, const char *name)
{
	for (size_t i = 0; cmd->subs[i]; i++)
		if (!strcmp(strrchr(cmd->subs[i]->name, ' ') + 1, name))
			return true;
	return false;
}

static int run_compare(const struct hpt_request *r, int argc, char *argv[])
{
	const char *const *files = (const char *const *)&argv[optind];

	if (r->given & OF_REPORT)
		return hpt_args_usage(r->cmd, "--long, --short, --cpu, --seed, --source and --host-name do not go "
				      "with --compare");
	if (argc - optind < 2)
		return hpt_args_usage(r->cmd, "--compare takes two files");
	optind += 2;
	if (optind < argc)
		return hpt_args_surplus(r->cmd, argv);
	return hpt_compare(files[0], files[1], (double)r->threshold_ppm / 1e6, r->json);
}

static int run(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	struct hpt_request request;
	int r = hpt_request_take(cmd, argc, argv, 0, &request);

	if (r != HPT_ARGS_END)
		return hpt_args_exit(r);
	if (!request.report && !request.is_compare && optind < argc && is_sub(cmd, argv[optind]))
		return hpt_args_usage(cmd, "read, sleep and wake come before all options");
	if (!request.report != request.is_compare)
		return hpt_args_usage(cmd, request.report ? "--report and --compare exclude each other" :
						   "read, sleep, wake, --report or --compare is missing");
	if (request.is_compare)
		return run_compare(&request, argc, argv);
	if (request.given & OF_COMPARE)
		return hpt_args_usage(cmd, "--json and --threshold do not go with --report");
	if (optind < argc)
		return hpt_args_surplus(cmd, argv);
	if (!hpt_take_default(cmd, request.source))
		return EXIT_FAILURE;
	request.source = HPT_SOURCE_AUTO; /* bench read measures all of them */
	return hpt_run_report(&request);
}

static const struct hpt_cmd *const subs[] = { &read_cmd, &sleep_cmd, &wake_cmd, NULL };

static const struct hpt_opt opts[] = {
	{ "report", HPT_BENCH_REPORT, "all three: DIR/index.html, a page with all results, and DIR/bench.json", "DIR",
	  HPT_KIND_FOLDER },
	{ "source", HPT_BENCH_SOURCE, "of --report: sleep and wake by a clock on this source", "NAME",
	  HPT_KIND_SOURCE },
	{ "long", HPT_BENCH_LONG, "of --report: each as with its own --long", NULL, HPT_KIND_NONE },
	{ "short", HPT_BENCH_SHORT, "of --report: each as with its own --short", NULL, HPT_KIND_NONE },
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ "compare", HPT_BENCH_COMPARE, "compare B with A, two files of --json or --report", NULL, HPT_KIND_NONE },
	{ "threshold", HPT_BENCH_THRESHOLD, "of --compare: exit status 3 if slower by more than this; 5 if not given",
	  "PERCENT", HPT_KIND_NUMBER },
	{ "json", HPT_BENCH_JSON, "of --compare: one JSON object instead of a table", NULL, HPT_KIND_NONE },
	{ 0 },
};

const struct hpt_cmd hpt_cmd_bench = {
	.name = "bench",
	.args = "--report=DIR [OPTION...] | --compare [OPTION...] A B",
	.operands = HPT_KIND_FILE,
	.help = "cost of reads, sleeps and wakes here, and of the alternatives",
	.details = "Measures libhpt on this machine, and compares it with the alternatives. A report\n"
		   "takes a minute.\n\n"
		   "--compare compares the results of B with those of A: the ratio, and its bounds by\n"
		   "the uncertainty of the two runs. The exit status is 3 if a result is slower by\n"
		   "more than the threshold even at the favourable bound, and 1 if the files cannot be\n"
		   "read or compared.",
	.opts = opts,
	.run = run,
	.subs = subs,
};
