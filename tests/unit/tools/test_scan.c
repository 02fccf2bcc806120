// SPDX-License-Identifier: MIT
/* Numbers in text, and where they end. */
#include <string.h>

#include "unit.h"

#include "trace/scan.h"

static void assert_int(const char *text, int64_t wanted, size_t length)
{
	int64_t got = 77;

	assert_ptr_equal(scan_int(text, &got), text + length);
	assert_true(got == wanted);
}

static void whole_numbers(void **state)
{
	int64_t kept = 77;
	uint32_t number = 0;
	const char *u32 = "4294967295]";

	(void)state;
	assert_int("0", 0, 1);
	assert_int("-12x", -12, 3);
	assert_int("9223372036854775807", INT64_MAX, 19);
	assert_int("-9223372036854775808", INT64_MIN, 20);
	assert_null(scan_int("9223372036854775808", &kept));
	assert_null(scan_int("-9223372036854775809", &kept));
	assert_null(scan_int("99999999999999999999", &kept));
	assert_null(scan_int("", &kept));
	assert_null(scan_int("-", &kept));
	assert_null(scan_int("+1", &kept));
	assert_int_equal(kept, 77);
	assert_ptr_equal(scan_u32(u32, &number), u32 + 10);
	assert_true(number == UINT32_MAX);
	assert_null(scan_u32("4294967296", &number));
	assert_null(scan_u32("-1", &number));
}

static void seconds(void **state)
{
	static const struct { const char *text; int64_t ns; size_t length; } rows[] = {
		{ "1.5 ", 1500000000, 3 }, { "0.000000001:", 1, 11 }, { "123.456789:", 123456789000, 10 },
		{ "9223372035.999999999", INT64_C(9223372035999999999), 20 },
	};
	static const char *const wrong[] = { "1", "1.", ".5", "-1.5", "1.0000000001", "9223372036.0", "1:5", "x" };
	int64_t got = 77;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_null(scan_seconds(wrong[i], &got));
	assert_int_equal(got, 77);
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_ptr_equal(scan_seconds(rows[i].text, &got), rows[i].text + rows[i].length);
		assert_true(got == rows[i].ns);
	}
}

static void words(void **state)
{
	const char *text = " \tone two";

	(void)state;
	assert_string_equal(scan_blanks(text), "one two");
	assert_string_equal(scan_word(text + 2), " two");
	assert_string_equal(scan_word("a\tb"), "\tb");
	assert_string_equal(scan_word(""), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(seconds),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
