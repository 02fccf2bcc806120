// SPDX-License-Identifier: MIT
/* The driver of the architecture's counter: permission, the read that it uses, its rate, and why it does not open. */
#include "arch_world.h"
#include "source/arch_counter.h"

static int open_arch(struct hpt_source *src)
{
	return hpt_source_open(src, &hpt_source_arch, &fake_env);
}

static uint32_t instructions(void)
{
	return fake_counter.bare + fake_counter.ordered + fake_counter.synced + fake_counter.hz_reads;
}

static void open_fills_in_reads_and_rate(void **state)
{
	struct hpt_source src;

	(void)state;
	assert_int_equal(open_arch(&src), 0);
	assert_int_equal(src.stage, HPT_STAGE_USABLE);
	assert_int_equal(src.order, HPT_OWN_FIRST);
	assert_int_equal(src.orders, HPT_OWN_FIRST);
	assert_int_equal(src.bits, ARCH_COUNTER_BITS);
	assert_int_equal(src.rate.origin, HPT_ORIGIN_REGISTER);
	assert_int_equal(src.rate.frequency_uhz, MACHINE_HZ * UINT64_C(1000000));
	assert_int_equal(src.rate.num, 1000000000);
	assert_int_equal(src.rate.den, MACHINE_HZ);
	assert_in_range(src.rate.error_ppb, 100000, 1000000);
	assert_string_equal(src.ops->clocksource, ARCH_CLOCKSOURCE);
	assert_int_equal(src.ops->kernel_unit_hz, HPT_KERNEL_HZ);
}

static void each_read_is_its_own_instruction(void **state)
{
	struct hpt_source src;

	(void)state;
	assert_int_equal(open_arch(&src), 0);
	fake_counter.ordered = fake_counter.bare = 0;
	src.read(&src);
	assert_int_equal(fake_counter.ordered, 1);
	assert_int_equal(fake_counter.bare, 0);
	src.read_unordered(&src);
	assert_int_equal(fake_counter.ordered, 1);
	assert_int_equal(fake_counter.bare, 1);
}

static void cheaper_ordered_read_is_used_where_the_processor_has_it(void **state)
{
	struct hpt_source src;

	(void)state;
	fake.hwcap2 = ARCH_COUNTER_SYNCED_HWCAP2;
	assert_int_equal(open_arch(&src), 0);
	assert_int_equal(src.order, HPT_OWN_SECOND);
	assert_int_equal(src.orders, HPT_OWN_SECOND);
	fake_counter.synced = 0;
	src.read(&src);
	assert_int_equal(fake_counter.synced, 1);
	fake.hwcap2 = ~ARCH_COUNTER_SYNCED_HWCAP2;
	assert_int_equal(open_arch(&src), 0);
	assert_int_equal(src.order, HPT_OWN_FIRST);
}

static void forbidden_counter_executes_nothing(void **state)
{
	struct hpt_source src;

	(void)state;
	fake.forbidden = true;
	assert_int_equal(open_arch(&src), -EPERM);
	assert_int_equal(src.stage, HPT_STAGE_CPU);
	assert_int_equal(src.reason, HPT_REASON_ARCH_FORBIDDEN);
	assert_null(src.read);
	assert_int_equal(instructions(), 0);
}

static void counter_that_may_not_exist_executes_nothing(void **state)
{
	struct hpt_source src;

	(void)state;
	fake.hwcap = ~ARCH_COUNTER_HWCAP;
	assert_int_equal(open_arch(&src), -ENODEV);
	assert_int_equal(src.stage, HPT_STAGE_CPU);
	assert_int_equal(src.reason, HPT_REASON_ARCH_NO_EVTSTRM);
	assert_null(src.read);
	assert_int_equal(instructions(), 0);
}

static void counter_that_stands_still_is_refused(void **state)
{
	struct hpt_source src;

	(void)state;
	world.tick_ps = UINT64_MAX;
	assert_int_equal(open_arch(&src), -EIO);
	assert_int_equal(src.stage, HPT_STAGE_COUNTING);
	assert_int_equal(src.reason, HPT_REASON_ARCH_NOT_COUNTING);
}

static void rate_of_the_kernel_is_asked_where_no_register_has_it(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_counter.hz = 0;
	fake.counter_hz = 10000000;
	assert_int_equal(open_arch(&src), 0);
	assert_int_equal(src.rate.den, 10000000);
	assert_int_equal(src.rate.origin, HPT_ORIGIN_REGISTER);
	fake_counter.hz = MACHINE_HZ;
	assert_int_equal(open_arch(&src), 0);
	assert_int_equal(src.rate.den, MACHINE_HZ);
}

static void impossible_rate_is_not_stated(void **state)
{
	static const uint64_t wrong[] = { 0, 1, 999, UINT64_C(100000000001), UINT64_MAX };
	static const uint64_t right[] = { 1000, 32768, UINT64_C(4096000000), UINT64_C(100000000000) };
	struct hpt_source src;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		fake_counter.hz = wrong[i];
		assert_int_equal(open_arch(&src), 0);
		assert_int_equal(src.rate.origin, HPT_ORIGIN_NONE);
	}
	for (size_t i = 0; i < COUNT(right); i++) {
		fake_counter.hz = right[i];
		assert_int_equal(open_arch(&src), 0);
		assert_int_equal(src.rate.frequency_uhz, right[i] * 1000000);
	}
}

#define case(name) cmocka_unit_test_setup(name, setup_arch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		case(open_fills_in_reads_and_rate),
		case(each_read_is_its_own_instruction),
		case(cheaper_ordered_read_is_used_where_the_processor_has_it),
		case(forbidden_counter_executes_nothing),
		case(counter_that_may_not_exist_executes_nothing),
		case(counter_that_stands_still_is_refused),
		case(rate_of_the_kernel_is_asked_where_no_register_has_it),
		case(impossible_rate_is_not_stated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
