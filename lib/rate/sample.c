// SPDX-License-Identifier: MIT
/* One look at the counter and the clocks: lib/rate/sample.h. */
#include "rate/sample.h"

#include <string.h>

#include "hpt/hpt.h"

/* Interrupted between its reads a look at the offset says little: it is taken again, if it took longer than this. */
#define OFFSET_NS    2000
#define OFFSET_TRIES 3

#define SAMPLE_TRIES 3

struct hpt_wall_offset hpt_wall_offset_take(const struct hpt_source *src)
{
	struct hpt_wall_offset best = { INT64_MIN, INT64_MAX };

	for (int tries = 0; tries < OFFSET_TRIES; tries++) {
		int64_t before_ns = src->clock_ns(CLOCK_MONOTONIC), wall_ns = src->clock_ns(CLOCK_REALTIME);
		int64_t after_ns = src->clock_ns(CLOCK_MONOTONIC);

		if (!tries || after_ns - before_ns < best.hi_ns - best.lo_ns)
			best = (struct hpt_wall_offset){ wall_ns - after_ns - 1, wall_ns - before_ns + 1 }; /* each rounds down */
		if (best.hi_ns - best.lo_ns <= OFFSET_NS)
			break;
	}
	return best;
}

/* Returns what the offset was while the pairs were taken. */
static struct hpt_wall_offset take_pairs(const struct hpt_source *src, struct hpt_samples *ret)
{
	int64_t before_ns, wall_ns;

	if (src->rate.origin != HPT_ORIGIN_EXACT)
		ret->n_raw = hpt_brackets_take(src, CLOCK_MONOTONIC_RAW, ret->raw, HPT_SAMPLE_RAW_BRACKETS);
	before_ns = src->clock_ns(CLOCK_MONOTONIC);
	ret->n_unix = hpt_brackets_take(src, CLOCK_REALTIME, ret->unix_ns, HPT_SAMPLE_UNIX_BRACKETS);
	wall_ns = ret->unix_ns[ret->n_unix - 1].ref_ns;
	return (struct hpt_wall_offset){ wall_ns - src->clock_ns(CLOCK_MONOTONIC) - 1, wall_ns - before_ns + 1 };
}

/* A step of the wall clock between offset and pairs would be taken for rate: what was seen apart is looked at again. */
void hpt_samples_take(const struct hpt_source *src, struct hpt_samples *ret)
{
	struct hpt_wall_offset offset;

	memset(ret, 0, sizeof(*ret));
	for (int tries = 0; tries < SAMPLE_TRIES; tries++) {
		offset = hpt_wall_offset_take(src);
		ret->offset_lo_ns = offset.lo_ns;
		ret->offset_hi_ns = offset.hi_ns;
		if (!hpt_wall_offset_differs(take_pairs(src, ret), offset))
			break;
	}
}
