// SPDX-License-Identifier: MIT
/* hpt_sleep_get_info(): sizes of the struct, and what the process's policy changes. */
#include "sleep_world.h"

static void info_needs_room(void **state)
{
	struct hpt_sleep_info info = { .size = 77 };

	(void)state;
	assert_int_equal(hpt_sleep_get_info(NULL, sizeof(info)), -EINVAL);
	assert_int_equal(hpt_sleep_get_info(&info, HPT_SLEEP_INFO_SIZE_V0 - 1), -EINVAL);
	assert_int_equal(hpt_sleep_get_info(&info, 0), -EINVAL);
	assert_int_equal(info.size, 77);
	assert_int_equal(sizeof(info), HPT_SLEEP_INFO_SIZE_V0);
}

static void info_is_cut_and_filled_up(void **state)
{
	struct {
		struct hpt_sleep_info info;
		uint64_t more;
	} later = { .more = 77 };

	(void)state;
	begin();
	train();
	assert_int_equal(hpt_sleep_get_info(&later.info, sizeof(later)), 0);
	assert_int_equal(later.info.size, sizeof(later.info));
	assert_int_equal(later.more, 0);
	assert_true(later.info.waits > 0);
}

static void info_is_of_the_processs_policy(void **state)
{
	uint32_t hz = hpt_kernel_hz(), frugal_ns;

	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_STRICT, 0);
	assert_int_equal(habits().policy, HPT_SLEEP_STRICT);
	assert_int_equal(habits().max_spin_ns, hz ? NS_PER_S / hz : 4 * NS_PER_MS);
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0);
	assert_int_equal(habits().max_spin_ns, INT64_C(1) << 60);
	assert_int_equal(habits().margin_ns, UINT32_MAX);
	hpt_sleep_set_policy(HPT_SLEEP_FRUGAL, 0);
	frugal_ns = habits().margin_ns;
	hpt_sleep_set_policy(HPT_SLEEP_STRICT, 0);
	assert_true(frugal_ns <= habits().margin_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(info_needs_room),
		cmocka_unit_test(info_is_cut_and_filled_up),
		cmocka_unit_test(info_is_of_the_processs_policy),
	};

	return cmocka_run_group_tests_name("sleep info", tests, NULL, NULL);
}
