// SPDX-License-Identifier: MIT
/* A file of a merge: its name, its time bases, and what its wall stated before and after an event. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captured_err.h"
#include "own_folder.h"
#include "timebase_world.h"

#include "trace/merge_input.h"

#define UNIX_NS INT64_C(1795171679000000000)
#define MS      INT64_C(1000000)

static struct merge_input in;

static int enter(void **state)
{
	times_captured = 0;
	return enter_own_folder(state);
}

static void write_bases(uint32_t source)
{
	struct hpt_timebase_fields fields[] = { timebase_of(1, 0, 0, UNIX_NS), timebase_of(1, 0, MS, UNIX_NS + MS) };

	fields[0].source = fields[1].source = source;
	write_timebases("trace.timebase", fields, COUNT(fields));
}

static bool open_path(const char *path)
{
	return merge_input_open(&in, "merge", path, 3, WALLS_RATE_PPB);
}

static void open_trace(const char *text)
{
	write_text("trace", text);
	assert_true(open_path("trace"));
	assert_int_equal(times_captured, 0);
}

static void its_events(void **state)
{
	(void)state;
	write_bases(HPT_SOURCE_TSC);
	open_trace("5 a\n6 =1 2\n7 @2 b\n");
	assert_string_equal(in.bases_path, "trace.timebase");
	assert_true(merge_input_fill(&in));
	assert_int_equal(merge_input_next(&in)->stamp, 5);
	assert_int_equal(merge_input_next(&in)->process, 3);
	in.at++;
	assert_int_equal(merge_input_next(&in)->stamp, 7);
	in.at++;
	assert_null(merge_input_next(&in));
	assert_false(merge_input_fill(&in));
	assert_null(merge_input_next(&in));
	merge_input_close(&in);
}

static void its_name_is_the_last_part_as_utf8(void **state)
{
	static const struct { const char *path, *name; } rows[] = {
		{ "plain", "plain" }, { "d/a.b", "a.b" }, { "./d//x\xff", "x\xc3\xbf" }, { "d/d/../q\"", "q\"" },
	};

	(void)state;
	assert_int_equal(mkdir("d", 0777), 0);
	assert_int_equal(mkdir("d/d", 0777), 0);
	write_bases(HPT_SOURCE_TSC);
	for (size_t i = 0; i < COUNT(rows); i++) {
		char bases[64];

		snprintf(bases, sizeof(bases), "%s.timebase", rows[i].path);
		write_text(rows[i].path, "");
		assert_int_equal(link("trace.timebase", bases), 0);
		assert_true(open_path(rows[i].path));
		assert_string_equal(in.name, rows[i].name);
		assert_string_equal(in.path, rows[i].path);
		merge_input_close(&in);
	}
}

/* What the wall states at 1 ms bounds the event at 0 too: the file is read twice. */
static void statements_that_come_later_count(void **state)
{
	const struct event *e;
	char text[128];

	(void)state;
	write_bases(HPT_SOURCE_TSC);
	snprintf(text, sizeof(text), "0 a\n%lld =%lld %lld\n", (long long)MS, (long long)(UNIX_NS + 2 * MS - 10),
		 (long long)(UNIX_NS + 2 * MS + 10));
	open_trace(text);
	assert_int_equal(in.walls.n, 1);
	assert_int_equal(in.walls.points[0].line, 2);
	assert_int_equal(in.walls.rate_ppb, WALLS_RATE_PPB);
	assert_true(merge_input_fill(&in));
	e = merge_input_next(&in);
	assert_true(llabs(e->ns - (UNIX_NS + MS)) <= 2);
	/* 10 ns of the statement, 50 ppm of 1 ms, and the errors of both ticks. */
	assert_true(e->error_ns >= 10 + 50 && e->error_ns <= 10 + 50 + 60 + 5);
	merge_input_close(&in);
}

static void the_wall_has_generations_of_its_own(void **state)
{
	(void)state;
	write_bases(HPT_SOURCE_TSC);
	open_trace("0 =100 200 4\n10 =5000 5010 5\n20 =5005 5030\n");
	assert_int_equal(in.walls.n, 3);
	assert_int_equal(in.walls.points[0].wall_generation, 4);
	assert_int_equal(in.walls.points[1].wall_generation, 5);
	assert_int_equal(in.walls.points[2].wall_generation, 0);
	assert_int_equal(in.walls.n_contradictions, 0);
	assert_int_equal(in.source->torn.n, 0);
	merge_input_close(&in);
}

static void contradictions_are_the_sources_to_report(void **state)
{
	(void)state;
	write_bases(HPT_SOURCE_TSC);
	open_trace("0 =100 200\n10 a\n20 =5000 5030\n30 =5005 5040\n");
	assert_int_equal(in.source->torn.n, 1);
	assert_int_equal(in.source->torn.first, 3);
	merge_input_close(&in);
}

static void statements_at_ticks_of_no_generation(void **state)
{
	(void)state;
	write_bases(HPT_SOURCE_TSC);
	open_trace("# x\n-5 =100 200\n-6 =100 200\n0 =100 200\n");
	assert_int_equal(in.walls.n, 1);
	assert_int_equal(in.source->stale.n, 2);
	assert_int_equal(in.source->stale.first, 2);
	merge_input_close(&in);
}

/* Of lines that are too long nothing is read, but what follows them is; a line that is cut states nothing. */
static void long_and_cut_lines(void **state)
{
	static char text[2 * LINES_MOST];

	(void)state;
	write_bases(HPT_SOURCE_TSC);
	memset(text, 'x', sizeof(text));
	strcpy(text + LINES_MOST + 10, "\n5 =100 200\n6 =100 200");
	open_trace(text);
	assert_int_equal(in.walls.n, 1);
	assert_int_equal(in.walls.points[0].line, 2);
	merge_input_close(&in);
}

static void the_os_clock_may_be_slewed(void **state)
{
	(void)state;
	write_bases(HPT_SOURCE_OS);
	open_trace("5 a\n");
	assert_int_equal(in.walls.rate_ppb, WALLS_RATE_PPB + WALLS_SLEW_OS_PPB);
	merge_input_close(&in);
}

static void assert_refused(const char *path, const char *message)
{
	times_captured = 0;
	assert_false(open_path(path));
	assert_int_equal(times_captured, 1);
	if (message)
		assert_string_equal(captured, message);
}

static void what_is_refused(void **state)
{
	unsigned before = entries("/proc/self/fd");

	(void)state;
	assert_refused("trace", "merge: trace: No such file or directory");
	write_text("trace", "5 a\n");
	assert_refused("trace", "merge: trace.timebase: No such file or directory");
	write_text("trace.timebase", "");
	assert_refused("trace", NULL);
	write_bases(HPT_SOURCE_TSC);
	assert_int_equal(unlink("trace"), 0);
	assert_int_equal(mkdir("trace", 0777), 0);
	assert_refused("trace", "merge: trace: is no regular file, and merge reads each twice");
	assert_int_equal(rmdir("trace"), 0);
	assert_int_equal(mkfifo("trace", 0666), 0);
	assert_refused("trace", "merge: trace: is no regular file, and merge reads each twice");
	assert_int_equal(entries("/proc/self/fd"), before);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave_own_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(its_events),
		test(its_name_is_the_last_part_as_utf8),
		test(statements_that_come_later_count),
		test(the_wall_has_generations_of_its_own),
		test(contradictions_are_the_sources_to_report),
		test(statements_at_ticks_of_no_generation),
		test(long_and_cut_lines),
		test(the_os_clock_may_be_slewed),
		test(what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
