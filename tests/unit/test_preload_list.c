// SPDX-License-Identifier: MIT
/* The list of LD_PRELOAD. */
#include <string.h>

#include "unit.h"

#include "run/preload_list.h"

static void parts_are_joined_in_order(void **state)
{
	static const struct { const char *first, *existing, *last, *list; } rows[] = {
		{ NULL, NULL, "/o.so", "/o.so" },
		{ NULL, "", "/o.so", "/o.so" },
		{ NULL, "/a.so", "/o.so", "/a.so:/o.so" },
		{ NULL, "/a.so b.so", "/o.so", "/a.so b.so:/o.so" },
		{ "libasan.so.8", NULL, "/o.so", "libasan.so.8:/o.so" },
		{ "libasan.so.8", "/a.so", "/o.so", "libasan.so.8:/a.so:/o.so" },
		{ "libasan.so.8", "/a.so", NULL, "libasan.so.8:/a.so" },
		{ "libasan.so.8", NULL, NULL, "libasan.so.8" },
		{ NULL, NULL, NULL, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *list = hpt_preload_list_new(rows[i].first, rows[i].existing, rows[i].last);

		assert_string_equal(list, rows[i].list);
		free(list);
	}
}

static void what_is_there_is_not_repeated(void **state)
{
	static const struct { const char *existing, *list; } rows[] = {
		{ "/o.so", "f.so:/o.so" }, { "/a.so:/o.so", "f.so:/a.so:/o.so" }, { "/o.so /a.so", "f.so:/o.so /a.so" },
		{ "f.so:/o.so", "f.so:/o.so" }, { ":/o.so: f.so ", ":/o.so: f.so " },
		{ "/o.so2", "f.so:/o.so2:/o.so" }, { "/x/o.so", "f.so:/x/o.so:/o.so" }, { "/o.s", "f.so:/o.s:/o.so" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *list = hpt_preload_list_new("f.so", rows[i].existing, "/o.so");

		assert_string_equal(list, rows[i].list);
		free(list);
	}
}

static void some_paths_cannot_be_written(void **state)
{
	(void)state;
	assert_true(hpt_preload_list_can_have("/usr/$LIB/hpt/libhpt-preload.so"));
	assert_false(hpt_preload_list_can_have(""));
	assert_false(hpt_preload_list_can_have("/a b.so"));
	assert_false(hpt_preload_list_can_have("/a:b.so"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_joined_in_order),
		cmocka_unit_test(what_is_there_is_not_repeated),
		cmocka_unit_test(some_paths_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
