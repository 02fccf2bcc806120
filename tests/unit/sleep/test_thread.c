// SPDX-License-Identifier: MIT
/* Requests to the machine's own scheduler and CPUs: a granted one must read back, a refused one must be reported. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "sleep/habits.h"

/* The kernel's struct since 5.3, with the frequency clamps. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t  nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
	uint32_t util_min, util_max;
};

static struct attributes attributes(void)
{
	struct attributes a = { 0 };

#ifdef SYS_sched_getattr
	syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0);
#endif
	return a;
}

/* Runs the test in a child, since a thread cannot restore its old attributes. The child returns 0 on success. */
static void assert_in_child(int (*child)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		alarm(60);
		_exit(child());
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* System calls, since musl's functions for the scheduler of a thread only fail. */
static bool is_refusal(int r)
{
	return r == -ENOTSUP || r == -EPERM || r == -ENOSYS;
}

/* Everything but the slice is unchanged. */
static bool is_kept(const struct attributes *then, const struct attributes *now)
{
	return now->policy == then->policy && now->flags == then->flags && now->nice == then->nice &&
	       now->util_min == then->util_min && now->util_max == then->util_max;
}

/* Asks for a slice of ns, and expects one of slice_ns. */
static int set_and_compare(int policy, int64_t ns, uint64_t slice_ns)
{
	struct sched_param none = { 0 };
	struct attributes before, after;
	int r, refusal;

	if (setpriority(PRIO_PROCESS, 0, 7) || syscall(SYS_sched_setscheduler, 0, policy | SCHED_RESET_ON_FORK, &none))
		return 1;
	before = attributes();
	errno = EXDEV;
	/* Where this one is granted, all are. */
	refusal = hpt_thread_set_slice_ns(1000000);
	r = hpt_thread_set_slice_ns(ns);
	if (errno != EXDEV || r != refusal || (r && !is_refusal(r)))
		return 2;
	after = attributes();
	if (!is_kept(&before, &after))
		return 3;
	if (!r && after.runtime != slice_ns)
		return 4;
	/* The kernel's own slice again. A kernel without slices has nothing to undo. */
	r = hpt_thread_set_slice_ns(0);
	after = attributes();
	return (r && !is_refusal(r)) || (!r && after.runtime != before.runtime) || errno != EXDEV ? 5 : 0;
}

static int set_other(void)
{
	return set_and_compare(SCHED_OTHER, 100000, 100000);
}

static int set_batch(void)
{
	return set_and_compare(SCHED_BATCH, 3000000, 3000000);
}

static int set_too_short(void)
{
	return set_and_compare(SCHED_OTHER, 1, 100000);
}

static int set_too_long(void)
{
	return set_and_compare(SCHED_OTHER, INT64_MAX, 100000000);
}

static int set_twice(void)
{
	return hpt_thread_set_slice_ns(200000) != hpt_thread_set_slice_ns(200000);
}

/* As a thread that was cancelled in a sleep, or that left one by longjmp(), finds itself. */
static int set_slack_back(void)
{
	int slack_ns = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);

	if (slack_ns <= 1 || prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0))
		return slack_ns > 1;
	hpt_thread_set_slice_ns(100000);
	if (prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) != 1)
		return 2;
	hpt_thread_set_slice_ns(0);
	return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) != slack_ns;
}

/* Sets a scheduling class without slices. */
static int set_idle(void)
{
	struct sched_param none = { 0 };
	int r;

	if (syscall(SYS_sched_setscheduler, 0, SCHED_IDLE, &none))
		return 1;
	hpt_habits_claim()->slice.is_short = true; /* that the library set it is still known after a refusal */
	errno = EXDEV;
	r = hpt_thread_set_slice_ns(100000);
	return !is_refusal(r) || errno != EXDEV || syscall(SYS_sched_getscheduler, 0) != SCHED_IDLE ||
	       !hpt_habits_claim()->slice.is_short;
}

static void thread_has_its_slice_and_all_it_had(void **state)
{
	(void)state;
	assert_in_child(set_other);
	assert_in_child(set_batch);
}

static void slice_is_brought_into_the_kernels_range(void **state)
{
	(void)state;
	assert_in_child(set_too_short);
	assert_in_child(set_too_long);
}

static void slice_may_be_set_again(void **state)
{
	(void)state;
	assert_in_child(set_twice);
}

static void no_slice_restores_the_timer_slack(void **state)
{
	(void)state;
	assert_in_child(set_slack_back);
}

/* What the thread's sleeps would put back is another now. */
static void sleeps_ask_for_the_slice_again(void **state)
{
	struct hpt_habits *h = hpt_habits_claim();
	bool is_set;

	(void)state;
	h->slice = (struct hpt_slice){ .kind = HPT_SLICE_SETTABLE, .is_short = true };
	h->contention.is_on = true;
	is_set = !hpt_thread_set_slice_ns(0);
	assert_false(h->contention.is_on);
	assert_int_equal(h->slice.is_short, !is_set);
	assert_int_equal(h->slice.kind, is_set ? HPT_SLICE_NONE : HPT_SLICE_SETTABLE);
	h->slice = (struct hpt_slice){ 0 };
}

static void class_without_slices_is_left_alone(void **state)
{
	(void)state;
	assert_in_child(set_idle);
}

static void negative_arguments_are_refused(void **state)
{
	struct attributes before = attributes(), after;

	(void)state;
	errno = EXDEV;
	assert_int_equal(hpt_thread_set_slice_ns(-1), -EINVAL);
	assert_int_equal(hpt_thread_set_slice_ns(INT64_MIN), -EINVAL);
	assert_int_equal(hpt_low_latency_open(-1), -EINVAL);
	assert_int_equal(hpt_low_latency_open(INT32_MIN), -EINVAL);
	assert_int_equal(errno, EXDEV);
	after = attributes();
	assert_int_equal(after.runtime, before.runtime);
}

/* The thread is cancelled at the first cancellation point, which must not be within the call. */
static void *open_while_cancelled(void *arg)
{
	int *fd = arg;

	pthread_cancel(pthread_self());
	*fd = hpt_low_latency_open(1000);
	pthread_testcancel();
	return NULL;
}

static void cancellation_waits_until_the_call_returns(void **state)
{
	void *end = NULL;
	pthread_t thread;
	int fd = INT32_MIN;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, open_while_cancelled, &fd), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	assert_true(fd != INT32_MIN);
	if (fd >= 0)
		close(fd);
}

static void request_for_low_latency_is_open_or_refused_as_open_says(void **state)
{
	int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC), expected = fd < 0 ? -errno : 0, ours;
	int32_t latency_us = -1;

	(void)state;
	if (fd >= 0)
		close(fd);
	errno = EXDEV;
	ours = hpt_low_latency_open(7);
	assert_int_equal(errno, EXDEV);
	if (expected) {
		assert_int_equal(ours, expected);
		return;
	}
	assert_true(ours >= 0);
	assert_true(fcntl(ours, F_GETFD) & FD_CLOEXEC);
	/* The smallest of all requests holds. */
	fd = open("/dev/cpu_dma_latency", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (read(fd, &latency_us, sizeof(latency_us)) == sizeof(latency_us))
			assert_true(latency_us <= 7);
		close(fd);
	}
	assert_int_equal(close(ours), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thread_has_its_slice_and_all_it_had),
		cmocka_unit_test(slice_is_brought_into_the_kernels_range),
		cmocka_unit_test(slice_may_be_set_again),
		cmocka_unit_test(no_slice_restores_the_timer_slack),
		cmocka_unit_test(sleeps_ask_for_the_slice_again),
		cmocka_unit_test(negative_arguments_are_refused),
		cmocka_unit_test(cancellation_waits_until_the_call_returns),
		cmocka_unit_test(class_without_slices_is_left_alone),
		cmocka_unit_test(request_for_low_latency_is_open_or_refused_as_open_says),
	};

	return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
