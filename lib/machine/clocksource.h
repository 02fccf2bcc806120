/* SPDX-License-Identifier: MIT */
/* The clocksource that the kernel keeps time with. */
#ifndef HPT_CLOCKSOURCE_H
#define HPT_CLOCKSOURCE_H

#include <stddef.h>

#include "machine/env.h"

enum hpt_kernel_source {
	HPT_KERNEL_UNREADABLE, /* no /sys, or no permission to read it */
	HPT_KERNEL_AGREES,     /* the one that was asked about */
	HPT_KERNEL_OTHER,
};

/*
 * Compares the clocksource with `own`, and copies its name, cut to size. Whole names count:
 * hyperv_clocksource_tsc_page is not tsc.
 */
enum hpt_kernel_source hpt_kernel_clocksource(const struct hpt_env *env, const char *own, char *ret_name, size_t size);

#endif
