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
#include "math/units.h"

#define PERIOD_MIN_NS (10 * NS_PER_US)
#define PERIOD_MAX_NS NS_PER_S
#define TICKER_MAX_NS (3600 * NS_PER_S)

/* ---- Before ----------------------------------------------------------------------------------------------------- */

static bool is_possible(const struct wakes_plan *plan)
{
	if (plan->rounds < 1 || plan->rounds > WAKES_ROUNDS_MAX)
		return false;
	if (plan->period_ns < PERIOD_MIN_NS || plan->period_ns > PERIOD_MAX_NS)
		return false;
	if (!plan->ticker_ns)
		return true;
	return plan->ticker_ns >= plan->period_ns && plan->ticker_ns <= TICKER_MAX_NS &&
	       plan->ticker_ns / plan->period_ns <= WAKES_TICKS_MAX;
}

int wakes_prepare(const struct wakes_plan *plan, struct wakes *ret)
{
	struct cpus allowed;
	int r;

	if (!is_possible(plan))
		return -ERANGE;
	/* The main thread still may run on all allowed CPUs; the measuring thread is bound to one of them. */
	r = cpus_of_thread(&allowed);
	if (r)
		return r;
	cpus_add(&allowed, plan->cpu);
	*ret = (struct wakes){ .plan = *plan, .cpu = -1, .sleeper_cpu = -1, .allowed = allowed,
				   .watch = stopwatch_sound() };
	if (cpus_count(&allowed) > 1)
		r = interrupt_prepare(ret);
	if (r)
		return r;
	if (plan->ticker_ns)
		period_prepare(ret);
	return 0;
}

/* ---- During ----------------------------------------------------------------------------------------------------- */

static bool measure_all(struct wakes_run *run)
{
	if (!wakes_run_step(run, 0))
		return false;
	stopwatch_await_rate(run->clk);
	if (!wakes_run_step(run, STOPWATCH_RATE_NS))
		return false;
	if (run->s->n_phases && !interrupt_measure(run, &run->s->allowed))
		return false;
	return !run->s->n_keepers || period_measure(run);
}

void wakes_measure(void *data, struct worker *w)
{
	struct wakes *s = data;
	struct wakes_run run = { .s = s, .w = w, .begun_ns = stopwatch_os_ns(CLOCK_MONOTONIC) };

	run.clk = s->watch.clk;
	run.is_tsc = s->watch.is_tsc;
	run.random = s->plan.seed;
	run.total_ns = STOPWATCH_RATE_NS + interrupt_estimate_ns(s) +
		       (s->n_keepers ? period_estimate_ns(s) : 0);
	s->start_unix_ns = stopwatch_os_ns(CLOCK_REALTIME);
	s->cpu = sched_getcpu();
	measure_all(&run);
	if (s->n_phases)
		interrupt_end();
}

/* ---- After ------------------------------------------------------------------------------------------------------ */

static bool sum_up_phase(struct wakes_phase *p)
{
	uint32_t n = atomic_load_explicit(&p->rounds_done, memory_order_acquire);

	for (unsigned i = 0; i < p->n_ways; i++) {
		stats_of(p->ways[i].latency_ps, n, &p->ways[i].latency);
		stats_of(p->ways[i].cost_ps, n, &p->ways[i].cost);
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
static bool sum_up_keeper(struct wakes_keeper *k)
{
	size_t n = atomic_load_explicit(&k->done, memory_order_acquire), quarter = n < 4 ? 1 : n / 4;

	stats_of(k->late_ps, n, &k->late);
	if (!n)
		return false;
	k->drift_ps = least_of(k->late_ps + n - quarter, quarter) - least_of(k->late_ps, quarter);
	k->cpu_ppm = k->elapsed_ns > 0 ? (int64_t)((double)k->cpu_ns * PPM / (double)k->elapsed_ns + 0.5) : 0;
	return true;
}

bool wakes_summarise(void *wakes)
{
	struct wakes *s = wakes;
	bool is_any = false;

	for (unsigned i = 0; i < s->n_phases; i++)
		is_any |= sum_up_phase(&s->phases[i]);
	if (s->n_keepers)
		period_settle_start(s);
	for (unsigned i = 0; i < s->n_keepers; i++)
		is_any |= sum_up_keeper(&s->keepers[i]);
	return is_any;
}
