// SPDX-License-Identifier: MIT
/*
 * Measures sleeps to deadlines one period apart, as a program with a fixed rate makes them, beside busy threads. The
 * ways take turns in random order, each with the same number of sleeps, so that all meet the same load. In a turn all
 * threads sleep in one way: tools/bench/paced.h.
 */
#include "bench/paced.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/busy.h"
#include "bench/crew.h"
#include "bench/one_sleep.h"
#include "bench/own_slice.h"
#include "bench/quota_group.h"
#include "bench/shuffle.h"
#include "bench/spin_sleep.h"
#include "cli/cpus.h"
#include "cli/err.h"
#include "cli/stopwatch.h"
#include "cli/util.h"
#include "math/units.h"

/*
 * A turn takes half a second if no deadline is missed. A period of whole milliseconds would keep its phases to the
 * kernel's tick for a whole turn, so that turns would differ by them.
 */
const struct paced_rate paced_rates[PACED_RATES] = {
	{ "1.003 ms", 1003000, 500 },
	{ "10.03 ms", 10030000, 50 },
};

/* P99 of a quarter of the rounds is at least this multiple of that of another. */
#define BISTABLE 4

/* The functions are those of the sweep, with the thread's own timer slack. */
static int sleep_until(const struct sleep_length *asked, struct sleep_times *ret)
{
	return sleep_candidates[CANDIDATE_UNTIL].sleep(asked, ret);
}

static int sleep_absolute(const struct sleep_length *asked, struct sleep_times *ret)
{
	return sleep_candidates[CANDIDATE_ABSOLUTE].sleep(asked, ret);
}

const struct sleep_candidate paced_ways[PACED_WAYS] = {
	[PACED_UNTIL] = { "hpt_sleep_until_ticks", true, 0, sleep_until },
	[PACED_KERNEL] = { "clock_nanosleep", false, 0, sleep_absolute },
	[PACED_SPIN_SLEEP] = { "spin_sleep's rule", false, 0, spin_sleep },
};

/* The ways do not share what the first sleeps of a turn depend on. */
const struct paced_set paced_set = { .ways = paced_ways, .n_ways = PACED_WAYS, .n_rates = PACED_RATES, .settling = 10 };

/* ---- The plan -------------------------------------------------------------------------------------------------- */

static bool is_possible(const struct paced_plan *plan)
{
	return plan->load <= BUSY_MAX && plan->threads >= 1 && plan->threads <= PACED_THREADS_MAX &&
	       plan->rounds >= 1 && plan->rounds <= PACED_ROUNDS_MAX / plan->threads &&
	       !(plan->load && plan->quota_percent); /* they would use it up */
}

int paced_prepare(const struct paced_plan *plan, struct paced *ret)
{
	struct cpus allowed;
	int r;

	if (!is_possible(plan))
		return -ERANGE;
	r = cpus_of_thread(&allowed);
	if (r)
		return r;
	*ret = (struct paced){ .plan = *plan, .watch = stopwatch_of_default(), .allowed = allowed,
				   .cpu = -1 };
	for (unsigned rate = 0; rate < plan->set->n_rates; rate++)
		for (unsigned way = 0; way < plan->set->n_ways; way++) {
			struct paced_row *row = &ret->rows[rate][way];

			row->turns = xcalloc(plan->rounds, sizeof(row->turns[0]));
			row->late_ps = xcalloc((size_t)plan->rounds * paced_sleeps_each_round(ret, rate),
					       sizeof(row->late_ps[0]));
		}
	return 0;
}

/* A period after a turn nothing is left of what it used of the quota. */
static int64_t rest_ns(const struct paced *s)
{
	return s->plan.quota_percent ? QUOTA_PERIOD_NS : 0;
}

int64_t paced_estimate_ns(const struct paced *s)
{
	const struct paced_set *set = s->plan.set;
	int64_t round_ns = 0;

	for (unsigned rate = 0; rate < set->n_rates; rate++)
		round_ns += set->n_ways * (((int64_t)set->settling + paced_rates[rate].sleeps) *
					   paced_rates[rate].period_ns + rest_ns(s));
	return STOPWATCH_RATE_NS + round_ns * s->plan.rounds;
}

/* ---- A turn ---------------------------------------------------------------------------------------------------- */

/* The pace of a turn. */
struct pace {
	int64_t period_ticks;
	int64_t due;                    /* the next deadline, in ticks of the stopwatch */
};

/* A thread's part of a turn. */
struct part {
	struct pace pace;
	struct paced_turn turn;
	int64_t *late;
};

struct run {
	struct paced *s;
	const struct paced_set *set;
	struct worker *worker;
	struct crew *crew;              /* the threads but the first */
	struct part *parts;             /* one each thread */
	uint64_t random;
	int64_t begun_ns, done_ns, total_ns;
	int64_t slice_ns;               /* the threads' own */
	unsigned rate, way;             /* of the turn */
	_Atomic bool is_stopped;
};

/* Returns how late the sleep ended, in ticks. The next deadline is the first of the grid that has not passed. */
static int64_t take(const struct run *r, struct pace *pace, struct paced_turn *turn)
{
	struct sleep_times times = { 0 };
	const struct stopwatch *watch = &r->s->watch;
	struct sleep_length asked = { .clk = watch->clk, .is_tsc = watch->is_tsc };
	int64_t late, missed;

	asked.ticks = pace->due - stopwatch_read(watch);
	asked.ns = hpt_ticks_to_ns(asked.clk, asked.ticks);
	turn->disturbed += r->set->ways[r->way].sleep(&asked, &times) != 0;
	late = times.after - times.target;
	missed = late > 0 ? late / pace->period_ticks : 0;
	turn->missed += (uint32_t)missed;
	turn->over += hpt_ticks_to_ns(asked.clk, late) > PACED_OVER_NS;
	turn->early += late < 0;
	pace->due += (missed + 1) * pace->period_ticks;
	return late;
}

/* False: the run must stop. The first thread asks after every sleep, as the sweep does. */
static bool step(struct run *r, unsigned number)
{
	if (number)
		return !atomic_load_explicit(&r->is_stopped, memory_order_relaxed);
	r->done_ns += paced_rates[r->rate].period_ns;
	if (worker_step(r->worker, r->done_ns, r->total_ns))
		return true;
	atomic_store_explicit(&r->is_stopped, true, memory_order_relaxed);
	return false;
}

static bool settle(struct run *r, unsigned number)
{
	struct paced_turn unused = { 0 };

	for (uint32_t i = 0; i < r->set->settling; i++) {
		take(r, &r->parts[number].pace, &unused);
		if (!step(r, number))
			return false;
	}
	return true;
}

static void take_sleeps(struct run *r, unsigned number)
{
	struct part *p = &r->parts[number];
	struct paced_turn turn = { 0 };

	p->pace.due += stopwatch_read(&r->s->watch);
	if (!settle(r, number))
		return;
	turn.cpu_ns = -stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID);
	for (uint32_t i = 0; i < paced_rates[r->rate].sleeps; i++) {
		p->late[i] = take(r, &p->pace, &turn);
		if (!step(r, number))
			return;
	}
	turn.cpu_ns += stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID);
	p->turn = turn;
}

/* As worker or crew. */
static void take_part(void *run, unsigned number)
{
	const struct run *r = run;
	int64_t slice_ns = own_slice_take(&r->set->ways[r->way], r->slice_ns);

	take_sleeps(run, number);
	own_slice_leave(slice_ns);
}

/* Threads of a program have their own phases: any, but for the first. */
static void prepare_parts(struct run *r, int64_t *late)
{
	int64_t period_ticks = hpt_ns_to_ticks(r->s->watch.clk, paced_rates[r->rate].period_ns);

	for (uint32_t i = 0; i < r->s->plan.threads; i++)
		r->parts[i] = (struct part){
			.pace = { period_ticks, period_ticks + (i ? shuffle_below(&r->random, (uint32_t)period_ticks) :
								    0) },
			.late = late + (size_t)i * paced_rates[r->rate].sleeps,
		};
}

static void add_part(struct paced_turn *to, const struct paced_turn *of)
{
	to->cpu_ns += of->cpu_ns;
	to->over += of->over;
	to->missed += of->missed;
	to->early += of->early;
	to->disturbed += of->disturbed;
}

static void rest(struct run *r)
{
	const struct timespec period = { .tv_nsec = (long)rest_ns(r->s) };

	if (period.tv_nsec)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
	r->done_ns += period.tv_nsec;
}

static int64_t stops_of(const struct paced *s)
{
	return s->has_quota ? quota_group_stops(&s->quota) : -1;
}

/* All threads. Returns the periods in which the quota was used up. */
static uint32_t take_parts(struct run *r)
{
	int64_t before = stops_of(r->s), after;

	if (r->set->enter)
		r->set->enter(r->way);
	crew_begin(r->crew);
	take_part(r, 0);
	crew_await(r->crew);
	if (r->set->leave)
		r->set->leave(r->way);
	after = stops_of(r->s);
	return before >= 0 && after >= before ? (uint32_t)(after - before) : 0;
}

/* False: the run must stop. */
static bool take_turn(struct run *r, unsigned rate, unsigned way, uint32_t round)
{
	struct paced_row *row = &r->s->rows[rate][way];
	uint32_t n = paced_sleeps_each_round(r->s, rate);
	int64_t *late = row->late_ps + (size_t)round * n;

	r->rate = rate;
	r->way = way;
	prepare_parts(r, late);
	rest(r);
	row->turns[round].stops = take_parts(r);
	if (r->is_stopped)
		return false;
	for (uint32_t i = 0; i < n; i++)
		late[i] = stopwatch_to_ps(r->s->watch.clk, late[i]);
	for (uint32_t i = 0; i < r->s->plan.threads; i++)
		add_part(&row->turns[round], &r->parts[i].turn);
	return true;
}

/* ---- The rounds ------------------------------------------------------------------------------------------------ */

static bool take_round(struct run *r, uint32_t round)
{
	unsigned order[PACED_RATES * PACED_WAYS_MAX], n_ways = r->set->n_ways, n = r->set->n_rates * n_ways;

	shuffle(&r->random, order, n);
	for (unsigned i = 0; i < n; i++)
		if (!take_turn(r, order[i] / n_ways, order[i] % n_ways, round))
			return false;
	return true;
}

static void take_rounds(struct run *r)
{
	struct paced *s = r->s;

	s->start_unix_ns = stopwatch_os_ns(CLOCK_REALTIME);
	s->cpu = s->plan.is_bound ? sched_getcpu() : -1;
	for (uint32_t round = 0; round < s->plan.rounds && take_round(r, round); round++) {
		s->elapsed_ns = stopwatch_os_ns(CLOCK_MONOTONIC) - r->begun_ns;
		atomic_store_explicit(&s->rounds_done, round + 1, memory_order_release);
	}
}

int paced_run_ways(struct paced *s, struct worker *w)
{
	struct run run = {
		.s = s, .set = s->plan.set, .worker = w, .random = s->plan.seed,
		.begun_ns = stopwatch_os_ns(CLOCK_MONOTONIC), .done_ns = STOPWATCH_RATE_NS,
		.total_ns = paced_estimate_ns(s), .slice_ns = own_slice_ns(),
	};
	int r = crew_start(s->plan.threads - 1, take_part, &run, &run.crew);

	if (r)
		return r;
	run.parts = xcalloc(s->plan.threads, sizeof(run.parts[0]));
	take_rounds(&run);
	crew_stop(run.crew);
	free(run.parts);
	return 0;
}

static void run_beside_load(struct paced *s, struct worker *w)
{
	struct busy *busy;
	int r = busy_start(s->plan.load, &s->allowed, &busy);

	if (r) {
		err_print("cannot start the busy threads: %s", strerror(-r));
		return;
	}
	r = paced_run_ways(s, w);
	if (r)
		err_print("cannot start the threads that sleep: %s", strerror(-r));
	busy_stop(busy);
}

void paced_leave_quota(struct paced *s)
{
	int r = atomic_exchange(&s->has_quota, false) ? quota_group_leave(&s->quota) : 0;

	if (r)
		err_print("cannot leave the control group %s: %s", s->quota.folder, strerror(-r));
}

static void run_in_quota(struct paced *s, struct worker *w)
{
	int r = s->plan.quota_percent ? quota_group_enter(s->plan.quota_percent, &s->quota) : 0;

	if (r) {
		err_print("cannot have a CPU quota: %s", quota_group_text(r));
		return;
	}
	s->has_quota = s->plan.quota_percent;
	run_beside_load(s, w);
	paced_leave_quota(s);
}

/* A program is not bound to a CPU, and the scheduler moves it to one that idles. */
static void run_unbound(struct paced *s, struct worker *w)
{
	int r = s->plan.is_bound ? 0 : cpus_bind(pthread_self(), &s->allowed);

	if (r)
		err_print("cannot leave the CPU: %s", strerror(-r));
	else
		run_in_quota(s, w);
}

void paced_measure(void *data, struct worker *w)
{
	struct paced *s = data;

	worker_step(w, 0, paced_estimate_ns(s));
	stopwatch_await_rate(s->watch.clk);
	if (worker_step(w, STOPWATCH_RATE_NS, paced_estimate_ns(s)))
		run_unbound(s, w);
}

/* ---- After ------------------------------------------------------------------------------------------------------ */

uint32_t paced_sleeps_each_round(const struct paced *s, unsigned rate)
{
	return s->plan.threads * paced_rates[rate].sleeps;
}

size_t paced_sleeps(const struct paced *s, unsigned rate)
{
	return (size_t)atomic_load_explicit(&s->rounds_done, memory_order_acquire) * paced_sleeps_each_round(s, rate);
}

/* Of @n >= 1 samples, which stay in their order. @room has space for them. */
static int64_t quantile_of(const int64_t *ps, size_t n, double q, int64_t *room)
{
	memcpy(room, ps, n * sizeof(ps[0]));
	stats_sort(room, n);
	return stats_quantile(room, n, q);
}

/* Of @n >= 1 rounds. */
static struct paced_spread spread_of(const int64_t *rounds, size_t n, int64_t *room)
{
	return (struct paced_spread){
		.low = quantile_of(rounds, n, 0.25, room), .high = quantile_of(rounds, n, 0.75, room),
	};
}

static void spread_rounds(struct paced_row *row, size_t n, int64_t *room)
{
	int64_t *of_rounds = xcalloc(n, sizeof(of_rounds[0]));

	for (size_t round = 0; round < n; round++)
		of_rounds[round] = row->turns[round].p99_ps;
	row->round_p99_ps = spread_of(of_rounds, n, room);
	for (size_t round = 0; round < n; round++)
		of_rounds[round] = row->turns[round].over;
	row->round_over = spread_of(of_rounds, n, room);
	free(of_rounds);
}

static uint64_t sum_up(struct paced_row *row, size_t n, uint32_t sleeps, int64_t *room)
{
	uint64_t disturbed = 0;
	int64_t cpu_ns = 0;

	stats_of(row->late_ps, n, &row->late);
	row->p999_ps = quantile_of(row->late_ps, n, 0.999, room);
	row->over = row->missed = row->early = row->stops = 0;
	for (size_t round = 0; round < n / sleeps; round++) {
		struct paced_turn *turn = &row->turns[round];

		turn->p99_ps = quantile_of(row->late_ps + round * sleeps, sleeps, 0.99, room);
		cpu_ns += turn->cpu_ns;
		row->over += turn->over;
		row->missed += turn->missed;
		row->early += turn->early;
		row->stops += turn->stops;
		disturbed += turn->disturbed;
	}
	row->cpu_ns = (cpu_ns + (int64_t)n / 2) / (int64_t)n;
	spread_rounds(row, n / sleeps, room);
	return disturbed;
}

bool paced_is_bistable(const struct paced *s, unsigned rate, unsigned way)
{
	const struct paced_spread *p99 = &s->rows[rate][way].round_p99_ps;

	return stats_knows(paced_sleeps_each_round(s, rate), 0.99) && p99->low > 0 && p99->high / BISTABLE >= p99->low;
}

bool paced_summarise(void *paced)
{
	struct paced *s = paced;
	int64_t *room;

	if (!paced_sleeps(s, 0))
		return false;
	room = xcalloc(paced_sleeps(s, 0), sizeof(room[0])); /* the first rate has the most sleeps */
	s->disturbed = 0;
	for (unsigned rate = 0; rate < s->plan.set->n_rates; rate++)
		for (unsigned way = 0; way < s->plan.set->n_ways; way++)
			s->disturbed += sum_up(&s->rows[rate][way], paced_sleeps(s, rate),
					       paced_sleeps_each_round(s, rate), room);
	free(room);
	return true;
}
