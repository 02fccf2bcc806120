/* SPDX-License-Identifier: MIT */
/* The ways to sleep that hpt bench sleep compares. */
#ifndef HPT_BENCH_CANDIDATES_SLEEP_H
#define HPT_BENCH_CANDIDATES_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/one_sleep.h"

struct hpt_sleep_candidate {
	const char *name;               /* "hpt_sleep_until" ... */
	bool is_ours;
	unsigned long slack_ns;         /* timer slack to set; 0: the thread's own */
	/*
	 * Sleeps, and fills before, target, entered, left and after. Returns 0, or the HPT_STATE_ that a sleep of
	 * libhpt returned.
	 */
	int (*sleep)(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret);
};

enum {
	HPT_CANDIDATE_UNTIL, HPT_CANDIDATE_FOR, HPT_CANDIDATE_PAPERS, HPT_CANDIDATE_NANO, HPT_CANDIDATE_ABSOLUTE,
	HPT_CANDIDATE_BUSY, HPT_CANDIDATES
};

extern const struct hpt_sleep_candidate hpt_sleep_candidates[HPT_CANDIDATES];

#endif
