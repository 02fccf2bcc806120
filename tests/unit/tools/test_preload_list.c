// SPDX-License-Identifier: MIT
/* The list of LD_PRELOAD. */
#include <string.h>

#include "unit.h"

#include "run/preload_list.h"

static void the_object_comes_last_and_once(void **state)
{
	static const struct { const char *existing, *list; } rows[] = {
		{ NULL, "/o.so" }, { "", "/o.so" }, { "/a.so", "/a.so:/o.so" }, { "/a.so b.so", "/a.so b.so:/o.so" },
		{ "/o.so", "/o.so" }, { "/a.so:/o.so", "/a.so:/o.so" }, { "/o.so /a.so", "/o.so /a.so" },
		{ ":/o.so: f.so ", ":/o.so: f.so " }, { "/o.so2", "/o.so2:/o.so" }, { "/x/o.so", "/x/o.so:/o.so" },
		{ "/o.s", "/o.s:/o.so" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *list = preload_list_new(rows[i].existing, "/o.so");

		assert_string_equal(list, rows[i].list);
		free(list);
	}
}

static void some_paths_cannot_be_written(void **state)
{
	(void)state;
	assert_true(preload_list_can_have("/usr/$LIB/hpt/libhpt-preload.so"));
	assert_false(preload_list_can_have(""));
	assert_false(preload_list_can_have("/a b.so"));
	assert_false(preload_list_can_have("/a:b.so"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_object_comes_last_and_once),
		cmocka_unit_test(some_paths_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
