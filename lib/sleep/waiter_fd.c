// SPDX-License-Identifier: MIT
/* hpt_waiter_fd(): an eventfd, by which waits for descriptors are interrupted. */
#include "hpt/wait.h"

#include <errno.h>
#include <sys/eventfd.h>

#include "arch/arch.h"
#include "sleep/waiter.h"

static int make_eventfd(void)
{
	return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

COLD int hpt_waiter_fd(hpt_waiter *w)
{
	bool is_new;
	int fd;

	if (!w)
		return -EINVAL;
	fd = hpt_own_fd_make(&w->own, make_eventfd, &is_new);
	if (is_new)
		hpt_own_fd_follow(&w->own, &w->eventcount, &w->seen);
	return fd;
}
