/* SPDX-License-Identifier: MIT */
/* Which source the default clock runs on: a pure function over plain data. */
#ifndef HPT_SELECT_H
#define HPT_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

/* What is known of one source when the choice is made; index it by HPT_SOURCE_. */
struct hpt_candidate {
	bool     usable;         /* opened and counting */
	bool     trusted;        /* the verdict; OS: true */
	uint32_t reason;         /* why not usable, or the verdict's; NONE: nothing against it */
	uint64_t mean_ps;        /* cost of a read; where HPET and OS are both usable */
	uint64_t stddev_ps;
	uint64_t shortest_ps;    /* smallest step that its reads can tell apart */
};

struct hpt_choice {
	uint32_t source;
	uint32_t reason[HPT_SOURCE_IDS]; /* of each source: why chosen or why not */
	bool     vetoed;                 /* chosen on request against the verdict */
	bool     refused;                /* the request could not be met */
};

/*
 * @requested HPT_SOURCE_AUTO, or the source that HPT_SOURCE names. OS is always usable, so the
 * choice always succeeds.
 */
void hpt_select(const struct hpt_candidate candidates[HPT_SOURCE_IDS], uint32_t requested, struct hpt_choice *ret);

#endif
