// SPDX-License-Identifier: MIT
/* One look at the counter and the clocks: lib/look.h. */
#include "look.h"

#include <string.h>

#include "hpt/hpt.h"

/* Interrupted between its reads a look at the offset says little: it is taken again, if it took longer than this. */
#define OFFSET_NS    2000
#define OFFSET_TRIES 3

struct hpt_offset hpt_look_offset(const struct hpt_source *src)
{
	struct hpt_offset best = { INT64_MIN, INT64_MAX };

	for (int tries = 0; tries < OFFSET_TRIES; tries++) {
		int64_t before_ns = src->clock_ns(CLOCK_MONOTONIC), wall_ns = src->clock_ns(CLOCK_REALTIME);
		int64_t after_ns = src->clock_ns(CLOCK_MONOTONIC);

		if (!tries || after_ns - before_ns < best.hi_ns - best.lo_ns)
			best = (struct hpt_offset){ wall_ns - after_ns - 1, wall_ns - before_ns + 1 }; /* each rounds down */
		if (best.hi_ns - best.lo_ns <= OFFSET_NS)
			break;
	}
	return best;
}

void hpt_look_take(const struct hpt_source *src, struct hpt_look *ret)
{
	struct hpt_offset offset = hpt_look_offset(src);

	memset(ret, 0, sizeof(*ret));
	ret->offset_lo_ns = offset.lo_ns;
	ret->offset_hi_ns = offset.hi_ns;
	if (src->rate.origin != HPT_ORIGIN_EXACT)
		ret->n_raw = hpt_pairs_take(src, CLOCK_MONOTONIC_RAW, ret->raw, HPT_LOOK_PAIRS);
	ret->n_unix = hpt_pairs_take(src, CLOCK_REALTIME, ret->unix_ns, HPT_LOOK_UNIX_PAIRS);
}
