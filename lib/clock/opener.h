/* SPDX-License-Identifier: MIT */
/* Makes a clock of its own on a source, which is opened by its driver or by a description. */
#ifndef HPT_OPENER_H
#define HPT_OPENER_H

#include "clock/clock.h"

/* As a driver's open(), for a source that has to be described: by what is given. */
typedef int hpt_opener(struct hpt_source *src, const struct hpt_env *env, const void *given);

/*
 * A clock on the source, opened by `opener` or, if that is NULL, by its driver. Records what the open found: at_load as
 * for hpt_source_status_set(). 0 or -errno, as hpt_clock_open(), which has checked its arguments. Keeps errno.
 */
int hpt_clock_open_by(uint32_t source, hpt_opener *opener, const void *given,
		      const struct hpt_source_status *at_load, hpt_clock **ret);

#endif
