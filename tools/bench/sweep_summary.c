// SPDX-License-Identifier: MIT
/* Computes the statistics of a sweep: tools/bench/sweep_summary.h. */
#include "bench/sweep_summary.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bench/candidates_sleep.h"
#include "bench/one_sleep.h"
#include "bench/sweep.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "cli/util.h"

/* Samples of one quantity. */
struct pile {
	int64_t *ps;
	size_t n;
};

/* The samples of one set of statistics. Sums of long sweeps in picoseconds exceed 64 bits. */
struct heap {
	const struct sweep *s;
	struct pile miss, deadline_miss, entry, exit;
	size_t early;
	double slept_ps, cpu_ps, user_ps, system_ps;
};

static void put(struct pile *p, int64_t ps)
{
	p->ps[p->n++] = ps;
}

static bool is_early(const struct sleep_times *times, int64_t miss_ticks)
{
	return times->target ? times->after < times->target : miss_ticks < 0;
}

static int64_t miss_ticks_of(const struct sweep *s, unsigned way, uint32_t round, unsigned length)
{
	const struct sleep_times *times = sweep_times(s, way, round, length);

	return times->after - times->before - s->lengths_ticks[length];
}

/* A sleep of libhpt to a given target has no entry. What remains is the last turn of its spin, and its exit. */
static int64_t derived_exit_ticks(const struct sweep *s, uint32_t round, unsigned length)
{
	const struct sleep_times *given = sweep_times(s, CANDIDATE_UNTIL, round, length);

	return given->after - given->target;
}

/* The caller cannot see when hpt_sleep_ns() fixes its target. */
static int64_t derived_entry_ticks(const struct sweep *s, uint32_t round, unsigned length)
{
	return miss_ticks_of(s, CANDIDATE_FOR, round, length) - derived_exit_ticks(s, round, length);
}

static void put_entry_and_exit(struct heap *h, unsigned way, uint32_t round, unsigned length)
{
	const struct sleep_times *times = sweep_times(h->s, way, round, length);

	if (times->entered)
		put(&h->entry, stopwatch_to_ps(h->s->watch.clk, times->entered - times->before));
	else if (way == CANDIDATE_FOR && sweep_has(h->s, CANDIDATE_UNTIL))
		put(&h->entry, stopwatch_to_ps(h->s->watch.clk, derived_entry_ticks(h->s, round, length)));
	if (times->left)
		put(&h->exit, stopwatch_to_ps(h->s->watch.clk, times->after - times->left));
	else if (sleep_candidates[way].is_ours && sweep_has(h->s, CANDIDATE_UNTIL))
		put(&h->exit, stopwatch_to_ps(h->s->watch.clk, derived_exit_ticks(h->s, round, length)));
}

static void put_sample(struct heap *h, unsigned way, uint32_t round, unsigned length)
{
	const struct sleep_times *times = sweep_times(h->s, way, round, length);
	int64_t miss_ticks = miss_ticks_of(h->s, way, round, length);

	put(&h->miss, stopwatch_to_ps(h->s->watch.clk, miss_ticks));
	if (times->target)
		put(&h->deadline_miss, stopwatch_to_ps(h->s->watch.clk, times->after - times->target));
	put_entry_and_exit(h, way, round, length);
	h->early += is_early(times, miss_ticks);
	h->slept_ps += (double)stopwatch_to_ps(h->s->watch.clk, times->after - times->before);
	h->cpu_ps += (double)times->cpu_ns * PS_PER_NS;
	h->user_ps += (double)times->user_us * PS_PER_US;
	h->system_ps += (double)times->system_us * PS_PER_US;
}

static int64_t ppm_of(double part, double whole)
{
	return whole > 0 ? (int64_t)llround(part / whole * PPM) : 0;
}

static void add_up(const struct heap *h, unsigned way, struct sweep_stats *ret)
{
	ret->sleeps = h->miss.n;
	ret->early = h->early;
	stats_of(h->miss.ps, h->miss.n, &ret->miss);
	stats_of(h->deadline_miss.ps, h->deadline_miss.n, &ret->deadline_miss);
	stats_of(h->entry.ps, h->entry.n, &ret->entry);
	stats_of(h->exit.ps, h->exit.n, &ret->exit);
	ret->entry_is_derived = ret->entry.count > 0 && way == CANDIDATE_FOR;
	ret->exit_is_derived = ret->exit.count > 0 && sleep_candidates[way].is_ours;
	ret->cpu_ppm = ppm_of(h->cpu_ps, h->slept_ps);
	ret->user_ppm = ppm_of(h->user_ps, h->slept_ps);
	ret->system_ppm = ppm_of(h->system_ps, h->slept_ps);
	ret->split_us = (int64_t)((h->user_ps + h->system_ps) / PS_PER_US);
}

/* Statistics of n lengths from the first on. Lengths decrease, so that a band is a run of them. */
static void summarise_lengths(const struct sweep *s, int64_t *room, unsigned way, unsigned first, unsigned n,
		   struct sweep_stats *ret)
{
	uint32_t rounds = sweep_rounds(s, 0); /* no other length has more */
	size_t most = (size_t)rounds * s->n_lengths;
	struct heap h = {
		.s = s, .miss.ps = room, .deadline_miss.ps = room + most, .entry.ps = room + 2 * most,
		.exit.ps = room + 3 * most,
	};

	for (uint32_t round = 0; round < rounds; round++)
		for (unsigned length = first; length < first + n && round < sweep_rounds(s, length); length++)
			put_sample(&h, way, round, length);
	add_up(&h, way, ret);
}

static unsigned count_long(const struct sweep *s)
{
	unsigned n = 0;

	while (n < s->n_lengths && s->lengths_ns[n] >= s->jiffy_ns)
		n++;
	return n;
}

bool sweep_summarise(void *sweep)
{
	struct sweep *s = sweep;
	unsigned n_long = count_long(s);
	int64_t *room;

	if (!sweep_rounds(s, 0))
		return false;
	room = xcalloc((size_t)sweep_rounds(s, 0) * s->n_lengths, 4 * sizeof(room[0]));
	s->bands = xcalloc(s->n_ways, sizeof(s->bands[0]));
	s->lengths = xcalloc(s->n_ways, sizeof(s->lengths[0]));
	for (unsigned way = 0; way < s->n_ways; way++) {
		if (!sweep_has(s, way))
			continue;
		summarise_lengths(s, room, way, 0, s->n_lengths, &s->bands[way][BAND_ALL]);
		summarise_lengths(s, room, way, 0, n_long, &s->bands[way][BAND_LONG]);
		summarise_lengths(s, room, way, n_long, s->n_lengths - n_long, &s->bands[way][BAND_SHORT]);
		for (unsigned length = 0; length < s->n_lengths; length++)
			summarise_lengths(s, room, way, length, 1, &s->lengths[way][length]);
	}
	free(room);
	return true;
}
