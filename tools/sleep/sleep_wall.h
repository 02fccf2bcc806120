/* SPDX-License-Identifier: MIT */
/* A sleep until a moment of UTC, by a wall of this process. */
#ifndef HPT_TOOLS_SLEEP_WALL_H
#define HPT_TOOLS_SLEEP_WALL_H

#include <stdint.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

/*
 * As hpt_wall_sleep_until_ns() on a wall that is opened for it, whose sources are asked once a second. -EAGAIN as
 * there; *ret_miss_ns is how far the middle of the interval is after the time at the end.
 *
 * Return: -ERANGE  UTC is known worse than to max_error_ns: to *ret_error_ns
 *         -ETIME   it ended too late for max_error_ns: by *ret_error_ns
 */
int sleep_wall_until(const struct hpt_wall_config *config, int64_t unix_ns, int64_t max_error_ns, int64_t *ret_error_ns,
		     int64_t *ret_miss_ns);

#endif
