// SPDX-License-Identifier: MIT
/* Settings of the scheduler and of the CPUs by which a program is woken sooner. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "arch/arch.h"
#include "machine/cpu_time.h"
#include "sleep/habits.h"

/* The kernel brings a slice into this range (sched_setattr(2), Linux 6.12). */
#define SLICE_MIN_NS 100000
#define SLICE_MAX_NS 100000000

/* What the thread's sleeps would restore is no longer right. They ask again where contention begins. */
static void forget_slice(struct hpt_habits *h)
{
	if (h)
		h->slice = (struct hpt_slice){ 0 };
}

/* So that no sleep in a signal handler changes the slice meanwhile. */
static struct hpt_habits *forget_contention(void)
{
	struct hpt_habits *h = hpt_habits_claim();

	if (h)
		h->contention = (struct hpt_contention){ 0 };
	return h;
}

COLD int hpt_thread_set_slice_ns(int64_t ns)
{
	int saved = errno, r;
	struct hpt_habits *h;

	if (ns < 0)
		return -EINVAL;
	if (ns)
		ns = ns < SLICE_MIN_NS ? SLICE_MIN_NS : ns > SLICE_MAX_NS ? SLICE_MAX_NS : ns;
	else
		prctl(PR_SET_TIMERSLACK, 0, 0, 0, 0); /* the thread's default; a sleep that was left leaves 1 ns */
	h = forget_contention();
	r = hpt_cpu_time_set_slice_ns(ns);
	if (!r)
		forget_slice(h);
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
