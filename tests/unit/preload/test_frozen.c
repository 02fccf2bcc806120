// SPDX-License-Identifier: MIT
/* When control groups were frozen or thawed, by the times of their files in both versions. */
#include "cgroup_world.h"
#include "open_files.h"

#include "math/units.h"
#include "preload/frozen.h"

#define V1_FREEZER "33 31 0:30 / @/v1 rw,relatime shared:9 - cgroup cgroup rw,freezer\n"

static struct hpt_cgroups groups;

/* A file of the kernel's, with the times at which it was read, which no write changes, and written, in seconds. */
static void put_times(const char *name, time_t read, time_t written)
{
	struct timespec times[2] = { { .tv_sec = read, .tv_nsec = 5 }, { .tv_sec = written, .tv_nsec = 5 } };
	char path[128];

	put(name, "0\n");
	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void expect(int64_t ns)
{
	uint32_t before = open_files();

	memset(&groups, 0, sizeof(groups));
	assert_int_equal(hpt_frozen_latest_ns(&groups, &fake_env), ns);
	assert_int_equal(open_files(), before);
}

static void version_2_has_one_file(void **state)
{
	(void)state;
	cgroup_is("0::/a\n");
	mounts_are(V2);
	expect(0);
	put_times("v2/a/freezer.state", 100, 900);
	expect(0);
	put_times("v2/a/cgroup.freeze", 100, 123);
	expect(123 * NS_PER_S + 5);
}

static void version_1_has_another(void **state)
{
	(void)state;
	cgroup_is("3:cpu:/b\n2:freezer:/a\n");
	mounts_are(V1_FREEZER);
	put_times("v1/b/freezer.state", 100, 900);
	put_times("v1/a/cgroup.freeze", 100, 900);
	expect(0);
	put_times("v1/a/freezer.state", 100, 123);
	expect(123 * NS_PER_S + 5);
}

/* The kernel makes the file's times when somebody first looks at it: that is no freezing. */
static void nobody_has_written(void **state)
{
	(void)state;
	cgroup_is("0::/a\n");
	mounts_are(V2);
	put_times("v2/a/cgroup.freeze", 100, 100);
	expect(0);
	put_times("v2/cgroup.freeze", 100, 90);
	expect(90 * NS_PER_S + 5);
}

/* All of these stand still with one above. */
static void latest_of_the_groups_above(void **state)
{
	(void)state;
	cgroup_is("0::/a/b\n");
	mounts_are(V2);
	put_times("v2/a/b/cgroup.freeze", 100, 200);
	put_times("v2/a/cgroup.freeze", 100, 300);
	put_times("v2/a/c/cgroup.freeze", 100, 400);
	expect(300 * NS_PER_S + 5);
	put_times("v2/a/b/cgroup.freeze", 100, 301);
	expect(301 * NS_PER_S + 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(version_2_has_one_file, setup),
		cmocka_unit_test_setup(version_1_has_another, setup),
		cmocka_unit_test_setup(nobody_has_written, setup),
		cmocka_unit_test_setup(latest_of_the_groups_above, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
