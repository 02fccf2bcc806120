// SPDX-License-Identifier: MIT
/* What limits the CPU time of this thread and process: tools/run/surroundings.h. */
#include "run/surroundings.h"

#include <sched.h>

#include "machine/cpu_time.h"
#include "machine/file_read.h"
#include "machine/quota.h"

void surroundings_get(struct hpt_surroundings *ret)
{
	static const struct hpt_env files = { .open = hpt_path_open };

	*ret = (struct hpt_surroundings){
		.cpus = hpt_cpu_time_cpus(),
		.quota_millicpus = hpt_quota_millicpus(&files),
		.rttime_ns = hpt_cpu_time_rttime_ns(),
		.is_deadline = hpt_cpu_time_class() == SCHED_DEADLINE,
	};
}
