// SPDX-License-Identifier: MIT
/* Lines of traces, in each form: the name lies in the line and becomes UTF-8, and JSON's text of it is one line. */
#include "fuzz.h"

#include "trace/reader.h"
#include "trace/sink.h"
#include "trace/utf8.h"

static bool is_utf8(const char *text, size_t n)
{
	char again[UTF8_GROWTH * UTF8_GROWTH * 4096];

	/* What is UTF-8 stays as it is. */
	return utf8_copy(again, text, n) == n && !memcmp(again, text, n);
}

static void check_json(const char *text, size_t n)
{
	static struct sink sink;

	sink_open(&sink, -1);
	sink_json(&sink, text, n);
	MUST(sink.used >= n && sink.used <= 6 * n);
	for (size_t i = 0; i < sink.used; i++)
		MUST((unsigned char)sink.bytes[i] >= 0x20);
}

static void check_event(const struct event *e, const char *line, size_t n)
{
	static const char unnamed[] = "event";
	static char name[UTF8_GROWTH * 4096];
	bool is_inside = e->name >= line && e->name + e->name_length <= line + n;
	size_t length;

	MUST(is_inside || (e->name_length == sizeof(unnamed) - 1 && !memcmp(e->name, unnamed, sizeof(unnamed) - 1)));
	MUST(e->kind <= EVENT_END);
	length = utf8_copy(name, e->name, e->name_length);
	MUST(length >= e->name_length && length <= UTF8_GROWTH * e->name_length);
	MUST(is_utf8(name, length));
	check_json(name, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct reader *const readers[] = { &reader_lines, &reader_perf, &reader_ftrace, &reader_lttng };

	if (size > 4096)
		return 0;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		/* Of this size, so that AddressSanitizer sees the first byte after it. */
		char *line = malloc(size + 1);
		struct reading r = { 0 };
		enum reader_result result;

		memcpy(line, data, size);
		line[size] = '\0';
		result = readers[i]->read(line, size, &r);
		if (result == READER_EVENT)
			check_event(&r.event, line, size);
		MUST(result != READER_WALL || r.earliest_ns <= r.latest_ns);
		MUST(result != READER_LOST || r.event.stamp > 0);
		free(line);
	}
	return 0;
}
