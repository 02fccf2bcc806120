// SPDX-License-Identifier: MIT
/* The bench of cost and lateness as one table, with its series and its verdict: tools/bench/engine_frontier.h. */
#include "bench/engine_frontier.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench/engine.h"
#include "bench/frontier.h"
#include "bench/frontier_report.h"
#include "bench/plot_frontier.h"
#include "bench/request.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/stopwatch.h"

static int prepare(const struct request *r, void *data, bool *ret_is_reported)
{
	const struct paced_plan plan = {
		.threads = 1, .rounds = engine_rounds(r, FRONTIER_ROUNDS, FRONTIER_ROUNDS_LONG), .seed = r->seed,
		.is_bound = r->cpu >= 0,
	};

	(void)ret_is_reported;
	return frontier_prepare(&plan, data);
}

static bool series(const void *data, unsigned i, struct series *ret)
{
	const struct frontier *f = data;

	if (i >= f->n_regimes * FRONTIER_WAYS)
		return false;
	*ret = (struct series){ .ps = f->paced.rows[0][i].late_ps, .n = paced_sleeps(&f->paced, 0) };
	snprintf(ret->name, sizeof(ret->name), "%s %s late", frontier_regimes[i / FRONTIER_WAYS],
		 frontier_ways[i].name);
	return true;
}

static int verdict(const void *data, const struct cmd *cmd)
{
	const struct frontier *f = data;
	uint64_t early = 0;

	for (unsigned i = 0; i < f->n_regimes * FRONTIER_WAYS; i++)
		early += frontier_ways[i].is_ours ? f->paced.rows[0][i].early : 0;
	if (early)
		err_print("%s: %" PRIu64 " of libhpt's own sleeps ended early: please report this", cmd->name, early);
	if (f->paced.disturbed)
		err_print("%s: the counter and the system's clock diverged during %" PRIu64 " sleeps: see hpt_sleep(7)",
			  cmd->name, f->paced.disturbed);
	return early || f->paced.disturbed ? EXIT_DEGRADED : EXIT_SUCCESS;
}

static const struct stopwatch *watch(const void *data)
{
	const struct frontier *f = data;

	return &f->paced.watch;
}

const struct engine engine_frontier = {
	.name = "frontier", .what = "Sleeping by all policies", .size = sizeof(struct frontier),
	.rounds_max = PACED_ROUNDS_MAX, .prepare = prepare, .measure = frontier_measure,
	.summarise = frontier_summarise, .print = frontier_print, .json = frontier_json, .csv = frontier_csv,
	.plot = plot_frontier, .series = series, .watch = watch, .verdict = verdict,
};
