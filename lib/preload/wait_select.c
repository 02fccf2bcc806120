// SPDX-License-Identifier: MIT
/*
 * select(2) and pselect(2): waits for descriptors, or sleeps where there are none. The kernel empties the sets of a
 * wait that ends without an event, so they are kept here for the next one. lib/preload/hook.h
 */
#include <string.h>
#include <sys/select.h>

#include "preload/hook.h"
#include "preload/own_wait.h"
#include "preload/readable.h"
#include "preload/wait.h"

/* A name of the C library that no header declares. */
HOOK int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length);

#define SETS 3

struct select_wait {
	struct hpt_wait wait;  /* first */
	int n;
	fd_set *sets[SETS];    /* the program's; each may be NULL */
	const sigset_t *mask;  /* of pselect() */
	bool is_emptied;
	size_t bytes;          /* of each set that the kernel reads and writes */
	fd_set kept[SETS];
};

/* ---- Sets ------------------------------------------------------------------------------------------------- */

/* The kernel takes whole words of sets. It reads no more of a larger one than the process has descriptors. */
static bool keep_sets(struct select_wait *s)
{
	size_t bits = 8 * sizeof(unsigned long);

	if (s->n > FD_SETSIZE || s->n < 0)
		return false;
	s->bytes = ((size_t)s->n + bits - 1) / bits * sizeof(unsigned long);
	for (int i = 0; i < SETS && s->bytes; i++) {
		if (s->sets[i] && !hpt_is_readable(s->sets[i], s->bytes))
			return false;
		if (s->sets[i])
			memcpy(&s->kept[i], s->sets[i], s->bytes);
	}
	return true;
}

static void fill_sets(struct select_wait *s)
{
	for (int i = 0; i < SETS && s->bytes && s->is_emptied; i++)
		if (s->sets[i])
			memcpy(s->sets[i], &s->kept[i], s->bytes);
	s->is_emptied = false;
}

/* ---- In the kernel --------------------------------------------------------------------------------------- */

static int select_once(const struct select_wait *s, int64_t ns)
{
	struct timespec ts = hpt_timespec_of(ns);
	struct timeval tv = hpt_timeval_of(ns);

	if (s->wait.nap.call == HPT_CALL_PSELECT)
		return hpt_own.pselect(s->n, s->sets[0], s->sets[1], s->sets[2], &ts, s->mask);
	return hpt_own.select(s->n, s->sets[0], s->sets[1], s->sets[2], &tv);
}

static int wait_by_select(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	struct select_wait *s = (struct select_wait *)w;
	int r;

	(void)until_ns;
	fill_sets(s);
	r = hpt_wait_ended(select_once(s, ns));
	s->is_emptied = !r;
	return r;
}

static int look(struct hpt_wait *w)
{
	return wait_by_select(w, 0, 0);
}

static const struct hpt_wait_kind by_select = { .wait = wait_by_select, .look = look, .is_for_fds = true };

/* ---- Hooks ----------------------------------------------------------------------------------------------- */

static bool is_interval(const struct timeval *tv)
{
	return tv && tv->tv_sec >= 0 && tv->tv_usec >= 0 && tv->tv_usec < 1000000 && (tv->tv_sec || tv->tv_usec);
}

static int64_t ns_of(const struct timeval *tv)
{
	struct timespec ts = { .tv_sec = tv->tv_sec, .tv_nsec = (long)tv->tv_usec * 1000 };

	return hpt_timespec_ns(&ts);
}

static void set_timeval(struct timeval *ret, int64_t ns)
{
	ret->tv_sec = (time_t)(ns / NS_PER_S);
	ret->tv_usec = (suseconds_t)(ns % NS_PER_S / 1000);
}

static bool is_sleep(const struct select_wait *s)
{
	return !s->n && !s->sets[0] && !s->sets[1] && !s->sets[2] && !s->mask;
}

/* Both write back the remaining time, as Linux does. */
static int sleep_for(struct hpt_nap *nap, struct timeval *length)
{
	int err = hpt_nap_take_for(nap, ns_of(length));

	if (!err || err == EINTR)
		set_timeval(length, err ? nap->left_ns : 0);
	return hpt_result_of(err);
}

static int wait_for(struct select_wait *s, struct timeval *length)
{
	int r = hpt_wait_take(&s->wait);

	set_timeval(length, r ? hpt_own_rest_ns(CLOCK_MONOTONIC, s->wait.nap.at_ns) : 0);
	return hpt_wait_result(r);
}

HOOK int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length)
{
	struct select_wait s;

	s.wait = (struct hpt_wait){ .nap = NAP(HPT_CALL_SELECT), .kind = &by_select };
	s.n = n, s.sets[0] = in, s.sets[1] = out, s.sets[2] = other, s.mask = NULL, s.is_emptied = false;
	if (hpt_is_served(HPT_NAME_SELECT) && is_interval(length)) {
		if (is_sleep(&s))
			return sleep_for(&s.wait.nap, length);
		if (hpt_is_wait_served(HPT_NAME_SELECT) && keep_sets(&s) && hpt_wait_begin_for(&s.wait, ns_of(length)))
			return wait_for(&s, length);
	}
	return hpt_next()->select ? hpt_next()->select(n, in, out, other, length) : hpt_missing();
}

HOOK int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *length)
{
	struct select_wait s;

	s.wait = (struct hpt_wait){ .nap = NAP(HPT_CALL_SELECT), .kind = &by_select };
	s.n = n, s.sets[0] = in, s.sets[1] = out, s.sets[2] = other, s.mask = NULL, s.is_emptied = false;
	if (hpt_is_served(HPT_NAME_SELECT_ALIAS) && is_interval(length)) {
		if (is_sleep(&s))
			return sleep_for(&s.wait.nap, length);
		if (hpt_is_wait_served(HPT_NAME_SELECT_ALIAS) && keep_sets(&s) &&
		    hpt_wait_begin_for(&s.wait, ns_of(length)))
			return wait_for(&s, length);
	}
	return hpt_next()->select_alias ? hpt_next()->select_alias(n, in, out, other, length) : hpt_missing();
}

HOOK int pselect(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *length, const sigset_t *mask)
{
	struct select_wait s;

	s.wait = (struct hpt_wait){ .nap = NAP(HPT_CALL_PSELECT), .kind = &by_select };
	s.n = n, s.sets[0] = in, s.sets[1] = out, s.sets[2] = other, s.mask = mask, s.is_emptied = false;
	if (hpt_is_served(HPT_NAME_PSELECT) && hpt_is_time(length) && (length->tv_sec || length->tv_nsec)) {
		if (is_sleep(&s))
			return hpt_result_of(hpt_nap_take_for(&s.wait.nap, hpt_timespec_ns(length)));
		if (hpt_is_wait_served(HPT_NAME_PSELECT) && keep_sets(&s) &&
		    hpt_wait_begin_for(&s.wait, hpt_timespec_ns(length)))
			return hpt_wait_result(hpt_wait_take(&s.wait));
	}
	return hpt_next()->pselect ? hpt_next()->pselect(n, in, out, other, length, mask) : hpt_missing();
}
