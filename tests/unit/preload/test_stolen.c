// SPDX-License-Identifier: MIT
/* The host's share of each CPU, from /proc/stat as kernels write it, and as nothing should. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "fake_env.h"
#include "math/units.h"
#include "preload/stolen.h"

#define TICK (10 * NS_PER_MS)

static char path[] = "/tmp/hpt-stolen-XXXXXX";
static int64_t ns[4];

static int setup(void **state)
{
	fake_env_setup(state);
	fake_env_place("/proc/stat", path);
	return 0;
}

static void read_text(const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);
	char line[256];

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	memset(ns, 7, sizeof(ns));
	hpt_stolen_read(&fake_env, ns, COUNT(ns), line, sizeof(line));
}

static void lines_of_cpus(void **state)
{
	(void)state;
	read_text("cpu  4007271 705222 684563 2619997 20905 0 5633 78133 0 0\n"
		  "cpu0 1992524 344584 335190 1343418 5218 0 897 38604 0 0\n"
		  "cpu2 1 2 3 4 5 6 7 0 9 10\n"
		  "intr 1 2 3 4 5 6 7 8 9\n"
		  "cpu3 1 2 3 4 5 6 7 8 9 10\n");
	assert_int_equal(ns[0], 38604 * TICK);
	assert_int_equal(ns[1], -1);
	assert_int_equal(ns[2], 0);
	assert_int_equal(ns[3], -1);
}

static void other_texts(void **state)
{
	static const char *const texts[] = {
		"", "cpu", "cpu0", "cpu0 1 2 3 4 5 6 7\n", "cpu0 1 2 3 4 5 6 7 \n", "cpu0 1 2 3 4 5 6 7 x\n",
		"cpux 1 2 3 4 5 6 7 8\n", "cpu0 1 2 3 4 5 6 7 99999999999999999999\n",
		"cpu0 1 2 3 4 5 6 7 9223372036854775807\n", "cpu0 1 -2 3 4 5 6 7 8\n", "cpu4 1 2 3 4 5 6 7 8\n",
		"cpu99999999999999999999 1 2 3 4 5 6 7 8\n", "cpu4294967296 1 2 3 4 5 6 7 8\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		read_text(texts[i]);
		for (size_t k = 0; k < COUNT(ns); k++)
			assert_int_equal(ns[k], -1);
	}
}

static void unreadable_file(void **state)
{
	(void)state;
	fake_env_place("/proc/stat", "/nothing/here");
	memset(ns, 7, sizeof(ns));
	hpt_stolen_read(&fake_env, ns, COUNT(ns), (char[64]){ 0 }, 64);
	assert_int_equal(ns[0], -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(lines_of_cpus, setup),
		cmocka_unit_test_setup(other_texts, setup),
		cmocka_unit_test_setup(unreadable_file, setup),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return skip_all("no file can be made");
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
