// SPDX-License-Identifier: MIT
/* The table of calls to measure, and the calls that a plan selects. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "unit.h"

#include "bench/candidates_read.h"
#include "bench/reads.h"
#include "cli/stopwatch.h"

static void one_source_leaves_the_yardsticks(void **state)
{
	static struct reads r;
	struct reads_plan plan = { .source = HPT_SOURCE_OS, .rounds = 1 };
	unsigned ours = 0;

	(void)state;
	assert_int_equal(reads_prepare(&plan, &r), 0);
	for (unsigned i = 0; i < r.n_rows; i++) {
		assert_true(!r.rows[i].call->source || r.rows[i].call->source == HPT_SOURCE_OS);
		assert_int_equal(!r.rows[i].call->source, !r.rows[i].call->clk);
		ours += r.rows[i].call->source == HPT_SOURCE_OS;
	}
	assert_int_equal(ours, 8);
	assert_true(r.n_rows >= 8 + 7);
	assert_non_null(r.base);
	assert_string_equal(r.base->call->name, "clock_gettime(MONOTONIC)");
}

static void a_source_that_cannot_be_opened_is_an_error(void **state)
{
	struct reads r;
	struct reads_plan plan = { .rounds = 1 };

	(void)state;
	for (plan.source = 1; strcmp(hpt_source_name(plan.source), "unknown") != 0; plan.source++) {
		hpt_clock *clk;
		int err = hpt_clock_open(plan.source, 0, &clk);

		if (err)
			assert_int_equal(reads_prepare(&plan, &r), err);
		else
			hpt_clock_close(clk);
	}
	plan.source = 12345;
	assert_int_equal(reads_prepare(&plan, &r), -EINVAL);
}

static void every_source_of_the_headers_is_in_the_table(void **state)
{
	(void)state;
	for (uint32_t id = HPT_SOURCE_TSC; id < HPT_SOURCE_MANUAL; id++) {
		unsigned rows = 0;

		for (unsigned i = 0; i < n_read_candidates; i++) {
			if (read_candidates[i].source != id)
				continue;
			rows++;
			assert_non_null(strstr(read_candidates[i].name, hpt_source_name(id)));
		}
		assert_int_equal(rows, 8);
	}
}

static void bare_calls_are_what_they_say(void **state)
{
	(void)state;
	for (unsigned i = 0; i < n_read_candidates; i++) {
		const struct read_candidate *call = &read_candidates[i];
		static const char *const names[] = { READ_BASE, "clock_gettime(REALTIME)",
						     "clock_gettime(MONOTONIC_RAW)" };
		clockid_t ids[] = { CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_MONOTONIC_RAW };

		assert_int_equal(!call->step_of, !call->read);
		for (unsigned j = 0; j < COUNT(ids); j++)
			if (!strcmp(call->name, names[j])) {
				int64_t before = stopwatch_os_ns(ids[j]), now = call->read(NULL);

				assert_true(before <= now && now <= stopwatch_os_ns(ids[j]));
			}
	}
}

static void names_need_no_quotes_in_csv(void **state)
{
	(void)state;
	for (unsigned i = 0; i < n_read_candidates; i++)
		assert_null(strpbrk(read_candidates[i].name, ",\"\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_source_leaves_the_yardsticks),
		cmocka_unit_test(a_source_that_cannot_be_opened_is_an_error),
		cmocka_unit_test(every_source_of_the_headers_is_in_the_table),
		cmocka_unit_test(bare_calls_are_what_they_say),
		cmocka_unit_test(names_need_no_quotes_in_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
