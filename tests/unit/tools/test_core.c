// SPDX-License-Identifier: MIT
/* Caches, speed and governor, from files under a root of the test's own. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json_at.h"
#include "unit.h"

#include "info/core.h"

#define CPU3 "/sys/devices/system/cpu/cpu3"

static const char *const folders[] = {
	"/proc", "/sys", "/sys/devices", "/sys/devices/system", "/sys/devices/system/cpu", CPU3, CPU3 "/cache",
	CPU3 "/cache/index0", CPU3 "/cache/index1", CPU3 "/cache/index2", CPU3 "/cpufreq",
};

static const char *const files[] = {
	CPU3 "/cache/index0/level", CPU3 "/cache/index0/type", CPU3 "/cache/index0/size",
	CPU3 "/cache/index0/shared_cpu_list", CPU3 "/cache/index1/level", CPU3 "/cache/index1/type",
	CPU3 "/cache/index1/size", CPU3 "/cache/index2/level", CPU3 "/cache/index2/type", CPU3 "/cache/index2/size",
	CPU3 "/cache/index2/shared_cpu_list", CPU3 "/cpufreq/scaling_min_freq", CPU3 "/cpufreq/scaling_max_freq",
	CPU3 "/cpufreq/scaling_cur_freq", CPU3 "/cpufreq/scaling_governor", "/proc/cpuinfo",
};

static char root[64];

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s%s", root, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *to = fopen(path_of(name), "w");

	assert_non_null(to);
	fputs(text, to);
	fclose(to);
}

static int make_root(void **state)
{
	(void)state;
	strcpy(root, "/tmp/hpt-core-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	for (size_t i = 0; i < COUNT(folders); i++)
		if (mkdir(path_of(folders[i]), 0755))
			return -1;
	return 0;
}

static int clear(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(files); i++)
		(void)unlink(path_of(files[i]));
	return 0;
}

static int remove_root(void **state)
{
	clear(state);
	for (size_t i = COUNT(folders); i-- > 0;)
		(void)rmdir(path_of(folders[i]));
	return rmdir(root);
}

static void put_caches(void)
{
	put(CPU3 "/cache/index0/level", "1\n");
	put(CPU3 "/cache/index0/type", "Data\n");
	put(CPU3 "/cache/index0/size", "32K\n");
	put(CPU3 "/cache/index0/shared_cpu_list", "3\n");
	put(CPU3 "/cache/index1/level", "2\n"); /* no size: left out */
	put(CPU3 "/cache/index1/type", "Unified\n");
	put(CPU3 "/cache/index2/level", "3\n");
	put(CPU3 "/cache/index2/type", "Unified\n");
	put(CPU3 "/cache/index2/size", "32768K\n");
	put(CPU3 "/cache/index2/shared_cpu_list", "0-3,8\n");
}

static void put_cpuinfo(void)
{
	put("/proc/cpuinfo", "processor\t: 2\ncpu MHz\t\t: 1000.000\n\nprocessor\t: 3\nmodel name\t: x\n"
			     "cpu MHz\t\t: 2445.432\n");
}

static void caches_and_speed_are_found(void **state)
{
	struct core c;

	(void)state;
	put_caches();
	put_cpuinfo();
	core_find(root, 3, &c);
	assert_int_equal(c.n_caches, 2);
	assert_int_equal(c.caches[0].level, 1);
	assert_string_equal(c.caches[0].type, "Data");
	assert_int_equal(c.caches[0].bytes, 32768);
	assert_int_equal(c.caches[0].cpus, 1);
	assert_int_equal(c.caches[1].level, 3);
	assert_int_equal(c.caches[1].bytes, 33554432);
	assert_int_equal(c.caches[1].cpus, 5);
	assert_int_equal(c.khz, 2445432);
	assert_int_equal(c.most_khz, 0);
	assert_string_equal(c.governor, "");
}

static void the_governors_speed_comes_first(void **state)
{
	struct core c;

	(void)state;
	put_cpuinfo();
	put(CPU3 "/cpufreq/scaling_min_freq", "800000\n");
	put(CPU3 "/cpufreq/scaling_max_freq", "3500000\n");
	put(CPU3 "/cpufreq/scaling_cur_freq", "1200000\n");
	put(CPU3 "/cpufreq/scaling_governor", "powersave\n");
	core_find(root, 3, &c);
	assert_int_equal(c.khz, 1200000);
	assert_int_equal(c.least_khz, 800000);
	assert_int_equal(c.most_khz, 3500000);
	assert_string_equal(c.governor, "powersave");
	put(CPU3 "/cpufreq/scaling_cur_freq", "<unknown>\n");
	put(CPU3 "/cpufreq/scaling_max_freq", "99999999999999\n");
	core_find(root, 3, &c);
	assert_int_equal(c.khz, 2445432);
	assert_int_equal(c.most_khz, 0);
}

static void nothing_is_known_without_files(void **state)
{
	struct core c;
	json_t *o;

	(void)state;
	core_find(root, 3, &c);
	assert_int_equal(c.n_caches, 0);
	assert_int_equal(c.khz, 0);
	o = core_json(&c);
	assert_int_equal(json_array_size(json_object_get(o, "caches")), 0);
	assert_true(json_is_null(json_object_get(o, "speed_hz")));
	assert_true(json_is_null(json_object_get(o, "governor")));
	json_decref(o);
}

static void json_is_in_bytes_and_hertz(void **state)
{
	struct core c;
	json_t *o;

	(void)state;
	put_caches();
	put_cpuinfo();
	put(CPU3 "/cpufreq/scaling_governor", "performance\n");
	core_find(root, 3, &c);
	c.caches[0].cpus = 0;
	o = core_json(&c);
	assert_int_equal(at(o, "speed_hz"), 2445432000);
	assert_true(json_is_null(json_object_get(o, "speed_max_hz")));
	assert_string_equal(json_string_value(json_object_get(o, "governor")), "performance");
	assert_int_equal(at(json_array_get(json_object_get(o, "caches"), 1), "size_bytes"), 33554432);
	assert_int_equal(at(json_array_get(json_object_get(o, "caches"), 1), "cpus"), 5);
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(o, "caches"), 0), "cpus")));
	json_decref(o);
}

static void odd_texts_are_unknown(void **state)
{
	static const struct { const char *text; int64_t bytes; } sizes[] = {
		{ "32K", 32768 }, { "1M", 1048576 }, { "512", 512 }, { "", 0 }, { "K", 0 }, { "-1K", 0 }, { "32KB", 0 },
		{ " 32K", 0 }, { "99999999999999999999", 0 }, { "999999999999G", 0 }, { "0K", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++)
		assert_int_equal(core_parse_size(sizes[i].text), sizes[i].bytes);
	assert_int_equal(core_parse_mhz("cpu MHz\t\t: 2445.432\n"), 2445432);
	assert_int_equal(core_parse_mhz("cpu MHz static\t: 2445.432\n"), 0);
	assert_int_equal(core_parse_mhz("cpu MHz\t\t: nan\n"), 0);
	assert_int_equal(core_parse_mhz("cpu MHz\t\t: -4\n"), 0);
	assert_int_equal(core_parse_mhz("cpu MHz\t\t: 1e300\n"), 0);
	assert_int_equal(core_parse_mhz("cpu MHz"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(caches_and_speed_are_found, clear),
		cmocka_unit_test_teardown(the_governors_speed_comes_first, clear),
		cmocka_unit_test_teardown(nothing_is_known_without_files, clear),
		cmocka_unit_test_teardown(json_is_in_bytes_and_hertz, clear),
		cmocka_unit_test(odd_texts_are_unknown),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
