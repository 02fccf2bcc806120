// SPDX-License-Identifier: MIT
/* Calls of known cost come out with that cost, rounds are whole and in random order, and all of it is told. */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "unit.h"

/* White box: the loops' macro, to make some of calls that cost what they are told to. */
#include "../../tools/bench/candidates_read.c"

#include "bench/published.h"
#include "bench/reads.h"

static unsigned published;

void hpt_published_tell_reads(struct hpt_doc *doc)
{
	published++;
	hpt_doc_note(doc, "The papers");
}

/* ---- Calls of known cost ---------------------------------------------------------------------------------------- */

static int64_t spin(int64_t ns)
{
	hpt_clock *clk = hpt_stopwatch_clock();
	int64_t ticks = hpt_ns_to_ticks(clk, ns), start = hpt_stopwatch(clk), now;

	do
		now = hpt_stopwatch(clk);
	while (now - start < ticks);
	return now;
}

/* Long beside what it takes to spin at all, also in a build with sanitizers. */
#define NEAR_NS 20000
#define FAR_NS  40000
#define DEAR_NS 120000

LOOPS(near, spin(NEAR_NS))
LOOPS(far, spin(FAR_NS))
LOOPS(dear, spin(DEAR_NS))

static int64_t moves_by_26(hpt_clock *clk)
{
	static int64_t counter;

	(void)clk;
	return counter += 26 * (int64_t)(1 + random_below(2));
}

static bool never(void)
{
	return false;
}

enum { NEAR, FAR, DEAR, NOTHING, KNOWN_ROWS };

static const struct hpt_read_candidate known[] = {
	[NEAR] = { .name = HPT_READ_BASE, .step_of = "fake", .tick_ps = 500, .read = moves_by_26, LOOPS_OF(near) },
	[FAR] = { .name = "far", LOOPS_OF(far) },
	[DEAR] = { .name = "dear", LOOPS_OF(dear) },
	[NOTHING] = { .name = "nothing", LOOPS_OF(nothing) },
	{ .name = "not here", .is_usable = never, LOOPS_OF(nothing) },
};

#define ROUNDS 100

/* Static: what was measured is never given back. */
static struct hpt_reads measured;

static int measure_known(void **state)
{
	struct hpt_reads_plan plan = { .rounds = ROUNDS, .seed = 5 };

	(void)state;
	random_start();
	if (hpt_reads_prepare_candidates(&plan, known, COUNT(known), &measured))
		return -1;
	hpt_reads_measure(&measured, NULL);
	hpt_reads_summarise(&measured);
	return 0;
}

/*
 * The least, for whatever else runs here makes a spin end later, never sooner, and the median is no less. A few per cent: each
 * spin ends between two stamps, and of single ones the stopwatch is taken off.
 */
static void costs(const struct hpt_stats *d, int64_t ns)
{
	int64_t least_ps = ns * 980, most_ps = ns * 1040;

	if (d->min < least_ps || d->min > most_ps || d->median < d->min)
		fail_msg("%lld and more, in the median %lld ps, not %lld ns", (long long)d->min, (long long)d->median, (long long)ns);
}

static void a_known_cost_is_told_in_all_three_ways(void **state)
{
	static const int64_t ns[] = { [NEAR] = NEAR_NS, [FAR] = FAR_NS, [DEAR] = DEAR_NS };

	(void)state;
	for (unsigned i = NEAR; i <= DEAR; i++) {
		costs(&measured.rows[i].throughput, ns[i]);
		costs(&measured.rows[i].isolated, ns[i]);
		costs(&measured.rows[i].single, ns[i]);
	}
}

static void ratio_is_to_the_base_in_the_same_round(void **state)
{
	const struct hpt_stats *far = &measured.rows[FAR].ratio;

	(void)state;
	assert_ptr_equal(measured.base, &measured.rows[NEAR]);
	assert_int_equal(measured.rows[NEAR].ratio.median, 1000000);
	assert_int_equal(measured.rows[NEAR].ratio.max, 1000000);
	assert_int_equal(far->count, ROUNDS);
	assert_in_range(far->median, 1960000, 2040000);
}

static void stopwatch_is_taken_off_but_nothing_is_below_zero(void **state)
{
	const struct hpt_stats *single = &measured.rows[NOTHING].single;

	(void)state;
	assert_true(measured.stopwatch_ps > 1000);
	assert_true(single->min >= 0);
	assert_true(single->median < measured.stopwatch_ps / 3);
}

static void slices_fit_the_cost(void **state)
{
	(void)state;
	assert_int_equal(measured.n_rows, KNOWN_ROWS); /* without the one that is not here */
	assert_in_range(measured.rows[NEAR].calls, 8, 10); /* of 50 us */
	assert_int_equal(measured.rows[DEAR].calls, 8);
	assert_int_equal(measured.rows[NOTHING].calls, 4000);
	assert_int_equal(measured.rows[DEAR].singles, 10000 / ROUNDS);
	assert_int_equal(measured.rows[NOTHING].singles, 200000 / ROUNDS);
	assert_int_equal(measured.rows[NOTHING].single.count, 200000);
}

static void rounds_follow_each_other(void **state)
{
	(void)state;
	assert_int_equal(atomic_load(&measured.rounds_done), ROUNDS);
	assert_int_equal(measured.wall_ns, measured.ended_ns[ROUNDS - 1]);
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned i = 0; i < KNOWN_ROWS; i++) {
			assert_true(measured.rows[i].begun_ns[round] < measured.ended_ns[round]);
			assert_true(measured.rows[i].begun_ns[round] > (round ? measured.ended_ns[round - 1] : 0));
		}
}

static void steps_are_told_in_picoseconds(void **state)
{
	(void)state;
	assert_int_equal(measured.n_steps, 1);
	assert_string_equal(measured.steps[0].name, "fake");
	assert_int_equal(measured.steps[0].tick_ps, 500);
	assert_int_equal(measured.steps[0].step_ps, 13000);
	assert_int_equal(measured.steps[0].least_ps, 13000);
}

/* ---- Order ------------------------------------------------------------------------------------------------------ */

#define ORDER_ROWS   5
#define ORDER_ROUNDS 40

static unsigned row_of(const struct hpt_reads *r, unsigned round, unsigned place)
{
	for (unsigned i = 0; i < r->n_rows; i++) {
		unsigned before = 0;

		for (unsigned j = 0; j < r->n_rows; j++)
			before += r->rows[j].begun_ns[round] < r->rows[i].begun_ns[round];
		if (before == place)
			return i;
	}
	fail_msg("two rows of round %u began at once", round);
	return 0;
}

static void measure_order(uint32_t seed, unsigned ret[ORDER_ROUNDS][ORDER_ROWS])
{
	static struct hpt_reads read_[3];
	static unsigned used;
	struct hpt_reads *r = &read_[used++];
	struct hpt_read_candidate calls[ORDER_ROWS];
	struct hpt_reads_plan plan = { .rounds = ORDER_ROUNDS, .seed = seed };

	for (unsigned i = 0; i < ORDER_ROWS; i++)
		calls[i] = (struct hpt_read_candidate){ .name = "near", LOOPS_OF(near) };
	assert_int_equal(hpt_reads_prepare_candidates(&plan, calls, ORDER_ROWS, r), 0);
	hpt_reads_measure(r, NULL);
	for (unsigned round = 0; round < ORDER_ROUNDS; round++)
		for (unsigned place = 0; place < ORDER_ROWS; place++)
			ret[round][place] = row_of(r, round, place);
}

static void order_is_random_and_the_seed_s(void **state)
{
	static unsigned first[ORDER_ROUNDS][ORDER_ROWS], again[ORDER_ROUNDS][ORDER_ROWS];
	static unsigned other[ORDER_ROUNDS][ORDER_ROWS];
	unsigned came_first[ORDER_ROWS] = { 0 };

	(void)state;
	measure_order(1, first);
	measure_order(1, again);
	measure_order(2, other);
	assert_memory_equal(first, again, sizeof(first));
	assert_memory_not_equal(first, other, sizeof(first));
	for (unsigned round = 0; round < ORDER_ROUNDS; round++)
		came_first[first[round][0]]++;
	for (unsigned i = 0; i < ORDER_ROWS; i++)
		assert_in_range(came_first[i], 1, ORDER_ROUNDS / 2); /* 8 are expected */
}

/* ---- A run that was left off ------------------------------------------------------------------------------------ */

static void only_whole_rounds_count(void **state)
{
	int64_t throughput[] = { 1000, 3000, 2000, 777, 777 }, isolated[] = { 10, 30, 20, 777, 777 };
	int64_t base[] = { 500, 1000, 0, 777, 777 }, singles[] = { 1, 2, 3, 4, 5, 6, 777, 777, 777, 777 };
	int64_t stopwatch[] = { 30, 20, 10, 777, 777 }, ended[] = { 5, 6, 7, 777, 777 };
	struct hpt_reads_row rows[] = {
		{ .singles = 2, .throughput_ps = throughput, .isolated_ps = isolated, .single_ps = singles },
		{ .singles = 2, .throughput_ps = base, .isolated_ps = isolated, .single_ps = singles },
	};
	struct hpt_reads r = { .plan.rounds = 5, .rows = rows, .n_rows = 2, .base = &rows[1], .rounds_done = 3,
			      .stopwatch_round_ps = stopwatch, .ended_ns = ended };

	(void)state;
	hpt_reads_summarise(&r);
	assert_int_equal(rows[0].throughput.count, 3);
	assert_int_equal(rows[0].throughput.median, 2000);
	assert_int_equal(rows[0].throughput.max, 3000);
	assert_int_equal(rows[0].isolated.max, 30);
	assert_int_equal(rows[0].single.count, 6);
	assert_int_equal(rows[0].single.max, 6);
	assert_int_equal(rows[0].ratio.count, 2); /* a base of nothing has no ratio */
	assert_int_equal(rows[0].ratio.min, 2000000);
	assert_int_equal(rows[0].ratio.max, 3000000);
	assert_int_equal(r.stopwatch_ps, 20);
	assert_int_equal(r.wall_ns, 7);
}

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

static void one_source_leaves_the_yardsticks(void **state)
{
	static struct hpt_reads r;
	struct hpt_reads_plan plan = { .source = HPT_SOURCE_OS, .rounds = 1 };
	unsigned ours = 0;

	(void)state;
	assert_int_equal(hpt_reads_prepare(&plan, &r), 0);
	for (unsigned i = 0; i < r.n_rows; i++) {
		assert_true(!r.rows[i].call->source || r.rows[i].call->source == HPT_SOURCE_OS);
		assert_int_equal(!r.rows[i].call->source, !r.rows[i].call->clk);
		ours += r.rows[i].call->source == HPT_SOURCE_OS;
	}
	assert_int_equal(ours, 4);
	assert_true(r.n_rows >= 4 + 7);
	assert_non_null(r.base);
	assert_string_equal(r.base->call->name, "clock_gettime(MONOTONIC)");
}

static void a_source_that_cannot_be_opened_is_an_error(void **state)
{
	struct hpt_reads r;
	struct hpt_reads_plan plan = { .rounds = 1 };

	(void)state;
	for (plan.source = 1; strcmp(hpt_source_name(plan.source), "unknown") != 0; plan.source++) {
		hpt_clock *clk;
		int err = hpt_clock_open(plan.source, &clk);

		if (err)
			assert_int_equal(hpt_reads_prepare(&plan, &r), err);
		else
			hpt_clock_close(clk);
	}
	plan.source = 12345;
	assert_int_equal(hpt_reads_prepare(&plan, &r), -EINVAL);
}

static void every_source_of_the_headers_is_in_the_table(void **state)
{
	(void)state;
	for (uint32_t id = 1; strcmp(hpt_source_name(id), "unknown") != 0; id++) {
		unsigned rows = 0;

		for (unsigned i = 0; i < hpt_n_read_candidates; i++) {
			if (hpt_read_candidates[i].source != id)
				continue;
			rows++;
			assert_non_null(strstr(hpt_read_candidates[i].name, hpt_source_name(id)));
		}
		assert_int_equal(rows, 4);
	}
}

static void bare_calls_are_what_they_say(void **state)
{
	(void)state;
	for (unsigned i = 0; i < hpt_n_read_candidates; i++) {
		const struct hpt_read_candidate *call = &hpt_read_candidates[i];
		static const char *const names[] = { HPT_READ_BASE, "clock_gettime(REALTIME)",
						     "clock_gettime(MONOTONIC_RAW)" };
		clockid_t ids[] = { CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_MONOTONIC_RAW };

		assert_int_equal(!call->step_of, !call->read);
		for (unsigned j = 0; j < COUNT(ids); j++)
			if (!strcmp(call->name, names[j])) {
				int64_t before = hpt_os_ns(ids[j]), now = call->read(NULL);

				assert_true(before <= now && now <= hpt_os_ns(ids[j]));
			}
	}
}

/* ---- What is told ----------------------------------------------------------------------------------------------- */

static char *told(bool is_html)
{
	char *text = NULL;
	size_t size;
	struct hpt_doc doc = { .to = open_memstream(&text, &size), .is_html = is_html };

	hpt_reads_print(&measured, &doc);
	fclose(doc.to);
	return text;
}

static void tables_fit_a_terminal(void **state)
{
	char *text = told(false), *rest = text, *line;
	unsigned before = published, lines = 0;

	(void)state;
	assert_true(before > 0);
	while ((line = strsep(&rest, "\n"))) {
		lines++;
		if (strlen(line) > 120 + 4) /* the plus-minus may have two bytes, twice */
			fail_msg("%s", line);
	}
	assert_true(lines > KNOWN_ROWS + 10);
	free(text);
}

static void tables_are_told_as_html_too(void **state)
{
	char *text = told(true), row[64];

	(void)state;
	snprintf(row, sizeof(row), "<th scope=\"row\">far</th><td class=\"n\">%lld</td>",
		 llround((double)measured.rows[FAR].throughput.median / 1000));
	assert_non_null(strstr(text, row));
	assert_non_null(strstr(text, "The papers"));
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
	hpt_reads_csv(&measured, to);
	fclose(to);
	rest = text;
	fields = fields_of(strsep(&rest, "\n"));
	assert_int_equal(fields, 29);
	while ((line = strsep(&rest, "\n")) && *line) {
		assert_int_equal(fields_of(line), fields);
		assert_int_equal(strncmp(line, known[lines].name, strlen(known[lines].name)), 0);
		lines++;
	}
	assert_int_equal(lines, KNOWN_ROWS);
	free(text);
}

static void names_need_no_quotes_in_csv(void **state)
{
	(void)state;
	for (unsigned i = 0; i < hpt_n_read_candidates; i++)
		assert_null(strpbrk(hpt_read_candidates[i].name, ",\"\n"));
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
	json_t *o = hpt_reads_json(&measured), *row = json_array_get(json_object_get(o, "rows"), FAR);
	json_t *step = json_array_get(json_object_get(o, "granularity"), 0);

	(void)state;
	has_members(o, "hpt_json bench start_unix_ns wall_ns cpu rounds rounds_done seed filter stopwatch_ps rows "
		    "granularity");
	has_members(row, "name kind source calls throughput isolated single ratio_ppm throughput_ps isolated_ps");
	has_members(step, "name tick_ps step_ps least_ps");
	has_members(json_object_get(row, "ratio_ppm"), "median p10 p90");
	assert_string_equal(json_string_value(json_object_get(row, "kind")), "yardstick");
	assert_true(json_is_null(json_object_get(row, "source")));
	assert_int_equal(json_array_size(json_object_get(o, "rows")), KNOWN_ROWS);
	assert_int_equal(json_array_size(json_object_get(row, "throughput_ps")), ROUNDS);
	assert_int_equal(json_array_size(json_object_get(row, "isolated_ps")), ROUNDS);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(row, "single"), "median_ps")),
			 measured.rows[FAR].single.median);
	json_decref(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_cost_is_told_in_all_three_ways),
		cmocka_unit_test(ratio_is_to_the_base_in_the_same_round),
		cmocka_unit_test(stopwatch_is_taken_off_but_nothing_is_below_zero),
		cmocka_unit_test(slices_fit_the_cost),
		cmocka_unit_test(rounds_follow_each_other),
		cmocka_unit_test(steps_are_told_in_picoseconds),
		cmocka_unit_test(order_is_random_and_the_seed_s),
		cmocka_unit_test(only_whole_rounds_count),
		cmocka_unit_test(one_source_leaves_the_yardsticks),
		cmocka_unit_test(a_source_that_cannot_be_opened_is_an_error),
		cmocka_unit_test(every_source_of_the_headers_is_in_the_table),
		cmocka_unit_test(bare_calls_are_what_they_say),
		cmocka_unit_test(tables_fit_a_terminal),
		cmocka_unit_test(tables_are_told_as_html_too),
		cmocka_unit_test(csv_has_a_line_a_row),
		cmocka_unit_test(names_need_no_quotes_in_csv),
		cmocka_unit_test(json_has_all_of_it),
	};

	return cmocka_run_group_tests(tests, measure_known, NULL);
}
