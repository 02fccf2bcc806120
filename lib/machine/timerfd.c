// SPDX-License-Identifier: MIT
/* Arms timers of descriptors by system call, in any sandbox: lib/machine/timerfd.h. */
#include "machine/timerfd.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "math/units.h"
#include "machine/sys_clock.h"

/* Of the 64-bit call, Linux 5.1, and the old one the first that answers: see machine/sys_clock.h. */
int hpt_timerfd_set(int fd, int flags, int64_t ns)
{
	struct hpt_timespec64 at = { ns / NS_PER_S, ns % NS_PER_S };
	struct hpt_timespec_long at_long[2] = { { 0, 0 }, { (long)(at.tv_sec < LONG_MAX ? at.tv_sec : LONG_MAX),
							(long)at.tv_nsec } };

#ifdef SYS_timerfd_settime64
	struct hpt_timespec64 its[2] = { { 0, 0 }, at };

	if (!syscall(SYS_timerfd_settime64, fd, flags, its, NULL))
		return 0;
#endif
	return syscall(SYS_timerfd_settime, fd, flags, at_long, NULL) ? -errno : 0;
}
