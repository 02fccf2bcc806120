// SPDX-License-Identifier: MIT
/* Measures rounds of reads in random order, and computes their statistics: tools/bench/reads.h. */
#include "bench/reads.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/candidates_read.h"
#include "bench/granularity.h"
#include "bench/shuffle.h"
#include "bench/worker.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "cli/util.h"

/*
 * A timed loop takes some 50 us: 1000 times as long as its two readings of the stopwatch, and short enough that most
 * loops run without interruption. An expensive call is still made 8 times, so that the first, which does not overlap
 * with a call before it, weighs little.
 */
#define SLICE_PS  (50 * PS_PER_US)
#define CALLS_MIN 8
#define CALLS_MAX 4000

/* Calls timed one by one in all rounds together: of 200 000 the slowest 20 are above p99.99, and the mean is stable. */
#define SINGLES_WANTED 200000
#define SINGLES_LEAST  10000
#define SINGLES_SLICE_PS (100 * PS_PER_US)

/* Uncounted calls before each slice, which warm up the caches and the branch prediction. */
#define WARM_SHARE 16

/* Upper bound on the time in which a processor reaches its full speed after the idle wait for the rate. */
#define SPIN_UP_NS (100 * NS_PER_MS)

/* The minimum of this many tries is the cost of a call without interruption. */
#define TRIES 3

/* Over this many ticks the rounding of the conversion is negligible. */
#define TICKS_MANY INT64_C(1000000000)

/* The state of the measuring thread. */
struct run {
	struct reads *r;
	struct worker *w;
	const struct stopwatch *stopwatch;
	double ps_per_tick;
	int64_t *ticks;                 /* of one slice of singles */
	uint32_t nothings;              /* singles without a call, timed in each round */
	unsigned *order;
	uint64_t random;
	int64_t start_ns;               /* CLOCK_MONOTONIC_RAW */
};

/* ---- Preparation ------------------------------------------------------------------------------------------------ */

/* NULL: the source cannot be opened. */
static hpt_clock *clock_of(struct reads *r, bool *is_tried, uint32_t source)
{
	if (source >= READS_SOURCES_MAX)
		return NULL;
	if (!is_tried[source] && hpt_clock_open(source, 0, &r->clk[source]))
		r->clk[source] = NULL;
	is_tried[source] = true;
	return r->clk[source];
}

/* Returns true, with call->clk set, if the call is in the plan and usable. */
static bool take(struct read_candidate *call, struct reads *r, bool *is_tried)
{
	if (call->source && r->plan.source && call->source != r->plan.source)
		return false;
	if (call->is_usable && !call->is_usable())
		return false;
	if (!call->source)
		return true;
	call->clk = clock_of(r, is_tried, call->source);
	return call->clk;
}

static void make_room(struct reads *r, struct reads_row *row)
{
	uint32_t n = r->plan.rounds;

	row->throughput_ps = xcalloc(n, sizeof(row->throughput_ps[0]));
	row->isolated_ps = xcalloc(n, sizeof(row->isolated_ps[0]));
	row->begun_ns = xcalloc(n, sizeof(row->begun_ns[0]));
	if (!strcmp(row->call->name, READ_BASE))
		r->base = row;
	if (row->call->step_of)
		r->steps[r->n_steps++].name = row->call->step_of;
}

int reads_prepare_candidates(const struct reads_plan *plan, const struct read_candidate *calls, unsigned n,
			   struct reads *ret)
{
	bool is_tried[READS_SOURCES_MAX] = { 0 };

	if (plan->source >= READS_SOURCES_MAX)
		return -EINVAL;
	*ret = (struct reads){ .plan = *plan };
	if (plan->source) {
		int err = hpt_clock_open(plan->source, 0, &ret->clk[plan->source]);

		if (err)
			return err;
		is_tried[plan->source] = true;
	}
	ret->rows = xcalloc(n, sizeof(ret->rows[0]));
	ret->steps = xcalloc(n, sizeof(ret->steps[0]));
	ret->watch = stopwatch_finest();
	ret->stopwatch_round_ps = xcalloc(plan->rounds, sizeof(int64_t));
	ret->ended_ns = xcalloc(plan->rounds, sizeof(int64_t));
	ret->calls = xcalloc(n, sizeof(ret->calls[0]));
	for (unsigned i = 0; i < n; i++) {
		struct read_candidate *call = &ret->calls[ret->n_rows];

		*call = calls[i];
		if (!choice_has(&plan->only, i) || !take(call, ret, is_tried))
			continue;
		ret->rows[ret->n_rows].call = call;
		make_room(ret, &ret->rows[ret->n_rows++]);
	}
	return 0;
}

int reads_prepare(const struct reads_plan *plan, struct reads *ret)
{
	return reads_prepare_candidates(plan, read_candidates, n_read_candidates, ret);
}

const char *reads_name(unsigned i)
{
	return i < n_read_candidates ? read_candidates[i].name : NULL;
}

int64_t reads_bytes(const struct reads_plan *plan)
{
	int64_t n_calls = plan->only.n ? plan->only.n : n_read_candidates;
	int64_t reads = plan->reads ? (int64_t)plan->reads + plan->rounds : SINGLES_WANTED + plan->rounds;

	/* Two more: the copy that is sorted, and what qsort() takes for it. */
	return (n_calls + 2) * reads * (int64_t)sizeof(int64_t);
}

const struct reads_row *reads_find(const struct reads *r, const char *name)
{
	for (unsigned i = 0; i < r->n_rows; i++)
		if (!strcmp(r->rows[i].call->name, name))
			return &r->rows[i];
	return NULL;
}

/* ---- Slices ----------------------------------------------------------------------------------------------------- */

static int64_t to_ps(const struct run *run, int64_t ticks)
{
	return (int64_t)llround((double)ticks * run->ps_per_tick);
}

/* The time of one of @calls calls that took @ticks together. */
static int64_t each_ps(const struct run *run, int64_t ticks, uint32_t calls)
{
	return (int64_t)llround((double)ticks * run->ps_per_tick / calls);
}

static uint32_t warm(uint32_t calls)
{
	return calls / WARM_SHARE + 1;
}

static int64_t time_loop(const struct run *run, void (*loop)(hpt_clock *clk, uint32_t calls), hpt_clock *clk,
			 uint32_t calls)
{
	int64_t start;

	loop(clk, warm(calls));
	start = stopwatch_read(run->stopwatch);
	loop(clk, calls);
	return each_ps(run, stopwatch_read(run->stopwatch) - start, calls);
}

/* Stores the times in run->ticks, which stays in the cache; they are copied to the rows between slices. */
static void time_singles(const struct run *run, const struct read_candidate *call, uint32_t singles)
{
	call->singles(call->clk, run->stopwatch, run->ticks, warm(singles));
	call->singles(call->clk, run->stopwatch, run->ticks, singles);
}

static int64_t time_nothing(const struct run *run)
{
	time_singles(run, &read_nothing, run->nothings);
	stats_sort(run->ticks, run->nothings);
	return stats_median(run->ticks, run->nothings);
}

static void keep_singles(const struct run *run, const struct reads_row *row, uint32_t round,
			 int64_t stopwatch_ticks)
{
	int64_t *to = &row->single_ps[(size_t)round * row->singles];

	for (uint32_t i = 0; i < row->singles; i++) {
		int64_t ticks = run->ticks[i] - stopwatch_ticks;

		to[i] = ticks > 0 ? to_ps(run, ticks) : 0;
	}
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

static int64_t gone_ns(const struct run *run)
{
	return stopwatch_os_ns(CLOCK_MONOTONIC_RAW) - run->start_ns;
}

static void measure_row(const struct run *run, const struct reads_row *row, uint32_t round, int64_t stopwatch_ticks)
{
	const struct read_candidate *call = row->call;

	row->throughput_ps[round] = time_loop(run, call->loop, call->clk, row->calls);
	row->isolated_ps[round] = time_loop(run, call->isolated, call->clk, row->calls);
	row->begun_ns[round] = gone_ns(run);
	time_singles(run, call, row->singles);
	keep_singles(run, row, round, stopwatch_ticks);
}

static void measure_round(struct run *run, uint32_t round)
{
	struct reads *r = run->r;
	int64_t stopwatch_ticks = time_nothing(run);

	r->stopwatch_round_ps[round] = to_ps(run, stopwatch_ticks);
	shuffle(&run->random, run->order, r->n_rows);
	for (unsigned i = 0; i < r->n_rows; i++)
		measure_row(run, &r->rows[run->order[i]], round, stopwatch_ticks);
	r->ended_ns[round] = gone_ns(run);
}

/* ---- Before the rounds ------------------------------------------------------------------------------------------ */

/* The first conversions of a clock wait, and its rate improves for a second: that is no cost of a read. */
static void settle_clocks(const struct run *run)
{
	for (unsigned i = 0; i < run->r->n_rows; i++) {
		hpt_clock *clk = run->r->rows[i].call->clk;

		if (clk)
			(void)(hpt_now_ns(clk) + hpt_now_unix_ns(clk));
	}
}

static uint32_t clamp(int64_t value, int64_t least, int64_t most)
{
	return (uint32_t)(value < least ? least : value > most ? most : value);
}

/* The cost of one call, from ever longer loops until one fills a slice. */
static int64_t cost_ps(const struct run *run, void (*loop)(hpt_clock *clk, uint32_t calls), hpt_clock *clk)
{
	int64_t best_ps = INT64_MAX;
	uint32_t calls = CALLS_MIN;

	for (int tries = 0; tries < TRIES;) {
		int64_t each = time_loop(run, loop, clk, calls);

		if (each * calls < SLICE_PS && calls < CALLS_MAX) {
			calls = clamp(2 * (int64_t)calls, CALLS_MIN, CALLS_MAX);
			continue;
		}
		best_ps = each < best_ps ? each : best_ps;
		tries++;
	}
	return best_ps > 0 ? best_ps : 1;
}

/* The minimum of a few calls, including the stopwatch's own time. */
static int64_t single_cost_ps(const struct run *run, const struct read_candidate *call)
{
	int64_t least = INT64_MAX;

	time_singles(run, call, CALLS_MIN);
	for (int i = 0; i < CALLS_MIN; i++)
		least = run->ticks[i] < least ? run->ticks[i] : least;
	least = to_ps(run, least);
	return least > 0 ? least : 1;
}

static uint32_t share(uint32_t of_all, uint32_t rounds)
{
	return (of_all + rounds - 1) / rounds;
}

static uint32_t singles_of(const struct run *run, const struct read_candidate *call)
{
	uint32_t rounds = run->r->plan.rounds, least = share(SINGLES_LEAST, rounds);
	int64_t fit = SINGLES_SLICE_PS / single_cost_ps(run, call);

	return clamp(fit, least, share(SINGLES_WANTED, rounds));
}

static void size_slices(struct run *run)
{
	for (unsigned i = 0; i < run->r->n_rows; i++) {
		struct reads_row *row = &run->r->rows[i];

		row->calls = clamp(SLICE_PS / cost_ps(run, row->call->isolated, row->call->clk), CALLS_MIN, CALLS_MAX);
		row->singles = run->r->plan.reads ? share(run->r->plan.reads, run->r->plan.rounds) :
						   singles_of(run, row->call);
		row->single_ps = xcalloc((size_t)run->r->plan.rounds * row->singles, sizeof(row->single_ps[0]));
	}
	run->nothings = singles_of(run, &read_nothing);
}

static void measure_steps(const struct run *run)
{
	struct reads_granularity *to = run->r->steps;

	for (unsigned i = 0; i < run->r->n_rows; i++) {
		const struct read_candidate *call = run->r->rows[i].call;
		struct counter_granularity s;
		double tick_ps;

		if (!call->step_of)
			continue;
		s = granularity_measure(call->read, call->clk);
		tick_ps = call->tick_ps ? (double)call->tick_ps :
					  (double)stopwatch_to_ps(call->clk, TICKS_MANY) / (double)TICKS_MANY;
		to->tick_ps = (int64_t)llround(tick_ps);
		to->step_ps = (int64_t)llround((double)s.step * tick_ps);
		to->least_ps = (int64_t)llround((double)s.least * tick_ps);
		to++;
	}
}

/* Measures rounds that do not count: the first counted round overwrites them. */
static void spin_up(struct run *run)
{
	run->random = run->r->plan.seed;
	run->start_ns = stopwatch_os_ns(CLOCK_MONOTONIC_RAW);
	do
		measure_round(run, 0);
	while (gone_ns(run) < SPIN_UP_NS && worker_step(run->w, 0, run->r->plan.rounds));
}

static void begin(struct run *run)
{
	struct reads *r = run->r;

	r->cpu = sched_getcpu();
	run->stopwatch = &r->watch;
	settle_clocks(run);
	stopwatch_await_rate(run->stopwatch->clk);
	settle_clocks(run);
	run->ps_per_tick = (double)stopwatch_to_ps(run->stopwatch->clk, TICKS_MANY) / (double)TICKS_MANY;
	run->order = xcalloc(r->n_rows, sizeof(run->order[0]));
	run->ticks = xcalloc(clamp(share(r->plan.reads > SINGLES_WANTED ? r->plan.reads : SINGLES_WANTED,
					 r->plan.rounds), CALLS_MIN, READS_SINGLES_MAX), sizeof(run->ticks[0]));
}

void reads_measure(void *data, struct worker *w)
{
	struct run run = { .r = data, .w = w };
	struct reads *r = run.r;

	worker_step(w, 0, r->plan.rounds);
	begin(&run);
	measure_steps(&run);
	size_slices(&run);
	spin_up(&run);
	run.random = run.r->plan.seed;
	run.start_ns = stopwatch_os_ns(CLOCK_MONOTONIC_RAW);
	r->start_unix_ns = stopwatch_os_ns(CLOCK_REALTIME);
	for (uint32_t i = 0; i < r->plan.rounds && worker_step(w, i, r->plan.rounds); i++) {
		measure_round(&run, i);
		atomic_store_explicit(&r->rounds_done, i + 1, memory_order_release);
	}
	free(run.order);
	free(run.ticks);
}

/* ---- Summary ---------------------------------------------------------------------------------------------------- */

static void ratios(const struct reads_row *row, const struct reads_row *base, size_t n, struct stats *ret)
{
	int64_t *v = xcalloc(n, sizeof(v[0]));
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (base->throughput_ps[i] > 0)
			v[used++] = (int64_t)llround((double)row->throughput_ps[i] * PPM /
						     (double)base->throughput_ps[i]);
	stats_of(v, used, ret);
	free(v);
}

bool reads_summarise(void *reads)
{
	struct reads *r = reads;
	uint32_t n = atomic_load_explicit(&r->rounds_done, memory_order_acquire);
	struct stats stopwatch;

	if (!n)
		return false;
	for (unsigned i = 0; i < r->n_rows; i++) {
		struct reads_row *row = &r->rows[i];

		stats_of(row->throughput_ps, n, &row->throughput);
		stats_of(row->isolated_ps, n, &row->isolated);
		stats_of(row->single_ps, (size_t)n * row->singles, &row->single);
		if (r->base)
			ratios(row, r->base, n, &row->ratio);
	}
	stats_of(r->stopwatch_round_ps, n, &stopwatch);
	r->stopwatch_ps = stopwatch.median;
	r->elapsed_ns = r->ended_ns[n - 1];
	return true;
}
