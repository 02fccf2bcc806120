/* SPDX-License-Identifier: MIT */
/* A counter's rate against a reference clock, from brackets. */
#ifndef HPT_CALIBRATE_H
#define HPT_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/sample.h"

/* The minimum age of a baseline that a rate is computed from. */
#define HPT_BASELINE_NS 1000000

/* A least-squares line through all brackets: running sums, in doubles relative to the first. Not on any read path. */
struct hpt_fit {
	struct hpt_bracket origin;
	uint64_t width_limit;                   /* wider brackets were disturbed and are left out */
	double n, x, y, xx, xy;
	int64_t last_ref_ns, least_ref_step_ns; /* smallest advance of the reference between brackets; 0: none yet */
	uint32_t ref_repeats, ref_steps;        /* how often the reference repeated a value, and how often it moved */
};

/* Starts a fit with n >= 1 brackets; adds n more. */
void hpt_fit_start(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n);
void hpt_fit_add(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n);

/*
 * The reference clock's step: its smallest advance if readings repeat, else 1 ns. A reading is up to one step old,
 * which widens every bound. 0: not known yet, because the clock has moved too seldom.
 */
int64_t hpt_fit_ref_step_ns(const struct hpt_fit *fit);

/*
 * The rate between two groups of brackets. The bound is the intersection of the rates that each old bracket allows with
 * each recent one (a preempted one only loosens the bound), where each reading is up to one step of its clock old. The
 * estimate is the slope of the fit, kept inside the bound. False if the readings contradict each other (a counter or a
 * clock jumped) or if the step of the reference clock is not known.
 */
bool hpt_calibrate_rate(const struct hpt_bracket *old, uint32_t n_old,
			const struct hpt_bracket *recent, uint32_t n_recent,
			const struct hpt_fit *fit, struct hpt_rate *ret, struct hpt_granularity *ret_granularity);

/*
 * A stated rate that differs from the measured one by more than this, beyond the error of the measurement, is wrong. (A
 * TSC's stated rate has been wrong by a factor of 875.)
 */
#define HPT_STATED_PPB 1000000

/*
 * Compares the rate that the hardware states with the measured one. Within the error of the measurement *measured
 * becomes the stated rate, with an error that covers the measurement's. Up to 0.1 % beyond it *measured stays as it
 * is. Further off the stated rate is wrong: false.
 */
bool hpt_calibrate_stated(const struct hpt_rate *stated, struct hpt_rate *measured);

#endif
