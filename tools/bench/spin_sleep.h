/* SPDX-License-Identifier: MIT */
/* The rule of spin_sleep, the Rust crate that programs use today for precise sleeps. */
#ifndef HPT_TOOLS_SPIN_SLEEP_H
#define HPT_TOOLS_SPIN_SLEEP_H

#include "bench/one_sleep.h"

/* The accuracy that version 1.3 assumes of the system's sleep, except on Windows. */
#define SPIN_SLEEP_ACCURACY_NS INT64_C(125000)

/*
 * Sleeps in the kernel for the length less the accuracy, then yields until the deadline: sleep() of a struct
 * sleep_candidate.
 */
int spin_sleep(const struct sleep_length *asked, struct sleep_times *ret);

#endif
