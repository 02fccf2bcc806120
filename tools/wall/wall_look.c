// SPDX-License-Identifier: MIT
/* Looks at a wall for a statement: tools/wall/wall_look.h. */
#include "wall/wall_look.h"

#include <time.h>

#include "cli/stopwatch.h"
#include "math/units.h"

/* A look is of one state of the wall, of its clock and of VMClock, or it is repeated. */
#define TRIES 8

/* UTC does not go back: see wall_view.c. */
static bool look_at_realtime(hpt_wall *w, struct wall_facts *f)
{
	struct hpt_wall_time before;

	if (hpt_wall_now(w, &before))
		return false;
	f->unix_ns = stopwatch_os_ns(CLOCK_REALTIME);
	if (hpt_wall_now(w, &f->time) || before.generation != f->time.generation)
		return false;
	f->ahead_min_ns = f->unix_ns - f->time.latest_ns;
	f->ahead_max_ns = f->unix_ns - before.earliest_ns;
	return true;
}

static int64_t coarse_step_ns(void)
{
	struct timespec step;

	return clock_getres(CLOCK_MONOTONIC_COARSE, &step) ? 0 : step.tv_sec * NS_PER_S + step.tv_nsec;
}

/* The marker is one that the wall has seen if it is the same before and after the wall's own look at it. */
static bool is_marker_still(wall_marker_fn *read_marker, uint64_t before)
{
	uint64_t now;

	return !read_marker || (read_marker(&now) && now == before);
}

/*
 * False, and a state without a bound: it is of several moments. The band of rates in the info is of the clock's own
 * rate, which may change too.
 */
static bool look_once(hpt_wall *w, wall_marker_fn *read_marker, struct wall_facts *f)
{
	bool has_bound;

	*f = (struct wall_facts){ .state = HPT_WALL_STATE_NONE, .has_marker = read_marker, .tick = hpt_now(NULL),
				  .mono_ns = stopwatch_os_ns(CLOCK_MONOTONIC_COARSE) - coarse_step_ns(),
				  .unix_ns = stopwatch_os_ns(CLOCK_REALTIME),
				  .ticks_ns = hpt_ticks_to_ns(NULL, WALL_FACTS_TICKS) };
	if (read_marker && !read_marker(&f->marker))
		return false;
	has_bound = look_at_realtime(w, f);
	if (hpt_wall_get_info(w, &f->info, sizeof(f->info)) || !is_marker_still(read_marker, f->marker) ||
	    f->ticks_ns != hpt_ticks_to_ns(NULL, WALL_FACTS_TICKS))
		return false;
	if (has_bound ? f->info.generation != f->time.generation : wall_state_has_bound(f->info.state))
		return false;
	f->state = has_bound ? f->time.state : f->info.state;
	return true;
}

void wall_look(hpt_wall *w, wall_marker_fn *read_marker, struct wall_facts *ret)
{
	for (int tries = 0; tries < TRIES; tries++)
		if (look_once(w, read_marker, ret))
			return;
}
