// SPDX-License-Identifier: MIT
/* The source FEED: the program's own samples. hpt_wall_feed(). */
#include <errno.h>

#include "arch/arch.h"
#include "clock/sized.h"
#include "wall/wall_fd.h"
#include "wall/wall_keeper.h"
#include "wall/wall_source.h"

const struct hpt_wall_source_ops hpt_wall_feed_source = { .id = HPT_WALL_SOURCE_FEED };

static bool is_good_sample(const struct hpt_wall_sample *s)
{
	return s->after >= s->before && hpt_wall_is_plausible(s->earliest_ns, s->latest_ns) &&
	       (!s->source || s->source == HPT_WALL_SOURCE_FEED) &&
	       !(s->flags & ~(uint32_t)(HPT_WALL_FLAG_CLAIMED | HPT_WALL_FLAG_SMEARED));
}

COLD int hpt_wall_feed(hpt_wall *w, const struct hpt_wall_sample *sample, size_t size)
{
	struct hpt_wall_reading reading = { .leap = HPT_WALL_LEAP_UNKNOWN };
	int r;

	if (!w || !sample || !hpt_can_take(sample, size, HPT_WALL_SAMPLE_SIZE_V0, sizeof(*sample)) ||
	    !(w->sources & HPT_WALL_SOURCE_FEED) || !is_good_sample(sample))
		return -EINVAL;
	reading.sample = *sample;
	reading.sample.source = HPT_WALL_SOURCE_FEED;
	r = hpt_wall_add(w, &reading);
	if (r != -EINVAL)
		hpt_wall_ring(w);
	return r;
}
