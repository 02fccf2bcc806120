/* SPDX-License-Identifier: MIT */
/* Random order, which depends on the seed alone and not on the C library. */
#ifndef HPT_TOOLS_SHUFFLE_H
#define HPT_TOOLS_SHUFFLE_H

#include <stdint.h>

/* Returns 0 .. below - 1. *state: any seed at first. */
uint32_t shuffle_below(uint64_t *state, uint32_t below);

/*
 * Fills order[0 .. n-1] with 0 .. n-1 in a fresh random order. A fixed order would favour some candidates, for one that
 * follows a busy wait is scheduled later.
 */
void shuffle(uint64_t *state, unsigned *order, unsigned n);

#endif
