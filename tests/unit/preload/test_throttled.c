// SPDX-License-Identifier: MIT
/* How long control groups stood still, from cpu.stat of both versions. */
#include "cgroup_world.h"
#include "open_files.h"

#include "preload/throttled.h"

static struct hpt_cgroups groups;

static struct hpt_throttled throttled(void)
{
	uint32_t before = open_files();
	struct hpt_throttled t;

	memset(&groups, 0, sizeof(groups));
	t = hpt_throttled_read(&groups, &fake_env);
	assert_int_equal(open_files(), before);
	return t;
}

/* Of Linux 6.18, for a group without a quota. */
#define STAT "usage_usec 97\nuser_usec 60\nsystem_usec 37\nnice_usec 0\ncore_sched.force_idle_usec 0\n"

static void version_2_counts_microseconds(void **state)
{
	(void)state;
	cgroup_is("0::/a\n");
	mounts_are(V2);
	put("v2/a/cpu.stat", STAT "nr_periods 7\nnr_throttled 3\nthrottled_usec 123456\nnr_bursts 0\nburst_usec 0\n");
	assert_int_equal(throttled().ns, 123456000);
	put("v2/a/cpu.stat", STAT);
	assert_int_equal(throttled().ns, 0);
	put("v2/a/cpu.stat", "throttled_usec 9223372036854775807\n");
	assert_int_equal(throttled().ns, INT64_MAX);
	put("v2/a/cpu.stat", "throttled_usec 99999999999999999999\n");
	assert_int_equal(throttled().ns, 0);
	put("v2/a/cpu.stat", "throttled_usecs 5\nxthrottled_usec 6\nthrottled_usec 7");
	assert_int_equal(throttled().ns, 7000);
	put("v2/a/cpu.stat", "throttled_usec\n");
	assert_int_equal(throttled().ns, 0);
}

static void version_1_counts_nanoseconds(void **state)
{
	(void)state;
	cgroup_is("3:cpu,cpuacct:/a\n2:freezer:/b\n");
	mounts_are(V1);
	put("v1/a/cpu.stat", "nr_periods 12\nnr_throttled 4\nthrottled_time 567\nnr_bursts 0\nburst_time 0\n");
	put("v1/b/cpu.stat", "throttled_time 1000\n");
	assert_int_equal(throttled().ns, 567);
}

/* A group stands still when one above it does. */
static void groups_above_count_too(void **state)
{
	(void)state;
	cgroup_is("0::/a/b\n");
	mounts_are(V2);
	put("v2/a/b/cpu.stat", "throttled_usec 1\n");
	put("v2/a/cpu.stat", "throttled_usec 20\n");
	put("v2/cpu.stat", "throttled_usec 300\n");
	put("v2/a/b/c/cpu.stat", "throttled_usec 4000\n");
	assert_int_equal(throttled().ns, 321000);
}

static void other_groups_have_another_mark(void **state)
{
	uint64_t first;

	(void)state;
	mounts_are(V2);
	cgroup_is("0::/a\n");
	first = throttled().groups;
	assert_true(throttled().groups == first);
	cgroup_is("0::/b\n");
	assert_false(throttled().groups == first);
	cgroup_is("");
	assert_false(throttled().groups == first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(version_2_counts_microseconds, setup),
		cmocka_unit_test_setup(version_1_counts_nanoseconds, setup),
		cmocka_unit_test_setup(groups_above_count_too, setup),
		cmocka_unit_test_setup(other_groups_have_another_mark, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
