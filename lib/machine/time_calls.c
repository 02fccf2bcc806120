// SPDX-License-Identifier: MIT
/* Calls about time that fall back to the old system calls after any error: lib/machine/time_calls.h. */
#include "machine/time_calls.h"

#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "arch/arch.h"

#define NS_PER_S INT64_C(1000000000)

/* What the old calls take: the machine's own words. On 64-bit machines they are the same calls again. */
struct timespec_long {
	long tv_sec, tv_nsec;
};

struct timex_long {
	unsigned modes;
	long offset, freq, maxerror, esterror;
	int status;
	long constant, precision, tolerance, time[2], tick, ppsfreq, jitter;
	int shift;
	long stabil, jitcnt, calcnt, errcnt, stbcnt;
	int tai, reserved[11];
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

COLD int64_t hpt_clock_step_ns(clockid_t id)
{
	struct timespec_long ts_long;
	struct timespec ts;

	if (!clock_getres(id, &ts))
		return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
	return syscall(SYS_clock_getres, id, &ts_long) ? INT64_MAX : ts_long.tv_sec * NS_PER_S + ts_long.tv_nsec;
}

COLD int hpt_adjtimex(struct timex *ret)
{
	struct timex tx = { 0 };
	struct timex_long old = { 0 };
	int state = adjtimex(&tx);

	if (state < 0) {
		state = (int)syscall(SYS_adjtimex, &old);
		if (state < 0)
			return -errno;
		tx.offset = old.offset;
		tx.freq = old.freq;
		tx.maxerror = old.maxerror;
		tx.esterror = old.esterror;
		tx.status = old.status;
		tx.tick = old.tick;
		tx.tai = old.tai;
	}
	*ret = tx;
	return state;
}

COLD void hpt_nap_ns(int64_t ns)
{
	struct timespec ts = { .tv_nsec = (long)ns };
	struct timespec_long ts_long = { 0, (long)ns };

	if (nanosleep(&ts, NULL) && errno != EINTR)
		syscall(SYS_nanosleep, &ts_long, NULL);
}
