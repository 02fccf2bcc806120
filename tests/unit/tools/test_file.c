// SPDX-License-Identifier: MIT
/* Files that appear whole, or stay as they were. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "captured_err.h"
#include "own_folder.h"

#include "cli/file.h"

static int enter(void **state)
{
	times_captured = 0;
	return enter_own_folder(state);
}

static const char *contents(const char *path)
{
	static char text[256];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void assert_reported(const char *path, int error)
{
	char want[256];

	snprintf(want, sizeof(want), "%s: %s", path, strerror(error));
	assert_string_equal(captured, want);
	assert_int_equal(times_captured, 1);
	times_captured = 0;
}

static void assert_refused(const char *path, int error)
{
	struct file f;

	assert_false(file_open(&f, path));
	assert_reported(path, error);
}

static void a_new_file_appears_when_it_is_whole(void **state)
{
	struct file f;

	(void)state;
	umask(027);
	assert_true(file_open(&f, "new"));
	fputs("text", f.to);
	assert_int_equal(access("new", F_OK), -1);
	assert_true(fcntl(fileno(f.to), F_GETFD) & FD_CLOEXEC);
	assert_true(file_commit(&f));
	assert_string_equal(contents("new"), "text");
	assert_int_equal(mode_of("new"), 0640);
	assert_int_equal(umask(022), 027);
	assert_int_equal(entries("."), 1);
}

static void what_was_there_stays_until_then(void **state)
{
	struct file f;

	(void)state;
	put("old", "old");
	assert_int_equal(chmod("old", 0604), 0);
	assert_true(file_open(&f, "old"));
	fputs("new", f.to);
	fflush(f.to);
	assert_string_equal(contents("old"), "old");
	assert_true(file_commit(&f));
	assert_string_equal(contents("old"), "new");
	assert_int_equal(mode_of("old"), 0604);
	assert_int_equal(entries("."), 1);
}

static void abandoned_leaves_nothing(void **state)
{
	struct file f;

	(void)state;
	put("old", "old");
	assert_true(file_open(&f, "old"));
	fputs("new", f.to);
	file_abandon(&f);
	file_abandon(&f); /* nothing more */
	assert_string_equal(contents("old"), "old");
	assert_true(file_open(&f, "new"));
	file_abandon(&f);
	assert_int_equal(entries("."), 1);
	assert_int_equal(times_captured, 0);
}

static void part_of_a_result_keeps_the_old_file(void **state)
{
	struct file f;

	(void)state;
	put("old", "old");
	assert_int_equal(symlink("old", "link"), 0);
	assert_true(file_open(&f, "link"));
	assert_true(f.replaces);
	fputs("part", f.to);
	file_divert(&f);
	assert_string_equal(f.path, "link.partial");
	assert_true(file_commit(&f));
	assert_string_equal(contents("old"), "old");
	assert_string_equal(contents("old.partial"), "part");
	assert_int_equal(entries("."), 3);
	assert_true(file_open(&f, "new"));
	assert_false(f.replaces);
	file_abandon(&f);
	assert_true(file_open(&f, "/dev/null"));
	assert_false(f.replaces);
	file_divert(&f); /* is written in place */
	assert_true(file_commit(&f));
	assert_int_equal(times_captured, 0);
}

static void links_stay(void **state)
{
	struct file f;
	struct stat st;

	(void)state;
	assert_int_equal(mkdir("there", 0777), 0);
	put("there/file", "old");
	assert_int_equal(symlink("there/next", "link") | symlink("file", "there/next") |
			 symlink("there/none", "dangling"), 0);
	assert_true(file_open(&f, "link"));
	fputs("new", f.to);
	assert_int_equal(entries("."), 3);      /* the temporary file is in the file's folder, not in the link's */
	assert_true(file_commit(&f));
	assert_string_equal(contents("there/file"), "new");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_true(file_open(&f, "dangling"));
	assert_true(file_commit(&f));
	assert_int_equal(lstat("dangling", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(access("there/none", F_OK), 0);
	assert_int_equal(symlink("b", "a") | symlink("a", "b"), 0);
	assert_refused("a", ELOOP);
}

static void what_cannot_be_written_is_reported_at_once(void **state)
{
	(void)state;
	assert_int_equal(mkdir("folder", 0777), 0);
	put("file", "");
	assert_refused("folder", EISDIR);
	assert_refused("folder/", EISDIR);
	assert_refused("none/", EISDIR);
	assert_refused("", ENOENT);
	assert_refused("none/file", ENOENT);
	assert_refused("file/file", ENOTDIR);
	assert_int_equal(entries("."), 2);
}

static void what_may_not_be_written_is_reported_at_once(void **state)
{
	(void)state;
	put("locked", "old");
	assert_int_equal(chmod("locked", 0444) | mkdir("closed", 0555), 0);
	if (geteuid() == 0) /* root may write everything */
		assert_int_equal(chmod(".", 0777) | seteuid(65534), 0);
	assert_refused("locked", EACCES);
	assert_refused("closed/file", EACCES);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_string_equal(contents("locked"), "old");
	assert_int_equal(entries(".") + entries("closed"), 2);
}

/* Stops before a file would replace a device of this machine, if the code is wrong and the user is root. */
static void open_device(struct file *f, const char *path)
{
	assert_true(file_open(f, path));
	if (!f->temporary)
		return;
	file_abandon(f);
	fail_msg("%s would be replaced", path);
}

static void devices_are_written_and_stay(void **state)
{
	struct file f;
	struct stat st;

	(void)state;
	open_device(&f, "/dev/null");
	fputs("text", f.to);
	assert_true(file_commit(&f));
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

/* A short text fails at the end, a long one before. */
static void a_full_disk_is_seen(void **state)
{
	static const size_t sizes[] = { 1, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct file f;

		open_device(&f, "/dev/full");
		for (size_t k = 0; k < sizes[i]; k++)
			putc('x', f.to);
		assert_false(file_commit(&f));
		assert_reported("/dev/full", ENOSPC);
	}
}

static void a_temporary_file_that_cannot_be_whole_goes(void **state)
{
	struct file f;

	(void)state;
	put("old", "old");
	assert_true(file_open(&f, "old"));
	fputs("new", f.to);
	assert_int_equal(close(fileno(f.to)), 0);
	assert_false(file_commit(&f));
	assert_reported("old", EBADF);
	assert_string_equal(contents("old"), "old");
	assert_int_equal(entries("."), 1);
}

/* A disk that was full for a while: the lost part stays lost, although the end can be written. */
static void an_error_on_the_way_is_not_forgotten(void **state)
{
	struct rlimit before, small;
	struct file f;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_cur = 10000;
	small.rlim_max = before.rlim_max;
	assert_true(file_open(&f, "new"));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (int i = 0; i < 100000; i++)
		putc('x', f.to);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_false(file_commit(&f));
	assert_reported("new", EIO);
	assert_int_equal(entries("."), 0);
}

static void pipes_are_written(void **state)
{
	struct file f;
	char text[8] = "";
	int reader;

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	alarm(10); /* ends a wait for a reader */
	assert_false(file_open(&f, "pipe"));
	assert_reported("pipe", ENXIO);
	alarm(0);
	reader = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_true(file_open(&f, "pipe"));
	fputs("text", f.to);
	assert_true(file_commit(&f));
	assert_int_equal(read(reader, text, sizeof(text)), 4);
	assert_string_equal(text, "text");
	close(reader);
	assert_int_equal(entries("."), 1);
}

/* A shell opened the file, and continues after the command's output. */
static void standard_output_is_gone_on_with(int fd)
{
	int before = dup(STDOUT_FILENO);
	struct file f;

	fflush(stdout);
	assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	assert_int_equal(write(STDOUT_FILENO, "a", 1), 1);
	open_device(&f, "/dev/stdout");
	fputs("b", f.to);
	assert_true(file_commit(&f));
	assert_int_equal(write(STDOUT_FILENO, "c", 1), 1);
	assert_int_equal(dup2(before, STDOUT_FILENO), STDOUT_FILENO);
	close(before);
	close(fd);
}

static void standard_output_is_never_replaced(void **state)
{
	char text[8] = "";
	int pair[2];

	(void)state;
	standard_output_is_gone_on_with(open("out", O_WRONLY | O_CREAT, 0600));
	assert_string_equal(contents("out"), "abc");
	assert_int_equal(entries("."), 1);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	standard_output_is_gone_on_with(pair[0]);
	assert_int_equal(recv(pair[1], text, 3, MSG_WAITALL), 3);
	assert_string_equal(text, "abc");
	close(pair[1]);
}

static void folders_are_made_if_need_be(void **state)
{
	(void)state;
	assert_true(file_folder("new"));
	assert_true(file_folder("new"));
	assert_true(file_folder("new/"));
	assert_int_equal(entries("new"), 0);
	assert_int_equal(times_captured, 0);
	assert_false(file_folder("none/new"));
	assert_reported("none/new", ENOENT);
	put("file", "");
	assert_false(file_folder("file"));
	assert_reported("file", ENOTDIR);
	assert_int_equal(symlink("none", "dangling"), 0);
	assert_false(file_folder("dangling"));
	assert_reported("dangling", ENOENT);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave_own_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_FOLDER(a_new_file_appears_when_it_is_whole),
		IN_A_FOLDER(what_was_there_stays_until_then),
		IN_A_FOLDER(abandoned_leaves_nothing),
		IN_A_FOLDER(part_of_a_result_keeps_the_old_file),
		IN_A_FOLDER(links_stay),
		IN_A_FOLDER(what_cannot_be_written_is_reported_at_once),
		IN_A_FOLDER(what_may_not_be_written_is_reported_at_once),
		IN_A_FOLDER(devices_are_written_and_stay),
		IN_A_FOLDER(a_full_disk_is_seen),
		IN_A_FOLDER(a_temporary_file_that_cannot_be_whole_goes),
		IN_A_FOLDER(an_error_on_the_way_is_not_forgotten),
		IN_A_FOLDER(pipes_are_written),
		IN_A_FOLDER(standard_output_is_never_replaced),
		IN_A_FOLDER(folders_are_made_if_need_be),
	};

	umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
