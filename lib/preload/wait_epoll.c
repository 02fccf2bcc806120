// SPDX-License-Identifier: MIT
/*
 * epoll_wait(2) and its like. With a signal mask they are passed on: without a time to wait the kernel returns before
 * it looks for signals (ep_poll() in fs/eventpoll.c), so that one would wait until the spin's end. lib/preload/hook.h
 */
#include <sys/epoll.h>

#include "preload/hook.h"
#include "preload/variants.h"
#include "preload/wait.h"

struct epoll_wait {
	struct hpt_wait wait; /* first */
	int epfd, max;
	struct epoll_event *events;
};

#define WAIT(CALL, KIND) { \
	.wait = { .nap = NAP(CALL), .kind = (KIND) }, .epfd = epfd, .max = max, .events = events, \
}

/* ---- In the kernel --------------------------------------------------------------------------------------- */

static int wait_for_ms(struct hpt_wait *w, int ms)
{
	const struct epoll_wait *e = (const struct epoll_wait *)w;

	if (w->nap.call == HPT_CALL_EPOLL_PWAIT)
		return hpt_wait_ended(hpt_own.epoll_pwait(e->epfd, e->events, e->max, ms, NULL));
	return hpt_wait_ended(hpt_own.epoll_wait(e->epfd, e->events, e->max, ms));
}

static int look(struct hpt_wait *w)
{
	return wait_for_ms(w, 0);
}

static int wait_by_pwait2(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	const struct epoll_wait *e = (const struct epoll_wait *)w;
	struct timespec ts = hpt_timespec_of(ns);

	(void)until_ns;
	return hpt_wait_ended(hpt_own.epoll_pwait2(e->epfd, e->events, e->max, &ts, NULL));
}

static int look_by_pwait2(struct hpt_wait *w)
{
	return wait_by_pwait2(w, 0, 0);
}

/* Linux has it from 5.11 on, glibc from 2.35 on. */
static int wait_for_ns(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	int r = hpt_own.epoll_pwait2 ? wait_by_pwait2(w, ns, until_ns) : -ENOSYS;

	if (r != -ENOSYS && r != -EPERM)
		return r;
	hpt_variants_forbid();
	return 0;
}

static const struct hpt_wait_kind in_ms = {
	.wait = wait_for_ns, .wait_ms = wait_for_ms, .look = look, .is_for_fds = true,
};

static const struct hpt_wait_kind in_ns = {
	.wait = wait_by_pwait2, .look = look_by_pwait2, .is_for_fds = true,
};

/* ---- Hooks ----------------------------------------------------------------------------------------------- */

HOOK int epoll_wait(int epfd, struct epoll_event *events, int max, int ms)
{
	struct epoll_wait e = WAIT(HPT_CALL_EPOLL_WAIT, &in_ms);

	if (hpt_is_wait_served(HPT_NAME_EPOLL_WAIT) && ms > 0 && hpt_wait_begin_for(&e.wait, ms * NS_PER_MS))
		return hpt_wait_result(hpt_wait_take(&e.wait));
	return hpt_next()->epoll_wait ? hpt_next()->epoll_wait(epfd, events, max, ms) : hpt_missing();
}

HOOK int epoll_pwait(int epfd, struct epoll_event *events, int max, int ms, const sigset_t *mask)
{
	struct epoll_wait e = WAIT(HPT_CALL_EPOLL_PWAIT, &in_ms);

	if (hpt_is_wait_served(HPT_NAME_EPOLL_PWAIT) && ms > 0 && !mask &&
	    hpt_wait_begin_for(&e.wait, ms * NS_PER_MS))
		return hpt_wait_result(hpt_wait_take(&e.wait));
	return hpt_next()->epoll_pwait ? hpt_next()->epoll_pwait(epfd, events, max, ms, mask) : hpt_missing();
}

HOOK int epoll_pwait2(int epfd, struct epoll_event *events, int max, const struct timespec *length,
		      const sigset_t *mask)
{
	struct epoll_wait e = WAIT(HPT_CALL_EPOLL_PWAIT2, &in_ns);

	if (hpt_is_wait_served(HPT_NAME_EPOLL_PWAIT2) && hpt_is_time_of_kernel(length) && !mask &&
	    hpt_wait_begin_for(&e.wait, hpt_timespec_ns(length)))
		return hpt_wait_result(hpt_wait_take(&e.wait));
	return hpt_next()->epoll_pwait2 ? hpt_next()->epoll_pwait2(epfd, events, max, length, mask) : hpt_missing();
}
