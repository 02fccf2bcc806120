// SPDX-License-Identifier: MIT
/* The file that hpt wall --publish writes: it appears whole, is kept, is one publisher's, and other files stay. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/magic.h>

#include "unit.h"
#include "captured_err.h"
#include "own_folder.h"

#include "wall/clockbound_segment.h"
#include "wall/wall_segment.h"

#define S INT64_C(1000000000)

static int enter(void **state)
{
	times_captured = 0;
	captured[0] = '\0';
	return enter_own_folder(state);
}

static struct wall_statement statement(uint32_t version, int64_t bound_ns)
{
	return (struct wall_statement){ .version = version, .status = HPT_CLOCKBOUND_SYNCHRONIZED, .as_of_ns = 12 * S,
					.void_after_ns = 1012 * S, .bound_ns = bound_ns, .drift_ppb = 1000,
					.as_of_tick = 123456789, .period = UINT64_C(15845632502852867518),
					.period_shift = 31 };
}

static size_t contents(const char *path, unsigned char *ret, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, ret, size);

	assert_true(fd >= 0 && n >= 0);
	close(fd);
	return (size_t)n;
}

static uint16_t generation_of(const char *path)
{
	unsigned char bytes[200];
	uint16_t generation;

	contents(path, bytes, sizeof(bytes));
	memcpy(&generation, bytes + 14, sizeof(generation));
	return generation;
}

static void assert_states(const char *path, uint32_t version, int64_t bound_ns)
{
	unsigned char bytes[200];
	struct hpt_clockbound got;
	size_t n = contents(path, bytes, sizeof(bytes));

	assert_int_equal(n, version == 2 ? 80 : 104);
	assert_int_equal(hpt_clockbound_parse(bytes, n, &got), HPT_WALL_REASON_NONE);
	assert_int_equal(got.version, version);
	assert_int_equal(got.bound_ns, bound_ns);
}

/* False: refused, with one line that has these words. */
static bool opens(struct wall_segment *seg, uint32_t version, int64_t bound_ns, const char *words)
{
	struct wall_statement first = statement(version, bound_ns);
	bool is_open;

	times_captured = 0;
	captured[0] = '\0';
	is_open = wall_segment_open(seg, "shm", &first);
	if (is_open)
		return true;
	assert_int_equal(times_captured, 1);
	if (!strstr(captured, words))
		fail_msg("'%s' is not in '%s'", words, captured);
	return false;
}

static bool writes(struct wall_segment *seg, uint32_t version, int64_t bound_ns)
{
	struct wall_statement s = statement(version, bound_ns);

	return wall_segment_write(seg, &s);
}

static void a_new_file_is_whole(void **state)
{
	(void)state;
	for (uint32_t version = 2; version <= 3; version++) {
		mode_t mask = umask(0077);
		struct wall_segment seg;
		struct stat st;

		assert_true(opens(&seg, version, 1000, ""));
		umask(mask);
		assert_states("shm", version, 1000);
		assert_false(stat("shm", &st));
		assert_int_equal(st.st_mode & 07777, 0644);
		assert_int_equal(st.st_nlink, 1);
		assert_int_equal(entries("."), 1);
		wall_segment_close(&seg);
		assert_false(unlink("shm"));
	}
}

static void each_write_is_a_generation(void **state)
{
	struct wall_segment seg;

	(void)state;
	assert_true(opens(&seg, 3, 1000, ""));
	assert_int_equal(generation_of("shm"), 2);
	for (int i = 1; i <= 3; i++) {
		assert_true(writes(&seg, 3, 1000 + i));
		assert_states("shm", 3, 1000 + i);
		assert_int_equal(generation_of("shm"), 2 + 2 * i);
	}
	wall_segment_close(&seg);
}

static void set_generation(uint16_t generation)
{
	int fd = open("shm", O_RDWR);

	assert_int_equal(pwrite(fd, &generation, 2, 14), 2);
	close(fd);
}

/* After a restart: 0 is never written, and an odd one, of a writer that was killed, is ended. */
static void generations_wrap_and_go_on(void **state)
{
	static const struct { uint16_t before, after; } rows[] = { { 4, 6 }, { 5, 6 }, { 0xfffe, 2 }, { 0xffff, 2 } };
	struct wall_segment seg;

	(void)state;
	assert_true(opens(&seg, 2, 1000, ""));
	wall_segment_close(&seg);
	for (size_t i = 0; i < COUNT(rows); i++) {
		set_generation(rows[i].before);
		assert_true(opens(&seg, 2, 2000, ""));
		assert_int_equal(generation_of("shm"), rows[i].after);
		assert_states("shm", 2, 2000);
		wall_segment_close(&seg);
	}
}

static void a_file_is_kept_for_those_that_have_it_mapped(void **state)
{
	struct wall_segment seg;
	struct hpt_clockbound got;
	const unsigned char *map;
	int fd;

	(void)state;
	assert_true(opens(&seg, 3, 1000, ""));
	fd = open("shm", O_RDONLY);
	map = mmap(NULL, 104, PROT_READ, MAP_SHARED, fd, 0);
	assert_true(map != MAP_FAILED);
	close(fd);
	wall_segment_close(&seg);
	assert_true(opens(&seg, 3, 2000, ""));
	assert_true(writes(&seg, 3, 3000));
	assert_int_equal(hpt_clockbound_parse(map, 104, &got), HPT_WALL_REASON_NONE);
	assert_int_equal(got.bound_ns, 3000);
	munmap((void *)(uintptr_t)map, 104);
	wall_segment_close(&seg);
}

/* A statement that is half written is marked by the first generation, whatever ended the write. */
static void a_write_that_breaks_off_leaves_an_odd_generation(void **state)
{
	const struct rlimit header = { 16, RLIM_INFINITY }, all = { RLIM_INFINITY, RLIM_INFINITY };
	struct wall_segment seg;

	(void)state;
	assert_true(opens(&seg, 3, 1000, ""));
	signal(SIGXFSZ, SIG_IGN);
	assert_false(setrlimit(RLIMIT_FSIZE, &header));
	assert_false(writes(&seg, 3, 2000));
	assert_false(setrlimit(RLIMIT_FSIZE, &all));
	assert_non_null(strstr(captured, strerror(EFBIG)));
	assert_int_equal(generation_of("shm"), 3);
	/* Here nothing of the statement was written, and the next write ends it. */
	assert_true(writes(&seg, 3, 3000));
	assert_int_equal(generation_of("shm"), 4);
	assert_states("shm", 3, 3000);
	wall_segment_close(&seg);
}

static _Noreturn void write_on(struct wall_segment *seg)
{
	struct wall_statement s = statement(2, 1);

	for (s.marker = 2;; s.marker++) {
		s.bound_ns = (int64_t)s.marker;
		if (!wall_segment_write(seg, &s))
			_exit(1);
	}
}

/* As the library reads it: twice alike, and settled. The writer is killed anywhere, and the next one goes on. */
static void no_reader_sees_half_a_statement(void **state)
{
	unsigned char bytes[2][104];
	struct wall_segment seg;
	struct hpt_clockbound got;
	pid_t writer;

	(void)state;
	assert_true(opens(&seg, 2, 1, ""));
	writer = fork();
	if (!writer)
		write_on(&seg);
	for (int whole = 0; whole < rounds(20000);) {
		contents("shm", bytes[0], 80);
		contents("shm", bytes[1], 80);
		if (memcmp(bytes[0], bytes[1], 80) || !hpt_clockbound_is_settled(bytes[0], 80))
			continue;
		assert_int_equal(hpt_clockbound_parse(bytes[0], 80, &got), HPT_WALL_REASON_NONE);
		assert_true(got.bound_ns == 1 || got.marker == (uint64_t)got.bound_ns);
		whole++;
	}
	kill(writer, SIGKILL);
	assert_int_equal(waitpid(writer, NULL, 0), writer);
	wall_segment_close(&seg);
	assert_true(opens(&seg, 2, 7, ""));
	assert_states("shm", 2, 7);
	wall_segment_close(&seg);
}

static void one_publisher_a_file(void **state)
{
	struct wall_segment seg, second;

	(void)state;
	assert_true(opens(&seg, 3, 1000, ""));
	assert_false(opens(&second, 3, 2000, "cannot publish to shm: another process publishes there"));
	assert_states("shm", 3, 1000);
	assert_true(writes(&seg, 3, 3000));
	wall_segment_close(&seg);
	assert_true(opens(&second, 3, 4000, ""));
	wall_segment_close(&second);
}

#define RACERS 4

struct race {
	_Atomic int has_begun, tried;
};

/* Keeps the file until all have tried. 0: opened; 1: refused, as another one has it. */
static _Noreturn void take_part(struct race *race)
{
	struct wall_statement first = statement(3, 1000);
	struct wall_segment seg;
	bool is_open;

	while (!race->has_begun)
		sched_yield();
	times_captured = 0;
	is_open = wall_segment_open(&seg, "shm", &first);
	race->tried++;
	while (race->tried < RACERS)
		sched_yield();
	_exit(is_open ? 0 : strstr(captured, "another process publishes there") ? 1 : 2);
}

/* Who may only read could stop the publisher by another lock. */
static void a_lock_of_a_reader_does_not_matter(void **state)
{
	struct wall_segment seg;
	int fd;

	(void)state;
	assert_true(opens(&seg, 3, 1000, ""));
	wall_segment_close(&seg);
	fd = open("shm", O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_true(opens(&seg, 3, 2000, ""));
	wall_segment_close(&seg);
	close(fd);
}

/* Another user may have made it, in a folder that is open to all, to write there what clients would believe. */
static void a_file_that_others_can_write_to_is_refused(void **state)
{
	static const mode_t modes[] = { 0646, 0664 };
	struct wall_segment seg;

	(void)state;
	assert_true(opens(&seg, 3, 1000, ""));
	wall_segment_close(&seg);
	for (size_t i = 0; i < COUNT(modes); i++) {
		assert_int_equal(chmod("shm", modes[i]), 0);
		assert_false(opens(&seg, 3, 2000, "other users may write to it"));
	}
	assert_int_equal(chmod("shm", 0644), 0);
	if (!geteuid()) {
		assert_int_equal(chown("shm", 65534, 65534), 0);
		assert_false(opens(&seg, 3, 2000, "it belongs to another user"));
	}
	assert_states("shm", 3, 1000);
}

static void of_those_that_make_it_at_once_one_wins(void **state)
{
	struct race *race = mmap(NULL, sizeof(*race), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(race != MAP_FAILED);
	for (int i = 0; i < rounds(100); i++) {
		int status, opened = 0;

		race->has_begun = race->tried = 0;
		for (int n = 0; n < RACERS; n++)
			if (!fork())
				take_part(race);
		race->has_begun = 1;
		for (int n = 0; n < RACERS; n++) {
			assert_true(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= 1);
			opened += !WEXITSTATUS(status);
		}
		assert_int_equal(opened, 1);
		assert_int_equal(entries("."), 1);
		assert_false(unlink("shm"));
	}
	munmap(race, sizeof(*race));
}

/* Is called by wall_segment.c in place of libc's. */
static const struct wall_statement *made_meanwhile;

int link(const char *from, const char *to)
{
	struct wall_segment other;

	if (made_meanwhile) {
		const struct wall_statement *s = made_meanwhile;

		made_meanwhile = NULL;
		assert_true(wall_segment_open(&other, to, s));
		wall_segment_close(&other);
	}
	return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static void a_file_that_another_one_makes_meanwhile_is_kept(void **state)
{
	struct wall_statement others = statement(3, 1000), two = statement(2, 1000);
	struct wall_segment seg;

	(void)state;
	made_meanwhile = &others;
	assert_true(opens(&seg, 3, 2000, ""));
	assert_null(made_meanwhile);
	/* Its second statement. */
	assert_int_equal(generation_of("shm"), 4);
	assert_states("shm", 3, 2000);
	wall_segment_close(&seg);
	assert_false(unlink("shm"));
	made_meanwhile = &two;
	assert_false(wall_segment_open(&seg, "shm", &others));
	assert_non_null(strstr(captured, "another version of ClockBound's layout"));
	assert_states("shm", 2, 1000);
	assert_int_equal(entries("."), 1);
}

static void make(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
}

static void refuses_and_keeps(const void *bytes, size_t n, uint32_t version, const char *words)
{
	unsigned char after[300];
	struct wall_segment seg;
	struct stat st;

	make("shm", bytes, n);
	assert_false(opens(&seg, version, 1000, words));
	assert_int_equal(contents("shm", after, sizeof(after)), n);
	assert_memory_equal(after, bytes, n);
	assert_false(stat("shm", &st));
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(entries("."), 1);
}

static void other_files_stay_as_they_are(void **state)
{
	unsigned char bytes[200] = { 0 };
	struct wall_statement s = statement(3, 1000);
	size_t n = wall_statement_bytes(&s, 4, bytes);

	(void)state;
	refuses_and_keeps("", 0, 3, "of another program, and stays as it is");
	refuses_and_keeps("a letter of 16 bytes and more", 29, 3, "of another program, and stays as it is");
	refuses_and_keeps(bytes, 15, 3, "of another program");
	refuses_and_keeps(bytes, n - 1, 3, "another version");
	refuses_and_keeps(bytes, n + 1, 3, "another version");
	refuses_and_keeps(bytes, n, 2, "has another version of ClockBound's layout; remove it, or name another file");
	bytes[4]++;
	refuses_and_keeps(bytes, n, 3, "of another program");
	bytes[4]--;
	bytes[8]++;
	refuses_and_keeps(bytes, n, 3, "another version");
}

static void things_that_are_no_files(void **state)
{
	struct wall_segment seg;

	(void)state;
	assert_false(mkdir("shm", 0700));
	assert_false(opens(&seg, 3, 1000, strerror(EISDIR)));
	assert_false(rmdir("shm"));
	assert_false(mkfifo("shm", 0600));
	assert_false(opens(&seg, 3, 1000, "it is no regular file"));
	assert_false(unlink("shm"));
	assert_false(symlink("elsewhere", "shm"));
	assert_false(opens(&seg, 3, 1000, "it is a symbolic link"));
	assert_int_equal(entries("."), 1);
}

static void paths_that_cannot_be_made(void **state)
{
	struct wall_statement first = statement(3, 1000);
	struct wall_segment seg;

	(void)state;
	assert_false(wall_segment_open(&seg, "no/such/folder", &first));
	assert_non_null(strstr(captured, strerror(ENOENT)));
	assert_false(wall_segment_open(&seg, "/proc/shm", &first));
	assert_int_equal(times_captured, 2);
	assert_int_equal(entries("."), 0);
}

/* It ends, rather than write where nobody reads, or over another one's statements. */
static void a_file_that_is_no_longer_ours(void **state)
{
	struct wall_segment seg;
	unsigned char bytes[104];
	int fd;

	(void)state;
	assert_true(opens(&seg, 3, 1000, ""));
	assert_false(unlink("shm"));
	assert_false(writes(&seg, 3, 2000));
	assert_non_null(strstr(captured, "somebody removed or replaced it"));
	wall_segment_close(&seg);

	assert_true(opens(&seg, 3, 1000, ""));
	set_generation(6);
	assert_false(writes(&seg, 3, 2000));
	assert_non_null(strstr(captured, "another program writes there"));
	assert_int_equal(generation_of("shm"), 6);
	wall_segment_close(&seg);

	/* Of the statement alone. */
	assert_true(opens(&seg, 3, 1000, ""));
	fd = open("shm", O_WRONLY);
	assert_int_equal(pwrite(fd, "liar", 4, 24), 4);
	close(fd);
	assert_false(writes(&seg, 3, 2000));
	assert_non_null(strstr(captured, "another program writes there"));
	wall_segment_close(&seg);

	assert_true(opens(&seg, 3, 1000, ""));
	assert_false(truncate("shm", 0));
	assert_false(writes(&seg, 3, 2000));
	assert_non_null(strstr(captured, "another program writes there"));
	assert_int_equal(contents("shm", bytes, sizeof(bytes)), 0);
	wall_segment_close(&seg);
	assert_false(unlink("shm"));

	assert_true(opens(&seg, 3, 1000, ""));
	assert_false(truncate("shm", 105));
	assert_false(writes(&seg, 3, 2000));
	wall_segment_close(&seg);
	assert_false(unlink("shm"));

	assert_true(opens(&seg, 3, 1000, ""));
	assert_false(truncate("shm", 50));
	assert_false(writes(&seg, 3, 2000));
	assert_int_equal(contents("shm", bytes, sizeof(bytes)), 50);
	wall_segment_close(&seg);
}

static void a_file_on_a_disk_is_mentioned(void **state)
{
	struct wall_statement first = statement(3, 1000);
	static const char *const folders[] = { "/tmp", "/dev/shm" };
	struct wall_segment seg;
	char path[80];

	(void)state;
	for (size_t i = 0; i < COUNT(folders); i++) {
		struct statfs fs;

		snprintf(path, sizeof(path), "%s/hpt-segment-%d", folders[i], (int)getpid());
		times_captured = 0;
		if (statfs(folders[i], &fs) || !wall_segment_open(&seg, path, &first))
			continue;
		wall_segment_close(&seg);
		assert_false(unlink(path));
		assert_int_equal(times_captured, (uint32_t)fs.f_type != TMPFS_MAGIC &&
						 (uint32_t)fs.f_type != RAMFS_MAGIC);
		if (times_captured)
			assert_non_null(strstr(captured, "is on a disk"));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_file_is_whole, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(each_write_is_a_generation, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(generations_wrap_and_go_on, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(a_file_is_kept_for_those_that_have_it_mapped, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(a_write_that_breaks_off_leaves_an_odd_generation, enter,
						leave_own_folder),
		cmocka_unit_test_setup_teardown(no_reader_sees_half_a_statement, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(one_publisher_a_file, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(a_lock_of_a_reader_does_not_matter, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(a_file_that_others_can_write_to_is_refused, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(of_those_that_make_it_at_once_one_wins, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(a_file_that_another_one_makes_meanwhile_is_kept, enter,
						leave_own_folder),
		cmocka_unit_test_setup_teardown(other_files_stay_as_they_are, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(things_that_are_no_files, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(paths_that_cannot_be_made, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(a_file_that_is_no_longer_ours, enter, leave_own_folder),
		cmocka_unit_test_setup_teardown(a_file_on_a_disk_is_mentioned, enter, leave_own_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
