// SPDX-License-Identifier: MIT
/* Measures a sweep: each round sleeps each length in each way, the ways in random order: tools/bench/sweep.h. */
#include "bench/sweep.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/candidates_sleep.h"
#include "bench/choice.h"
#include "bench/one_sleep.h"
#include "bench/own_slice.h"
#include "bench/shuffle.h"
#include "bench/worker.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "cli/util.h"
#include "hpt/system.h"

/* The results are tens of nanoseconds. A sleep shorter than 1 us would measure only the call itself. */
#define LEAST_NS INT64_C(1000)
#define MOST_NS  (3600 * NS_PER_S)
#define STEP_MAX 1000

/* The most common HZ, where the kernel does not state its own. */
#define HZ_GUESS 250

#define CPU_FLOOR_READS 101

/* The step is at least 2, so the sum of all lengths is less than twice the longest. */
_Static_assert(2 * MOST_NS < (INT64_MAX - STOPWATCH_RATE_NS) / CANDIDATES / SWEEP_ROUNDS_MAX,
	       "any plan's time fits");
/* From an hour down to 1 us there are 32 lengths: the samples of any plan take 1.2 GB, mapped as they come. */
_Static_assert(MOST_NS >> (SWEEP_LENGTHS_MAX - 1) < LEAST_NS, "any plan's lengths fit");

const char *sweep_name(unsigned way)
{
	return way < CANDIDATES ? sleep_candidates[way].name : NULL;
}

bool sweep_has(const struct sweep *s, unsigned way)
{
	return way < s->n_ways && choice_has(&s->plan.only, way);
}

unsigned sweep_first(const struct sweep *s)
{
	unsigned way = 0;

	while (way + 1 < s->n_ways && !sweep_has(s, way))
		way++;
	return way;
}

static unsigned count_measured(const struct sweep *s)
{
	return s->plan.only.n ? s->plan.only.n : s->n_ways;
}

/* Samples have no gaps for ways that are not measured. */
static unsigned slot_of(const struct sweep *s, unsigned way)
{
	unsigned slot = 0;

	for (unsigned i = 0; i < way; i++)
		slot += sweep_has(s, i);
	return slot;
}

struct sleep_times *sweep_times(const struct sweep *s, unsigned way, uint32_t round, unsigned length)
{
	return &s->samples[((size_t)slot_of(s, way) * s->plan.rounds + round) * s->n_lengths + length];
}

void sweep_shift(struct sleep_times *t, int64_t more_ticks)
{
	t->after += more_ticks;
	t->target += t->target ? more_ticks : 0;
	t->left += t->left ? more_ticks : 0;
}

uint32_t sweep_rounds(const struct sweep *s, unsigned length)
{
	return atomic_load_explicit(&s->rounds_done, memory_order_acquire) +
	       (length < atomic_load_explicit(&s->lengths_done, memory_order_acquire));
}

/* ---- The plan -------------------------------------------------------------------------------------------------- */

static bool is_possible(const struct sweep_plan *plan)
{
	return plan->shortest_ns >= LEAST_NS && plan->longest_ns <= MOST_NS && plan->shortest_ns <= plan->longest_ns &&
	       plan->step >= 2 && plan->step <= STEP_MAX && plan->rounds >= 1 && plan->rounds <= SWEEP_ROUNDS_MAX;
}

int64_t sweep_jiffy_ns(void)
{
	uint32_t hz = hpt_kernel_hz();

	return NS_PER_S / (hz ? hz : HZ_GUESS);
}

static void lengths_to_ticks(struct sweep *s)
{
	for (unsigned i = 0; i < s->n_lengths; i++)
		s->lengths_ticks[i] = hpt_ns_to_ticks(s->watch.clk, s->lengths_ns[i]);
}

int sweep_prepare(const struct sweep_plan *plan, struct sweep *ret)
{
	if (!is_possible(plan))
		return -ERANGE;
	memset(ret, 0, sizeof(*ret));
	ret->plan = *plan;
	ret->watch = stopwatch_of_default();
	ret->jiffy_ns = sweep_jiffy_ns();
	ret->n_ways = CANDIDATES;
	for (int64_t ns = plan->longest_ns; ns >= plan->shortest_ns; ns /= plan->step)
		ret->lengths_ns[ret->n_lengths++] = ns;
	lengths_to_ticks(ret);
	ret->samples = xcalloc((size_t)count_measured(ret) * plan->rounds * ret->n_lengths, sizeof(ret->samples[0]));
	return 0;
}

int64_t sweep_estimate_ns(const struct sweep *s)
{
	int64_t sum_ns = 0;

	for (unsigned i = 0; i < s->n_lengths; i++)
		sum_ns += s->lengths_ns[i];
	return STOPWATCH_RATE_NS + sum_ns * count_measured(s) * s->plan.rounds;
}

/* ---- One sleep ------------------------------------------------------------------------------------------------- */

struct run {
	struct sweep *s;
	const struct sleep_candidate *ways;
	unsigned measured[CANDIDATES];  /* their numbers, in order */
	struct worker *worker;
	unsigned long slack_ns;         /* the thread's own timer slack ... */
	int64_t slice_ns;               /* ... and time slice */
	int64_t cpu_floor_ns;           /* the cost of measuring CPU time, subtracted from each sleep's */
	uint64_t random;
	int64_t begun_ns, done_ns, total_ns;
	uint32_t disturbed;
};

static int64_t us_between(struct timeval a, struct timeval b)
{
	return (b.tv_sec - a.tv_sec) * US_PER_S + (b.tv_usec - a.tv_usec);
}

static void set_slack(unsigned long ns)
{
	prctl(PR_SET_TIMERSLACK, ns, 0, 0, 0);
}

/* The median CPU time of one reading of the CPU time: a third of the CPU time of a sleep of 1 us. */
static int64_t measure_cpu_floor(void)
{
	int64_t took_ns[CPU_FLOOR_READS];

	for (int i = 0; i < CPU_FLOOR_READS; i++) {
		int64_t before_ns = stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID);

		took_ns[i] = stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID) - before_ns;
	}
	stats_sort(took_ns, CPU_FLOOR_READS);
	return stats_median(took_ns, CPU_FLOOR_READS);
}

/* Other system calls lie outside of the interval whose CPU time is measured. */
static int take(const struct run *r, unsigned way, unsigned length, struct sleep_times *ret)
{
	const struct sweep *s = r->s;
	const struct sleep_length asked = {
		.clk = s->watch.clk, .is_tsc = s->watch.is_tsc, .ns = s->lengths_ns[length],
		.ticks = s->lengths_ticks[length], .jiffy_ns = s->jiffy_ns,
	};
	struct rusage before = { 0 }, after = { 0 };
	int64_t slice_ns = own_slice_take(&r->ways[way], r->slice_ns), cpu_ns;
	int state;

	set_slack(r->ways[way].slack_ns ? r->ways[way].slack_ns : r->slack_ns);
	getrusage(RUSAGE_THREAD, &before);
	cpu_ns = stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID);
	state = r->ways[way].sleep(&asked, ret);
	ret->cpu_ns = stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns - r->cpu_floor_ns;
	if (ret->cpu_ns < 0)
		ret->cpu_ns = 0;
	getrusage(RUSAGE_THREAD, &after);
	own_slice_leave(slice_ns);
	ret->user_us = us_between(before.ru_utime, after.ru_utime);
	ret->system_us = us_between(before.ru_stime, after.ru_stime);
	return state;
}

/* ---- The rounds ------------------------------------------------------------------------------------------------ */

static void note_totals(struct run *r)
{
	struct sweep *s = r->s;

	s->disturbed = s->resumed_disturbed + r->disturbed;
	s->elapsed_ns = s->resumed_ns + stopwatch_os_ns(CLOCK_MONOTONIC) - r->begun_ns;
	if (hpt_sleep_get_info(&s->learned, sizeof(s->learned)))
		s->learned.size = 0;
}

/* Call after all data of a length or round are written: the counts, stored last, publish them. */
static void publish(struct run *r, uint32_t rounds, uint32_t lengths)
{
	struct sweep *s = r->s;

	note_totals(r);
	atomic_store_explicit(&s->rounds_done, rounds, memory_order_release);
	atomic_store_explicit(&s->lengths_done, lengths, memory_order_release);
}

/* False: the run must stop. A slow disk may have taken longer than the main thread waits. */
static bool keep(struct run *r, uint32_t round)
{
	note_totals(r);
	r->s->keep(r->s->keeper, r->s, round);
	return worker_step(r->worker, r->done_ns, r->total_ns);
}

/*
 * False: the run must stop. Asks after every sleep whether to stop, so that nothing is published after the main thread
 * has given up waiting.
 */
static bool run_round(struct run *r, uint32_t round)
{
	struct sweep *s = r->s;
	unsigned order[CANDIDATES], n = count_measured(s);

	for (unsigned length = 0; length < s->n_lengths; length++) {
		shuffle(&r->random, order, n);
		for (unsigned i = 0; i < n; i++) {
			unsigned way = r->measured[order[i]];

			r->disturbed += take(r, way, length, sweep_times(s, way, round, length)) != 0;
			r->done_ns += s->lengths_ns[length];
			if (!worker_step(r->worker, r->done_ns, r->total_ns))
				return false;
		}
		if (length + 1 < s->n_lengths)
			publish(r, round, length + 1);
	}
	if (s->keep && !keep(r, round))
		return false;
	publish(r, round + 1, 0);
	return true;
}

static void run_rounds(struct run *r)
{
	for (uint32_t round = r->s->resumed_rounds; round < r->s->plan.rounds && run_round(r, round); round++)
		;
	set_slack(r->slack_ns);
}

/*
 * The ticks of a length follow from the counter's rate, which each run measures. The ends of earlier sleeps move by the
 * difference, so that their misses stay.
 */
static void adopt_resumed(struct run *r)
{
	struct sweep *s = r->s;

	for (uint32_t round = 0; round < s->resumed_rounds; round++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			for (unsigned way = 0; way < s->n_ways; way++) {
				if (!sweep_has(s, way))
					continue;
				sweep_shift(sweep_times(s, way, round, i), s->lengths_ticks[i] - s->resumed_ticks[i]);
				r->done_ns += s->lengths_ns[i];
			}
	if (s->resumed_rounds)
		publish(r, s->resumed_rounds, 0);
}

/* ---- The measurement ------------------------------------------------------------------------------------------- */

void sweep_run(struct sweep *s, const struct sleep_candidate *ways, struct worker *w)
{
	struct run r = {
		.s = s, .ways = ways, .worker = w, .random = s->plan.seed + s->resumed_rounds,
		.slack_ns = (unsigned long)prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0),
		.slice_ns = own_slice_ns(),
		.cpu_floor_ns = measure_cpu_floor(), .begun_ns = stopwatch_os_ns(CLOCK_MONOTONIC),
		.done_ns = STOPWATCH_RATE_NS, .total_ns = sweep_estimate_ns(s),
	};

	for (unsigned way = 0, n = 0; way < s->n_ways; way++)
		if (sweep_has(s, way))
			r.measured[n++] = way;
	s->start_unix_ns = stopwatch_os_ns(CLOCK_REALTIME);
	s->cpu = sched_getcpu();
	adopt_resumed(&r);
	run_rounds(&r);
}

void sweep_measure(void *data, struct worker *w)
{
	struct sweep *s = data;

	worker_step(w, 0, sweep_estimate_ns(s));
	stopwatch_await_rate(s->watch.clk);
	if (!worker_step(w, STOPWATCH_RATE_NS, sweep_estimate_ns(s)))
		return;
	lengths_to_ticks(s);
	sweep_run(s, sleep_candidates, w);
}
