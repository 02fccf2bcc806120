/* SPDX-License-Identifier: MIT */
/* How long the process's control groups have stood still, because they had used up their CPU time: cpu.stat. */
#ifndef HPT_THROTTLED_H
#define HPT_THROTTLED_H

#include <stdint.h>

#include "machine/cgroup.h"

struct hpt_throttled {
	int64_t  ns;     /* of all groups, since they exist */
	uint64_t groups; /* which ones: another number for other groups */
};

/* g: zeros. Reads some ten files. May change errno. Callable from signal handlers. */
struct hpt_throttled hpt_throttled_read(struct hpt_cgroups *g, const struct hpt_env *env);

#endif
