// SPDX-License-Identifier: MIT
/* A clock is virtual if libc reads it in less than half the time of the system call. */
#include "unit.h"

#include "fake_env.h"
#include "machine/virtual_clock.h"

static int64_t now_ns, libc_ns, syscall_ns, delays;

/* Every second batch is interrupted. */
static int64_t timer(clockid_t id)
{
	assert_int_equal(id, CLOCK_MONOTONIC);
	if (++delays % 4 == 0)
		now_ns += 1000000;
	return now_ns;
}

static int64_t by_libc(clockid_t id)
{
	assert_int_equal(id, CLOCK_MONOTONIC_COARSE);
	return now_ns += libc_ns;
}

static int64_t by_syscall(clockid_t id)
{
	assert_int_equal(id, CLOCK_MONOTONIC_COARSE);
	return now_ns += syscall_ns;
}

static bool is_virtual(int64_t libc, int64_t syscall)
{
	struct hpt_env env = { .clock_ns = by_libc, .clock_ns_syscall = by_syscall };

	libc_ns = libc;
	syscall_ns = syscall;
	return hpt_clock_is_virtual(&env, timer, CLOCK_MONOTONIC_COARSE);
}

static void cost_decides(void **state)
{
	(void)state;
	assert_true(is_virtual(5, 100));
	assert_true(is_virtual(49, 100));
	assert_false(is_virtual(50, 100));
	assert_false(is_virtual(100, 100));
	assert_false(is_virtual(130, 100));
	assert_false(is_virtual(0, 0)); /* a timer that stands still proves nothing */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(cost_decides) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
