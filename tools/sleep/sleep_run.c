// SPDX-License-Identifier: MIT
/* Sleeps as planned, records the misses, and ends at a signal: tools/sleep/sleep_run.h. */
#include "sleep/sleep_run.h"

#include <stdlib.h>
#include <time.h>

#include "hpt/hpt.h"

#include "cli/facts.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/stats.h"
#include "cli/ticks.h"
#include "sleep/sleep_wall.h"
#include "math/units.h"

/* The bar: the shortest run that has one, its period, and the shortest sleep that drawing does not make late. */
#define BAR_RUN_NS  NS_PER_S
#define BAR_STEP_NS (NS_PER_S / 4)
#define BAR_SLEEP_NS  (NS_PER_S / 100)

/* The kernel samples what others use at each jiffy: a shorter run has too few samples. */
#define DISTURBANCE_MIN_NS NS_PER_S

/* A run under way. */
struct run {
	const struct sleep_plan *plan;
	struct sleep_run *sleeps;
	hpt_waiter *waiter;     /* NULL: only the default action of a signal ends the run */
	hpt_time_t base;        /* the period counts from this tick */
	int64_t since_base_ns;  /* from base to the latest deadline */
	int64_t drawn_ns;       /* when the bar was drawn; 0: never */
};

static hpt_waiter *interrupted;

static void stop(void)
{
	hpt_waiter_interrupt(interrupted);
}

/* ---- One sleep: its result, and by how much it ended after its time ----------------------------------------- */

static int sleep_for(struct run *r, int64_t *ret_miss_ns)
{
	int64_t start = hpt_now_ns(NULL), ns = r->plan->ns;
	int result = r->waiter ? hpt_waiter_sleep_ns(r->waiter, ns) : hpt_sleep_ns(NULL, ns);

	*ret_miss_ns = hpt_now_ns(NULL) - start - ns;
	r->sleeps->past += ns <= 0;
	return result;
}

static hpt_time_t later(hpt_time_t t, int64_t ns)
{
	hpt_time_t sum;

	return hpt_time_add_ns(NULL, t, ns, &sum) ? INT64_MAX : sum;
}

/*
 * Counts from a tick of less than a second ago: a young process is still learning the rate, so that an older tick would
 * add its error. Each new base adds half a tick of rounding to one second.
 */
static hpt_time_t next_deadline(struct run *r)
{
	if (r->since_base_ns >= NS_PER_S) {
		r->base = later(r->base, r->since_base_ns);
		r->since_base_ns = 0;
	}
	if (__builtin_add_overflow(r->since_base_ns, r->plan->ns, &r->since_base_ns))
		r->since_base_ns = INT64_MAX;
	return later(r->base, r->since_base_ns);
}

static int sleep_every(struct run *r, int64_t *ret_miss_ns)
{
	hpt_time_t deadline = next_deadline(r);
	int result;

	r->sleeps->past += hpt_now(NULL) >= deadline;
	result = r->waiter ? hpt_waiter_sleep_until_ticks(r->waiter, deadline) : hpt_sleep_until_ticks(NULL, deadline);
	*ret_miss_ns = hpt_ticks_to_ns(NULL, ticks_minus(hpt_now(NULL), deadline));
	return result;
}

static int sleep_until(struct run *r, int64_t *ret_miss_ns)
{
	int result;

	r->sleeps->past += hpt_now_unix_ns(NULL) >= r->plan->ns;
	result = hpt_sleep_until_unix_ns(NULL, r->plan->ns);
	*ret_miss_ns = ticks_minus(hpt_now_unix_ns(NULL), r->plan->ns);
	return result;
}

static int sleep_by_wall(struct run *r, int64_t *ret_miss_ns)
{
	const struct sleep_plan *plan = r->plan;
	struct sleep_run *sleeps = r->sleeps;

	sleeps->past += hpt_now_unix_ns(NULL) >= plan->ns;
	sleeps->wall_error = sleep_wall_until(&plan->config, plan->ns, plan->max_error_ns, &sleeps->error_ns,
					      ret_miss_ns);
	return sleeps->wall_error;
}

static int sleep_once(struct run *r, int64_t *ret_miss_ns)
{
	switch (r->plan->kind) {
	case SLEEP_KIND_FOR:
		return sleep_for(r, ret_miss_ns);
	case SLEEP_KIND_EVERY:
		return sleep_every(r, ret_miss_ns);
	default:
		return (r->plan->by_wall ? sleep_by_wall : sleep_until)(r, ret_miss_ns);
	}
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static void draw_bar(struct run *r)
{
	const struct sleep_plan *plan = r->plan;
	int64_t now_ns, left_ns;

	if (!r->waiter || plan->ns < BAR_SLEEP_NS || plan->ns < BAR_RUN_NS / plan->count)
		return;
	now_ns = hpt_now_ns(NULL);
	if (r->drawn_ns && now_ns - r->drawn_ns < BAR_STEP_NS)
		return;
	if (__builtin_mul_overflow(plan->count - r->sleeps->done, plan->ns, &left_ns))
		left_ns = -1;
	progress_show("Sleeping", r->sleeps->done, plan->count, left_ns);
	r->drawn_ns = now_ns;
}

static void run(struct run *r)
{
	struct sleep_run *sleeps = r->sleeps;

	r->base = hpt_now(NULL);
	while (sleeps->done < r->plan->count && !signals_caught()) {
		int64_t miss_ns;
		int result;

		draw_bar(r);
		result = sleep_once(r, &miss_ns);
		if (result < 0)
			break;
		if (result) {
			sleeps->diverged++;
			sleeps->state = (uint32_t)result;
		}
		if (sleeps->miss_ns) {
			sleeps->miss_ns[sleeps->done] = miss_ns;
			sleeps->early += miss_ns < 0 && !result;
		}
		sleeps->done++;
	}
	if (r->drawn_ns)
		progress_clear();
}

static int64_t cpu_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void measure(struct run *r)
{
	struct hpt_sleep_info before = sleep_facts(), after;
	struct sleep_run *sleeps = r->sleeps;
	struct disturbance_reading start, end;

	disturbance_read(&start);
	sleeps->wall_ns = hpt_now_ns(NULL);
	sleeps->cpu_ns = cpu_ns();
	run(r);
	sleeps->cpu_ns = cpu_ns() - sleeps->cpu_ns;
	sleeps->wall_ns = hpt_now_ns(NULL) - sleeps->wall_ns;
	disturbance_read(&end);
	if (sleeps->wall_ns >= DISTURBANCE_MIN_NS)
		disturbance_between(&start, &end, false, &sleeps->disturbance);
	after = sleep_facts();
	sleeps->waits = after.waits - before.waits;
	sleeps->oversleeps = after.oversleeps - before.oversleeps;
	sleeps->oversleep_ns = after.oversleep_ns - before.oversleep_ns;
	stats_sort(sleeps->miss_ns, (size_t)sleeps->done);
}

static bool measure_several(struct run *r)
{
	struct signals signals;

	if (hpt_waiter_new(NULL, 0, &r->waiter))
		return false;
	interrupted = r->waiter;
	signals_catch(stop, &signals);
	measure(r);
	signals_release(&signals);
	r->sleeps->signal = signals_caught();
	hpt_waiter_free(r->waiter);
	return true;
}

bool sleep_run_all(const struct sleep_plan *plan, struct sleep_run *ret)
{
	struct run r = { .plan = plan, .sleeps = ret };

	*ret = (struct sleep_run){ 0 };
	if (!plan->is_measured) {
		run(&r);
		return true;
	}
	ret->miss_ns = calloc((size_t)plan->count, sizeof(ret->miss_ns[0]));
	if (!ret->miss_ns)
		return false;
	if (plan->count > 1)
		return measure_several(&r);
	measure(&r);
	return true;
}
