/* SPDX-License-Identifier: MIT */
/*
 * The functions that a program would call without libhpt-preload.so, and the C library's own. Where the two differ,
 * another object that is loaded after this one has a function of that name: such calls are left to it, and it has no
 * part in the waits of this object.
 */
#ifndef HPT_NEXT_H
#define HPT_NEXT_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"

/* Those that are replaced. */
enum hpt_name {
	HPT_NAME_NANOSLEEP, HPT_NAME_NANOSLEEP_ALIAS, HPT_NAME_CLOCK_NANOSLEEP, HPT_NAME_USLEEP, HPT_NAME_SLEEP,
	HPT_NAME_THRD_SLEEP, HPT_NAME_SELECT, HPT_NAME_SELECT_ALIAS, HPT_NAME_PSELECT, HPT_NAME_POLL,
	HPT_NAME_POLL_ALIAS, HPT_NAME_POLL_CHK, HPT_NAME_PPOLL, HPT_NAME_PPOLL_CHK,
	HPT_NAMES
};

/* By their names in the C library, but for leading underscores. */
struct hpt_functions {
	int (*nanosleep)(const struct timespec *length, struct timespec *rem);
	int (*nanosleep_alias)(const struct timespec *length, struct timespec *rem);
	int (*clock_nanosleep)(clockid_t id, int flags, const struct timespec *time, struct timespec *rem);
	int (*usleep)(useconds_t us);
	unsigned (*sleep)(unsigned s);
	int (*thrd_sleep)(const struct timespec *length, struct timespec *rem);
	int (*select)(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length);
	int (*select_alias)(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length);
	int (*pselect)(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *length,
		       const sigset_t *mask);
	int (*poll)(struct pollfd *fds, nfds_t n, int ms);
	int (*poll_alias)(struct pollfd *fds, nfds_t n, int ms);
	int (*poll_chk)(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes);
	int (*ppoll)(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask);
	int (*ppoll_chk)(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask,
			 size_t fds_bytes);
	int (*clock_gettime)(clockid_t id, struct timespec *ret);
	void (*pthread_testcancel)(void);
};

/*
 * What the program would call. The functions are found at the first call, at the latest in the constructor. Never NULL,
 * but a member may be, where nothing has such a function. Keeps errno.
 */
const struct hpt_functions *hpt_next(void);

/* The C library's own. Once hpt_next() was called. */
extern struct hpt_functions hpt_own HIDDEN;

/* Whether the program would call the C library's own. Once hpt_next() was called. */
extern bool hpt_is_own[HPT_NAMES] HIDDEN;

/*
 * False: the C library's own clock cannot be had, or the next object has another time, as libfaketime has; then the
 * waits that go to that object cannot be reckoned by the kernel's clock. Keeps errno.
 */
bool hpt_next_find_clock(void);

/* The kernel's clock by the C library, whatever objects replace clock_gettime(). In ns; 0: it cannot be read. */
int64_t hpt_next_clock_ns(clockid_t id);

#endif
