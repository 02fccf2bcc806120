/* SPDX-License-Identifier: MIT */
/*
 * The record that a clock converts by: made when first asked for, renewed as the counter passes its segment. Comparable
 * with the kernel's timekeeper; readers take no lock (math/seqlatch.h). All functions here keep errno.
 */
#ifndef HPT_TIMEKEEPER_H
#define HPT_TIMEKEEPER_H

#include "clock/clock.h"

/*
 * Copies the current record, whatever its age; makes the first one if there is none, which may wait until the anchor is
 * 1 ms old. Returns the record's sequence, by which the next one is published; 0 if none could be published at all.
 */
uint32_t hpt_timekeeper_current(struct hpt_clock *clk, struct hpt_record *ret);

/* Publishes the successor of the record with sequence `seen`. False if another one has been published since. */
bool hpt_timekeeper_publish(struct hpt_clock *clk, const struct hpt_record *rec, uint32_t seen);

/*
 * Copies the record that serves the present tick, renewing it where the counter is past its segment. Returns a tick that
 * it serves, unless as many others as it tries were published meanwhile.
 */
uint64_t hpt_timekeeper_now(struct hpt_clock *clk, struct hpt_record *ret);

/* Copies the record to convert t by: the present one, but the counter is read only if t is outside the current segment. */
void hpt_timekeeper_for(struct hpt_clock *clk, hpt_time_t t, struct hpt_record *ret);

/* Samples the clocks at once, whatever the age of the record. */
void hpt_timekeeper_resample(struct hpt_clock *clk);

/* A present tick, and its time on the timeline of hpt_now_ns() (CLOCK_MONOTONIC_RAW) or hpt_now_unix_ns() (CLOCK_REALTIME). */
struct hpt_instant {
	uint64_t tick;
	int64_t  ns;
	struct hpt_scale slope;         /* ns a tick on that timeline */
	struct hpt_scale mono_per_tick; /* ns a tick of CLOCK_MONOTONIC, as last seen */
	struct hpt_scale tick_per_ns;
	uint64_t generation, state;
};

void hpt_timekeeper_instant(struct hpt_clock *clk, clockid_t timeline, struct hpt_instant *ret);

#endif
