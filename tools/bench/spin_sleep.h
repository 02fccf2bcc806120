/* SPDX-License-Identifier: MIT */
/* The rule of spin_sleep, the Rust crate that programs use today for precise sleeps. */
#ifndef HPT_BENCH_SPIN_SLEEP_H
#define HPT_BENCH_SPIN_SLEEP_H

#include "bench/one_sleep.h"

/* The accuracy that version 1.3 assumes of the system's sleep, except on Windows. */
#define HPT_SPIN_SLEEP_ACCURACY_NS INT64_C(125000)

/*
 * Sleeps in the kernel for the length less the accuracy, then yields until the deadline: sleep() of a struct
 * hpt_sleep_candidate.
 */
int hpt_spin_sleep(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret);

#endif
