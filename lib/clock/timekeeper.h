/* SPDX-License-Identifier: MIT */
/*
 * The record that a clock converts by: made when first needed, renewed as the counter passes its segment. The
 * counterpart of the kernel's timekeeper; as readers of its seqcount_latch do, readers here take no lock
 * (math/seqlatch.h). All functions keep errno, and any thread or signal handler may call them.
 */
#ifndef HPT_TIMEKEEPER_H
#define HPT_TIMEKEEPER_H

#include "clock/clock.h"

/*
 * Copies the current record at any age. The first call makes the first record and may wait as hpt_first_record().
 * Returns the record's sequence, by which the next one is published; 0 if none could be published at all.
 */
uint32_t hpt_timekeeper_current(struct hpt_clock *clk, struct hpt_record *ret);

/*
 * Publishes the successor of the record with sequence `seen`. -EAGAIN: another one has been published since. -EBUSY: it
 * cannot be published, since no slot is free; trying again at once is useless.
 */
int hpt_timekeeper_publish(struct hpt_clock *clk, const struct hpt_record *rec, uint32_t seen);

/*
 * Copies the record that serves the present tick, after renewing it if the counter is past its segment. Returns a
 * tick that the record serves, unless eight renewals in a row failed.
 */
uint64_t hpt_timekeeper_now(struct hpt_clock *clk, struct hpt_record *ret);

/* As hpt_timekeeper_now(), but a provisional record is renewed, which may wait until the anchor is 1 ms old. */
uint64_t hpt_timekeeper_settled(struct hpt_clock *clk, struct hpt_record *ret);

/* True if the current record is provisional. One word: it may be that of a later record. */
bool hpt_timekeeper_is_provisional(const struct hpt_clock *clk);

/*
 * Copies the record to convert t by. Renews it and reads the counter only if t is outside the current segment. One that
 * is provisional is settled if t is not between the first samples and the segment's end.
 */
void hpt_timekeeper_for(struct hpt_clock *clk, hpt_time_t t, struct hpt_record *ret);

/* Samples the clocks and renews the record at once, whatever its age. */
void hpt_timekeeper_resample(struct hpt_clock *clk);

/*
 * Copies the record that was current when `seen` was loaded from the latch, even if it is current no more. False: it
 * has been overwritten, or there was none.
 */
bool hpt_timekeeper_old(struct hpt_clock *clk, uint32_t seen, struct hpt_record *ret);

/*
 * A present tick and its time on a timeline: CLOCK_MONOTONIC_RAW stands for that of hpt_now_ns(), CLOCK_REALTIME for
 * that of hpt_now_unix_ns().
 */
struct hpt_instant {
	uint64_t tick;
	int64_t  ns;
	struct hpt_scale slope;         /* ns per tick on that timeline */
	struct hpt_scale mono_per_tick; /* ns of CLOCK_MONOTONIC per tick, by the latest record */
	struct hpt_scale tick_per_ns;
	uint64_t generation, state;
};

void hpt_timekeeper_instant(struct hpt_clock *clk, clockid_t timeline, struct hpt_instant *ret);

/*
 * The OS clock that stands for a record's line while the record has none in force. Where no clock can be read it is the
 * line after all, so that time goes on.
 */
int64_t hpt_timekeeper_os_ns(struct hpt_clock *clk, clockid_t id, const struct hpt_record *rec, uint64_t tick);

#endif
