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

static struct wakes_plan plan_of(const struct request *r)
{
	struct wakes_plan plan = {
		.rounds = engine_rounds(r, WAKES_ROUNDS, WAKES_ROUNDS_LONG),
		.period_ns = r->period_ns ? r->period_ns : WAKES_PERIOD_NS,
		.ticker_ns = r->is_long ? WAKES_TICKER_LONG_NS : WAKES_TICKER_NS,
		.seed = r->seed, .cpu = r->cpu,
	};

	if (r->is_short)
		plan.ticker_ns = engine_short(WAKES_TICKER_NS);
	if (r->ticker_ns >= 0)
		plan.ticker_ns = r->ticker_ns;
	return plan;
}

static int64_t bytes(const struct request *r)
{
	struct wakes_plan plan = plan_of(r);

	return plan.ticker_ns / plan.period_ns * WAKES_KEEPERS * (int64_t)sizeof(int64_t);
}

static int prepare(const struct request *r, void *data, bool *ret_is_reported)
{
	struct wakes_plan plan = plan_of(r);

	(void)ret_is_reported;
	return wakes_prepare(&plan, data);
}

/* Each way has two quantities; *i counts down to the requested one. */
static bool phase_series(const struct wakes_phase *phase, unsigned *i, struct series *ret)
{
	const struct wakes_candidate *way;

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

static bool series(const void *data, unsigned i, struct series *ret)
{
	const struct wakes *s = data;

	*ret = (struct series){ 0 };
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

static const struct stopwatch *watch(const void *data)
{
	const struct wakes *s = data;

	return &s->watch;
}

const struct engine engine_wake = {
	.name = "wake", .what = "Waking sleepers", .size = sizeof(struct wakes), .rounds_max = WAKES_ROUNDS_MAX,
	.bytes = bytes, .prepare = prepare, .measure = wakes_measure, .summarise = wakes_summarise,
	.print = wakes_print, .json = wakes_json, .csv = wakes_csv, .plot = plot_wakes,
	.series = series, .watch = watch,
};
