// SPDX-License-Identifier: MIT
/*
 * Signals that arrive in waits for events: each function ends as the kernel's own does, also with a mask of signals.
 * Waits for condition variables go on. No signal has to come on time: it is sent again and again.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>

#include "process.h"
#include "waiters.h"

#define LENGTH_NS (60 * S)

static volatile sig_atomic_t handled;

static void on_alarm(int sig)
{
	(void)sig;
	handled = 1;
}

static void handle(void (*handler)(int), int flags)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = flags };

	sigaction(SIGALRM, &a, NULL);
}

static void alarms_from(int64_t first_ns, int64_t ns)
{
	struct itimerval it = { .it_value.tv_usec = (suseconds_t)(first_ns / US),
				.it_interval.tv_usec = (suseconds_t)(ns / US) };

	setitimer(ITIMER_REAL, &it, NULL);
}

/* 0: no more. */
static void alarm_every(int64_t ns)
{
	alarms_from(ns, ns);
}

static int epoll_of(int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };
	int epfd = epoll_create1(0);

	CHECK(epfd >= 0 && !epoll_ctl(epfd, EPOLL_CTL_ADD, fd, &event), "no epoll set");
	return epfd;
}

/* ---- EINTR ---------------------------------------------------------------------------------------------------- */

static void check_left(const struct sleeper *s, int64_t left_ns, int64_t took_ns)
{
	if (!s->writes_left)
		CHECK(left_ns == UNTOLD, "%s wrote %lld back", s->name, (long long)left_ns);
	else
		CHECK(left_ns > LENGTH_NS - took_ns - US && left_ns <= LENGTH_NS, "%s has %lld ns left after %lld",
		      s->name, (long long)left_ns, (long long)took_ns);
}

static void check_interrupted(const struct sleeper *s, int flags)
{
	int64_t began_ns = sleeper_clock_ns(s), left_ns, took_ns;
	int r;

	handle(on_alarm, flags);
	handled = 0;
	alarm_every(5 * MS);
	r = s->sleep(LENGTH_NS, &left_ns);
	took_ns = sleeper_clock_ns(s) - began_ns;
	alarm_every(0);
	CHECK(r == EINTR && handled, "%s with flags %x: %d", s->name, (unsigned)flags, r);
	check_left(s, left_ns, took_ns);
}

/* Near its end, where it looks, a wait may see the signal or the end first. */
static void check_often_interrupted(const struct sleeper *s)
{
	int ended = 0;

	alarm_every(700 * US);
	for (int i = 0; i < 300 && ended < 30; i++) {
		int64_t length_ns = sleeper_round(s, (100 + i * 37 % 3000) * US), began_ns, left_ns;
		int r;

		began_ns = sleeper_clock_ns(s);
		r = s->sleep(length_ns, &left_ns);
		CHECK(r == EINTR || (!r && sleeper_clock_ns(s) - began_ns >= length_ns), "%s of %lld ns: %d",
		      s->name, (long long)length_ns, r);
		ended += !r;
	}
	alarm_every(0);
}

static void check_not_interrupted(const struct sleeper *s)
{
	int64_t left_ns;

	alarm_every(300 * US);
	for (int64_t length_ns = 50 * US; length_ns < 30 * MS; length_ns = length_ns * 2 + 13 * US) {
		int64_t began_ns = sleeper_clock_ns(s);
		int r = s->sleep(length_ns, &left_ns);

		CHECK(!r && sleeper_clock_ns(s) - began_ns >= length_ns, "%s of %lld ns: %d", s->name,
		      (long long)length_ns, r);
	}
	alarm_every(0);
}

static void each_is_interrupted(void)
{
	for (int i = 0; i < waiters_n; i++) {
		const struct sleeper *s = &waiters[i];

		if (!waiter_is_here(s))
			continue;
		if (waiter_is_condition(s)) {
			check_not_interrupted(s);
			continue;
		}
		check_interrupted(s, 0);
		check_interrupted(s, SA_RESTART);
		check_often_interrupted(s);
	}
}

/* Of more seconds than the kernel can count. */
static void the_longest_are_interrupted(void)
{
	struct timespec ts = { .tv_sec = sizeof(time_t) > 4 ? (time_t)INT64_MAX : INT32_MAX, .tv_nsec = 999999999 };
	struct timeval tv = { .tv_sec = ts.tv_sec };
	int ends[2], epfd;
	struct epoll_event event;
	fd_set set;

	CHECK(!pipe(ends), "no pipe");
	epfd = epoll_of(ends[0]);
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	handle(on_alarm, 0);
	alarm_every(5 * MS);
	CHECK(ppoll(&(struct pollfd){ .fd = ends[0] }, 1, &ts, NULL) == -1 && errno == EINTR, "ppoll: %d", errno);
	CHECK(pselect(ends[0] + 1, &set, NULL, NULL, &ts, NULL) == -1 && errno == EINTR, "pselect: %d", errno);
	CHECK(select(ends[0] + 1, &set, NULL, NULL, &tv) == -1 && errno == EINTR, "select: %d", errno);
	CHECK(tv.tv_sec > 1000000000, "select left %lld s", (long long)tv.tv_sec);
	CHECK(FD_ISSET(ends[0], &set), "a set was written");
	CHECK(!waiter_is_here(waiter_named("epoll_pwait2")) ||
	      (waiter_epoll_pwait2(epfd, &event, 1, &ts, NULL) == -1 && errno == EINTR), "epoll_pwait2: %d", errno);
	alarm_every(0);
	close(epfd);
	close(ends[0]);
	close(ends[1]);
}

/* ---- Blocked signals ------------------------------------------------------------------------------------------ */

static sigset_t open_mask, blocking;

static int by_ppoll(int fd, int64_t ns, const sigset_t *mask)
{
	struct timespec ts = timespec_of(ns);
	int r = ppoll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, &ts, mask);

	CHECK(ns_of(&ts) == ns, "ppoll changed its time");
	return r;
}

static int by_pselect(int fd, int64_t ns, const sigset_t *mask)
{
	struct timespec ts = timespec_of(ns);
	fd_set set;
	int r;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	r = pselect(fd + 1, &set, NULL, NULL, &ts, mask);
	CHECK(ns_of(&ts) == ns, "pselect changed its time");
	return r;
}

static int by_epoll_pwait(int fd, int64_t ns, const sigset_t *mask)
{
	struct epoll_event event;
	int epfd = epoll_of(fd), r = epoll_pwait(epfd, &event, 1, (int)(ns / MS), mask), saved = errno;

	close(epfd);
	errno = saved;
	return r;
}

static int by_epoll_pwait2(int fd, int64_t ns, const sigset_t *mask)
{
	struct timespec ts = timespec_of(ns);
	struct epoll_event event;
	int epfd = epoll_of(fd), r = waiter_epoll_pwait2(epfd, &event, 1, &ts, mask), saved = errno;

	close(epfd);
	errno = saved;
	return r;
}

static const struct {
	const char *name;
	int (*wait)(int fd, int64_t ns, const sigset_t *mask);
} masked[] = {
	{ "ppoll", by_ppoll }, { "pselect", by_pselect }, { "epoll_pwait", by_epoll_pwait },
	{ "epoll_pwait2", by_epoll_pwait2 }, /* last: it may be missing */
};

/* The signal is there before the wait: what the mask lets in ends it at once, and nothing else does. */
static void check_masks(size_t i, int full, int silent)
{
	int64_t began_ns;
	int r;

	handled = 0;
	raise(SIGALRM);
	for (int64_t ns = MS; ns <= 4 * MS; ns += MS) {
		began_ns = kernel_ns(CLOCK_MONOTONIC);
		r = masked[i].wait(silent, ns, ns / MS % 2 ? NULL : &blocking);
		CHECK(!r && !handled && kernel_ns(CLOCK_MONOTONIC) - began_ns >= ns, "%s with the signal blocked: %d",
		      masked[i].name, r);
	}
	r = masked[i].wait(full, LENGTH_NS, &open_mask);
	CHECK(r == 1 && !handled, "%s with an event and a signal: %d", masked[i].name, r);
	r = masked[i].wait(silent, LENGTH_NS, &open_mask);
	CHECK(r == -1 && errno == EINTR && handled, "%s lets the signal in: %d", masked[i].name, r);
}

/* Those that come in the wait. A mask of the wait holds in all parts of it, and not afterwards. */
static void check_masks_in_the_wait(size_t i, int silent)
{
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);
	sigset_t now;
	int r;

	handled = 0;
	alarm_every(300 * US);
	r = masked[i].wait(silent, 10 * MS, &blocking);
	CHECK(!r && !handled && kernel_ns(CLOCK_MONOTONIC) - began_ns >= 10 * MS, "%s with signals blocked: %d",
	      masked[i].name, r);
	r = masked[i].wait(silent, LENGTH_NS, &open_mask);
	CHECK(r == -1 && errno == EINTR && handled, "%s lets signals in: %d", masked[i].name, r);
	alarm_every(0);
	sigprocmask(SIG_BLOCK, NULL, &now);
	CHECK(sigismember(&now, SIGALRM), "%s left its mask", masked[i].name);
	handle(SIG_IGN, 0); /* drops one that is pending */
	handle(on_alarm, 0);
}

static void masks_hold_in_the_wait(void)
{
	size_t n = sizeof(masked) / sizeof(masked[0]) - !waiter_is_here(waiter_named("epoll_pwait2"));
	int ends[2], others[2];

	CHECK(!pipe(ends) && !pipe(others) && write(ends[1], "x", 1) == 1, "no pipe");
	handle(on_alarm, 0);
	sigprocmask(SIG_BLOCK, &blocking, NULL);
	for (size_t i = 0; i < n; i++) {
		check_masks(i, ends[0], others[0]);
		check_masks_in_the_wait(i, others[0]);
	}
	sigprocmask(SIG_UNBLOCK, &blocking, NULL);
}

/* ---- Handlers ------------------------------------------------------------------------------------------------- */

static sigjmp_buf before_wait;

static void leave(int sig)
{
	(void)sig;
	siglongjmp(before_wait, 1);
}

/* Out of the kernel's wait, and of looks. The C library's own locks are not to be left that way. */
static void handlers_leave_by_a_jump(void)
{
	handle(leave, 0);
	for (int volatile i = 0; i < 6 * waiters_n; i++) {
		const struct sleeper *s = &waiters[i % waiters_n];
		int64_t left_ns, began_ns;

		if (!waiter_is_here(s) || s->calls[0] == SYS_futex)
			continue;
		if (!sigsetjmp(before_wait, 1)) {
			alarms_from((1 + i % 3) * 200 * US, 5 * MS);
			for (;;)
				s->sleep(i % 2 ? LENGTH_NS : MS, &left_ns);
		}
		alarm_every(0);
		began_ns = sleeper_clock_ns(s);
		CHECK(!s->sleep(3 * MS, &left_ns) && sleeper_clock_ns(s) - began_ns >= 3 * MS,
		      "%s after a jump", s->name);
	}
}

int main(void)
{
	if (!waiters_open())
		return skip("no descriptors here");
	sigemptyset(&open_mask);
	sigemptyset(&blocking);
	sigaddset(&blocking, SIGALRM);
	each_is_interrupted();
	the_longest_are_interrupted();
	masks_hold_in_the_wait();
	handlers_leave_by_a_jump();
	return failures != 0;
}
