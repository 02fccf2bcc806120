// SPDX-License-Identifier: MIT
/* Calls about time that fall back to the old system calls after any error: lib/machine/time_calls.h. */
#include "machine/time_calls.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "math/units.h"
#include "machine/sys_clock.h"

COLD int64_t hpt_clock_step_ns(clockid_t id)
{
	struct hpt_timespec_long ts_long;

#ifdef SYS_clock_getres_time64
	struct hpt_timespec64 ts;

	if (!syscall(SYS_clock_getres_time64, id, &ts))
		return ts.tv_sec * NS_PER_S + ts.tv_nsec;
#endif
	return syscall(SYS_clock_getres, id, &ts_long) ? INT64_MAX : ts_long.tv_sec * NS_PER_S + ts_long.tv_nsec;
}

COLD void hpt_nap_ns(int64_t ns)
{
	struct hpt_timespec_long ts_long = { 0, (long)ns };

#ifdef SYS_clock_nanosleep_time64
	struct hpt_timespec64 ts = { 0, ns };

	if (!syscall(SYS_clock_nanosleep_time64, CLOCK_MONOTONIC, 0, &ts, NULL) || errno == EINTR)
		return;
#endif
	if (syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ts_long, NULL) && errno != EINTR)
		syscall(SYS_nanosleep, &ts_long, NULL);
}
