// SPDX-License-Identifier: MIT
/* Files that are whole, cut, or no files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "open_files.h"
#include "temp_folder.h"

#include "machine/file_read.h"

static const struct hpt_env files = { .open = hpt_path_open };

static ssize_t read_of(const char *path, char *buf, size_t size)
{
	uint32_t before = open_files();
	ssize_t n;

	alarm(10); /* a reader that waits for a writer would wait for ever */
	n = hpt_file_read(&files, path, buf, size);
	alarm(0);
	assert_int_equal(open_files(), before);
	return n;
}

static void a_file_is_read_as_far_as_there_is_room(void **state)
{
	char buf[8] = "xxxxxxx";

	(void)state;
	temp_make();
	temp_write("data", "012345", 6);
	assert_int_equal(read_of(temp_path("data"), buf, 4), 4);
	assert_string_equal(buf, "0123xxx");
	assert_int_equal(read_of(temp_path("data"), buf, sizeof(buf)), 6);
	assert_string_equal(buf, "012345x");
	temp_write("data", "", 0);
	assert_int_equal(read_of(temp_path("data"), buf, sizeof(buf)), 0);
}

static void what_is_no_file_is_unreadable_and_does_not_hang(void **state)
{
	char buf[8] = "xxxxxxx";

	(void)state;
	temp_make();
	assert_int_equal(mkfifo(temp_path("fifo"), 0600), 0);
	assert_int_equal(symlink("loop", temp_path("loop")), 0);
	assert_true(read_of(temp_path("data"), buf, sizeof(buf)) < 0);
	assert_true(read_of(temp_path("loop"), buf, sizeof(buf)) < 0);
	assert_true(read_of(temp_folder, buf, sizeof(buf)) < 0);
	assert_true(read_of("", buf, sizeof(buf)) < 0);
	assert_int_equal(read_of(temp_path("fifo"), buf, sizeof(buf)), 0);
	assert_string_equal(buf, "xxxxxxx");
}

static void programs_that_are_started_do_not_inherit_it(void **state)
{
	int fd = hpt_path_open("/dev/null");

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_as_far_as_there_is_room),
		cmocka_unit_test(what_is_no_file_is_unreadable_and_does_not_hang),
		cmocka_unit_test(programs_that_are_started_do_not_inherit_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
