// SPDX-License-Identifier: MIT
/* Waits for descriptors by raw system call: lib/machine/fds.h. */
#include "machine/fds.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "math/units.h"
#include "machine/sys_clock.h"

/* sizeof(sigset_t) in the kernel, on all architectures of Linux but MIPS. Unused: no call here has a mask. */
#define SIGSET_BYTES 8

static int answer(long r)
{
	return r < 0 ? -errno : (int)r;
}

/* True for what poll(2) or epoll_wait(2) itself answers. Else the call is not there, or a sandbox answers for it. */
static bool is_answer(int r)
{
	return r >= 0 || r == -EINTR || r == -EBADF || r == -EFAULT || r == -EINVAL || r == -ENOMEM;
}

/* Of the 64-bit call, Linux 5.1, and the old one the first that answers: see machine/sys_clock.h. */
static int poll_for(struct pollfd *fds, uint32_t n, int64_t ns)
{
	struct hpt_timespec_long ts_long = { (long)(ns / NS_PER_S < LONG_MAX ? ns / NS_PER_S : LONG_MAX),
					     (long)(ns % NS_PER_S) };

#ifdef SYS_ppoll_time64
	struct hpt_timespec64 ts = { ns / NS_PER_S, ns % NS_PER_S };
	int r = answer(syscall(SYS_ppoll_time64, fds, n, ns < INT64_MAX ? &ts : NULL, NULL, SIGSET_BYTES));

	if (is_answer(r))
		return r;
#endif
	return answer(syscall(SYS_ppoll, fds, n, ns < INT64_MAX ? &ts_long : NULL, NULL, SIGSET_BYTES));
}

static int poll_once(const struct hpt_fds *f)
{
#ifdef SYS_poll
	int r = answer(syscall(SYS_poll, f->fds, f->n, 0));

	if (is_answer(r))
		return r;
#endif
	return poll_for(f->fds, f->n, 0);
}

/* In whole milliseconds: 0 or -1. */
static int epoll_ms(const struct hpt_fds *f, int ms)
{
	return answer(syscall(SYS_epoll_pwait, f->epfd, f->events, f->n, ms, NULL, SIGSET_BYTES));
}

/*
 * epoll_pwait2() is of Linux 5.11, and sandboxes may not know it. Without it the set itself is polled, which is
 * readable while it has events. The first look finds what is wrong with the arguments.
 */
static int epoll_for(const struct hpt_fds *f, int64_t ns)
{
	struct pollfd set = { .fd = f->epfd, .events = POLLIN };
	int r;

#ifdef SYS_epoll_pwait2
	struct hpt_timespec64 ts = { ns / NS_PER_S, ns % NS_PER_S };

	r = answer(syscall(SYS_epoll_pwait2, f->epfd, f->events, f->n, &ts, NULL, SIGSET_BYTES));
	if (is_answer(r))
		return r;
#endif
	r = epoll_ms(f, 0);
	if (!r)
		r = poll_for(&set, 1, ns);
	return r > 0 && set.revents ? epoll_ms(f, 0) : r;
}

int hpt_fds_wait(const struct hpt_fds *f, int64_t ns)
{
	int saved = errno, r;

	if (!f->is_epoll)
		r = ns ? poll_for(f->fds, f->n, ns) : poll_once(f);
	else
		r = ns && ns < INT64_MAX ? epoll_for(f, ns) : epoll_ms(f, ns ? -1 : 0);
	errno = saved;
	return r;
}
