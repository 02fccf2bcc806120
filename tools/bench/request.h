/* SPDX-License-Identifier: MIT */
/* The request to hpt bench on the command line. */
#ifndef HPT_TOOLS_REQUEST_H
#define HPT_TOOLS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/choice.h"
#include "cli/cmd.h"

/* Letters of the options of all commands of bench. */
enum {
	BENCH_JSON = 'j', BENCH_SOURCE = 's',
	BENCH_CSV = 256, BENCH_PLOT, BENCH_HGRM, BENCH_ROUNDS, BENCH_LONG, BENCH_SHORT,
	BENCH_CPU, BENCH_SEED,
	BENCH_LONGEST, BENCH_SHORTEST, BENCH_STEP, BENCH_TABLE, BENCH_LOAD, BENCH_THREADS, BENCH_QUOTA,
	BENCH_FRONTIER,
	BENCH_PERIOD, BENCH_TICKER, BENCH_REPORT, BENCH_COMPARE, BENCH_THRESHOLD,
	BENCH_HOST_NAME, BENCH_ONLY, BENCH_TRACE, BENCH_SAMPLES, BENCH_RESUME, BENCH_READS,
};

/* Numbers are 0 if not given, unless stated otherwise. */
struct request {
	const struct cmd *cmd;
	uint64_t given;                 /* REQUEST_BIT() of each option */
	bool json, csv, is_long, is_short, is_table, is_frontier, is_compare, has_host_name;
	const char *plot, *hgrm, *samples, *resume; /* NULL: not requested */
	const char *only, *trace;       /* names of ways; NULL: not given */
	struct choice only_ways, trace_ways; /* by request_take_ways() */
	bool is_plot_only;              /* --plot=-: the plot on stdout instead of tables */
	int cpu;                        /* -1: any */
	uint32_t seed;                  /* from the time of day if not given */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t rounds, reads, step, load, threads, quota_percent;
	int64_t longest_ns, shortest_ns, period_ns;
	int64_t ticker_ns;              /* -1: not given */
	const char *report;
	int64_t threshold_ppm;
};

#define REQUEST_BIT(letter) (UINT64_C(1) << ((letter) == BENCH_JSON ? 0 : (letter) == BENCH_SOURCE ? 1 : \
						 (letter) - BENCH_CSV + 2))

/* The default of --threshold. */
#define REQUEST_THRESHOLD_PPM 50000

/*
 * Takes all options. Returns ARGS_END if each is valid and they go together; operands begin at optind. @rounds_max:
 * limit of --rounds.
 */
int request_take(const struct cmd *cmd, int argc, char *argv[], uint32_t rounds_max, struct request *ret);

/* Finds the named ways of --only and --trace. False: reported on stderr. */
bool request_take_ways(struct request *r, choice_name *name);

/* May this process run on the requested CPU? False: reported on stderr. */
bool request_has_cpu(const struct request *r);

#endif
