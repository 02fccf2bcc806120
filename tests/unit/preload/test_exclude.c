// SPDX-License-Identifier: MIT
/* Programs that are left alone: whole names alone, of the last part of a path, anywhere in the list. */
#include "unit.h"

#include "preload/exclude.h"

static void whole_names_are_found(void **state)
{
	(void)state;
	assert_true(hpt_exclude_has("java", "java"));
	assert_true(hpt_exclude_has("a:java:b", "/usr/bin/java"));
	assert_true(hpt_exclude_has("a:java", "./java"));
	assert_true(hpt_exclude_has(":java", "java"));
	assert_true(hpt_exclude_has("java:", "java"));
}

static void others_are_not(void **state)
{
	(void)state;
	assert_false(hpt_exclude_has("java", "javac"));
	assert_false(hpt_exclude_has("javac", "java"));
	assert_false(hpt_exclude_has("lava", "java"));
	assert_false(hpt_exclude_has("xjava:javax", "java"));
	assert_false(hpt_exclude_has("java", "/java/x"));
	assert_false(hpt_exclude_has("bin/java", "bin/java"));
}

static void nothing_is_in_no_list_and_no_name_in_any(void **state)
{
	(void)state;
	assert_false(hpt_exclude_has(NULL, "java"));
	assert_false(hpt_exclude_has("", "java"));
	assert_false(hpt_exclude_has("::", ""));
	assert_false(hpt_exclude_has("java", NULL));
	assert_false(hpt_exclude_has("java", "/bin/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_names_are_found),
		cmocka_unit_test(others_are_not),
		cmocka_unit_test(nothing_is_in_no_list_and_no_name_in_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
