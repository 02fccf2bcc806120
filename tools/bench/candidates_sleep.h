/* SPDX-License-Identifier: MIT */
/* The ways to sleep that hpt bench sleep compares. */
#ifndef HPT_TOOLS_CANDIDATES_SLEEP_H
#define HPT_TOOLS_CANDIDATES_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/one_sleep.h"

struct sleep_candidate {
	const char *name;               /* "hpt_sleep_until_ticks" ... */
	bool is_ours;
	unsigned long slack_ns;         /* timer slack to set; 0: the thread's own */
	/*
	 * Sleeps, and fills before, target, entered, left and after. Returns 0, or the HPT_STATE_ that a sleep of
	 * libhpt returned.
	 */
	int (*sleep)(const struct sleep_length *asked, struct sleep_times *ret);
};

enum {
	CANDIDATE_UNTIL, CANDIDATE_FOR, CANDIDATE_PAPERS, CANDIDATE_NANO, CANDIDATE_ABSOLUTE,
	CANDIDATE_BUSY, CANDIDATES
};

extern const struct sleep_candidate sleep_candidates[CANDIDATES];

#endif
