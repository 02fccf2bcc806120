/* SPDX-License-Identifier: MIT */
/* Whether an OS clock is read without a system call: no interface reports it, so its cost decides. */
#ifndef HPT_VIRTUAL_CLOCK_H
#define HPT_VIRTUAL_CLOCK_H

#include "machine/env.h"

/* True if libc reads the clock in less than half the time of the system call. timer: a clock to measure with. */
bool hpt_clock_is_virtual(const struct hpt_env *env, hpt_clock_ns_fn *timer, clockid_t id);

#endif
