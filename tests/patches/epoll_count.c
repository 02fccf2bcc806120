/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program: counts its calls of epoll_wait(), and those that ended by their timeout. An event loop that
 * rounds its timeouts down is seen by many calls with a timeout of 0. At exit the counts go to the file that the
 * variable EPOLL_COUNT names.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>

static atomic_long calls, expired, at_once;

int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
{
	static int (*real)(int, struct epoll_event *, int, int);
	int n;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "epoll_wait");
	n = real(epfd, events, maxevents, timeout);
	atomic_fetch_add(&calls, 1);
	atomic_fetch_add(&at_once, timeout == 0);
	atomic_fetch_add(&expired, timeout != 0 && n == 0);
	return n;
}

__attribute__((destructor)) static void print_counts(void)
{
	const char *path = getenv("EPOLL_COUNT");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (file) {
		fprintf(file, "%ld %ld %ld\n", calls, expired, at_once);
		fclose(file);
	}
}
