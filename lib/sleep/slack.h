/* SPDX-License-Identifier: MIT */
/*
 * The calling thread's timer slack: how late, at most, the kernel ends a wait on purpose. Callable from signal
 * handlers. h: the thread's habits, which remember it, or NULL.
 */
#ifndef HPT_SLACK_H
#define HPT_SLACK_H

#include <stdint.h>

#include "machine/env.h"
#include "sleep/habits.h"

/* The slack, at least 1 ns. */
int64_t hpt_slack_ns(const struct hpt_env *env, struct hpt_habits *h);

/* The slack that waits allow for, as far as it is known; 0: it is too large. */
int64_t hpt_slack_small_ns(const struct hpt_env *env, struct hpt_habits *h);

/* Sets the slack to 1 ns. Returns the one before. */
int64_t hpt_slack_drop(const struct hpt_env *env, struct hpt_habits *h);

/* Restores what hpt_slack_drop() returned. */
void hpt_slack_restore(const struct hpt_env *env, struct hpt_habits *h, int64_t slack_ns);

/* Of a wait that allowed for slack_ns, ended late_ns after its end without slack, and left_ns before the deadline. */
void hpt_slack_note_wake(struct hpt_habits *h, int64_t slack_ns, int64_t late_ns, int64_t left_ns);

#endif
