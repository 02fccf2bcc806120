// SPDX-License-Identifier: MIT
/* Measures interrupts and then tickers, and computes their statistics: tools/bench/wakes.h. */
#include "bench/wakes.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "bench/interrupt.h"
#include "bench/period.h"
#include "bench/wakes_run.h"
#include "bench/worker.h"
#include "cli/cpus.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"
#include "cli/units.h"

#define PERIOD_MIN_NS (10 * NS_PER_US)
#define PERIOD_MAX_NS NS_PER_S
#define TICKER_MAX_NS (3600 * NS_PER_S)

/* ---- Before ----------------------------------------------------------------------------------------------------- */

static bool is_possible(const struct hpt_wakes_plan *plan)
{
	if (plan->rounds < 1 || plan->rounds > HPT_WAKES_ROUNDS_MAX)
		return false;
	if (plan->period_ns < PERIOD_MIN_NS || plan->period_ns > PERIOD_MAX_NS)
		return false;
	if (!plan->ticker_ns)
		return true;
	return plan->ticker_ns >= plan->period_ns && plan->ticker_ns <= TICKER_MAX_NS &&
	       plan->ticker_ns / plan->period_ns <= HPT_WAKES_TICKS_MAX;
}

int hpt_wakes_prepare(const struct hpt_wakes_plan *plan, struct hpt_wakes *ret)
{
	struct hpt_cpus allowed;
	int r;

	if (!is_possible(plan))
		return -ERANGE;
	/* The main thread still may run on all allowed CPUs; the measuring thread is bound to one of them. */
	r = hpt_cpus_of_thread(&allowed);
	if (r)
		return r;
	hpt_cpus_add(&allowed, plan->cpu);
	*ret = (struct hpt_wakes){ .plan = *plan, .cpu = -1, .sleeper_cpu = -1, .allowed = allowed,
				   .watch = hpt_stopwatch_sound() };
	if (hpt_cpus_count(&allowed) > 1)
		r = hpt_interrupt_prepare(ret);
	if (r)
		return r;
	if (plan->ticker_ns)
		hpt_period_prepare(ret);
	return 0;
}

/* ---- During ----------------------------------------------------------------------------------------------------- */

static bool measure_all(struct hpt_wakes_run *run)
{
	if (!hpt_wakes_run_step(run, 0))
		return false;
	hpt_stopwatch_await_rate(run->clk);
	if (!hpt_wakes_run_step(run, HPT_STOPWATCH_RATE_NS))
		return false;
	if (run->s->n_phases && !hpt_interrupt_measure(run, &run->s->allowed))
		return false;
	return !run->s->n_keepers || hpt_period_measure(run);
}

void hpt_wakes_measure(void *data, struct hpt_worker *w)
{
	struct hpt_wakes *s = data;
	struct hpt_wakes_run run = { .s = s, .w = w, .begun_ns = hpt_os_ns(CLOCK_MONOTONIC) };

	run.clk = s->watch.clk;
	run.is_tsc = s->watch.is_tsc;
	run.random = s->plan.seed;
	run.total_ns = HPT_STOPWATCH_RATE_NS + hpt_interrupt_estimate_ns(s) +
		       (s->n_keepers ? hpt_period_estimate_ns(s) : 0);
	s->start_unix_ns = hpt_os_ns(CLOCK_REALTIME);
	s->cpu = sched_getcpu();
	measure_all(&run);
	if (s->n_phases)
		hpt_interrupt_end();
}

/* ---- After ------------------------------------------------------------------------------------------------------ */

static bool sum_up_phase(struct hpt_wakes_phase *p)
{
	uint32_t n = atomic_load_explicit(&p->rounds_done, memory_order_acquire);

	for (unsigned i = 0; i < p->n_ways; i++) {
		hpt_stats_of(p->ways[i].latency_ps, n, &p->ways[i].latency);
		hpt_stats_of(p->ways[i].cost_ps, n, &p->ways[i].cost);
	}
	return n > 0;
}

static int64_t least_of(const int64_t *v, size_t n)
{
	int64_t least = v[0];

	for (size_t i = 1; i < n; i++)
		least = v[i] < least ? v[i] : least;
	return least;
}

/* The drift is the least lateness of the last quarter of the ticks minus that of the first quarter. */
static bool sum_up_keeper(struct hpt_wakes_keeper *k)
{
	size_t n = atomic_load_explicit(&k->done, memory_order_acquire), quarter = n < 4 ? 1 : n / 4;

	hpt_stats_of(k->late_ps, n, &k->late);
	if (!n)
		return false;
	k->drift_ps = least_of(k->late_ps + n - quarter, quarter) - least_of(k->late_ps, quarter);
	k->cpu_ppm = k->wall_ns > 0 ? (int64_t)((double)k->cpu_ns * PPM / (double)k->wall_ns + 0.5) : 0;
	return true;
}

bool hpt_wakes_summarise(void *wakes)
{
	struct hpt_wakes *s = wakes;
	bool is_any = false;

	for (unsigned i = 0; i < s->n_phases; i++)
		is_any |= sum_up_phase(&s->phases[i]);
	if (s->n_keepers)
		hpt_period_settle_start(s);
	for (unsigned i = 0; i < s->n_keepers; i++)
		is_any |= sum_up_keeper(&s->keepers[i]);
	return is_any;
}
