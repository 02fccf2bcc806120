// SPDX-License-Identifier: MIT
/* Where merged events go: all into one trace, or for Perfetto each file's into one of its own. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captured_err.h"
#include "fake_encoder.h"
#include "own_folder.h"
#include "trace_world.h"

#include "trace/merge_output.h"

static char names[3][16] = { "a", "a", "b\"c" };
static struct hpt_timebase_fields fields[3] = {
	{ .boot_id = { 1 } }, { .boot_id = { 2 } }, { .boot_id = { 1 } },
};
static const struct merge_input inputs[3] = {
	{ .name = names[0], .bases = { .fields = &fields[0], .n = 1 } },
	{ .name = names[1], .bases = { .fields = &fields[1], .n = 1 } },
	{ .name = names[2], .bases = { .fields = &fields[2], .n = 1 } },
};
static struct merge_output out;

static int enter(void **state)
{
	memset(&fake, 0, sizeof(fake));
	fake.is_silent = true;
	times_captured = 0;
	return enter_own_folder(state);
}

static bool begin(const struct encoder *to)
{
	out = (struct merge_output){ .to = to, .what = "merge", .folder = "out", .inputs = inputs, .n_inputs = 3 };
	return merge_output_begin(&out);
}

/* Three events of each file, in turns. */
static void put_nine(void)
{
	static const char *const texts[] = { "of-first", "of-second", "of-third" };
	struct event events[9];

	for (size_t i = 0; i < 9; i++) {
		events[i] = event_of(EVENT_INSTANT, (int64_t)i, texts[i % 3]);
		events[i].process = i % 3;
	}
	merge_output_put(&out, events, 9);
}

static void one_trace_of_all(void **state)
{
	(void)state;
	assert_true(begin(&fake_folder));
	put_nine();
	assert_false(merge_output_is_lost(&out));
	assert_true(merge_output_end(&out));
	assert_int_equal(fake.begun, 1);
	assert_int_equal(fake.ended, 1);
	assert_int_equal(fake.n, 9);
	for (size_t i = 0; i < 9; i++) {
		assert_int_equal(fake.events[i].ns, i);
		assert_int_equal(fake.events[i].process, i % 3);
	}
	/* The line is UTC's, and the ticks of each event are kept. */
	assert_int_equal(fake.about[0].clock, EVENT_REALTIME);
	assert_true(fake.about[0].has_unix && fake.about[0].has_stamp);
	assert_int_equal(fake.about[0].n_processes, 3);
	assert_int_equal(entries("out"), 0);
}

static unsigned count(const char *bytes, size_t n, const char *words)
{
	unsigned found = 0;
	size_t length = strlen(words);

	for (size_t i = 0; i + length <= n; i++)
		found += !memcmp(bytes + i, words, length);
	return found;
}

static unsigned count_in(const char *path, const char *words)
{
	int fd = open(path, O_RDONLY);
	struct written w;
	unsigned found;

	assert_true(fd >= 0);
	w = read_back(fd);
	close(fd);
	found = count(w.bytes, w.n, words);
	free(w.bytes);
	return found;
}

static void perfetto_has_a_trace_for_each_file(void **state)
{
	static const char *const files[] = { "out/1-a.pftrace", "out/2-a.pftrace", "out/3-b\"c.pftrace" };
	static const char *const texts[] = { "of-first", "of-second", "of-third" };
	unsigned before = entries("/proc/self/fd");

	(void)state;
	assert_true(begin(&encoder_perfetto));
	put_nine();
	assert_true(merge_output_end(&out));
	assert_int_equal(entries("/proc/self/fd"), before);
	assert_int_equal(times_captured, 0);
	assert_int_equal(entries("out"), 4);
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(count_in(files[i], texts[k]), i == k ? 3 : 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(count_in("out/perfetto_manifest.json", files[i] + strlen("out/")), 1);
	assert_int_equal(count_in("out/perfetto_manifest.json", "3-b\\u0022c.pftrace"), 1);
	/* The first and the third are of one boot, and so of one machine. */
	assert_int_equal(count_in("out/perfetto_manifest.json", "boot-01000000"), 2);
	assert_int_equal(count_in("out/perfetto_manifest.json", "boot-02000000"), 1);
}

static void what_is_there_already(void **state)
{
	static const char *const taken[] = { "out/perfetto_manifest.json", "out/2-a.pftrace", "out" };

	(void)state;
	for (size_t i = 0; i < COUNT(taken); i++) {
		unsigned before = entries("/proc/self/fd");
		char wanted[80];

		snprintf(wanted, sizeof(wanted), "merge: %s: File exists", taken[i]);
		if (i < 2)
			assert_int_equal(mkdir("out", 0777), 0);
		close(open(taken[i], O_WRONLY | O_CREAT, 0666));
		times_captured = 0;
		assert_false(begin(&encoder_perfetto));
		assert_int_equal(times_captured, 1);
		if (i < 2) {
			assert_string_equal(captured, wanted);
			assert_int_equal(entries("out"), 1); /* what was begun is gone */
			assert_int_equal(access(taken[i], F_OK), 0);
		}
		assert_int_equal(entries("/proc/self/fd"), before);
		assert_int_equal(system("rm -r out"), 0);
	}
}

static void a_format_that_does_not_begin(void **state)
{
	(void)state;
	fake.begin_error = ENOMEM;
	assert_false(begin(&fake_folder));
	assert_int_equal(times_captured, 1);
}

/* One of three is enough: the merge can end. */
static void a_full_disk(void **state)
{
	(void)state;
	assert_true(begin(&encoder_perfetto));
	assert_false(merge_output_is_lost(&out));
	out.outputs[1].sink.error = ENOSPC;
	assert_true(merge_output_is_lost(&out));
	put_nine();
	assert_false(merge_output_end(&out));
	assert_int_equal(times_captured, 1);
	assert_string_equal(captured, "merge: out: No space left on device");
	/* The others are whole. */
	assert_int_equal(count_in("out/1-a.pftrace", "of-first"), 3);
	assert_int_equal(count_in("out/3-b\"c.pftrace", "of-third"), 3);
}

static void a_manifest_that_does_not_fit(void **state)
{
	struct rlimit before = limit_files(10);
	bool is_good = begin(&encoder_perfetto);

	(void)state;
	setrlimit(RLIMIT_FSIZE, &before);
	assert_false(is_good);
	assert_int_equal(times_captured, 1);
	assert_string_equal(captured, "merge: out/perfetto_manifest.json: File too large");
	assert_int_equal(access("out", F_OK), -1);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave_own_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(one_trace_of_all),
		test(perfetto_has_a_trace_for_each_file),
		test(what_is_there_already),
		test(a_format_that_does_not_begin),
		test(a_full_disk),
		test(a_manifest_that_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
