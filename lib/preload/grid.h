/* SPDX-License-Identifier: MIT */
/* Wakes that many sleeps share, in place of the timer slack that "hpt run" took away. Pure functions. */
#ifndef HPT_GRID_H
#define HPT_GRID_H

#include <stdint.h>

/* How far apart such wakes are: as far as a slack allows. 0: it allows none. */
int64_t hpt_grid_of(int64_t slack_ns);

/* The first such wake from at_ns on; at_ns where the grid is 0. */
int64_t hpt_grid_next_ns(int64_t at_ns, int64_t grid_ns);

#endif
