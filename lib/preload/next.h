/* SPDX-License-Identifier: MIT */
/*
 * The functions that a program would call without libhpt-preload.so, and the C library's own. Where the two differ,
 * another object that is loaded after this one has a function of that name: such calls are left to it, and it has no
 * part in the waits of this object.
 */
#ifndef HPT_NEXT_H
#define HPT_NEXT_H

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "preload/times.h"

/* Those that are replaced. */
enum hpt_name {
	HPT_NAME_NANOSLEEP, HPT_NAME_NANOSLEEP_ALIAS, HPT_NAME_CLOCK_NANOSLEEP, HPT_NAME_USLEEP, HPT_NAME_SLEEP,
	HPT_NAME_THRD_SLEEP, HPT_NAME_SELECT, HPT_NAME_SELECT_ALIAS, HPT_NAME_PSELECT, HPT_NAME_POLL,
	HPT_NAME_POLL_ALIAS, HPT_NAME_POLL_CHK, HPT_NAME_PPOLL, HPT_NAME_PPOLL_CHK,
	HPT_NAME_EPOLL_WAIT, HPT_NAME_EPOLL_PWAIT, HPT_NAME_EPOLL_PWAIT2, HPT_NAME_SEM_TIMEDWAIT,
	HPT_NAME_SEM_CLOCKWAIT, HPT_NAME_COND_TIMEDWAIT, HPT_NAME_COND_CLOCKWAIT, HPT_NAME_COND_SIGNAL,
	HPT_NAME_COND_BROADCAST, HPT_NAME_CND_TIMEDWAIT, HPT_NAME_CND_SIGNAL, HPT_NAME_CND_BROADCAST, HPT_NAME_SYSCALL,
	HPT_NAME_PRCTL,
#if HPT_HAS_TIME64
	HPT_NAME_NANOSLEEP64, HPT_NAME_CLOCK_NANOSLEEP64, HPT_NAME_THRD_SLEEP64, HPT_NAME_SELECT64, HPT_NAME_PSELECT64,
	HPT_NAME_PPOLL64, HPT_NAME_PPOLL64_CHK, HPT_NAME_EPOLL_PWAIT2_64, HPT_NAME_SEM_TIMEDWAIT64,
	HPT_NAME_SEM_CLOCKWAIT64, HPT_NAME_COND_TIMEDWAIT64, HPT_NAME_COND_CLOCKWAIT64, HPT_NAME_CND_TIMEDWAIT64,
#endif
	HPT_NAMES
};

/* By their names in the C library, but for underscores and "time". */
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
	int (*epoll_wait)(int epfd, struct epoll_event *events, int max, int ms);
	int (*epoll_pwait)(int epfd, struct epoll_event *events, int max, int ms, const sigset_t *mask);
	int (*epoll_pwait2)(int epfd, struct epoll_event *events, int max, const struct timespec *length,
			    const sigset_t *mask);
	int (*sem_timedwait)(sem_t *sem, const struct timespec *until);
	int (*sem_clockwait)(sem_t *sem, clockid_t id, const struct timespec *until);
	int (*pthread_cond_timedwait)(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until);
	int (*pthread_cond_clockwait)(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id,
				      const struct timespec *until);
	int (*pthread_cond_signal)(pthread_cond_t *cond);
	int (*pthread_cond_broadcast)(pthread_cond_t *cond);
	int (*cnd_timedwait)(cnd_t *cnd, mtx_t *mtx, const struct timespec *until);
	int (*cnd_signal)(cnd_t *cnd);
	int (*cnd_broadcast)(cnd_t *cnd);
	long (*syscall)(long number, ...);
	int (*prctl)(int option, ...);
#if HPT_HAS_TIME64
	int (*nanosleep64)(const struct hpt_time64 *length, struct hpt_time64 *rem);
	int (*clock_nanosleep64)(clockid_t id, int flags, const struct hpt_time64 *time, struct hpt_time64 *rem);
	int (*thrd_sleep64)(const struct hpt_time64 *length, struct hpt_time64 *rem);
	int (*select64)(int n, fd_set *in, fd_set *out, fd_set *other, struct hpt_timeval64 *length);
	int (*pselect64)(int n, fd_set *in, fd_set *out, fd_set *other, const struct hpt_time64 *length,
			 const sigset_t *mask);
	int (*ppoll64)(struct pollfd *fds, nfds_t n, const struct hpt_time64 *length, const sigset_t *mask);
	int (*ppoll64_chk)(struct pollfd *fds, nfds_t n, const struct hpt_time64 *length, const sigset_t *mask,
			   size_t fds_bytes);
	int (*epoll_pwait2_64)(int epfd, struct epoll_event *events, int max, const struct hpt_time64 *length,
			       const sigset_t *mask);
	int (*sem_timedwait64)(sem_t *sem, const struct hpt_time64 *until);
	int (*sem_clockwait64)(sem_t *sem, clockid_t id, const struct hpt_time64 *until);
	int (*pthread_cond_timedwait64)(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct hpt_time64 *until);
	int (*pthread_cond_clockwait64)(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id,
					const struct hpt_time64 *until);
	int (*cnd_timedwait64)(cnd_t *cnd, mtx_t *mtx, const struct hpt_time64 *until);
	int (*clock_gettime64)(clockid_t id, struct hpt_time64 *ret);
#endif
	/* That other functions here need. */
	int (*clock_gettime)(clockid_t id, struct timespec *ret);
	void (*pthread_testcancel)(void);
	int (*sem_trywait)(sem_t *sem);
	int (*pthread_mutex_lock)(pthread_mutex_t *mutex);
	int (*pthread_mutex_unlock)(pthread_mutex_t *mutex);
	int (*pthread_cond_init)(pthread_cond_t *cond, const pthread_condattr_t *attr);
	int (*pthread_condattr_init)(pthread_condattr_t *attr);
	int (*pthread_condattr_setclock)(pthread_condattr_t *attr, clockid_t id);
	int (*pthread_condattr_setpshared)(pthread_condattr_t *attr, int shared);
	void (*cleanup_push)(struct _pthread_cleanup_buffer *b, void (*clean)(void *arg), void *arg);
	void (*cleanup_pop)(struct _pthread_cleanup_buffer *b, int is_run);
};

/*
 * What the program would call. The functions are found at the first call, at the latest in the constructor. Never NULL,
 * but a member may be, where nothing has such a function. Keeps errno.
 */
const struct hpt_functions *hpt_next(void);

/* The same, as they are known. */
extern struct hpt_functions hpt_next_known HIDDEN;

/*
 * Looks again where nothing had a function: before glibc 2.34 those of threads are in a library that a program may open
 * later. Keeps errno.
 */
const struct hpt_functions *hpt_next_again(void);

/* A member of what the program would call, which may be in such a library. */
#define HPT_NEXT_LATE(MEMBER) (likely(hpt_next_known.MEMBER != NULL) ? &hpt_next_known : hpt_next_again())->MEMBER

/* The C library's own. Once hpt_next() was called. */
extern struct hpt_functions hpt_own HIDDEN;

#if HPT_HAS_TIME64
/* This object's: by their names it may call another object's. Once hpt_next() was called. */
extern struct hpt_functions hpt_hooks HIDDEN;
#endif

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
