// SPDX-License-Identifier: MIT
/* Hand-overs by descriptors. */
#include "handover.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "sleeper.h"

/* ---- Descriptors --------------------------------------------------------------------------------------------- */

/* A descriptor that is in no set's first word. */
#define HIGH_FD 100

static int ends[2], idle[2];

static bool is_ready(int r)
{
	MUST(r == 0 || r == 1, "%d, %s", r, strerror(errno));
	return r > 0;
}

static bool prepare_pipes(void)
{
	if (pipe(ends) || pipe(idle))
		return false;
	ends[0] = fcntl(ends[0], F_DUPFD, HIGH_FD);
	return ends[0] >= 0 && !fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

static void write_byte(long n)
{
	MUST(write(ends[1], "x", 1) == 1, "event %ld: %s", n, strerror(errno));
}

static bool take_byte(int r)
{
	char c;

	if (!is_ready(r))
		return false;
	MUST(read(ends[0], &c, 1) == 1, "an event without a byte: %s", strerror(errno));
	return true;
}

/* ---- Descriptors and a signal that only the wait lets in ----------------------------------------------------- */

static sigset_t open_mask;
static pthread_t waiting_thread;
static volatile long handled;
static long interrupts;

static void on_signal(int sig)
{
	(void)sig;
	handled++;
}

/* Before other threads are made: they have the mask too. */
static bool prepare_mask(void)
{
	struct sigaction a = { .sa_handler = on_signal };
	sigset_t set;

	waiting_thread = pthread_self();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return prepare_pipes() && !sigaction(SIGUSR1, &a, NULL) && !pthread_sigmask(SIG_BLOCK, &set, &open_mask);
}

static bool is_signal(long n)
{
	return n % 2 == 0;
}

static void write_or_kill(long n)
{
	if (is_signal(n))
		MUST(!pthread_kill(waiting_thread, SIGUSR1), "no signal");
	else
		write_byte(n);
}

static bool take_byte_or_signal(int r, long n)
{
	bool is_interrupt = r < 0 && errno == EINTR;

	interrupts += is_interrupt;
	MUST(handled == interrupts, "%ld handlers, %ld interrupts", handled, interrupts);
	MUST(r == 0 || is_interrupt == is_signal(n), "%d for event %ld", r, n);
	return is_interrupt || take_byte(r);
}

/* ---- poll() and ppoll() -------------------------------------------------------------------------------------- */

static void check_pollfds(const struct pollfd *set, int r)
{
	MUST(r < 0 || (set[0].revents == 0 && set[1].revents == (r ? POLLIN : 0)), "%d, but events %x and %x",
	     r, (unsigned)set[0].revents, (unsigned)set[1].revents);
}

#define POLLFDS { { .fd = idle[0], .events = POLLIN }, { .fd = ends[0], .events = POLLIN, .revents = POLLOUT } }

static bool wait_by_poll(const struct timeout *t, long n)
{
	struct pollfd set[] = POLLFDS;
	int r = poll(set, 2, (int)(t->length_ns / MS));

	(void)n;
	check_pollfds(set, r);
	return take_byte(r);
}

static bool wait_by_ppoll(const struct timeout *t, long n)
{
	struct timespec length = timespec_of(t->length_ns);
	struct pollfd set[] = POLLFDS;
	int r = ppoll(set, 2, &length, NULL);

	(void)n;
	check_pollfds(set, r);
	return take_byte(r);
}

static bool wait_by_ppoll_mask(const struct timeout *t, long n)
{
	struct timespec length = timespec_of(t->length_ns);
	struct pollfd set[] = POLLFDS;
	int r = ppoll(set, 2, &length, &open_mask);

	check_pollfds(set, r);
	return take_byte_or_signal(r, n);
}

/* ---- epoll --------------------------------------------------------------------------------------------------- */

typedef int pwait2(int epfd, struct epoll_event *list, int max, const struct timespec *length, const sigset_t *mask);

static int epfd;
static struct epoll_event watched = { .events = EPOLLIN, .data.u64 = 0x123456789abcdef };
static pwait2 *epoll_wait2;

static bool prepare_epoll(void)
{
	epfd = epoll_create1(0);
	return prepare_pipes() && epfd >= 0 && !epoll_ctl(epfd, EPOLL_CTL_ADD, ends[0], &watched);
}

static bool prepare_edge(void)
{
	watched.events |= EPOLLET;
	return prepare_epoll();
}

static bool prepare_oneshot(void)
{
	watched.events |= EPOLLONESHOT;
	return prepare_epoll();
}

/* The C library's since 2.35, the kernel's since 5.11. */
static bool prepare_pwait2(void)
{
	struct timespec none = { 0 };
	struct epoll_event event;

	*(void **)&epoll_wait2 = dlsym(RTLD_DEFAULT, "epoll_pwait2");
	return prepare_epoll() && epoll_wait2 && !epoll_wait2(epfd, &event, 1, &none, NULL);
}

static bool take_epoll_event(int r, const struct epoll_event *event)
{
	MUST(r <= 0 || (event->events == EPOLLIN && event->data.u64 == watched.data.u64), "events %x",
	     (unsigned)event->events);
	if (!take_byte(r))
		return false;
	if (watched.events & EPOLLONESHOT)
		MUST(!epoll_ctl(epfd, EPOLL_CTL_MOD, ends[0], &watched), "%s", strerror(errno));
	return true;
}

static bool wait_by_epoll(const struct timeout *t, long n)
{
	struct epoll_event event;

	(void)n;
	return take_epoll_event(epoll_wait(epfd, &event, 1, (int)(t->length_ns / MS)), &event);
}

static bool wait_by_pwait(const struct timeout *t, long n)
{
	struct epoll_event event;

	(void)n;
	return take_epoll_event(epoll_pwait(epfd, &event, 1, (int)(t->length_ns / MS), NULL), &event);
}

static bool wait_by_pwait2(const struct timeout *t, long n)
{
	struct timespec length = timespec_of(t->length_ns);
	struct epoll_event event;

	(void)n;
	return take_epoll_event(epoll_wait2(epfd, &event, 1, &length, NULL), &event);
}

/* ---- select() and pselect() ---------------------------------------------------------------------------------- */

/* Nothing can be written to the end of a pipe that is for reading. */
struct sets {
	fd_set in, out;
};

static struct sets make_sets(void)
{
	struct sets s;

	FD_ZERO(&s.in);
	FD_ZERO(&s.out);
	FD_SET(ends[0], &s.in);
	FD_SET(idle[0], &s.in);
	FD_SET(idle[0], &s.out);
	return s;
}

static void check_sets(const struct sets *s, int r)
{
	MUST(r < 0 || (!FD_ISSET(ends[0], &s->in) == !r && !FD_ISSET(idle[0], &s->in) && !FD_ISSET(idle[0], &s->out)),
	     "%d, but the sets have %d, %d, %d", r, FD_ISSET(ends[0], &s->in) != 0,
	     FD_ISSET(idle[0], &s->in) != 0, FD_ISSET(idle[0], &s->out) != 0);
}

/* What is left of a wait is what it lacked, or more: less was waited for. */
static void check_left(const struct timeval *left, int r, const struct timeout *t)
{
	int64_t left_ns = left->tv_sec * S + left->tv_usec * US;
	int64_t lacked_ns = t->at_ns - kernel_ns(CLOCK_MONOTONIC);

	if (r)
		MUST(left_ns > lacked_ns - US && left_ns <= t->length_ns, "%lld ns left, not %lld of %lld",
		     (long long)left_ns, (long long)lacked_ns, (long long)t->length_ns);
	else
		MUST(!left_ns, "%lld ns left after a time-out", (long long)left_ns);
}

static bool wait_by_select(const struct timeout *t, long n)
{
	struct timeval left = { .tv_sec = (time_t)(t->length_ns / S), .tv_usec = (suseconds_t)(t->length_ns % S / US) };
	struct sets s = make_sets();
	int r = select(ends[0] + 1, &s.in, &s.out, NULL, &left);

	(void)n;
	check_left(&left, r, t);
	check_sets(&s, r);
	return take_byte(r);
}

static bool wait_by_pselect(const struct timeout *t, long n)
{
	struct timespec length = timespec_of(t->length_ns);
	struct sets s = make_sets();
	int r = pselect(ends[0] + 1, &s.in, &s.out, NULL, &length, NULL);

	(void)n;
	check_sets(&s, r);
	return take_byte(r);
}

static bool wait_by_pselect_mask(const struct timeout *t, long n)
{
	struct timespec length = timespec_of(t->length_ns);
	struct sets s = make_sets();
	int r = pselect(ends[0] + 1, &s.in, &s.out, NULL, &length, &open_mask);

	check_sets(&s, r);
	return take_byte_or_signal(r, n);
}

/* ---- Kinds --------------------------------------------------------------------------------------------------- */

const struct handover handover_fds[] = {
	/* ..., consumers, is_queue, is_exact */
	{ "poll", CLOCK_MONOTONIC, MS, prepare_pipes, write_byte, wait_by_poll, 1, false, false },
	{ "ppoll", CLOCK_MONOTONIC, 1, prepare_pipes, write_byte, wait_by_ppoll, 1, false, false },
	{ "ppoll-mask", CLOCK_MONOTONIC, 1, prepare_mask, write_or_kill, wait_by_ppoll_mask, 1, false, false },
	{ "epoll", CLOCK_MONOTONIC, MS, prepare_epoll, write_byte, wait_by_epoll, 1, false, false },
	{ "epoll-edge", CLOCK_MONOTONIC, MS, prepare_edge, write_byte, wait_by_epoll, 1, false, false },
	{ "epoll-oneshot", CLOCK_MONOTONIC, MS, prepare_oneshot, write_byte, wait_by_epoll, 1, false, false },
	{ "epoll_pwait", CLOCK_MONOTONIC, MS, prepare_epoll, write_byte, wait_by_pwait, 1, false, false },
	{ "epoll_pwait2", CLOCK_MONOTONIC, 1, prepare_pwait2, write_byte, wait_by_pwait2, 1, false, false },
	{ "select", CLOCK_MONOTONIC, US, prepare_pipes, write_byte, wait_by_select, 1, false, false },
	{ "pselect", CLOCK_MONOTONIC, 1, prepare_pipes, write_byte, wait_by_pselect, 1, false, false },
	{ "pselect-mask", CLOCK_MONOTONIC, 1, prepare_mask, write_or_kill, wait_by_pselect_mask, 1, false, false },
	{ .name = NULL },
};
