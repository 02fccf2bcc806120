// SPDX-License-Identifier: MIT
/* Shuffles by Vigna's splitmix64 and by Fisher and Yates's method: tools/bench/shuffle.h. */
#include "bench/shuffle.h"

static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint32_t shuffle_below(uint64_t *state, uint32_t below)
{
	return (uint32_t)(next(state) % below);
}

void shuffle(uint64_t *state, unsigned *order, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		order[i] = i;
	for (unsigned i = n; i > 1; i--) {
		unsigned j = shuffle_below(state, i), was = order[i - 1];

		order[i - 1] = order[j];
		order[j] = was;
	}
}
