// SPDX-License-Identifier: MIT
/* What hpt bench sleep tells of ways whose misses are known: tables, JSON, CSV. */
#include <string.h>

#include "unit.h"

#include "fake_sleeps.h"

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

enum form { TEXT, HTML, CSV };

static char *tell(const struct hpt_sweep *s, enum form form)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	struct hpt_doc doc = { to, form == HTML };

	assert_non_null(to);
	if (form == CSV)
		hpt_sweep_csv(s, to);
	else
		hpt_sweep_print(s, &doc);
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

static void tables_fit_and_end_in_what_was_published(void **state)
{
	struct hpt_sweep_plan plan = fake_plan(2);

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct hpt_sweep s;
		char *text;

		plan.is_loaded = i & 1;
		plan.is_table = i & 2;
		fake_sweep(&plan, &s);
		text = tell(&s, TEXT);
		assert_in_120_columns(text);
		assert_string_equal(strstr(text, FAKE_PUBLISHED), FAKE_PUBLISHED "\n");
		assert_int_equal(!strstr(text, "Median miss by length"), plan.is_table);
		assert_int_equal(!strstr(text, "nanosleep: miss, entry and exit by length"), !plan.is_table);
		assert_int_equal(!strstr(text, "beside a busy thread"), !plan.is_loaded);
		assert_int_equal(!strstr(text, "\nbusy wait "), plan.is_loaded);
		free(text);
		text = tell(&s, HTML);
		assert_non_null(strstr(text, "<th scope=\"row\">papers&#39; rule</th>"));
		free(text);
		fake_drop(&s);
	}
}

static void our_early_sleep_is_told_first(void **state)
{
	const struct hpt_sweep_plan plan = fake_plan(2);
	struct hpt_sweep s;
	char *text;

	(void)state;
	fake_sweep(&plan, &s); /* the system's are early, ours are not */
	text = tell(&s, TEXT);
	assert_null(strstr(text, "TOO EARLY"));
	assert_non_null(strstr(text, "Disturbed: in 4 sleeps"));
	free(text);
	fake_drop(&s);
	fake_for_late = -181;
	fake_sweep(&plan, &s);
	text = tell(&s, TEXT);
	assert_ptr_equal(strstr(text, "TOO EARLY: 4 of 8 sleeps of hpt_sleep_ns"), text);
	free(text);
	fake_drop(&s);
}

static int64_t int_of(const json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return json_integer_value(json_object_get(o, key));
}

static int64_t nth_of(const json_t *o, const char *key, unsigned i)
{
	return json_integer_value(json_array_get(json_object_get(o, key), i));
}

static void json_has_what_is_known_and_null_for_the_rest(void **state)
{
	const struct hpt_sweep_plan plan = fake_plan(3);
	json_t *o, *until, *nano, *length;
	struct hpt_sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	o = hpt_sweep_json(&s);
	assert_string_equal(json_string_value(json_object_get(o, "bench")), "sleep");
	assert_int_equal(int_of(o, "rounds_done"), 3);
	assert_int_equal(int_of(o, "disturbed"), 8);
	assert_int_equal(json_array_size(json_object_get(o, "lengths_ns")), 4);
	assert_int_equal(json_array_size(json_object_get(o, "ways")), HPT_CANDIDATES);
	until = json_array_get(json_object_get(o, "ways"), HPT_CANDIDATE_UNTIL);
	assert_int_equal(json_array_size(json_object_get(until, "bands")), HPT_BANDS);
	length = json_array_get(json_object_get(until, "lengths"), 1);
	assert_int_equal(int_of(length, "length_ns"), 4000000);
	assert_int_equal(int_of(json_object_get(length, "deadline_miss"), "median_ns"), 51);
	assert_true(json_is_null(json_object_get(length, "entry")));
	for (unsigned round = 0; round < 3; round++) {
		assert_int_equal(nth_of(length, "miss_ns", round), 150 + round);
		assert_int_equal(nth_of(length, "deadline_miss_ns", round), 50 + round);
		assert_int_equal(nth_of(length, "slept_ns", round), 4000150 + round);
	}
	assert_int_equal(json_array_size(json_object_get(length, "miss_ns")), 3);
	assert_int_equal(json_array_size(json_object_get(length, "cpu_ns")), 3);
	nano = json_array_get(json_object_get(o, "ways"), HPT_CANDIDATE_NANO);
	length = json_array_get(json_object_get(nano, "lengths"), 0);
	assert_true(json_is_null(json_object_get(length, "deadline_miss")));
	assert_true(json_is_null(json_object_get(length, "deadline_miss_ns")));
	json_decref(o);
	fake_drop(&s);
}

static void csv_has_a_line_a_length_and_band(void **state)
{
	const struct hpt_sweep_plan plan = fake_plan(1);
	unsigned lines = 0, commas_wanted = 0;
	struct hpt_sweep s;
	char *text;

	(void)state;
	fake_sweep(&plan, &s);
	text = tell(&s, CSV);
	for (const char *c = text, *end; (end = strchr(c, '\n')); c = end + 1, lines++) {
		unsigned commas = 0;
		bool is_quoted = false;

		for (; c < end; c++) {
			is_quoted ^= *c == '"';
			commas += *c == ',' && !is_quoted;
		}
		if (!lines)
			commas_wanted = commas;
		assert_int_equal(commas, commas_wanted);
	}
	assert_int_equal(lines, 1 + HPT_CANDIDATES * (4 + HPT_BANDS));
	assert_non_null(strstr(text, "\n\"papers' rule\",,8000000,1,0,425,0,425,425,425,425,425,405,20,400,"));
	assert_non_null(strstr(text, "\n\"hpt_sleep_ns\",short,,2,0,180,0,180,180,180,180,180,,130,,"));
	free(text);
	fake_drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(tables_fit_and_end_in_what_was_published, set_up),
		cmocka_unit_test_setup(our_early_sleep_is_told_first, set_up),
		cmocka_unit_test_setup(json_has_what_is_known_and_null_for_the_rest, set_up),
		cmocka_unit_test_setup(csv_has_a_line_a_length_and_band, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
