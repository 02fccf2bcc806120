// SPDX-License-Identifier: MIT
/* The invented candidates: replaces tools/bench/candidates_sleep.c. */
#include "bench/candidates_sleep.h"

const struct sleep_candidate sleep_candidates[CANDIDATES] = {
	[CANDIDATE_UNTIL] = { .name = "hpt_sleep_until_ticks", .is_ours = true },
	[CANDIDATE_FOR] = { .name = "hpt_sleep_ns", .is_ours = true },
	[CANDIDATE_PAPERS] = { .name = "the papers' rule" },
	[CANDIDATE_NANO] = { .name = "nanosleep" },
	[CANDIDATE_ABSOLUTE] = { .name = "clock_nanosleep, slack 1" },
	[CANDIDATE_BUSY] = { .name = "busy wait" },
};
