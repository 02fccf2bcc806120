// SPDX-License-Identifier: MIT
/* The bench of sleeps beside a load or with a quota, with its series and its verdict: tools/bench/engine_load.h. */
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

static int prepare(const struct request *r, void *data, bool *ret_is_reported)
{
	const struct paced_plan plan = {
		.set = &paced_set, .load = r->load, .threads = r->threads ? r->threads : 1,
		.rounds = engine_rounds(r, PACED_ROUNDS, PACED_ROUNDS_LONG), .seed = r->seed,
		.quota_percent = r->quota_percent, .is_bound = r->cpu >= 0,
	};

	(void)ret_is_reported;
	return paced_prepare(&plan, data);
}

static bool summarise(void *data)
{
	paced_leave_quota(data);
	return paced_summarise(data);
}

static bool series(const void *data, unsigned i, struct series *ret)
{
	const struct paced *s = data;
	unsigned rate = i / PACED_WAYS, way = i % PACED_WAYS;

	if (rate >= PACED_RATES)
		return false;
	*ret = (struct series){ .ps = s->rows[rate][way].late_ps, .n = paced_sleeps(s, rate) };
	snprintf(ret->name, sizeof(ret->name), "%s %s late", paced_rates[rate].name, paced_ways[way].name);
	return true;
}

static int verdict(const void *data, const struct cmd *cmd)
{
	const struct paced *s = data;
	uint64_t early = 0;

	for (unsigned rate = 0; rate < PACED_RATES; rate++)
		early += s->rows[rate][PACED_UNTIL].early;
	if (early)
		err_print("%s: %" PRIu64 " of libhpt's own sleeps ended early: please report this", cmd->name, early);
	if (s->disturbed)
		err_print("%s: the counter and the system's clock diverged during %" PRIu64 " sleeps: see hpt_sleep(7)",
			cmd->name, s->disturbed);
	return early || s->disturbed ? EXIT_DEGRADED : EXIT_SUCCESS;
}

static const struct stopwatch *watch(const void *data)
{
	const struct paced *s = data;

	return &s->watch;
}

/* Without plot(): the command refuses --plot. */
const struct engine engine_load = {
	.name = "load", .what = "Sleeping beside a load", .size = sizeof(struct paced),
	.rounds_max = PACED_ROUNDS_MAX, .prepare = prepare, .measure = paced_measure,
	.summarise = summarise, .print = paced_print, .json = paced_json, .csv = paced_csv,
	.series = series, .watch = watch, .verdict = verdict,
};
