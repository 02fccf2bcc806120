// SPDX-License-Identifier: MIT
/* What the kernel says of CPU time: a limit that is set here must read back. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "hpt/system.h"
#include "machine/cpu_time.h"

/* Runs the test in a child, since a process cannot take all limits back. The child returns 0 on success. */
static void assert_in_child(int (*child)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(child());
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int use_one_cpu(void)
{
	cpu_set_t all[64], one;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(all), all))
		return 1;
	if ((int)hpt_cpu_time_cpus() != CPU_COUNT_S(sizeof(all), all))
		return 2;
	while (!CPU_ISSET_S(cpu, sizeof(all), all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) || hpt_cpu_time_cpus() != 1)
		return 3;
	return hpt_cpu_time_is_pinned() ? 0 : 4;
}

static void *pin_itself(void *ret)
{
	*(int *)ret = 10 * use_one_cpu() + hpt_cpu_time_is_pinned();
	return NULL;
}

/* The other thread has one CPU, which its 3 says is not all that the process has. */
static int pin_another_thread(void)
{
	uint32_t before = hpt_cpu_time_cpus();
	pthread_t thread;
	int r = -1;

	if (pthread_create(&thread, NULL, pin_itself, &r) || pthread_join(thread, NULL))
		return 5;
	return before > 1 ? r != 31 || hpt_cpu_time_is_pinned() : r != 1;
}

static void cpus_are_those_of_the_process(void **state)
{
	(void)state;
	assert_in_child(use_one_cpu);
	assert_in_child(pin_another_thread);
}

static int set_rttime(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTTIME, &limit))
		return 1;
	limit.rlim_cur = 200000;
	if (limit.rlim_max < limit.rlim_cur)
		return hpt_cpu_time_rttime_ns() == INT64_MAX;
	return setrlimit(RLIMIT_RTTIME, &limit) || hpt_cpu_time_rttime_ns() != 200000000;
}

static int set_no_rttime(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTTIME, &limit))
		return 1;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_RTTIME, &limit))
		return 2;
	return limit.rlim_max >= INT64_MAX / 1000 && hpt_cpu_time_rttime_ns() != INT64_MAX;
}

static void rttime_is_in_nanoseconds(void **state)
{
	(void)state;
	assert_in_child(set_rttime);
	assert_in_child(set_no_rttime);
}

static int set_class(void)
{
	struct sched_param param = { 0 };

	/* musl's sched_setscheduler() always fails. */
	if (syscall(SYS_sched_setscheduler, 0, SCHED_BATCH | SCHED_RESET_ON_FORK, &param))
		return 1;
	return hpt_cpu_time_class() != SCHED_BATCH;
}

static void class_has_no_flag(void **state)
{
	(void)state;
	assert_in_child(set_class);
}

static int set_filter(void)
{
	struct sock_filter allow[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { 1, allow };

	errno = EINVAL; /* what an earlier call left */
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0 && hpt_cpu_time_is_filtered())
		return 1;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 0; /* a kernel without filters */
	errno = EINVAL;
	return !hpt_cpu_time_is_filtered() || hpt_cpu_time_slice_ns() || hpt_cpu_time_change_slice_ns(0, 300000);
}

static void filter_is_seen(void **state)
{
	(void)state;
	assert_in_child(set_filter);
}

/* The kernel has slices for each thread, or says 0; a thread's own reads back. */
static void slice_is_the_threads(void **state)
{
	int64_t before_ns = hpt_cpu_time_slice_ns();

	(void)state;
	assert_true(before_ns >= 0);
	if (hpt_thread_set_slice_ns(300000) < 0)
		return;
	assert_int_equal(hpt_cpu_time_slice_ns(), 300000);
	assert_int_equal(hpt_thread_set_slice_ns(0), 0);
	assert_int_equal(hpt_cpu_time_slice_ns(), before_ns);
}

/* Another value than the one that is expected stays. */
static void slice_is_changed_where_it_is_the_expected_one(void **state)
{
	int64_t before_ns = hpt_cpu_time_slice_ns();

	(void)state;
	if (!before_ns) { /* sets nothing, and says so */
		assert_int_equal(hpt_cpu_time_change_slice_ns(0, 300000), 0);
		return;
	}
	assert_int_equal(hpt_cpu_time_change_slice_ns(before_ns + 1, 300000), before_ns);
	assert_int_equal(hpt_cpu_time_slice_ns(), before_ns);
	assert_int_equal(hpt_cpu_time_change_slice_ns(before_ns, 300000), before_ns);
	assert_int_equal(hpt_cpu_time_slice_ns(), 300000);
	assert_int_equal(hpt_cpu_time_change_slice_ns(0, 400000), 300000);
	assert_int_equal(hpt_cpu_time_slice_ns(), 400000);
	assert_int_equal(hpt_cpu_time_change_slice_ns(400000, 0), 400000);
	assert_int_equal(hpt_cpu_time_slice_ns(), before_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_are_those_of_the_process),
		cmocka_unit_test(rttime_is_in_nanoseconds),
		cmocka_unit_test(class_has_no_flag),
		cmocka_unit_test(filter_is_seen),
		cmocka_unit_test(slice_is_the_threads),
		cmocka_unit_test(slice_is_changed_where_it_is_the_expected_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
