// SPDX-License-Identifier: MIT
/* The tables of hpt bench sleep, of ways with known misses. */
#include <string.h>

#include "unit.h"

#include "cli/doc.h"
#include "bench/sweep_report.h"
#include "fake_sleeps.h"

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static char *print(const struct sweep *s, bool is_html)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	struct doc doc = { to, is_html };

	assert_non_null(to);
	sweep_print(s, &doc);
	fclose(to);
	return text;
}

static void assert_in_120_columns(const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (n > 120)
			fail_msg("%.*s", (int)n, text);
	}
}

static void assert_ends_in(const char *text, const char *words)
{
	assert_true(strlen(text) > strlen(words));
	assert_string_equal(text + strlen(text) - strlen(words), words);
}

static void tables_fit_and_end_in_what_was_published(void **state)
{
	struct sweep_plan plan = fake_plan(2);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct sweep s;
		char *text;

		plan.is_table = i;
		fake_sweep(&plan, &s);
		text = print(&s, false);
		assert_in_120_columns(text);
		assert_non_null(strstr(text, "published: mean miss of a call over 0.25 s halving to 1 us;"));
		assert_ends_in(text, "1.892 % (1.504 % at and above 1/HZ, 98.32 % below)\n");
		assert_int_equal(!strstr(text, "Median miss by length"), plan.is_table);
		assert_int_equal(!strstr(text, "nanosleep: miss, entry and exit by length"), !plan.is_table);
		free(text);
		text = print(&s, true);
		assert_non_null(strstr(text, "<th scope=\"row\">papers&#39; rule</th>"));
		free(text);
		fake_drop(&s);
	}
}

static void our_early_sleep_is_reported_first(void **state)
{
	const struct sweep_plan plan = fake_plan(2);
	struct sweep s;
	char *text;

	(void)state;
	fake_sweep(&plan, &s); /* only sleeps of the system are early */
	text = print(&s, false);
	assert_null(strstr(text, "TOO EARLY"));
	assert_non_null(strstr(text, "Disturbed: in 4 sleeps"));
	free(text);
	fake_drop(&s);
	fake_for_late = -181;
	fake_sweep(&plan, &s);
	text = print(&s, false);
	assert_ptr_equal(strstr(text, "TOO EARLY: 4 of 8 sleeps of hpt_sleep_ns"), text);
	free(text);
	fake_drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(tables_fit_and_end_in_what_was_published, set_up),
		cmocka_unit_test_setup(our_early_sleep_is_reported_first, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
