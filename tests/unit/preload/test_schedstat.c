// SPDX-License-Identifier: MIT
/* The file of a thread: its text, who keeps a descriptor of it, and what happens when a program closes that. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "open_files.h"
#include "unit.h"

#include "preload/schedstat.h"

static struct hpt_schedstat stat;

static void text(void **state)
{
	static const char *const bad[] = {
		"", "\n", "1 2\n", "1 2 3", "1 2 3 4\n", "1  2 3\n", " 1 2 3\n", "1 2 x\n", "-1 2 3\n", "1 2 3\nx",
		"1 9223372036854775808 3\n",
	};

	(void)state;
	assert_true(hpt_schedstat_parse("12 345 6\n", &stat));
	assert_int_equal(stat.queued_ns, 345);
	assert_int_equal(stat.arrivals, 6);
	assert_true(hpt_schedstat_parse("0 9223372036854775807 0\n", &stat));
	assert_true(stat.queued_ns == INT64_MAX);
	stat.queued_ns = 77;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(hpt_schedstat_parse(bad[i], &stat));
	assert_int_equal(stat.queued_ns, 77);
}

static bool is_there(void)
{
	return !access("/proc/thread-self/schedstat", R_OK);
}

/* One that is opened at the first read. */
static void descriptor_stays_open(void **state)
{
	uint32_t before;
	uint64_t arrivals;

	(void)state;
	if (!is_there())
		leave_out("this kernel has no schedstat");
	assert_true(hpt_schedstat_read(false, &stat));
	before = open_files();
	arrivals = stat.arrivals;
	for (int i = 0; i < 100; i++)
		assert_true(hpt_schedstat_read(false, &stat));
	usleep(1000);
	assert_true(hpt_schedstat_read(false, &stat));
	assert_true(stat.arrivals > arrivals);
	assert_int_equal(open_files(), before);
}

/* A daemon does; the number may be another file's by then. */
static void program_closes_it(void **state)
{
	int fd = open("/dev/zero", O_RDONLY);

	(void)state;
	if (!is_there())
		leave_out("this kernel has no schedstat");
	assert_true(hpt_schedstat_read(true, &stat));
	for (int i = 3; i < 1024; i++)
		dup3(fd, i, O_CLOEXEC);
	assert_false(hpt_schedstat_read(false, &stat));
	for (int i = 3; i < 1024; i++)
		close(i);
	assert_false(hpt_schedstat_read(false, &stat));
	assert_true(hpt_schedstat_read(true, &stat));
	assert_true(hpt_schedstat_read(false, &stat));
}

/* Again and again: it keeps one place, of 128. */
static void program_closes_it_often(void **state)
{
	(void)state;
	if (!is_there())
		leave_out("this kernel has no schedstat");
	for (int n = 0; n < 300; n++) {
		for (int i = 800; i < 1024; i++)
			close(i);
		assert_true(hpt_schedstat_read(true, &stat));
	}
}

static void *read_it(void *arg)
{
	*(bool *)arg = hpt_schedstat_read(false, &(struct hpt_schedstat){ 0 });
	return NULL;
}

/* Each has its own; those of threads that ended are closed when their places are needed. */
static void descriptors_of_threads_that_end(void **state)
{
	uint32_t before, most = 0;

	(void)state;
	if (!is_there())
		leave_out("this kernel has no schedstat");
	before = open_files();
	for (int i = 0; i < 500; i++) {
		bool is_read = false;
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, read_it, &is_read), 0);
		pthread_join(thread, NULL);
		assert_true(is_read);
		most = open_files() > most ? open_files() : most;
	}
	assert_true(most <= before + 128);
}

/* The parent's file would say nothing of the child. */
static void child_of_a_fork_has_its_own(void **state)
{
	int status = 0;
	pid_t child;

	(void)state;
	if (!is_there())
		leave_out("this kernel has no schedstat");
	assert_true(hpt_schedstat_read(true, &stat));
	child = fork();
	if (!child) {
		struct hpt_schedstat own;

		_exit(!hpt_schedstat_read(false, &own) || own.arrivals >= stat.arrivals + 1000);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text),
		cmocka_unit_test(descriptor_stays_open),
		cmocka_unit_test(program_closes_it),
		cmocka_unit_test(program_closes_it_often),
		cmocka_unit_test(descriptors_of_threads_that_end),
		cmocka_unit_test(child_of_a_fork_has_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
