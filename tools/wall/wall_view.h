/* SPDX-License-Identifier: MIT */
/* One look through a wall: the interval, what each source gave, and how far CLOCK_REALTIME is off UTC. */
#ifndef HPT_TOOLS_WALL_VIEW_H
#define HPT_TOOLS_WALL_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "wall/chrony_advice.h"

/* All but FEED, which is a program's own. */
#define WALL_VIEW_FIRST   HPT_WALL_SOURCE_CLOCKBOUND
#define WALL_VIEW_LAST    HPT_WALL_SOURCE_FBCLOCK
#define WALL_VIEW_SOURCES 6

struct wall_view {
	int64_t at_ns;              /* since the wall was opened */
	int64_t realtime_ns;        /* CLOCK_REALTIME */
	bool has_bound;
	struct hpt_wall_time time;  /* valid with has_bound */
	int64_t ahead_min_ns, ahead_max_ns; /* likewise: CLOCK_REALTIME less UTC is between the two */
	struct hpt_wall_info wall;
	struct hpt_wall_source_info sources[WALL_VIEW_SOURCES];
	struct chrony_advice advice;
};

/* Asks the sources, and looks. False: the library found at run time is older than this command. */
bool wall_view_take(hpt_wall *w, struct wall_view *ret);

static inline const struct hpt_wall_source_info *wall_view_source(const struct wall_view *v, uint32_t id)
{
	uint32_t i = 0;

	while ((uint32_t)WALL_VIEW_FIRST << i != id)
		i++;
	return &v->sources[i];
}

static inline uint32_t wall_view_state(const struct wall_view *v)
{
	return v->has_bound ? v->time.state : v->wall.state;
}

static inline uint64_t wall_view_generation(const struct wall_view *v)
{
	return v->has_bound ? v->time.generation : v->wall.generation;
}

static inline uint32_t wall_view_flags(const struct wall_view *v)
{
	return v->has_bound ? v->time.flags : v->wall.flags;
}

static inline int64_t wall_view_width_ns(const struct wall_view *v)
{
	return v->time.latest_ns - v->time.earliest_ns;
}

/* Is the interval wider than this? 0: no limit. */
static inline bool wall_view_is_wide(const struct wall_view *v, int64_t max_width_ns)
{
	return v->has_bound && max_width_ns && wall_view_width_ns(v) > max_width_ns;
}

#endif
