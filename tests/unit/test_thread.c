// SPDX-License-Identifier: MIT
/* Requests to the machine's own scheduler and CPUs: a granted one must read back, a refused one must be reported. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "hpt/hpt.h"

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

static int prepare_and_compare(int policy)
{
	struct sched_param none = { 0 };
	struct attributes before, after;
	int r;

	if (setpriority(PRIO_PROCESS, 0, 7) || sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &none))
		return 1;
	before = attributes();
	errno = EXDEV;
	r = hpt_thread_prepare();
	if (errno != EXDEV || (r && !is_refusal(r)))
		return 2;
	after = attributes();
	if (!is_kept(&before, &after))
		return 3;
	return r || after.runtime == 100000 ? 0 : 4;
}

static int prepare_other(void)
{
	return prepare_and_compare(SCHED_OTHER);
}

static int prepare_batch(void)
{
	return prepare_and_compare(SCHED_BATCH);
}

static int prepare_twice(void)
{
	return hpt_thread_prepare() != hpt_thread_prepare();
}

/* Sets a scheduling class without slices. */
static int prepare_idle(void)
{
	struct sched_param none = { 0 };
	int r;

	if (sched_setscheduler(0, SCHED_IDLE, &none))
		return 1;
	errno = EXDEV;
	r = hpt_thread_prepare();
	return !is_refusal(r) || errno != EXDEV || sched_getscheduler(0) != SCHED_IDLE;
}

static void prepared_thread_has_its_slice_and_all_it_had(void **state)
{
	(void)state;
	assert_in_child(prepare_other);
	assert_in_child(prepare_batch);
}

static void prepared_thread_may_be_prepared_again(void **state)
{
	(void)state;
	assert_in_child(prepare_twice);
}

static void class_without_slices_is_left_alone(void **state)
{
	(void)state;
	assert_in_child(prepare_idle);
}

static void request_for_low_latency_is_open_or_refused_as_open_says(void **state)
{
	int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC), expected = fd < 0 ? -errno : 0, ours;
	int32_t latency_us = -1;

	(void)state;
	if (fd >= 0)
		close(fd);
	errno = EXDEV;
	ours = hpt_low_latency_open();
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
			assert_int_equal(latency_us, 0);
		close(fd);
	}
	assert_int_equal(close(ours), 0);
}

static void *open_cancelled(void *ret)
{
	pthread_cancel(pthread_self());
	*(int *)ret = hpt_low_latency_open();
	pthread_testcancel();
	return NULL;
}

/* A thread cancelled in open(2) or after it would leave the request open for ever. */
static void request_for_low_latency_is_no_cancellation_point(void **state)
{
	int fd = INT_MAX;
	pthread_t thread;
	void *end;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, open_cancelled, &fd), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	assert_int_not_equal(fd, INT_MAX);
	if (fd >= 0)
		close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prepared_thread_has_its_slice_and_all_it_had),
		cmocka_unit_test(prepared_thread_may_be_prepared_again),
		cmocka_unit_test(class_without_slices_is_left_alone),
		cmocka_unit_test(request_for_low_latency_is_open_or_refused_as_open_says),
		cmocka_unit_test(request_for_low_latency_is_no_cancellation_point),
	};

	return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
