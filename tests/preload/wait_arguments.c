// SPDX-License-Identifier: MIT
/*
 * Waits for descriptors with odd and bad arguments: what the kernel answers, also in errno and in the memory that it
 * writes to. Each is true of the functions as they are.
 */
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/select.h>

#include "odd.h"
#include "process.h"
#include "waiters.h"

/* Without an end. */
#define ENDLESS (-1)

static int full, silent, closed; /* descriptors: with a byte to read, without, and none */
static int full_ep, silent_ep;   /* sets with one of them */

/* ---- Each function, for one descriptor ---------------------------------------------------------------------- */

static int ms_of(int64_t ns)
{
	return ns < 0 ? -1 : ns / MS < INT_MAX ? (int)(ns / MS) : INT_MAX;
}

static int by_poll(int fd, int64_t ns)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN, .revents = -1 };
	int r = poll(&pfd, 1, ms_of(ns));

	CHECK(pfd.revents == (r > 0 ? POLLIN : 0), "poll wrote %x", (unsigned)pfd.revents);
	return r;
}

static int by_ppoll(int fd, int64_t ns)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN, .revents = -1 };
	struct timespec ts;
	int r = ppoll(&pfd, 1, length_of(ns, &ts), NULL);

	CHECK(pfd.revents == (r > 0 ? POLLIN : 0), "ppoll wrote %x", (unsigned)pfd.revents);
	CHECK(ns_of(&ts) == ns || ns < 0, "ppoll changed its time");
	return r;
}

/* The remaining time, not more than there was. */
static void check_left(const struct timeval *tv, int64_t ns, int r)
{
	int64_t left_ns = tv->tv_sec * S + tv->tv_usec * US;

	CHECK(r ? left_ns <= ns && (ns < S || left_ns > 0) : !left_ns, "select left %lld of %lld ns",
	      (long long)left_ns, (long long)ns);
}

static int by_select(int fd, int64_t ns)
{
	struct timeval tv = { .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };
	fd_set set;
	int r;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	r = select(fd + 1, &set, NULL, NULL, ns < 0 ? NULL : &tv);
	CHECK(!!FD_ISSET(fd, &set) == (r > 0), "select left its set");
	if (ns >= 0)
		check_left(&tv, ns, r);
	return r;
}

static int by_pselect(int fd, int64_t ns)
{
	struct timespec ts;
	fd_set set;
	int r;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	r = pselect(fd + 1, &set, NULL, NULL, length_of(ns, &ts), NULL);
	CHECK(!!FD_ISSET(fd, &set) == (r > 0), "pselect left its set");
	CHECK(ns_of(&ts) == ns || ns < 0, "pselect changed its time");
	return r;
}

static int set_of(int fd)
{
	return fd == full ? full_ep : silent_ep;
}

/* One more than there is room for is not written. */
static int check_events(const struct epoll_event *events, int fd, int r)
{
	CHECK(r <= 0 || (events[0].events == EPOLLIN && events[0].data.fd == fd), "epoll wrote %x, %d",
	      events[0].events, events[0].data.fd);
	CHECK(r > 0 || events[0].data.fd == -2, "epoll wrote without an event");
	CHECK(events[1].data.fd == -2, "epoll wrote more than there is room for");
	return r;
}

#define NO_EVENTS { { .data.fd = -2 }, { .data.fd = -2 } }

static int by_epoll_wait(int fd, int64_t ns)
{
	struct epoll_event events[2] = NO_EVENTS;

	return check_events(events, fd, epoll_wait(set_of(fd), events, 1, ms_of(ns)));
}

static int by_epoll_pwait(int fd, int64_t ns)
{
	struct epoll_event events[2] = NO_EVENTS;

	return check_events(events, fd, epoll_pwait(set_of(fd), events, 1, ms_of(ns), NULL));
}

static int by_epoll_pwait2(int fd, int64_t ns)
{
	struct epoll_event events[2] = NO_EVENTS;
	struct timespec ts;
	int r = waiter_epoll_pwait2(set_of(fd), events, 1, length_of(ns, &ts), NULL);

	CHECK(ns_of(&ts) == ns || ns < 0, "epoll_pwait2 changed its time");
	return check_events(events, fd, r);
}

static const struct {
	const char *name;
	int (*wait)(int fd, int64_t ns);
	int64_t unit_ns;
} functions[] = {
	{ "poll",         by_poll,         MS },
	{ "ppoll",        by_ppoll,        1 },
	{ "select",       by_select,       US },
	{ "pselect",      by_pselect,      1 },
	{ "epoll_wait",   by_epoll_wait,   MS },
	{ "epoll_pwait",  by_epoll_pwait,  MS },
	{ "epoll_pwait2", by_epoll_pwait2, 1 }, /* last: it may be missing */
};

static int functions_n = sizeof(functions) / sizeof(functions[0]);

static const int64_t lengths_ns[] = {
	ENDLESS, 0, 1, US, 50 * US, MS, 1500 * US, 3 * MS, S, 60 * S, INT_MAX * MS,
};

#define LENGTHS (sizeof(lengths_ns) / sizeof(lengths_ns[0]))

static void what_is_there_ends_each_wait(void)
{
	for (int i = 0; i < functions_n; i++)
		for (size_t k = 0; k < LENGTHS; k++) {
			int r;

			errno = EXDEV;
			r = functions[i].wait(full, lengths_ns[k]);
			CHECK(r == 1 && errno == EXDEV, "%s for %lld ns: %d, errno %d", functions[i].name,
			      (long long)lengths_ns[k], r, errno);
		}
}

static void waits_are_not_short(void)
{
	for (int i = 0; i < functions_n; i++)
		for (size_t k = 1; k < LENGTHS && lengths_ns[k] < S; k++) {
			int64_t ns = lengths_ns[k] / functions[i].unit_ns * functions[i].unit_ns, took_ns;
			int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);
			int r;

			errno = EXDEV;
			r = functions[i].wait(silent, ns);
			took_ns = kernel_ns(CLOCK_MONOTONIC) - began_ns;
			CHECK(!r && errno == EXDEV && took_ns >= ns, "%s for %lld ns: %d after %lld, errno %d",
			      functions[i].name, (long long)ns, r, (long long)took_ns, errno);
		}
}

/* ---- Times ---------------------------------------------------------------------------------------------------- */

static void bad_times_are_refused(void)
{
	static const struct timespec bad[] = { { 0, S }, { 0, -1 }, { -1, 0 }, { 60, S }, { -1, 999999999 } };
	struct pollfd pfd = { .fd = full, .events = POLLIN };
	struct epoll_event event;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(full, &set);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct timespec ts = bad[i];

		CHECK(failed_with(ppoll(&pfd, 1, &ts, NULL), EINVAL), "ppoll %zu", i);
		CHECK(failed_with(pselect(full + 1, &set, NULL, NULL, &ts, NULL), EINVAL), "pselect %zu", i);
		CHECK(!waiter_epoll_pwait2 || failed_with(waiter_epoll_pwait2(full_ep, &event, 1, &ts, NULL), EINVAL),
		      "epoll_pwait2 %zu", i);
		CHECK(ns_of(&ts) == ns_of(&bad[i]), "the time was changed");
	}
	CHECK(FD_ISSET(full, &set), "pselect wrote to its set");
}

/* ---- poll ------------------------------------------------------------------------------------------------------- */

static int ppoll_ms(struct pollfd *fds, nfds_t n, int ms)
{
	struct timespec ts;

	return ppoll(fds, n, length_of(ms * MS, &ts), NULL);
}

static int (*const polls[])(struct pollfd *fds, nfds_t n, int ms) = { poll, ppoll_ms };

static void arrays_that_cannot_be_read_are_refused(void)
{
	struct pollfd *gone = page_for(PROT_NONE);

	for (size_t i = 0; i < 2 * TIMES; i++) {
		int ms = times_ms[i / 2];

		CHECK(failed_with(polls[i % 2](gone, 1, ms), EFAULT), "poll %zu", i);
		CHECK(!is_brief(ms) || !polls[i % 2](gone, 0, ms), "poll %zu of none", i);
	}
	munmap(gone, PAGE);
	CHECK(failed_with(poll(gone, 1, 3), EFAULT), "poll of what was unmapped");
}

/* The kernel reads them, and cannot say what there is. */
static void arrays_that_cannot_be_written_are_refused(void)
{
	struct pollfd *fds = page_for(PROT_READ | PROT_WRITE);

	fds[0] = (struct pollfd){ .fd = full, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = silent, .events = POLLIN };
	mprotect(fds, PAGE, PROT_READ);
	for (size_t i = 0; i < 2 * TIMES; i++) {
		int ms = times_ms[i / 2];

		CHECK(failed_with(polls[i % 2](fds, 1, ms), EFAULT), "poll %zu", i);
		CHECK(!is_brief(ms) || failed_with(polls[i % 2](fds + 1, 1, ms), EFAULT), "poll %zu, silent", i);
	}
	CHECK(!fds[0].revents && !fds[1].revents, "it was written");
	munmap(fds, PAGE);
}

static void more_than_the_limit_are_refused(void)
{
	static struct pollfd fds[MANY];

	for (int i = 0; i < MANY; i++)
		fds[i] = (struct pollfd){ .fd = i ? -1 : full, .events = POLLIN };
	for (size_t i = 0; i < 2 * TIMES; i++) {
		CHECK(failed_with(polls[i % 2](fds, MANY, times_ms[i / 2]), EINVAL), "poll %zu of %d", i, MANY);
		CHECK(failed_with(polls[i % 2](fds, LIMIT + 1, times_ms[i / 2]), EINVAL), "poll %zu at the limit", i);
		CHECK(polls[i % 2](fds, LIMIT, times_ms[i / 2]) == 1, "poll %zu below the limit", i);
	}
}

/* Those that are below 0 are none; whatever was written there before is no event. */
static void odd_descriptors_are_told(void)
{
	for (size_t i = 0; i < 2 * TIMES; i++) {
		struct pollfd fds[] = { { .fd = -1, .events = POLLIN, .revents = -1 }, { .fd = closed },
				       { .fd = INT_MAX, .events = POLLOUT }, { .fd = silent, .revents = -1 } };
		int ms = times_ms[i / 2];

		CHECK(polls[i % 2](fds, 4, ms) == 2, "poll %zu", i);
		CHECK(!fds[0].revents && fds[1].revents == POLLNVAL && fds[2].revents == POLLNVAL && !fds[3].revents,
		      "poll %zu: %x, %x, %x, %x", i, (unsigned)fds[0].revents, (unsigned)fds[1].revents,
		      (unsigned)fds[2].revents, (unsigned)fds[3].revents);
		fds[0].revents = -1;
		CHECK(!is_brief(ms) || (!polls[i % 2](fds, 1, ms) && !fds[0].revents), "poll %zu of none", i);
	}
}

static void a_hangup_needs_no_request(void)
{
	int ends[2];

	CHECK(!pipe(ends), "no pipe");
	close(ends[1]);
	for (size_t i = 0; i < 2 * TIMES; i++) {
		struct pollfd pfd = { .fd = ends[0] };

		CHECK(polls[i % 2](&pfd, 1, times_ms[i / 2]) == 1 && pfd.revents == POLLHUP, "poll %zu: %x", i,
		      (unsigned)pfd.revents);
	}
	close(ends[0]);
}

/* ---- epoll ------------------------------------------------------------------------------------------------------ */

static int epoll_pwait_ms(int ep, struct epoll_event *events, int max, int ms)
{
	return epoll_pwait(ep, events, max, ms, NULL);
}

/* The C library leaves that of epoll_pwait2() to the kernel, but for one of 32 bits. */
static void a_time_that_cannot_be_read_is_refused(void)
{
	struct timespec *gone = page_for(PROT_NONE);
	struct epoll_event event;

	if (waiter_epoll_pwait2 && (!HAS_NARROW_TIME || HAS_WIDE_TIME)) {
		CHECK(failed_with(waiter_epoll_pwait2(full_ep, &event, 1, gone, NULL), EFAULT), "full");
		CHECK(failed_with(waiter_epoll_pwait2(silent_ep, &event, 1, gone, NULL), EFAULT), "silent");
	}
	munmap(gone, PAGE);
}

static int epoll_pwait2_ms(int ep, struct epoll_event *events, int max, int ms)
{
	struct timespec ts;

	return waiter_epoll_pwait2 ? waiter_epoll_pwait2(ep, events, max, length_of(ms * MS, &ts), NULL) :
	       epoll_wait(ep, events, max, ms);
}

static int (*const epolls[])(int ep, struct epoll_event *events, int max, int ms) = {
	epoll_wait, epoll_pwait_ms, epoll_pwait2_ms,
};

static void odd_sets_are_refused(void)
{
	static const int counts[] = { 0, -1, INT_MIN, INT_MAX };

	for (size_t i = 0; i < 3 * TIMES; i++) {
		struct epoll_event event;
		int ms = times_ms[i / 3];

		for (size_t k = 0; k < 4; k++)
			CHECK(failed_with(epolls[i % 3](full_ep, &event, counts[k], ms), EINVAL), "epoll %zu for %d",
			      i, counts[k]);
		CHECK(failed_with(epolls[i % 3](full, &event, 1, ms), EINVAL), "epoll %zu of a pipe", i);
		CHECK(failed_with(epolls[i % 3](closed, &event, 1, ms), EBADF), "epoll %zu of nothing", i);
		CHECK(failed_with(epolls[i % 3](-1, &event, 1, ms), EBADF), "epoll %zu of -1", i);
	}
}

/* The event is there afterwards. */
static void events_that_cannot_be_written_are_refused(void)
{
	struct epoll_event *none = page_for(PROT_NONE), *fixed = page_for(PROT_READ), event;

	for (size_t i = 0; i < 3 * TIMES; i++) {
		CHECK(failed_with(epolls[i % 3](full_ep, none, 1, times_ms[i / 3]), EFAULT), "epoll %zu", i);
		CHECK(failed_with(epolls[i % 3](full_ep, fixed, 1, times_ms[i / 3]), EFAULT), "epoll %zu, read-only",
		      i);
		CHECK(epolls[i % 3](full_ep, &event, 1, times_ms[i / 3]) == 1, "epoll %zu lost its event", i);
	}
	munmap(none, PAGE);
	munmap(fixed, PAGE);
}

static int add(int ep, int fd, unsigned events)
{
	struct epoll_event event = { .events = events, .data.fd = fd };

	return epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event);
}

static int set_with(int fd, unsigned events)
{
	int ep = epoll_create1(0);

	CHECK(ep >= 0 && !add(ep, fd, events), "no epoll set");
	return ep;
}

/* A set is no part of itself, but may be one of another. */
static void sets_in_sets(void)
{
	int outer = set_with(full_ep, EPOLLIN);
	struct epoll_event event = { .events = EPOLLIN };

	CHECK(failed_with(epoll_ctl(outer, EPOLL_CTL_ADD, outer, &event), EINVAL), "a set in itself");
	CHECK(failed_with(epoll_ctl(full_ep, EPOLL_CTL_ADD, outer, &event), ELOOP), "sets in each other");
	for (size_t i = 0; i < 3 * TIMES; i++)
		CHECK(epolls[i % 3](outer, &event, 1, times_ms[i / 3]) == 1 && event.data.fd == full_ep, "epoll %zu",
		      i);
	for (size_t i = 0; i < 2 * TIMES; i++)
		CHECK(polls[i % 2](&(struct pollfd){ .fd = outer, .events = POLLIN }, 1, times_ms[i / 2]) == 1,
		      "poll %zu of a set", i);
	close(outer);
}

/* An edge is reported once, to the call that sees it first. */
static void edges_are_told_once(void)
{
	for (size_t i = 0; i < 3 * TIMES; i++) {
		int ep = set_with(full, EPOLLIN | (i % 2 ? EPOLLET : EPOLLONESHOT));
		struct epoll_event event;

		CHECK(epolls[i % 3](ep, &event, 1, times_ms[i / 3]) == 1 && event.data.fd == full, "epoll %zu", i);
		for (int ms = 0; ms < 3; ms++)
			CHECK(!epolls[i % 3](ep, &event, 1, ms), "epoll %zu, once more", i);
		close(ep);
	}
}

static bool open_all(void)
{
	int ends[2], others[2];

	closed = closed_descriptor();
	if (closed < 0 || pipe(ends) || pipe(others) || write(ends[1], "x", 1) != 1)
		return false;
	full = ends[0];
	silent = others[0];
	full_ep = set_with(full, EPOLLIN);
	silent_ep = set_with(silent, EPOLLIN);
	return !setrlimit(RLIMIT_NOFILE, &(struct rlimit){ LIMIT, LIMIT });
}

int main(void)
{
	if (!waiters_open() || !open_all())
		return skip("no descriptors here");
	if (!waiter_is_here(waiter_named("epoll_pwait2"))) {
		waiter_epoll_pwait2 = NULL;
		functions_n--;
	}
	what_is_there_ends_each_wait();
	waits_are_not_short();
	bad_times_are_refused();
	arrays_that_cannot_be_read_are_refused();
	arrays_that_cannot_be_written_are_refused();
	more_than_the_limit_are_refused();
	odd_descriptors_are_told();
	a_hangup_needs_no_request();
	a_time_that_cannot_be_read_is_refused();
	odd_sets_are_refused();
	events_that_cannot_be_written_are_refused();
	sets_in_sets();
	edges_are_told_once();
	return failures != 0;
}
