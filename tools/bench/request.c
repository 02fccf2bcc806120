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
#include "cli/units.h"

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

static bool take_u32(const struct hpt_cmd *cmd, const char *what, uint32_t min, uint32_t max, uint32_t *ret)
{
	int64_t value;

	if (!hpt_take_number(cmd, optarg, what, min, max, &value))
		return false;
	*ret = (uint32_t)value;
	return true;
}

static bool take_cpu(const struct hpt_cmd *cmd, int *ret)
{
	int64_t value;

	if (!hpt_take_number(cmd, optarg, "number of a CPU", 0, HPT_CPUS_MAX - 1, &value))
		return false;
	*ret = (int)value;
	return true;
}

static bool take_file(const struct hpt_cmd *cmd, const char **ret)
{
	*ret = optarg;
	if (*optarg)
		return true;
	hpt_err("%s: the name of a file or folder is empty; see 'hpt help %s'", cmd->name, cmd->name);
	return false;
}

/* Four decimal places of per cent: millionths. */
static bool take_threshold(const struct hpt_cmd *cmd, int64_t *ret_ppm)
{
	if ((!hpt_parse_number(optarg, 4, "", ret_ppm) || !hpt_parse_number(optarg, 4, "%", ret_ppm)) &&
	    *ret_ppm >= 0 && *ret_ppm <= THRESHOLD_MAX_PPM)
		return true;
	hpt_err("%s: '%s' is not a threshold from 0 to %d %%; see 'hpt help %s'", cmd->name, optarg,
		(int)(THRESHOLD_MAX_PPM / PPM_PER_PERCENT), cmd->name);
	return false;
}

static void take_flag(int letter, struct hpt_request *r)
{
	r->json |= letter == HPT_BENCH_JSON;
	r->csv |= letter == HPT_BENCH_CSV;
	r->is_long |= letter == HPT_BENCH_LONG;
	r->is_short |= letter == HPT_BENCH_SHORT;
	r->is_table |= letter == HPT_BENCH_TABLE;
	r->is_compare |= letter == HPT_BENCH_COMPARE;
	r->has_host_name |= letter == HPT_BENCH_HOST_NAME;
}

static bool take_option(int letter, uint32_t rounds_max, struct hpt_request *r)
{
	switch (letter) {
	case HPT_BENCH_PLOT:
		r->is_plot_only = !strcmp(optarg, "-");
		return r->is_plot_only || take_file(r->cmd, &r->plot);
	case HPT_BENCH_HGRM:
		return take_file(r->cmd, &r->hgrm);
	case HPT_BENCH_REPORT:
		return take_file(r->cmd, &r->report);
	case HPT_BENCH_ROUNDS:
		return take_u32(r->cmd, "number of rounds", 1, rounds_max, &r->rounds);
	case HPT_BENCH_CPU:
		return take_cpu(r->cmd, &r->cpu);
	case HPT_BENCH_SEED:
		return take_u32(r->cmd, "seed", 0, UINT32_MAX, &r->seed);
	case HPT_BENCH_SOURCE:
		return hpt_take_source(r->cmd, optarg, &r->source);
	case HPT_BENCH_LONGEST:
		return hpt_take_duration(r->cmd, optarg, LENGTH_MIN_NS, LENGTH_MAX_NS, &r->longest_ns);
	case HPT_BENCH_SHORTEST:
		return hpt_take_duration(r->cmd, optarg, LENGTH_MIN_NS, LENGTH_MAX_NS, &r->shortest_ns);
	case HPT_BENCH_STEP:
		return take_u32(r->cmd, "step", STEP_MIN, STEP_MAX, &r->step);
	case HPT_BENCH_LOAD:
		return take_u32(r->cmd, "number of busy threads", 0, HPT_BUSY_MAX, &r->load);
	case HPT_BENCH_PERIOD:
		return hpt_take_duration(r->cmd, optarg, PERIOD_MIN_NS, PERIOD_MAX_NS, &r->period_ns);
	case HPT_BENCH_TICKER:
		return hpt_take_duration(r->cmd, optarg, 0, TICKER_MAX_NS, &r->ticker_ns);
	case HPT_BENCH_THRESHOLD:
		return take_threshold(r->cmd, &r->threshold_ppm);
	default:
		take_flag(letter, r);
		return true;
	}
}

/* ---- Combinations of options ------------------------------------------------------------------------------------- */

static bool is_sensible(const struct hpt_request *r)
{
	int64_t by_default = r->is_table ? HPT_SWEEP_TABLE_LONGEST_NS : HPT_SWEEP_LONGEST_NS;
	int64_t longest = r->longest_ns ? r->longest_ns : by_default;
	int64_t shortest = r->shortest_ns ? r->shortest_ns : HPT_SWEEP_SHORTEST_NS;

	if (r->json + r->csv + r->is_plot_only > 1) {
		hpt_args_usage(r->cmd, "of --json, --csv and --plot=- only one can be given");
		return false;
	}
	if (r->is_long + r->is_short + !!r->rounds > 1) {
		hpt_args_usage(r->cmd, "of --rounds, --long and --short only one can be given");
		return false;
	}
	if (r->ticker_ns > 0 && r->ticker_ns < (r->period_ns ? r->period_ns : HPT_WAKES_PERIOD_NS)) {
		hpt_err("%s: in %s the ticker has no tick; see 'hpt help %s'", r->cmd->name,
			hpt_format_span(r->ticker_ns).s, r->cmd->name);
		return false;
	}
	if (longest < shortest) {
		hpt_err("%s: the longest sleep, %s, is shorter than the shortest, %s; see 'hpt help %s'", r->cmd->name,
			hpt_format_span(longest).s, hpt_format_span(shortest).s, r->cmd->name);
		return false;
	}
	return true;
}

int hpt_request_take(const struct hpt_cmd *cmd, int argc, char *argv[], uint32_t rounds_max, struct hpt_request *ret)
{
	int c;

	*ret = (struct hpt_request){
		.cmd = cmd, .cpu = -1, .ticker_ns = -1, .threshold_ppm = HPT_REQUEST_THRESHOLD_PPM,
		.seed = (uint32_t)hpt_os_ns(CLOCK_REALTIME),
	};
	while ((c = hpt_args_next(cmd, argc, argv)) > 0) {
		if (!take_option(c, rounds_max, ret))
			return HPT_ARGS_WRONG;
		ret->given |= HPT_REQUEST_BIT(c);
	}
	return c != HPT_ARGS_END || is_sensible(ret) ? c : HPT_ARGS_WRONG;
}

bool hpt_request_has_cpu(const struct hpt_request *r)
{
	if (r->cpu < 0 || !hpt_cpus_try(r->cpu))
		return true;
	hpt_err("%s: CPU %d is not there, or not for this process", r->cmd->name, r->cpu);
	return false;
}
