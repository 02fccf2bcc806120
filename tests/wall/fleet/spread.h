/* SPDX-License-Identifier: MIT */
/* How times are spread: a histogram with 32 steps in each factor of two. */
#ifndef HPT_FLEET_SPREAD_H
#define HPT_FLEET_SPREAD_H

#include <stdint.h>

#define SPREAD_STEPS 32

struct spread {
	uint64_t n;
	uint64_t counts[64 * SPREAD_STEPS];
};

/* ns is not negative. */
void spread_add(struct spread *s, int64_t ns);

/* The value that this share of all does not exceed, up to 3 % too large; -1: there are no values. */
int64_t spread_at(const struct spread *s, double share);

#endif
