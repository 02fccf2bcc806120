/* SPDX-License-Identifier: MIT */
/* The sleeps of a sweep in a file, by which an interrupted run goes on where it stopped: hpt bench sleep --resume. */
#ifndef HPT_TOOLS_SWEEP_STATE_H
#define HPT_TOOLS_SWEEP_STATE_H

#include <stdio.h>

#include "bench/sweep.h"

struct sweep_machine { char s[256]; };

/* What has to be the same in all runs: processor, kernel and source. */
struct sweep_machine sweep_state_machine(const struct sweep *s);

/* Writes the complete rounds. */
void sweep_state_write(const struct sweep *s, const struct sweep_machine *machine, FILE *to);

/* Why a file cannot be used. @line: where, from 1; 0: it is about the whole. */
struct sweep_refusal {
	char why[320];
	unsigned long line;
};

/*
 * Reads such a file into a sweep that is prepared by the same plan, which may have more rounds. False: *ret says why,
 * and the sweep measures all its rounds.
 */
bool sweep_state_read(struct sweep *s, const struct sweep_machine *machine, FILE *from, struct sweep_refusal *ret);

#endif
