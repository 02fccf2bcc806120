// SPDX-License-Identifier: MIT
/* What is said of the kernel's refusals: each cause has a sentence of its own, and other errors the C library's. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "run/refusal.h"

static void of_fork(void **state)
{
	(void)state;
	assert_non_null(strstr(refusal_of_fork(EAGAIN, true), "SCHED_FLAG_RESET_ON_FORK"));
	assert_non_null(strstr(refusal_of_fork(EAGAIN, false), "ulimit -u"));
	assert_non_null(strstr(refusal_of_fork(EAGAIN, false), "pids.max"));
	assert_null(strstr(refusal_of_fork(EAGAIN, false), "SCHED_"));
	for (int i = 0; i < 2; i++)
		assert_string_equal(refusal_of_fork(ENOMEM, i), "Cannot allocate memory");
}

static void of_exec(void **state)
{
	(void)state;
	assert_non_null(strstr(refusal_of_exec(ENOENT, true), "its interpreter or its dynamic linker"));
	assert_string_equal(refusal_of_exec(ENOENT, false), "No such file or directory");
	assert_non_null(strstr(refusal_of_exec(ELOOP, true), "interpreters"));
	assert_string_equal(refusal_of_exec(ELOOP, false), "Too many levels of symbolic links");
	for (int i = 0; i < 2; i++) {
		assert_non_null(strstr(refusal_of_exec(EAGAIN, i), "ulimit -u"));
		assert_string_equal(refusal_of_exec(EACCES, i), "Permission denied");
		assert_string_equal(refusal_of_exec(E2BIG, i), "Argument list too long");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(of_fork), cmocka_unit_test(of_exec) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
