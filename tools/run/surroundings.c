// SPDX-License-Identifier: MIT
/* Asks the kernel what limits the CPU time of this thread and process: tools/run/surroundings.h. */
#include "run/surroundings.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/resource.h>

#include "machine/quota.h"

/* The most that CONFIG_NR_CPUS of any architecture allows is 8192. */
#define CPUS_MAX 65536

/* The kernel refuses a set that is smaller than its own by EINVAL. */
static uint32_t count_cpus(void)
{
	for (int n = CPU_SETSIZE; n <= CPUS_MAX; n *= 2) {
		cpu_set_t *set = CPU_ALLOC(n);
		int count = 0;

		if (!set)
			break;
		if (!sched_getaffinity(0, CPU_ALLOC_SIZE(n), set))
			count = CPU_COUNT_S(CPU_ALLOC_SIZE(n), set);
		else if (errno != EINVAL)
			n = CPUS_MAX;
		CPU_FREE(set);
		if (count > 0)
			return (uint32_t)count;
	}
	return 1;
}

static int64_t rttime_ns(void)
{
	struct rlimit limit;
	int64_t ns;

	if (getrlimit(RLIMIT_RTTIME, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX ||
	    __builtin_mul_overflow((int64_t)limit.rlim_cur, 1000, &ns))
		return INT64_MAX;
	return ns;
}

static uint32_t quota_millicpus(void)
{
	static const struct hpt_env files = {
		.self_cgroup_path = "/proc/self/cgroup",
		.mountinfo_path = "/proc/self/mountinfo",
	};

	return hpt_quota_millicpus(&files);
}

void hpt_surroundings_get(struct hpt_surroundings *ret)
{
	int policy = sched_getscheduler(0);

	*ret = (struct hpt_surroundings){
		.cpus = count_cpus(),
		.quota_millicpus = quota_millicpus(),
		.rttime_ns = rttime_ns(),
		.is_deadline = policy >= 0 && (policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE,
	};
}
