// SPDX-License-Identifier: MIT
/* JSON and CSV of hpt bench sleep, of ways with known misses. */
#include <math.h>
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

static json_t *band_of(const json_t *o, unsigned way, unsigned band)
{
	const json_t *ways = json_object_get(o, "ways");

	return json_array_get(json_object_get(json_array_get(ways, way), "bands"), band);
}

static void published_values_have_ratios(void **state)
{
	struct sweep_plan plan = fake_papers_plan(2);
	struct sweep s;
	json_t *o, *p;

	(void)state;
	fake_sweep(&plan, &s);
	o = sweep_json(&s);
	assert_true(json_is_null(json_object_get(band_of(o, CANDIDATE_UNTIL, BAND_ALL), "published")));
	assert_true(json_is_null(json_object_get(band_of(o, CANDIDATE_ABSOLUTE, BAND_LONG), "published")));
	p = json_object_get(band_of(o, CANDIDATE_NANO, BAND_LONG), "published");
	assert_int_equal(int_of(p, "miss_mean_ns"), 61985);
	assert_int_equal(int_of(p, "miss_ratio_ppm"),
			 llround(s.bands[CANDIDATE_NANO][BAND_LONG].miss.mean / 61985000.0 * 1e6));
	assert_true(json_is_null(json_object_get(p, "cpu_ppm")));
	assert_true(json_is_null(json_object_get(p, "cpu_ratio_ppm")));
	p = json_object_get(band_of(o, CANDIDATE_PAPERS, BAND_ALL), "published");
	assert_true(json_is_null(json_object_get(p, "miss_mean_ns")));
	assert_int_equal(int_of(p, "cpu_ppm"), 18920);
	assert_int_equal(int_of(p, "cpu_ratio_ppm"),
			 llround((double)s.bands[CANDIDATE_PAPERS][BAND_ALL].cpu_ppm / 18920.0 * 1e6));
	json_decref(o);
	fake_drop(&s);
}

static void other_lengths_have_no_ratio(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct sweep_plan plan = fake_papers_plan(1);
		struct sweep s;
		json_t *o, *p;

		if (i == 0)
			plan.longest_ns *= 2;
		else if (i == 1)
			plan.shortest_ns *= 2;
		else
			plan.step++;
		fake_sweep(&plan, &s);
		o = sweep_json(&s);
		p = json_object_get(band_of(o, CANDIDATE_PAPERS, BAND_ALL), "published");
		assert_int_equal(int_of(p, "cpu_ppm"), 18920);
		assert_true(json_is_null(json_object_get(p, "cpu_ratio_ppm")));
		p = json_object_get(band_of(o, CANDIDATE_PAPERS, BAND_SHORT), "published");
		assert_int_equal(int_of(p, "miss_mean_ns"), 95);
		assert_true(json_is_null(json_object_get(p, "miss_ratio_ppm")));
		json_decref(o);
		fake_drop(&s);
		fake_reset();
	}
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

static void each_sleep_is_a_line_of_csv(void **state)
{
	struct sweep_plan plan = fake_plan(2);
	char *text = NULL, *rest, *line;
	struct sweep s;
	unsigned n = 0;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	plan.only = (struct choice){ .n = 2, .way = { CANDIDATE_PAPERS, CANDIDATE_NANO } };
	fake_sweep(&plan, &s);
	sweep_samples(&s, to);
	fclose(to);
	rest = text;
	assert_string_equal(strsep(&rest, "\n"), "way,round,length_ns,miss_ps,deadline_miss_ps,entry_ps,exit_ps,cpu_ns,"
						 "user_us,system_us");
	line = strsep(&rest, "\n");
	assert_int_equal(strncmp(line, "\"papers' rule\",0,8000000,425000,405000,20000,400000,", 52), 0);
	for (; line && *line; n++)
		line = strsep(&rest, "\n");
	assert_int_equal(n, 2 * 2 * 4);
	free(text);
	fake_drop(&s);
}

static void nanosleep_has_no_moments_of_its_own(void **state)
{
	struct sweep_plan plan = fake_plan(1);
	char *text = NULL;
	struct sweep s;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	plan.only = (struct choice){ .n = 1, .way = { CANDIDATE_NANO } };
	fake_sweep(&plan, &s);
	sweep_samples(&s, to);
	fclose(to);
	assert_non_null(strstr(text, "\n\"nanosleep\",0,4000000,60000000,,,,"));
	free(text);
	fake_drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(json_has_what_is_known_and_null_for_the_rest, set_up),
		cmocka_unit_test_setup(published_values_have_ratios, set_up),
		cmocka_unit_test_setup(other_lengths_have_no_ratio, set_up),
		cmocka_unit_test_setup(each_sleep_is_a_line_of_csv, set_up),
		cmocka_unit_test_setup(nanosleep_has_no_moments_of_its_own, set_up),
		cmocka_unit_test_setup(csv_has_a_line_a_length_and_band, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
