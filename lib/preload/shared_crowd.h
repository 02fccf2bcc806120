/* SPDX-License-Identifier: MIT */
/* The crowd that a user's programs under "hpt run" are, in memory that they share. */
#ifndef HPT_SHARED_CROWD_H
#define HPT_SHARED_CROWD_H

#include <stdint.h>

#include "sleep/crowd.h"

#define HPT_SHARED_CROWD_MAGIC 0x3264776f72437048u /* another layout has another number */

/* Programs of 32 and of 64 bits have the same layout. Zeros, except the first two: nobody sleeps. */
struct hpt_shared_crowd {
	_Alignas(64) uint64_t magic;
	uint32_t cpus; /* as many may all its programs use */
	_Alignas(64) struct hpt_crowd crowd;
};

#endif
