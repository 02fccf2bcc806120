// SPDX-License-Identifier: MIT
/* Where a trace goes: standard output, a folder, or a file in one; and what is said where that fails. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captured_err.h"
#include "fake_encoder.h"
#include "own_folder.h"
#include "trace_world.h"

#include "trace/output.h"

static const char *const processes[] = { "p" };
static const struct about about = { .clock = EVENT_TAI, .n_processes = 1, .processes = processes };
static struct output output;
static int terminal; /* standard output, where the results of the tests go */

static int enter(void **state)
{
	memset(&fake, 0, sizeof(fake));
	times_captured = 0;
	return enter_own_folder(state);
}

static void replace_stdout(int fd)
{
	assert_true(fd >= 0);
	fflush(stdout);
	terminal = dup(STDOUT_FILENO);
	assert_true(terminal >= 0 && dup2(fd, STDOUT_FILENO) >= 0);
	close(fd);
}

static void put_stdout_back(void)
{
	dup2(terminal, STDOUT_FILENO);
	close(terminal);
}

/* Writes one event named "name". */
static bool write_to(const struct encoder *to, const char *folder)
{
	struct event e = event_of(EVENT_INSTANT, 1, "name");

	if (!output_begin(&output, to, &about, "test", folder))
		return false;
	output_put(&output, &e, 1);
	return output_end(&output);
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void assert_contents(const char *path, const char *text)
{
	int fd = open(path, O_RDONLY);
	struct written w = read_back(fd);

	assert_string_equal(w.bytes, text);
	free(w.bytes);
	close(fd);
}

static void standard_output(void **state)
{
	bool is_good;

	(void)state;
	replace_stdout(open("out", O_WRONLY | O_CREAT, 0666));
	is_good = write_to(&fake_stream, "folder");
	is_good &= is_open(STDOUT_FILENO);
	put_stdout_back();
	assert_true(is_good);
	assert_contents("out", "name");
	assert_int_equal(fake.folders[0], STDOUT_FILENO);
	assert_int_equal(fake.ended, 1);
	assert_int_equal(access("folder", F_OK), -1); /* is for formats that are a folder */
	assert_int_equal(fake.about[0].clock, EVENT_TAI);
	assert_ptr_equal(fake.about[0].processes, processes);
}

static void a_folder(void **state)
{
	int folder;

	(void)state;
	fake.is_silent = true;
	assert_true(write_to(&fake_folder, "folder"));
	folder = fake.folders[0];
	assert_false(is_open(folder));
	assert_int_equal(entries("folder"), 0);
	/* One that is there already is used. */
	assert_true(output_begin(&output, &fake_folder, &about, "test", "folder"));
	assert_true(is_open(fake.folders[1]));
	assert_false(output_is_lost(&output));
	assert_true(output_end(&output));
	assert_int_equal(times_captured, 0);
}

static void a_file_in_a_folder(void **state)
{
	struct event e = event_of(EVENT_INSTANT, 1, "name");
	int fd = open("file", O_RDWR | O_CREAT, 0666);

	(void)state;
	assert_true(output_begin_file(&output, &fake_stream, &about, "test", fd, "folder"));
	output_put(&output, &e, 1);
	assert_true(output_end(&output));
	assert_false(is_open(fd));
	assert_contents("file", "name");
	assert_int_equal(fake.about[0].clock, EVENT_TAI);
}

static void each_trace_has_an_id_of_its_own(void **state)
{
	static const uint8_t zeros[16];
	bool differ = false;

	(void)state;
	fake.is_silent = true;
	for (size_t i = 0; i < 2; i++) {
		assert_true(write_to(&fake_folder, "folder"));
		assert_memory_not_equal(fake.about[i].id, zeros, 16);
		assert_true(fake.about[i].id[0] & 1); /* so that it is never all zeros */
	}
	for (size_t at = 1; at < 16; at++)
		differ |= fake.about[0].id[at] != fake.about[1].id[at];
	assert_true(differ);
	assert_true(output_begin_file(&output, &fake_stream, &about, "test", open("f", O_WRONLY | O_CREAT, 0666), "d"));
	assert_memory_not_equal(fake.about[2].id, zeros, 16);
	assert_true(output_end(&output));
}

static void a_format_that_does_not_begin(void **state)
{
	int fd = open("file", O_RDWR | O_CREAT, 0666), next;

	(void)state;
	fake.begin_error = EEXIST;
	next = dup(fd);
	close(next);
	assert_false(write_to(&fake_folder, "folder"));
	assert_string_equal(captured, "test: folder: File exists");
	assert_false(is_open(next)); /* the folder's */
	assert_false(output_begin_file(&output, &fake_stream, &about, "test", fd, "shown"));
	assert_string_equal(captured, "test: shown: File exists");
	assert_false(is_open(fd));
	fake.begin_error = ENOMEM;
	assert_false(write_to(&fake_stream, NULL));
	assert_string_equal(captured, "write error: Cannot allocate memory");
	assert_true(is_open(STDOUT_FILENO));
	assert_int_equal(times_captured, 3);
	assert_int_equal(fake.begun, 0);
}

static void a_folder_that_cannot_be_made(void **state)
{
	(void)state;
	close(open("file", O_WRONLY | O_CREAT, 0666));
	assert_false(write_to(&fake_folder, "file"));
	assert_int_equal(times_captured, 1);
	assert_false(write_to(&fake_folder, "missing/folder"));
	assert_int_equal(times_captured, 2);
	assert_int_equal(fake.begun, 0);
}

static void a_format_that_does_not_end(void **state)
{
	(void)state;
	fake.is_silent = true;
	fake.end_error = ENOSPC;
	assert_false(write_to(&fake_folder, "folder"));
	assert_string_equal(captured, "test: folder: No space left on device");
	assert_false(is_open(fake.folders[0]));
	assert_int_equal(fake.ended, 1);
}

static void a_full_disk(void **state)
{
	struct event e = event_of(EVENT_INSTANT, 1, "name");
	bool is_good;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	replace_stdout(open("/dev/full", O_WRONLY));
	is_good = write_to(&fake_stream, NULL);
	put_stdout_back();
	assert_false(is_good);
	assert_string_equal(captured, "write error: No space left on device");
	assert_true(output_begin_file(&output, &fake_stream, &about, "test", fd, "shown"));
	assert_false(output_is_lost(&output));
	for (int i = 0; i < 17000; i++)
		output_put(&output, &e, 1);
	assert_true(output_is_lost(&output));
	assert_false(output_end(&output));
	assert_string_equal(captured, "test: shown: No space left on device");
	assert_int_equal(times_captured, 2);
	assert_false(is_open(fd));
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave_own_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(standard_output),
		test(a_folder),
		test(a_file_in_a_folder),
		test(each_trace_has_an_id_of_its_own),
		test(a_format_that_does_not_begin),
		test(a_folder_that_cannot_be_made),
		test(a_format_that_does_not_end),
		test(a_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
