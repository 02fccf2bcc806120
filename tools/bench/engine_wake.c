// SPDX-License-Identifier: MIT
/* The bench of wakes as one table, with its series of samples: tools/bench/engine_wake.h. */
#include "bench/engine_wake.h"

#include <stdatomic.h>

#include "bench/engine.h"
#include "bench/plot_wakes.h"
#include "bench/request.h"
#include "bench/wakes.h"
#include "bench/wakes_report.h"
#include "bench/wakes_run.h"
#include "cli/stopwatch.h"

static struct hpt_wakes_plan plan_of(const struct hpt_request *r)
{
	struct hpt_wakes_plan plan = {
		.rounds = hpt_engine_rounds(r, HPT_WAKES_ROUNDS, HPT_WAKES_ROUNDS_LONG),
		.period_ns = r->period_ns ? r->period_ns : HPT_WAKES_PERIOD_NS,
		.ticker_ns = r->is_long ? HPT_WAKES_TICKER_LONG_NS : HPT_WAKES_TICKER_NS,
		.seed = r->seed, .cpu = r->cpu,
	};

	if (r->is_short)
		plan.ticker_ns = hpt_engine_short(HPT_WAKES_TICKER_NS);
	if (r->ticker_ns >= 0)
		plan.ticker_ns = r->ticker_ns;
	return plan;
}

static int64_t bytes(const struct hpt_request *r)
{
	struct hpt_wakes_plan plan = plan_of(r);

	return plan.ticker_ns / plan.period_ns * HPT_WAKES_KEEPERS * (int64_t)sizeof(int64_t);
}

static int prepare(const struct hpt_request *r, void *data, bool *ret_is_reported)
{
	struct hpt_wakes_plan plan = plan_of(r);

	(void)ret_is_reported;
	return hpt_wakes_prepare(&plan, data);
}

/* Each way has two quantities; *i counts down to the requested one. */
static bool phase_series(const struct hpt_wakes_phase *phase, unsigned *i, struct hpt_series *ret)
{
	const struct hpt_wakes_candidate *way;

	if (*i >= phase->n_ways * 2) {
		*i -= phase->n_ways * 2;
		return false;
	}
	way = &phase->ways[*i / 2];
	ret->ps = *i % 2 ? way->cost_ps : way->latency_ps;
	ret->n = atomic_load_explicit(&phase->rounds_done, memory_order_acquire);
	snprintf(ret->name, sizeof(ret->name), "%s %s %s", phase->name, way->name, *i % 2 ? "cost" : "latency");
	return true;
}

static bool series(const void *data, unsigned i, struct hpt_series *ret)
{
	const struct hpt_wakes *s = data;

	*ret = (struct hpt_series){ 0 };
	for (unsigned k = 0; k < s->n_phases; k++)
		if (phase_series(&s->phases[k], &i, ret))
			return true;
	if (i >= s->n_keepers)
		return false;
	ret->ps = s->keepers[i].late_ps;
	ret->n = atomic_load_explicit(&s->keepers[i].done, memory_order_acquire);
	snprintf(ret->name, sizeof(ret->name), "%s late", s->keepers[i].name);
	return true;
}

static const struct hpt_stopwatch *watch(const void *data)
{
	const struct hpt_wakes *s = data;

	return &s->watch;
}

const struct hpt_engine hpt_engine_wake = {
	.name = "wake", .what = "Waking sleepers", .size = sizeof(struct hpt_wakes), .rounds_max = HPT_WAKES_ROUNDS_MAX,
	.bytes = bytes, .prepare = prepare, .measure = hpt_wakes_measure, .summarise = hpt_wakes_summarise,
	.print = hpt_wakes_print, .json = hpt_wakes_json, .csv = hpt_wakes_csv, .plot = hpt_plot_wakes,
	.series = series, .watch = watch,
};
