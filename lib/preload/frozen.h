/* SPDX-License-Identifier: MIT */
/* When the process's control groups were last frozen or thawed: the times at which their files were written. */
#ifndef HPT_FROZEN_H
#define HPT_FROZEN_H

#include <stdint.h>

#include "machine/cgroup.h"

/*
 * CLOCK_REALTIME, a tick of the kernel late at most; 0: never, or not known. g: zeros. A writer that does not truncate
 * the file leaves no time; those of shells, systemd and containers do. May change errno. Callable from signal handlers.
 */
int64_t hpt_frozen_latest_ns(struct hpt_cgroups *g, const struct hpt_env *env);

#endif
