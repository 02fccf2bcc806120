// SPDX-License-Identifier: MIT
/*
 * Lets hpt_ticker_wait() and clock_nanosleep() to absolute times keep a period, in turns. Measures how late after the
 * tick each call returns, how much CPU time it takes, and whether the ticks move. Tick n is due n periods after the
 * start, on the timeline that each follows: hpt_now_ns() or CLOCK_MONOTONIC. All ticks of a run count from one start;
 * those during another keeper's turn pass unused.
 */
#include "bench/period.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "hpt/hpt.h"

#include "bench/shuffle.h"
#include "bench/wakes_run.h"
#include "cli/err.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "cli/util.h"

/* Number of tickers made, to find the one whose start is known best. */
#define STARTS 1000

/*
 * The time of a chunk, which is published at once and has at least one tick, and the chunks of a turn: a quarter of a
 * second or more.
 */
#define CHUNK_NS     (NS_PER_S / 20)
#define CHUNKS       5

/*
 * The first calls of a turn consume ticks that passed before it, and do not count: one is due at once, one is cut
 * short.
 */
#define SETTLING_TICKS 2

/* Number of reads of a timeline between two readings of the stopwatch; the narrowest bracket counts. */
#define BRACKETS 2

enum { OURS, KERNEL, KERNEL_SLACK_1 };

static const struct {
	const char *name;
	unsigned long slack_ns;         /* 0: the thread's own */
} kinds[WAKES_KEEPERS] = {
	[OURS] = { "hpt_ticker_wait", 0 },
	[KERNEL] = { "clock_nanosleep", 0 },
	[KERNEL_SLACK_1] = { "clock_nanosleep, slack 1", 1 },
};

struct run {
	struct wakes_run *run;
	hpt_ticker *ticker;
	int64_t period_ns;
	int64_t start_ns[WAKES_KEEPERS];    /* on its own timeline */
	int64_t tick[WAKES_KEEPERS];        /* the latest tick that it ended on */
	uint32_t disturbed;                     /* disturbed waits of the current chunk */
};

/* ---- One tick --------------------------------------------------------------------------------------------------- */

static int64_t now_ns(unsigned which)
{
	return which == OURS ? hpt_now_ns(NULL) : stopwatch_os_ns(CLOCK_MONOTONIC);
}

/*
 * Ends on the next tick, or at once on the latest that is due. Both functions return the stopwatch's reading at the
 * end.
 */
static int64_t await_ours(struct run *r, uint64_t *ret_missed)
{
	hpt_clock *clk = r->run->clk;
	const bool is_tsc = r->run->is_tsc;
	int result;
	int64_t ended;

	*ret_missed = 0;
	result = hpt_ticker_wait(r->ticker, ret_missed);
	ended = stopwatch_by(is_tsc, clk);
	r->disturbed += result != 0;
	return ended;
}

static int64_t await_kernels(struct run *r, unsigned which, uint64_t *ret_missed)
{
	hpt_clock *clk = r->run->clk;
	const bool is_tsc = r->run->is_tsc;
	int64_t due = (now_ns(which) - r->start_ns[which]) / r->period_ns, next = r->tick[which] + 1, until_ns;
	struct timespec ts;

	*ret_missed = due > next ? (uint64_t)(due - next) : 0;
	until_ns = r->start_ns[which] + (next + (int64_t)*ret_missed) * r->period_ns;
	ts = (struct timespec){ (time_t)(until_ns / NS_PER_S), (long)(until_ns % NS_PER_S) };
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
	return stopwatch_by(is_tsc, clk);
}

/*
 * The time on the keeper's timeline at @ended, minus the tick. After a sleep a read of the timeline takes up to 0.3 us,
 * because it is not in the caches, which is no lateness. So it is read once in vain, then between two readings of the
 * stopwatch, and the ticks that the stopwatch counted since @ended are subtracted.
 */
static int64_t late_ps(const struct run *r, unsigned which, int64_t ended)
{
	int64_t least = INT64_MAX, at = 0, ns = 0;

	now_ns(which);
	for (int i = 0; i < BRACKETS; i++) {
		int64_t before = stopwatch_by(r->run->is_tsc, r->run->clk), read_ns = now_ns(which);
		int64_t took = stopwatch_by(r->run->is_tsc, r->run->clk) - before;

		if (took >= least)
			continue;
		least = took;
		at = before + took / 2;
		ns = read_ns;
	}
	ns -= r->start_ns[which] + r->tick[which] * r->period_ns;
	return ns * PS_PER_NS - stopwatch_to_ps(r->run->clk, at - ended);
}

static uint64_t await_tick(struct run *r, unsigned which, int64_t *ret_late_ps)
{
	uint64_t missed;
	int64_t ended = which == OURS ? await_ours(r, &missed) : await_kernels(r, which, &missed);

	r->tick[which] += (int64_t)missed + 1;
	*ret_late_ps = late_ps(r, which, ended);
	return missed;
}

/* ---- Turns ------------------------------------------------------------------------------------------------------ */

static size_t chunk_ticks(int64_t period_ns)
{
	return period_ns < CHUNK_NS ? (size_t)(CHUNK_NS / period_ns) : 1;
}

static bool take_chunk(struct run *r, unsigned which, size_t done, size_t ticks)
{
	struct wakes_keeper *k = &r->run->s->keepers[which];
	int64_t cpu_ns = stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID), elapsed_ns = stopwatch_os_ns(CLOCK_MONOTONIC_RAW);
	uint64_t missed = 0;

	r->disturbed = 0;
	for (size_t i = 0; i < ticks; i++)
		missed += await_tick(r, which, &k->late_ps[done + i]);
	cpu_ns = stopwatch_os_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	elapsed_ns = stopwatch_os_ns(CLOCK_MONOTONIC_RAW) - elapsed_ns;
	if (!wakes_run_step(r->run, (int64_t)ticks * r->period_ns))
		return false;
	k->cpu_ns += cpu_ns;
	k->elapsed_ns += elapsed_ns;
	k->missed += missed;
	r->run->s->disturbed += r->disturbed;
	atomic_store_explicit(&k->done, done + ticks, memory_order_release);
	return true;
}

static bool settle(struct run *r, unsigned which)
{
	for (int i = 0; i < SETTLING_TICKS; i++) {
		int64_t late;

		await_tick(r, which, &late);
		if (!wakes_run_step(r->run, r->period_ns))
			return false;
	}
	return true;
}

static bool take_turn(struct run *r, unsigned which)
{
	struct wakes_keeper *k = &r->run->s->keepers[which];
	size_t most = chunk_ticks(r->period_ns);

	prctl(PR_SET_TIMERSLACK, kinds[which].slack_ns, 0, 0, 0);
	if (!settle(r, which))
		return false;
	for (int i = 0; i < CHUNKS; i++) {
		size_t done = atomic_load_explicit(&k->done, memory_order_relaxed), left = k->n - done;

		if (left && !take_chunk(r, which, done, left < most ? left : most))
			return false;
	}
	return true;
}

static bool take_turns(struct run *r)
{
	unsigned order[WAKES_KEEPERS] = { OURS, KERNEL, KERNEL_SLACK_1 };
	const struct wakes_keeper *ours = &r->run->s->keepers[OURS];

	while (atomic_load_explicit(&ours->done, memory_order_relaxed) < ours->n) {
		shuffle(&r->run->random, order, WAKES_KEEPERS);
		for (unsigned i = 0; i < WAKES_KEEPERS; i++)
			if (!take_turn(r, order[i]))
				return false;
	}
	return true;
}

/* ---- The start -------------------------------------------------------------------------------------------------- */

static hpt_ticker *make_ticker(int64_t period_ns)
{
	hpt_ticker *made;

	if (hpt_ticker_new(NULL, period_ns, 0, &made)) {
		err_print("out of memory");
		exit(EXIT_FAILURE);
	}
	return made;
}

/*
 * The ticker's start lies within the call that makes it, so that the shortest of many such calls bounds it best.
 * Returns the duration of that call, in ns.
 */
static int64_t start_ticker(struct run *r)
{
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < STARTS; i++) {
		int64_t before = hpt_now_ns(NULL), took;
		hpt_ticker *made = make_ticker(r->period_ns);

		took = hpt_now_ns(NULL) - before;
		if (took < least) {
			hpt_ticker *other = r->ticker;

			r->ticker = made;
			made = other;
			r->start_ns[OURS] = before;
			least = took;
		}
		hpt_ticker_free(made);
	}
	return least;
}

/* No tick comes before its time, which also bounds the start. Takes the middle of the bounds. */
void period_settle_start(struct wakes *s)
{
	struct wakes_keeper *k = &s->keepers[OURS];
	size_t n = atomic_load_explicit(&k->done, memory_order_acquire);
	int64_t doubt = s->start_took_ps;

	if (!n || !s->start_took_ps)
		return;
	for (size_t i = 0; i < n; i++)
		doubt = k->late_ps[i] < doubt ? k->late_ps[i] : doubt;
	if (doubt < 0) /* a tick did come early: the report must show it */
		doubt = 0;
	for (size_t i = 0; i < n; i++)
		k->late_ps[i] -= doubt / 2;
	s->start_doubt_ps = doubt / 2;
	s->start_took_ps = 0;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

bool period_measure(struct wakes_run *run)
{
	struct run r = { .run = run, .period_ns = run->s->plan.period_ns };
	bool go_on;

	run->s->start_took_ps = start_ticker(&r) * 1000;
	r.start_ns[KERNEL] = r.start_ns[KERNEL_SLACK_1] = stopwatch_os_ns(CLOCK_MONOTONIC);
	go_on = take_turns(&r);
	prctl(PR_SET_TIMERSLACK, 0, 0, 0, 0);
	hpt_ticker_free(r.ticker);
	return go_on;
}

int64_t period_estimate_ns(const struct wakes *s)
{
	int64_t chunk = (int64_t)chunk_ticks(s->plan.period_ns), ticks = s->plan.ticker_ns / s->plan.period_ns;
	int64_t turns = (ticks + CHUNKS * chunk - 1) / (CHUNKS * chunk);

	return s->n_keepers * (ticks + SETTLING_TICKS * turns) * s->plan.period_ns;
}

void period_prepare(struct wakes *s)
{
	s->n_keepers = WAKES_KEEPERS;
	for (unsigned i = 0; i < WAKES_KEEPERS; i++) {
		struct wakes_keeper *k = &s->keepers[i];

		k->name = kinds[i].name;
		k->n = (size_t)(s->plan.ticker_ns / s->plan.period_ns);
		k->late_ps = xcalloc(k->n, sizeof(k->late_ps[0]));
	}
}
