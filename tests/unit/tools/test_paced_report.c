// SPDX-License-Identifier: MIT
/* The tables, JSON and CSV of hpt bench sleep --load, of known lateness. */
#include <string.h>

#include "unit.h"
#include "json_at.h"

#include "cli/doc.h"
#include "bench/paced_report.h"
#include "fake_paced.h"

static int64_t late_by_way(unsigned way, unsigned n)
{
	(void)n;
	return way == PACED_UNTIL ? 100 : way == PACED_KERNEL ? 50000 : 2500000;
}

/* One round, and the CPU time of a sleep is 30, 10 and 0 us at each rate. */
static void world(struct paced *s)
{
	static const int64_t cpu_ns[PACED_WAYS] = { 30000, 10000, 0 };

	paced_run(1, 1, late_by_way, s);
	for (unsigned rate = 0; rate < PACED_RATES; rate++)
		for (unsigned way = 0; way < PACED_WAYS; way++)
			s->rows[rate][way].turns[0].cpu_ns = cpu_ns[way] * paced_rates[rate].sleeps;
	assert_true(paced_summarise(s));
}

static char *text_of(const struct paced *s, bool is_csv)
{
	char *text = NULL;
	size_t n;
	struct doc doc = { .to = open_memstream(&text, &n) };

	if (is_csv)
		paced_csv(s, doc.to);
	else
		paced_print(s, &doc);
	fclose(doc.to);
	return text;
}

static void assert_says(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is missing in:\n%s", words, text ? text : "");
}

static void tables_fit_120_columns(void **state)
{
	struct paced s;
	char *text;

	(void)state;
	world(&s);
	text = text_of(&s, false);
	assert_says(text, "Sleeps 1.003 ms apart beside 3 busy threads on ");
	assert_says(text, "how late, 500 sleeps each way");
	assert_says(text, " 100 100-100 "); /* the third way is over in each sleep */
	assert_says(text, " 3.00 "); /* 30 us to 10 us */
	assert_says(text, "The scheduler chose the CPU");
	assert_says(text, "In 550 sleeps hpt found");
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (strlen(line) > 120)
			fail_msg("%s", line);
	free(text);
	paced_free(&s);
}

static void early_sleep_is_reported_first(void **state)
{
	struct paced s;
	char *text;

	(void)state;
	world(&s);
	s.rows[1][PACED_UNTIL].early = 2;
	s.rows[0][PACED_SPIN_SLEEP].early = 7; /* not ours */
	text = text_of(&s, false);
	assert_says(text, "TOO EARLY: 2 of 50 sleeps 10.03 ms apart of hpt_sleep_until_ticks");
	assert_memory_equal(text, "TOO EARLY", 9);
	assert_null(strstr(text, "TOO EARLY: 7"));
	free(text);
	paced_free(&s);
}

static void json_says_what_was_measured(void **state)
{
	json_t *o, *rate, *way;
	struct paced s;

	(void)state;
	world(&s);
	o = paced_json(&s);
	assert_string_equal(json_string_value(json_object_get(o, "bench")), "load");
	assert_int_equal(at(o, "load"), 3);
	assert_int_equal(at(o, "threads"), 1);
	assert_int_equal(at(o, "rounds_done"), 1);
	assert_true(json_is_null(json_object_get(o, "cpu")));
	rate = json_array_get(json_object_get(o, "rates"), 1);
	assert_int_equal(at(o, "over_ns"), 200000);
	assert_int_equal(at(rate, "period_ns"), 10030000);
	way = json_array_get(json_object_get(rate, "ways"), PACED_UNTIL);
	assert_int_equal(at(way, "sleeps"), 50);
	assert_int_equal(at(json_object_get(way, "late"), "p99_ns"), 100);
	assert_true(json_is_null(json_object_get(way, "p999_ns")));
	assert_int_equal(at(way, "p99_ratio_ppm"), 2000);
	assert_int_equal(at(way, "over"), 0);
	assert_true(json_is_null(json_object_get(way, "over_ratio_ppm")));
	assert_true(json_is_false(json_object_get(way, "is_bistable")));
	assert_int_equal(at(way, "cpu_ns"), 30000);
	assert_int_equal(at(way, "cpu_ratio_ppm"), 3000000);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(way, "round_p99_ns"), 0)), 100);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(way, "round_cpu_ns"), 0)), 30000);
	way = json_array_get(json_object_get(rate, "ways"), PACED_SPIN_SLEEP);
	assert_true(json_is_null(json_object_get(way, "cpu_ratio_ppm")));
	assert_int_equal(at(way, "over"), 50);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(way, "round_over"), 0)), 50);
	json_decref(o);
	paced_free(&s);
}

static void all_say_how_many_threads_slept(void **state)
{
	struct paced s;
	char *text;
	json_t *o;

	(void)state;
	paced_threads = 4;
	world(&s);
	paced_threads = 1;
	text = text_of(&s, false);
	assert_says(text, "Sleeps 1.003 ms apart of 4 threads beside 3 busy threads on ");
	assert_says(text, "how late, 2000 sleeps each way");
	assert_says(text, "all 4 threads sleep in one way");
	free(text);
	text = text_of(&s, true);
	assert_says(text, "\n3,4,0,1003000,\"hpt_sleep_until_ticks\",2000,0,0,0,0,");
	free(text);
	o = paced_json(&s);
	assert_int_equal(at(o, "threads"), 4);
	json_decref(o);
	paced_free(&s);
}

static void all_say_when_the_quota_was_used_up(void **state)
{
	struct paced s;
	json_t *o, *way;
	char *text;

	(void)state;
	world(&s);
	text = text_of(&s, false);
	assert_null(strstr(text, "quota"));
	free(text);
	o = paced_json(&s);
	assert_true(json_is_null(json_object_get(o, "quota_percent")));
	json_decref(o);
	s.plan.load = 0;
	s.plan.quota_percent = 10;
	s.rows[1][PACED_KERNEL].turns[0].stops = 7;
	assert_true(paced_summarise(&s));
	text = text_of(&s, false);
	assert_says(text, "Sleeps 1.003 ms apart with a quota of 10 % of a CPU on ");
	assert_says(text, "In 7 periods of 100 ms clock_nanosleep used the quota up");
	assert_null(strstr(text, "ms hpt_sleep_until_ticks used"));
	free(text);
	text = text_of(&s, true);
	assert_says(text, "\n0,1,10,10030000,\"clock_nanosleep\",50,0,0,0,7,");
	free(text);
	o = paced_json(&s);
	assert_int_equal(at(o, "quota_percent"), 10);
	way = json_array_get(json_object_get(json_array_get(json_object_get(o, "rates"), 1), "ways"), PACED_KERNEL);
	assert_int_equal(at(way, "stops"), 7);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(way, "round_stops"), 0)), 7);
	json_decref(o);
	paced_free(&s);
}

/* Where a quarter of the rounds has a multiple of another's P99 it is said, of each way that has it. */
static void no_one_figure_is_given_where_rounds_differ(void **state)
{
	struct paced s;
	char *text;
	json_t *o;

	(void)state;
	world(&s);
	text = text_of(&s, false);
	assert_null(strstr(text, "no one figure"));
	free(text);
	s.rows[0][PACED_KERNEL].round_p99_ps = (struct paced_spread){ 80000000, 4000000000 };
	s.rows[0][PACED_KERNEL].over = 10;
	s.rows[0][PACED_UNTIL].over = 5;
	text = text_of(&s, false);
	assert_says(text, "P99 of clock_nanosleep is no one figure here: it was up to 80.0 us in a quarter of the "
			  "rounds and 4,000 us");
	assert_says(text, " 80.0-4,000 ");
	assert_null(strstr(text, "P99 of hpt"));
	free(text);
	o = paced_json(&s);
	assert_int_equal(at(json_array_get(json_object_get(json_array_get(json_object_get(o, "rates"), 0), "ways"),
					   PACED_UNTIL), "over_ratio_ppm"), 500000);
	json_decref(o);
	assert_true(paced_is_bistable(&s, 0, PACED_KERNEL));
	s.rows[0][PACED_KERNEL].round_p99_ps.low = 1000000000;
	assert_true(paced_is_bistable(&s, 0, PACED_KERNEL));
	s.rows[0][PACED_KERNEL].round_p99_ps.low = 1000000001;
	assert_false(paced_is_bistable(&s, 0, PACED_KERNEL));
	s.rows[0][PACED_KERNEL].round_p99_ps.low = 0;
	assert_false(paced_is_bistable(&s, 0, PACED_KERNEL));
	paced_free(&s);
}

/* P99.9 of fewer than 1000 sleeps is unknown. */
static void far_percentiles_need_enough_sleeps(void **state)
{
	struct paced s;
	char *text;

	(void)state;
	paced_run(2, 1, late_by_way, &s);
	assert_true(paced_summarise(&s));
	text = text_of(&s, true);
	assert_says(text, "\n3,1,0,1003000,\"hpt_sleep_until_ticks\",1000,0,0,0,0,100,100,100,100,100,100,");
	assert_says(text, "\n3,1,0,10030000,\"hpt_sleep_until_ticks\",100,0,0,0,0,100,100,100,100,,100,");
	free(text);
	paced_free(&s);
}

static void csv_has_a_line_for_each(void **state)
{
	struct paced s;
	char *text;
	int lines = 0;

	(void)state;
	world(&s);
	text = text_of(&s, true);
	assert_says(text, "\n3,1,0,1003000,\"hpt_sleep_until_ticks\",500,0,0,0,0,"
			  "100,100,100,100,,100,2000,30000,3000000\n");
	assert_says(text, "\n3,1,0,1003000,\"spin_sleep's rule\",500,0,1000,500,0,");
	assert_says(text, ",50000000,0,\n"); /* 50 times the p99, and no CPU time */
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 1 + PACED_RATES * PACED_WAYS);
	free(text);
	paced_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_fit_120_columns),
		cmocka_unit_test(early_sleep_is_reported_first),
		cmocka_unit_test(json_says_what_was_measured),
		cmocka_unit_test(all_say_how_many_threads_slept),
		cmocka_unit_test(all_say_when_the_quota_was_used_up),
		cmocka_unit_test(no_one_figure_is_given_where_rounds_differ),
		cmocka_unit_test(far_percentiles_need_enough_sleeps),
		cmocka_unit_test(csv_has_a_line_for_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
