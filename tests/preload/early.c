// SPDX-License-Identifier: MIT
/*
 * A library that sleeps where no program expects it: in a constructor, that is before the object's own constructor if
 * the object comes first in LD_PRELOAD; in a child which that constructor forks; and in malloc().
 */
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
		int64_t left_ns, began_ns = kernel_ns(CLOCK_MONOTONIC);

		if (sleepers[i].unit_ns < S)
			wrong += sleepers[i].sleep(MS, &left_ns) || kernel_ns(CLOCK_MONOTONIC) - began_ns < MS;
	}
	return wrong;
}

__attribute__((constructor)) static void sleep_early(void)
{
	int wrong = sleep_by_each(), status = -1;
	pid_t child = fork();

	if (!child)
		_exit(sleep_by_each());
	if (waitpid(child, &status, 0) != child || status)
		wrong++;
	if (wrong)
		fprintf(stderr, "early: %d wrong\n", wrong);
}
