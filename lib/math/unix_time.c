// SPDX-License-Identifier: MIT
/* Ticks to Unix time and back, computed in 128 bits: only a result that does not fit is refused. */
#include "math/unix_time.h"

#include "arch/arch.h"

#include <stdbool.h>

struct hpt_unix_time hpt_unix_time_for(const struct hpt_unix_segment *segment, int64_t t)
{
	struct hpt_unix_time map = {
		.ray = { segment->start, segment->unix_ns, segment->within }, .tick_per_ns = segment->tick_per_ns,
	};

	if ((uint64_t)t - (uint64_t)segment->start < segment->span)
		return map;
	map.ray.slope = segment->beyond;
	if (t > segment->start) {
		map.ray.tick = (int64_t)((uint64_t)segment->start + segment->span);
		map.ray.ns = segment->end_unix_ns;
	}
	return map;
}

int hpt_unix_time_ticks(const struct hpt_unix_time *map, int64_t t, int64_t *ret)
{
	struct hpt_wide since_1970 = hpt_scale_wide(hpt_wide_of(map->ray.ns), map->tick_per_ns);
	struct hpt_wide ticks = hpt_wide_subtract(hpt_wide_of(t), hpt_wide_of(map->ray.tick));

	return hpt_wide_narrow(hpt_wide_add(since_1970, ticks), ret);
}

static COLD bool converts(const struct hpt_unix_time *map, int64_t t)
{
	int64_t unix_ns;

	return !hpt_wide_narrow(hpt_ray_ns(&map->ray, t), &unix_ns);
}

static COLD int64_t middle(int64_t a, int64_t b)
{
	return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
}

COLD int64_t hpt_unix_time_furthest(const struct hpt_unix_time *map, int64_t end)
{
	int64_t inside = map->ray.tick, outside = end;

	if (converts(map, end))
		return end;
	/* Bisection: Unix time never decreases as ticks increase, and the map's own tick converts. */
	for (int64_t m = middle(inside, outside); m != inside && m != outside; m = middle(inside, outside)) {
		if (converts(map, m))
			inside = m;
		else
			outside = m;
	}
	return inside;
}
