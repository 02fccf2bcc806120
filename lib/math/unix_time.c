// SPDX-License-Identifier: MIT
/* Ticks to Unix time and back, computed in 128 bits: only a result that does not fit is refused. */
#include "math/unix_time.h"

#include "arch/arch.h"

#include <stdbool.h>

static struct hpt_wide difference(int64_t a, int64_t b)
{
	return hpt_wide_subtract(hpt_wide_of(a), hpt_wide_of(b));
}

struct hpt_unix_time hpt_unix_time_for(const struct hpt_unix_segment *segment, int64_t t)
{
	struct hpt_unix_time map = { segment->start, segment->unix_ns, segment->within, segment->tick_per_ns };

	if ((uint64_t)t - (uint64_t)segment->start < segment->span)
		return map;
	map.ns_per_tick = segment->beyond;
	if (t > segment->start) {
		map.tick = (int64_t)((uint64_t)segment->start + segment->span);
		map.unix_ns = segment->end_unix_ns;
	}
	return map;
}

struct hpt_wide hpt_unix_time_ns(const struct hpt_unix_time *map, int64_t t)
{
	struct hpt_wide age_ns = hpt_scale_wide(difference(t, map->tick), map->ns_per_tick);

	return hpt_wide_add(age_ns, hpt_wide_of(map->unix_ns));
}

int hpt_unix_time_tick(const struct hpt_unix_time *map, struct hpt_wide unix_ns, int64_t *ret)
{
	struct hpt_wide age_ns = hpt_wide_subtract(unix_ns, hpt_wide_of(map->unix_ns));

	/* Division, not the inverse factor, makes this the inverse of hpt_unix_time_ns() to the last tick. */
	return hpt_wide_narrow(hpt_wide_add(hpt_scale_divide(age_ns, map->ns_per_tick), hpt_wide_of(map->tick)), ret);
}

int hpt_unix_time_ticks(const struct hpt_unix_time *map, int64_t t, int64_t *ret)
{
	struct hpt_wide since_1970 = hpt_scale_wide(hpt_wide_of(map->unix_ns), map->tick_per_ns);

	return hpt_wide_narrow(hpt_wide_add(since_1970, difference(t, map->tick)), ret);
}

static COLD bool converts(const struct hpt_unix_time *map, int64_t t)
{
	int64_t unix_ns;

	return !hpt_wide_narrow(hpt_unix_time_ns(map, t), &unix_ns);
}

static COLD int64_t middle(int64_t a, int64_t b)
{
	return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
}

COLD int64_t hpt_unix_time_furthest(const struct hpt_unix_time *map, int64_t end)
{
	int64_t inside = map->tick, outside = end;

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
