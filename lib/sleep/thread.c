// SPDX-License-Identifier: MIT
/* Settings of the scheduler and of the CPUs by which a program is woken sooner. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "arch/arch.h"

/* The kernel brings a slice into this range (sched_setattr(2), Linux 6.12). */
#define SLICE_MIN_NS 100000
#define SLICE_MAX_NS 100000000

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
static int set_slice(uint64_t ns)
{
	struct attributes a = { 0 };

	if (syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0))
		return -errno;
	if (a.policy != SCHED_OTHER && a.policy != SCHED_BATCH)
		return -ENOTSUP;
	a.runtime_ns = ns;
	if (syscall(SYS_sched_setattr, 0, &a, 0) || syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0))
		return -errno;
	return !ns || a.runtime_ns == ns ? 0 : -ENOTSUP;
}

#else

static int set_slice(uint64_t ns)
{
	(void)ns;
	return -ENOTSUP;
}

#endif

COLD int hpt_thread_set_slice_ns(int64_t ns)
{
	int saved = errno, r;

	if (ns < 0)
		return -EINVAL;
	if (ns)
		ns = ns < SLICE_MIN_NS ? SLICE_MIN_NS : ns > SLICE_MAX_NS ? SLICE_MAX_NS : ns;
	else
		prctl(PR_SET_TIMERSLACK, 0, 0, 0, 0); /* the thread's default; a sleep that was left leaves 1 ns */
	r = set_slice((uint64_t)ns);
	errno = saved;
	return r;
}

/* A descriptor that holds the request, or -errno. */
static int request_latency(int32_t max_us)
{
	int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC), r = fd;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, &max_us, sizeof(max_us));
	if (n != sizeof(max_us)) {
		r = n < 0 ? -errno : -EIO;
		close(fd);
	}
	return r;
}

COLD int hpt_low_latency_open(int32_t max_us)
{
	int saved = errno, cancel, r;

	if (max_us < 0)
		return -EINVAL;
	/* A thread cancelled here would hold the request until the process ends. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	r = request_latency(max_us);
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	return r;
}
