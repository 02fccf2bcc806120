// SPDX-License-Identifier: MIT
/* The value of ASAN_OPTIONS: what there was stays, and has the last word. */
#include <string.h>

#include "unit.h"

#include "run/asan_options.h"

#define OURS "verify_asan_link_order=0"

static void the_option_comes_last(void **state)
{
	static const struct { const char *existing, *value; } rows[] = {
		{ NULL, OURS },
		{ "", OURS },
		{ "detect_leaks=0", "detect_leaks=0:" OURS },
		{ "a=1 b=2,c=3", "a=1 b=2,c=3:" OURS },
		{ "detect_leaks=0:", "detect_leaks=0::" OURS },
		{ "verify_asan_link_orders=0", "verify_asan_link_orders=0:" OURS },
		{ "verify_asan_link_orde=0", "verify_asan_link_orde=0:" OURS },
		{ "verify_asan_link_ordex=0", "verify_asan_link_ordex=0:" OURS },
		{ "xverify_asan_link_order=0", "xverify_asan_link_order=0:" OURS },
		{ "verify_asan_link_order", "verify_asan_link_order:" OURS },
		{ "log_path=verify_asan_link_order=1", "log_path=verify_asan_link_order=1:" OURS },
		{ "log_path='a:verify_asan_link_order=1'", "log_path='a:verify_asan_link_order=1':" OURS },
		{ "log_path=\"a' verify_asan_link_order=1\"", "log_path=\"a' verify_asan_link_order=1\":" OURS },
		{ "log_path=a'b:c=d'", "log_path=a'b:c=d':" OURS },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *value = asan_options_new(rows[i].existing);

		assert_non_null(value);
		assert_string_equal(value, rows[i].value);
		free(value);
	}
}

static void a_word_of_the_user_stays(void **state)
{
	static const char *const texts[] = {
		"verify_asan_link_order=1", "verify_asan_link_order=0", "verify_asan_link_order=",
		"verify_asan_link_order='1'",
		"a=1:verify_asan_link_order=true", "a=1 verify_asan_link_order=1", "a=1,verify_asan_link_order=1,b=2",
		"a=1\nverify_asan_link_order=1", "a=1\tverify_asan_link_order=1", "a=1\rverify_asan_link_order=1",
		"a='b c':verify_asan_link_order=1", "a=\"'\" verify_asan_link_order=1", "a=''verify_asan_link_order=1",
		"flag verify_asan_link_order=1",
		"a=x'y:verify_asan_link_order=1",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_null(asan_options_new(texts[i]));
}

/* The runtime refuses these itself. */
static void texts_without_an_end_end(void **state)
{
	static const char *const texts[] = { "a='\0" OURS, "a=\"b\0" OURS, "'", "=", "a=", "=:=:=" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		char *value = asan_options_new(texts[i]);

		assert_non_null(value);
		assert_memory_equal(value, texts[i], strlen(texts[i]));
		free(value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_option_comes_last),
		cmocka_unit_test(a_word_of_the_user_stays),
		cmocka_unit_test(texts_without_an_end_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
