// SPDX-License-Identifier: MIT
/* CPU quotas from files as kernels, containers and attackers write them. */
#include "cgroup_world.h"
#include "open_files.h"

#include "machine/live.h"
#include "machine/quota.h"

static uint32_t quota(void)
{
	uint32_t before = open_files(), millicpus = hpt_quota_millicpus(&fake_env);

	assert_int_equal(open_files(), before);
	return millicpus;
}

static void text_of_cpu_max(void **state)
{
	static const struct {
		const char *text;
		uint32_t millicpus;
	} rows[] = {
		{ "50000 100000\n", 500 },
		{ "50000 100000", 500 },
		{ "max 100000\n", 0 },
		{ "100000 100000\n", 1000 },
		{ "1200000 100000\n", 12000 },
		{ "1000 100000\n", 10 },
		{ "1000 1000000\n", 1 },
		{ "1001 1000000\n", 2 }, /* rounded up */
		{ "1 1000000\n", 1 },
		{ "1 17592186044415\n", 1 },
		{ "17592186044415 1\n", UINT32_MAX },
		{ "17592186044416 100000\n", 0 }, /* none of the kernel's */
		{ "50000 17592186044416\n", 0 },
		{ "99999999999999999999999999 100000\n", 0 },
		{ "18446744073709551617 100000\n", 0 },
		{ "0 100000\n", 0 },
		{ "50000 0\n", 0 },
		{ "-50000 100000\n", 0 },
		{ "50000 -100000\n", 0 },
		{ "50000\n", 0 },
		{ "50000 \n", 0 },
		{ "50000  100000\n", 0 },
		{ "50000 100000 1\n", 0 },
		{ "50000 100000\n\n", 0 },
		{ " 50000 100000\n", 0 },
		{ "5e4 100000\n", 0 },
		{ "", 0 },
		{ "\n", 0 },
		{ "max\n", 0 },
		{ "50000 100000                                                        \n", 0 }, /* longer than any */
	};

	(void)state;
	cgroup_is("0::/a\n");
	mounts_are(V2);
	for (size_t i = 0; i < COUNT(rows); i++) {
		put("v2/a/cpu.max", rows[i].text);
		assert_int_equal(quota(), rows[i].millicpus);
	}
}

static void text_of_version_1(void **state)
{
	static const struct {
		const char *quota, *period;
		uint32_t millicpus;
	} rows[] = {
		{ "50000\n", "100000\n", 500 },
		{ "5000", "100000", 50 },
		{ "-1\n", "100000\n", 0 },
		{ "250000\n", "50000\n", 5000 },
		{ "50000 1\n", "100000\n", 0 },
		{ "50000\n", "100000 1\n", 0 },
		{ "50000\n", "", 0 },
		{ "50000\n", "0\n", 0 },
		{ "max\n", "100000\n", 0 },
		{ "", "100000\n", 0 },
	};

	(void)state;
	cgroup_is("3:cpu,cpuacct:/a\n");
	mounts_are(V1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		put("v1/a/cpu.cfs_quota_us", rows[i].quota);
		put("v1/a/cpu.cfs_period_us", rows[i].period);
		assert_int_equal(quota(), rows[i].millicpus);
	}
	put("v1/a/cpu.cfs_quota_us", "50000\n");
	put("v1/a/cpu.cfs_period_us", "100000\n");
	mounts_are("");
	assert_int_equal(quota(), 0);
}

static void the_least_on_the_way_up_counts(void **state)
{
	(void)state;
	cgroup_is("0::/a/b/c\n");
	mounts_are(V2);
	put("v2/a/b/c/cpu.max", "max 100000\n");
	assert_int_equal(quota(), 0);
	put("v2/a/cpu.max", "200000 100000\n"); /* none in b: its controller is off */
	assert_int_equal(quota(), 2000);
	put("v2/a/b/c/cpu.max", "300000 100000\n");
	assert_int_equal(quota(), 2000);
	put("v2/a/b/cpu.max", "30000 100000\n");
	assert_int_equal(quota(), 300);
	put("v2/cpu.max", "20000 100000\n"); /* as in a container, whose root is no root */
	assert_int_equal(quota(), 200);
	put("v2/a/bb/cpu.max", "1000 100000\n");
	put("v2/a/b/c/d/cpu.max", "1000 100000\n");
	put("v2/b/cpu.max", "1000 100000\n");
	put("cpu.max", "1000 100000\n"); /* above the mount point */
	assert_int_equal(quota(), 200);
}

/* Containers: parts of the hierarchy are mounted, and namespaces show paths from another root. */
static void mounts_of_a_part(void **state)
{
	static const struct {
		const char *cgroup, *mounts;
		uint32_t millicpus;
	} rows[] = {
		/* The files: @/v2/cpu.max 900, @/v2/x/cpu.max 700, @/v2/x/y/cpu.max 800. */
		{ "0::/x/y\n", V2, 700 },
		{ "0::/docker/id/x/y\n", V2_AT("/docker/id", "@/v2"), 700 },
		{ "0::/docker/id\n", V2_AT("/docker/id", "@/v2"), 900 },
		{ "0::/docker/id2\n", V2_AT("/docker/id", "@/v2"), 0 },
		{ "0::/docker\n", V2_AT("/docker/id", "@/v2"), 0 },
		{ "0::/\n", V2_AT("/docker/id", "@/v2"), 0 },
		{ "0::/\n", V2, 900 },
		{ "0::/\n", V2_AT("/..", "@/v2"), 900 },        /* above the namespace: the names between are unknown */
		{ "0::/x\n", V2_AT("/../..", "@/v2"), 900 },
		{ "0::/\n", V2_AT("/../x", "@/v2"), 0 },        /* a sibling */
		{ "0::/..\n", V2, 0 },                          /* the process is above the namespace */
		{ "0::/../../x\n", V2, 0 },
		{ "0::/../x/y\n", V2_AT("/..", "@/v2"), 700 },
		{ "0::/../x/y\n", V2_AT("/../x", "@/v2/x"), 700 },
		{ "0::/..x/y\n", V2_AT("/..x", "@/v2"), 900 },
		{ "0::/x/y\n", "", 0 },
		{ "", V2, 0 },
		/* Two mounts: all that can be seen counts. */
		{ "0::/x/y\n", V2_AT("/x/y", "@/v2/x/y") V2_AT("/x", "@/v2/x"), 700 },
		{ "0::/x/y\n", V2_AT("/x/y", "@/v2/x/y") V2_AT("/z", "@/v2/x"), 800 },
		/* A mount whose folder another mount hides. */
		{ "0::/x/y\n", V2_AT("/", "@/hidden") V2, 700 },
		{ "0::/x/y\n", V2_AT("/", "/"), 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		put("v2/cpu.max", "90000 100000\n");
		put("v2/x/cpu.max", "70000 100000\n");
		put("v2/x/y/cpu.max", "80000 100000\n");
		cgroup_is(rows[i].cgroup);
		mounts_are(rows[i].mounts);
		if (quota() != rows[i].millicpus)
			fail_msg("row %zu: %u", i, quota());
	}
}

/* As systemd mounts them in its hybrid layout, and kernels print them. */
#define HYBRID                                                                            \
	"23 28 0:21 / /sys rw,nosuid - sysfs sysfs rw\n"                                  \
	"29 23 0:25 / @ ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755\n"                   \
	"30 29 0:26 / @/unified rw - cgroup2 cgroup2 rw\n"                                \
	"31 29 0:27 / @/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"               \
	"32 29 0:28 / @/cpuset rw - cgroup cgroup rw,cpuset\n"                            \
	"33 29 0:29 / @/cpu,cpuacct rw,relatime shared:15 - cgroup cgroup rw,cpu,cpuacct\n"

static void hybrid_layouts(void **state)
{
	(void)state;
	cgroup_is("12:cpuset:/c\n5:cpu,cpuacct:/s/u\n1:name=systemd:/s\n0::/s\n");
	mounts_are(HYBRID);
	put("cpuset/c/cpu.cfs_quota_us", "1000\n");
	put("cpuset/c/cpu.cfs_period_us", "100000\n");
	put("unified/s/x", "");
	assert_int_equal(quota(), 0);
	put("cpu,cpuacct/s/u/cpu.cfs_quota_us", "-1\n");
	put("cpu,cpuacct/s/u/cpu.cfs_period_us", "100000\n");
	put("cpu,cpuacct/s/cpu.cfs_quota_us", "40000\n");
	put("cpu,cpuacct/s/cpu.cfs_period_us", "100000\n");
	put("cpu,cpuacct/s/cpu.max", "1000 100000\n"); /* version 2's name means nothing here */
	put("unified/s/cpu.cfs_quota_us", "1000\n");
	put("unified/s/cpu.cfs_period_us", "100000\n");
	assert_int_equal(quota(), 400);
	put("unified/s/cpu.max", "30000 100000\n"); /* no kernel has both, but nothing is lost by looking */
	assert_int_equal(quota(), 300);
	cgroup_is("12:cpuset:/c\n1:name=cpu:/s\n2:cpuacct:/s\n3:,cpus:/s\n");
	assert_int_equal(quota(), 0);
	cgroup_is("5:cpuacct,cpu:/s/u:v\n"); /* a colon is part of the name */
	put("cpu,cpuacct/s/u:v/cpu.cfs_quota_us", "20000\n");
	put("cpu,cpuacct/s/u:v/cpu.cfs_period_us", "100000\n");
	assert_int_equal(quota(), 200);
}

static void unusual_names(void **state)
{
	(void)state;
	put("a b/x/cpu.max", "10000 100000\n");
	put("a\nb/x/cpu.max", "20000 100000\n");
	put("a\\040b/x/cpu.max", "30000 100000\n");
	put("a\\09/x/cpu.max", "40000 100000\n");
	put("a b/x y/z/cpu.max", "50000 100000\n");
	cgroup_is("0::/x\n");
	mounts_are(V2_AT("/", "@/a\\040b"));
	assert_int_equal(quota(), 100);
	mounts_are(V2_AT("/", "@/a\\012b"));
	assert_int_equal(quota(), 200);
	mounts_are(V2_AT("/", "@/a\\134040b"));
	assert_int_equal(quota(), 300);
	mounts_are(V2_AT("/", "@/a\\09"));
	assert_int_equal(quota(), 400);
	cgroup_is("0::/x y/z\n"); /* not escaped there, and escaped in the mount's root */
	mounts_are(V2_AT("/x\\040y", "@/a\\040b/x\\040y"));
	put("a b/x y/cpu.max", "max 100000\n");
	assert_int_equal(quota(), 500);
	cgroup_is("0::/x y\n"); /* the mounted group itself */
	put("a b/x y/cpu.max", "55000 100000\n");
	assert_int_equal(quota(), 550);
	cgroup_is("0::/x y/z\n");
	cgroup_is("0::/x y/z (deleted)\n");
	put("a b/x y/cpu.max", "60000 100000\n");
	assert_int_equal(quota(), 600);
}

static void broken_lines_are_passed_over(void **state)
{
	(void)state;
	put("v2/a/cpu.max", "50000 100000\n");
	cgroup_is("0\n0:\n0::\n::\n:\n\n0::a\n1:cpu\n1:cpu:\nx::/a");
	mounts_are("\n \n30\n30 23\n30 23 0:26 /\n30 23 0:26 / @/v2\n30 23 0:26 / @/v2 rw - cgroup2\n"
		   "30 23 0:26 / @/v2 rw - cgroup2 cgroup2\n30 23 0:26 / @/v2 rw cgroup2 cgroup2 rw\n");
	assert_int_equal(quota(), 0);
	mounts_are("-\n- - - -\n30 23 0:26 / @/v2 rw - - - -\n"
		   "30 23 0:26 / @/v2 rw - cgroup2  rw"); /* an empty source */
	assert_int_equal(quota(), 500);
}

static void put_fifo(const char *path)
{
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void what_is_no_file_has_no_quota(void **state)
{
	char path[96];

	(void)state;
	cgroup_is("0::/a\n");
	mounts_are(V2);
	put("v2/a/x", "");
	assert_int_equal(quota(), 0);
	snprintf(path, sizeof(path), "%s/v2/a/cpu.max", root);
	put_fifo(path);
	assert_int_equal(quota(), 0);
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(quota(), 0);
	rmdir(path);
	assert_int_equal(symlink("/dev/zero", path), 0);
	assert_int_equal(quota(), 0);
	unlink(path);
	put("v2/a/cpu.max", "50000 100000\n");
	assert_int_equal(quota(), 500);
	put_fifo(mountinfo_path);
	assert_int_equal(quota(), 0);
	put_fifo(cgroup_path);
	assert_int_equal(quota(), 0);
	fake_env_place(MOUNTS, "/dev/zero");
	assert_int_equal(quota(), 0);
	fake_env_place(SELF, "/dev/zero");
	assert_int_equal(quota(), 0);
	fake_env_place(MOUNTS, NULL);
	fake_env_place(SELF, NULL);
	assert_int_equal(quota(), 0);
}

/* The mount is after some hundred others, as containers have them. */
static void mounts_may_be_many(void **state)
{
	static char text[100000];
	size_t n = 0;

	(void)state;
	put("v2/a/cpu.max", "50000 100000\n");
	cgroup_is("0::/a\n");
	for (int i = 0; i < 900; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%d 1 0:%d / /var/lib/overlay/%d rw - overlay o rw\n",
				      i, i, i);
	strcpy(text + n, V2);
	mounts_are(text);
	assert_int_equal(quota(), 500);
}

/* A hierarchy so deep, mounted so often, that looking at each group would take seconds. */
static void deep_hierarchies_end(void **state)
{
	static char text[100000], deep[4000];
	size_t n = 0;

	(void)state;
	put("v2/cpu.max", "50000 100000\n");
	for (n = 0; n < sizeof(deep) - 2; n += 2)
		memcpy(deep + n, "/a", 2);
	deep[n] = '\0';
	snprintf(text, sizeof(text), "0::%s\n", deep);
	cgroup_is(text);
	mounts_are(V2);
	assert_int_equal(quota(), 0); /* 2000 groups below it: so far up it does not look */
	snprintf(text, sizeof(text), "0::%s\n", deep + 2200);
	cgroup_is(text);
	assert_int_equal(quota(), 500);
	memset(deep, 'x', sizeof(deep));
	for (int i = 0; i < 10; i++) { /* names and paths longer than any */
		snprintf(text, sizeof(text), "0::/%.*s\n", 4090 + i, deep);
		cgroup_is(text);
		(void)quota();
	}
	snprintf(text, sizeof(text), "0::/%3999.3999s/%3999.3999s\n", deep, deep);
	cgroup_is(text);
	assert_int_equal(quota(), 0);
	cgroup_is("0::/a\n");
	snprintf(text, sizeof(text), "30 23 0:26 / @/%3999.3999s/%3999.3999s rw - cgroup2 cgroup2 rw\n" V2, deep, deep);
	mounts_are(text);
	assert_int_equal(quota(), 500);
}

/* Bytes by chance, of those that the formats know. */
static void nothing_crashes_it(void **state)
{
	static const char *const words[] = { "/", "..", "/..", "a", "cpu", ",", ":", "0::", " ", "-", " - ", "\n",
					     "\\040",
					     "cgroup2", "cgroup", "@", "@/v2", "max", "\\", "\\0", "30 23 0:26 / " };
	char text[600];

	(void)state;
	put("v2/a/cpu.max", "50000 100000\n");
	for (int i = 0; i < rounds(3000); i++) {
		for (int file = 0; file < 2; file++) {
			text[0] = '\0';
			for (uint64_t n = random_below(40); n; n--)
				strcat(text, words[random_below(COUNT(words))]);
			(file ? mounts_are : cgroup_is)(text);
		}
		assert_true(quota() == 0 || quota() == 500);
	}
}

static void this_machine_has_an_answer(void **state)
{
	(void)state;
	note("%u thousandths of a CPU", hpt_quota_millicpus(&hpt_env_live));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(text_of_cpu_max, setup),
		cmocka_unit_test_setup(text_of_version_1, setup),
		cmocka_unit_test_setup(the_least_on_the_way_up_counts, setup),
		cmocka_unit_test_setup(mounts_of_a_part, setup),
		cmocka_unit_test_setup(hybrid_layouts, setup),
		cmocka_unit_test_setup(unusual_names, setup),
		cmocka_unit_test_setup(broken_lines_are_passed_over, setup),
		cmocka_unit_test_setup(what_is_no_file_has_no_quota, setup),
		cmocka_unit_test_setup(mounts_may_be_many, setup),
		cmocka_unit_test_setup(deep_hierarchies_end, setup),
		cmocka_unit_test_setup(nothing_crashes_it, setup),
		cmocka_unit_test_setup(this_machine_has_an_answer, setup),
	};

	random_start();
	return cmocka_run_group_tests_name("quota", tests, NULL, NULL);
}
