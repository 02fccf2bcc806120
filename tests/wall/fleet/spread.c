// SPDX-License-Identifier: MIT
/* Histograms of times: spread.h. */
#include "spread.h"

#include <math.h>

/* Below SPREAD_STEPS each value has a place of its own. */
static uint32_t place_of(uint64_t v)
{
	uint32_t octave;

	if (v < SPREAD_STEPS)
		return (uint32_t)v;
	octave = 63 - (uint32_t)__builtin_clzll(v / SPREAD_STEPS);
	return (octave + 1) * SPREAD_STEPS + (uint32_t)(v >> octave) - SPREAD_STEPS;
}

static int64_t most_at(uint32_t place)
{
	uint32_t octave = place / SPREAD_STEPS;

	if (!octave)
		return place;
	return (int64_t)(((uint64_t)(place % SPREAD_STEPS + SPREAD_STEPS + 1) << (octave - 1)) - 1);
}

void spread_add(struct spread *s, int64_t ns)
{
	s->counts[place_of((uint64_t)ns)]++;
	s->n++;
}

int64_t spread_at(const struct spread *s, double share)
{
	uint64_t wanted = (uint64_t)ceil(share * (double)s->n), seen = 0;

	for (uint32_t i = 0; s->n; i++) {
		seen += s->counts[i];
		if (seen && seen >= wanted)
			return most_at(i);
	}
	return -1;
}
