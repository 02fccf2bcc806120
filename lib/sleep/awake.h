/* SPDX-License-Identifier: MIT */
/*
 * How long a thread has been awake, and whether it may spin on: what limits of CPU time, spin_limits.h, mean for a
 * sleep. All functions keep errno, and are callable from signal handlers. h: the thread's habits, or NULL.
 */
#ifndef HPT_AWAKE_H
#define HPT_AWAKE_H

#include "sleep/habits.h"
#include "sleep/sleep_state.h"

/*
 * A wait of BLOCK_NS blocks: the thread leaves the CPU before the timer ends, by which the kernel's count for
 * RLIMIT_RTTIME begins again (enqueue_task_rt() of its kernel/sched/rt.c). After 8 ms of spinning none of 50 waits of
 * 10 us did so, 37 of 75 of 20 us, 73 of 75 of 35 us, and all of 50 us (a busy EPYC guest). One that is due lasts
 * BLOCK_FOR_NS, since some time passes before it begins.
 */
#define HPT_AWAKE_BLOCK_NS     40000
#define HPT_AWAKE_BLOCK_FOR_NS 60000

/* Counts a sleep that may spin. In the tenth the thread's limits are asked for, before its first wait. */
void hpt_awake_count_sleep(const struct hpt_sleep *sl, struct hpt_habits *h);

/* False where the thread must not spin, or threads share a budget, in a sleep that is checked, and it is used up. */
bool hpt_awake_may_spin(const struct hpt_sleep *sl, const struct hpt_habits *h);

/*
 * True if the thread has been awake for as long as it may, spin_ns more included. Where the limit is of any CPU time,
 * the program's own counts too: it is no longer than the time since the latest wait.
 */
bool hpt_awake_is_block_due(const struct hpt_sleep *sl, const struct hpt_habits *h, int64_t spin_ns);

/* Of a wait that came to its end: the thread has left the CPU if it was long enough. */
void hpt_awake_note_block(const struct hpt_sleep *sl, struct hpt_habits *h, int64_t length_ns);

/* Of what is left when the kernel phase ends. */
void hpt_awake_note_spin(struct hpt_sleep *sl, int64_t left_ns);

/* After a check that found the deadline past: the thread may have been stopped by a CPU quota. */
void hpt_awake_note_late(const struct hpt_sleep *sl);

/*
 * For a sleep that is too short for the kernel phase, at most HPT_LEAST_WAIT_NS: true if that is due nevertheless, as
 * the thread has spun for long, or may not spin. Counts the sleep as a spin otherwise.
 */
bool hpt_awake_is_wait_due(struct hpt_sleep *sl, int64_t left_ns);

#endif
