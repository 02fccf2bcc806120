/* SPDX-License-Identifier: MIT */
/* The part of a sleep that is spent in the kernel. */
#ifndef HPT_KERNEL_PHASE_H
#define HPT_KERNEL_PHASE_H

#include "sleep/sleep_state.h"

/*
 * Waits in the kernel as long as that costs less than spinning. Returns 0: spin for the rest; HPT_STATE_: the sleep is
 * over; -ECANCELED or -EINTR. Keeps errno. Callable from signal handlers.
 */
int hpt_kernel_phase(struct hpt_sleep *sl);

#endif
