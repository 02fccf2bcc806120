// SPDX-License-Identifier: MIT
/* The tables of hpt bench sleep, of ways with known misses. */
#include <math.h>
#include <stdio.h>
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
		assert_non_null(strstr(text, "\nWhat the papers published, and the same here\n"));
		assert_ends_in(text, "mean miss of a call over 0.25 s halving to 1 us, where 1/HZ is 1 ms.\n"
				     "The lengths here are others, so there is no ratio.\n");
		assert_int_equal(!strstr(text, "Median miss by length"), plan.is_table);
		assert_int_equal(!strstr(text, "nanosleep: miss, entry and exit by length"), !plan.is_table);
		free(text);
		text = print(&s, true);
		assert_non_null(strstr(text, "<th scope=\"row\">papers&#39; rule</th>"));
		free(text);
		fake_drop(&s);
	}
}

/* Of the lines from @heading on that begin with @start, number @n. */
static __attribute__((noinline)) void line_after(const char *text, const char *heading, const char *start, unsigned n,
						 char ret[160])
{
	const char *at = strstr(text, heading);

	for (unsigned i = 0; i <= n; i++) {
		assert_non_null(at);
		at = strstr(at + 1, start);
	}
	assert_non_null(at);
	snprintf(ret, 160, "%.*s", (int)strcspn(at, "\n"), at);
}

#define PUBLISHED "What the papers published"

/* A miss of the busy wait is 10 + 5 + 15 ticks of the fake stopwatch, whatever the length. */
static void what_was_published_stands_beside_what_was_measured(void **state)
{
	struct sweep_plan plan = fake_papers_plan(2);
	double here_us, published_us, ratio, published_cpu;
	char line[160], band[16];
	struct sweep s;
	char *text;

	(void)state;
	fake_sweep(&plan, &s);
	text = print(&s, false);
	line_after(text, PUBLISHED, "busy wait", 0, line);
	assert_int_equal(sscanf(line, "busy wait %15[a-z]", band), 1);
	assert_string_equal(band, "all");
	line_after(text, PUBLISHED, "busy wait", 2, line);
	assert_int_equal(sscanf(line, "busy wait < 1/HZ %lf %lf %lf", &published_us, &here_us, &ratio), 3);
	assert_true(fabs(published_us - 0.07) < 1e-9);
	assert_true(fabs(here_us - s.bands[CANDIDATE_BUSY][BAND_SHORT].miss.mean / 1e6) < 0.001);
	assert_true(fabs(ratio - here_us / published_us) < 0.01 * ratio + 0.01);
	line_after(text, PUBLISHED, "papers' rule", 1, line);
	assert_int_equal(sscanf(line, "papers' rule >= 1/HZ %*f %*f %*f %lf", &published_cpu), 1);
	assert_true(fabs(published_cpu - 1.5) < 0.01);
	free(text);
	fake_drop(&s);
}

static void other_lengths_have_no_ratio(void **state)
{
	struct sweep_plan plan = fake_plan(2);
	char line[160], ratio[24], cpu_ratio[24];
	struct sweep s;
	char *text;

	(void)state;
	fake_sweep(&plan, &s);
	text = print(&s, false);
	line_after(text, PUBLISHED, "papers' rule", 2, line);
	assert_int_equal(sscanf(line, "papers' rule < 1/HZ %*s %*s %23s %*s %*s %23s", ratio, cpu_ratio), 2);
	assert_string_equal(ratio, "-");
	assert_string_equal(cpu_ratio, "-");
	free(text);
	fake_drop(&s);
}

static void one_sleep_has_no_deviation(void **state)
{
	char one[160], two[160], word[2][24];
	struct sweep_plan plan = fake_plan(1);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char *line = i ? two : one;
		struct sweep s;
		char *text;

		plan.longest_ns = plan.shortest_ns;
		plan.rounds = 1 + i;
		fake_reset();
		fake_sweep(&plan, &s);
		text = print(&s, false);
		line_after(text, "Miss of sleeps", "hpt_sleep_ns", 0, line);
		assert_int_equal(sscanf(line, "hpt_sleep_ns %*s %23s", word[i]), 1);
		free(text);
		fake_drop(&s);
	}
	assert_string_equal(word[0], "-");
	assert_string_not_equal(word[1], "-");
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
		cmocka_unit_test_setup(what_was_published_stands_beside_what_was_measured, set_up),
		cmocka_unit_test_setup(other_lengths_have_no_ratio, set_up),
		cmocka_unit_test_setup(one_sleep_has_no_deviation, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
