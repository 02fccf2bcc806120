// SPDX-License-Identifier: MIT
/* Chrome's JSON: times by their text, because a double does not have them all; the rest by a reader of JSON. */
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "trace_world.h"

static const char *const processes[] = { "first", "\"a\" \\ b\n" };
static const struct about plain = { .clock = EVENT_RAW };

static const char *text_at(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	assert_non_null(text);
	return text;
}

static json_int_t int_at(const json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return json_integer_value(json_object_get(o, key));
}

static json_t *trace_of(const struct about *about, const struct event *events, size_t n)
{
	struct written w = encoded(&encoder_chrome, about, events, n);
	json_error_t error;
	json_t *trace = json_loadb(w.bytes, w.n, 0, &error);

	if (!trace)
		fail_msg("%s at %d", error.text, error.position);
	free(w.bytes);
	assert_string_equal(text_at(trace, "displayTimeUnit"), "ns");
	return trace;
}

/* The event, after the names of the processes. */
static const json_t *event_at(const json_t *trace, size_t i)
{
	const json_t *e = json_array_get(json_object_get(trace, "traceEvents"), i);

	assert_non_null(e);
	return e;
}

static size_t count(const json_t *trace)
{
	return json_array_size(json_object_get(trace, "traceEvents"));
}

static void no_event_is_a_trace_too(void **state)
{
	json_t *trace = trace_of(&plain, NULL, 0), *data = json_object_get(trace, "otherData");

	(void)state;
	assert_int_equal(count(trace), 0);
	assert_string_equal(text_at(data, "clock"), "MONOTONIC_RAW");
	assert_int_equal(json_object_size(data), 1);
	json_decref(trace);
}

static void a_moment_on_both_lines(void **state)
{
	struct about about = { .clock = EVENT_BOOTTIME, .has_unix = true, .first_ns = INT64_MIN,
			       .first_unix_ns = INT64_MAX };
	json_t *trace = trace_of(&about, NULL, 0), *data = json_object_get(trace, "otherData");

	(void)state;
	assert_string_equal(text_at(data, "clock"), "BOOTTIME");
	assert_string_equal(text_at(data, "first_ns"), "-9223372036854775808");
	assert_string_equal(text_at(data, "first_unix_ns"), "9223372036854775807");
	json_decref(trace);
}

static void processes_have_names(void **state)
{
	struct about about = { .clock = EVENT_RAW, .n_processes = COUNT(processes), .processes = processes };
	struct event e = event_of(EVENT_INSTANT, 1, "x");
	json_t *trace;

	(void)state;
	e.process = 1;
	e.track = UINT32_MAX;
	trace = trace_of(&about, &e, 1);
	assert_int_equal(count(trace), 3);
	for (size_t i = 0; i < 2; i++) {
		const json_t *name = event_at(trace, i);

		assert_string_equal(text_at(name, "ph"), "M");
		assert_string_equal(text_at(name, "name"), "process_name");
		assert_int_equal(int_at(name, "pid"), i + 1);
		assert_string_equal(text_at(json_object_get(name, "args"), "name"), processes[i]);
	}
	assert_int_equal(int_at(event_at(trace, 2), "pid"), 2);
	assert_int_equal(int_at(event_at(trace, 2), "tid"), UINT32_MAX);
	json_decref(trace);
}

/* Before the thread's first event, and again by another name. */
static void threads_have_names(void **state)
{
	static const char *const names[] = { NULL, "sh", "sh", "\"s\"", NULL };
	static const char *const phases[] = { "i", "M", "i", "i", "M", "i", "i" };
	struct event events[COUNT(names)];
	json_t *trace;

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		events[i] = event_of(EVENT_INSTANT, 1, "x");
		events[i].process = 6;
		events[i].track = UINT32_MAX;
		events[i].thread = names[i];
		events[i].thread_length = names[i] ? strlen(names[i]) : 0;
	}
	trace = trace_of(&plain, events, COUNT(events));
	assert_int_equal(count(trace), COUNT(phases));
	for (size_t i = 0; i < COUNT(phases); i++) {
		const json_t *e = event_at(trace, i);

		assert_string_equal(text_at(e, "ph"), phases[i]);
		assert_int_equal(int_at(e, "pid"), 7);
		assert_int_equal(int_at(e, "tid"), UINT32_MAX);
		if (*phases[i] != 'M')
			continue;
		assert_string_equal(text_at(e, "name"), "thread_name");
		assert_string_equal(text_at(json_object_get(e, "args"), "name"), names[i == 1 ? 1 : 3]);
	}
	json_decref(trace);
}

/* The text of each time, in microseconds; those before 0 are no format's, but are written as they are. */
static void times_have_each_nanosecond_in_the_order_given(void **state)
{
	static const int64_t times[] = {
		0, 1, 999, 1000, 1001, 123456, 5, INT64_C(1795171679123456789), INT64_C(1795171679123456788),
		INT64_MAX - 1, INT64_MAX, -1, -1000, -1001, INT64_MIN,
	};
	struct event events[COUNT(times)];
	struct written w;
	const char *at;

	(void)state;
	for (size_t i = 0; i < COUNT(times); i++)
		events[i] = event_of(EVENT_INSTANT, times[i], "x");
	w = encoded(&encoder_chrome, &plain, events, COUNT(events));
	at = w.bytes;
	for (size_t i = 0; i < COUNT(times); i++) {
		uint64_t ns = times[i] < 0 ? 0 - (uint64_t)times[i] : (uint64_t)times[i];
		char wanted[64];

		snprintf(wanted, sizeof(wanted), "\"ts\":%s%" PRIu64 ".%03" PRIu64 ",", times[i] < 0 ? "-" : "",
			 ns / 1000, ns % 1000);
		at = strstr(at, "\"ts\":");
		assert_non_null(at);
		if (strncmp(at, wanted, strlen(wanted)))
			fail_msg("%s is %.30s", wanted, at);
		at++;
	}
	assert_null(strstr(at, "\"ts\":"));
	free(w.bytes);
}

/* Ends are of the latest begin of their thread: that is how readers nest them, so the order is what counts. */
static void kinds_are_phases(void **state)
{
	static const struct { enum event_kind kind; uint32_t track; const char *name, *phase; } rows[] = {
		{ EVENT_BEGIN, 1, "outer", "B" }, { EVENT_BEGIN, 1, "inner", "B" }, { EVENT_BEGIN, 2, "other", "B" },
		{ EVENT_INSTANT, 1, "moment", "i" }, { EVENT_END, 1, "inner", "E" }, { EVENT_END, 1, "", "E" },
		{ EVENT_END, 2, "other", "E" },
	};
	struct event events[COUNT(rows)];
	json_t *trace;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		events[i] = event_of(rows[i].kind, (int64_t)i, rows[i].name);
		events[i].track = rows[i].track;
	}
	trace = trace_of(&plain, events, COUNT(events));
	assert_int_equal(count(trace), COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++) {
		const json_t *e = event_at(trace, i);

		assert_string_equal(text_at(e, "ph"), rows[i].phase);
		assert_string_equal(text_at(e, "name"), rows[i].name);
		assert_int_equal(int_at(e, "tid"), rows[i].track);
		assert_int_equal(int_at(e, "pid"), 1);
		/* A moment of a thread; without it one of the whole process. */
		if (rows[i].kind == EVENT_INSTANT)
			assert_string_equal(text_at(e, "s"), "t");
		else
			assert_null(json_object_get(e, "s"));
	}
	json_decref(trace);
}

static void bounds_and_ticks_where_there_are_some(void **state)
{
	(void)state;
	for (int k = 0; k < 4; k++) {
		bool has_error = k & 1, has_ticks = k & 2;
		struct about about = { .clock = EVENT_RAW, .has_stamp = has_ticks };
		struct event e = event_of(EVENT_BEGIN, 5, "x");
		json_t *trace, *args;

		e.stamp = k == 2 ? INT64_MIN : INT64_MAX;
		if (has_error)
			e.error_ns = EVENT_ERROR_UNKNOWN - 1;
		trace = trace_of(&about, &e, 1);
		args = json_object_get(event_at(trace, 0), "args");
		assert_int_equal(json_object_size(args), has_error + has_ticks);
		if (has_error)
			assert_int_equal(int_at(args, "error_ns"), INT64_MAX - 1);
		if (has_ticks)
			assert_string_equal(text_at(args, "ticks"),
					    k == 2 ? "-9223372036854775808" : "9223372036854775807");
		json_decref(trace);
	}
}

static void names_of_any_bytes(void **state)
{
	static struct event events[ODD_NAMES];
	json_t *trace;

	(void)state;
	set_odd_names(events);
	trace = trace_of(&plain, events, ODD_NAMES);
	assert_int_equal(count(trace), ODD_NAMES);
	for (size_t i = 0; i < ODD_NAMES; i++) {
		const json_t *name = json_object_get(event_at(trace, i), "name");

		assert_named(&events[i], json_string_value(name), json_string_length(name));
	}
	json_decref(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_event_is_a_trace_too),
		cmocka_unit_test(a_moment_on_both_lines),
		cmocka_unit_test(processes_have_names),
		cmocka_unit_test(threads_have_names),
		cmocka_unit_test(times_have_each_nanosecond_in_the_order_given),
		cmocka_unit_test(kinds_are_phases),
		cmocka_unit_test(bounds_and_ticks_where_there_are_some),
		cmocka_unit_test(names_of_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
