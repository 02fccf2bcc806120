/* SPDX-License-Identifier: MIT */
/* The step of the OS clock, which on most machines is a nanosecond, and where the kernel has no counter a jiffy. */
#ifndef HPT_OS_STEP_H
#define HPT_OS_STEP_H

#include <stdint.h>

#include "source/source.h"

/* In ns, at least 1. Takes 34 reads, or where these repeat and are not of jiffies up to 4096. May change errno. */
uint64_t hpt_os_step_ns(const struct hpt_source *src);

#endif
