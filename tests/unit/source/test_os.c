// SPDX-License-Identifier: MIT
/* The OS clock as a source: exact nanoseconds, and a system call where the TSC is forbidden. */
#include <errno.h>
#include <time.h>

#include "unit.h"

#include "fake_env.h"
#include "hpt/hpt.h"
#include "source/find.h"
#include "source/os.h"

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void ticks_are_the_nanoseconds_of_monotonic(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_env_reset();
	assert_int_equal(hpt_source_open(&src, hpt_source_find(HPT_SOURCE_OS), &fake_env), 0);
	assert_ptr_equal(src.read, src.read_unordered);
	assert_ptr_not_equal(src.read, hpt_os_read_syscall);
	assert_int_equal(src.bits, 64);
	assert_int_equal(src.stage, HPT_STAGE_USABLE);
	assert_int_equal(src.rate.origin, HPT_ORIGIN_EXACT);
	assert_int_equal(src.rate.frequency_uhz, 1000000000000000);
	assert_int_equal(src.rate.error_ppb, 0);
	assert_int_equal(src.rate.num, src.rate.den);
	for (int i = 0; i < 1000; i++) {
		uint64_t before = monotonic_ns(), tick = src.read(&src), after = monotonic_ns();

		assert_true(before <= tick && tick <= after);
	}
	assert_int_equal(fake.syscall_calls, 0);
}

static void forbidden_tsc_means_the_system_call(void **state)
{
	struct hpt_source src;
	uint64_t before, tick;

	(void)state;
	fake_env_reset();
	fake.forbidden = true;
	assert_int_equal(hpt_source_open(&src, &hpt_source_os, &fake_env), 0);
	assert_ptr_equal(src.read, hpt_os_read_syscall);
	assert_ptr_equal(src.read_unordered, hpt_os_read_syscall);
	before = monotonic_ns();
	tick = src.read(&src);
	assert_true(before <= tick && tick <= monotonic_ns());
	assert_int_equal(fake.syscall_calls, 1);
	assert_int_equal(fake.clock_calls, 0);
}

static void system_call_leaves_errno_alone(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_env_reset();
	fake.forbidden = true;
	hpt_source_open(&src, &hpt_source_os, &fake_env);
	errno = EXDEV;
	src.read(&src); /* the fake system call sets errno */
	assert_int_equal(errno, EXDEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_the_nanoseconds_of_monotonic),
		cmocka_unit_test(forbidden_tsc_means_the_system_call),
		cmocka_unit_test(system_call_leaves_errno_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
