// SPDX-License-Identifier: MIT
/* Numbers in decimal, against printf(). */
#include <stdio.h>
#include <string.h>

#include "unit.h"

#include "math/decimal.h"

static void check(uint32_t number)
{
	char want[32], text[32];

	memset(text, 'x', sizeof(text));
	strcpy(text, "/uio");
	hpt_decimal_append(text, number);
	snprintf(want, sizeof(want), "/uio%lu", (unsigned long)number);
	assert_string_equal(text, want);
}

static void numbers_are_appended_as_printf_prints_them(void **state)
{
	(void)state;
	check(0);
	for (uint64_t n = 1; n <= UINT32_MAX; n *= 10) {
		check((uint32_t)n - 1);
		check((uint32_t)n);
		check((uint32_t)n + 1);
	}
	check(UINT32_MAX);
	for (int i = 0; i < 1000; i++)
		check((uint32_t)random_below((uint64_t)UINT32_MAX + 1));
}

static void check_taken(const char *text, int64_t want, size_t length)
{
	const char *at = text;

	assert_true(hpt_decimal_take(&at) == want);
	assert_int_equal(at - text, length);
}

static void digits_are_taken(void **state)
{
	(void)state;
	check_taken("0", 0, 1);
	check_taken("0012 34", 12, 4);
	check_taken("7x", 7, 1);
	check_taken("9223372036854775807,", INT64_MAX, 19);
	check_taken("9223372036854775808", -1, 19);
	check_taken("92233720368547758070", -1, 20);
	check_taken("99999999999999999999999999 1", -1, 26);
	check_taken("", -1, 0);
	check_taken("-1", -1, 0);
	check_taken(" 1", -1, 0);
	check_taken("+1", -1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_appended_as_printf_prints_them),
		cmocka_unit_test(digits_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
