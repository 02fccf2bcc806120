// SPDX-License-Identifier: MIT
/* Values as texts: three significant digits, commas, units. */
#include <math.h>

#include "unit.h"

#include "cli/amount.h"

static void three_digits_count(void **state)
{
	static const struct { double v; const char *text; } rows[] = {
		{ 0, "0" }, { 0.0004, "0" }, { 0.0583, "0.058" }, { 0.9994, "0.999" }, { 0.9996, "1.00" },
		{ 1.234, "1.23" }, { 9.996, "10.0" }, { 10.24, "10.2" }, { 99.96, "100" }, { 160.7, "161" },
		{ 999.4, "999" }, { 999.6, "1,000" }, { 1234.5, "1,230" }, { 39302.385, "39,300" },
		{ 110505, "111,000" }, { 4000000, "4,000,000" }, { -39302, "-39,300" }, { -0.5, "-0.500" },
		{ -123456, "-123,000" }, { NAN, "0" }, { INFINITY, "0" }, { 1e30, "1,000,000,000,000,000,000" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(amount_of(rows[i].v).s, rows[i].text);
	assert_string_equal(amount_count(0).s, "0");
	assert_string_equal(amount_count(999).s, "999");
	assert_string_equal(amount_count(110505).s, "110,505");
}

static void times_have_the_unit_that_reads_best(void **state)
{
	static const struct { double ps; const char *measured, *exact; } rows[] = {
		{ 0, "0 ns", "0 ns" }, { 1, "1.00 ps", "1 ps" }, { -5, "-5.00 ps", "-5 ps" },
		{ 999.4, "999 ps", "999 ps" }, { 999.6, "1.00 ns", "1 ns" }, { 17800, "17.8 ns", "17.8 ns" },
		{ 24000, "24.0 ns", "24 ns" }, { 999600, "1.00 us", "1 us" }, { 1234567, "1.23 us", "1.23 us" },
		{ 5e9, "5.00 ms", "5 ms" }, { 2.5e11, "250 ms", "250 ms" }, { 1e12, "1.00 s", "1 s" },
		{ 86400e12, "86,400 s", "86,400 s" }, { -2.5e6, "-2.50 us", "-2.5 us" }, { NAN, "0 ns", "0 ns" },
		{ INFINITY, "0 ns", "0 ns" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_string_equal(amount_time(rows[i].ps).s, rows[i].measured);
		assert_string_equal(amount_length(rows[i].ps).s, rows[i].exact);
	}
}

static void shares_are_per_cent(void **state)
{
	(void)state;
	assert_string_equal(amount_share(1000000).s, "100 %");
	assert_string_equal(amount_share(983000).s, "98.3 %");
	assert_string_equal(amount_share(160).s, "0.016 %");
	assert_string_equal(amount_share(3).s, "0.0003 %");
	assert_string_equal(amount_share(0).s, "0 %");
	assert_string_equal(amount_share(NAN).s, "0 %");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_digits_count),
		cmocka_unit_test(times_have_the_unit_that_reads_best),
		cmocka_unit_test(shares_are_per_cent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
