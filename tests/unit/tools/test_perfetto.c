// SPDX-License-Identifier: MIT
/* Perfetto's protobuf, by a small reader of such messages: times, snapshots of clocks, tracks, names. */
#include <string.h>

#include "trace_world.h"

#define MS INT64_C(1000000)

/* Numbers of fields, as protos/perfetto/trace/perfetto_trace.proto of Perfetto has them. */
enum { PACKET = 1 };
enum { SNAPSHOT = 6, TIMESTAMP = 8, SEQUENCE = 10, EVENT = 11, CLOCK = 58, TRACK = 60 };

#define PACKETS_MOST 20000

static const char *const processes[] = { "first", "second" };
static const struct about plain = { .clock = EVENT_RAW, .n_processes = COUNT(processes), .processes = processes };

/* ---- A reader of messages ----------------------------------------------------------------------------------- */

struct message { const uint8_t *at, *end; };

struct field {
	uint32_t number;
	uint64_t value;                 /* of a number */
	struct message inner;           /* of bytes */
};

static uint64_t varint(struct message *m)
{
	uint64_t value = 0;

	for (int shift = 0; shift < 70; shift += 7) {
		assert_true(m->at < m->end);
		value |= (uint64_t)(*m->at & 0x7f) << (shift < 64 ? shift : 63);
		if (!(*m->at++ & 0x80))
			return value;
	}
	fail_msg("a number of more than ten bytes");
	return 0;
}

/* False: the message has no more. What it has must be whole. */
static bool next_field(struct message *m, struct field *ret)
{
	uint64_t key, length;

	if (m->at == m->end)
		return false;
	key = varint(m);
	*ret = (struct field){ .number = (uint32_t)(key >> 3) };
	if ((key & 7) == 0) {
		ret->value = varint(m);
		return true;
	}
	assert_int_equal(key & 7, 2);
	length = varint(m);
	assert_true(length <= (uint64_t)(m->end - m->at));
	ret->inner = (struct message){ m->at, m->at + length };
	m->at += length;
	return true;
}

/* How many fields of a number there are; the last of them. */
static size_t find(struct message m, uint32_t number, struct field *ret)
{
	struct field f;
	size_t n = 0;

	while (next_field(&m, &f))
		if (f.number == number) {
			*ret = f;
			n++;
		}
	return n;
}

static bool has(struct message m, uint32_t number)
{
	struct field f;

	return find(m, number, &f) > 0;
}

static uint64_t number_in(struct message m, uint32_t number)
{
	struct field f = { 0 };

	assert_int_equal(find(m, number, &f), 1);
	assert_null(f.inner.at);
	return f.value;
}

static struct message message_in(struct message m, uint32_t number)
{
	struct field f = { 0 };

	assert_int_equal(find(m, number, &f), 1);
	assert_non_null(f.inner.at);
	return f.inner;
}

/* ---- Traces ------------------------------------------------------------------------------------------------- */

static struct written trace;
static struct message packets[PACKETS_MOST];
static size_t n_packets;

static void write_trace(const struct about *about, const struct event *events, size_t n)
{
	struct message m;
	struct field f;

	free(trace.bytes);
	trace = encoded(&encoder_perfetto, about, events, n);
	m = (struct message){ (const uint8_t *)trace.bytes, (const uint8_t *)trace.bytes + trace.n };
	for (n_packets = 0; next_field(&m, &f); n_packets++) {
		assert_true(n_packets < PACKETS_MOST);
		assert_int_equal(f.number, PACKET);
		assert_int_equal(number_in(f.inner, SEQUENCE), 1);
		packets[n_packets] = f.inner;
	}
}

/* The packet of this kind that comes after n others of it, and its number among all. */
static size_t nth(uint32_t kind, size_t n, struct message *ret)
{
	for (size_t i = 0; i < n_packets; i++)
		if (has(packets[i], kind) && !n--) {
			*ret = message_in(packets[i], kind);
			return i;
		}
	fail_msg("no such packet");
	return 0;
}

static size_t count(uint32_t kind)
{
	size_t n = 0;

	for (size_t i = 0; i < n_packets; i++)
		n += has(packets[i], kind);
	return n;
}

static void times_are_exact_and_of_their_clock(void **state)
{
	static const struct { enum event_clock clock; uint64_t id; } clocks[] = {
		{ EVENT_REALTIME, 1 }, { EVENT_MONOTONIC, 3 }, { EVENT_RAW, 5 }, { EVENT_BOOTTIME, 6 },
	};
	static const int64_t times[] = { 0, 1, 127, 128, 5, INT64_C(1795171679123456789), INT64_MAX - 1, INT64_MAX, 0 };
	struct event events[COUNT(times)];
	struct message m;

	(void)state;
	for (size_t i = 0; i < COUNT(times); i++)
		events[i] = event_of(EVENT_INSTANT, times[i], "x");
	for (size_t k = 0; k < COUNT(clocks); k++) {
		struct about about = plain;

		about.clock = clocks[k].clock;
		write_trace(&about, events, COUNT(times));
		assert_int_equal(count(EVENT), COUNT(times));
		for (size_t i = 0; i < COUNT(times); i++) {
			size_t at = nth(EVENT, i, &m);

			assert_true(number_in(packets[at], TIMESTAMP) == (uint64_t)times[i]);
			assert_int_equal(number_in(packets[at], CLOCK), clocks[k].id);
		}
		nth(SNAPSHOT, 0, &m);
		assert_int_equal(number_in(m, 2), clocks[k].id); /* primary_trace_clock */
		assert_int_equal(number_in(message_in(m, 1), 1), clocks[k].id);
	}
}

/* TrackEvent: type 9, track_uuid 11, name 23. Ends have no name: they are of the latest begin of their track. */
static void kinds_have_their_types(void **state)
{
	static const struct { enum event_kind kind; uint64_t type; const char *name; } rows[] = {
		{ EVENT_BEGIN, 1, "outer" }, { EVENT_BEGIN, 1, "inner" }, { EVENT_INSTANT, 3, "moment" },
		{ EVENT_END, 2, "inner" }, { EVENT_END, 2, "outer" },
	};
	struct event events[COUNT(rows)];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		events[i] = event_of(rows[i].kind, (int64_t)i, rows[i].name);
	write_trace(&plain, events, COUNT(rows));
	assert_int_equal(count(EVENT), COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct message m;

		nth(EVENT, i, &m);
		assert_int_equal(number_in(m, 9), rows[i].type);
		if (rows[i].kind == EVENT_END) {
			assert_false(has(m, 23));
		} else {
			struct message name = message_in(m, 23);

			assert_named(&events[i], (const char *)name.at, (size_t)(name.end - name.at));
		}
	}
}

/* DebugAnnotation: int_value 4, name 10. False: the event has no annotation of this name. */
static bool annotation(struct message event, const char *name, int64_t *ret)
{
	struct field f;

	while (next_field(&event, &f)) {
		struct message is;

		if (f.number != 4)
			continue;
		is = message_in(f.inner, 10);
		if ((size_t)(is.end - is.at) != strlen(name) || memcmp(is.at, name, strlen(name)) != 0)
			continue;
		*ret = (int64_t)number_in(f.inner, 4);
		return true;
	}
	return false;
}

static void bounds_and_ticks_where_there_are_some(void **state)
{
	(void)state;
	for (int k = 0; k < 4; k++) {
		bool has_error = k & 1, has_ticks = k & 2;
		struct about about = plain;
		struct event e = event_of(EVENT_END, 5, "x");
		struct message m;
		int64_t value = 0;

		e.stamp = INT64_MIN + 1;
		if (has_error)
			e.error_ns = INT64_MAX - 1;
		about.has_stamp = has_ticks;
		write_trace(&about, &e, 1);
		nth(EVENT, 0, &m);
		assert_int_equal(annotation(m, "error_ns", &value), has_error);
		if (has_error)
			assert_true(value == INT64_MAX - 1);
		assert_int_equal(annotation(m, "ticks", &value), has_ticks);
		if (has_ticks)
			assert_true(value == INT64_MIN + 1);
	}
}

/* ---- Snapshots of the clocks -------------------------------------------------------------------------------- */

/* ClockSnapshot: clocks 1, of each clock_id 1 and timestamp 2; primary_trace_clock 2. */
static void assert_snapshot(size_t n, uint64_t clock, int64_t ns, int64_t unix_ns)
{
	const uint64_t wanted[][2] = { { clock, (uint64_t)ns }, { 1, (uint64_t)unix_ns } };
	struct message m;
	struct field f;
	size_t i = 0;

	nth(SNAPSHOT, n, &m);
	while (next_field(&m, &f))
		if (f.number == 1) {
			assert_true(i < 2);
			assert_int_equal(number_in(f.inner, 1), wanted[i][0]);
			assert_true(number_in(f.inner, 2) == wanted[i][1]);
			i++;
		}
	assert_int_equal(i, 2);
}

/* Before the first event, and before the one that is 10 ms or more after the last: a reader takes a step there. */
static void two_clocks_are_compared_each_ten_milliseconds(void **state)
{
	/* 1: a snapshot comes before it */
	static const struct { int64_t ns; bool has; } rows[] = {
		{ 0, true }, { 5, false }, { 10 * MS - 1, false }, { 10 * MS, true }, { 19 * MS, false },
		{ 3 * MS, false },  /* not after one out of order: readers refuse snapshots that go back */
		{ 20 * MS - 1, false }, { 20 * MS, true }, { 95 * MS, true }, { 104 * MS, false }, { INT64_MAX, true },
		{ 0, false },
	};
	struct event events[COUNT(rows)];
	struct about about = plain;
	size_t n = 0;

	(void)state;
	about.has_unix = true;
	for (size_t i = 0; i < COUNT(rows); i++) {
		events[i] = event_of(EVENT_INSTANT, rows[i].ns, "x");
		events[i].unix_ns = INT64_C(1795171679000000000) + (int64_t)i;
	}
	write_trace(&about, events, COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct message m;
		size_t before = i ? nth(EVENT, i - 1, &m) : 0, after = nth(EVENT, i, &m), between = 0;

		for (size_t at = before; at < after; at++)
			between += has(packets[at], SNAPSHOT);
		assert_int_equal(between, rows[i].has);
		if (rows[i].has)
			assert_snapshot(n++, 5, rows[i].ns, events[i].unix_ns);
	}
	assert_int_equal(count(SNAPSHOT), n);
}

static void one_clock_is_stated_once(void **state)
{
	struct event events[] = { event_of(EVENT_INSTANT, 7, "x"), event_of(EVENT_INSTANT, 100 * MS, "x") };

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct about about = plain;
		struct message m;
		struct field f;

		if (k) {
			about.clock = EVENT_REALTIME;
			about.has_unix = true;
		}
		write_trace(&about, events, 2);
		assert_int_equal(count(SNAPSHOT), 1);
		assert_int_equal(nth(SNAPSHOT, 0, &m), 0);
		assert_int_equal(find(m, 1, &f), 1);
		assert_int_equal(number_in(f.inner, 1), k ? 1 : 5);
		assert_int_equal(number_in(f.inner, 2), 7);
	}
	write_trace(&plain, NULL, 0);
	assert_int_equal(n_packets, 0);
}

/* ---- Tracks ------------------------------------------------------------------------------------------------- */

/* The number of the packet that describes a track, or one after all packets. */
static size_t description_of(uint64_t uuid, struct message *ret)
{
	for (size_t i = 0; i < n_packets; i++)
		if (has(packets[i], TRACK)) {
			*ret = message_in(packets[i], TRACK);
			if (number_in(*ret, 1) == uuid)
				return i;
		}
	return n_packets;
}

/* TrackDescriptor: uuid 1, process 3 (pid 1, name 6), thread 4 (pid 1, tid 2). */
static void assert_described(size_t event, uint32_t process, uint32_t track, const char *name)
{
	struct message m, text;
	size_t at = nth(EVENT, event, &m);

	assert_true(description_of(number_in(m, 11), &m) < at);
	assert_int_equal(number_in(message_in(m, 3), 1), process + 1);
	assert_int_equal(number_in(message_in(m, 4), 1), process + 1);
	assert_int_equal(number_in(message_in(m, 4), 2), track);
	text = message_in(message_in(m, 3), 6);
	assert_int_equal(text.end - text.at, strlen(name));
	assert_memory_equal(text.at, name, strlen(name));
}

static void threads_are_described_before_their_events(void **state)
{
	static const struct { uint32_t process, track; const char *name; } rows[] = {
		{ 0, 0, "first" }, { 0, 1, "first" }, { 1, 0, "second" }, { 1, 1, "second" }, { 0, 0, "first" },
		{ 0, UINT32_MAX, "first" }, { 1, UINT32_MAX, "second" }, { 1, 1, "second" }, { 2, 7, "" },
		{ 0, UINT16_MAX, "first" },
	};
	struct event events[COUNT(rows)];
	struct message m, other;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		events[i] = event_of(EVENT_INSTANT, (int64_t)i, "x");
		events[i].process = rows[i].process;
		events[i].track = rows[i].track;
	}
	write_trace(&plain, events, COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_described(i, rows[i].process, rows[i].track, rows[i].name);
	/* Each of the eight once. */
	assert_int_equal(count(TRACK), 8);
	for (size_t i = 0; i < 8; i++)
		for (size_t k = 0; k < i; k++) {
			nth(TRACK, i, &m);
			nth(TRACK, k, &other);
			assert_true(number_in(m, 1) != number_in(other, 1) && number_in(m, 1) != 0);
		}
}

/* thread_name is field 5. A thread that has another name is described again, and by that one. */
static void threads_have_names(void **state)
{
	static const char *const names[] = { "sh", "sh", "sleep", NULL };
	struct event events[COUNT(names)];
	struct message m;

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		events[i] = event_of(EVENT_INSTANT, 1, "x");
		events[i].track = i == 3 ? 8 : 7;
		events[i].thread = names[i];
		events[i].thread_length = names[i] ? strlen(names[i]) : 0;
	}
	write_trace(&plain, events, COUNT(events));
	assert_int_equal(count(TRACK), 3);
	for (size_t i = 0; i < 3; i++) {
		const char *name = names[i + (i > 0)];
		struct message text;

		nth(TRACK, i, &m);
		m = message_in(m, 4);
		assert_int_equal(number_in(m, 2), i == 2 ? 8 : 7);
		assert_int_equal(has(m, 5), name != NULL);
		if (!name)
			continue;
		text = message_in(m, 5);
		assert_int_equal(text.end - text.at, strlen(name));
		assert_memory_equal(text.at, name, strlen(name));
	}
	/* The second one is between the events. */
	assert_true(nth(TRACK, 1, &m) > nth(EVENT, 1, &m) && nth(TRACK, 1, &m) < nth(EVENT, 2, &m));
}

/* More threads than the encoder remembers: what is described again is the same. */
static void many_threads(void **state)
{
	static struct event events[6000];
	uint64_t sum = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(events); i++) {
		events[i] = event_of(EVENT_INSTANT, (int64_t)i, "x");
		events[i].process = (uint32_t)(i % 2);
		events[i].track = (uint32_t)(i * 7 % 3000);
	}
	write_trace(&plain, events, COUNT(events));
	assert_int_equal(count(EVENT), COUNT(events));
	for (size_t i = 0; i < COUNT(events); i += 500)
		assert_described(i, events[i].process, events[i].track, processes[events[i].process]);
	assert_true(count(TRACK) >= 6000 / 2);
	for (size_t i = 0; i < n_packets; i++)
		sum += has(packets[i], EVENT) ? number_in(message_in(packets[i], EVENT), 11) & 0xffffffff : 0;
	assert_int_equal(sum, UINT64_C(6000) * 2999 / 2);
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

/* A name that no line of a trace can have is cut; the message is whole then too. */
static void names_of_any_bytes(void **state)
{
	static struct event events[ODD_NAMES];

	(void)state;
	set_odd_names(events);
	write_trace(&plain, events, ODD_NAMES);
	assert_int_equal(count(EVENT), ODD_NAMES);
	for (size_t i = 0; i < ODD_NAMES; i++) {
		struct message m, name;
		size_t length;

		nth(EVENT, i, &m);
		assert_int_equal(number_in(m, 9), 3);
		name = message_in(m, 23);
		length = (size_t)(name.end - name.at);
		if (events[i].name_length == LONG_NAME) {
			assert_true(length >= 3 * 16384 && length < LONG_NAME);
			events[i].name_length = length;
		}
		assert_named(&events[i], (const char *)name.at, length);
	}
}

static void long_names_of_processes(void **state)
{
	static char longest[LONG_NAME + 2];
	const char *names[] = { longest };
	struct about about = { .clock = EVENT_RAW, .n_processes = 1, .processes = names };
	struct event e = event_of(EVENT_INSTANT, 1, "x");
	struct message m, name;

	(void)state;
	longest[0] = 'p';
	for (size_t i = 1; i < LONG_NAME; i += 2)
		memcpy(longest + i, "\xc3\xa9", 2);
	write_trace(&about, &e, 1);
	nth(TRACK, 0, &m);
	name = message_in(message_in(m, 3), 6);
	assert_true(name.end - name.at >= 4096); /* of the longest path */
	assert_int_equal((name.end - name.at) % 2, 1); /* whole characters */
	assert_memory_equal(name.at, longest, name.end - name.at);
}

static int free_trace(void **state)
{
	(void)state;
	free(trace.bytes);
	trace.bytes = NULL;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_exact_and_of_their_clock),
		cmocka_unit_test(kinds_have_their_types),
		cmocka_unit_test(bounds_and_ticks_where_there_are_some),
		cmocka_unit_test(two_clocks_are_compared_each_ten_milliseconds),
		cmocka_unit_test(one_clock_is_stated_once),
		cmocka_unit_test(threads_are_described_before_their_events),
		cmocka_unit_test(threads_have_names),
		cmocka_unit_test(many_threads),
		cmocka_unit_test(names_of_any_bytes),
		cmocka_unit_test(long_names_of_processes),
	};

	return cmocka_run_group_tests(tests, NULL, free_trace);
}
