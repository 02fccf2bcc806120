// SPDX-License-Identifier: MIT
/* Carries intervals of UTC from moment to moment: tools/trace/walls.h. */
#include "trace/walls.h"

#include <stdlib.h>

#include "cli/util.h"
#include "math/scale.h"
#include "math/units.h"

void walls_add(struct walls *w, const struct walls_point *point)
{
	if (w->n == w->room) {
		w->room = w->room ? 2 * w->room : 64;
		w->points = xneed(realloc(w->points, w->room * sizeof(*w->points)));
	}
	w->points[w->n++] = *point;
}

void walls_free(struct walls *w)
{
	free(w->points);
	*w = (struct walls){ 0 };
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

static int64_t difference(int64_t a, int64_t b)
{
	int64_t ret;

	return __builtin_sub_overflow(a, b, &ret) ? (a < b ? INT64_MIN : INT64_MAX) : ret;
}

/*
 * Narrows `to` by what `from` leaves of it: UTC went on by the distance, less or more by the rate's error over it and
 * by the errors of both moments, and 1 ns for the rounding. Sums saturate: an end that does not fit narrows nothing.
 */
static void narrow(struct walls_point *to, const struct walls_point *from)
{
	int64_t distance_ns = difference(to->ns, from->ns);
	double away_ns = distance_ns < 0 ? -(double)distance_ns : (double)distance_ns;
	double rate_ns = away_ns * WALLS_RATE_PPB / (double)PPB;
	int64_t slack_ns = hpt_sum(hpt_sum(from->error_ns, to->error_ns), (int64_t)rate_ns + 2);
	int64_t earliest_ns = hpt_sum(hpt_sum(from->earliest_ns, distance_ns), -slack_ns);
	int64_t latest_ns = hpt_sum(hpt_sum(from->latest_ns, distance_ns), slack_ns);

	if (earliest_ns > to->earliest_ns)
		to->earliest_ns = earliest_ns;
	if (latest_ns < to->latest_ns)
		to->latest_ns = latest_ns;
}

/* Narrows by the one before, where that is of the generation. Returns the line if nothing is left. */
static uintmax_t narrow_next(struct walls_point *to, const struct walls_point *from)
{
	if (to->generation == from->generation)
		narrow(to, from);
	return to->latest_ns < to->earliest_ns ? to->line : 0;
}

uintmax_t walls_settle(struct walls *w)
{
	uintmax_t line = 0;

	qsort(w->points, w->n, sizeof(*w->points), compare);
	for (size_t i = 1; i < w->n && !line; i++)
		line = narrow_next(&w->points[i], &w->points[i - 1]);
	for (size_t i = w->n; i > 1 && !line; i--)
		line = narrow_next(&w->points[i - 2], &w->points[i - 1]);
	return line;
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
	size_t after = count_before(w, ret);
	bool has_before = after > 0 && w->points[after - 1].generation == ret->generation;
	bool has_after = after < w->n && w->points[after].generation == ret->generation;

	ret->earliest_ns = INT64_MIN;
	ret->latest_ns = INT64_MAX;
	if (has_before)
		narrow(ret, &w->points[after - 1]);
	if (has_after)
		narrow(ret, &w->points[after]);
	return (has_before || has_after) && ret->earliest_ns > INT64_MIN / 2 && ret->latest_ns < INT64_MAX / 2 &&
	       ret->earliest_ns <= ret->latest_ns;
}
