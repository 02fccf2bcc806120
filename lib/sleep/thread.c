// SPDX-License-Identifier: MIT
/* Settings of the scheduler and of the CPUs by which a program is woken sooner. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hpt/hpt.h"

#define SLICE_NS 100000

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

/* A kernel without slices per thread ignores the value without an error, so the value is read back. */
static int prepare(void)
{
	struct attributes a;

	if (syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0))
		return -errno;
	if (a.policy != SCHED_OTHER && a.policy != SCHED_BATCH)
		return -ENOTSUP;
	a.runtime_ns = SLICE_NS;
	if (syscall(SYS_sched_setattr, 0, &a, 0) || syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0))
		return -errno;
	return a.runtime_ns == SLICE_NS ? 0 : -ENOTSUP;
}

#else

static int prepare(void)
{
	return -ENOTSUP;
}

#endif

int hpt_thread_prepare(void)
{
	int saved = errno, r = prepare();

	errno = saved;
	return r;
}

int hpt_low_latency_open(void)
{
	int32_t latency_us = 0;
	int saved = errno, cancel, fd, r;
	ssize_t n;

	/* A thread cancelled after open(2) would hold the request until the process ends. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	fd = r = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		r = -errno;
	} else {
		n = write(fd, &latency_us, sizeof(latency_us));
		if (n != sizeof(latency_us)) {
			r = n < 0 ? -errno : -EIO;
			close(fd);
		}
	}
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	return r;
}
