// SPDX-License-Identifier: MIT
/*
 * Parses the request to hpt bench: tools/bench/request.h. Functions that return false have reported the error on
 * stderr.
 */
#include "bench/request.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "bench/busy.h"
#include "bench/choice.h"
#include "bench/paced.h"
#include "bench/quota_group.h"
#include "bench/reads.h"
#include "bench/sweep.h"
#include "bench/wakes_run.h"
#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/cpus.h"
#include "cli/err.h"
#include "cli/format.h"
#include "cli/parse.h"
#include "cli/stopwatch.h"
#include "cli/take.h"
#include "math/units.h"

/* The limits of the plans of sweep.h and wakes_run.h. */
#define LENGTH_MIN_NS NS_PER_US
#define LENGTH_MAX_NS NS_PER_H
#define STEP_MIN      2
#define STEP_MAX      1000
#define PERIOD_MIN_NS (10 * NS_PER_US)
#define PERIOD_MAX_NS NS_PER_S
#define TICKER_MAX_NS NS_PER_H

/* A result ten times as slow needs no threshold. */
#define THRESHOLD_MAX_PPM 10000000

/* ---- One option ------------------------------------------------------------------------------------------------ */

static bool take_u32(const struct cmd *cmd, const char *what, uint32_t min, uint32_t max, uint32_t *ret)
{
	int64_t value;

	if (!take_integer(cmd, optarg, what, min, max, &value))
		return false;
	*ret = (uint32_t)value;
	return true;
}

static bool take_cpu(const struct cmd *cmd, int *ret)
{
	int64_t value;

	if (!take_integer(cmd, optarg, "number of a CPU", 0, CPUS_COUNT_MAX - 1, &value))
		return false;
	*ret = (int)value;
	return true;
}

static bool take_file(const struct cmd *cmd, const char **ret)
{
	bool is_stdout = !strcmp(optarg, "-");

	*ret = optarg;
	if (*optarg && !is_stdout)
		return true;
	err_print("%s: %s; see 'hpt help %s'", cmd->name,
		is_stdout ? "standard output has the results: name a file or folder" :
			    "the name of a file or folder is empty", cmd->name);
	return false;
}

/* Four decimal places of per cent: millionths. */
static bool take_threshold(const struct cmd *cmd, int64_t *ret_ppm)
{
	if ((!parse_number(optarg, 4, "", ret_ppm) || !parse_number(optarg, 4, "%", ret_ppm)) &&
	    *ret_ppm >= 0 && *ret_ppm <= THRESHOLD_MAX_PPM)
		return true;
	err_print("%s: '%s' is not a threshold from 0 to %d %%; see 'hpt help %s'", cmd->name, optarg,
		(int)(THRESHOLD_MAX_PPM / PPM_PER_PERCENT), cmd->name);
	return false;
}

static void take_flag(int letter, struct request *r)
{
	r->json |= letter == BENCH_JSON;
	r->csv |= letter == BENCH_CSV;
	r->is_long |= letter == BENCH_LONG;
	r->is_short |= letter == BENCH_SHORT;
	r->is_table |= letter == BENCH_TABLE;
	r->is_frontier |= letter == BENCH_FRONTIER;
	r->is_compare |= letter == BENCH_COMPARE;
	r->has_host_name |= letter == BENCH_HOST_NAME;
}

static bool take_option(int letter, uint32_t rounds_max, struct request *r)
{
	switch (letter) {
	case BENCH_PLOT:
		r->is_plot_only = !strcmp(optarg, "-");
		return r->is_plot_only || take_file(r->cmd, &r->plot);
	case BENCH_HGRM:
		return take_file(r->cmd, &r->hgrm);
	case BENCH_SAMPLES:
		return take_file(r->cmd, &r->samples);
	case BENCH_RESUME:
		return take_file(r->cmd, &r->resume);
	case BENCH_ONLY:
		r->only = optarg;
		return true;
	case BENCH_TRACE:
		r->trace = optarg;
		return true;
	case BENCH_REPORT:
		return take_file(r->cmd, &r->report);
	case BENCH_ROUNDS:
		return take_u32(r->cmd, "number of rounds", 1, rounds_max, &r->rounds);
	case BENCH_READS:
		return take_u32(r->cmd, "number of reads", 1, READS_SINGLES_MAX, &r->reads);
	case BENCH_CPU:
		return take_cpu(r->cmd, &r->cpu);
	case BENCH_SEED:
		return take_u32(r->cmd, "seed", 0, UINT32_MAX, &r->seed);
	case BENCH_SOURCE:
		return take_source(r->cmd, optarg, &r->source);
	case BENCH_LONGEST:
		return take_duration(r->cmd, optarg, LENGTH_MIN_NS, LENGTH_MAX_NS, &r->longest_ns);
	case BENCH_SHORTEST:
		return take_duration(r->cmd, optarg, LENGTH_MIN_NS, LENGTH_MAX_NS, &r->shortest_ns);
	case BENCH_STEP:
		return take_u32(r->cmd, "step", STEP_MIN, STEP_MAX, &r->step);
	case BENCH_LOAD:
		return take_u32(r->cmd, "number of busy threads", 0, BUSY_MAX, &r->load);
	case BENCH_THREADS:
		return take_u32(r->cmd, "number of threads", 1, PACED_THREADS_MAX, &r->threads);
	case BENCH_QUOTA:
		return take_u32(r->cmd, "per cent of a CPU", QUOTA_PERCENT_MIN, QUOTA_PERCENT_MAX, &r->quota_percent);
	case BENCH_PERIOD:
		return take_duration(r->cmd, optarg, PERIOD_MIN_NS, PERIOD_MAX_NS, &r->period_ns);
	case BENCH_TICKER:
		return take_duration(r->cmd, optarg, 0, TICKER_MAX_NS, &r->ticker_ns);
	case BENCH_THRESHOLD:
		return take_threshold(r->cmd, &r->threshold_ppm);
	default:
		take_flag(letter, r);
		return true;
	}
}

/* ---- Combinations of options ------------------------------------------------------------------------------------- */

static bool is_sensible(const struct request *r)
{
	int64_t by_default = r->is_table ? SWEEP_TABLE_LONGEST_NS : SWEEP_LONGEST_NS;
	int64_t longest = r->longest_ns ? r->longest_ns : by_default;
	int64_t shortest = r->shortest_ns ? r->shortest_ns : SWEEP_SHORTEST_NS;

	if (r->json + r->csv + r->is_plot_only > 1) {
		args_usage(r->cmd, "of --json, --csv and --plot=- only one can be given");
		return false;
	}
	if (r->trace && !r->plot && !r->is_plot_only) {
		args_usage(r->cmd, "--trace is for a plot: --plot is missing");
		return false;
	}
	if (r->is_long + r->is_short + !!r->rounds > 1) {
		args_usage(r->cmd, "of --rounds, --long and --short only one can be given");
		return false;
	}
	if (r->ticker_ns > 0 && r->ticker_ns < (r->period_ns ? r->period_ns : WAKES_PERIOD_NS)) {
		err_print("%s: in %s the ticker has no tick; see 'hpt help %s'", r->cmd->name,
			format_span(r->ticker_ns).s, r->cmd->name);
		return false;
	}
	if (longest < shortest) {
		err_print("%s: the longest sleep, %s, is shorter than the shortest, %s; see 'hpt help %s'",
			r->cmd->name, format_span(longest).s, format_span(shortest).s, r->cmd->name);
		return false;
	}
	return true;
}

int request_take(const struct cmd *cmd, int argc, char *argv[], uint32_t rounds_max, struct request *ret)
{
	int c;

	*ret = (struct request){
		.cmd = cmd, .cpu = -1, .ticker_ns = -1, .threshold_ppm = REQUEST_THRESHOLD_PPM,
		.seed = (uint32_t)stopwatch_os_ns(CLOCK_REALTIME),
	};
	while ((c = args_next(cmd, argc, argv)) > 0) {
		if (!take_option(c, rounds_max, ret))
			return ARGS_WRONG;
		ret->given |= REQUEST_BIT(c);
	}
	return c != ARGS_END || is_sensible(ret) ? c : ARGS_WRONG;
}

bool request_take_ways(struct request *r, choice_name *name)
{
	return (!r->only || choice_take(r->cmd, r->only, name, &r->only_ways)) &&
	       (!r->trace || choice_take(r->cmd, r->trace, name, &r->trace_ways));
}

bool request_has_cpu(const struct request *r)
{
	if (r->cpu < 0 || !cpus_try(r->cpu))
		return true;
	err_print("%s: CPU %d is not there, or not for this process", r->cmd->name, r->cpu);
	return false;
}
