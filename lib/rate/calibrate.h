/* SPDX-License-Identifier: MIT */
/* A counter's rate against a reference clock, from brackets. */
#ifndef HPT_CALIBRATE_H
#define HPT_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/sample.h"
#include "rate/step.h"

/*
 * The minimum age of a baseline that a rate is computed from, and of one for a provisional rate: where the kernel keeps
 * time with the counter that is known to 600 ppm then.
 */
#define HPT_BASELINE_NS             1000000
#define HPT_BASELINE_PROVISIONAL_NS 50000

/* A least-squares line through all brackets: running sums, in doubles relative to the first. Not on any read path. */
struct hpt_fit {
	struct hpt_bracket origin;
	uint64_t width_limit;         /* wider brackets were disturbed and are left out */
	double n, x, y, xx, xy;
	struct hpt_moves ticks, refs; /* of the counter and of the reference, in all brackets */
	uint32_t kernel_unit_hz;      /* the kernel keeps time with this counter, registered so; 0: it does not */
};

/* Starts a fit with n >= 1 brackets; adds n more. */
void hpt_fit_start(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n);
void hpt_fit_add(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n);

/*
 * True once the steps of counter and reference are known. A group that a preemption cut short does not show whether
 * readings repeat: 1 of 60 000 scripted clocks took a reference of 1 us steps for a fine one.
 */
#define HPT_FIT_BRACKETS_MIN 16
bool hpt_fit_knows_steps(const struct hpt_fit *fit);

/*
 * The rate between two groups of brackets. The possible rates are those that each old bracket allows with
 * each recent one (a preempted one only allows more), where each reading is up to one step of its clock old. The
 * estimate, one of them, is the rate by the steps of both (lib/rate/staircase.h) or, where those do not show one,
 * the slope of the fit. False if the readings contradict each other (a counter or a clock jumped) or if a step is not
 * known.
 */
bool hpt_calibrate_rate(struct hpt_group old, struct hpt_group recent, const struct hpt_fit *fit, struct hpt_rate *ret,
			struct hpt_granularity *ret_granularity);

/*
 * Tries again where the counter's steps have not shown the kernel's rate, with later groups that it takes: two groups
 * may differ in speed, or leave several numbers of steps. Takes 40 us, seldom 160, where the steps are long enough, and
 * else nothing. The rate's error stays that of hpt_calibrate_rate(), whose results it takes.
 */
void hpt_calibrate_again(const struct hpt_source *src, struct hpt_group old, struct hpt_group recent,
			 const struct hpt_fit *fit, struct hpt_granularity granularity, struct hpt_rate *rate);

/*
 * A guess where hpt_calibrate_rate() fails, with origin NONE: the mean rate from the first bracket to `now`, of which
 * nothing is proven. If that is no rate that a counter can have (1 kHz to 100 GHz), because counter or reference stands
 * still or jumped far, frequency_uhz is 0 and a tick is taken for 1 ns. The granularity is what was seen of the steps.
 */
void hpt_calibrate_guess(const struct hpt_fit *fit, const struct hpt_bracket *now, struct hpt_rate *ret,
			 struct hpt_granularity *ret_granularity);

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
