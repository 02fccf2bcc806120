/* SPDX-License-Identifier: MIT */
/* The request to hpt bench on the command line. */
#ifndef HPT_BENCH_REQUEST_H
#define HPT_BENCH_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/cmd.h"

/* Letters of the options of all commands of bench. */
enum {
	HPT_BENCH_JSON = 'j', HPT_BENCH_SOURCE = 's',
	HPT_BENCH_CSV = 256, HPT_BENCH_PLOT, HPT_BENCH_HGRM, HPT_BENCH_ROUNDS, HPT_BENCH_LONG, HPT_BENCH_SHORT,
	HPT_BENCH_CPU, HPT_BENCH_SEED,
	HPT_BENCH_LONGEST, HPT_BENCH_SHORTEST, HPT_BENCH_STEP, HPT_BENCH_TABLE, HPT_BENCH_LOAD,
	HPT_BENCH_PERIOD, HPT_BENCH_TICKER, HPT_BENCH_REPORT, HPT_BENCH_COMPARE, HPT_BENCH_THRESHOLD,
	HPT_BENCH_HOST_NAME,
};

/* Numbers are 0 if not given, unless stated otherwise. */
struct hpt_request {
	const struct hpt_cmd *cmd;
	uint64_t given;                 /* HPT_REQUEST_BIT() of each option */
	bool json, csv, is_long, is_short, is_table, is_compare, has_host_name;
	const char *plot, *hgrm;        /* NULL: not requested */
	bool is_plot_only;              /* --plot=-: the plot on stdout instead of tables */
	int cpu;                        /* -1: any */
	uint32_t seed;                  /* from the time of day if not given */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t rounds, step, load;
	int64_t longest_ns, shortest_ns, period_ns;
	int64_t ticker_ns;              /* -1: not given */
	const char *report;
	int64_t threshold_ppm;
};

#define HPT_REQUEST_BIT(letter) (UINT64_C(1) << ((letter) == HPT_BENCH_JSON ? 0 : (letter) == HPT_BENCH_SOURCE ? 1 : \
						 (letter) - HPT_BENCH_CSV + 2))

/* The default of --threshold. */
#define HPT_REQUEST_THRESHOLD_PPM 50000

/*
 * Takes all options. Returns HPT_ARGS_END if each is valid and they go together; operands begin at optind. @rounds_max:
 * limit of --rounds.
 */
int hpt_request_take(const struct hpt_cmd *cmd, int argc, char *argv[], uint32_t rounds_max, struct hpt_request *ret);

/* May this process run on the requested CPU? False: reported on stderr. */
bool hpt_request_has_cpu(const struct hpt_request *r);

#endif
