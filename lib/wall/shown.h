/* SPDX-License-Identifier: MIT */
/*
 * What CLOCK_REALTIME has shown before it was set. It may have shown the same time twice, and how far a time that it
 * showed is away from now is not known across a step. Pure arithmetic.
 */
#ifndef HPT_SHOWN_H
#define HPT_SHOWN_H

#include <stdint.h>

struct hpt_shown {
	uint64_t has_offset;          /* the next two are valid */
	int64_t  lo_ns, hi_ns;        /* CLOCK_REALTIME less CLOCK_MONOTONIC, by all looks since it was last set */
	int64_t  unseen_ns;           /* at the latest look a step of less than this would not have been seen */
	int64_t  until_ns;            /* before it was last set it showed nothing after this; 0: it was not set */
};

/* Notes a look: the offset was between lo_ns and hi_ns, and CLOCK_MONOTONIC reads mono_ns after that. */
void hpt_shown_note(struct hpt_shown *s, int64_t lo_ns, int64_t hi_ns, int64_t mono_ns);

#endif
