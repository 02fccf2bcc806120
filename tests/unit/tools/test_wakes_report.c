// SPDX-License-Identifier: MIT
/* The tables, JSON and CSV of hpt bench wake, of known samples. */
#include <string.h>

#include "unit.h"
#include "json_at.h"

#include "cli/doc.h"
#include "bench/wakes_report.h"
#include "fake_wakes.h"
#include "math/units.h"

static char *text_of(const struct wakes *f, bool is_csv)
{
	char *text = NULL;
	size_t n;
	struct doc doc = { .to = open_memstream(&text, &n) };

	if (is_csv)
		wakes_csv(f, doc.to);
	else
		wakes_print(f, &doc);
	fclose(doc.to);
	return text;
}

/* Two ways, of which the second is the bare one, and two keepers. */
static struct wakes faked_report(int64_t *late_ps)
{
	static int64_t bare_ps[] = { 2000, 2000, 2000, 2000, 2000 };
	struct wakes f = fake_wakes(5);

	f.plan = (struct wakes_plan){ .rounds = 1, .period_ns = NS_PER_MS, .ticker_ns = 2 * NS_PER_MS, .seed = 9 };
	f.phases[0].n_ways = 2;
	f.phases[0].ways[1] =
		(struct wakes_candidate){ .name = "bare", .latency_ps = bare_ps, .cost_ps = fake_costs };
	f.n_keepers = 2;
	for (unsigned i = 0; i < 2; i++)
		f.keepers[i] = (struct wakes_keeper){
			.name = i ? "clock, slack" : "ticker", .late_ps = late_ps, .n = 2, .done = 2, .missed = 3,
			.cpu_ns = 1, .elapsed_ns = 4,
		};
	wakes_summarise(&f);
	return f;
}

static void tables_fit_120_columns(void **state)
{
	int64_t late_ps[] = { 3000, -123456789012 };
	struct wakes f = faked_report(late_ps);
	char *text = text_of(&f, false), *line = strtok(text, "\n");

	(void)state;
	assert_non_null(line);
	for (; line; line = strtok(NULL, "\n"))
		if (strlen(line) > 120)
			fail_msg("%s", line);
	free(text);
	text = text_of(&f, false);
	assert_non_null(strstr(text, " 2.50\n")); /* 5000 to 2000 */
	assert_non_null(strstr(text, "5 of 7 rounds"));
	free(text);
}

static void phase_of_a_cold_waker_says_so(void **state)
{
	int64_t late_ps[] = { 3000, 1000 };
	struct wakes f = faked_report(late_ps);
	json_t *o;
	char *text;

	(void)state;
	f.phases[0].asleep_ns = 10 * NS_PER_MS;
	text = text_of(&f, false);
	assert_non_null(strstr(text, "in the kernel, 10 ms asleep: 5 of"));
	free(text);
	f.phases[0].is_cold = true;
	text = text_of(&f, false);
	assert_non_null(strstr(text, "10 ms asleep, from a CPU that idled as long: 5 of"));
	free(text);
	o = wakes_json(&f);
	assert_true(json_is_true(json_object_get(json_array_get(json_object_get(o, "phases"), 0), "cold_waker")));
	json_decref(o);
}

static void reports_why_there_are_no_interrupts(void **state)
{
	struct wakes alone = { .sleeper_cpu = -1 }, unmoved = fake_wakes(0);
	char *text = text_of(&alone, false);
	json_t *o = wakes_json(&alone);

	(void)state;
	assert_non_null(strstr(text, "One CPU only"));
	free(text);
	assert_true(json_is_null(json_object_get(o, "sleeper_cpu")));
	assert_true(json_is_null(json_object_get(o, "ticker")));
	assert_int_equal(json_array_size(json_object_get(o, "phases")), 0);
	json_decref(o);
	unmoved.sleeper_cpu = -1;
	text = text_of(&unmoved, false);
	assert_non_null(strstr(text, "No thread could be put"));
	free(text);
}

static void json_says_what_was_measured(void **state)
{
	int64_t late_ps[] = { 3000, 1000 };
	struct wakes f = faked_report(late_ps);
	json_t *o = wakes_json(&f), *phase = json_array_get(json_object_get(o, "phases"), 0);
	json_t *way = json_array_get(json_object_get(phase, "ways"), 0);
	json_t *keeper = json_array_get(json_object_get(json_object_get(o, "ticker"), "keepers"), 1);

	(void)state;
	assert_string_equal(json_string_value(json_object_get(o, "bench")), "wake");
	assert_int_equal(at(o, "rounds"), 1);
	assert_int_equal(at(o, "seed"), 9);
	assert_int_equal(at(o, "sleeper_cpu"), 1);
	assert_int_equal(at(phase, "rounds"), COUNT(fake_latencies));
	assert_int_equal(at(phase, "rounds_done"), 5);
	assert_true(json_is_false(json_object_get(phase, "cold_waker")));
	assert_int_equal(at(json_object_get(way, "latency"), "median_ns"), 5);
	assert_int_equal(at(json_object_get(way, "cost"), "count"), 5);
	assert_int_equal(at(keeper, "ticks"), 2);
	assert_int_equal(at(keeper, "missed"), 3);
	assert_int_equal(at(keeper, "cpu_ppm"), 250000);
	assert_int_equal(at(keeper, "drift_ns"), -2);
	assert_int_equal(at(json_object_get(keeper, "late"), "max_ns"), 3);
	json_decref(o);
}

/* Commas outside of quotes. */
static int columns_of(const char *line)
{
	int n = 1;
	bool is_quoted = false;

	for (; *line; line++) {
		is_quoted ^= *line == '"';
		n += *line == ',' && !is_quoted;
	}
	return n;
}

static void csv_has_a_line_for_each(void **state)
{
	int64_t late_ps[] = { 3000, 1000 };
	struct wakes f = faked_report(late_ps);
	char *text = text_of(&f, true);
	int lines = 0;

	(void)state;
	assert_non_null(strstr(text, "\nspin,\"one\",latency,5,0,5.000,"));
	assert_non_null(strstr(text, ",3,250000,-2.000\n"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
		assert_int_equal(columns_of(line), 21);
	assert_int_equal(lines, 1 + 4 + 2);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_fit_120_columns),
		cmocka_unit_test(phase_of_a_cold_waker_says_so),
		cmocka_unit_test(reports_why_there_are_no_interrupts),
		cmocka_unit_test(json_says_what_was_measured),
		cmocka_unit_test(csv_has_a_line_for_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
