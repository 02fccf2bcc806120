// SPDX-License-Identifier: MIT
/* hpt bench wake: plans, and statistics of known samples. */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

#include "unit.h"

#include "bench/wakes.h"
#include "bench/worker.h"
#include "cli/cpus.h"
#include "fake_wakes.h"
#include "math/units.h"

/* A worker that stops the run at once. */
bool worker_step(struct worker *w, int64_t done, int64_t total)
{
	(void)w, (void)done, (void)total;
	return false;
}

static void free_samples(struct wakes *s)
{
	for (unsigned i = 0; i < s->n_phases; i++)
		for (unsigned j = 0; j < s->phases[i].n_ways; j++) {
			free(s->phases[i].ways[j].latency_ps);
			free(s->phases[i].ways[j].cost_ps);
		}
	for (unsigned i = 0; i < s->n_keepers; i++)
		free(s->keepers[i].late_ps);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

static void impossible_plans_are_refused(void **state)
{
	static const struct wakes_plan plans[] = {
		{ .rounds = 0, .period_ns = NS_PER_MS, .ticker_ns = NS_PER_S },
		{ .rounds = WAKES_ROUNDS_MAX + 1, .period_ns = NS_PER_MS, .ticker_ns = NS_PER_S },
		{ .rounds = 1, .period_ns = 9999, .ticker_ns = NS_PER_S },
		{ .rounds = 1, .period_ns = NS_PER_S + 1, .ticker_ns = 2 * NS_PER_S },
		{ .rounds = 1, .period_ns = 0, .ticker_ns = 0 },
		{ .rounds = 1, .period_ns = -NS_PER_MS, .ticker_ns = NS_PER_S },
		{ .rounds = 1, .period_ns = NS_PER_MS, .ticker_ns = -1 },
		{ .rounds = 1, .period_ns = NS_PER_MS, .ticker_ns = NS_PER_MS - 1 },
		{ .rounds = 1, .period_ns = NS_PER_S, .ticker_ns = 3600 * NS_PER_S + 1 },
		{ .rounds = 1, .period_ns = 10000, .ticker_ns = 10000 * (WAKES_TICKS_MAX + INT64_C(1)) },
	};

	struct wakes s;

	(void)state;
	for (size_t i = 0; i < COUNT(plans); i++)
		assert_int_equal(wakes_prepare(&plans[i], &s), -ERANGE);
}

static void outermost_plans_are_taken(void **state)
{
	static const struct wakes_plan plans[] = {
		{ .rounds = 1, .period_ns = 10000, .ticker_ns = 10000 },
		{ .rounds = 1, .period_ns = NS_PER_S, .ticker_ns = 3600 * NS_PER_S },
		{ .rounds = 2, .period_ns = NS_PER_MS, .ticker_ns = 0 },
	};
	struct wakes s;

	(void)state;
	for (size_t i = 0; i < COUNT(plans); i++) {
		assert_int_equal(wakes_prepare(&plans[i], &s), 0);
		wakes_measure(&s, NULL); /* frees what threads sleep on */
		assert_int_equal(s.n_keepers, plans[i].ticker_ns ? WAKES_KEEPERS : 0);
		assert_false(wakes_summarise(&s));
		free_samples(&s);
	}
}

/* The whole measurement on one CPU: tests/process/wakes.c. */
static void on_one_cpu_no_interrupts_are_prepared(void **state)
{
	struct wakes_plan plan = { .rounds = 2, .period_ns = NS_PER_MS, .cpu = -1 };
	struct cpus allowed;
	struct wakes s;
	int first;

	(void)state;
	assert_int_equal(cpus_of_thread(&allowed), 0);
	first = cpus_next(&allowed, -1);
	assert_int_equal(cpus_move_to(first), 0);
	for (; plan.cpu <= first; plan.cpu = plan.cpu < 0 ? first : first + 1) {
		assert_int_equal(wakes_prepare(&plan, &s), 0);
		assert_int_equal(s.n_phases, 0);
		wakes_measure(&s, NULL);
		free_samples(&s);
	}
	/* Measured on another, which --cpu may be: then this one is left for a sleeper. */
	assert_int_equal(wakes_prepare(&plan, &s), 0);
	assert_int_equal(s.n_phases, WAKES_PHASES);
	wakes_measure(&s, NULL);
	free_samples(&s);
	assert_int_equal(cpus_bind(pthread_self(), &allowed), 0);
}

/* ---- Sums ------------------------------------------------------------------------------------------------------- */

static void only_whole_rounds_are_summed_up(void **state)
{
	struct wakes f = fake_wakes(5);
	const struct wakes_candidate *way = &f.phases[0].ways[0];

	(void)state;
	assert_true(wakes_summarise(&f));
	assert_int_equal(way->latency.count, 5);
	assert_int_equal(way->latency.median, 5000);
	assert_int_equal(way->latency.max, 9000);
	assert_int_equal(way->cost.count, 5);
	assert_int_equal(way->cost.median, 30);
	assert_int_equal(way->cost.min, 10);
	assert_int_equal(way->latency.min, 1000);
	assert_int_equal(fake_latencies[0], 5000); /* still in the order of rounds, for the plots */
}

static struct wakes faked_keeper(int64_t *late_ps, size_t n, size_t done)
{
	return (struct wakes){
		.n_keepers = 1,
		.keepers = { { .name = "one", .late_ps = late_ps, .n = n, .done = done, .cpu_ns = 1,
				.elapsed_ns = 3 } },
	};
}

static void keepers_are_summed_up(void **state)
{
	int64_t late_ps[] = { 900, 500, 100, 100, 100, 100, 4700, 700, INT64_MIN };
	struct wakes f = faked_keeper(late_ps, COUNT(late_ps), 8);
	const struct wakes_keeper *k = &f.keepers[0];

	(void)state;
	assert_true(wakes_summarise(&f));
	assert_int_equal(k->late.count, 8);
	assert_int_equal(k->late.max, 4700);
	assert_int_equal(k->drift_ps, 200); /* 700 less 500 */
	assert_int_equal(k->cpu_ppm, 333333);
}

static void one_tick_does_not_drift(void **state)
{
	int64_t late_ps[] = { 900 };
	struct wakes f = faked_keeper(late_ps, 1, 1);

	(void)state;
	assert_true(wakes_summarise(&f));
	assert_int_equal(f.keepers[0].drift_ps, 0);
}

/* Returns the least lateness, @late_ps before, after the correction for a start that is known to @took_ps. */
static int64_t settled(int64_t late_ps, int64_t took_ps, int64_t *ret_doubt_ps)
{
	int64_t all[] = { late_ps + 7, late_ps, late_ps + 5 };
	struct wakes f = faked_keeper(all, 3, 3);

	f.start_took_ps = took_ps;
	wakes_summarise(&f);
	wakes_summarise(&f); /* no further */
	assert_int_equal(all[0], all[1] + 7);
	assert_int_equal(f.keepers[0].late.min, all[1]);
	*ret_doubt_ps = f.start_doubt_ps;
	return all[1];
}

static void start_is_settled_once(void **state)
{
	int64_t doubt_ps;

	(void)state;
	assert_int_equal(settled(1000, 400, &doubt_ps), 800);
	assert_int_equal(doubt_ps, 200);
	assert_int_equal(settled(100, 400, &doubt_ps), 50); /* no tick came before its time */
	assert_int_equal(doubt_ps, 50);
	assert_int_equal(settled(-100, 400, &doubt_ps), -100); /* an early tick stays visible */
	assert_int_equal(doubt_ps, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(impossible_plans_are_refused),
		cmocka_unit_test(outermost_plans_are_taken),
		cmocka_unit_test(on_one_cpu_no_interrupts_are_prepared),
		cmocka_unit_test(only_whole_rounds_are_summed_up),
		cmocka_unit_test(keepers_are_summed_up),
		cmocka_unit_test(one_tick_does_not_drift),
		cmocka_unit_test(start_is_settled_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
