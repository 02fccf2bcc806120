// SPDX-License-Identifier: MIT
/* Waits for descriptors by system call, with pipes and epoll sets of this kernel. */
#include "unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/fds.h"

#define NS_PER_MS INT64_C(1000000)

static int ends[2], epfd;

static int pipe_begins(void **state)
{
	struct epoll_event in = { .events = EPOLLIN, .data.u32 = 7 };

	(void)state;
	assert_int_equal(pipe(ends), 0);
	epfd = epoll_create1(0);
	assert_true(epfd >= 0);
	assert_int_equal(epoll_ctl(epfd, EPOLL_CTL_ADD, ends[0], &in), 0);
	return 0;
}

static int pipe_ends(void **state)
{
	(void)state;
	return close(ends[0]) + close(ends[1]) + close(epfd);
}

#define pipe_test(f) cmocka_unit_test_setup_teardown(f, pipe_begins, pipe_ends)

static int64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static void make_ready(void)
{
	assert_int_equal(write(ends[1], "x", 1), 1);
}

/* Keeps errno. */
static int wait_fds(const struct hpt_fds *f, int64_t ns)
{
	int r;

	errno = EXDEV;
	r = hpt_fds_wait(f, ns);
	assert_int_equal(errno, EXDEV);
	return r;
}

static struct pollfd in_fd;
static struct epoll_event events[4];

static struct hpt_fds kind_of(bool is_epoll)
{
	in_fd = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	memset(events, 0, sizeof(events));
	return is_epoll ? (struct hpt_fds){ .events = events, .n = 4, .epfd = epfd, .is_epoll = true } :
			  (struct hpt_fds){ .fds = &in_fd, .n = 1, .epfd = -1 };
}

static void assert_is_event(bool is_epoll)
{
	if (is_epoll)
		assert_true(events[0].events == EPOLLIN && events[0].data.u32 == 7);
	else
		assert_int_equal(in_fd.revents, POLLIN);
}

static void time_outs_are_not_early(void **state)
{
	static const int64_t times_ns[] = { 1, 1000, 1500000, 20 * NS_PER_MS };

	(void)state;
	for (int is_epoll = 0; is_epoll < 2; is_epoll++)
		for (size_t i = 0; i < COUNT(times_ns); i++) {
			struct hpt_fds f = kind_of(is_epoll);
			int64_t begun_ns = monotonic_ns();

			assert_int_equal(wait_fds(&f, times_ns[i]), 0);
			assert_true(monotonic_ns() - begun_ns >= times_ns[i]);
		}
}

static void looks_return_at_once_what_is_there(void **state)
{
	(void)state;
	for (int is_epoll = 0; is_epoll < 2; is_epoll++) {
		struct hpt_fds f = kind_of(is_epoll);

		assert_int_equal(wait_fds(&f, 0), is_epoll);
		if (!is_epoll)
			make_ready();
		assert_int_equal(wait_fds(&f, 0), 1);
		assert_is_event(is_epoll);
	}
}

static void waits_return_what_is_there(void **state)
{
	static const int64_t times_ns[] = { 1, 3600000 * NS_PER_MS, INT64_MAX - 1, INT64_MAX };

	(void)state;
	make_ready();
	for (int is_epoll = 0; is_epoll < 2; is_epoll++)
		for (size_t i = 0; i < COUNT(times_ns); i++) {
			struct hpt_fds f = kind_of(is_epoll);

			assert_int_equal(wait_fds(&f, times_ns[i]), 1);
			assert_is_event(is_epoll);
		}
}

static void wrong_arguments_have_their_errors(void **state)
{
	static const int64_t times_ns[] = { 0, NS_PER_MS, INT64_MAX };
	int closed = dup(ends[0]);

	(void)state;
	assert_int_equal(close(closed), 0);
	for (size_t i = 0; i < COUNT(times_ns); i++) {
		struct hpt_fds f = kind_of(true);

		f.epfd = -1;
		assert_int_equal(wait_fds(&f, times_ns[i]), -EBADF);
		f.epfd = closed;
		assert_int_equal(wait_fds(&f, times_ns[i]), -EBADF);
		f.epfd = ends[0];
		assert_int_equal(wait_fds(&f, times_ns[i]), -EINVAL);
		f = kind_of(true);
		f.n = 0;
		assert_int_equal(wait_fds(&f, times_ns[i]), -EINVAL);
		f.n = UINT32_MAX;
		assert_int_equal(wait_fds(&f, times_ns[i]), -EINVAL);
		f = (struct hpt_fds){ .fds = NULL, .n = 1 };
		assert_int_equal(wait_fds(&f, times_ns[i]), -EFAULT);
		f = kind_of(false);
		f.n = UINT32_MAX;
		assert_int_equal(wait_fds(&f, times_ns[i]), -EINVAL);
		in_fd.fd = closed;
		f.n = 1;
		assert_int_equal(wait_fds(&f, times_ns[i]), 1);
		assert_int_equal(in_fd.revents, POLLNVAL);
	}
	assert_int_equal(wait_fds(&(struct hpt_fds){ 0 }, 1), 0);
}

static void on_alarm(int sig)
{
	(void)sig;
}

static void signals_end_waits(void **state)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART }, before;

	(void)state;
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	for (int i = 0; i < 4; i++) {
		struct hpt_fds f = kind_of(i & 1);
		struct itimerspec soon = { { 0, NS_PER_MS }, { 0, NS_PER_MS } };
		timer_t timer;

		assert_int_equal(timer_create(CLOCK_MONOTONIC, NULL, &timer), 0);
		assert_int_equal(timer_settime(timer, 0, &soon, NULL), 0); /* again and again: one may come too soon */
		assert_int_equal(wait_fds(&f, INT64_MAX - i / 2), -EINTR);
		timer_delete(timer);
	}
	sigaction(SIGALRM, &before, NULL);
}

/* ---- Sandboxes that know no newer call -------------------------------------------------------------------- */

#ifdef SYS_epoll_pwait2

/* From then on epoll_pwait2() fails in this process. */
static bool refuse_epoll_pwait2(uint32_t error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_pwait2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { COUNT(code), code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* 0: all is right without the call. */
static int wait_without_it(uint32_t error)
{
	struct hpt_fds f = kind_of(true);
	int64_t begun_ns = monotonic_ns();

	if (!refuse_epoll_pwait2(error))
		return 77;
	if (hpt_fds_wait(&f, 1500000) || monotonic_ns() - begun_ns < 1500000)
		return 1;
	f.epfd = ends[0];
	if (hpt_fds_wait(&f, NS_PER_MS) != -EINVAL)
		return 2;
	f = kind_of(true);
	return hpt_fds_wait(&f, 3600000 * NS_PER_MS) != 1 || events[0].data.u32 != 7 ? 3 : 0;
}

static void sandbox_without_epoll_pwait2_waits_by_others(void **state)
{
	static const uint32_t errors[] = { ENOSYS, EPERM };

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(wait_without_it(errors[i]));
		usleep(50000); /* so that it probably waits by then */
		make_ready();
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 77)
			leave_out("no seccomp filters here");
		assert_int_equal(WEXITSTATUS(status), 0);
		assert_int_equal(read(ends[0], &(char){ 0 }, 1), 1);
	}
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		pipe_test(time_outs_are_not_early),
		pipe_test(looks_return_at_once_what_is_there),
		pipe_test(waits_return_what_is_there),
		pipe_test(wrong_arguments_have_their_errors),
		pipe_test(signals_end_waits),
#ifdef SYS_epoll_pwait2
		pipe_test(sandbox_without_epoll_pwait2_waits_by_others),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
