/* SPDX-License-Identifier: MIT */
/* The beginning of a report's page: its results in three numbers, and how far they can be trusted. */
#ifndef HPT_TOOLS_ANSWER_H
#define HPT_TOOLS_ANSWER_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/reads.h"
#include "bench/sweep.h"
#include "cli/disturbance.h"

/*
 * Three tiles: a read, the miss of a sleep, its CPU time, each against the alternatives. NULL: was not measured, and is
 * left out.
 */
void answer_tiles(const struct reads *reads, const struct sweep *sweep, FILE *to);

#define ANSWER_PARTS 3

/*
 * A line on the run: interrupted, disturbed and by whom, short. @disturbances: of reads, sleeps and wakes; NULL: not
 * measured.
 */
void answer_quality(const struct disturbance *const disturbances[ANSWER_PARTS], bool is_interrupted,
			const struct sweep *sweep, FILE *to);

#endif
