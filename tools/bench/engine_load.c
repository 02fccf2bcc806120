// SPDX-License-Identifier: MIT
/* The bench of sleeps beside a load as one table, with its series and its verdict: tools/bench/engine_load.h. */
#include "bench/engine_load.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench/engine.h"
#include "bench/paced.h"
#include "bench/paced_report.h"
#include "bench/request.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/stopwatch.h"

static int prepare(const struct hpt_request *r, void *data, bool *ret_is_reported)
{
	const struct hpt_paced_plan plan = {
		.load = r->load, .rounds = hpt_engine_rounds(r, HPT_PACED_ROUNDS, HPT_PACED_ROUNDS_LONG),
		.seed = r->seed, .is_bound = r->cpu >= 0,
	};

	(void)ret_is_reported;
	return hpt_paced_prepare(&plan, data);
}

static bool series(const void *data, unsigned i, struct hpt_series *ret)
{
	const struct hpt_paced *s = data;
	unsigned rate = i / HPT_PACED_WAYS, way = i % HPT_PACED_WAYS;

	if (rate >= HPT_PACED_RATES)
		return false;
	*ret = (struct hpt_series){ .ps = s->rows[rate][way].late_ps, .n = hpt_paced_sleeps(s, rate) };
	snprintf(ret->name, sizeof(ret->name), "%s %s late", hpt_paced_rates[rate].name, hpt_paced_ways[way].name);
	return true;
}

static int verdict(const void *data, const struct hpt_cmd *cmd)
{
	const struct hpt_paced *s = data;
	uint64_t early = 0;

	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		early += s->rows[rate][HPT_PACED_UNTIL].early;
	if (early)
		hpt_err("%s: %" PRIu64 " of libhpt's own sleeps ended early: please report this", cmd->name, early);
	if (s->disturbed)
		hpt_err("%s: the counter and the system's clock diverged during %" PRIu64 " sleeps: see hpt_sleep(7)",
			cmd->name, s->disturbed);
	return early || s->disturbed ? HPT_EXIT_DEGRADED : EXIT_SUCCESS;
}

static const struct hpt_stopwatch *watch(const void *data)
{
	const struct hpt_paced *s = data;

	return &s->watch;
}

/* Without plot(): the command refuses --plot. */
const struct hpt_engine hpt_engine_load = {
	.name = "load", .what = "Sleeping beside a load", .size = sizeof(struct hpt_paced),
	.rounds_max = HPT_PACED_ROUNDS_MAX, .prepare = prepare, .measure = hpt_paced_measure,
	.summarise = hpt_paced_summarise, .print = hpt_paced_print, .json = hpt_paced_json, .csv = hpt_paced_csv,
	.series = series, .watch = watch, .verdict = verdict,
};
