// SPDX-License-Identifier: MIT
/* Reads a counter back to back, and finds the step in the differences: tools/bench/granularity.h. */
#include "bench/granularity.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "cli/stats.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "cli/util.h"

/* The time for a counter of nanoseconds, and for one that moves with the kernel's jiffy (1 to 10 ms). */
#define TIME_NS     (2 * NS_PER_MS)
#define TIME_MAX_NS (50 * NS_PER_MS)
#define MOVES_MIN   2
#define MOVES_MAX   10000

/*
 * Reads between two checks of the time; and the limit on reads, in case the clock that ends this stands still itself.
 */
#define BATCH     64
#define READS_MAX (1 << 24)

/* ---- The step of given differences ------------------------------------------------------------------------------ */

/* Below this a remainder of 1 is not due to rounding: else 3 and 7 would have a step of 3. */
#define ROUNDED_MIN 8

/* a >= 0, b > 0. */
static int64_t near_gcd(int64_t a, int64_t b)
{
	if (a && a < b)
		return near_gcd(b, a);
	while (b) {
		int64_t rest = a % b;

		if (b >= ROUNDED_MIN && (rest == 1 || rest == b - 1))
			rest = 0;
		a = b;
		b = rest;
	}
	return a;
}

struct cluster {
	int64_t first, last, usual;     /* usual: the most frequent */
	size_t  n;
};

/* The cluster that begins at sorted[0]. */
static struct cluster cluster_at(const int64_t *sorted, size_t n)
{
	struct cluster c = { .first = sorted[0], .usual = sorted[0] };
	size_t run = 0, longest = 0;

	while (c.n < n && (!c.n || sorted[c.n] - sorted[c.n - 1] <= 1)) {
		run = c.n && sorted[c.n] == sorted[c.n - 1] ? run + 1 : 1;
		if (run > longest) {
			longest = run;
			c.usual = sorted[c.n];
		}
		c.n++;
	}
	c.last = sorted[c.n - 1];
	return c;
}

/* Moves of 1, if they are the minority, are added by the CPU and are no steps. */
static int64_t place(const struct cluster *c, size_t n)
{
	return c->last == 1 && c->n < n / 2 ? 0 : c->usual;
}

/* For a counter that moves between most reads. */
static int64_t step_of_clusters(const int64_t *sorted, size_t n, bool stood_still)
{
	int64_t step = 0, before = 0;
	bool has_before = stood_still;
	struct cluster c;

	for (size_t i = 0; i < n; i += c.n) {
		int64_t at;

		c = cluster_at(sorted + i, n - i);
		if (c.last - c.first > 1 || (c.first == 1 && c.last == 2))
			return 1;
		at = place(&c, n);
		if (has_before && at > before)
			step = near_gcd(step, at - before);
		has_before = true;
		before = at;
	}
	return step ? step : before;
}

struct counter_granularity granularity_of(int64_t *moved, size_t n, size_t still)
{
	struct counter_granularity s = { 0 };
	int64_t median;

	if (!n)
		return s;
	stats_sort(moved, n);
	s.least = moved[0];
	median = stats_median(moved, n);
	if (still > n) {
		s.step = median;
		return s;
	}
	while (moved[n - 1] - median > median)
		n--;
	s.step = step_of_clusters(moved, n, still > 0);
	return s;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

struct moves {
	int64_t *v;
	size_t n, still;
};

/* Reads back to back between two checks of the time, not across one. */
static void read_batch(int64_t (*read)(hpt_clock *clk), hpt_clock *clk, struct moves *ret)
{
	int64_t last = read(clk);

	for (int i = 0; i < BATCH && ret->n < MOVES_MAX; i++) {
		int64_t now = read(clk);

		if (now > last)
			ret->v[ret->n++] = now - last;
		else if (now == last)
			ret->still++;
		last = now;
	}
}

struct counter_granularity granularity_measure(int64_t (*read)(hpt_clock *clk), hpt_clock *clk)
{
	struct moves moves = { .v = xcalloc(MOVES_MAX, sizeof(moves.v[0])) };
	int64_t start = stopwatch_os_ns(CLOCK_MONOTONIC_RAW), gone_ns = 0;
	struct counter_granularity s;

	for (int reads = 0; reads < READS_MAX && moves.n < MOVES_MAX; reads += BATCH) {
		if (gone_ns > TIME_MAX_NS || (gone_ns > TIME_NS && moves.n >= MOVES_MIN))
			break;
		read_batch(read, clk, &moves);
		gone_ns = stopwatch_os_ns(CLOCK_MONOTONIC_RAW) - start;
	}
	s = granularity_of(moves.v, moves.n, moves.still);
	free(moves.v);
	return s;
}
