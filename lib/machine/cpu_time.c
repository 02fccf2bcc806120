// SPDX-License-Identifier: MIT
/* Asks the kernel for limits of CPU time: lib/machine/cpu_time.h. */
#include "machine/cpu_time.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"

/* The most that any kernel is built for (CONFIG_NR_CPUS). A signal handler's stack has room for it. */
#define CPUS_MOST 8192

#define WORD_BITS (8 * sizeof(unsigned long))

struct mask {
	unsigned long words[CPUS_MOST / WORD_BITS];
};

/* Adds the CPUs of a thread, 0: of the calling one. The system call returns how many bytes it has written. */
static void add_cpus(struct mask *m, pid_t thread)
{
	struct mask own;
	long bytes = syscall(SYS_sched_getaffinity, thread, sizeof(own), &own);

	for (size_t i = 0; bytes > 0 && i < (size_t)bytes / sizeof(own.words[0]); i++)
		m->words[i] |= own.words[i];
}

static uint32_t count_cpus(const struct mask *m)
{
	uint32_t n = 0;

	for (size_t i = 0; i < CPUS_MOST / WORD_BITS; i++)
		n += (uint32_t)__builtin_popcountl(m->words[i]);
	return n ? n : 1;
}

COLD uint32_t hpt_cpu_time_cpus(void)
{
	struct mask m = { 0 };

	add_cpus(&m, 0);
	add_cpus(&m, getpid());
	return count_cpus(&m);
}

COLD bool hpt_cpu_time_is_pinned(void)
{
	struct mask m = { 0 };

	add_cpus(&m, 0);
	return count_cpus(&m) == 1;
}

COLD int64_t hpt_cpu_time_rttime_ns(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTTIME, &limit) || limit.rlim_cur >= INT64_MAX / 1000)
		return INT64_MAX;
	return (int64_t)limit.rlim_cur * 1000;
}

/* By system call: musl's sched_getscheduler() always fails. */
COLD int hpt_cpu_time_class(void)
{
	long policy = syscall(SYS_sched_getscheduler, 0);

	return policy < 0 ? -errno : (int)policy & ~SCHED_RESET_ON_FORK;
}

#if defined(SYS_sched_getattr) && defined(SYS_sched_setattr)

/* struct sched_attr of Linux 3.14. Members added later, such as frequency clamps, keep their values. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t  nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

_Static_assert(sizeof(struct attributes) == 48, "SCHED_ATTR_SIZE_VER0");

/* 0, or -errno; -ENOTSUP for a class without slices. */
static int get_attributes(struct attributes *ret)
{
	if (syscall(SYS_sched_getattr, 0, ret, sizeof(*ret), 0))
		return -errno;
	return ret->policy == SCHED_OTHER || ret->policy == SCHED_BATCH ? 0 : -ENOTSUP;
}

COLD int64_t hpt_cpu_time_slice_ns(void)
{
	struct attributes a = { 0 };

	return hpt_cpu_time_is_filtered() || get_attributes(&a) ? 0 : (int64_t)a.runtime_ns;
}

/* The filter may be a new one. A call that sets nothing would kill the process under it as well. */
COLD int64_t hpt_cpu_time_change_slice_ns(int64_t was_ns, int64_t ns)
{
	struct attributes a = { 0 };
	int64_t before_ns;

	if (hpt_cpu_time_is_filtered() || get_attributes(&a))
		return 0;
	before_ns = (int64_t)a.runtime_ns;
	a.runtime_ns = (uint64_t)ns;
	if (before_ns && (!was_ns || was_ns == before_ns) && syscall(SYS_sched_setattr, 0, &a, 0))
		return 0;
	return before_ns;
}

/* A kernel without slices per thread ignores the value without an error, so the value is read back. */
COLD int hpt_cpu_time_set_slice_ns(int64_t ns)
{
	struct attributes a = { 0 };
	int r = get_attributes(&a);

	if (r)
		return r;
	a.runtime_ns = (uint64_t)ns;
	if (syscall(SYS_sched_setattr, 0, &a, 0) || syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0))
		return -errno;
	return !ns || a.runtime_ns == (uint64_t)ns ? 0 : -ENOTSUP;
}

#else

COLD int64_t hpt_cpu_time_slice_ns(void)
{
	return 0;
}

COLD int64_t hpt_cpu_time_change_slice_ns(int64_t was_ns, int64_t ns)
{
	(void)was_ns, (void)ns;
	return 0;
}

COLD int hpt_cpu_time_set_slice_ns(int64_t ns)
{
	(void)ns;
	return -ENOTSUP;
}

#endif

/* A kernel without seccomp says EINVAL. */
COLD bool hpt_cpu_time_is_filtered(void)
{
	long mode = syscall(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0);

	return mode > 0 || (mode < 0 && errno != EINVAL);
}
