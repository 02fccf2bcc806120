/* SPDX-License-Identifier: MIT */
/* The kernel's random id of this boot. */
#ifndef HPT_BOOT_ID_H
#define HPT_BOOT_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/env.h"

/* Reads the kernel's random id of this boot, a UUID. False, and *ret is zeros: unreadable. */
bool hpt_boot_id(const struct hpt_env *env, uint8_t ret[16]);

#endif
