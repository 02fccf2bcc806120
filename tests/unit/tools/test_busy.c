// SPDX-License-Identifier: MIT
/* Busy threads: as many as requested, on the allowed CPUs, and none after the end. */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"

#include "bench/busy.h"
#include "cli/cpus.h"
#include "cli/err.h"

/* Replaces the command's; called only if memory is short. */
void err_print(const char *fmt, ...)
{
	fail_msg("%s", fmt);
}

/* The threads before any test; a sanitizer may have one. */
static unsigned own;

static unsigned joined;

/* Replaces libc's, to count the calls. */
int pthread_join(pthread_t id, void **ret)
{
	int r;

	joined++;
	while ((r = pthread_tryjoin_np(id, ret)) == EBUSY)
		usleep(100);
	return r;
}

/* Counts the threads of this process; *ret_elsewhere: those that may run on another CPU than @cpu. */
static unsigned count_threads(int cpu, unsigned *ret_elsewhere)
{
	DIR *dir = opendir("/proc/self/task");
	unsigned n = 0;

	assert_non_null(dir);
	*ret_elsewhere = 0;
	for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		struct cpus of = { 0 };

		if (e->d_name[0] == '.' || sched_getaffinity(atoi(e->d_name), sizeof(of.set), of.set))
			continue;
		n++;
		*ret_elsewhere += cpus_count(&of) != 1 || !cpus_has(&of, cpu);
	}
	closedir(dir);
	return n;
}

/* A joined thread is still listed for a moment. */
static int await_own(void **state)
{
	unsigned elsewhere;

	(void)state;
	joined = 0;
	for (unsigned i = 0; i < 2000 && count_threads(0, &elsewhere) != own; i++)
		usleep(1000);
	return count_threads(0, &elsewhere) != own;
}

static void as_many_as_requested_and_then_none(void **state)
{
	static const unsigned counts[] = { 0, 1, 3 };
	struct cpus allowed;
	unsigned elsewhere;

	assert_int_equal(cpus_of_thread(&allowed), 0);
	for (size_t i = 0; i < COUNT(counts); i++) {
		struct busy *b;

		assert_int_equal(busy_start(counts[i], &allowed, &b), 0);
		assert_int_equal(count_threads(0, &elsewhere), own + counts[i]);
		busy_stop(b);
		assert_int_equal(joined, counts[i]);
		assert_int_equal(await_own(state), 0);
	}
}

static void they_run_on_the_allowed_cpus(void **state)
{
	unsigned before_elsewhere, elsewhere;
	struct busy *b;
	struct cpus all, one = { 0 };
	int cpu;

	(void)state;
	assert_int_equal(cpus_of_thread(&all), 0);
	cpu = cpus_next(&all, -1);
	cpus_add(&one, cpu);
	count_threads(cpu, &before_elsewhere);
	assert_int_equal(busy_start(2, &one, &b), 0);
	count_threads(cpu, &elsewhere);
	assert_int_equal(elsewhere, before_elsewhere);
	busy_stop(b);
}

static void cpus_that_are_not_there_are_an_error(void **state)
{
	struct busy *b = NULL;
	struct cpus none = { 0 };

	assert_int_equal(busy_start(2, &none, &b), -EINVAL);
	assert_null(b);
	assert_int_equal(await_own(state), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(as_many_as_requested_and_then_none, await_own),
		cmocka_unit_test_setup(they_run_on_the_allowed_cpus, await_own),
		cmocka_unit_test_setup(cpus_that_are_not_there_are_an_error, await_own),
	};
	unsigned elsewhere;

	alarm(60);
	own = count_threads(0, &elsewhere);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
