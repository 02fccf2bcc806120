/* SPDX-License-Identifier: MIT */
/*
 * A thread with sleeps shorter than its margin never waits, so it never learns that the margin could shrink. Now and
 * then one such sleep is a trial: it waits for half of its length, and ends late if the kernel's lateness exceeds the
 * other half.
 */
#ifndef HPT_TRIAL_H
#define HPT_TRIAL_H

#include <stdbool.h>

#include "sleep/habits.h"

/* Counts a sleep that is long enough to be one. True: it is one, and half of the samples are forgotten. */
bool hpt_trial_is_due(struct hpt_habits *h, int64_t left_ns);

/* A sleep was long enough to wait: later trials are as frequent as at first. */
void hpt_trial_end(struct hpt_habits *h);

#endif
