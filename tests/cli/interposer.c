// SPDX-License-Identifier: MIT
/*
 * For LD_PRELOAD: the clock with the number FAKE_CLOCK is FAKE_SHIFT_S seconds ahead and runs FAKE_TIMES times as fast
 * from its first reading on.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t number(const char *name)
{
	const char *text = getenv(name);

	return text ? atoll(text) : 0;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	static int64_t first;
	int64_t ns;

	if (syscall(SYS_clock_gettime, id, ts))
		return -1;
	if (id != number("FAKE_CLOCK"))
		return 0;
	ns = (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;
	if (!first)
		first = ns;
	ns = first + (ns - first) * number("FAKE_TIMES") + number("FAKE_SHIFT_S") * 1000000000;
	ts->tv_sec = (time_t)(ns / 1000000000);
	ts->tv_nsec = (long)(ns % 1000000000);
	return 0;
}
