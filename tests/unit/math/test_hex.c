// SPDX-License-Identifier: MIT
/* Hexadecimal digits: all characters. */
#include <string.h>

#include "unit.h"

#include "math/hex.h"

static void digits_are_those_of_the_kernel(void **state)
{
	static const char digits[] = "0123456789abcdef";

	(void)state;
	for (int c = 1; c < 256; c++) {
		const char *at = strchr(digits, c);

		assert_int_equal(hpt_hex_digit((char)c), at ? at - digits : -1);
	}
	assert_int_equal(hpt_hex_digit('\0'), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_are_those_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
