// SPDX-License-Identifier: MIT
/* The events of several files in the order of UTC: by walls that put the files onto one line. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "captured_err.h"
#include "fake_encoder.h"
#include "own_folder.h"
#include "timebase_world.h"

#include "trace/merge.h"
#include "trace/event_batch.h"
#include "trace/walls.h"

#define UNIX_NS INT64_C(1795171679000000000)

static char names[][2] = { "a", "b", "c" };
static char *paths[] = { names[0], names[1], names[2] };

static int enter(void **state)
{
	memset(&fake, 0, sizeof(fake));
	fake.is_silent = true;
	times_captured = 0;
	return enter_own_folder(state);
}

/* A file whose wall states UTC at tick 0; returns it, to add events to. */
static FILE *open_trace(const char *path, int64_t utc_ns)
{
	struct hpt_timebase_fields fields = timebase_of(1, 0, 0, UNIX_NS + 777);
	char bases[16];
	FILE *f = fopen(path, "w");

	snprintf(bases, sizeof(bases), "%s.timebase", path);
	write_timebases(bases, &fields, 1);
	assert_non_null(f);
	fprintf(f, "0 =%lld %lld\n", (long long)(UNIX_NS + utc_ns - 5), (long long)(UNIX_NS + utc_ns + 5));
	return f;
}

static int merge(size_t n)
{
	const struct merge job = { .what = "merge", .to = &fake_folder, .folder = "out", .paths = paths, .n = n,
				   .rate_ppb = WALLS_RATE_PPB };

	return merge_run(&job);
}

static void assert_in_order(void)
{
	for (size_t i = 1; i < fake.n; i++)
		assert_true(fake.events[i].ns >= fake.events[i - 1].ns);
}

/* Each of a's events is 10 ns before one of b's, though its tick is later. */
static void files_become_one_line(void **state)
{
	static const char *const wanted[] = { "a0", "b0", "a1", "b1", "a2", "b2" };

	(void)state;
	for (int k = 0; k < 2; k++) {
		FILE *f = open_trace(paths[k], k ? 1000 : 0);

		for (int i = 0; i < 3; i++)
			fprintf(f, "%d %s%d\n", i * 100 + (k ? 0 : 990), paths[k], i);
		fclose(f);
	}
	assert_int_equal(merge(2), EXIT_SUCCESS);
	assert_int_equal(times_captured, 0);
	assert_int_equal(fake.n, COUNT(wanted));
	for (size_t i = 0; i < fake.n; i++) {
		assert_string_equal(fake.names[i], wanted[i]);
		assert_int_equal(fake.events[i].process, i % 2);
		/* The bound is carried along: the statement's, and the errors of two ticks. */
		assert_true(fake.events[i].error_ns >= 5 && fake.events[i].error_ns < 100);
	}
	assert_true(llabs(fake.events[0].ns - (UNIX_NS + 990)) <= 2);
	assert_int_equal(fake.about[0].n_processes, 2);
}

static void of_equal_times_the_first_files_comes_first(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		FILE *f = open_trace(paths[k], 50);

		fprintf(f, "10 %s\n20 %s\n", paths[k], paths[k]);
		fclose(f);
	}
	assert_int_equal(merge(3), EXIT_SUCCESS);
	assert_int_equal(fake.n, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(fake.names[i], paths[i % 3]);
}

/* Files of which one has many batches, one few events, one none: each event once, with its own name. */
static void batches_of_any_number(void **state)
{
	static const size_t sizes[] = { 3 * BATCH_EVENTS + 7, 5, 0 };
	size_t seen[3] = { 0 };

	(void)state;
	for (int k = 0; k < 3; k++) {
		FILE *f = open_trace(paths[k], k * 10);

		for (size_t i = 0; i < sizes[k]; i++)
			fprintf(f, "%zu %s%zu\n", i * (k ? 1000 : 3), paths[k], i);
		fclose(f);
	}
	assert_int_equal(merge(3), EXIT_SUCCESS);
	assert_int_equal(fake.n, sizes[0] + sizes[1]);
	assert_in_order();
	for (size_t i = 0; i < fake.n; i++) {
		uint32_t process = fake.events[i].process;
		char wanted[24];

		snprintf(wanted, sizeof(wanted), "%s%zu", paths[process], seen[process]++);
		assert_string_equal(fake.names[i], wanted);
	}
	/* Not event by event. */
	assert_true(fake.puts < fake.n / 4);
}

static void a_file_that_cannot_be_opened_is_left_out(void **state)
{
	FILE *f = open_trace("c", 0);

	(void)state;
	fprintf(f, "5 x\n");
	fclose(f);
	assert_int_equal(merge(3), EXIT_FAILURE);
	assert_int_equal(times_captured, 2);
	assert_string_equal(captured, "merge: b: No such file or directory");
	assert_int_equal(fake.n, 1);
	assert_int_equal(fake.events[0].process, 0); /* the first of those there are */
	assert_int_equal(fake.about[0].n_processes, 1);
	assert_string_equal(fake.names[0], "x");
}

static void no_file_is_no_trace(void **state)
{
	(void)state;
	assert_int_equal(merge(2), EXIT_FAILURE);
	assert_int_equal(fake.begun, 0);
	assert_int_equal(access("out", F_OK), -1);
}

static void what_is_left_out_is_said_and_fails(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		FILE *f = open_trace(paths[k], 0);

		fprintf(f, "5 x\n%s", k ? "6 y\n" : "z\n");
		fclose(f);
	}
	assert_int_equal(merge(2), EXIT_FAILURE);
	assert_int_equal(times_captured, 1);
	assert_string_equal(captured, "merge: a: line 3 is no event of this form, and is left out; 1 in all");
	assert_int_equal(fake.n, 3);
}

static void an_output_that_fails(void **state)
{
	FILE *f = open_trace("a", 0);

	(void)state;
	for (int i = 0; i < 5000; i++)
		fprintf(f, "%d x\n", i);
	fclose(f);
	fake.begin_error = ENOSPC;
	assert_int_equal(merge(1), EXIT_FAILURE);
	assert_string_equal(captured, "merge: out: No space left on device");
	assert_int_equal(fake.n, 0);
	fake.begin_error = 0;
	fake.end_error = ENOSPC;
	assert_int_equal(merge(1), EXIT_FAILURE);
	assert_int_equal(times_captured, 2);
	assert_int_equal(fake.n, 5000);
	/* Where all is lost the rest is not read. */
	fake.n = 0;
	fake.lost_at = 100;
	assert_int_equal(merge(1), EXIT_FAILURE);
	assert_true(fake.n < 2000);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave_own_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(files_become_one_line),
		test(of_equal_times_the_first_files_comes_first),
		test(batches_of_any_number),
		test(a_file_that_cannot_be_opened_is_left_out),
		test(no_file_is_no_trace),
		test(what_is_left_out_is_said_and_fails),
		test(an_output_that_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
