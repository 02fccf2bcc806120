// SPDX-License-Identifier: MIT
/* Where a process's control group with CPU quotas is, by what the kernel writes of groups and mounts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "bench/quota_group.h"

static bool find(const char *groups, const char *mounts, struct quota_place *ret)
{
	FILE *g = fmemopen((void *)(uintptr_t)groups, strlen(groups), "r");
	FILE *m = fmemopen((void *)(uintptr_t)mounts, strlen(mounts), "r");
	bool is_found;

	assert_non_null(g);
	assert_non_null(m);
	is_found = quota_group_find(g, m, ret);
	fclose(g);
	fclose(m);
	return is_found;
}

static void assert_place(const struct quota_place *p, int version, const char *mount, const char *path)
{
	assert_int_equal(p->version, version);
	assert_string_equal(p->mount, mount);
	assert_string_equal(p->path, path);
}

#define V1_GROUPS "12:pids:/other\n4:cpu,cpuacct:/a/b c\n0::/unified\n"
#define V1_MOUNTS "tmpfs /sys/fs/cgroup tmpfs rw 0 0\n" \
		  "other /other fuse rw,cpu 0 0\n" \
		  "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n" \
		  "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n" \
		  "cgroup /sys/fs/cgroup/a\\040b cgroup rw,nosuid,cpu,cpuacct 0 0\n" \
		  "cgroup /later cgroup rw,cpu 0 0\n"

static void version_1_has_the_quotas_where_it_has_the_controller(void **state)
{
	struct quota_place place;

	(void)state;
	assert_true(find(V1_GROUPS, V1_MOUNTS, &place));
	assert_place(&place, 1, "/sys/fs/cgroup/a b", "/a/b c");
	assert_true(find("0::/unified\n4:cpu:/a\n", V1_MOUNTS, &place)); /* in any order */
	assert_place(&place, 1, "/sys/fs/cgroup/a b", "/a");
}

static void version_2_has_them_otherwise(void **state)
{
	struct quota_place place;

	(void)state;
	assert_true(find("9:name=systemd:/x\n3:cpuset:/y\n2:cpuacct:/z\n0::/user.slice/s\n", V1_MOUNTS, &place));
	assert_place(&place, 2, "/sys/fs/cgroup/unified", "/user.slice/s");
	assert_true(find("0::/\n", "cgroup /v1 cgroup rw,cpu 0 0\ncgroup2 /sys/fs/cgroup cgroup2 ro 0 0\n", &place));
	assert_place(&place, 2, "/sys/fs/cgroup", "/");
}

static void neither_is_found_without_a_group_and_a_mount(void **state)
{
	static const char *const groups[] = { "9:cpuset:/y\n", "\n", "0\n0:\n", ":" };
	struct quota_place place;

	(void)state;
	for (size_t i = 0; i < COUNT(groups); i++)
		assert_false(find(groups[i], V1_MOUNTS, &place));
	assert_false(find(V1_GROUPS, "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", &place));
	assert_false(find("0::/a\n", "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n", &place));
	assert_false(find("0::/a\n", "\n", &place));
}

static void path_that_is_too_long_is_not_taken(void **state)
{
	struct quota_place place;
	char line[sizeof(place.path) + 16], mounts[sizeof(place.mount) + 64];

	(void)state;
	memset(line, 'x', sizeof(line));
	memcpy(line, "0::/", 4);
	line[3 + sizeof(place.path) - 1] = '\0';
	assert_true(find(line, V1_MOUNTS, &place));
	assert_int_equal(strlen(place.path), sizeof(place.path) - 1);
	line[3 + sizeof(place.path) - 1] = 'x';
	line[3 + sizeof(place.path)] = '\0';
	assert_false(find(line, V1_MOUNTS, &place));
	memset(line, 'x', sizeof(line));
	snprintf(mounts, sizeof(mounts), "cgroup2 /%.*s cgroup2 rw 0 0\n", (int)sizeof(place.mount) - 1, line);
	assert_false(find("0::/a\n", mounts, &place));
	snprintf(mounts, sizeof(mounts), "cgroup2 /%.*s cgroup2 rw 0 0\n", (int)sizeof(place.mount) - 2, line);
	assert_true(find("0::/a\n", mounts, &place));
}

static void errors_have_words(void **state)
{
	(void)state;
	assert_string_equal(quota_group_text(-ENOENT), "no control groups with CPU quotas were found");
	assert_string_equal(quota_group_text(-EOPNOTSUPP), "the control group above does not hand CPU quotas down");
	assert_string_equal(quota_group_text(-ERANGE), "a control group above has a smaller quota");
	assert_string_equal(quota_group_text(-EROFS), strerror(EROFS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_1_has_the_quotas_where_it_has_the_controller),
		cmocka_unit_test(version_2_has_them_otherwise),
		cmocka_unit_test(neither_is_found_without_a_group_and_a_mount),
		cmocka_unit_test(path_that_is_too_long_is_not_taken),
		cmocka_unit_test(errors_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
