// SPDX-License-Identifier: MIT
/* Daemons' shared memory read as a file: files that are none, torn, truncated or replaced while they are read. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "unit.h"

#include "fake_env.h"
#include "temp_folder.h"
#include "wall/shared_memory.h"

#define WORDS 13
#define SIZE  (WORDS * sizeof(uint64_t))

static struct hpt_clock clk;
static struct hpt_wall_ask ask;

static bool is_even(const unsigned char *bytes, size_t n)
{
	return n < 8 || !(hpt_shared_u64(bytes) & 1);
}

static bool is_never(const unsigned char *bytes, size_t n)
{
	(void)bytes, (void)n;
	return false;
}

/* The C library's, with something that happens after it. */
static void (*after_pread)(void);

ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
	ssize_t r = lseek(fd, at, SEEK_SET) < 0 ? -1 : read(fd, buf, n);

	if (after_pread)
		after_pread();
	return r;
}

static int setup(void **state)
{
	after_pread = NULL;
	(void)state;
	temp_make();
	clk.src.env = &fake_env;
	ask = (struct hpt_wall_ask){ .clk = &clk };
	return 0;
}

static void refuse(const char *path, uint32_t reason, int error)
{
	unsigned char bytes[SIZE];
	size_t n = 77;

	ask.error = 0;
	assert_int_equal(hpt_shared_memory_read(&ask, path, SIZE, is_even, bytes, &n), reason);
	assert_int_equal(ask.error, error);
	assert_int_equal(n, 77);
}

/* Reads "data": the number of bytes. */
static size_t read_data(size_t size, unsigned char *ret)
{
	size_t n;

	assert_int_equal(hpt_shared_memory_read(&ask, temp_path("data"), size, is_even, ret, &n), 0);
	return n;
}

static void file_that_cannot_be_opened_says_why(void **state)
{
	(void)state;
	refuse(temp_path("data"), HPT_WALL_REASON_ABSENT, ENOENT);
	temp_write("data", "", 0);
	refuse(temp_path("data/data"), HPT_WALL_REASON_ABSENT, ENOTDIR);
	assert_int_equal(symlink("loop", temp_path("loop")), 0);
	refuse(temp_path("loop"), HPT_WALL_REASON_FAILED, ELOOP);
	if (!geteuid())
		leave_out("root may read everything");
	assert_int_equal(chmod(temp_path("data"), 0), 0);
	refuse(temp_path("data"), HPT_WALL_REASON_DENIED, EACCES);
}

/* A FIFO without a writer would block for ever. */
static void only_regular_files_are_read(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(temp_path("fifo"), 0600), 0);
	refuse(temp_path("fifo"), HPT_WALL_REASON_FORMAT, 0);
	fake_env_place("/dev/zero", "/dev/zero");
	refuse("/dev/zero", HPT_WALL_REASON_FORMAT, 0);
	refuse(temp_folder, HPT_WALL_REASON_FORMAT, 0);
}

static void file_of_any_length_is_read(void **state)
{
	uint64_t words[WORDS] = { 2, 3, 4 };
	unsigned char bytes[SIZE];

	(void)state;
	temp_write("data", words, SIZE);
	assert_int_equal(read_data(SIZE, bytes), SIZE);
	assert_memory_equal(bytes, words, SIZE);
	assert_int_equal(read_data(16, bytes), 16);
	temp_write("data", words, 5);
	assert_int_equal(read_data(SIZE, bytes), 5);
	temp_write("data", words, 0);
	assert_int_equal(read_data(SIZE, bytes), 0);
}

static void file_that_is_never_settled_is_torn(void **state)
{
	uint64_t words[WORDS] = { 1 };
	unsigned char bytes[SIZE];
	size_t n;

	(void)state;
	temp_write("data", words, SIZE);
	refuse(temp_path("data"), HPT_WALL_REASON_TORN, 0);
	words[0] = 2;
	temp_write("data", words, SIZE);
	assert_int_equal(hpt_shared_memory_read(&ask, temp_path("data"), SIZE, is_never, bytes, &n),
			 HPT_WALL_REASON_TORN);
}

static unsigned int changes;

/* As often as is left, an update whose sequence has wrapped to what it was. */
static void change_data(void)
{
	uint64_t words[WORDS] = { 2, changes };

	if (!changes)
		return;
	changes--;
	temp_write("data", words, SIZE);
}

static void wrapped_sequence_is_seen_by_the_data(void **state)
{
	uint64_t words[WORDS] = { 2, 77 };
	unsigned char bytes[SIZE];

	(void)state;
	temp_write("data", words, SIZE);
	after_pread = change_data;
	changes = 3;
	assert_int_equal(read_data(SIZE, bytes), SIZE);
	assert_int_equal(hpt_shared_u64(bytes + 8), 1);
	changes = 1000;
	refuse(temp_path("data"), HPT_WALL_REASON_TORN, 0);
}

static void cut_file(void)
{
	if (changes && !--changes)
		assert_int_equal(truncate(temp_path("data"), 24), 0);
}

static void file_truncated_between_two_readings_is_read_again(void **state)
{
	uint64_t words[WORDS] = { 2, 77, 5 };
	unsigned char bytes[SIZE];

	(void)state;
	temp_write("data", words, SIZE);
	after_pread = cut_file;
	changes = 1;
	assert_int_equal(read_data(SIZE, bytes), 24);
	assert_memory_equal(bytes, words, 24);
}

/* ---- While others write ---------------------------------------------------------------------------------------- */

static atomic_bool is_over;

static volatile uint64_t *map_data(void)
{
	int fd = open(temp_path("data"), O_RDWR);
	void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	assert_true(p != MAP_FAILED);
	close(fd);
	return p;
}

/* As ClockBound's writer: odd, the data, even. All words of an update are equal. */
static void *write_words(void *p)
{
	volatile uint64_t *words = p;

	for (uint64_t n = 2; !atomic_load(&is_over); n += 2) {
		words[0] = n - 1;
		atomic_thread_fence(memory_order_seq_cst);
		for (int i = 1; i < WORDS; i++)
			words[i] = n;
		atomic_thread_fence(memory_order_seq_cst);
		words[0] = n;
		if (n % 64 == 0)
			usleep(1);
	}
	return NULL;
}

static void readings_are_of_one_update(void **state)
{
	static const uint64_t first[WORDS];
	unsigned int settled = 0, torn = 0;
	unsigned char bytes[SIZE];
	volatile uint64_t *words;
	pthread_t thread;

	(void)state;
	temp_write("data", first, SIZE);
	words = map_data();
	atomic_store(&is_over, false);
	assert_int_equal(pthread_create(&thread, NULL, write_words, (void *)words), 0);
	for (int i = 0; i < rounds(30000); i++) {
		size_t n = 0;
		uint32_t reason = hpt_shared_memory_read(&ask, temp_path("data"), SIZE, is_even, bytes, &n);

		if (reason == HPT_WALL_REASON_TORN) {
			torn++;
			continue;
		}
		assert_int_equal(reason, HPT_WALL_REASON_NONE);
		assert_int_equal(n, SIZE);
		settled++;
		for (int k = 2; k < WORDS; k++)
			if (hpt_shared_u64(bytes + 8 * k) != hpt_shared_u64(bytes + 8))
				fail_msg("words 1 and %d differ after %d readings", k, i);
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	munmap((void *)words, SIZE);
	note("settled: %u, torn: %u", settled, torn);
}

static void *truncate_often(void *p)
{
	static const uint64_t words[WORDS] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 };
	int fd = open(temp_path("data"), O_RDWR);

	(void)p;
	do {
		if (ftruncate(fd, 0) || pwrite(fd, words, SIZE, 0) != SIZE)
			break;
	} while (!atomic_load(&is_over));
	close(fd);
	return NULL;
}

/* ClockBound truncates its file when it finds it unusable: wipe() in src/writer.rs. */
static void truncated_file_is_short_or_whole(void **state)
{
	unsigned int whole = 0, shorter = 0;
	unsigned char bytes[SIZE];
	pthread_t thread;

	(void)state;
	temp_write("data", "", 0);
	atomic_store(&is_over, false);
	assert_int_equal(pthread_create(&thread, NULL, truncate_often, NULL), 0);
	for (int i = 0; i < rounds(20000); i++) {
		size_t n = 0;
		uint32_t reason = hpt_shared_memory_read(&ask, temp_path("data"), SIZE, is_even, bytes, &n);

		if (reason == HPT_WALL_REASON_TORN)
			continue;
		assert_int_equal(reason, HPT_WALL_REASON_NONE);
		assert_in_range(n, 0, SIZE);
		whole += n == SIZE;
		shorter += n < SIZE;
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	note("whole: %u, shorter: %u", whole, shorter);
	assert_int_equal(read_data(SIZE, bytes), SIZE); /* as the thread has left it */
}

static void replaced_file_is_the_new_one(void **state)
{
	uint64_t words[WORDS] = { 2, 7 };
	unsigned char bytes[SIZE];

	(void)state;
	temp_write("data", words, SIZE);
	assert_int_equal(read_data(SIZE, bytes), SIZE);
	assert_int_equal(hpt_shared_u64(bytes + 8), 7);
	words[1] = 8;
	temp_write("next", words, SIZE);
	assert_int_equal(rename(temp_path("next"), temp_path("data")), 0);
	assert_int_equal(read_data(SIZE, bytes), SIZE);
	assert_int_equal(hpt_shared_u64(bytes + 8), 8);
}

static void no_file_stays_open(void **state)
{
	unsigned char bytes[SIZE];
	size_t n;
	int fd = dup(0);

	(void)state;
	close(fd);
	temp_write("data", "", 0);
	assert_int_equal(read_data(SIZE, bytes), 0);
	assert_int_equal(hpt_shared_memory_read(&ask, temp_path("data"), SIZE, is_never, bytes, &n),
			 HPT_WALL_REASON_TORN);
	refuse(temp_folder, HPT_WALL_REASON_FORMAT, 0);
	assert_int_equal(dup(0), fd);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(file_that_cannot_be_opened_says_why, setup),
		cmocka_unit_test_setup(only_regular_files_are_read, setup),
		cmocka_unit_test_setup(file_of_any_length_is_read, setup),
		cmocka_unit_test_setup(file_that_is_never_settled_is_torn, setup),
		cmocka_unit_test_setup(wrapped_sequence_is_seen_by_the_data, setup),
		cmocka_unit_test_setup(file_truncated_between_two_readings_is_read_again, setup),
		cmocka_unit_test_setup(readings_are_of_one_update, setup),
		cmocka_unit_test_setup(truncated_file_is_short_or_whole, setup),
		cmocka_unit_test_setup(replaced_file_is_the_new_one, setup),
		cmocka_unit_test_setup(no_file_stays_open, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
