// SPDX-License-Identifier: MIT
/* The bench of reads as one table, with its series of samples: tools/bench/engine_read.h. */
#include "bench/engine_read.h"

#include <errno.h>
#include <stdatomic.h>

#include "bench/candidates_read.h"
#include "bench/choice.h"
#include "bench/engine.h"
#include "bench/plot_reads.h"
#include "bench/reads.h"
#include "bench/reads_report.h"
#include "bench/request.h"
#include "cli/err.h"
#include "cli/stopwatch.h"

static void report_missing(const struct cmd *cmd, unsigned way)
{
	uint32_t source = read_candidates[way].source;
	struct hpt_source_info info = { 0 };
	hpt_clock *clk = NULL;
	bool is_refused = source && hpt_clock_open(source, 0, &clk) < 0;

	hpt_clock_close(clk);
	if (is_refused && hpt_source_get_info(source, &info, sizeof(info)) == 0)
		err_print("%s: %s is not measured: %s cannot be used: %s", cmd->name, reads_name(way),
			hpt_source_name(source), hpt_reason_text(info.reason));
	else
		err_print("%s: %s is not measured: other options leave it out, or the processor lacks it", cmd->name,
			reads_name(way));
}

/* Calls that were asked for by name, and cannot be made here; false: reported on stderr. */
static bool has_all(const struct cmd *cmd, const struct choice *c, const struct reads *r)
{
	for (unsigned i = 0; i < c->n; i++)
		if (!reads_find(r, reads_name(c->way[i]))) {
			report_missing(cmd, c->way[i]);
			return false;
		}
	return true;
}

static struct reads_plan plan_of(const struct request *r)
{
	return (struct reads_plan){
		.source = r->source, .reads = r->reads, .seed = r->seed, .only = r->only_ways, .trace = r->trace_ways,
		.rounds = engine_rounds(r, READS_ROUNDS, READS_ROUNDS_LONG),
	};
}

static int64_t bytes(const struct request *r)
{
	struct reads_plan plan = plan_of(r);

	return reads_bytes(&plan);
}

static int prepare(const struct request *r, void *data, bool *ret_is_reported)
{
	struct reads_plan plan = plan_of(r);
	struct hpt_source_info info = { 0 };
	int err = reads_prepare(&plan, data);

	if (err && r->source && !hpt_source_get_info(r->source, &info, sizeof(info))) {
		err_print("%s: %s cannot be used: %s", r->cmd->name, hpt_source_name(r->source),
			hpt_reason_text(info.reason));
		*ret_is_reported = true;
	}
	if (!err && !(has_all(r->cmd, &plan.only, data) && has_all(r->cmd, &plan.trace, data))) {
		*ret_is_reported = true;
		return -ENODEV;
	}
	return err;
}

static bool series(const void *data, unsigned i, struct series *ret)
{
	static const char *const quantities[] = { "throughput", "isolated", "single" };
	const struct reads *r = data;
	const struct reads_row *row = &r->rows[i / 3];

	if (i >= r->n_rows * 3)
		return false;
	*ret = (struct series){ .n = atomic_load_explicit(&r->rounds_done, memory_order_acquire) };
	snprintf(ret->name, sizeof(ret->name), "%s %s", row->call->name, quantities[i % 3]);
	ret->ps = i % 3 == 0 ? row->throughput_ps : i % 3 == 1 ? row->isolated_ps : row->single_ps;
	if (i % 3 == 2)
		ret->n *= row->singles;
	return true;
}

static const struct stopwatch *watch(const void *data)
{
	const struct reads *s = data;

	return &s->watch;
}

const struct engine engine_read = {
	.name = "read", .what = "Reading clocks", .size = sizeof(struct reads), .rounds_max = READS_ROUNDS_MAX,
	.bytes = bytes, .prepare = prepare, .measure = reads_measure, .summarise = reads_summarise,
	.print = reads_print, .json = reads_json, .csv = reads_csv, .plot = plot_reads, .samples = reads_samples,
	.series = series, .watch = watch,
};
