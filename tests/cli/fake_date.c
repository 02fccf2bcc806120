// SPDX-License-Identifier: MIT
/*
 * For programs with the library linked in: CLOCK_REALTIME alone is FAKE_SHIFT_S seconds ahead, so that the library
 * keeps a TSC. Where time_t is wider than the machine's words, libc has another name for this function, which <time.h>
 * substitutes.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef SYS_clock_gettime64
#define CALL SYS_clock_gettime64
#else
#define CALL SYS_clock_gettime
#endif

int clock_gettime(clockid_t id, struct timespec *ts)
{
	const char *shift_s = getenv("FAKE_SHIFT_S");

	if (syscall(CALL, id, ts))
		return -1;
	if (shift_s && id == CLOCK_REALTIME)
		ts->tv_sec += (time_t)atoll(shift_s);
	return 0;
}
