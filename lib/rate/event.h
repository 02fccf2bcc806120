/* SPDX-License-Identifier: MIT */
/* Events: what happened to the clocks between two rounds of samples. Each begins a new generation. Pure functions. */
#ifndef HPT_EVENT_H
#define HPT_EVENT_H

#include "rate/record.h"

/*
 * MOVED and MOVED_AWAY: CLOCK_REALTIME and CLOCK_MONOTONIC moved against each other. MOVED is a step of CLOCK_REALTIME,
 * or a suspend that stopped the counter. MOVED_AWAY is a suspend during which the counter ran on or restarted from
 * zero, or a new time namespace. For the OS clock, whose ticks are CLOCK_MONOTONIC's own, and for a demoted counter
 * each of these is MOVED.
 */
enum hpt_event {
	HPT_EVENT_NONE,
	HPT_EVENT_MOVED,      /* the counter still agrees with CLOCK_MONOTONIC_RAW */
	HPT_EVENT_MOVED_AWAY, /* the counter disagrees with CLOCK_MONOTONIC_RAW as well */
	HPT_EVENT_JUMPED,     /* the counter alone jumped */
	HPT_EVENT_UNSTEADY,   /* it has jumped too often: counters of several CPUs that are out of step */
	HPT_EVENT_DEMOTED,    /* the kernel left the counter */
	HPT_EVENT_TRUSTED,    /* the kernel is back on a demoted counter */
};

/* The event between the old record and new samples, whose interval of CLOCK_MONOTONIC_RAW is `interval`. */
enum hpt_event hpt_event_of(const struct hpt_record *old, const struct hpt_samples *samples,
			    const struct hpt_interval *interval);

/* Sets generation and state, and starts a new baseline. */
void hpt_event_begin_generation(struct hpt_record *rec, enum hpt_event event, const struct hpt_interval *interval);

#endif
