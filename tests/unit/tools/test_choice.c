// SPDX-License-Identifier: MIT
/* Lists of ways: order, repeated and unknown names, names with commas. */
#include "captured_err.h"
#include "unit.h"

#include "bench/choice.h"

static const char *const names[] = { "rdtsc", "rdtscp", "nap", "nap, slack 1", "hpt_now(tsc)", NULL };

static const char *name(unsigned i)
{
	return names[i];
}

static const struct cmd cmd = { .name = "bench test" };

static void the_order_is_that_of_the_list(void **state)
{
	const char *wrong = NULL;
	struct choice c;

	(void)state;
	assert_true(choice_parse("hpt_now(tsc),rdtsc", name, &c, &wrong));
	assert_int_equal(c.n, 2);
	assert_int_equal(c.way[0], 4);
	assert_int_equal(c.way[1], 0);
	assert_true(choice_has(&c, 4));
	assert_false(choice_has(&c, 1));
}

static void a_name_is_whole_and_may_have_a_comma(void **state)
{
	const char *wrong = NULL;
	struct choice c;

	(void)state;
	assert_true(choice_parse("rdtscp", name, &c, &wrong));
	assert_int_equal(c.way[0], 1);
	assert_true(choice_parse("nap, slack 1,nap", name, &c, &wrong));
	assert_int_equal(c.n, 2);
	assert_int_equal(c.way[0], 3);
	assert_int_equal(c.way[1], 2);
}

static void a_name_that_comes_twice_counts_once(void **state)
{
	const char *wrong = NULL;
	struct choice c;

	(void)state;
	assert_true(choice_parse("nap,rdtsc,nap", name, &c, &wrong));
	assert_int_equal(c.n, 2);
}

static void wrong_lists_change_nothing(void **state)
{
	static const struct { const char *list, *wrong; } lists[] = {
		{ "", "" }, { "rdts", "rdts" }, { "rdtscpp", "rdtscpp" }, { "rdtsc,", "" }, { ",rdtsc", ",rdtsc" },
		{ "rdtsc,,nap", ",nap" }, { "rdtsc, nap", " nap" }, { "nap, slack 2", " slack 2" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		struct choice c = { .n = 1, .way = { 7 } };
		const char *wrong = NULL;

		assert_false(choice_parse(lists[i].list, name, &c, &wrong));
		assert_string_equal(wrong, lists[i].wrong);
		assert_int_equal(c.n, 1);
		assert_int_equal(c.way[0], 7);
	}
}

static void an_empty_choice_has_all(void **state)
{
	const struct choice none = { 0 };

	(void)state;
	assert_true(choice_has(&none, 0));
	assert_true(choice_has(&none, 31));
}

static void a_refusal_names_the_ways(void **state)
{
	struct choice c;

	(void)state;
	assert_false(choice_take(&cmd, "nap,rdtsq", name, &c));
	assert_string_equal(captured, "bench test: 'rdtsq' is not one of the ways, perhaps 'rdtsc'; they are "
			    "rdtsc; rdtscp; nap; nap, slack 1; hpt_now(tsc)");
	/* The wrong name alone, not what is after it. */
	assert_false(choice_take(&cmd, "rdtsp,nap", name, &c));
	assert_memory_equal(captured, "bench test: 'rdtsp' is not one of the ways, perhaps 'rdtsc'", 59);
	assert_true(choice_take(&cmd, "nap", name, &c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_is_that_of_the_list),
		cmocka_unit_test(a_name_is_whole_and_may_have_a_comma),
		cmocka_unit_test(a_name_that_comes_twice_counts_once),
		cmocka_unit_test(wrong_lists_change_nothing),
		cmocka_unit_test(an_empty_choice_has_all),
		cmocka_unit_test(a_refusal_names_the_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
