// SPDX-License-Identifier: MIT
/* UIO devices by name: the first of that name, its map, and files that are missing or wrong. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "fake_env.h"
#include "fake_uio.h"
#include "machine/uio.h"

static int setup(void **state)
{
	fake_uio_remove();
	return fake_env_setup(state);
}

static void check(const char *name, const char *path, uint64_t offset, uint64_t size)
{
	struct hpt_uio uio;

	assert_int_equal(hpt_uio_find(&fake_env, name, &uio), 0);
	assert_string_equal(uio.path, path);
	assert_int_equal(uio.offset, offset);
	assert_int_equal(uio.size, size);
}

static void check_none(const char *name)
{
	struct hpt_uio uio;

	assert_int_equal(hpt_uio_find(&fake_env, name, &uio), -ENODEV);
}

static void device_is_found_by_its_whole_name(void **state)
{
	(void)state;
	fake_uio_add(0, "timer0", "0x0", "0x0000000000001000");
	fake_uio_add(3, "timer", "0x200", "0x0000000000002000");
	fake_uio_add(10, "timer", "0x300", "0x1000");
	fake_uio_add(255, "the last one", "0xffffffffffffffff", "0xffffffffffffffff");
	check("timer", "/dev/uio3", 0x200, 0x2000);
	check("timer0", "/dev/uio0", 0, 0x1000);
	check("the last one", "/dev/uio255", UINT64_MAX, UINT64_MAX);
	check_none("time");
	check_none("timer1");
	check_none("");
}

static void device_without_a_map_is_none(void **state)
{
	static const char *const wrong[] = { NULL, "", "0x", "10", "1x10", "0010", "0x1g",
					     "0x10000000000000000", "-0x1", "0x1 2",
					     "0x000000000000000000000000000000001" };

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		fake_uio_remove();
		fake_uio_add(0, "timer", wrong[i], "0x1000");
		check_none("timer");
		fake_uio_remove();
		fake_uio_add(0, "timer", "0x0", wrong[i]);
		check_none("timer");
	}
}

static void without_sysfs_there_is_none(void **state)
{
	(void)state;
	fake_env_place("/sys", NULL);
	check_none("timer");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(device_is_found_by_its_whole_name, setup),
		cmocka_unit_test_setup(device_without_a_map_is_none, setup),
		cmocka_unit_test_setup(without_sysfs_there_is_none, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
