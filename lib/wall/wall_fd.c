// SPDX-License-Identifier: MIT
/*
 * News of a wall: the bell of the threads that wait for it, and its descriptor for event loops. That is an epoll set of
 * a timer, which expires as the bound ends without news, and of an eventfd, which updates and feeds ring.
 *
 * The timer counts by CLOCK_REALTIME, because the kernel ends such a timer at each step of that clock, and as the
 * machine wakes from a suspend (TFD_TIMER_CANCEL_ON_SET): so a suspend, which voids the bound, shows without a thread.
 */
#include "wall/wall_fd.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "machine/process.h"
#include "machine/timerfd.h"
#include "math/units.h"
#include "source/own_time.h"
#include "wall/vmclock.h"
#include "wall/realtime.h"
#include "wall/wall_counter.h"
#include "wall/wall_keeper.h"

/* How often to look near a leap second: nothing else shows that it has passed. */
#define LEAP_AGAIN_NS (NS_PER_S / 10)

/* Another thread publishes a record meanwhile at most this often, before the timer is set to expire at once. */
#define ARM_TRIES 8

/* A timer of 0 would be none. */
#define SOON_NS 1

struct hpt_wall_fds {
	struct hpt_wall_fds *older;     /* of the processes that this one was forked from */
	uint32_t process;
	int set, timer, event;
	_Atomic int device;             /* VMClock's, on which its hypervisor announces changes; -1: none */
	_Atomic uint64_t seen;          /* how often the bound had been lost and gained as the program last looked */
};

/* NULL: not made yet, or by a process that this one was forked from. */
static struct hpt_wall_fds *own_fds(const struct hpt_wall *w)
{
	struct hpt_wall_fds *fds = atomic_load_explicit(&w->fds, memory_order_acquire);

	return fds && fds->process == hpt_process() ? fds : NULL;
}

static uint64_t changes_of(const struct hpt_wall_record *rec)
{
	return rec->counts.gained + rec->counts.lost;
}

/* ---- The timer ----------------------------------------------------------------------------------------------- */

/* The upper end of the interval is near the leap second then. */
static int64_t leap_tick(const struct hpt_wall_record *rec)
{
	struct hpt_bound_lines upper = rec->read.bound;

	upper.lo = upper.hi;
	upper.band.lo = upper.band.hi;
	return (int64_t)hpt_bound_tick_after(&upper, rec->leap.at_ns - HPT_LEAP_NEAR_NS);
}

/* The time until the bound ends without news. INT64_MAX: no bound, and it comes with news alone. */
static int64_t rest_ns(const struct hpt_wall *w, const struct hpt_wall_record *rec)
{
	int64_t end;

	if (!hpt_wall_record_serves(rec))
		return hpt_wall_record_state(rec) == HPT_WALL_STATE_LEAP ? LEAP_AGAIN_NS : INT64_MAX;
	end = hpt_wall_stale_tick(w, rec);
	if (rec->leap.at_ns && !w->covers_leap && !(rec->flags & HPT_WALL_FLAG_SMEARED) && leap_tick(rec) < end)
		end = leap_tick(rec);
	return hpt_ticks_to_ns(w->clk, hpt_sum(end, -(int64_t)hpt_wall_counter(w)));
}

/* 0; -ECANCELED: the clock was set since the timer was. A sandbox may know no timers that a step ends. */
static int set_until(int timer, int64_t unix_ns)
{
	int r = hpt_timerfd_set(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, unix_ns);

	return r && r != -ECANCELED ? hpt_timerfd_set(timer, TFD_TIMER_ABSTIME, unix_ns) : r;
}

/* The time may have been read before the step, or after it: the second time is read after it. */
static int set_by_realtime(const struct hpt_wall *w, int timer, int64_t ns)
{
	int64_t unix_ns;
	int r = -ECANCELED;

	for (int tries = 0; r == -ECANCELED && tries < 2; tries++) {
		r = hpt_realtime_read(w->clk, CLOCK_REALTIME, &unix_ns);
		if (!r)
			r = set_until(timer, hpt_sum(unix_ns, ns));
	}
	return r;
}

/* Setting a timer also makes it unreadable. */
static void set_after(const struct hpt_wall *w, int timer, int64_t ns)
{
	if (ns == INT64_MAX)
		(void)hpt_timerfd_set(timer, 0, 0);
	else if (set_by_realtime(w, timer, ns > 0 ? ns : 0))
		(void)hpt_timerfd_set(timer, 0, ns > 0 ? ns : SOON_NS);
}

/* Returns the record that the timer is set by: one that is published meanwhile would be missed. */
static void arm_by_record(struct hpt_wall *w, struct hpt_wall_fds *fds, struct hpt_wall_record *ret)
{
	uint64_t tick;

	for (int tries = 0; tries < ARM_TRIES; tries++) {
		uint32_t seen;

		(void)hpt_wall_present(w, ret, &tick);
		seen = hpt_seqlatch_begin(&w->latch);
		set_after(w, fds->timer, rest_ns(w, ret));
		if (hpt_seqlatch_same(&w->latch, seen))
			return;
	}
	(void)hpt_timerfd_set(fds->timer, 0, SOON_NS);
}

/* ---- News ---------------------------------------------------------------------------------------------------- */

static COLD void ring_fd(struct hpt_wall *w, struct hpt_wall_fds *fds)
{
	const uint64_t one = 1;
	struct hpt_wall_record rec = { 0 };
	int saved = errno;

	arm_by_record(w, fds, &rec);
	/* By system call: write(2) is a cancellation point. */
	if (changes_of(&rec) != atomic_load(&fds->seen))
		syscall(SYS_write, fds->event, &one, sizeof(one));
	errno = saved;
}

/* Sleepers on a clock with its own time wait for a change of that clock's. */
void hpt_wall_ring(struct hpt_wall *w)
{
	const struct hpt_env *env = w->clk->src.env;
	struct hpt_wall_fds *fds = own_fds(w);

	hpt_eventcount_notify(hpt_bell(w->bell), 1, env);
	hpt_own_time_notify(hpt_own_time_eventcount(&w->clk->src), env);
	if (fds)
		ring_fd(w, fds);
}

static void close_one(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd); /* close(2) is a cancellation point */
}

static int add_to_set(int set, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return fd < 0 ? -1 : epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
}

/*
 * A device for the changes from now on takes the place of the one before. A child that was forked keeps that open, and
 * so it would stay in the set. Older kernels have no poll(2) for it.
 */
static void watch_device(struct hpt_wall *w, struct hpt_wall_fds *fds)
{
	const struct hpt_wall_ask ask = { .clk = w->clk, .config = &w->config };
	const volatile void *page = atomic_load_explicit(&w->vmclock, memory_order_acquire);
	int fd = page ? hpt_vmclock_open_notifier(&ask, page) : -1, before;

	if (fd >= 0 && add_to_set(fds->set, fd)) {
		close_one(fd);
		fd = -1;
	}
	before = atomic_exchange(&fds->device, fd);
	if (before >= 0)
		epoll_ctl(fds->set, EPOLL_CTL_DEL, before, NULL);
	close_one(before);
}

/* What is lost or gained after the look makes the descriptor readable again. */
static uint32_t look_and_clear(struct hpt_wall *w, struct hpt_wall_fds *fds)
{
	struct hpt_wall_record rec = { 0 };
	uint64_t unused;

	syscall(SYS_read, fds->event, &unused, sizeof(unused));
	watch_device(w, fds);
	(void)hpt_wall_look(w);
	arm_by_record(w, fds, &rec);
	atomic_store(&fds->seen, changes_of(&rec));
	return hpt_wall_record_state(&rec);
}

COLD int hpt_wall_fd_clear(hpt_wall *w)
{
	struct hpt_wall_fds *fds;
	int saved = errno, r = -EINVAL;

	if (!w)
		return r;
	fds = own_fds(w);
	if (fds)
		r = (int)look_and_clear(w, fds);
	errno = saved;
	return r;
}

/* ---- The descriptor ------------------------------------------------------------------------------------------ */

static void close_fds(const struct hpt_wall_fds *fds)
{
	int saved = errno;

	close_one(fds->device);
	close_one(fds->set);
	close_one(fds->timer);
	close_one(fds->event);
	errno = saved;
}

/* 0, or -errno, and nothing is open. */
static int open_fds(struct hpt_wall_fds *fds)
{
	int r = 0;

	fds->timer = fds->event = -1;
	atomic_init(&fds->device, -1);
	fds->set = epoll_create1(EPOLL_CLOEXEC);
	if (fds->set >= 0)
		fds->timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (fds->timer >= 0)
		fds->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fds->event < 0 || add_to_set(fds->set, fds->timer) || add_to_set(fds->set, fds->event)) {
		r = -errno;
		close_fds(fds);
	}
	return r;
}

/* Publishes descriptors in place of none, or of inherited ones. Another thread may be first. */
static int make_fds(struct hpt_wall *w)
{
	struct hpt_wall_fds *fds = calloc(1, sizeof(*fds)), *older = atomic_load(&w->fds);
	int r;

	if (!fds)
		return -ENOMEM;
	r = open_fds(fds);
	fds->process = hpt_process();
	fds->older = older;
	/* The program looks at the wall as it wants the descriptor. */
	if (!r && !own_fds(w) && atomic_compare_exchange_strong(&w->fds, &older, fds)) {
		(void)look_and_clear(w, fds);
		return 0;
	}
	if (!r)
		close_fds(fds);
	free(fds);
	return r;
}

COLD int hpt_wall_fd(hpt_wall *w)
{
	int saved = errno, r = 0;

	if (!w)
		return -EINVAL;
	if (w->clk->src.own_time)
		return -ENOTSUP;
	while (!r && !own_fds(w))
		r = make_fds(w);
	errno = saved;
	return r ? r : own_fds(w)->set;
}

COLD void hpt_wall_fd_close(struct hpt_wall *w)
{
	struct hpt_wall_fds *fds = atomic_load(&w->fds), *older;

	if (own_fds(w))
		close_fds(fds);
	for (; fds; fds = older) {
		older = fds->older;
		free(fds);
	}
}
