// SPDX-License-Identifier: MIT
/* The bench of sleeps as one table, with its series of samples and its verdict: tools/bench/engine_sleep.h. */
#include "bench/engine_sleep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/candidates_sleep.h"
#include "bench/engine.h"
#include "bench/one_sleep.h"
#include "bench/plot_sweep.h"
#include "bench/request.h"
#include "bench/sweep.h"
#include "bench/sweep_data.h"
#include "bench/sweep_report.h"
#include "bench/sweep_state.h"
#include "bench/sweep_summary.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/stopwatch.h"
#include "cli/util.h"

static struct sweep_plan plan_of(const struct request *r)
{
	uint32_t by_default = r->is_table ? SWEEP_TABLE_ROUNDS : SWEEP_ROUNDS;
	struct sweep_plan plan = {
		.longest_ns = r->is_table ? SWEEP_TABLE_LONGEST_NS : SWEEP_LONGEST_NS,
		.shortest_ns = r->shortest_ns ? r->shortest_ns : SWEEP_SHORTEST_NS,
		.step = r->is_table ? SWEEP_TABLE_STEP : SWEEP_STEP,
		.rounds = engine_rounds(r, by_default, SWEEP_ROUNDS_LONG),
		.seed = r->seed, .is_table = r->is_table, .only = r->only_ways, .trace = r->trace_ways,
	};

	if (r->longest_ns)
		plan.longest_ns = r->longest_ns;
	if (r->step)
		plan.step = r->step;
	return plan;
}

/* A way that is drawn has to be measured. */
static bool has_traces(const struct request *r, const struct sweep *s)
{
	for (unsigned i = 0; i < r->trace_ways.n; i++)
		if (!sweep_has(s, r->trace_ways.way[i])) {
			err_print("%s: %s is not measured: --only leaves it out", r->cmd->name,
				sweep_name(r->trace_ways.way[i]));
			return false;
		}
	return true;
}

static bool resume(const struct request *r, struct sweep *s)
{
	const struct sweep_machine machine = sweep_state_machine(s);
	struct sweep_refusal refusal;

	s->keeper = sweep_state_open(r->resume, s, &machine, &refusal);
	s->keep = sweep_state_add;
	if (s->keeper)
		return true;
	if (refusal.line)
		err_print("%s: cannot go on from %s: line %lu: %s", r->cmd->name, r->resume, refusal.line, refusal.why);
	else
		err_print("%s: cannot go on from %s: %s", r->cmd->name, r->resume, refusal.why);
	return false;
}

static bool is_kept(const void *data, const struct request *r)
{
	const struct sweep *s = data;
	int err = s->keeper ? sweep_state_error(s->keeper) : 0;

	if (err)
		err_print("%s: %s lacks the last rounds: %s", r->cmd->name, r->resume, strerror(-err));
	return !err;
}

static int prepare(const struct request *r, void *data, bool *ret_is_reported)
{
	struct sweep_plan plan = plan_of(r);
	int err = sweep_prepare(&plan, data);

	if (err || (has_traces(r, data) && (!r->resume || resume(r, data))))
		return err;
	*ret_is_reported = true;
	return -EINVAL;
}

/* Collects the misses of a way's sleeps of a band, or how far after their target they ended. */
static void collect(const struct sweep *s, unsigned way, bool is_long, bool is_deadline, struct series *ret)
{
	uint32_t rounds = sweep_rounds(s, 0);

	ret->ps = ret->own = xcalloc((size_t)rounds * s->n_lengths, sizeof(ret->own[0]));
	for (uint32_t round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < s->n_lengths && round < sweep_rounds(s, i); i++) {
			const struct sleep_times *v = sweep_times(s, way, round, i);
			int64_t from = is_deadline ? v->target : v->before + s->lengths_ticks[i];

			if ((s->lengths_ns[i] >= s->jiffy_ns) == is_long && (!is_deadline || v->target))
				ret->own[ret->n++] = stopwatch_to_ps(s->watch.clk, v->after - from);
		}
	}
}

static bool series(const void *data, unsigned i, struct series *ret)
{
	const struct sweep *s = data;
	bool is_long = i / 2 % 2 == 0, is_deadline = i % 2;

	if (i >= s->n_ways * 4)
		return false;
	*ret = (struct series){ 0 };
	snprintf(ret->name, sizeof(ret->name), "%s %s %s", sleep_candidates[i / 4].name, is_long ? "long" : "short",
		 is_deadline ? "deadline_miss" : "miss");
	if (sweep_has(s, i / 4))
		collect(s, i / 4, is_long, is_deadline, ret);
	return true;
}

static int verdict(const void *data, const struct cmd *cmd)
{
	const struct sweep *s = data;
	size_t early = 0;

	for (unsigned way = 0; way < s->n_ways; way++)
		if (sleep_candidates[way].is_ours)
			early += s->bands[way][BAND_ALL].early;
	if (early)
		err_print("%s: %zu of libhpt's own sleeps ended early: please report this", cmd->name, early);
	if (s->disturbed)
		err_print("%s: the counter and the system's clock diverged during %" PRIu32 " sleeps: see hpt_sleep(7)",
			cmd->name, s->disturbed);
	return early || s->disturbed ? EXIT_DEGRADED : EXIT_SUCCESS;
}

static const struct stopwatch *watch(const void *data)
{
	const struct sweep *s = data;

	return &s->watch;
}

const struct engine engine_sleep = {
	.name = "sleep", .what = "Sleeping", .size = sizeof(struct sweep), .rounds_max = SWEEP_ROUNDS_MAX,
	.prepare = prepare, .measure = sweep_measure, .summarise = sweep_summarise,
	.print = sweep_print, .json = sweep_json, .csv = sweep_csv, .plot = plot_sweep, .samples = sweep_samples,
	.is_kept = is_kept, .series = series, .watch = watch,
	.verdict = verdict,
};
