/* SPDX-License-Identifier: MIT */
/* The sleeps of a sweep in a file, round by round, so that a run goes on where one ended: hpt bench sleep --resume. */
#ifndef HPT_TOOLS_SWEEP_STATE_H
#define HPT_TOOLS_SWEEP_STATE_H

#include <stdint.h>

#include "bench/sweep.h"

struct sweep_machine { char s[256]; };

/* What has to be the same in all runs: processor, kernel and source. */
struct sweep_machine sweep_state_machine(const struct sweep *s);

/* Why a file cannot be used. @line: where, from 1; 0: it is about the whole. */
struct sweep_refusal {
	char why[320];
	unsigned long line;
};

/* A file that rounds are added to. */
struct sweep_state;

/*
 * Opens such a file, or makes it. The rounds that it has are read into @s, which is prepared by the same plan, may have
 * more rounds, and has its lengths_ticks by the rate as it is known now. A round that is cut off at the end is dropped:
 * its run was killed meanwhile. NULL: *ret says why, the file is as it was, and the sweep measures all its rounds.
 */
struct sweep_state *sweep_state_open(const char *path, struct sweep *s, const struct sweep_machine *machine,
				     struct sweep_refusal *ret);

/* For sweep.keep, with the state as its keeper: the round is in the file when this returns, in full or not at all. */
void sweep_state_add(void *keeper, const struct sweep *s, uint32_t round);

/* Lets another run open the file. NULL: nothing happens. */
void sweep_state_close(struct sweep_state *state);

/* 0, or the negative errno for which the last rounds are missing in the file. Once the sweep has ended. */
int sweep_state_error(const struct sweep_state *state);

#endif
