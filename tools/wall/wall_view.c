// SPDX-License-Identifier: MIT
/* Asks a wall for all that a person can know of it: tools/wall/wall_view.h. */
#include "wall/wall_view.h"

#include <time.h>

#include "cli/stopwatch.h"

/* A thread that loses its CPU between two reads gets a wide bracket. */
#define BRACKETS 8

/*
 * UTC does not go back, so that between the two looks it was after the first one's earliest time and before the second
 * one's latest time. False: there is no bound.
 */
static bool bracket_realtime(hpt_wall *w, struct wall_view *ret)
{
	struct hpt_wall_time before;
	int64_t realtime_ns;

	if (hpt_wall_now(w, &before))
		return false;
	realtime_ns = stopwatch_os_ns(CLOCK_REALTIME);
	if (hpt_wall_now(w, &ret->time))
		return false;
	ret->ahead_min_ns = realtime_ns - ret->time.latest_ns;
	ret->ahead_max_ns = realtime_ns - before.earliest_ns;
	return true;
}

static bool is_narrower(const struct wall_view *a, const struct wall_view *b)
{
	return a->ahead_max_ns - a->ahead_min_ns < b->ahead_max_ns - b->ahead_min_ns;
}

/* Keeps the narrowest bracket; none, if the bound was lost meanwhile. */
static void look(hpt_wall *w, struct wall_view *ret)
{
	for (int i = 0; i < BRACKETS; i++) {
		struct wall_view one = *ret;

		one.has_bound = bracket_realtime(w, &one);
		if (i == 0 || !one.has_bound || is_narrower(&one, ret))
			*ret = one;
		if (!one.has_bound)
			return;
	}
}

bool wall_view_take(hpt_wall *w, struct wall_view *ret)
{
	*ret = (struct wall_view){ 0 };
	hpt_wall_update(w);
	ret->realtime_ns = stopwatch_os_ns(CLOCK_REALTIME);
	look(w, ret);
	if (hpt_wall_get_info(w, &ret->wall, sizeof(ret->wall)))
		return false;
	for (uint32_t i = 0; i < WALL_VIEW_SOURCES; i++)
		if (hpt_wall_source_get_info(w, WALL_VIEW_FIRST << i, &ret->sources[i], sizeof(ret->sources[i])))
			return false;
	return true;
}
