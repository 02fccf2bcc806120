// SPDX-License-Identifier: MIT
/*
 * The C library's functions that the library's objects call, linked in their place (ld --wrap): another object that
 * is loaded before this one may replace them, as libfaketime does. Those with 64-bit time in a build that has 32-bit
 * time else came with glibc 2.34; the object is to be loaded with older ones too.
 */
#include <stdarg.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <time.h>

#include "arch/arch.h"
#include "preload/next.h"
#include "preload/times.h"

/* Of a build with 32-bit time; the library's objects have 64-bit time there. */
struct timespec64 {
	int64_t tv_sec;
	int32_t tv_nsec, padding;
};

int __wrap_clock_gettime(clockid_t id, struct timespec *ret) HIDDEN;
int __wrap___clock_gettime64(clockid_t id, struct timespec64 *ret) HIDDEN;
int __wrap___clock_getres64(clockid_t id, struct timespec64 *ret) HIDDEN;
int __wrap___prctl_time64(int option, ...) HIDDEN;
int __wrap_nanosleep(const struct timespec *length, struct timespec *rem) HIDDEN;
int __wrap___nanosleep64(const struct timespec64 *length, struct timespec64 *rem) HIDDEN;

int __wrap_clock_gettime(clockid_t id, struct timespec *ret)
{
	*ret = hpt_timespec_of(hpt_next_clock_ns(id));
	return 0;
}

int __wrap___clock_gettime64(clockid_t id, struct timespec64 *ret)
{
	int64_t ns = hpt_next_clock_ns(id);

	*ret = (struct timespec64){ ns / HPT_NS_PER_S, (int32_t)(ns % HPT_NS_PER_S), 0 };
	return 0;
}

int __wrap___clock_getres64(clockid_t id, struct timespec64 *ret)
{
	struct timespec ts;

	if (clock_getres(id, &ts))
		return -1;
	*ret = (struct timespec64){ ts.tv_sec, (int32_t)ts.tv_nsec, 0 };
	return 0;
}

/* No time is among the arguments, of which there are four for any option. */
int __wrap___prctl_time64(int option, ...)
{
	unsigned long arg[4];
	va_list ap;

	va_start(ap, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(ap, unsigned long);
	va_end(ap);
	return prctl(option, arg[0], arg[1], arg[2], arg[3]);
}

/* Sleeps of callers that wait for the first choice of a source, of which here there is one. */
int __wrap_nanosleep(const struct timespec *length, struct timespec *rem)
{
	return hpt_own.nanosleep(length, rem);
}

int __wrap___nanosleep64(const struct timespec64 *length, struct timespec64 *rem)
{
	struct timespec ts = { .tv_sec = (time_t)length->tv_sec, .tv_nsec = length->tv_nsec };

	(void)rem;
	return hpt_own.nanosleep(&ts, NULL);
}
