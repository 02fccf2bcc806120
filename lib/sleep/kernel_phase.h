/* SPDX-License-Identifier: MIT */
/* The part of a sleep that is spent in the kernel. */
#ifndef HPT_KERNEL_PHASE_H
#define HPT_KERNEL_PHASE_H

#include "sleep/deadline.h"

/*
 * Waits in the kernel as long as that costs less than spinning. Returns 0: spin for the rest; HPT_STATE_: the sleep is
 * over; -ECANCELED or -EINTR. Keeps errno. Callable from signal handlers.
 */
int hpt_kernel_phase(struct hpt_sleep *sl);

/*
 * For a sleep that is too short for it, at most HPT_LEAST_WAIT_NS: true if the kernel phase is due all the same, since
 * the thread has spun for long, or may not spin. Counts the sleep as a spin otherwise.
 */
bool hpt_kernel_phase_is_due(struct hpt_sleep *sl, int64_t left_ns);

/* After a check of a spin that found the deadline past: the thread may have been stopped by a CPU quota. */
void hpt_kernel_phase_note_late(const struct hpt_sleep *sl);

#endif
