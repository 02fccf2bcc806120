/* SPDX-License-Identifier: MIT */
/*
 * A record's rate: the rates that the intervals leave possible, and the best estimate among them. Where the kernel
 * keeps time with the counter that is the kernel's own rate (lib/rate/kernel_rate.h) as soon as exactly one fits. Pure
 * functions.
 *
 * The error of a rate comes from a second, wider range, which holds even if the counter has stepped unnoticed. A rate
 * that cannot be trusted after an event is forgotten, and learned within a few milliseconds.
 */
#ifndef HPT_ESTIMATE_H
#define HPT_ESTIMATE_H

#include "rate/record.h"

/* Added to the rate's error when a reading is predicted, to tell a jump from an error: see lib/rate/event.c. */
#define HPT_ESTIMATE_JUMP_PPB 1000

/* NTP slews CLOCK_REALTIME by up to 500 ppm against CLOCK_MONOTONIC_RAW. */
#define HPT_ESTIMATE_SLEW_PPB 500000

/* Sets rate, possible rates and origin, and the scales of both directions. */
void hpt_estimate_set_rate(struct hpt_record *rec, const struct hpt_rate *rate);

/*
 * Refines the first record's rate by its baseline and its latest interval. They narrow the rates, but give no estimate:
 * the given one is more precise, because it may come from brackets all along the baseline.
 */
void hpt_estimate_first(struct hpt_record *rec);

/* Refines rates and estimate by a new interval. Learns a forgotten rate, by the doubted interval of the same tick. */
void hpt_estimate_refine(struct hpt_record *rec, const struct hpt_interval *interval,
			 const struct hpt_interval *doubted);

/* Forgets the rate after an event that may have changed it; the old one stays as a guess. */
void hpt_estimate_forget(struct hpt_record *rec);

/*
 * CLOCK_MONOTONIC_RAW may no longer be made of this counter: the rate is not the kernel's, and may drift. It stays so
 * until hpt_clock_check() finds that the kernel does keep time with the counter.
 */
void hpt_estimate_distrust(struct hpt_record *rec);

/* The kernel left the counter, or it jumps all the time: a large error that never falls. */
void hpt_estimate_demote(struct hpt_record *rec);

/* Refines the slope of CLOCK_REALTIME. */
void hpt_estimate_unix(struct hpt_record *rec, const struct hpt_interval *interval);

/* The error to allow when an interval is predicted from the latest one, of the period rather than of the rate. */
uint32_t hpt_estimate_trusted_ppb(const struct hpt_record *rec);

/* The error to allow in an interval that a rate is learned from, of the period. */
uint32_t hpt_estimate_doubted_ppb(const struct hpt_record *rec);

/* The error to add if two oscillators were not compared for a long time; else 0. */
uint32_t hpt_estimate_idle_ppb(const struct hpt_record *rec, const struct hpt_interval *interval);

#endif
