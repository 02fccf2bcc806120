/* SPDX-License-Identifier: MIT */
/* A kernel clock by system call, independent of libc and the vDSO; shared by the library and the command. */
#ifndef HPT_SYS_CLOCK_H
#define HPT_SYS_CLOCK_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The struct timespec of the kernel's 64-bit calls on any machine; that of the old 32-bit calls ends in 2038. */
struct hpt_timespec64 {
	int64_t tv_sec, tv_nsec;
};

struct hpt_timespec_long {
	long tv_sec, tv_nsec;
};

/* Two longs: on 32-bit machines this ends in 2038, and kernels before 5.1 have no other call there. */
static inline bool hpt_sys_clock_long_ns(clockid_t id, int64_t *ret_ns)
{
	struct { long tv_sec, tv_nsec; } ts;

	if (syscall(SYS_clock_gettime, id, &ts))
		return false;
	*ret_ns = ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
	return true;
}

/*
 * Reads the clock, in nanoseconds. Returns false and sets errno if the call is denied.
 *
 * A kernel before 5.1 answers the 64-bit call by ENOSYS, and a sandbox that is older than the call by what it likes:
 * libseccomp before 2.4.2, as in Docker before 19.03.9, by EPERM. So after any error the old call is asked.
 */
static inline bool hpt_sys_clock_ns(clockid_t id, int64_t *ret_ns)
{
#ifdef SYS_clock_gettime64
	struct { int64_t tv_sec, tv_nsec; } ts;
	int error;

	if (!syscall(SYS_clock_gettime64, id, &ts)) {
		*ret_ns = ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
		return true;
	}
	error = errno;
	if (hpt_sys_clock_long_ns(id, ret_ns))
		return true;
	if (errno == ENOSYS) /* a kernel without the old calls */
		errno = error;
	return false;
#else
	return hpt_sys_clock_long_ns(id, ret_ns);
#endif
}

#endif
