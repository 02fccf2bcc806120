// SPDX-License-Identifier: MIT
/* poll(2) and ppoll(2): waits for descriptors, or sleeps where there are none. lib/preload/hook.h */
#include <poll.h>
#include <signal.h>

#include "preload/hook.h"
#include "preload/variants.h"
#include "preload/wait.h"

/* Names of the C library that no header declares. */
HOOK int __poll(struct pollfd *fds, nfds_t n, int ms);
HOOK int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes);
HOOK int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask,
		     size_t fds_bytes);

struct poll_wait {
	struct hpt_wait wait; /* first */
	struct pollfd *fds;
	nfds_t n;
	const sigset_t *mask; /* of ppoll() */
};

#define WAIT(CALL, KIND, ...) { .wait = { .nap = NAP(CALL), .kind = (KIND) }, __VA_ARGS__ }

/* ---- In the kernel --------------------------------------------------------------------------------------- */

static int wait_by_ppoll(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	const struct poll_wait *p = (const struct poll_wait *)w;
	struct timespec ts = hpt_timespec_of(ns);

	(void)until_ns;
	return hpt_wait_ended(hpt_own.ppoll(p->fds, p->n, &ts, p->mask));
}

/* ppoll() is as old as any kernel here, but a filter may have come unseen. */
static int wait_for_ns(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	int r = wait_by_ppoll(w, ns, until_ns);

	if (r != -ENOSYS && r != -EPERM)
		return r;
	hpt_variants_forbid();
	return 0;
}

static int wait_for_ms(struct hpt_wait *w, int ms)
{
	const struct poll_wait *p = (const struct poll_wait *)w;

	return hpt_wait_ended(hpt_own.poll(p->fds, p->n, ms));
}

static int look_by_poll(struct hpt_wait *w)
{
	return wait_for_ms(w, 0);
}

static int look_by_ppoll(struct hpt_wait *w)
{
	return wait_by_ppoll(w, 0, 0);
}

static const struct hpt_wait_kind by_poll = {
	.wait = wait_for_ns, .wait_ms = wait_for_ms, .look = look_by_poll, .is_for_fds = true,
};

static const struct hpt_wait_kind by_ppoll = {
	.wait = wait_by_ppoll, .look = look_by_ppoll, .is_for_fds = true,
};

/* ---- Hooks ----------------------------------------------------------------------------------------------- */

static bool is_room(nfds_t n, size_t bytes)
{
	return n <= bytes / sizeof(struct pollfd);
}

HOOK int poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct poll_wait p = WAIT(HPT_CALL_POLL, &by_poll, .fds = fds, .n = n);

	if (hpt_is_served(HPT_NAME_POLL) && !n && ms > 0)
		return hpt_result_of(hpt_nap_take_for(&p.wait.nap, ms * NS_PER_MS));
	if (hpt_is_wait_served(HPT_NAME_POLL) && ms > 0 && hpt_wait_begin_for(&p.wait, ms * NS_PER_MS))
		return hpt_wait_result(hpt_wait_take(&p.wait));
	return hpt_next()->poll ? hpt_next()->poll(fds, n, ms) : hpt_missing();
}

HOOK int __poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct poll_wait p = WAIT(HPT_CALL_POLL, &by_poll, .fds = fds, .n = n);

	if (hpt_is_served(HPT_NAME_POLL_ALIAS) && !n && ms > 0)
		return hpt_result_of(hpt_nap_take_for(&p.wait.nap, ms * NS_PER_MS));
	if (hpt_is_wait_served(HPT_NAME_POLL_ALIAS) && ms > 0 && hpt_wait_begin_for(&p.wait, ms * NS_PER_MS))
		return hpt_wait_result(hpt_wait_take(&p.wait));
	return hpt_next()->poll_alias ? hpt_next()->poll_alias(fds, n, ms) : hpt_missing();
}

/* What a fortified program calls where the compiler does not know n. An array of any size has room for none. */
HOOK int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes)
{
	struct poll_wait p = WAIT(HPT_CALL_POLL, &by_poll, .fds = fds, .n = n);

	if (hpt_is_served(HPT_NAME_POLL_CHK) && !n && ms > 0)
		return hpt_result_of(hpt_nap_take_for(&p.wait.nap, ms * NS_PER_MS));
	if (hpt_is_wait_served(HPT_NAME_POLL_CHK) && ms > 0 && is_room(n, fds_bytes) &&
	    hpt_wait_begin_for(&p.wait, ms * NS_PER_MS))
		return hpt_wait_result(hpt_wait_take(&p.wait));
	return hpt_next()->poll_chk ? hpt_next()->poll_chk(fds, n, ms, fds_bytes) : hpt_missing();
}

static bool is_length(const struct timespec *length)
{
	return hpt_is_time(length) && (length->tv_sec || length->tv_nsec);
}

HOOK int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask)
{
	struct poll_wait p = WAIT(HPT_CALL_PPOLL, &by_ppoll, .fds = fds, .n = n, .mask = mask);

	if (hpt_is_served(HPT_NAME_PPOLL) && !n && !mask && is_length(length))
		return hpt_result_of(hpt_nap_take_for(&p.wait.nap, hpt_timespec_ns(length)));
	if (hpt_is_wait_served(HPT_NAME_PPOLL) && is_length(length) &&
	    hpt_wait_begin_for(&p.wait, hpt_timespec_ns(length)))
		return hpt_wait_result(hpt_wait_take(&p.wait));
	return hpt_next()->ppoll ? hpt_next()->ppoll(fds, n, length, mask) : hpt_missing();
}

HOOK int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask,
		     size_t fds_bytes)
{
	struct poll_wait p = WAIT(HPT_CALL_PPOLL, &by_ppoll, .fds = fds, .n = n, .mask = mask);

	if (hpt_is_served(HPT_NAME_PPOLL_CHK) && !n && !mask && is_length(length))
		return hpt_result_of(hpt_nap_take_for(&p.wait.nap, hpt_timespec_ns(length)));
	if (hpt_is_wait_served(HPT_NAME_PPOLL_CHK) && is_length(length) && is_room(n, fds_bytes) &&
	    hpt_wait_begin_for(&p.wait, hpt_timespec_ns(length)))
		return hpt_wait_result(hpt_wait_take(&p.wait));
	return hpt_next()->ppoll_chk ? hpt_next()->ppoll_chk(fds, n, length, mask, fds_bytes) : hpt_missing();
}
