/* SPDX-License-Identifier: MIT */
/* The functions that a program would call without libhpt-preload.so: those of the object that is loaded after it. */
#ifndef HPT_NEXT_H
#define HPT_NEXT_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

struct hpt_next {
	int (*nanosleep)(const struct timespec *length, struct timespec *rem);
	int (*clock_nanosleep)(clockid_t id, int flags, const struct timespec *time, struct timespec *rem);
	int (*usleep)(useconds_t us);
	unsigned (*sleep)(unsigned s);
	int (*thrd_sleep)(const struct timespec *length, struct timespec *rem);
	int (*select)(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length);
	int (*pselect)(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *length,
		       const sigset_t *mask);
	int (*poll)(struct pollfd *fds, nfds_t n, int ms);
	int (*ppoll)(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask);
};

/*
 * Finds them at the first call, at the latest in the constructor. Never NULL, but a member may be, where the C library
 * has no such function. Keeps errno.
 */
const struct hpt_next *hpt_next(void);

/*
 * Finds the C library's own clock. False: it cannot be had, or the next object has another time, as libfaketime has;
 * then the waits that go to that object cannot be reckoned by the kernel's clock. Keeps errno.
 */
bool hpt_next_find_clock(void);

/* The kernel's clock by the C library, whatever objects replace clock_gettime(). In ns; 0: it cannot be read. */
int64_t hpt_next_clock_ns(clockid_t id);

#endif
