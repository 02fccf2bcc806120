// SPDX-License-Identifier: MIT
/* The tables, CSV and JSON of hpt bench read, from invented results. */
#include <inttypes.h>

#include "captured_err.h"
#include "json_at.h"
#include "markup.h"
#include "plot_world.h"

#include "bench/reads_report.h"
#include "cli/amount.h"

#define ROUNDS  30
#define SINGLES 20
#define ROWS    12

enum { FAR = 2 };

static struct reads measured;

/* Adds what world_read() leaves out: the values of each round, and their statistics. */
static void add_rounds(struct reads_row *row)
{
	row->throughput_ps = calloc(ROUNDS, sizeof(int64_t));
	row->isolated_ps = calloc(ROUNDS, sizeof(int64_t));
	for (unsigned i = 0; i < ROUNDS; i++) {
		row->throughput_ps[i] = row->single_ps[i];
		row->isolated_ps[i] = row->single_ps[i] + 1000;
	}
	stats_of(row->throughput_ps, ROUNDS, &row->throughput);
	stats_of(row->isolated_ps, ROUNDS, &row->isolated);
	row->calls = 77;
	row->ratio = (struct stats){ .count = ROUNDS, .median = 1960000, .p10 = 1900000, .p90 = 2100000 };
}

static int make_world(void **state)
{
	static struct reads_granularity steps[] = { { "fake", 500, 13000, 13000 }, { "still", 500, 0, 0 } };

	(void)state;
	random_start();
	world_read(&measured, ROWS, ROUNDS, SINGLES);
	for (unsigned i = 0; i < ROWS; i++)
		add_rounds(&measured.rows[i]);
	measured.rows[ROWS - 1].ratio.count = 0;
	measured.steps = steps;
	measured.n_steps = COUNT(steps);
	return 0;
}

static int free_world(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		free(measured.rows[i].throughput_ps);
		free(measured.rows[i].isolated_ps);
	}
	world_read_free(&measured);
	return 0;
}

static __attribute__((noinline)) char *printed(bool is_html)
{
	char *text = NULL;
	size_t size;
	struct doc doc = { .to = open_memstream(&text, &size), .is_html = is_html };

	reads_print(&measured, &doc);
	fclose(doc.to);
	return text;
}

static void tables_fit_a_terminal(void **state)
{
	char *text = printed(false), *rest = text, *line;
	unsigned lines = 0;

	(void)state;
	assert_says(text, "\nIntel Core i7-2600 ");
	assert_says(text, "\nWhat the papers published: reads by source, and the same reads here\n");
	assert_says(text, " 207.9 filtered ");
	assert_says(text, " 20.9812 unfiltered ");
	assert_says(text, "38.231");
	assert_says(text, "0.031");
	while ((line = strsep(&rest, "\n"))) {
		lines++;
		if (strlen(line) > 120 + 4) /* two plus-minus signs may have two bytes each */
			fail_msg("%s", line);
	}
	assert_true(lines > ROWS + 10);
	free(text);
}

static void tables_are_html_too(void **state)
{
	char *text = printed(true), row[160];

	(void)state;
	snprintf(row, sizeof(row), "<th scope=\"row\">hpt_<wbr>now(<wbr>hpet)</th><td class=\"n\">%s</td>",
		 amount_of((double)measured.rows[FAR].throughput.median / 1000).s);
	assert_says(text, row);
	assert_says(text, "<td class=\"n\">1063.3</td>");
	free(text);
}

static unsigned fields_of(const char *line)
{
	unsigned n = 1;

	for (; *line; line++)
		n += *line == ',';
	return n;
}

static void csv_has_a_line_a_row(void **state)
{
	char *text = NULL, *rest, *line;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	unsigned fields, lines = 0;

	(void)state;
	reads_csv(&measured, to);
	fclose(to);
	rest = text;
	fields = fields_of(strsep(&rest, "\n"));
	assert_int_equal(fields, 29);
	while ((line = strsep(&rest, "\n")) && *line) {
		assert_int_equal(fields_of(line), fields);
		assert_int_equal(strncmp(line, world_calls[lines].name, strlen(world_calls[lines].name)), 0);
		lines++;
	}
	assert_int_equal(lines, ROWS);
	free(text);
}

static void has_members(const json_t *o, const char *names)
{
	char *copy = strdup(names), *rest = copy, *name;
	size_t n = 0;

	for (; (name = strsep(&rest, " ")); n++)
		if (!json_object_get(o, name))
			fail_msg("no %s", name);
	assert_int_equal(json_object_size(o), n);
	free(copy);
}

static void json_has_all_of_it(void **state)
{
	json_t *o = reads_json(&measured), *row = json_array_get(json_object_get(o, "rows"), FAR);
	json_t *step = json_array_get(json_object_get(o, "granularity"), 0);

	(void)state;
	has_members(o, "hpt_json bench start_unix_ns wall_ns cpu rounds rounds_done seed filter stopwatch_ps rows "
		    "granularity");
	has_members(row, "name kind source calls throughput isolated single ratio_ppm published throughput_ps "
			 "isolated_ps");
	has_members(step, "name tick_ps step_ps least_ps");
	has_members(json_object_get(row, "ratio_ppm"), "median p10 p90");
	assert_string_equal(json_string_value(json_object_get(row, "kind")), "source");
	assert_string_equal(json_string_value(json_object_get(row, "source")), "hpet");
	row = json_array_get(json_object_get(o, "rows"), ROWS - 1);
	assert_string_equal(json_string_value(json_object_get(row, "kind")), "yardstick");
	assert_true(json_is_null(json_object_get(row, "source")));
	assert_true(json_is_null(json_object_get(row, "ratio_ppm")));
	row = json_array_get(json_object_get(o, "rows"), FAR);
	assert_int_equal(json_array_size(json_object_get(o, "rows")), ROWS);
	assert_int_equal(json_array_size(json_object_get(row, "throughput_ps")), ROUNDS);
	assert_int_equal(json_array_size(json_object_get(row, "isolated_ps")), ROUNDS);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(row, "single"), "median_ps")),
			 measured.rows[FAR].single.median);
	json_decref(o);
}

static const json_t *published_of(const json_t *o, const char *call, size_t n, size_t i)
{
	const json_t *rows = json_object_get(o, "rows");

	for (size_t k = 0; k < json_array_size(rows); k++) {
		const json_t *row = json_array_get(rows, k), *list = json_object_get(row, "published");

		if (strcmp(json_string_value(json_object_get(row, "name")), call) != 0)
			continue;
		assert_int_equal(json_array_size(list), n);
		return json_array_get(list, i);
	}
	fail_msg("no row %s", call);
	return NULL;
}

/* Filtered means are compared with filtered ones, and the others with unfiltered ones. */
static void published_values_have_ratios(void **state)
{
	json_t *o = reads_json(&measured);
	const json_t *hpet = published_of(o, "hpt_now(hpet)", 4, 1), *all_hpet = published_of(o, "hpt_now(hpet)", 4, 2);
	const json_t *rdtscp = published_of(o, "rdtscp", 1, 0);
	double filtered = measured.rows[FAR].single.filtered_mean, plain = measured.rows[6].single.mean;

	(void)state;
	has_members(hpet, "machine mean_ps stddev_ps is_filtered ratio_ppm");
	assert_string_equal(json_string_value(json_object_get(hpet, "machine")), "AMD Athlon X2");
	assert_int_equal(at(hpet, "mean_ps"), 1063300);
	assert_int_equal(at(hpet, "stddev_ps"), 207900);
	assert_true(json_is_true(json_object_get(hpet, "is_filtered")));
	assert_int_equal(at(hpet, "ratio_ppm"), llround(filtered / 1063300 * 1e6));
	assert_int_equal(at(all_hpet, "mean_ps"), 1112500);
	assert_true(json_is_false(json_object_get(all_hpet, "is_filtered")));
	assert_int_equal(at(all_hpet, "ratio_ppm"), llround(measured.rows[FAR].single.mean / 1112500 * 1e6));
	assert_int_equal(at(rdtscp, "mean_ps"), 16910);
	assert_true(json_is_false(json_object_get(rdtscp, "is_filtered")));
	assert_int_equal(at(rdtscp, "ratio_ppm"), llround(plain / 16909.7 * 1e6));
	published_of(o, "hpt_now_ns(tsc)", 0, 0);
	published_of(o, "hpt_now(NULL)", 0, 0);
	json_decref(o);
}

struct beside { char read[24], mean[24], stddev[24], peaks[24], here[48], ratio[24]; };

/* The row of the published read of this name, from the last table. */
static void find_beside(const char *machine, const char *read, struct beside *ret)
{
	char *text = printed(false), *rest = text, *line;
	bool is_there = false;

	while (!is_there && (line = strsep(&rest, "\n")))
		is_there = !strncmp(line, machine, strlen(machine)) &&
			   sscanf(line + strlen(machine), "%23s %23s %23s %23s %47s %23s", ret->read, ret->mean,
				  ret->stddev, ret->peaks, ret->here, ret->ratio) == 6 && !strcmp(ret->read, read);
	free(text);
	if (!is_there)
		fail_msg("no row of %s", read);
}

static void the_same_reads_here_stand_beside_the_published_ones(void **state)
{
	struct amount here_ns = amount_of(measured.rows[6].single.mean / 1000);
	struct beside row;

	(void)state;
	find_beside("Intel Core i7-2600", "RDTSCP", &row);
	assert_string_equal(row.mean, "16.9097");
	assert_string_equal(row.peaks, "unfiltered");
	assert_int_equal(strncmp(row.here, here_ns.s, strlen(here_ns.s)), 0);
	assert_string_equal(row.ratio, amount_of(measured.rows[6].single.mean / 16909.7).s);
}

static void what_is_not_measured_has_a_dash(void **state)
{
	unsigned n = measured.n_rows;
	struct beside row;

	(void)state;
	measured.n_rows = 1; /* hpt_now(tsc) alone */
	find_beside("Intel Core i7-2600", "RDTSCP", &row);
	assert_string_equal(row.here, "-");
	assert_string_equal(row.ratio, "-");
	find_beside("AMD Athlon X2", "TSC", &row);
	assert_string_not_equal(row.here, "-");
	measured.n_rows = n;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_fit_a_terminal),
		cmocka_unit_test(tables_are_html_too),
		cmocka_unit_test(csv_has_a_line_a_row),
		cmocka_unit_test(json_has_all_of_it),
		cmocka_unit_test(published_values_have_ratios),
		cmocka_unit_test(the_same_reads_here_stand_beside_the_published_ones),
		cmocka_unit_test(what_is_not_measured_has_a_dash),
	};

	return cmocka_run_group_tests(tests, make_world, free_world);
}
