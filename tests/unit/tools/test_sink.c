// SPDX-License-Identifier: MIT
/* Bytes, numbers and text as they reach the descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "unit.h"

#include "trace/sink.h"

static struct sink sink;
static char got[3 * SINK_BYTES];

static void start(void)
{
	int fd = fileno(tmpfile());

	assert_true(fd >= 0);
	sink_open(&sink, fd);
}

/* What was written, as text in got; returns its length. */
static size_t finish(void)
{
	ssize_t n;

	assert_int_equal(sink_close(&sink), 0);
	n = pread(sink.fd, got, sizeof(got) - 1, 0);
	assert_true(n >= 0);
	got[n] = '\0';
	close(sink.fd);
	return (size_t)n;
}

static void numbers_are_as_printf_has_them(void **state)
{
	static const int64_t edges[] = { 0, 9, 10, -1, INT64_MIN, INT64_MAX, 999, 1000, -999, -1000 };

	(void)state;
	for (int i = 0; i < 2000; i++) {
		int64_t value = (size_t)i < COUNT(edges) ? edges[i] : (int64_t)random_magnitude() * (i % 2 ? 1 : -1);
		uint64_t whole = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
		char wanted[64];

		start();
		sink_decimal(&sink, value);
		sink_text(&sink, " ");
		sink_us(&sink, value);
		finish();
		snprintf(wanted, sizeof(wanted), "%" PRId64 " %s%" PRIu64 ".%03u", value, value < 0 ? "-" : "",
			 whole / 1000, (unsigned)(whole % 1000));
		assert_string_equal(got, wanted);
	}
}

static void bytes_arrive_in_order_whatever_their_pieces(void **state)
{
	static char bytes[2 * SINK_BYTES + 77];
	size_t sizes[] = { 1, SINK_BYTES - 1, SINK_BYTES, SINK_BYTES + 1, 60000, 7 };

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 31 >> 3);
	for (size_t k = 0; k < COUNT(sizes); k++) {
		start();
		for (size_t at = 0; at < sizeof(bytes); at += sizes[k])
			sink_bytes(&sink, bytes + at, sizeof(bytes) - at < sizes[k] ? sizeof(bytes) - at : sizes[k]);
		assert_int_equal(finish(), sizeof(bytes));
		assert_memory_equal(got, bytes, sizeof(bytes));
	}
}

static void json_escapes_what_it_must(void **state)
{
	(void)state;
	start();
	sink_json(&sink, "a\"b\\c\x01\x1f\n \x7f\xc3\xa9", 12);
	finish();
	assert_string_equal(got, "a\\u0022b\\u005cc\\u0001\\u001f\\u000a \x7f\xc3\xa9");
	start();
	sink_json(&sink, "\"", 1);
	finish();
	assert_string_equal(got, "\\u0022");
}

static void the_first_error_is_kept_and_ends_the_output(void **state)
{
	(void)state;
	sink_open(&sink, open("/dev/full", O_WRONLY));
	sink_text(&sink, "lost");
	sink_flush(&sink);
	assert_int_equal(sink.error, ENOSPC);
	close(sink.fd);
	sink.fd = -1;
	sink_text(&sink, "lost too");
	assert_int_equal(sink_close(&sink), ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_as_printf_has_them),
		cmocka_unit_test(bytes_arrive_in_order_whatever_their_pieces),
		cmocka_unit_test(json_escapes_what_it_must),
		cmocka_unit_test(the_first_error_is_kept_and_ends_the_output),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
