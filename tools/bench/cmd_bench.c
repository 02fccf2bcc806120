// SPDX-License-Identifier: MIT
/* hpt bench: the cost of reads, sleeps and wakes on this machine, compared with the alternatives. */
#include "bench/cmd_bench.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare.h"
#include "bench/engine.h"
#include "bench/engine_frontier.h"
#include "bench/engine_load.h"
#include "bench/engine_read.h"
#include "bench/engine_sleep.h"
#include "bench/engine_wake.h"
#include "bench/paced.h"
#include "bench/reads.h"
#include "bench/report.h"
#include "bench/request.h"
#include "bench/run.h"
#include "bench/sweep.h"
#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/take.h"

/* ---- bench read, sleep, wake ------------------------------------------------------------------------------------- */

/* False: the command ends with *ret_status. */
static bool takes_request(uint32_t rounds_max, const struct cmd *cmd, int argc, char *argv[],
			  struct request *ret, int *ret_status)
{
	int r = request_take(cmd, argc, argv, rounds_max, ret);

	if (r == ARGS_END && optind >= argc)
		return true;
	*ret_status = r == ARGS_END ? args_surplus(cmd, argv) : args_exit(r);
	return false;
}

/* On the default clock, which is one on --source. */
static int run_on(const struct engine *e, const struct request *r)
{
	return take_default(r->cmd, r->source) ? run_bench(e, r) : EXIT_FAILURE;
}

static int run_read(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request;
	int status;

	if (!takes_request(engine_read.rounds_max, cmd, argc, argv, &request, &status))
		return status;
	if (!request_take_ways(&request, reads_name))
		return EXIT_USAGE;
	return run_bench(&engine_read, &request);
}

/* Sleeps of some threads beside a load. */
#define OF_LOAD (REQUEST_BIT(BENCH_LOAD) | REQUEST_BIT(BENCH_THREADS) | REQUEST_BIT(BENCH_QUOTA))

/* Options of the sweep that these do not have. */
#define OF_SWEEP (REQUEST_BIT(BENCH_LONGEST) | REQUEST_BIT(BENCH_SHORTEST) | \
		  REQUEST_BIT(BENCH_STEP) | REQUEST_BIT(BENCH_TABLE))

/* Options that name ways of the sweep, or write its sleeps. */
#define OF_WAYS (REQUEST_BIT(BENCH_ONLY) | REQUEST_BIT(BENCH_TRACE) | REQUEST_BIT(BENCH_SAMPLES) | \
		 REQUEST_BIT(BENCH_RESUME))

/* The message below has it. */
_Static_assert(PACED_ROUNDS_MAX == 10000, "the limit of --rounds beside a load");

/* Options of the sweep with one of the other measurements of bench sleep. */
static int refuse_mixed(const struct cmd *cmd, const struct request *r)
{
	if (r->given & OF_WAYS)
		return args_usage(cmd, "--only, --trace, --samples and --resume do not go with --load, "
				       "--threads, --quota and --frontier");
	if (r->rounds > PACED_ROUNDS_MAX)
		return args_usage(cmd, "with --load, --threads, --quota and --frontier --rounds is 10000 at most");
	return EXIT_SUCCESS;
}

static int run_paced(const struct cmd *cmd, const struct request *r)
{
	if (r->given & (OF_SWEEP | REQUEST_BIT(BENCH_PLOT)))
		return args_usage(cmd, "--longest, --shortest, --step, --table and --plot do not go with --load, "
				       "--threads and --quota");
	if (r->load && r->quota_percent)
		return args_usage(cmd, "busy threads would use the quota up: --load and --quota do not go together");
	if (r->rounds * r->threads > PACED_ROUNDS_MAX)
		return args_usage(cmd, "--rounds times --threads is more than 10000");
	return run_on(&engine_load, r);
}

static int run_sleep(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request;
	int status;

	if (!takes_request(SWEEP_ROUNDS_MAX, cmd, argc, argv, &request, &status))
		return status;
	if (request.is_frontier || request.given & OF_LOAD)
		status = refuse_mixed(cmd, &request);
	else
		status = request_take_ways(&request, sweep_name) ? EXIT_SUCCESS : EXIT_USAGE;
	if (status)
		return status;
	if (request.is_frontier && request.given & (OF_SWEEP | OF_LOAD))
		return args_usage(cmd, "--longest, --shortest, --step, --table, --load, --threads and --quota do not "
				       "go with --frontier");
	if (request.is_frontier)
		return run_on(&engine_frontier, &request);
	if (request.given & OF_LOAD)
		return run_paced(cmd, &request);
	return run_on(&engine_sleep, &request);
}

static int run_wake(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request;
	int status;

	if (!takes_request(engine_wake.rounds_max, cmd, argc, argv, &request, &status))
		return status;
	return run_on(&engine_wake, &request);
}

#define JSON_OPT { "json", BENCH_JSON, "one JSON object instead of tables", NULL, KIND_NONE }
#define SHORT_OPT { "short", BENCH_SHORT, "a tenth of the usual rounds", NULL, KIND_NONE }
#define CPU_OPT  { "cpu", BENCH_CPU, "measure on this CPU; if not given, on the one where it starts", "N", \
		   KIND_CPU }
#define HOST_OPT { "host-name", BENCH_HOST_NAME, "JSON and page have this machine's name", NULL, KIND_NONE }
#define SEED_OPT { "seed", BENCH_SEED, "of the random order, to repeat it", "N", KIND_NUMBER }

#define FORM_OPTS JSON_OPT, \
	{ "csv", BENCH_CSV, "comma-separated values instead of tables", NULL, KIND_NONE }, \
	{ "plot", BENCH_PLOT, "write the plot to this file, as SVG; -: to standard output instead of tables", \
	  "FILE", KIND_FILE }, \
	{ "hgrm", BENCH_HGRM, "write percentiles there, one file for each distribution", "DIR", KIND_FOLDER }

#define WAYS_OPTS \
	{ "only", BENCH_ONLY, "measure these alone, by the names in the tables", "NAME[,NAME...]", KIND_NONE }, \
	{ "trace", BENCH_TRACE, "the plot has each sample of these, over its number", "NAME[,NAME...]", KIND_NONE }, \
	{ "samples", BENCH_SAMPLES, "write single samples to this file, as CSV", "FILE", KIND_FILE }

#define INTERRUPTED \
	"\n\nCtrl-C ends it, and the results are those of the rounds measured until then.\n" \
	"Files are put in place whole, or stay as they were."

static const struct opt read_opts[] = {
	FORM_OPTS,
	{ "source", BENCH_SOURCE, "of the sources only this: tsc, hpet, os, arch, mmio", "NAME", KIND_SOURCE },
	{ "rounds", BENCH_ROUNDS, "number of rounds; 2000 if not given", "N", KIND_NUMBER },
	{ "reads", BENCH_READS, "single reads of each call, up to 10^8; 200000 at most if not given", "N",
	  KIND_NUMBER },
	{ "long", BENCH_LONG, "10000 rounds", NULL, KIND_NONE },
	SHORT_OPT,
	WAYS_OPTS,
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ 0 },
};

static const struct cmd read_cmd = {
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

static const struct opt sleep_opts[] = {
	FORM_OPTS,
	OPT_SOURCE,
	{ "longest", BENCH_LONGEST, "the longest sleep; 250ms if not given, with --table 10s", "DURATION",
	  KIND_DURATION },
	{ "shortest", BENCH_SHORTEST, "no sleep is shorter; 1us if not given", "DURATION", KIND_DURATION },
	{ "step", BENCH_STEP, "each length is the one before divided by this: 2, with --table 10", "N",
	  KIND_NUMBER },
	{ "rounds", BENCH_ROUNDS, "sleeps of each length; 7 if not given, with --table 3, --load and --frontier 10",
	  "N", KIND_NUMBER },
	{ "long", BENCH_LONG, "20 rounds, with --load and --frontier 40", NULL, KIND_NONE },
	SHORT_OPT,
	WAYS_OPTS,
	{ "resume", BENCH_RESUME,
	  "go on from this file, if it is there, and add each round to it: a run may be interrupted", "FILE",
	  KIND_FILE },
	{ "table", BENCH_TABLE, "report each length, with entry and exit, user and system time", NULL,
	  KIND_NONE },
	{ "load", BENCH_LOAD, "sleeps 1.003 and 10.03 ms apart beside N busy threads instead", "N", KIND_NUMBER },
	{ "threads", BENCH_THREADS, "such sleeps of N threads at the same time", "N", KIND_NUMBER },
	{ "quota", BENCH_QUOTA, "such sleeps in a control group that may use P per cent of a CPU", "P", KIND_NUMBER },
	{ "frontier", BENCH_FRONTIER, "the cost and the late sleeps of each policy and other ways instead", NULL,
	  KIND_NONE },
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ 0 },
};

static const struct cmd sleep_cmd = {
	.name = "bench sleep",
	.args = "",
	.help = "how late sleeps end and their CPU time, compared with other ways to sleep",
	.details = "Sleeps from 250 ms down to 1 us in all available ways: libhpt's, nanosleep(),\n"
		   "clock_nanosleep(), the rule of the papers, a busy wait. Reports the miss (the time\n"
		   "around the call minus the length), how long after its deadline a sleep ended, and\n"
		   "the CPU time.\n\n"
		   "With --load it sleeps to deadlines 1.003 and 10.03 ms apart, beside N busy threads\n"
		   "on all CPUs, by hpt_sleep_until_ticks(), clock_nanosleep() and spin_sleep's rule.\n"
		   "Reports how late they ended, the share that was more than 0.2 ms late, and the CPU\n"
		   "time of a sleep. The scheduler chooses the CPU if --cpu is not given; --load=0 is for\n"
		   "comparison. With --threads each of N threads sleeps so, in the same way at a time. With\n"
		   "--quota they do so in a control group of their own, which needs the rights to make one.\n\n"
		   "With --frontier it sleeps to deadlines 1.003 ms apart by each policy of libhpt,\n"
		   "clock_nanosleep(), spin_sleep's rule and the rule of the papers, on idle CPUs and,\n"
		   "where /dev/cpu_dma_latency may be opened, on CPUs held awake. Reports the CPU time of\n"
		   "a sleep and the share that was more than 1 us late.\n\n"
		   "DURATION: 1.5s, 20ms, 300us; from 1us to 1h.\n\n"
		   "The exit status is 3 if a sleep of libhpt ended early, or the counter jumped or\n"
		   "stopped."
		   INTERRUPTED,
	.opts = sleep_opts,
	.run = run_sleep,
};

static const struct opt wake_opts[] = {
	FORM_OPTS,
	OPT_SOURCE,
	{ "rounds", BENCH_ROUNDS, "number of rounds; 200 if not given", "N", KIND_NUMBER },
	{ "long", BENCH_LONG, "1000 rounds, and each ticker for 20s", NULL, KIND_NONE },
	SHORT_OPT,
	{ "period", BENCH_PERIOD, "of the tickers, 10us to 1s; 1ms if not given", "DURATION", KIND_DURATION },
	{ "ticker", BENCH_TICKER, "time to measure each ticker; 4s if not given, 0: none", "DURATION",
	  KIND_DURATION },
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ 0 },
};

static const struct cmd wake_cmd = {
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
#define OF_COMPARE (REQUEST_BIT(BENCH_JSON) | REQUEST_BIT(BENCH_THRESHOLD))
#define OF_REPORT  (REQUEST_BIT(BENCH_LONG) | REQUEST_BIT(BENCH_SHORT) | \
		    REQUEST_BIT(BENCH_CPU) | REQUEST_BIT(BENCH_SEED) | \
		    REQUEST_BIT(BENCH_HOST_NAME) | REQUEST_BIT(BENCH_SOURCE))

static bool is_sub(const struct cmd *cmd, const char *name)
{
	for (size_t i = 0; cmd->subs[i]; i++)
		if (!strcmp(strrchr(cmd->subs[i]->name, ' ') + 1, name))
			return true;
	return false;
}

static int run_compare(const struct request *r, int argc, char *argv[])
{
	const char *const *files = (const char *const *)&argv[optind];

	if (r->given & OF_REPORT)
		return args_usage(r->cmd, "--long, --short, --cpu, --seed, --source and --host-name do not go "
				      "with --compare");
	if (argc - optind < 2)
		return args_usage(r->cmd, "--compare takes two files");
	optind += 2;
	if (optind < argc)
		return args_surplus(r->cmd, argv);
	return compare_files(files[0], files[1], (double)r->threshold_ppm / 1e6, r->json);
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request;
	int r = request_take(cmd, argc, argv, 0, &request);

	if (r != ARGS_END)
		return args_exit(r);
	if (!request.report && !request.is_compare && optind < argc && is_sub(cmd, argv[optind]))
		return args_usage(cmd, "read, sleep and wake come before all options");
	if (!request.report != request.is_compare)
		return args_usage(cmd, request.report ? "--report and --compare exclude each other" :
						   "read, sleep, wake, --report or --compare is missing");
	if (request.is_compare)
		return run_compare(&request, argc, argv);
	if (request.given & OF_COMPARE)
		return args_usage(cmd, "--json and --threshold do not go with --report");
	if (optind < argc)
		return args_surplus(cmd, argv);
	if (!take_default(cmd, request.source))
		return EXIT_FAILURE;
	request.source = HPT_SOURCE_AUTO; /* bench read measures all of them */
	return run_report(&request);
}

static const struct cmd *const subs[] = { &read_cmd, &sleep_cmd, &wake_cmd, NULL };

static const struct opt opts[] = {
	{ "report", BENCH_REPORT, "all three: DIR/index.html, a page with all results, and DIR/bench.json", "DIR",
	  KIND_FOLDER },
	{ "source", BENCH_SOURCE, "of --report: sleep and wake by a clock on this source", "NAME",
	  KIND_SOURCE },
	{ "long", BENCH_LONG, "of --report: each as with its own --long", NULL, KIND_NONE },
	{ "short", BENCH_SHORT, "of --report: each as with its own --short", NULL, KIND_NONE },
	CPU_OPT,
	SEED_OPT,
	HOST_OPT,
	{ "compare", BENCH_COMPARE, "compare B with A, two files of --json or --report", NULL, KIND_NONE },
	{ "threshold", BENCH_THRESHOLD, "of --compare: exit status 3 if slower by more than this; 5 if not given",
	  "PERCENT", KIND_NUMBER },
	{ "json", BENCH_JSON, "of --compare: one JSON object instead of a table", NULL, KIND_NONE },
	{ 0 },
};

const struct cmd cmd_bench = {
	.name = "bench",
	.args = "--report=DIR [OPTION...] | --compare [OPTION...] A B",
	.operands = KIND_FILE,
	.help = BENCH_HELP,
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
