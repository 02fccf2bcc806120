// SPDX-License-Identifier: MIT
/*
 * Measures sleeps to deadlines one period apart, as a program with a fixed rate makes them, beside busy threads. The
 * ways take turns in random order, each with the same number of sleeps, so that all meet the same load:
 * tools/bench/paced.h.
 */
#include "bench/paced.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/busy.h"
#include "bench/one_sleep.h"
#include "bench/shuffle.h"
#include "bench/spin_sleep.h"
#include "cli/cpus.h"
#include "cli/err.h"
#include "cli/stopwatch.h"
#include "cli/units.h"
#include "cli/util.h"

/* A turn takes half a second if no deadline is missed. */
const struct hpt_paced_rate hpt_paced_rates[HPT_PACED_RATES] = {
	{ "1 kHz", NS_PER_MS, 500 },
	{ "100 Hz", 10 * NS_PER_MS, 50 },
};

/* The functions are those of the sweep, with the thread's own timer slack. */
static int sleep_until(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret)
{
	return hpt_sleep_candidates[HPT_CANDIDATE_UNTIL].sleep(asked, ret);
}

static int sleep_absolute(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret)
{
	return hpt_sleep_candidates[HPT_CANDIDATE_ABSOLUTE].sleep(asked, ret);
}

const struct hpt_sleep_candidate hpt_paced_ways[HPT_PACED_WAYS] = {
	[HPT_PACED_UNTIL] = { "hpt_sleep_until", true, 0, sleep_until },
	[HPT_PACED_KERNEL] = { "clock_nanosleep", false, 0, sleep_absolute },
	[HPT_PACED_SPIN_SLEEP] = { "spin_sleep's rule", false, 0, hpt_spin_sleep },
};

/* ---- The plan -------------------------------------------------------------------------------------------------- */

static bool is_possible(const struct hpt_paced_plan *plan)
{
	return plan->load <= HPT_BUSY_MAX && plan->rounds >= 1 && plan->rounds <= HPT_PACED_ROUNDS_MAX;
}

int hpt_paced_prepare(const struct hpt_paced_plan *plan, struct hpt_paced *ret)
{
	struct hpt_cpus allowed;
	int r;

	if (!is_possible(plan))
		return -ERANGE;
	r = hpt_cpus_of_thread(&allowed);
	if (r)
		return r;
	*ret = (struct hpt_paced){ .plan = *plan, .watch = hpt_stopwatch_of_default(), .allowed = allowed,
				   .cpu = -1 };
	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		for (unsigned way = 0; way < HPT_PACED_WAYS; way++) {
			struct hpt_paced_row *row = &ret->rows[rate][way];

			row->turns = hpt_calloc(plan->rounds, sizeof(row->turns[0]));
			row->late_ps = hpt_calloc((size_t)plan->rounds * hpt_paced_rates[rate].sleeps,
						  sizeof(row->late_ps[0]));
		}
	return 0;
}

int64_t hpt_paced_estimate_ns(const struct hpt_paced *s)
{
	int64_t round_ns = 0;

	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		round_ns += HPT_PACED_WAYS * (HPT_PACED_SETTLING + (int64_t)hpt_paced_rates[rate].sleeps) *
			    hpt_paced_rates[rate].period_ns;
	return HPT_STOPWATCH_RATE_NS + round_ns * s->plan.rounds;
}

/* ---- A turn ---------------------------------------------------------------------------------------------------- */

struct run {
	struct hpt_paced *s;
	const struct hpt_sleep_candidate *ways;
	struct hpt_worker *worker;
	uint64_t random;
	int64_t begun_ns, done_ns, total_ns;
};

/* The pace of a turn. */
struct pace {
	int64_t period_ticks;
	int64_t due;                    /* the next deadline, in ticks of the stopwatch */
};

/* Returns how late the sleep ended, in ticks. The next deadline is the first of the grid that has not passed. */
static int64_t take(const struct run *r, unsigned way, struct pace *pace, struct hpt_paced_turn *turn)
{
	struct hpt_sleep_times times = { 0 };
	const struct hpt_stopwatch *watch = &r->s->watch;
	struct hpt_sleep_length asked = { .clk = watch->clk, .is_tsc = watch->is_tsc };
	int64_t late, missed;

	asked.ticks = pace->due - hpt_stopwatch_read(watch);
	asked.ns = hpt_ticks_to_ns(asked.clk, asked.ticks);
	turn->disturbed += r->ways[way].sleep(&asked, &times) != 0;
	late = times.after - times.target;
	missed = late > 0 ? late / pace->period_ticks : 0;
	turn->missed += (uint32_t)missed;
	turn->early += late < 0;
	pace->due += (missed + 1) * pace->period_ticks;
	return late;
}

static bool settle(struct run *r, unsigned way, struct pace *pace, int64_t period_ns)
{
	struct hpt_paced_turn unused = { 0 };

	for (int i = 0; i < HPT_PACED_SETTLING; i++) {
		take(r, way, pace, &unused);
		r->done_ns += period_ns;
		if (!hpt_worker_step(r->worker, r->done_ns, r->total_ns))
			return false;
	}
	return true;
}

/* False: the run must stop. Asks after every sleep, as the sweep does. */
static bool take_turn(struct run *r, unsigned rate, unsigned way, uint32_t round)
{
	const struct hpt_paced_rate *of = &hpt_paced_rates[rate];
	struct hpt_paced_row *row = &r->s->rows[rate][way];
	int64_t *late = row->late_ps + (size_t)round * of->sleeps;
	struct hpt_paced_turn turn = { 0 };
	struct pace pace = { .period_ticks = hpt_ns_to_ticks(r->s->watch.clk, of->period_ns) };

	pace.due = hpt_stopwatch_read(&r->s->watch) + pace.period_ticks;
	if (!settle(r, way, &pace, of->period_ns))
		return false;
	turn.cpu_ns = -hpt_os_ns(CLOCK_THREAD_CPUTIME_ID);
	for (uint32_t i = 0; i < of->sleeps; i++) {
		late[i] = take(r, way, &pace, &turn);
		r->done_ns += of->period_ns;
		if (!hpt_worker_step(r->worker, r->done_ns, r->total_ns))
			return false;
	}
	turn.cpu_ns += hpt_os_ns(CLOCK_THREAD_CPUTIME_ID);
	for (uint32_t i = 0; i < of->sleeps; i++)
		late[i] = hpt_stopwatch_ps(r->s->watch.clk, late[i]);
	row->turns[round] = turn;
	return true;
}

/* ---- The rounds ------------------------------------------------------------------------------------------------ */

static bool take_round(struct run *r, uint32_t round)
{
	unsigned order[HPT_PACED_RATES * HPT_PACED_WAYS];

	hpt_shuffle(&r->random, order, HPT_PACED_RATES * HPT_PACED_WAYS);
	for (unsigned i = 0; i < HPT_PACED_RATES * HPT_PACED_WAYS; i++)
		if (!take_turn(r, order[i] / HPT_PACED_WAYS, order[i] % HPT_PACED_WAYS, round))
			return false;
	return true;
}

void hpt_paced_run(struct hpt_paced *s, const struct hpt_sleep_candidate *ways, struct hpt_worker *w)
{
	struct run r = {
		.s = s, .ways = ways, .worker = w, .random = s->plan.seed, .begun_ns = hpt_os_ns(CLOCK_MONOTONIC),
		.done_ns = HPT_STOPWATCH_RATE_NS, .total_ns = hpt_paced_estimate_ns(s),
	};

	s->start_unix_ns = hpt_os_ns(CLOCK_REALTIME);
	s->cpu = s->plan.is_bound ? sched_getcpu() : -1;
	for (uint32_t round = 0; round < s->plan.rounds && take_round(&r, round); round++) {
		s->wall_ns = hpt_os_ns(CLOCK_MONOTONIC) - r.begun_ns;
		atomic_store_explicit(&s->rounds_done, round + 1, memory_order_release);
	}
}

/* A program is not bound to a CPU, and the scheduler moves it to one that idles. */
static void run_beside_load(struct hpt_paced *s, struct hpt_worker *w)
{
	int r = s->plan.is_bound ? 0 : hpt_cpus_bind(pthread_self(), &s->allowed);
	struct hpt_busy *busy;

	if (r) {
		hpt_err("cannot leave the CPU: %s", strerror(-r));
		return;
	}
	r = hpt_busy_start(s->plan.load, &s->allowed, &busy);
	if (r) {
		hpt_err("cannot start the busy threads: %s", strerror(-r));
		return;
	}
	hpt_paced_run(s, hpt_paced_ways, w);
	hpt_busy_stop(busy);
}

void hpt_paced_measure(void *data, struct hpt_worker *w)
{
	struct hpt_paced *s = data;

	hpt_worker_step(w, 0, hpt_paced_estimate_ns(s));
	hpt_stopwatch_await_rate(s->watch.clk);
	if (hpt_worker_step(w, HPT_STOPWATCH_RATE_NS, hpt_paced_estimate_ns(s)))
		run_beside_load(s, w);
}

/* ---- After ------------------------------------------------------------------------------------------------------ */

size_t hpt_paced_sleeps(const struct hpt_paced *s, unsigned rate)
{
	return (size_t)atomic_load_explicit(&s->rounds_done, memory_order_acquire) * hpt_paced_rates[rate].sleeps;
}

/* Of @n >= 1 samples, which stay in their order. @room has space for them. */
static int64_t quantile_of(const int64_t *ps, size_t n, double q, int64_t *room)
{
	memcpy(room, ps, n * sizeof(ps[0]));
	hpt_stats_sort(room, n);
	return hpt_stats_quantile(room, n, q);
}

static uint64_t sum_up(struct hpt_paced_row *row, size_t n, uint32_t sleeps, int64_t *room)
{
	uint64_t disturbed = 0;
	int64_t cpu_ns = 0;

	hpt_stats_of(row->late_ps, n, &row->late);
	row->p999_ps = quantile_of(row->late_ps, n, 0.999, room);
	row->missed = row->early = 0;
	for (size_t round = 0; round < n / sleeps; round++) {
		struct hpt_paced_turn *turn = &row->turns[round];

		turn->p99_ps = quantile_of(row->late_ps + round * sleeps, sleeps, 0.99, room);
		cpu_ns += turn->cpu_ns;
		row->missed += turn->missed;
		row->early += turn->early;
		disturbed += turn->disturbed;
	}
	row->cpu_ns = (cpu_ns + (int64_t)n / 2) / (int64_t)n;
	return disturbed;
}

bool hpt_paced_summarise(void *paced)
{
	struct hpt_paced *s = paced;
	int64_t *room;

	if (!hpt_paced_sleeps(s, 0))
		return false;
	room = hpt_calloc(hpt_paced_sleeps(s, 0), sizeof(room[0])); /* the first rate has the most sleeps */
	s->disturbed = 0;
	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		for (unsigned way = 0; way < HPT_PACED_WAYS; way++)
			s->disturbed += sum_up(&s->rows[rate][way], hpt_paced_sleeps(s, rate),
					       hpt_paced_rates[rate].sleeps, room);
	free(room);
	return true;
}
