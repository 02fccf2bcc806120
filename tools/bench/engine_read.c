// SPDX-License-Identifier: MIT
/* The bench of reads as one table, with its series of samples: tools/bench/engine_read.h. */
#include "bench/engine_read.h"

#include <stdatomic.h>

#include "bench/engine.h"
#include "bench/plot_reads.h"
#include "bench/reads.h"
#include "bench/reads_report.h"
#include "bench/request.h"
#include "cli/err.h"
#include "cli/stopwatch.h"

static int prepare(const struct hpt_request *r, void *data, bool *ret_is_reported)
{
	struct hpt_reads_plan plan = {
		.source = r->source, .seed = r->seed,
		.rounds = hpt_engine_rounds(r, HPT_READS_ROUNDS, HPT_READS_ROUNDS_LONG),
	};
	struct hpt_source_info info = { 0 };
	int err = hpt_reads_prepare(&plan, data);

	if (err && r->source && !hpt_source_get_info(r->source, &info, sizeof(info))) {
		hpt_err("%s: %s cannot be used: %s", r->cmd->name, hpt_source_name(r->source),
			hpt_reason_text(info.reason));
		*ret_is_reported = true;
	}
	return err;
}

static bool series(const void *data, unsigned i, struct hpt_series *ret)
{
	static const char *const quantities[] = { "throughput", "isolated", "single" };
	const struct hpt_reads *r = data;
	const struct hpt_reads_row *row = &r->rows[i / 3];

	if (i >= r->n_rows * 3)
		return false;
	*ret = (struct hpt_series){ .n = atomic_load_explicit(&r->rounds_done, memory_order_acquire) };
	snprintf(ret->name, sizeof(ret->name), "%s %s", row->call->name, quantities[i % 3]);
	ret->ps = i % 3 == 0 ? row->throughput_ps : i % 3 == 1 ? row->isolated_ps : row->single_ps;
	if (i % 3 == 2)
		ret->n *= row->singles;
	return true;
}

static const struct hpt_stopwatch *watch(const void *data)
{
	const struct hpt_reads *s = data;

	return &s->watch;
}

const struct hpt_engine hpt_engine_read = {
	.name = "read", .what = "Reading clocks", .size = sizeof(struct hpt_reads), .rounds_max = HPT_READS_ROUNDS_MAX,
	.prepare = prepare, .measure = hpt_reads_measure, .summarise = hpt_reads_summarise, .print = hpt_reads_print,
	.json = hpt_reads_json, .csv = hpt_reads_csv, .plot = hpt_plot_reads, .series = series, .watch = watch,
};
