// SPDX-License-Identifier: MIT
/* Wakes that sleeps share: lib/preload/grid.h. */
#include "preload/grid.h"

/* Sleeps share a wake at most so far apart, however long the slack was. */
#define GRID_MOST_NS 100000

int64_t hpt_grid_of(int64_t slack_ns)
{
	if (slack_ns < 0)
		return 0;
	return slack_ns < GRID_MOST_NS ? slack_ns : GRID_MOST_NS;
}

int64_t hpt_grid_next_ns(int64_t at_ns, int64_t grid_ns)
{
	int64_t past_ns = grid_ns > 0 ? at_ns % grid_ns : 0;

	return past_ns > 0 && at_ns <= INT64_MAX - grid_ns ? at_ns - past_ns + grid_ns : at_ns;
}
