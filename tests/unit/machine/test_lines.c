// SPDX-License-Identifier: MIT
/* Lines of files that are empty, longer than the buffer, without an end, or no files. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "open_files.h"
#include "temp_folder.h"

#include "machine/file_read.h"
#include "machine/lines.h"

static const struct hpt_env files = { .open = hpt_path_open };

/* All lines of the file, a '|' after each. */
static const char *lines_of(const char *path, size_t size)
{
	static char all[4096];
	char buf[256];
	struct hpt_lines l;
	uint32_t before = open_files();
	char *line;

	all[0] = '\0';
	memset(buf, 'x', sizeof(buf));
	hpt_lines_open(&l, &files, path, buf, size);
	while ((line = hpt_lines_next(&l))) {
		assert_in_range(strlen(line), 0, size - 1);
		strcat(strcat(all, line), "|");
	}
	assert_null(hpt_lines_next(&l));
	hpt_lines_close(&l);
	for (size_t i = size; i < sizeof(buf); i++)
		assert_int_equal(buf[i], 'x');
	assert_int_equal(open_files(), before);
	return all;
}

static void each_line_is_returned_once(void **state)
{
	static const struct {
		const char *text, *lines;
	} rows[] = {
		{ "", "" },
		{ "\n", "|" },
		{ "a", "a|" },
		{ "a\n", "a|" },
		{ "a\nb", "a|b|" },
		{ "\n\na\n\n", "||a||" },
		{ "0123456\nb\n", "0123456|b|" },
		{ "0123456", "0123456|" },
		{ "a\nbcd\nef\nghijk\nl\n", "a|bcd|ef|ghijk|l|" },
	};

	(void)state;
	temp_make();
	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t size = 9; size < 20; size++) {
			temp_write("data", rows[i].text, strlen(rows[i].text));
			assert_string_equal(lines_of(temp_path("data"), size), rows[i].lines);
		}
}

/* A buffer of 8 bytes has room for 6, a newline and a NUL. */
static void lines_that_do_not_fit_are_passed_over(void **state)
{
	static const struct {
		const char *text, *lines;
	} rows[] = {
		{ "012345\nb\n", "012345|b|" },
		{ "0123456\nb\n", "b|" },
		{ "01234567\nb\n", "b|" },
		{ "a\n0123456789012345678901234567890\nb\n", "a|b|" },
		{ "a\n01234567890123456789\n01234567890123456789\nb\n", "a|b|" },
		{ "a\n01234567890123456789", "a|" },
		{ "0123456", "" },
		{ "012345", "012345|" },
	};

	(void)state;
	temp_make();
	for (size_t i = 0; i < COUNT(rows); i++) {
		temp_write("data", rows[i].text, strlen(rows[i].text));
		assert_string_equal(lines_of(temp_path("data"), 8), rows[i].lines);
	}
}

static void what_is_no_file_has_no_lines(void **state)
{
	int fd;

	(void)state;
	temp_make();
	assert_string_equal(lines_of("/nonexistent/file", 8), "");
	assert_string_equal(lines_of("/", 8), "");
	assert_string_equal(lines_of("", 8), "");
	assert_int_equal(mkfifo(temp_path("fifo"), 0600), 0);
	assert_string_equal(lines_of(temp_path("fifo"), 8), "");
	fd = open(temp_path("fifo"), O_RDWR); /* a writer that is silent */
	assert_true(fd >= 0);
	assert_string_equal(lines_of(temp_path("fifo"), 8), "");
	close(fd);
}

static void an_endless_file_ends(void **state)
{
	struct hpt_lines l;
	char buf[1024];

	(void)state;
	assert_string_equal(lines_of("/dev/zero", 8), "");
	hpt_lines_open(&l, &files, "/dev/zero", buf, sizeof(buf));
	assert_null(hpt_lines_next(&l));
	assert_int_equal(l.left, 0);
	hpt_lines_close(&l);
	hpt_lines_close(&l);
}

/* A page at most comes at a time. */
static void files_of_proc_are_read_to_their_end(void **state)
{
	struct hpt_lines l;
	char buf[1024], *line;
	size_t bytes = 0;

	(void)state;
	hpt_lines_open(&l, &files, "/proc/self/maps", buf, sizeof(buf));
	while ((line = hpt_lines_next(&l)))
		bytes += strlen(line) + 1;
	hpt_lines_close(&l);
	assert_true(bytes > 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_returned_once),
		cmocka_unit_test(lines_that_do_not_fit_are_passed_over),
		cmocka_unit_test(what_is_no_file_has_no_lines),
		cmocka_unit_test(an_endless_file_ends),
		cmocka_unit_test(files_of_proc_are_read_to_their_end),
	};

	return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
