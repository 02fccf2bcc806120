/* SPDX-License-Identifier: MIT */
/* A counter's rate and place on the kernel's nanosecond line, from pairs of readings. */
#ifndef HPT_CALIBRATE_H
#define HPT_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/sample.h"

/* The least age of a baseline that a rate is computed from. */
#define HPT_BASELINE_NS 1000000

/* Running sums for a line through all pairs, in doubles relative to the first. Not on any read path. */
struct hpt_fit {
	struct hpt_bracket origin;
	uint64_t width_limit; /* pairs wider than this were disturbed and left out */
	double n, x, y, xx, xy;
	int64_t last_ref_ns, least_ref_step_ns; /* smallest advance of the reference between two pairs; 0: none yet */
	uint32_t ref_repeats, ref_steps;        /* how often it stood still and moved */
};

void hpt_fit_start(struct hpt_fit *fit, const struct hpt_bracket *p, uint32_t n);
void hpt_fit_add(struct hpt_fit *fit, const struct hpt_bracket *p, uint32_t n);

/*
 * The reference clock's own step: its smallest advance where readings repeat, else 1 ns. It widens every
 * bound: a reading is up to one step old. 0: it has not moved often enough to tell.
 */
int64_t hpt_fit_ref_step_ns(const struct hpt_fit *fit);

/*
 * The rate between two groups of pairs. The bound is the intersection of what every pair of
 * pairs allows (a preempted pair only loosens it), each reading being up to one step of its clock old;
 * the estimate is the fit's slope, kept inside the bound. False if the readings contradict each other (a
 * counter or a clock jumped) or the step of the reference clock is not known.
 */
bool hpt_calibrate_rate(const struct hpt_bracket *old, uint32_t n_old, const struct hpt_bracket *recent, uint32_t n_recent,
			const struct hpt_fit *fit, struct hpt_rate *ret, struct hpt_granularity *ret_granularity);

/* A statement farther off than this, beyond what the measurement leaves open, is wrong (a TSC's has been, by 875 times). */
#define HPT_STATED_PPB 1000000

/*
 * What the hardware states, weighed against what was measured: taken where the measurement allows it, with the
 * measurement's error. False if it is off by more than 0.1 % beyond that: a lie. Else the measured rate stays.
 */
bool hpt_calibrate_stated(const struct hpt_rate *stated, struct hpt_rate *measured);

#endif
