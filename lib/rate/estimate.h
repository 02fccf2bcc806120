/* SPDX-License-Identifier: MIT */
/*
 * A counter's rate: the rates that the intervals leave possible, and the best estimate among them. Where the kernel
 * keeps time with the counter that is the kernel's own rate (lib/rate/kernel_rate.h) as soon as exactly one fits. Pure
 * functions.
 *
 * The error of a rate comes from a second, wider range, which holds even if the counter has stepped unnoticed. A rate
 * that cannot be trusted after an event is forgotten, and learned within a few milliseconds.
 */
#ifndef HPT_ESTIMATE_H
#define HPT_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "rate/interval.h"
#include "rate/sample.h"

/* What the rate is, and what it is learned from. */
struct hpt_estimate {
	uint64_t num, den;                 /* a tick is num / den ns */
	uint64_t origin;                   /* HPT_ORIGIN_ */
	uint64_t flags;                    /* HPT_ESTIMATE_ */
	uint64_t frequency_uhz;
	uint64_t error_ppb;
	struct hpt_rates rates;            /* the rates that the readings allow; hi_uhz UINT64_MAX: none is known */
	struct hpt_rates safe;             /* the same, even if the counter has stepped unnoticed */
	struct hpt_rates latest;           /* the rates between the latest two marks */
	uint64_t unix_uhz;                 /* ticks in a second of CLOCK_REALTIME, in millionths */
	uint64_t wander_ppb;               /* how far two oscillators may drift apart; 0: both are one oscillator */
	uint64_t stated_hz;                /* by CPUID (read once: 50 us in a guest) or ARCH; see HPT_ESTIMATE_STATED */

	struct hpt_interval baseline;      /* where the baseline of the rate starts */
	struct hpt_interval mark;          /* where the latest part of it starts, which alone proves a rate */
	struct hpt_interval last;          /* the latest; with the kernel's rate the intersection of all so far */
	struct hpt_interval unix_baseline; /* the same for CLOCK_REALTIME */
	struct hpt_interval unix_last;
};

/*
 * hpt_estimate.flags: stated_hz is known; the rate is the one of the kernel's that the counter's steps show, and no
 * sample has contradicted it; the kernel registers this counter in whole hertz, a TSC in whole kilohertz.
 */
#define HPT_ESTIMATE_STATED    (UINT64_C(1) << 0)
#define HPT_ESTIMATE_STAIRCASE (UINT64_C(1) << 1)
#define HPT_ESTIMATE_KERNEL_HZ (UINT64_C(1) << 2)

/*
 * A baseline between two oscillators is dropped once the readings contradict a single rate, which takes a drift of a
 * few tens of nanoseconds. While a baseline lasts, the oscillators drift apart by less than 1 ppm.
 */
#define HPT_ESTIMATE_WANDER_PPB 1000

/* Added to the rate's error when a reading is predicted, to tell a jump from an error: see lib/rate/event.c. */
#define HPT_ESTIMATE_JUMP_PPB 1000

/* NTP slews CLOCK_REALTIME by up to 500 ppm against CLOCK_MONOTONIC_RAW. */
#define HPT_ESTIMATE_SLEW_PPB 500000

/* True for the OS clock, whose ticks are nanoseconds by definition. */
static inline bool hpt_estimate_is_exact(const struct hpt_estimate *est)
{
	return est->origin == HPT_ORIGIN_EXACT;
}

/* True while no rate is known: before the first one, and after an event that may have changed it. */
static inline bool hpt_estimate_is_learning(const struct hpt_estimate *est)
{
	return est->rates.hi_uhz == UINT64_MAX && !hpt_estimate_is_exact(est);
}

/* Sets rate, possible rates and origin. */
void hpt_estimate_set_rate(struct hpt_estimate *est, const struct hpt_rate *rate);

/*
 * Refines a measured rate by its baseline and the interval after it. They narrow the rates, but give no estimate: the
 * given one is more precise, because it may come from brackets all along the baseline.
 */
void hpt_estimate_first(struct hpt_estimate *est, const struct hpt_interval *interval);

/* Refines rates and estimate by a new interval. Learns a forgotten rate, by the doubted interval of the same tick. */
void hpt_estimate_refine(struct hpt_estimate *est, const struct hpt_interval *interval,
			 const struct hpt_interval *doubted);

/* The same for a demoted counter, whose error never falls: each rate that was seen remains possible. */
void hpt_estimate_loosen(struct hpt_estimate *est, const struct hpt_interval *interval);

/* Forgets the rate after an event that may have changed it; the old one stays as a guess. */
void hpt_estimate_forget(struct hpt_estimate *est);

/*
 * CLOCK_MONOTONIC_RAW may no longer be made of this counter: the rate is not the kernel's, and may drift. It stays so
 * until hpt_clock_check() finds that the kernel does keep time with the counter.
 */
void hpt_estimate_distrust(struct hpt_estimate *est);

/* The kernel left the counter, or it jumps all the time: a large error that never falls. */
void hpt_estimate_demote(struct hpt_estimate *est);

/* Refines the slope of CLOCK_REALTIME. */
void hpt_estimate_unix(struct hpt_estimate *est, const struct hpt_interval *interval);

/* The error to allow when an interval is predicted from the latest one, of the period rather than of the rate. */
uint32_t hpt_estimate_trusted_ppb(const struct hpt_estimate *est);

/* The error to allow in an interval that a rate is learned from, of the period. */
uint32_t hpt_estimate_doubted_ppb(const struct hpt_estimate *est);

/* The error to add if two oscillators were not compared for a long time; else 0. */
uint32_t hpt_estimate_idle_ppb(const struct hpt_estimate *est, const struct hpt_interval *interval);

#endif
