// SPDX-License-Identifier: MIT
/* The bench of sleeps as one table, with its series of samples and its verdict: tools/bench/engine_sleep.h. */
#include "bench/engine_sleep.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench/candidates_sleep.h"
#include "bench/engine.h"
#include "bench/one_sleep.h"
#include "bench/plot_sweep.h"
#include "bench/request.h"
#include "bench/sweep.h"
#include "bench/sweep_data.h"
#include "bench/sweep_report.h"
#include "bench/sweep_summary.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/stopwatch.h"
#include "cli/util.h"

static int prepare(const struct hpt_request *r, void *data, bool *ret_is_reported)
{
	uint32_t by_default = r->is_table ? HPT_SWEEP_TABLE_ROUNDS : HPT_SWEEP_ROUNDS;
	struct hpt_sweep_plan plan = {
		.longest_ns = r->is_table ? HPT_SWEEP_TABLE_LONGEST_NS : HPT_SWEEP_LONGEST_NS,
		.shortest_ns = r->shortest_ns ? r->shortest_ns : HPT_SWEEP_SHORTEST_NS,
		.step = r->is_table ? HPT_SWEEP_TABLE_STEP : HPT_SWEEP_STEP,
		.rounds = hpt_engine_rounds(r, by_default, HPT_SWEEP_ROUNDS_LONG),
		.seed = r->seed, .is_table = r->is_table,
	};

	(void)ret_is_reported;
	if (r->longest_ns)
		plan.longest_ns = r->longest_ns;
	if (r->step)
		plan.step = r->step;
	return hpt_sweep_prepare(&plan, data);
}

/* Collects the misses of a way's sleeps of a band, or how far after their target they ended. */
static void collect(const struct hpt_sweep *s, unsigned way, bool is_long, bool is_deadline, struct hpt_series *ret)
{
	uint32_t rounds = hpt_sweep_rounds(s, 0);

	ret->ps = ret->own = hpt_calloc((size_t)rounds * s->n_lengths, sizeof(ret->own[0]));
	for (uint32_t round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < s->n_lengths && round < hpt_sweep_rounds(s, i); i++) {
			const struct hpt_sleep_times *v = hpt_sweep_times(s, way, round, i);
			int64_t from = is_deadline ? v->target : v->before + s->lengths_ticks[i];

			if ((s->lengths_ns[i] >= s->jiffy_ns) == is_long && (!is_deadline || v->target))
				ret->own[ret->n++] = hpt_stopwatch_ps(s->watch.clk, v->after - from);
		}
	}
}

static bool series(const void *data, unsigned i, struct hpt_series *ret)
{
	const struct hpt_sweep *s = data;
	bool is_long = i / 2 % 2 == 0, is_deadline = i % 2;

	if (i >= s->n_ways * 4)
		return false;
	*ret = (struct hpt_series){ 0 };
	snprintf(ret->name, sizeof(ret->name), "%s %s %s", hpt_sleep_candidates[i / 4].name, is_long ? "long" : "short",
		 is_deadline ? "deadline_miss" : "miss");
	collect(s, i / 4, is_long, is_deadline, ret);
	return true;
}

static int verdict(const void *data, const struct hpt_cmd *cmd)
{
	const struct hpt_sweep *s = data;
	size_t early = 0;

	for (unsigned way = 0; way < s->n_ways; way++)
		if (hpt_sleep_candidates[way].is_ours)
			early += s->bands[way][HPT_BAND_ALL].early;
	if (early)
		hpt_err("%s: %zu of libhpt's own sleeps ended early: please report this", cmd->name, early);
	if (s->disturbed)
		hpt_err("%s: the counter and the system's clock diverged during %" PRIu32 " sleeps: see hpt_sleep(7)",
			cmd->name, s->disturbed);
	return early || s->disturbed ? HPT_EXIT_DEGRADED : EXIT_SUCCESS;
}

static const struct hpt_stopwatch *watch(const void *data)
{
	const struct hpt_sweep *s = data;

	return &s->watch;
}

const struct hpt_engine hpt_engine_sleep = {
	.name = "sleep", .what = "Sleeping", .size = sizeof(struct hpt_sweep), .rounds_max = HPT_SWEEP_ROUNDS_MAX,
	.prepare = prepare, .measure = hpt_sweep_measure, .summarise = hpt_sweep_summarise, .print = hpt_sweep_print,
	.json = hpt_sweep_json, .csv = hpt_sweep_csv, .plot = hpt_plot_sweep, .series = series, .watch = watch,
	.verdict = verdict,
};
