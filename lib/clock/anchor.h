/* SPDX-License-Identifier: MIT */
/* A clock's anchor: the brackets taken at load, from which the rate is later computed. */
#ifndef HPT_ANCHOR_H
#define HPT_ANCHOR_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/sample.h"

struct hpt_anchor {
	uint32_t n;                     /* brackets; 0: there is no anchor */
	struct hpt_unix_offset offset;  /* as it was taken */
	struct hpt_bracket brackets[HPT_ANCHOR_BRACKETS];
};

/* Takes the anchor; none if the source's rate is exact. Takes 2 us. May change errno. */
void hpt_anchor_take(const struct hpt_source *src, struct hpt_anchor *ret);

/*
 * True if there is an anchor and neither the source's counter nor CLOCK_MONOTONIC_RAW can have jumped since it was
 * taken. Where the kernel keeps time with the counter (is_clocksource) an old one is as good as a new one.
 */
bool hpt_anchor_is_valid(const struct hpt_anchor *anchor, const struct hpt_source *src, bool is_clocksource);

#endif
