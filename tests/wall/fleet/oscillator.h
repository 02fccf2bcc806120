/* SPDX-License-Identifier: MIT */
/*
 * A machine's counter as a function of true time. Its second is longer than UTC's by a rate that changes within a band.
 * All is exact: rates are 64-bit fractions of a tick, and a moment a whole nanosecond of UTC.
 */
#ifndef HPT_FLEET_OSCILLATOR_H
#define HPT_FLEET_OSCILLATOR_H

#include "math/scale.h"
#include "stream.h"

struct oscillator {
	uint64_t hz;
	int64_t  least_ppb, most_ppb;    /* the band */
	int64_t  rate_ppb;               /* now */
	uint32_t habit;                  /* how it moves in the band */
	int64_t  since_ns;               /* from this moment on: ticks + slope x passed */
	struct hpt_wide ticks, slope;    /* in 2^-64 */
};

/* A counter that shows 0 at this moment. Its rate is at most rate_ppb off, and no two rates are wander_ppb apart. */
void oscillator_start(struct oscillator *o, struct stream *random, int64_t rate_ppb, int64_t wander_ppb,
		      int64_t at_ns);

/* From this moment on, not before the latest change, its rate may be another one. */
void oscillator_drift(struct oscillator *o, struct stream *random, int64_t at_ns);

/* What it shows. at_ns is not before the latest change. */
int64_t oscillator_tick(const struct oscillator *o, int64_t at_ns);

#endif
