// SPDX-License-Identifier: MIT
/* The invented candidates: replaces tools/bench/candidates_sleep.c. */
#include "bench/candidates_sleep.h"

const struct hpt_sleep_candidate hpt_sleep_candidates[HPT_CANDIDATES] = {
	[HPT_CANDIDATE_UNTIL] = { .name = "hpt_sleep_until", .is_ours = true },
	[HPT_CANDIDATE_FOR] = { .name = "hpt_sleep_ns", .is_ours = true },
	[HPT_CANDIDATE_PAPERS] = { .name = "the papers' rule" },
	[HPT_CANDIDATE_NANO] = { .name = "nanosleep" },
	[HPT_CANDIDATE_ABSOLUTE] = { .name = "clock_nanosleep, slack 1" },
	[HPT_CANDIDATE_BUSY] = { .name = "busy wait" },
};
