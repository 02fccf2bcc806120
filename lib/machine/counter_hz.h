/* SPDX-License-Identifier: MIT */
/* The rate of the architecture's counter as firmware or the kernel states it. */
#ifndef HPT_COUNTER_HZ_H
#define HPT_COUNTER_HZ_H

#include <stdint.h>

#include "machine/env.h"

/*
 * The rate of the architecture's counter in Hz, where no register has it: by the device tree's timebase-frequency
 * (RISC-V, some PowerPC), else by env->counter_hz(). 0: not stated.
 */
uint64_t hpt_counter_hz(const struct hpt_env *env);

#endif
