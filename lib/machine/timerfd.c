// SPDX-License-Identifier: MIT
/* Arms timers of descriptors, in any sandbox: lib/machine/timerfd.h. */
#include "machine/timerfd.h"

#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

/* What the old call takes: the machine's own words. On 64-bit machines it is the same call again. */
struct timespec_long {
	long tv_sec, tv_nsec;
};

static struct timespec_long long_of(int64_t ns)
{
	int64_t s = ns / NS_PER_S;

	return (struct timespec_long){ (long)(s < LONG_MAX ? s : LONG_MAX), (long)(ns % NS_PER_S) };
}

int hpt_timerfd_set(int fd, int flags, int64_t ns)
{
	struct itimerspec its = { .it_value = { .tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S) } };
	struct timespec_long its_long[2] = { { 0, 0 }, long_of(ns) };

	if (!timerfd_settime(fd, flags, &its, NULL))
		return 0;
	return syscall(SYS_timerfd_settime, fd, flags, its_long, NULL) ? -errno : 0;
}
