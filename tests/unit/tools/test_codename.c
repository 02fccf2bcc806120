// SPDX-License-Identifier: MIT
/* Which processors libcpuid can name, by its version. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "../../../tools/info/codename.h"

static void a_family_newer_than_the_table_is_unknown(void **state)
{
	(void)state;
	assert_false(codename_is_known("amd", 26, "0.6.2"));
	assert_false(codename_is_known("amd", 26, "0.6.5"));
	assert_true(codename_is_known("amd", 26, "0.7.0"));
	assert_true(codename_is_known("amd", 26, "1.0.0"));
	assert_false(codename_is_known("amd", 27, "0.8.1"));
	assert_false(codename_is_known("amd", 26, "unknown"));
	assert_false(codename_is_known("intel", 19, "0.8.1"));
}

static void older_families_and_other_vendors_are_known(void **state)
{
	(void)state;
	assert_true(codename_is_known("amd", 25, "0.6.2"));
	assert_true(codename_is_known("amd", 15, "0.5.0"));
	assert_true(codename_is_known("intel", 6, "0.6.2"));
	assert_true(codename_is_known("centaur", 7, "0.6.2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_family_newer_than_the_table_is_unknown),
		cmocka_unit_test(older_families_and_other_vendors_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
