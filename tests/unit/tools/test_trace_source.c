// SPDX-License-Identifier: MIT
/* Lines that become events with times: batches, what is left out and why, and times of UTC by walls. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "captured_err.h"
#include "own_folder.h"
#include "timebase_world.h"

#include "trace/trace_source.h"

#define UNIX_NS INT64_C(1795171679000000000)

static struct timebases bases;
static struct placer placer;
static struct source *source;
static int fd = -1;

/* ---- Sources ------------------------------------------------------------------------------------------------ */

static void open_source(const struct reader *reader, uint32_t process)
{
	fd = open("trace", O_RDONLY);
	assert_true(fd >= 0);
	source = source_new(fd, reader, &placer, process);
}

/* Whose stamps are times of a clock of the kernel. */
static void start(const struct reader *reader, enum event_clock clock, const char *text)
{
	write_text("trace", text);
	assert_true(placer_init(&placer, clock, NULL));
	open_source(reader, 7);
}

/* Whose ticks are of one generation, which begins at 0, or of two with a gap of an hour from tick 100000 on. */
static void start_ticks(size_t generations, const char *text)
{
	const struct hpt_timebase_fields fields[] = {
		timebase_of(1, 0, 0, UNIX_NS), timebase_of(1, 0, 1000, UNIX_NS + 1000),
		timebase_of(2, 100000, 100000, UNIX_NS + INT64_C(3600000000000)),
	};

	write_text("trace", text);
	write_timebases("bases", fields, generations + 1);
	assert_true(timebases_read("test", "bases", &bases));
	assert_int_equal(bases.n_generations, generations);
	assert_true(placer_init(&placer, EVENT_TICKS, &bases));
	open_source(&reader_lines, 7);
}

static void finish(void)
{
	free(source);
	source = NULL;
	if (fd >= 0)
		close(fd);
	fd = -1;
	placer_free(&placer);
	timebases_free(&bases);
}

static int enter(void **state)
{
	times_captured = 0;
	return enter_own_folder(state);
}

static int leave(void **state)
{
	finish();
	return leave_own_folder(state);
}

static const struct event *event_at(size_t i)
{
	assert_true(i < source->batch.n);
	return &source->batch.events[i];
}

static void assert_name(size_t i, const char *name)
{
	assert_int_equal(event_at(i)->name_length, strlen(name));
	assert_memory_equal(event_at(i)->name, name, strlen(name));
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

static void lines_become_events(void **state)
{
	static const char text[] = "# head\n5 @3 +a\n\n6 @3 -\n9 \xff\n";

	(void)state;
	start(&reader_lines, EVENT_REALTIME, text);
	assert_int_equal(source->size, strlen(text));
	assert_true(source_fill(source));
	assert_int_equal(source->batch.n, 3);
	assert_int_equal(event_at(0)->kind, EVENT_BEGIN);
	assert_int_equal(event_at(1)->kind, EVENT_END);
	assert_int_equal(event_at(2)->kind, EVENT_INSTANT);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(event_at(i)->process, 7);
		assert_int_equal(event_at(i)->track, i < 2 ? 3 : 0);
		assert_int_equal(event_at(i)->ns, i == 2 ? 9 : 5 + i);
		assert_int_equal(event_at(i)->unix_ns, event_at(i)->ns);
	}
	assert_name(0, "a");
	assert_name(2, "\xc3\xbf"); /* as UTF-8 */
	assert_false(source_fill(source));
	assert_int_equal(source->events, 3);
	assert_true(source_report(source, "test", "trace", "bases"));
	assert_int_equal(times_captured, 0);
}

static void nothing_and_a_pipe(void **state)
{
	int pipes[2];

	(void)state;
	start(&reader_lines, EVENT_REALTIME, "# nothing\n");
	assert_false(source_fill(source));
	assert_true(source_report(source, "test", "trace", "bases"));
	finish();
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(write(pipes[1], "8 x\n", 4), 4);
	close(pipes[1]);
	fd = pipes[0];
	assert_true(placer_init(&placer, EVENT_REALTIME, NULL));
	source = source_new(fd, &reader_lines, &placer, 0);
	assert_int_equal(source->size, 0);
	assert_true(source_fill(source));
	assert_false(source_fill(source));
}

/* n lines "NUMBER NAME", of which each name begins with the number too, and has this many bytes. */
static void write_lines(size_t n, size_t name_bytes)
{
	FILE *f = fopen("trace", "w");

	assert_non_null(f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%zu %0*zu!\n", i, (int)name_bytes - 1, i);
	assert_int_equal(fclose(f), 0);
}

/* Returns how many batches there were. */
static size_t assert_all_come(size_t n, size_t name_bytes)
{
	size_t at = 0, batches = 0;

	for (; source_fill(source); batches++)
		for (size_t i = 0; i < source->batch.n; i++, at++) {
			assert_int_equal(event_at(i)->stamp, at);
			assert_int_equal(event_at(i)->name_length, name_bytes);
			assert_int_equal(strtoull(event_at(i)->name, NULL, 10), at);
		}
	assert_int_equal(at, n);
	assert_int_equal(source->events, n);
	return batches;
}

static void more_than_a_batch_has(void **state)
{
	(void)state;
	assert_true(placer_init(&placer, EVENT_REALTIME, NULL));
	write_lines(2 * BATCH_EVENTS + 5, 20);
	open_source(&reader_lines, 0);
	assert_int_equal(assert_all_come(2 * BATCH_EVENTS + 5, 20), 3);
	finish();
	/* Their names alone fill it. */
	write_lines(50, LINES_MOST - 10);
	open_source(&reader_lines, 0);
	assert_true(assert_all_come(50, LINES_MOST - 10) > 3);
	finish();
	/* A batch without an event is not the end. */
	write_text("trace", "");
	for (int i = 0; i < 2; i++) {
		FILE *f = fopen("trace", "a");

		for (size_t k = 0; k < 2 * BATCH_EVENTS; k++)
			fprintf(f, "%s x\n", i ? "5" : "-5");
		assert_int_equal(fclose(f), 0);
	}
	open_source(&reader_lines, 0);
	assert_true(source_fill(source));
	assert_int_equal(source->beyond.n, 2 * BATCH_EVENTS);
	assert_int_equal(source->beyond.first, 1);
}

/* ---- What is left out --------------------------------------------------------------------------------------- */

/* Fills until the end, then reports, which captures the latest message. */
static void assert_reports(bool is_good, const char *message)
{
	while (source_fill(source))
		;
	times_captured = 0;
	assert_int_equal(source_report(source, "test", "trace", "bases"), is_good);
	assert_int_equal(times_captured, 1);
	assert_string_equal(captured, message);
	finish();
}

static void lines_that_are_no_events(void **state)
{
	static char text[3 * LINES_MOST];

	(void)state;
	start(&reader_lines, EVENT_REALTIME, "1 a\nx\n2 b\n3y\n");
	assert_reports(false, "test: trace: line 2 is no event of this form, and is left out; 2 in all");
	start(&reader_lines, EVENT_REALTIME, "1 a\n2");
	assert_reports(false, "test: trace: line 2 has no end, and is left out: the trace may be cut there");
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, "1 a\n", 4);
	memcpy(text + sizeof(text) - 6, "\n2 b\n", 5);
	start(&reader_lines, EVENT_REALTIME, text);
	assert_true(source_fill(source));
	assert_int_equal(source->batch.n, 2);
	assert_reports(false, "test: trace: line 2 is longer than any line may be, and is left out; 1 in all");
}

static void a_line_without_an_end(void **state)
{
	(void)state;
	start(&reader_lines, EVENT_REALTIME, "1 a\n");
	assert_int_equal(truncate("trace", LINES_SKIPPED + 100000), 0);
	assert_reports(false, "test: trace: line 2 does not end within 16 MiB: it and what follows are left out");
}

static void a_file_that_cannot_be_read(void **state)
{
	(void)state;
	fd = open(".", O_RDONLY);
	assert_true(placer_init(&placer, EVENT_REALTIME, NULL));
	source = source_new(fd, &reader_lines, &placer, 0);
	assert_reports(false, "test: trace: after line 0: Is a directory");
}

/* Seconds of a clock are no ticks; whole numbers may be nanoseconds of a clock. */
static void stamps_of_another_clock(void **state)
{
	(void)state;
	start_ticks(1, "x 1 1.5: a:\n");
	source->reader = &reader_perf;
	assert_reports(false, "test: trace: line 1 has seconds for a time, which are no ticks, and is left out; "
			      "1 in all");
	start(&reader_perf, EVENT_RAW, "x 1 1.5: a:\n");
	assert_true(source_fill(source));
	assert_int_equal(event_at(0)->ns, 1500000000);
	finish();
	for (int takes_whole = 0; takes_whole < 2; takes_whole++) {
		start(&reader_lttng, EVENT_REALTIME, "[12] (+1) a: { }\n[1.5] (+1) b: { }\n");
		source->takes_whole = takes_whole;
		assert_true(source_fill(source));
		assert_int_equal(source->batch.n, 1 + takes_whole);
		if (takes_whole)
			continue;
		assert_reports(false, "test: trace: line 1 has a whole number for a time, which needs --clock, and is "
				      "left out; 1 in all");
	}
}

static void events_that_the_tracer_lost(void **state)
{
	(void)state;
	start(&reader_ftrace, EVENT_RAW, "#\nCPU:1 [LOST 12 EVENTS]\nCPU:1 [LOST 3 EVENTS]\n");
	assert_reports(false, "test: trace: line 2 says that the tracer lost events; 15 in all");
}

/* What formats have: from 0 up to the last number but one. */
static void times_that_formats_do_not_have(void **state)
{
	(void)state;
	start(&reader_lines, EVENT_REALTIME, "0 a\n9223372036854775806 b\n-1 c\n9223372036854775807 d\n");
	assert_true(source_fill(source));
	assert_int_equal(source->batch.n, 2);
	assert_name(1, "b");
	assert_reports(false, "test: trace: line 3 has a time before 1970 or after 2262, and is left out; 2 in all");
	/* Nor in Unix time. */
	start_ticks(1, "5 a\n8000000000000000000 b\n");
	assert_reports(false, "test: trace: line 2 has a time before 1970 or after 2262, and is left out; 1 in all");
	/* Which a clock without time bases does not have. */
	start(&reader_lines, EVENT_BOOTTIME, "5 a\n-1 b\n9223372036854775807 c\n");
	assert_true(source_fill(source));
	assert_int_equal(source->batch.n, 1);
	assert_int_equal(source->beyond.n, 2);
}

static void times_that_go_back_are_kept(void **state)
{
	(void)state;
	start(&reader_lines, EVENT_REALTIME, "5 a\n5 b\n4 c\n4 d\n3 e\n");
	assert_true(source_fill(source));
	assert_int_equal(source->batch.n, 5);
	assert_reports(true, "test: trace: line 3 is earlier than the one before it; 2 in all");
}

static void ticks_of_no_generation(void **state)
{
	(void)state;
	start_ticks(1, "-5 a\n7 b\n-6 c\n8 d\n");
	assert_true(source_fill(source));
	assert_int_equal(source->batch.n, 2);
	assert_name(0, "b");
	assert_name(1, "d");
	assert_reports(false, "test: trace: line 1 has a time in no generation of bases, or in two; "
			      "2 of 4 are left out");
}

static void each_fault_is_said(void **state)
{
	(void)state;
	start(&reader_lines, EVENT_REALTIME, "5 a\nx\n-1 b\n4 c\n3");
	source->torn = (struct source_fault){ 2, 9 };
	while (source_fill(source))
		;
	assert_false(source_report(source, "test", "trace", "bases"));
	assert_int_equal(times_captured, 5);
	finish();
	start(&reader_lines, EVENT_REALTIME, "");
	source->torn = (struct source_fault){ 2, 9 };
	assert_reports(false, "test: trace: line 9 has nothing in common with what the wall stated before; 2 in all");
}

/* ---- Times of UTC ------------------------------------------------------------------------------------------- */

static struct walls walls = { .rate_ppb = WALLS_RATE_PPB };

static void state_utc(uint64_t generation, int64_t ns, int64_t earliest_ns, int64_t latest_ns)
{
	walls_add(&walls, &(struct walls_point){ .generation = generation, .ns = ns,
						 .earliest_ns = UNIX_NS + earliest_ns,
						 .latest_ns = UNIX_NS + latest_ns });
}

/* The interval of UTC at a tick of the first generation. */
static struct walls_point interval_at(int64_t tick)
{
	struct walls_point p = { .ns = tick };

	p.error_ns = hpt_timebase_error_ns(&bases.fields[0], &bases.fields[1], HPT_TIMEBASE_NS, tick);
	assert_true(walls_at(&walls, &p));
	return p;
}

static void assert_holds(const struct event *e, const struct walls_point *p)
{
	assert_true(p->earliest_ns <= e->ns && e->ns <= p->latest_ns);
	assert_true(e->ns - e->error_ns <= p->earliest_ns && e->ns + e->error_ns >= p->latest_ns);
	assert_true(e->ns - e->error_ns == p->earliest_ns || e->ns + e->error_ns == p->latest_ns);
	assert_true(e->unix_ns == e->ns && e->unix_error_ns == e->error_ns);
}

static void walls_place_events_in_the_middle(void **state)
{
	(void)state;
	start_ticks(1, "0 a\n500 b\n1000 c\n");
	state_utc(0, 0, -100, 151); /* the middle is rounded */
	walls_settle(&walls);
	source->walls = &walls;
	assert_true(source_fill(source));
	for (size_t i = 0; i < 3; i++) {
		struct walls_point p = interval_at((int64_t)i * 500);

		assert_holds(event_at(i), &p);
		assert_true(event_at(i)->error_ns <= (p.latest_ns - p.earliest_ns + 1) / 2);
	}
	assert_int_equal(source->unbounded.n, 0);
	walls_free(&walls);
}

/* The middle of 19999 is before that of 19998; its interval has the other, and so it stays with that. */
static void rounding_does_not_turn_the_order(void **state)
{
	struct walls_point first, second;
	int64_t middle_ns;

	(void)state;
	start_ticks(1, "19998 a\n19999 b\n19990 c\n");
	state_utc(0, 0, 0, 100000);
	state_utc(0, 19999, -31000, 120000);
	state_utc(0, 40000, -10000, 40010);
	walls_settle(&walls);
	first = interval_at(19998);
	second = interval_at(19999);
	middle_ns = first.earliest_ns + (first.latest_ns - first.earliest_ns) / 2;
	assert_true(second.earliest_ns + (second.latest_ns - second.earliest_ns) / 2 < middle_ns);
	source->walls = &walls;
	assert_true(source_fill(source));
	assert_true(event_at(0)->ns == middle_ns && event_at(1)->ns == middle_ns);
	assert_holds(event_at(0), &first);
	assert_holds(event_at(1), &second);
	/* One that was earlier by its own clock goes back. */
	assert_true(event_at(2)->ns < middle_ns);
	assert_reports(true, "test: trace: line 3 is earlier than the one before it; 1 in all");
	walls_free(&walls);
}

static void without_a_statement_nearby_they_keep_their_unix_times(void **state)
{
	(void)state;
	start_ticks(2, "10 a\n100010 b\n");
	state_utc(0, 0, -100, 100);
	walls_settle(&walls);
	source->walls = &walls;
	assert_true(source_fill(source));
	assert_true(event_at(0)->error_ns < 200);
	assert_true(event_at(1)->ns == UNIX_NS + INT64_C(3600000000000) + 10);
	assert_true(event_at(1)->error_ns == EVENT_ERROR_UNKNOWN);
	assert_true(event_at(1)->unix_error_ns == EVENT_ERROR_UNKNOWN);
	assert_reports(false, "test: trace: line 2 has a time without a bound, as no wall stated one near it; "
			      "1 in all");
	walls_free(&walls);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(lines_become_events),
		test(nothing_and_a_pipe),
		test(more_than_a_batch_has),
		test(lines_that_are_no_events),
		test(a_line_without_an_end),
		test(a_file_that_cannot_be_read),
		test(stamps_of_another_clock),
		test(events_that_the_tracer_lost),
		test(times_that_formats_do_not_have),
		test(times_that_go_back_are_kept),
		test(ticks_of_no_generation),
		test(each_fault_is_said),
		test(walls_place_events_in_the_middle),
		test(rounding_does_not_turn_the_order),
		test(without_a_statement_nearby_they_keep_their_unix_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
