// SPDX-License-Identifier: MIT
/* OpenTelemetry's JSON, line by line by a reader of JSON: spans and the ones around them, moments, names, times. */
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "trace_world.h"

#define UNIX_NS INT64_C(1795171679123456789)

/* Of one line, at the most. */
#define CHUNK 256

static const char *const processes[] = { "first", "\"a\" \\ b\n" };
static const struct about plain = {
	.clock = EVENT_REALTIME, .has_unix = true, .n_processes = COUNT(processes), .processes = processes,
	.id = { 0x01, 0x23, [15] = 0xef },
};

/* ---- Reading ------------------------------------------------------------------------------------------------ */

#define OBJECTS_MOST 4000

struct object { const json_t *o; const char *service; };

static json_t *lines[OBJECTS_MOST];
static size_t n_lines;
static struct object spans[OBJECTS_MOST], logs[OBJECTS_MOST];
static size_t n_spans, n_logs;

static const char *text_at(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	if (!text)
		fail_msg("no text at %s", key);
	return text;
}

/* A number of 64 bits is text, so that readers with doubles do not round it. */
static int64_t int_at(const json_t *o, const char *key)
{
	const char *text = text_at(o, key);
	char *end;
	int64_t value = strtoll(text, &end, 10);

	assert_true(*text && !*end);
	return value;
}

/* The value of an attribute, or NULL. No two have one key. */
static const json_t *attribute(const json_t *o, const char *key)
{
	const json_t *list = json_object_get(o, "attributes"), *found = NULL;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *it = json_array_get(list, i);

		if (strcmp(text_at(it, "key"), key) != 0)
			continue;
		assert_null(found);
		found = json_object_get(it, "value");
	}
	return found;
}

static void assert_int(const json_t *o, const char *key, int64_t value)
{
	assert_non_null(attribute(o, key));
	assert_true(int_at(attribute(o, key), "intValue") == value);
}

/* Adds the objects of resourceSpans/scopeSpans/spans, or of the same with other names. */
static size_t take(const json_t *line, const char *resources, const char *scopes, const char *list, struct object *to)
{
	const json_t *all = json_object_get(line, resources);
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *r = json_array_get(all, i), *found;
		const char *service = text_at(attribute(json_object_get(r, "resource"), "service.name"), "stringValue");

		r = json_array_get(json_object_get(r, scopes), 0);
		assert_string_equal(text_at(json_object_get(r, "scope"), "name"), "hpt");
		found = json_object_get(r, list);
		assert_true(json_array_size(found) > 0);
		for (size_t k = 0; k < json_array_size(found); k++)
			to[n++] = (struct object){ json_array_get(found, k), service };
	}
	return n;
}

static void read_line(const char *text, size_t n)
{
	json_error_t error;
	json_t *line = json_loadb(text, n, 0, &error);
	size_t before = n_spans + n_logs;

	if (!line)
		fail_msg("%s at %d", error.text, error.position);
	assert_int_equal(json_object_size(line), 1);
	n_spans += take(line, "resourceSpans", "scopeSpans", "spans", spans + n_spans);
	n_logs += take(line, "resourceLogs", "scopeLogs", "logRecords", logs + n_logs);
	assert_true(n_spans + n_logs > before && n_spans + n_logs <= before + CHUNK);
	lines[n_lines++] = line;
}

static void free_lines(void)
{
	for (size_t i = 0; i < n_lines; i++)
		json_decref(lines[i]);
	n_lines = n_spans = n_logs = 0;
}

static void write_trace(const struct about *about, const struct event *events, size_t n)
{
	struct written w = encoded(&encoder_otlp, about, events, n);

	assert_true(n < OBJECTS_MOST);
	free_lines();
	for (char *at = w.bytes, *end; at < w.bytes + w.n; at = end + 1) {
		end = memchr(at, '\n', (size_t)(w.bytes + w.n - at));
		assert_non_null(end);
		read_line(at, (size_t)(end - at));
	}
	free(w.bytes);
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

static struct event event_in(uint32_t process, uint32_t track, enum event_kind kind, int64_t unix_ns, const char *name)
{
	struct event e = event_of(kind, unix_ns, name);

	e.ns = 1; /* of another clock */
	e.process = process;
	e.track = track;
	return e;
}

static void nothing_is_no_line(void **state)
{
	(void)state;
	write_trace(&plain, NULL, 0);
	assert_int_equal(n_lines, 0);
}

static void moments_are_log_records(void **state)
{
	static const int64_t times[] = { 0, UNIX_NS, UNIX_NS - 1, INT64_MAX, 5, -1 };
	struct event events[COUNT(times)];

	(void)state;
	for (size_t i = 0; i < COUNT(times); i++)
		events[i] = event_in(1, UINT32_MAX, EVENT_INSTANT, times[i], "m");
	write_trace(&plain, events, COUNT(times));
	assert_int_equal(n_spans, 0);
	assert_int_equal(n_logs, COUNT(times));
	for (size_t i = 0; i < COUNT(times); i++) {
		const json_t *o = logs[i].o;

		assert_true(int_at(o, "timeUnixNano") == times[i]);
		assert_string_equal(text_at(json_object_get(o, "body"), "stringValue"), "m");
		assert_int(o, "thread.id", UINT32_MAX);
		assert_int_equal(json_array_size(json_object_get(o, "attributes")), 1);
		assert_string_equal(logs[i].service, processes[1]);
	}
}

/* A span has that of its end; what has no end has none. */
static void threads_have_names(void **state)
{
	static const char *const names[] = { NULL, "sh", "\"s\"", "begun" };
	static const enum event_kind kinds[] = { EVENT_INSTANT, EVENT_BEGIN, EVENT_END, EVENT_BEGIN };
	struct event events[COUNT(names)];

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		events[i] = event_in(0, 7, kinds[i], UNIX_NS, "x");
		events[i].thread = names[i];
		events[i].thread_length = names[i] ? strlen(names[i]) : 0;
	}
	write_trace(&plain, events, COUNT(events));
	assert_int_equal(n_spans, 1);
	assert_int_equal(n_logs, 2);
	assert_string_equal(text_at(attribute(spans[0].o, "thread.name"), "stringValue"), names[2]);
	assert_null(attribute(logs[0].o, "thread.name"));
	assert_null(attribute(logs[1].o, "thread.name"));
	events[0].thread = names[1];
	events[0].thread_length = strlen(names[1]);
	write_trace(&plain, events, 1);
	assert_string_equal(text_at(attribute(logs[0].o, "thread.name"), "stringValue"), names[1]);
	assert_int(logs[0].o, "thread.id", 7);
}

static const char *parent_of(size_t span)
{
	return json_string_value(json_object_get(spans[span].o, "parentSpanId"));
}

static const char *id_of(size_t span)
{
	return text_at(spans[span].o, "spanId");
}

/* A slice ends the latest of its thread and process, which is in the one that had begun there before. */
static void slices_are_spans_in_each_other(void **state)
{
	static const struct { uint32_t process, track; enum event_kind kind; const char *name; } rows[] = {
		{ 0, 1, EVENT_BEGIN, "outer" }, { 0, 2, EVENT_BEGIN, "thread" }, { 0, 1, EVENT_BEGIN, "inner" },
		{ 0, 1, EVENT_END, "x" }, { 0, 1, EVENT_BEGIN, "next" }, { 0, 2, EVENT_END, "" },
		{ 0, 1, EVENT_END, "" }, { 0, 1, EVENT_END, "" },
	};
	static const struct { const char *name; int64_t from, to; } wanted[] = {
		{ "inner", 2, 3 }, { "thread", 1, 5 }, { "next", 4, 6 }, { "outer", 0, 7 },
	};
	struct event events[COUNT(rows)];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		events[i] = event_in(rows[i].process, rows[i].track, rows[i].kind, UNIX_NS + (int64_t)i, rows[i].name);
	write_trace(&plain, events, COUNT(rows));
	assert_int_equal(n_logs, 0);
	assert_int_equal(n_spans, COUNT(wanted));
	for (size_t i = 0; i < COUNT(wanted); i++) {
		assert_string_equal(text_at(spans[i].o, "name"), wanted[i].name);
		assert_true(int_at(spans[i].o, "startTimeUnixNano") == UNIX_NS + wanted[i].from);
		assert_true(int_at(spans[i].o, "endTimeUnixNano") == UNIX_NS + wanted[i].to);
		assert_int(spans[i].o, "thread.id", i == 1 ? 2 : 1);
		assert_string_equal(text_at(spans[i].o, "traceId"), "012300000000000000000000000000ef");
		assert_int_equal(json_integer_value(json_object_get(spans[i].o, "kind")), 1);
		assert_int_equal(strspn(id_of(i), "0123456789abcdef"), 16);
		assert_int_equal(strlen(id_of(i)), 16);
		assert_string_not_equal(id_of(i), "0000000000000000");
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(id_of(i), id_of(k));
	}
	assert_string_equal(parent_of(0), id_of(3));
	assert_string_equal(parent_of(2), id_of(3));
	assert_null(parent_of(1));
	assert_null(parent_of(3));
}

/* An end that has no begin in its thread and process, and begins that have no end. */
static void half_slices_are_log_records(void **state)
{
	const struct event events[] = {
		event_in(0, 1, EVENT_END, 1, "early"), event_in(0, 1, EVENT_BEGIN, 2, "left"),
		event_in(1, 1, EVENT_END, 3, "other"), event_in(0, 2, EVENT_END, 4, "thread"),
		event_in(1, 9, EVENT_BEGIN, 5, "left too"), event_in(0, 1, EVENT_INSTANT, 6, "moment"),
	};
	unsigned seen = 0;

	(void)state;
	write_trace(&plain, events, COUNT(events));
	assert_int_equal(n_spans, 0);
	assert_int_equal(n_logs, COUNT(events));
	for (size_t i = 0; i < n_logs; i++) {
		int64_t at = int_at(logs[i].o, "timeUnixNano") - 1;
		const json_t *kind = attribute(logs[i].o, "hpt.kind");

		assert_true(at >= 0 && (size_t)at < COUNT(events));
		assert_string_equal(text_at(json_object_get(logs[i].o, "body"), "stringValue"), events[at].name);
		assert_string_equal(logs[i].service, processes[events[at].process]);
		if (events[at].kind == EVENT_INSTANT)
			assert_null(kind);
		else
			assert_string_equal(text_at(kind, "stringValue"),
					    events[at].kind == EVENT_END ? "end" : "begin");
		seen |= 1u << at;
	}
	assert_int_equal(seen, (1u << COUNT(events)) - 1);
}

/* A span is as far off as the worse of its ends; where one is not known nothing is stated. */
static void bounds_and_ticks_are_attributes(void **state)
{
	static const struct { int64_t begin, end, wanted; } rows[] = {
		{ 5, 7, 7 }, { 9, 7, 9 }, { EVENT_ERROR_UNKNOWN, 1, -1 }, { 1, EVENT_ERROR_UNKNOWN, -1 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(rows); i++) {
		struct event events[] = {
			event_in(0, 1, EVENT_BEGIN, 1, "s"), event_in(0, 1, EVENT_INSTANT, 2, "m"),
			event_in(0, 1, EVENT_END, 3, "s"),
		};
		struct about about = plain;

		about.has_stamp = i >= COUNT(rows);
		events[0].stamp = INT64_MIN;
		events[2].stamp = INT64_MAX;
		events[0].unix_error_ns = events[1].unix_error_ns = rows[i % 4].begin;
		events[2].unix_error_ns = rows[i % 4].end;
		events[0].error_ns = events[1].error_ns = events[2].error_ns = 88; /* of another clock */
		write_trace(&about, events, 3);
		if (rows[i % 4].wanted < 0)
			assert_null(attribute(spans[0].o, "hpt.error_ns"));
		else
			assert_int(spans[0].o, "hpt.error_ns", rows[i % 4].wanted);
		if (rows[i % 4].begin == EVENT_ERROR_UNKNOWN)
			assert_null(attribute(logs[0].o, "hpt.error_ns"));
		else
			assert_int(logs[0].o, "hpt.error_ns", rows[i % 4].begin);
		if (about.has_stamp) {
			assert_int(spans[0].o, "hpt.ticks", INT64_MIN);
			assert_int(spans[0].o, "hpt.end_ticks", INT64_MAX);
			assert_int(logs[0].o, "hpt.ticks", 2);
		} else {
			assert_null(attribute(spans[0].o, "hpt.ticks"));
			assert_null(attribute(spans[0].o, "hpt.end_ticks"));
			assert_null(attribute(logs[0].o, "hpt.ticks"));
		}
	}
}

/* Lines are short, and whatever they have the order of each process stays; spans go on across lines. */
static void many_events(void **state)
{
	static struct event events[3000];
	int64_t last[2] = { -1, -1 };

	(void)state;
	events[0] = event_in(1, 1, EVENT_BEGIN, 0, "long");
	for (size_t i = 1; i < 2999; i++)
		events[i] = event_in((uint32_t)random_below(2), 2, EVENT_INSTANT, (int64_t)i, "m");
	events[2999] = event_in(1, 1, EVENT_END, 2999, "long");
	write_trace(&plain, events, 3000);
	assert_int_equal(n_logs, 2998);
	for (size_t i = 0; i < n_logs; i++) {
		size_t process = strcmp(logs[i].service, processes[0]) != 0;
		int64_t at = int_at(logs[i].o, "timeUnixNano");

		assert_int_equal(events[at].process, process);
		assert_true(at > last[process]);
		last[process] = at;
	}
	assert_int_equal(n_spans, 1);
	assert_int_equal(int_at(spans[0].o, "startTimeUnixNano"), 0);
	assert_int_equal(int_at(spans[0].o, "endTimeUnixNano"), 2999);
}

static void names_of_any_bytes(void **state)
{
	static struct event events[ODD_NAMES], slices[2 * ODD_NAMES];

	(void)state;
	set_odd_names(events);
	write_trace(&plain, events, ODD_NAMES);
	assert_int_equal(n_logs, ODD_NAMES);
	for (size_t i = 0; i < ODD_NAMES; i++) {
		const json_t *name = json_object_get(json_object_get(logs[i].o, "body"), "stringValue");

		assert_named(&events[i], json_string_value(name), json_string_length(name));
	}
	for (size_t i = 0; i < ODD_NAMES; i++) {
		slices[2 * i] = events[i];
		slices[2 * i].kind = EVENT_BEGIN;
		slices[2 * i + 1] = event_in(0, 0, EVENT_END, 7, "");
	}
	write_trace(&plain, slices, 2 * ODD_NAMES);
	assert_int_equal(n_spans, ODD_NAMES);
	for (size_t i = 0; i < ODD_NAMES; i++) {
		const json_t *name = json_object_get(spans[i].o, "name");

		assert_named(&events[i], json_string_value(name), json_string_length(name));
	}
}

static int end(void **state)
{
	(void)state;
	free_lines();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_no_line),
		cmocka_unit_test(moments_are_log_records),
		cmocka_unit_test(threads_have_names),
		cmocka_unit_test(slices_are_spans_in_each_other),
		cmocka_unit_test(half_slices_are_log_records),
		cmocka_unit_test(bounds_and_ticks_are_attributes),
		cmocka_unit_test(many_events),
		cmocka_unit_test(names_of_any_bytes),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, end);
}
