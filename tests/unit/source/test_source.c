// SPDX-License-Identifier: MIT
/* The fields that open() sets for every driver, and the test whether a counter counts. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "fake_env.h"
#include "fake_source.h"
#include "hpt/hpt.h"

static void open_without_a_driver_says_not_built(void **state)
{
	struct hpt_source src;

	(void)state;
	memset(&src, 0xa5, sizeof(src));
	assert_int_equal(hpt_source_open(&src, NULL, &fake_env), -ENODEV);
	assert_int_equal(src.reason, HPT_REASON_NOT_BUILT);
	assert_int_equal(src.stage, HPT_STAGE_UNTRIED);
}

static void open_fills_in_what_every_driver_needs(void **state)
{
	struct fake_script s = { .step = 1 };
	struct hpt_source src;

	(void)state;
	fake_env_reset();
	fake_script_next = &s;
	memset(&src, 0xa5, sizeof(src));
	assert_int_equal(hpt_source_open(&src, &fake_script_ops, &fake_env), 0);
	assert_ptr_equal(src.ops, &fake_script_ops);
	assert_ptr_equal(src.env, &fake_env);
	assert_ptr_equal(src.clock_ns, fake_env.clock_ns);
	assert_false(src.tsc_forbidden);
	assert_int_equal(src.stage, HPT_STAGE_USABLE);
	assert_int_equal(src.reason, HPT_REASON_NONE);
	assert_int_equal(src.rate.origin, HPT_ORIGIN_NONE);
	hpt_source_close(&src); /* a driver without close() */
}

static void forbidden_tsc_means_clocks_by_system_call(void **state)
{
	struct fake_script s = { .step = 1 };
	struct hpt_source src;

	(void)state;
	fake_env_reset();
	fake.forbidden = true;
	fake_script_next = &s;
	assert_int_equal(hpt_source_open(&src, &fake_script_ops, &fake_env), 0);
	assert_true(src.tsc_forbidden);
	assert_ptr_equal(src.clock_ns, fake_env.clock_ns_syscall);
	assert_int_equal(fake.clock_calls, 0); /* the vDSO would be a SIGSEGV */
}

static void failed_open_keeps_its_stage_and_reason(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_env_reset();
	fake_script_next = NULL;
	assert_int_equal(hpt_source_open(&src, &fake_script_ops, &fake_env), -ENXIO);
	assert_int_equal(src.stage, HPT_STAGE_CPU);
	assert_int_equal(src.reason, HPT_REASON_NOT_BUILT);
}

static bool counts(struct fake_script s, int64_t clock_step)
{
	struct fake_script first = { .step = 1 };
	struct hpt_source src;

	fake_env_reset();
	fake_script_next = &first;
	assert_int_equal(hpt_source_open(&src, &fake_script_ops, &fake_env), 0);
	fake.clock_step = clock_step;
	src.u.priv = &s;
	return hpt_source_is_counting(&src);
}

static void any_change_is_counting(void **state)
{
	static const uint64_t late[500] = { [499] = 1 };

	(void)state;
	assert_true(counts((struct fake_script){ .step = 1 }, 1000));
	assert_true(counts((struct fake_script){ .step = UINT64_MAX }, 1000)); /* backwards */
	assert_true(counts((struct fake_script){ .last = UINT64_MAX, .step = 1 }, 1000)); /* wraps */
	assert_true(counts((struct fake_script){ .values = late, .n = COUNT(late) }, 1000));
}

static void standstill_ends_by_the_clock(void **state)
{
	struct fake_script s = { 0 };
	struct fake_script first = { .step = 1 };
	struct hpt_source src;

	(void)state;
	fake_env_reset();
	fake_script_next = &first;
	assert_int_equal(hpt_source_open(&src, &fake_script_ops, &fake_env), 0);
	fake.clock_step = 30000; /* 30 us a call */
	fake.clock_calls = 0;
	src.u.priv = &s;
	assert_false(hpt_source_is_counting(&src));
	assert_in_range(fake.clock_calls, 4, 6); /* 100 us */
	assert_true(s.reads > 128);
}

static void standstill_of_clock_and_counter_ends_too(void **state)
{
	(void)state;
	/* A clock that goes back a nanosecond at a time never reaches any limit. */
	assert_false(counts((struct fake_script){ 0 }, -1));
}

static void change_in_the_very_last_read_counts(void **state)
{
	/* One batch of 64 after the first read, then the time is over: one read more. */
	static const uint64_t last[66] = { [65] = 1 };

	(void)state;
	assert_true(counts((struct fake_script){ .values = last, .n = COUNT(last) }, 1000000));
}

static void frozen_counter_is_refused_by_its_driver(void **state)
{
	struct fake_script s = { 0 };
	struct hpt_source src;

	(void)state;
	fake_env_reset();
	fake.clock_step = 1000;
	fake_script_next = &s;
	assert_int_equal(hpt_source_open(&src, &fake_script_ops, &fake_env), -EIO);
	assert_int_equal(src.stage, HPT_STAGE_COUNTING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_without_a_driver_says_not_built),
		cmocka_unit_test(open_fills_in_what_every_driver_needs),
		cmocka_unit_test(forbidden_tsc_means_clocks_by_system_call),
		cmocka_unit_test(failed_open_keeps_its_stage_and_reason),
		cmocka_unit_test(any_change_is_counting),
		cmocka_unit_test(standstill_ends_by_the_clock),
		cmocka_unit_test(standstill_of_clock_and_counter_ends_too),
		cmocka_unit_test(change_in_the_very_last_read_counts),
		cmocka_unit_test(frozen_counter_is_refused_by_its_driver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
