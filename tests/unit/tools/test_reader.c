// SPDX-License-Identifier: MIT
/* Forms of text: what a line of each is, and lines that are nearly of the form. */
#include <string.h>

#include "unit.h"

#include "trace/reader.h"

struct row {
	const char *text;
	enum reader_result result;
	int64_t stamp;
	uint32_t track;
	enum event_kind kind;
	const char *name;
};

static void check(const struct reader *reader, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char text[256];
		struct reading r = { 0 };
		enum reader_result result = reader->read(strcpy(text, rows[i].text), strlen(rows[i].text), &r);

		if (result != rows[i].result)
			fail_msg("%s: %d", rows[i].text, (int)result);
		if (result != READER_EVENT)
			continue;
		if (r.event.stamp != rows[i].stamp || r.event.track != rows[i].track ||
		    r.event.kind != rows[i].kind)
			fail_msg("%s: %lld, %u, %d", rows[i].text, (long long)r.event.stamp, r.event.track,
				 (int)r.event.kind);
		if (r.event.name_length != strlen(rows[i].name) ||
		    memcmp(r.event.name, rows[i].name, r.event.name_length) != 0)
			fail_msg("%s: '%.*s'", rows[i].text, (int)r.event.name_length, r.event.name);
	}
}

#define WRONG(text)   { text, READER_WRONG, 0, 0, 0, NULL }
#define NOTHING(text) { text, READER_NOTHING, 0, 0, 0, NULL }

static void own_lines(void **state)
{
	static const struct row rows[] = {
		{ "5", READER_EVENT, 5, 0, EVENT_INSTANT, "event" },
		{ "-7 @12", READER_EVENT, -7, 12, EVENT_INSTANT, "event" },
		{ "5\t@4294967295 \t+a b ", READER_EVENT, 5, UINT32_MAX, EVENT_BEGIN, "a b " },
		{ "5 -", READER_EVENT, 5, 0, EVENT_END, "event" },
		{ "5 -x", READER_EVENT, 5, 0, EVENT_END, "x" },
		{ "5 @", READER_WRONG, 0, 0, 0, NULL },
		{ "5 =1 2", READER_WALL, 0, 0, 0, NULL },
		{ "5 =-3\t-3", READER_WALL, 0, 0, 0, NULL },
		{ "5 =1 2 3", READER_WALL, 0, 0, 0, NULL },
		NOTHING(""), NOTHING("  "), NOTHING("# x"), NOTHING("  # x"),
		WRONG("x"), WRONG("5x"), WRONG("5@1 a"), WRONG("5 @1x a"), WRONG("5 =1"), WRONG("5 =2 1"),
		WRONG("5 =1 2 3 4"), WRONG("5 =1 2 x"), WRONG("5 =x 2"), WRONG("9223372036854775808"),
	};
	struct reading r = { 0 };
	char nul[] = "5 a\0b", hidden[] = "\0005", wall[] = "5 =10 20", third[] = "5 =10 20 7";

	(void)state;
	check(&reader_lines, rows, COUNT(rows));
	assert_int_equal(reader_lines.read(nul, 5, &r), READER_EVENT);
	assert_int_equal(r.event.name_length, 3);
	assert_int_equal(reader_lines.read(hidden, 2, &r), READER_WRONG);
	assert_int_equal(reader_lines.read(wall, 8, &r), READER_WALL);
	assert_true(r.event.stamp == 5 && r.earliest_ns == 10 && r.latest_ns == 20 && r.wall_generation == 0);
	assert_int_equal(reader_lines.read(third, 10, &r), READER_WALL);
	assert_int_equal(r.wall_generation, 7);
}

static void perf(void **state)
{
	static const struct row rows[] = {
		{ "  a 12/34 [001] 1.000002:  99 cpu-clock:u: 7f x", READER_EVENT, 1000002000, 34, EVENT_INSTANT,
		  "cpu-clock:u" },
		{ "a b 5 1.000000002: e:", READER_EVENT, 1000000002, 5, EVENT_INSTANT, "e" },
		{ "a-6: 7 [000] 1.5: no colon", READER_EVENT, 1500000000, 7, EVENT_INSTANT, "no colon" },
		{ "a 1 1.5: 5000000000 cycles: ff x (y)", READER_EVENT, 1500000000, 1, EVENT_INSTANT, "cycles" },
		{ "a b 1.5: 12", READER_EVENT, 1500000000, 0, EVENT_INSTANT, "12" },
		NOTHING(""), NOTHING("# 1.5: x"), NOTHING("\tff810 x (y)"), NOTHING("                 7f12345 x (y)"),
		NOTHING("  a.c:12"), NOTHING("  my file.c:12"), NOTHING("  [kernel.kallsyms][ffffffff8158c7f4]"),
		NOTHING("      BPF output: 0000: 48 65 6c"), NOTHING("      BPF string: \"Hel\""),
		NOTHING("                  0010: 6c 6f"), WRONG("      BPF x"), WRONG("   010: 6c"),
		WRONG("   010:: 6c"), WRONG("0010: 6c"),
		WRONG("a 5 [000] e:"), WRONG("a 5 1: e:"), WRONG("a 5 1.5:e"),
		/* Events without a time, of commands whose names are numbers too. */
		WRONG("           sleep 4711 cycles: "), WRONG("              dd 4711 cycles: "),
		WRONG("              ff -5.123456: x: "), WRONG("     7f63b1419645 x"), WRONG("\tx"), WRONG("\tffx"),
		WRONG("     kworker/0:1 "), WRONG("  kworker/u16:10 "), WRONG("   a.c:12"), WRONG("  a.c:"),
		WRONG("  12"), WRONG("  [a"), WRONG("  x"),
		{ " a 1 5.0: PERF_RECORD_LOST lost 23", READER_LOST, 0, 0, 0, NULL },
		{ " a 1 5.0: PERF_RECORD_LOST_SAMPLES lost 1", READER_LOST, 0, 0, 0, NULL },
		{ " a 1 5.0: PERF_RECORD_LOST_SAMPLES", READER_LOST, 0, 0, 0, NULL },
		NOTHING(" a 1 5.0: PERF_RECORD_LOST lost 0"),
		{ " a 1 5.0: PERF_RECORD_COMM: lost 23", READER_EVENT, 5000000000, 1, EVENT_INSTANT,
		  "PERF_RECORD_COMM" },
	};
	struct reading r = { 0 };
	char lost[] = "a 1 5.0: PERF_RECORD_LOST lost 23", unknown[] = "a 1 5.0: PERF_RECORD_LOST";

	(void)state;
	check(&reader_perf, rows, COUNT(rows));
	assert_int_equal(reader_perf.read(lost, strlen(lost), &r), READER_LOST);
	assert_int_equal(r.event.stamp, 23);
	assert_int_equal(reader_perf.read(unknown, strlen(unknown), &r), READER_LOST);
	assert_int_equal(r.event.stamp, 1);
}

static void ftrace(void **state)
{
	static const struct row rows[] = {
		{ "   a-b-12    [003] d..1.  1.000002: e: x=1", READER_EVENT, 1000002000, 12, EVENT_INSTANT, "e" },
		{ " a [1]-12 (  9) [003] 77: e: x", READER_EVENT, 77, 12, EVENT_INSTANT, "e" },
		{ " a-1 [000] 1.5: f <-g", READER_EVENT, 1500000000, 1, EVENT_INSTANT, "f <-g" },
		{ " a-1 [000] .... 1.5: tracing_mark_write: B|1|n m", READER_EVENT, 1500000000, 1, EVENT_BEGIN, "n m" },
		{ " a-1 [000] .... 1.5: tracing_mark_write: E", READER_EVENT, 1500000000, 1, EVENT_END,
		  "tracing_mark_write" },
		{ " a-1 [000] .... 1.5: tracing_mark_write: Ende", READER_EVENT, 1500000000, 1, EVENT_INSTANT, "Ende" },
		{ " a-1 [000] .... 1.5: tracing_mark_write: B|1", READER_EVENT, 1500000000, 1, EVENT_INSTANT, "B|1" },
		{ "# entries-in-buffer/entries-written: 2/5   #P:8", READER_LOST, 0, 0, 0, NULL },
		{ "CPU:1 [LOST 12 EVENTS]", READER_LOST, 0, 0, 0, NULL },
		{ "CPU:1 [LOST EVENTS]", READER_LOST, 0, 0, 0, NULL },
		{ " a [1] b-12    [001] .....  1.5: x: y", READER_EVENT, 1500000000, 12, EVENT_INSTANT, "x" },
		{ " a-5 [1] b-12 [001] 77: x [2] 8: y", READER_EVENT, 77, 12, EVENT_INSTANT,
		  "x [2] 8: y" },
		{ " [1] [1] [1] [1]-12 [001] 1.5: x: y", READER_EVENT, 1500000000, 12, EVENT_INSTANT, "x" },
		{ "  <idle>-0   (-------) [000] d..1.  1.5: e: x", READER_EVENT, 1500000000, 0, EVENT_INSTANT, "e" },
		NOTHING("# entries-in-buffer/entries-written: 5/5   #P:8"), NOTHING("# x"), NOTHING(""),
		NOTHING("CPU:1 [LOST -5 EVENTS]"), NOTHING("CPU:1 x"),
		WRONG(" a-1 1.5: e: x"), WRONG(" a [000] 1.5: e: x"),
		WRONG(" a-1x [000] 1.5: e: x"), WRONG(" a-1 [000] x y z"), WRONG(" a-1 [0x0] 1.5: e: x"),
	};
	struct reading r = { 0 };
	char lost[] = "# entries-in-buffer/entries-written: 2/5";

	(void)state;
	check(&reader_ftrace, rows, COUNT(rows));
	assert_int_equal(reader_ftrace.read(lost, strlen(lost), &r), READER_LOST);
	assert_int_equal(r.event.stamp, 3);
}

static void lttng(void **state)
{
	static const struct row rows[] = {
		{ "[1.000000002] (+?.?) host e:f: { cpu_id = 3 }, { x = 1 }", READER_EVENT, 1000000002, 3,
		  EVENT_INSTANT, "e:f" },
		{ "[1970-01-01 00:00:01.000000003] (+1) e: { cpu_id = 3 }, { vtid = 9 }", READER_EVENT, 1000000003, 9,
		  EVENT_INSTANT, "e" },
		{ "[1.5] (+1): e: { }", READER_EVENT, 1500000000, 0, EVENT_INSTANT, "e" },
		{ "[0012] (+1) e: { }", READER_EVENT, 12, 0, EVENT_INSTANT, "e" },
		NOTHING(""), WRONG("[10:47:59.1] (+1) e: { }"), WRONG("[1.5] (+1) e { }"), WRONG("[1.5 e: { }"),
		WRONG("1.5 e: { }"), WRONG("[1970-13-01 00:00:01.000000003] e: { }"), WRONG("[1.5] : { }"),
		WRONG("[1970-01-01 00:00:01.00000000300000000000] e: { }"),
	};

	(void)state;
	check(&reader_lttng, rows, COUNT(rows));
}

/* NULL: the line does not say it. */
static void names_of_threads(void **state)
{
	static const struct { const struct reader *reader; const char *text, *name; } rows[] = {
		{ &reader_perf, "           sleep 4711/4712 [001] 1.5: x: y", "sleep" },
		{ &reader_perf, "Web  Content \t 99 1.5: x:", "Web  Content" },
		{ &reader_perf, "a 1: b 7 1.5: x:", "a 1: b" }, { &reader_perf, " a/b 7 1.5: x:", "a/b" },
		{ &reader_perf, " 7 1.5: x:", NULL }, { &reader_perf, "7/8 1.5: x:", NULL },
		{ &reader_perf, "1.5: x:", NULL }, { &reader_perf, "a b 1.5: x:", NULL },
		{ &reader_ftrace, "   my-app [1]-77  (     77) [000] ..... 1.5: x: y", "my-app [1]" },
		{ &reader_ftrace, "a-1 [000] 1.5: x: y", "a" },
		{ &reader_ftrace, "  <idle>-0 [000] 1.5: x: y", "<idle>" },
		{ &reader_ftrace, "   <...>-12 [000] 1.5: x: y", NULL },
		{ &reader_ftrace, "   -12 [000] 1.5: x: y", NULL },
		{ &reader_lttng, "[1.5] (+1) host e: { }", NULL }, { &reader_lines, "5 @7 a", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[256];
		struct reading r = { 0 };

		r.event.track = UINT32_MAX;
		strcpy(text, rows[i].text);
		assert_int_equal(rows[i].reader->read(text, strlen(text), &r), READER_EVENT);
		if (r.event.track == UINT32_MAX || !r.event.thread != !rows[i].name)
			fail_msg("%s: %u, %d", rows[i].text, r.event.track, r.event.thread != NULL);
		if (rows[i].name && (r.event.thread_length != strlen(rows[i].name) ||
				     memcmp(r.event.thread, rows[i].name, r.event.thread_length) != 0))
			fail_msg("%s: '%.*s'", rows[i].text, (int)r.event.thread_length, r.event.thread);
	}
}

static void a_nul_is_no_text_of_a_tool(void **state)
{
	static const struct reader *const readers[] = { &reader_perf, &reader_ftrace, &reader_lttng };
	struct reading r;

	(void)state;
	for (size_t i = 0; i < COUNT(readers); i++) {
		char text[] = "\0";

		assert_int_equal(readers[i]->read(text, 1, &r), READER_WRONG);
	}
}

static void names(void **state)
{
	static const char *const clocks[] = { "ticks", "raw", "monotonic", "boottime", "realtime", "tai" };

	(void)state;
	for (size_t i = 0; i < COUNT(clocks); i++)
		assert_int_equal(reader_clock(clocks[i]), i);
	assert_int_equal(reader_clock(""), EVENT_CLOCKS);
	assert_ptr_equal(reader_find("lines"), &reader_lines);
	assert_ptr_equal(reader_find("perf"), &reader_perf);
	assert_ptr_equal(reader_find("ftrace"), &reader_ftrace);
	assert_ptr_equal(reader_find("lttng"), &reader_lttng);
	assert_null(reader_find("x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_lines),
		cmocka_unit_test(perf),
		cmocka_unit_test(ftrace),
		cmocka_unit_test(lttng),
		cmocka_unit_test(names_of_threads),
		cmocka_unit_test(a_nul_is_no_text_of_a_tool),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
