// SPDX-License-Identifier: MIT
/*
 * A library that sleeps where no program expects it: in a constructor, that is before the object's own constructor if
 * the object comes first in LD_PRELOAD; in a child which that constructor forks; and in malloc(). Its first
 * calls are of syscall(), and for a condition variable and a semaphore.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "sleeper.h"

extern void *__libc_malloc(size_t size);

static _Atomic int depth;

void *malloc(size_t size)
{
	struct timespec ts = { .tv_nsec = 60000 };

	if (atomic_fetch_add(&depth, 1) < 3)
		nanosleep(&ts, NULL);
	atomic_fetch_sub(&depth, 1);
	return __libc_malloc(size);
}

static int sleep_by_each(void)
{
	int wrong = 0;

	for (int i = 0; i < sleepers_n; i++) {
		const struct sleeper *s = &sleepers[i];
		int64_t left_ns, began_ns = sleeper_clock_ns(s);

		if (s->unit_ns < S)
			wrong += s->sleep(MS, &left_ns) || sleeper_clock_ns(s) - began_ns < MS;
	}
	return wrong;
}

#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static int wait_for_words(void)
{
	struct timespec ms = timespec_of(MS);
	uint32_t word = 0;
	int wrong = 0;

	errno = EXDEV;
	wrong += syscall(SYS_getpid) != getpid() || errno != EXDEV;
	wrong += syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) != 0 || errno != EXDEV;
	wrong += syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 7, &ms, NULL, 0) != -1 || errno != EAGAIN;
	wrong += syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &ms, NULL, 0) != -1 || errno != ETIMEDOUT;
	return wrong;
}

static int wait_for_conditions(void)
{
	struct timespec past = timespec_of(MS);
	sem_t sem;
	int wrong = 0;

	wrong += pthread_cond_signal(&cond) || pthread_cond_broadcast(&cond);
	pthread_mutex_lock(&mutex);
	wrong += pthread_cond_timedwait(&cond, &mutex, &past) != ETIMEDOUT;
	pthread_mutex_unlock(&mutex);
	wrong += sem_init(&sem, 0, 1) || sem_timedwait(&sem, &past);
	wrong += sem_timedwait(&sem, &past) != -1 || errno != ETIMEDOUT;
	return wrong;
}

__attribute__((constructor)) static void sleep_early(void)
{
	int wrong = wait_for_words() + wait_for_conditions() + sleep_by_each(), status = -1;
	pid_t child = fork();

	if (!child)
		_exit(sleep_by_each());
	if (waitpid(child, &status, 0) != child || status)
		wrong++;
	if (wrong)
		fprintf(stderr, "early: %d wrong\n", wrong);
}
