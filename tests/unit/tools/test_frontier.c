// SPDX-License-Identifier: MIT
/* hpt bench sleep --frontier: its ways and turns, and what it says of known lateness. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "json_at.h"

#include "bench/frontier.h"
#include "bench/frontier_report.h"
#include "cli/doc.h"
#include "math/units.h"

#define SLEEPS 500

/* A round of which each way's first sleeps were late, as many as its number times ten; all others by 1 us. */
static void world(unsigned n_regimes, struct frontier *f)
{
	const struct paced_plan plan = { .threads = 1, .rounds = 1, .seed = 1 };

	memset(f, 0, sizeof(*f));
	assert_int_equal(frontier_prepare(&plan, f), 0);
	f->n_regimes = f->n_regimes < n_regimes ? f->n_regimes : n_regimes;
	for (unsigned i = 0; i < f->n_regimes * FRONTIER_WAYS; i++) {
		struct paced_row *row = &f->paced.rows[0][i];

		for (unsigned n = 0; n < SLEEPS; n++)
			row->late_ps[n] = (FRONTIER_LATE_NS + (n < 10 * i)) * PS_PER_NS;
		row->turns[0].cpu_ns = (int64_t)SLEEPS * NS_PER_US * (i + 1);
	}
	f->paced.rounds_done = 1;
	assert_true(frontier_summarise(f));
}

static void free_world(struct frontier *f)
{
	for (unsigned i = 0; i < FRONTIER_REGIMES * FRONTIER_WAYS; i++) {
		free(f->paced.rows[0][i].late_ps);
		free(f->paced.rows[0][i].turns);
	}
}

static uint32_t present_policy(void)
{
	struct hpt_sleep_info info;

	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	return info.policy;
}

static void turn_has_its_ways_policy(void **state)
{
	static const uint32_t policies[FRONTIER_WAYS] = { HPT_SLEEP_FRUGAL, HPT_SLEEP_BALANCED, HPT_SLEEP_STRICT,
							  HPT_SLEEP_BALANCED, HPT_SLEEP_BALANCED, HPT_SLEEP_BALANCED };
	struct frontier f;
	const struct paced_set *set;

	(void)state;
	world(FRONTIER_REGIMES, &f);
	set = f.paced.plan.set;
	assert_int_equal(set->n_ways, f.n_regimes * FRONTIER_WAYS);
	for (unsigned way = 0; way < set->n_ways; way++) {
		set->enter(way);
		assert_int_equal(present_policy(), policies[way % FRONTIER_WAYS]);
		set->leave(way);
		assert_int_equal(present_policy(), HPT_SLEEP_BALANCED);
		assert_string_equal(set->ways[way].name, frontier_ways[way % FRONTIER_WAYS].name);
	}
	free_world(&f);
}

static void sleep_of_a_microsecond_is_not_late(void **state)
{
	struct frontier f;

	(void)state;
	world(FRONTIER_REGIMES, &f);
	for (unsigned regime = 0; regime < f.n_regimes; regime++)
		for (unsigned way = 0; way < FRONTIER_WAYS; way++)
			assert_int_equal(f.late[regime][way], 10 * (regime * FRONTIER_WAYS + way));
	free_world(&f);
}

static void ratios_are_of_the_same_regime(void **state)
{
	struct frontier f;
	json_t *o;

	(void)state;
	world(FRONTIER_REGIMES, &f);
	o = frontier_json(&f);
	for (unsigned regime = 0; regime < f.n_regimes; regime++)
		for (unsigned way = 0; way < FRONTIER_WAYS; way++) {
			json_t *ways = json_object_get(json_array_get(json_object_get(o, "regimes"), regime), "ways");
			json_t *ratio = json_object_get(json_array_get(ways, way), "cpu_ratio_ppm");
			double first = regime * FRONTIER_WAYS + 1.0;

			assert_int_equal(json_integer_value(ratio),
					 (int64_t)((first + way) / (first + FRONTIER_KERNEL) * 1e6 + 0.5));
		}
	json_decref(o);
	free_world(&f);
}

static void assert_says(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is missing in:\n%s", words, text);
}

static void tables_say_what_was_late(void **state)
{
	struct frontier f;
	char *text = NULL;
	size_t n;
	struct doc doc = { .to = open_memstream(&text, &n) };

	(void)state;
	world(1, &f);
	f.paced.rows[0][FRONTIER_STRICT].early = 3;
	frontier_print(&f, &doc);
	fclose(doc.to);
	assert_says(text, "TOO EARLY: 3 of libhpt's sleeps");
	assert_says(text, "Sleeps 1.003 ms apart, idle CPUs as they are: 500 each way");
	assert_says(text, "hpt, BALANCED");
	assert_says(text, "papers' rule");
	for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		assert_true(strcspn(line, "\n") <= 120);
	free(text);
	free_world(&f);
}

static void csv_has_a_line_for_each_way(void **state)
{
	struct frontier f;
	char *text = NULL;
	size_t n, lines = 0;
	FILE *to = open_memstream(&text, &n);

	(void)state;
	world(1, &f);
	frontier_csv(&f, to);
	fclose(to);
	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	assert_int_equal(lines, 1 + FRONTIER_WAYS);
	assert_says(text, "\"idle CPUs as they are\",\"hpt, BALANCED\",500,0,10,0,1000,1001,2000\n");
	free(text);
	free_world(&f);
}

static void without_a_whole_round_there_is_nothing(void **state)
{
	struct frontier f;

	(void)state;
	world(1, &f);
	f.paced.rounds_done = 0;
	assert_false(frontier_summarise(&f));
	free_world(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turn_has_its_ways_policy),
		cmocka_unit_test(sleep_of_a_microsecond_is_not_late),
		cmocka_unit_test(ratios_are_of_the_same_regime),
		cmocka_unit_test(tables_say_what_was_late),
		cmocka_unit_test(csv_has_a_line_for_each_way),
		cmocka_unit_test(without_a_whole_round_there_is_nothing),
	};

	return cmocka_run_group_tests_name("frontier", tests, NULL, NULL);
}
