// SPDX-License-Identifier: MIT
/* Carries intervals of UTC from moment to moment: tools/trace/walls.h. */
#include "trace/walls.h"

#include <stdlib.h>

#include "cli/util.h"
#include "math/scale.h"
#include "math/units.h"

/* Clamped. */
static int64_t difference(int64_t a, int64_t b)
{
	int64_t ret;

	return __builtin_sub_overflow(a, b, &ret) ? (a < b ? INT64_MIN : INT64_MAX) : ret;
}

static void widen(struct walls_point *p, int64_t ns)
{
	p->earliest_ns = difference(p->earliest_ns, ns);
	p->latest_ns = hpt_sum(p->latest_ns, ns);
}

void walls_add(struct walls *w, const struct walls_point *point)
{
	if (w->n == w->room) {
		w->room = w->room ? 2 * w->room : 64;
		w->points = xneed(realloc(w->points, w->room * sizeof(*w->points)));
	}
	w->points[w->n] = *point;
	widen(&w->points[w->n++], point->error_ns);
}

void walls_free(struct walls *w)
{
	free(w->points);
	*w = (struct walls){ .rate_ppb = w->rate_ppb };
}

static int compare(const void *a, const void *b)
{
	const struct walls_point *x = a, *y = b;

	if (x->generation != y->generation)
		return x->generation < y->generation ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/*
 * How far UTC and the clock may drift apart over a distance on the clock's line: a clock that is slow by the rate shows
 * less than there was. 1 ns is for the rounding.
 */
static int64_t drift_ns(const struct walls *w, int64_t distance_ns)
{
	double away_ns = distance_ns < 0 ? -(double)distance_ns : (double)distance_ns;
	double drift = away_ns * (double)w->rate_ppb / (double)(PPB - w->rate_ppb);

	return drift < (double)(INT64_MAX / 2) ? (int64_t)drift + 1 : INT64_MAX;
}

/*
 * Narrows `to` by what `from` leaves of it. The errors of both moments are no part of that: each is in its point's own
 * interval once, so that what follows is continuous, and keeps the order of events. Sums saturate: an end that does not
 * fit narrows nothing.
 */
static void narrow(const struct walls *w, struct walls_point *to, const struct walls_point *from)
{
	int64_t distance_ns = difference(to->ns, from->ns), drift = drift_ns(w, distance_ns);
	int64_t earliest_ns = difference(hpt_sum(from->earliest_ns, distance_ns), drift);
	int64_t latest_ns = hpt_sum(hpt_sum(from->latest_ns, distance_ns), drift);

	if (earliest_ns > to->earliest_ns)
		to->earliest_ns = earliest_ns;
	if (latest_ns < to->latest_ns)
		to->latest_ns = latest_ns;
}

static bool is_same_wall(const struct walls_point *a, const struct walls_point *b)
{
	return a->generation == b->generation && a->wall_generation == b->wall_generation;
}

/* The point after `from` joins its group, or begins the next one. */
static void settle_next(struct walls *w, struct walls_point *to, const struct walls_point *from)
{
	struct walls_point narrowed = *to;

	to->group = from->group + 1;
	if (!is_same_wall(to, from))
		return;
	narrow(w, &narrowed, from);
	narrowed.group = from->group;
	if (narrowed.earliest_ns <= narrowed.latest_ns)
		*to = narrowed;
	else if (!w->n_contradictions++)
		w->first_contradiction = to->line;
}

void walls_settle(struct walls *w)
{
	if (!w->n) /* qsort() takes no null pointer */
		return;
	qsort(w->points, w->n, sizeof(*w->points), compare);
	for (size_t i = 1; i < w->n; i++)
		settle_next(w, &w->points[i], &w->points[i - 1]);
	for (size_t i = w->n; i > 1; i--)
		if (w->points[i - 2].group == w->points[i - 1].group)
			narrow(w, &w->points[i - 2], &w->points[i - 1]);
}

/* The number of points that are not after a moment. */
static size_t count_before(const struct walls *w, const struct walls_point *at)
{
	size_t low = 0, high = w->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct walls_point *p = &w->points[middle];

		if (p->generation < at->generation || (p->generation == at->generation && p->ns <= at->ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool walls_at(const struct walls *w, struct walls_point *ret)
{
	size_t next = count_before(w, ret);
	const struct walls_point *before = next > 0 ? &w->points[next - 1] : NULL;
	const struct walls_point *after = next < w->n ? &w->points[next] : NULL;
	bool has_before = before && before->generation == ret->generation;
	bool has_after = after && after->generation == ret->generation &&
			 (!has_before || after->group == before->group);

	ret->earliest_ns = INT64_MIN;
	ret->latest_ns = INT64_MAX;
	if (has_before)
		narrow(w, ret, before);
	if (has_after)
		narrow(w, ret, after);
	widen(ret, ret->error_ns);
	return (has_before || has_after) && ret->earliest_ns > INT64_MIN / 2 && ret->latest_ns < INT64_MAX / 2 &&
	       ret->earliest_ns <= ret->latest_ns;
}
