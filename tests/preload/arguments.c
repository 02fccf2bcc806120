// SPDX-License-Identifier: MIT
/*
 * Arguments that are refused, that ask for no sleep, or that ask for one which is not ours: the kernel's own answers.
 * Functions that succeed leave errno alone.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "process.h"
#include "sleeper.h"

/* What fortified programs call, which no header declares. */
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t fds_bytes);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *length, const sigset_t *mask, size_t fds_bytes);

/* The compiler is not to see that an argument is NULL, or more than fits into the memory of a small machine. */
static const struct timespec *volatile no_time;
static struct pollfd *volatile no_fds;
static volatile nfds_t too_many = UINT_MAX;

static const struct timespec bad_times[] = {
	{ 0, -1 }, { 0, 1000000000 }, { 0, LONG_MAX }, { 0, LONG_MIN }, { -1, 0 }, { -1, 999999999 }, { 1, -1 },
	{ 5, 1000000000 },
};

static bool is_refused(int r)
{
	return r == -1 && errno == EINVAL;
}

static void bad_times_are_refused(void)
{
	for (size_t i = 0; i < sizeof(bad_times) / sizeof(bad_times[0]); i++) {
		const struct timespec *bad = &bad_times[i];
		struct timespec left = { 7, 7 };
		struct timeval tv = { .tv_sec = bad->tv_sec, .tv_usec = bad->tv_nsec < 0 ? -1 : 0 };

		CHECK(is_refused(nanosleep(bad, &left)), "nanosleep %zu", i);
		for (int id = CLOCK_REALTIME; id <= CLOCK_MONOTONIC; id++)
			for (int flags = 0; flags <= TIMER_ABSTIME; flags++) {
				errno = EXDEV;
				CHECK(clock_nanosleep(id, flags, bad, &left) == EINVAL && errno == EXDEV,
				      "clock %d, flags %d, %zu: errno %d", id, flags, i, errno);
			}
		CHECK(thrd_sleep(bad, &left) < -1, "thrd_sleep %zu", i);
		CHECK(is_refused(ppoll(NULL, 0, bad, NULL)), "ppoll %zu", i);
		CHECK(is_refused(pselect(0, NULL, NULL, NULL, bad, NULL)), "pselect %zu", i);
		if (tv.tv_sec < 0 || tv.tv_usec < 0)
			CHECK(is_refused(select(0, NULL, NULL, NULL, &tv)), "select %zu", i);
		CHECK(left.tv_sec == 7 && left.tv_nsec == 7, "something was written back");
	}
	CHECK(is_refused(select(-1, NULL, NULL, NULL, &(struct timeval){ 0, 1000 })), "select of -1");
	CHECK(is_refused(poll(no_fds, too_many, 1)), "poll of too many");
}

/* The kernel carries more than a second of microseconds over. */
static void microseconds_are_carried_over(void)
{
	struct timeval tv = { .tv_usec = 1020000 };
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC), took_ns;
	int r = select(0, NULL, NULL, NULL, &tv);

	took_ns = kernel_ns(CLOCK_MONOTONIC) - began_ns;
	CHECK(!r && took_ns >= 1020 * MS && !tv.tv_sec && !tv.tv_usec, "%d after %lld ns", r, (long long)took_ns);
}

static void null_is_refused(void)
{
	CHECK(nanosleep(no_time, NULL) == -1 && errno == EFAULT, "nanosleep");
	CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, no_time, NULL) == EFAULT, "clock_nanosleep");
	CHECK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, no_time, NULL) == EFAULT, "clock_nanosleep");
	CHECK(thrd_sleep(no_time, NULL) < -1, "thrd_sleep");
}

/* ---- Nothing to wait for -------------------------------------------------------------------------------------- */

static void past_times_end_at_once(void)
{
	static const struct timespec past[] = { { 0, 0 }, { 0, 1 }, { 1, 0 } };

	for (int id = CLOCK_REALTIME; id <= CLOCK_MONOTONIC; id++)
		for (size_t i = 0; i < sizeof(past) / sizeof(past[0]); i++) {
			struct timespec left = { 7, 7 };

			CHECK(!clock_nanosleep(id, TIMER_ABSTIME, &past[i], &left) && left.tv_nsec == 7, "clock %d",
			      id);
		}
}

static void zero_ends_at_once(void)
{
	struct timespec zero = { 0, 0 };
	struct timeval tv = { 0, 0 };

	for (int i = 0; i < 100; i++)
		CHECK(!nanosleep(&zero, NULL) && !clock_nanosleep(CLOCK_MONOTONIC, 0, &zero, NULL) && !usleep(0) &&
		      !sleep(0) && !thrd_sleep(&zero, NULL) && !select(0, NULL, NULL, NULL, &tv) && !poll(NULL, 0, 0) &&
		      !pselect(0, NULL, NULL, NULL, &zero, NULL) && !ppoll(NULL, 0, &zero, NULL), "a zero");
}

/* ---- Not ours ----------------------------------------------------------------------------------------------- */

static void other_clocks_are_the_kernels(void)
{
	static const clockid_t ids[] = { CLOCK_BOOTTIME, CLOCK_TAI };
	static const clockid_t bad[] = {
		CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE, CLOCK_REALTIME_COARSE, 77, INT_MAX,
	};
	struct timespec ts = timespec_of(2 * MS), at;

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		int64_t began_ns = kernel_ns(ids[i]);

		CHECK(!clock_nanosleep(ids[i], 0, &ts, NULL) && kernel_ns(ids[i]) - began_ns >= 2 * MS, "clock %d",
		      (int)ids[i]);
		at = timespec_of(kernel_ns(ids[i]) + 2 * MS);
		CHECK(!clock_nanosleep(ids[i], TIMER_ABSTIME, &at, NULL) && kernel_ns(ids[i]) >= ns_of(&at),
		      "clock %d, absolute", (int)ids[i]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int r = clock_nanosleep(bad[i], 0, &ts, NULL);

		CHECK(r == EINVAL || r == EOPNOTSUPP, "clock %d: %d", (int)bad[i], r);
	}
	CHECK(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &ts, NULL) == EINVAL, "a thread's CPU time");
}

/* The kernel looks at one bit. A time of today as a duration would be half a century. */
static void other_flags_are_as_the_kernel_takes_them(void)
{
	struct timespec brief = timespec_of(2 * MS), now;
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);

	CHECK(!clock_nanosleep(CLOCK_MONOTONIC, 2, &brief, NULL), "flag 2");
	CHECK(kernel_ns(CLOCK_MONOTONIC) - began_ns >= 2 * MS, "flag 2 is short");
	clock_gettime(CLOCK_REALTIME, &now);
	CHECK(!clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME | 2, &now, NULL), "flag 3");
}

static void descriptors_end_waits(void)
{
	struct timespec ts = { .tv_sec = 60 };
	struct timeval tv = { .tv_sec = 60 };
	int ends[2];
	struct pollfd pfd = { .events = POLLIN };
	fd_set set;
	char byte;

	CHECK(!pipe(ends) && write(ends[1], "x", 1) == 1, "no pipe");
	pfd.fd = ends[0];
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	CHECK(poll(&pfd, 1, 60000) == 1 && pfd.revents == POLLIN, "poll");
	CHECK(ppoll(&pfd, 1, &ts, NULL) == 1, "ppoll");
	CHECK(select(ends[0] + 1, &set, NULL, NULL, &tv) == 1 && FD_ISSET(ends[0], &set), "select");
	CHECK(tv.tv_sec >= 58, "select left %lld s", (long long)tv.tv_sec);
	CHECK(pselect(ends[0] + 1, &set, NULL, NULL, &ts, NULL) == 1, "pselect");
	CHECK(read(ends[0], &byte, 1) == 1, "no byte");
	CHECK(!poll(&pfd, 1, 2), "poll without a byte");
	/* A set without descriptors is emptied. */
	FD_SET(ends[0], &set);
	tv = (struct timeval){ .tv_usec = 2000 };
	CHECK(!select(0, &set, NULL, NULL, &tv), "select of 0 descriptors, with a set");
	close(ends[0]);
	close(ends[1]);
}

/* ---- Fortified ------------------------------------------------------------------------------------------------ */

/* Of an array that has room for one. */
static void poll_two(void)
{
	struct pollfd fds[2] = { { .fd = -1 }, { .fd = -1 } };

	(void)__poll_chk(fds, 2, 1, sizeof(fds[0]));
}

/* The C library says so on standard error, or on the terminal. */
static bool is_ended(void (*call)(void))
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		close(2);
		setsid();
		call();
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#if !HAS_WIDE_TIME /* it takes a plain time */

static void ppoll_two(void)
{
	struct pollfd fds[2] = { { .fd = -1 }, { .fd = -1 } };
	struct timespec ts = timespec_of(MS);

	(void)__ppoll_chk(fds, 2, &ts, NULL, sizeof(fds[0]));
}

static void check_ppoll(struct pollfd *one)
{
	struct timespec ts = timespec_of(MS);

	CHECK(is_ended(ppoll_two), "__ppoll_chk");
	CHECK(!__ppoll_chk(one, 1, &ts, NULL, sizeof(*one)), "__ppoll_chk of one");
	CHECK(!__ppoll_chk(one, 0, &ts, NULL, 0), "__ppoll_chk of none");
}

#else

static void check_ppoll(struct pollfd *one)
{
	(void)one;
}

#endif

static void arrays_that_are_too_small_end_the_program(void)
{
	struct pollfd one = { .fd = -1 };

	CHECK(is_ended(poll_two), "__poll_chk");
	check_ppoll(&one);
	CHECK(!__poll_chk(&one, 1, 1, sizeof(one)) && !__poll_chk(&one, 0, 1, 0), "__poll_chk of one");
	/* There is no room for as many in 32 bits. */
	CHECK(SIZE_MAX == UINT32_MAX || is_refused(__poll_chk(no_fds, too_many, 1, SIZE_MAX)),
	      "__poll_chk of too many");
}

/* ---- errno ---------------------------------------------------------------------------------------------------- */

static void success_leaves_errno_alone(void)
{
	static const int64_t lengths_ns[] = { 0, 1, 30 * US, 80 * US, 300 * US, 3 * MS };

	for (int i = 0; i < sleepers_n; i++)
		for (size_t k = 0; k < sizeof(lengths_ns) / sizeof(lengths_ns[0]); k++) {
			int64_t left_ns, length_ns = lengths_ns[k] / sleepers[i].unit_ns * sleepers[i].unit_ns;

			errno = EXDEV;
			CHECK(!sleepers[i].sleep(length_ns, &left_ns) && errno == EXDEV, "%s of %lld ns: errno %d",
			      sleepers[i].name, (long long)length_ns, errno);
		}
}

int main(void)
{
	bad_times_are_refused();
	microseconds_are_carried_over();
	if (!HAS_NARROW_TIME)
		null_is_refused();
	past_times_end_at_once();
	zero_ends_at_once();
	other_clocks_are_the_kernels();
	other_flags_are_as_the_kernel_takes_them();
	descriptors_end_waits();
	arrays_that_are_too_small_end_the_program();
	success_leaves_errno_alone();
	return failures != 0;
}
