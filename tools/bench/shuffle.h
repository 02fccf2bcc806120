/* SPDX-License-Identifier: MIT */
/* Random order, the same for the same seed whatever the C library. */
#ifndef HPT_BENCH_SHUFFLE_H
#define HPT_BENCH_SHUFFLE_H

#include <stdint.h>

/* The state is the seed to begin with: any will do. Returns 0 .. below - 1. */
uint32_t hpt_random_below(uint64_t *state, uint32_t below);

/* order[0 .. n-1] is 0 .. n-1 in an order that is new each time: a fixed one favours some, for who comes behind one that
   burns CPU time is scheduled later. */
void hpt_shuffle(uint64_t *state, unsigned *order, unsigned n);

#endif
