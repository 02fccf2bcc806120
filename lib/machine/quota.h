/* SPDX-License-Identifier: MIT */
/* The CPU time that control groups grant this process: cpu.max of version 2, cpu.cfs_quota_us of version 1. */
#ifndef HPT_QUOTA_H
#define HPT_QUOTA_H

#include <stdint.h>

#include "machine/env.h"

/*
 * The least quota of the process's control group and of those above it, as far as they are mounted: thousandths of a
 * CPU, rounded up. 0: there is none, or it cannot be read. Opens some ten files. May change errno. Callable from signal
 * handlers.
 */
uint32_t hpt_quota_millicpus(const struct hpt_env *env);

#endif
