// SPDX-License-Identifier: MIT
/* What all formats have in common: their names and clocks, events that come in pieces, and a disk that is full. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "trace_world.h"

#define EVENTS 3000

static const char *const processes[] = { "a", "b" };
static const struct about about = {
	.clock = EVENT_RAW, .has_unix = true, .has_stamp = true,
	.n_processes = COUNT(processes), .processes = processes,
};
static const struct encoder *const streams[] = { &encoder_perfetto, &encoder_chrome, &encoder_otlp };
static struct event events[EVENTS];

static void set_events(void)
{
	for (size_t i = 0; i < EVENTS; i++) {
		events[i] = event_of(i % 4 == 1 ? EVENT_BEGIN : i % 4 == 2 ? EVENT_END : EVENT_INSTANT,
				     (int64_t)i * 1000000, "name");
		events[i].process = i / 4 % 2;
		events[i].track = (uint32_t)(i / 8 % 5);
	}
}

static void formats_by_name(void **state)
{
	(void)state;
	assert_ptr_equal(encoder_find("perfetto"), &encoder_perfetto);
	assert_ptr_equal(encoder_find("chrome"), &encoder_chrome);
	assert_ptr_equal(encoder_find("ctf"), &encoder_ctf);
	assert_ptr_equal(encoder_find("otlp"), &encoder_otlp);
	assert_null(encoder_find(""));
	assert_null(encoder_find("ctf2"));
}

static void what_a_format_needs_and_lacks(void **state)
{
	static const struct { const struct encoder *it; bool needs_unix, needs_folder, lacks_tai; } rows[] = {
		{ &encoder_perfetto, false, false, true }, { &encoder_chrome, false, false, false },
		{ &encoder_ctf, false, true, false }, { &encoder_otlp, true, false, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(rows[i].it->needs_unix, rows[i].needs_unix);
		assert_int_equal(rows[i].it->needs_folder, rows[i].needs_folder);
		assert_int_equal(rows[i].it->lacks_tai, rows[i].lacks_tai);
	}
}

static void clocks_by_their_names_in_posix(void **state)
{
	static const char *const names[] = {
		[EVENT_TICKS] = "unknown", [EVENT_RAW] = "MONOTONIC_RAW", [EVENT_MONOTONIC] = "MONOTONIC",
		[EVENT_BOOTTIME] = "BOOTTIME", [EVENT_REALTIME] = "REALTIME", [EVENT_TAI] = "TAI",
		[EVENT_CLOCKS] = "unknown",
	};

	(void)state;
	for (int i = 0; i <= EVENT_CLOCKS; i++)
		assert_string_equal(encoder_clock_name((enum event_clock)i), names[i]);
}

/* A format whose text is lines of some events each has other lines then, but not OpenTelemetry's whole lines. */
static void pieces_make_the_same_trace(void **state)
{
	static const size_t pieces[] = { 1, 7, 256, 1024, 2999 };

	(void)state;
	set_events();
	for (size_t k = 0; k < 2; k++) {
		struct written whole = encoded(streams[k], &about, events, EVENTS);

		for (size_t i = 0; i < COUNT(pieces); i++) {
			struct written w = encoded_by(streams[k], &about, events, EVENTS, pieces[i]);

			assert_int_equal(w.n, whole.n);
			assert_memory_equal(w.bytes, whole.bytes, w.n);
			free(w.bytes);
		}
		free(whole.bytes);
	}
}

/* The sink knows it as soon as a buffer is written, which is when a conversion can end. */
static void a_full_disk(void **state)
{
	static struct sink sink;

	(void)state;
	set_events();
	for (size_t k = 0; k < COUNT(streams); k++) {
		int fd = open("/dev/full", O_WRONLY);
		void *encoder;

		assert_true(fd >= 0);
		sink_open(&sink, fd);
		encoder = streams[k]->begin(&about, &sink, -1);
		assert_non_null(encoder);
		streams[k]->put(encoder, events, EVENTS);
		assert_int_equal(sink.error, ENOSPC);
		streams[k]->put(encoder, events, EVENTS);
		assert_int_equal(streams[k]->end(encoder), 0);
		assert_int_equal(sink_close(&sink), ENOSPC);
		close(fd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_by_name),
		cmocka_unit_test(what_a_format_needs_and_lacks),
		cmocka_unit_test(clocks_by_their_names_in_posix),
		cmocka_unit_test(pieces_make_the_same_trace),
		cmocka_unit_test(a_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
