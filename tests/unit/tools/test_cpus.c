// SPDX-License-Identifier: MIT
/* Sets of CPUs: the kernel's lists, machines with more CPUs than cpu_set_t has, and CPUs outside of a thread's mask. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>

#include "unit.h"

#include "../../../tools/cli/cpus.h"

/* ---- A kernel for more CPUs ---------------------------------------------------------------------------- */

/* It refuses smaller sets, as sched_getaffinity(2) does; 0: this machine's own kernel. */
static size_t kernel_bytes;

/* Replaces the C library's. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	long r;

	if (size < kernel_bytes) {
		errno = EINVAL;
		return -1;
	}
	memset(set, 0, size);
	r = syscall(SYS_sched_getaffinity, pid, size, set);
	return r < 0 ? -1 : 0;
}

static struct cpus own(void)
{
	struct cpus cpus;

	kernel_bytes = 0;
	assert_int_equal(cpus_of_thread(&cpus), 0);
	return cpus;
}

static void kernels_of_8192_cpus_and_more_are_served(void **state)
{
	struct cpus mine = own(), cpus;

	(void)state;
	kernel_bytes = 65536 / 8;
	assert_int_equal(cpus_of_thread(&cpus), 0);
	assert_memory_equal(&cpus, &mine, sizeof(cpus));
	kernel_bytes = 1 << 20;
	assert_int_equal(cpus_of_thread(&cpus), -EINVAL);
	assert_memory_equal(&cpus, &mine, sizeof(cpus));
	kernel_bytes = 0;
}

/* ---- Threads that are bound ------------------------------------------------------------------------------ */

/* The CPUs that a thread was last bound to. */
static struct cpus last_bound;

/* Replaces the C library's. */
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	int (*real)(pthread_t, size_t, const cpu_set_t *) =
		(int (*)(pthread_t, size_t, const cpu_set_t *))dlsym(RTLD_NEXT, "pthread_setaffinity_np");

	assert_int_equal(size, sizeof(last_bound.set));
	memcpy(last_bound.set, set, size);
	return real(thread, size, set);
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

static void lists_of_the_kernel(void **state)
{
	static const struct { const char *text; int count, first, last; } rows[] = {
		{ "0", 1, 0, 0 }, { "0-1", 2, 0, 1 }, { "2-3,8", 3, 2, 8 }, { "0,2,4-7", 6, 0, 7 },
		{ "1023-1024", 2, 1023, 1024 }, { "65535", 1, 65535, 65535 }, { "0-65535", 65536, 0, 65535 },
	};
	struct cpus cpus;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int last = -1;

		assert_int_equal(cpus_parse(rows[i].text, &cpus), 0);
		assert_int_equal(cpus_count(&cpus), rows[i].count);
		assert_int_equal(cpus_next(&cpus, -1), rows[i].first);
		for (int cpu = cpus_next(&cpus, -1); cpu >= 0; cpu = cpus_next(&cpus, cpu))
			last = cpu;
		assert_int_equal(last, rows[i].last);
		assert_true(cpus_has(&cpus, rows[i].last));
	}
	assert_int_equal(cpus_parse("2-3,8", &cpus), 0);
	assert_false(cpus_has(&cpus, 1) || cpus_has(&cpus, 4) || cpus_has(&cpus, 9));
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const texts[] = {
		"", ",", "-", "0-", "-1", "0,", ",0", "3-2", "0-1-2", "0 1", "0;", "x", "0x1", "65536", "0-65536",
		"99999999999999999999", "0,99999999999999999999", " 0", "+1",
	};
	struct cpus cpus, before;

	(void)state;
	assert_int_equal(cpus_parse("5", &cpus), 0);
	before = cpus;
	for (size_t i = 0; i < COUNT(texts); i++) {
		assert_int_equal(cpus_parse(texts[i], &cpus), -EINVAL);
		assert_memory_equal(&cpus, &before, sizeof(cpus));
	}
}

static void numbers_beyond_the_set_are_in_no_set(void **state)
{
	struct cpus cpus = { 0 };

	(void)state;
	cpus_add(&cpus, -1);
	cpus_add(&cpus, CPUS_COUNT_MAX);
	assert_int_equal(cpus_count(&cpus), 0);
	assert_int_equal(cpus_next(&cpus, -1), -1);
	cpus_add(&cpus, CPUS_COUNT_MAX - 1);
	assert_int_equal(cpus_next(&cpus, -1), CPUS_COUNT_MAX - 1);
	assert_int_equal(cpus_next(&cpus, CPUS_COUNT_MAX - 1), -1);
	assert_false(cpus_has(&cpus, -1) || cpus_has(&cpus, CPUS_COUNT_MAX));
}

/* ---- This machine ---------------------------------------------------------------------------------------- */

/* The online CPUs are those of the machine, however few of them the thread may use. */
static void online_cpus_are_not_those_of_the_mask(void **state)
{
	struct cpus mine = own(), online, again;

	(void)state;
	if (cpus_online(&online))
		leave_out("neither /sys nor /proc");
	assert_true(cpus_count(&online) >= 1);
	assert_int_equal(cpus_move_to(cpus_next(&mine, -1)), 0);
	assert_int_equal(cpus_online(&again), 0);
	assert_memory_equal(&again, &online, sizeof(online));
	assert_int_equal(cpus_bind(pthread_self(), &mine), 0);
}

/* A thread on one CPU may move to all that the process had; and trying moves nothing. */
static void cpus_outside_the_mask_can_be_tried(void **state)
{
	struct cpus mine = own(), one = { 0 }, after;
	int first = cpus_next(&mine, -1);

	(void)state;
	cpus_add(&one, first);
	assert_int_equal(cpus_move_to(first), 0);
	for (int cpu = first; cpu >= 0; cpu = cpus_next(&mine, cpu))
		assert_int_equal(cpus_try(cpu), 0);
	assert_memory_equal(&last_bound, &one, sizeof(one)); /* the thread that was moved there and back */
	assert_int_equal(cpus_of_thread(&after), 0);
	assert_memory_equal(&after, &one, sizeof(one));
	assert_int_equal(cpus_bind(pthread_self(), &mine), 0);
}

static void cpus_that_are_not_there_are_refused(void **state)
{
	struct cpus mine = own(), after;

	(void)state;
	for (int cpu = CPUS_COUNT_MAX - 1; cpu <= CPUS_COUNT_MAX; cpu++) {
		assert_int_equal(cpus_try(cpu), -EINVAL);
		assert_int_equal(cpus_move_to(cpu), -EINVAL);
	}
	assert_int_equal(cpus_try(-1), -EINVAL);
	assert_int_equal(cpus_of_thread(&after), 0);
	assert_memory_equal(&after, &mine, sizeof(mine));
}

static void a_moved_thread_is_there_on_return(void **state)
{
	struct cpus mine = own(), now;

	(void)state;
	for (int cpu = cpus_next(&mine, -1); cpu >= 0; cpu = cpus_next(&mine, cpu)) {
		assert_int_equal(cpus_move_to(cpu), 0);
		assert_int_equal(sched_getcpu(), cpu);
		assert_int_equal(cpus_of_thread(&now), 0);
		assert_int_equal(cpus_count(&now), 1);
		assert_true(cpus_has(&now, cpu));
	}
	assert_int_equal(cpus_bind(pthread_self(), &mine), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_of_8192_cpus_and_more_are_served),
		cmocka_unit_test(lists_of_the_kernel),
		cmocka_unit_test(what_is_no_list_is_refused),
		cmocka_unit_test(numbers_beyond_the_set_are_in_no_set),
		cmocka_unit_test(online_cpus_are_not_those_of_the_mask),
		cmocka_unit_test(cpus_outside_the_mask_can_be_tried),
		cmocka_unit_test(cpus_that_are_not_there_are_refused),
		cmocka_unit_test(a_moved_thread_is_there_on_return),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
