/* SPDX-License-Identifier: MIT */
/* Selects the source of the default clock: a pure function over plain data. */
#ifndef HPT_SELECT_H
#define HPT_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

/* The facts about one source at the time of the choice. Arrays of it are indexed by HPT_SOURCE_. */
struct hpt_candidate {
	bool     usable;         /* opened and counting */
	bool     trusted;        /* the verdict; OS: true */
	uint32_t reason;         /* HPT_REASON_: why not usable, or the verdict's; NONE: nothing against it */
	uint64_t mean_ps;        /* cost of a read; set where the rule between HPET and OS is applied */
	uint64_t stddev_ps;
	uint64_t shortest_ps;    /* the shortest step seen between two reads; UINT64_MAX: none was seen */
};

struct hpt_choice {
	uint32_t source;
	uint32_t reason[HPT_SOURCE_IDS]; /* HPT_REASON_ of each source: why chosen or why not */
	bool     vetoed;                 /* chosen on request against the verdict */
	bool     refused;                /* the request could not be met */
};

/*
 * Fills in *ret. requested is HPT_SOURCE_AUTO, or the source that the environment names. The OS clock is always
 * usable, so the choice always succeeds.
 */
void hpt_select(const struct hpt_candidate candidates[HPT_SOURCE_IDS], uint32_t requested, struct hpt_choice *ret);

#endif
