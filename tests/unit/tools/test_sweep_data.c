// SPDX-License-Identifier: MIT
/* JSON and CSV of hpt bench sleep, of ways with known misses. */
#include <string.h>

#include "unit.h"

#include "bench/sweep_data.h"
#include "fake_sleeps.h"

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static char *csv_of(const struct sweep *s)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	assert_non_null(to);
	sweep_csv(s, to);
	fclose(to);
	return text;
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
	const struct sweep_plan plan = fake_plan(3);
	json_t *o, *until, *nano, *length;
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	o = sweep_json(&s);
	assert_string_equal(json_string_value(json_object_get(o, "bench")), "sleep");
	assert_int_equal(int_of(o, "rounds_done"), 3);
	assert_int_equal(int_of(o, "diverged"), 8);
	assert_int_equal(json_array_size(json_object_get(o, "lengths_ns")), 4);
	assert_int_equal(json_array_size(json_object_get(o, "ways")), CANDIDATES);
	until = json_array_get(json_object_get(o, "ways"), CANDIDATE_UNTIL);
	assert_int_equal(json_array_size(json_object_get(until, "bands")), BANDS);
	length = json_array_get(json_object_get(until, "lengths"), 1);
	assert_int_equal(int_of(length, "length_ns"), 4000000);
	assert_int_equal(int_of(json_object_get(length, "deadline_miss"), "median_ns"), 51);
	assert_true(json_is_null(json_object_get(length, "entry")));
	assert_int_equal(int_of(json_object_get(length, "exit"), "median_ns"), 51);
	assert_true(json_is_true(json_object_get(length, "exit_is_derived")));
	length = json_array_get(json_object_get(until, "bands"), BAND_LONG);
	assert_int_equal(int_of(json_object_get(length, "exit"), "max_ns"), 52);
	length = json_array_get(json_object_get(until, "lengths"), 1);
	for (unsigned round = 0; round < 3; round++) {
		assert_int_equal(nth_of(length, "miss_ns", round), 150 + round);
		assert_int_equal(nth_of(length, "deadline_miss_ns", round), 50 + round);
		assert_int_equal(nth_of(length, "slept_ns", round), 4000150 + round);
	}
	assert_int_equal(json_array_size(json_object_get(length, "miss_ns")), 3);
	assert_int_equal(json_array_size(json_object_get(length, "cpu_ns")), 3);
	nano = json_array_get(json_object_get(o, "ways"), CANDIDATE_NANO);
	length = json_array_get(json_object_get(nano, "lengths"), 0);
	assert_true(json_is_null(json_object_get(length, "deadline_miss")));
	assert_true(json_is_null(json_object_get(length, "deadline_miss_ns")));
	json_decref(o);
	fake_drop(&s);
}

static void csv_has_a_line_a_length_and_band(void **state)
{
	const struct sweep_plan plan = fake_plan(1);
	unsigned lines = 0, commas_wanted = 0;
	struct sweep s;
	char *text;

	(void)state;
	fake_sweep(&plan, &s);
	text = csv_of(&s);
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
	assert_int_equal(lines, 1 + CANDIDATES * (4 + BANDS));
	assert_non_null(strstr(text, "\n\"papers' rule\",,8000000,1,0,425,0,425,425,425,425,425,405,20,400,"));
	assert_non_null(strstr(text, "\n\"hpt_sleep_ns\",short,,2,0,180,0,180,180,180,180,180,,130,50,"));
	free(text);
	fake_drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(json_has_what_is_known_and_null_for_the_rest, set_up),
		cmocka_unit_test_setup(csv_has_a_line_a_length_and_band, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
