/* SPDX-License-Identifier: MIT */
/*
 * The functions that wait for an event with a time-out, called as sleeps are: for something that does not come. Each
 * waits in the kernel by one system call.
 */
#ifndef HPT_PRELOAD_WAITERS_H
#define HPT_PRELOAD_WAITERS_H

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>

#include "sleeper.h"

/* Machines that have no calls with a time of 32 bits, and programs that have no such times. */
#if !defined(SYS_futex) || HAS_WIDE_TIME
#undef SYS_futex
#define SYS_futex SYS_futex_time64
#endif

/* What a waiter returns where something came after all. */
#define WAITER_EVENT (-2)

extern const struct sleeper waiters[];
extern const int waiters_n;

/* Before the first wait, in a single thread. Returns false where a pipe or an epoll set cannot be had. */
bool waiters_open(void);

const struct sleeper *waiter_named(const char *name);

/* False: this C library, or this kernel, does not have the function. After waiters_open(). */
bool waiter_is_here(const struct sleeper *s);

/* A wait for a condition variable, which no signal ends. */
bool waiter_is_condition(const struct sleeper *s);

typedef int epoll_pwait2_fn(int epfd, struct epoll_event *events, int max, const struct timespec *length,
			    const sigset_t *mask);
typedef int sem_clockwait_fn(sem_t *sem, clockid_t id, const struct timespec *until);
typedef int cond_clockwait_fn(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id,
			      const struct timespec *until);

/* Functions that glibc 2.28 does not have. NULL: this one does not either. */
extern epoll_pwait2_fn *waiter_epoll_pwait2;
extern sem_clockwait_fn *waiter_sem_clockwait;
extern cond_clockwait_fn *waiter_cond_clockwait;

/* That long after the clock's time. */
static inline struct timespec time_after(clockid_t id, int64_t ns)
{
	struct timespec now;

	clock_gettime(id, &now);
	return timespec_of(ns_of(&now) + ns);
}

#endif
