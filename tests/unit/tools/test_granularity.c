// SPDX-License-Identifier: MIT
/* The step of known counters: those of AMD and Intel, clocks rounded to nanoseconds, coarse clocks. */
#include <string.h>

#include "unit.h"

#include "bench/granularity.h"
#include "cli/stopwatch.h"

/* @n differences of this size; the last entry has n = 0. */
struct some { int64_t size; size_t n; };

static struct counter_granularity step_of(const struct some *moves, size_t still)
{
	static int64_t v[100000];
	size_t n = 0;

	for (; moves->n; moves++)
		for (size_t i = 0; i < moves->n; i++)
			v[n++] = moves->size;
	for (size_t i = n; i > 1; i--) {
		size_t j = random_below(i);
		int64_t t = v[i - 1];

		v[i - 1] = v[j];
		v[j] = t;
	}
	return granularity_of(v, n, still);
}

#define STEP_OF(still, ...) step_of((const struct some[]){ __VA_ARGS__, { 0, 0 } }, still).step

static void a_counter_that_never_moves_has_no_step(void **state)
{
	struct counter_granularity s = step_of((const struct some[]){ { 0, 0 } }, 1000);

	(void)state;
	assert_int_equal(s.step, 0);
	assert_int_equal(s.least, 0);
}

/* As measured on AMD Zen. */
static void zen_steps_by_26(void **state)
{
	(void)state;
	assert_int_equal(STEP_OF(0, { 26, 190 }, { 52, 810 }), 26);             /* RDTSCP */
	assert_int_equal(STEP_OF(0, { 26, 890 }, { 25, 54 }, { 1, 54 }), 26);   /* RDTSC: the processor adds 1 */
	assert_int_equal(STEP_OF(0, { 26, 190 }, { 52, 800 }, { 51, 5 }, { 1, 5 }), 26);
	assert_int_equal(STEP_OF(0, { 26, 190 }, { 52, 800 }, { 12345, 3 }), 26); /* an interrupt */
	assert_int_equal(STEP_OF(0, { 20, 100 }, { 30, 800 }, { 40, 20 }), 10); /* the kernel's clock on it, in ns */
	assert_int_equal(STEP_OF(0, { 20, 100 }, { 30, 800 }, { 50, 20 }), 10);
	assert_int_equal(STEP_OF(0, { 78, 100 }, { 52, 100 }, { 130, 10 }), 26);
}

static void rounding_to_whole_ticks_is_no_step(void **state)
{
	(void)state;
	/* An HPET with ticks of 69.84 ns, in ns; a read takes 14 ticks. */
	assert_in_range(STEP_OF(0, { 978, 100 }, { 1047, 300 }, { 1048, 500 }, { 1117, 200 }, { 1118, 2 }), 69, 70);
}

static void a_counter_finer_than_its_reads_scatter_steps_by_1(void **state)
{
	(void)state;
	assert_int_equal(STEP_OF(0, { 19, 10 }, { 20, 300 }, { 21, 400 }, { 22, 100 }), 1);
	assert_int_equal(STEP_OF(0, { 33, 100 }, { 40, 100 }, { 43, 100 }, { 59, 30 }), 1);
	assert_int_equal(STEP_OF(0, { 36, 100 }, { 38, 500 }, { 40, 100 }), 2);
	assert_int_equal(STEP_OF(0, { 3, 100 }, { 5, 100 }), 2);
}

static void a_clock_of_microseconds_steps_by_1(void **state)
{
	(void)state;
	assert_int_equal(STEP_OF(39000, { 1, 998 }, { 5, 1 }, { 44, 1 }), 1);
	assert_int_equal(STEP_OF(300, { 1, 600 }, { 2, 10 }), 1);
	assert_int_equal(STEP_OF(0, { 1, 500 }, { 2, 500 }), 1);
	assert_int_equal(STEP_OF(300, { 1, 600 }), 1);
}

static void a_coarse_clock_steps_by_its_period(void **state)
{
	static const struct some moves[] = { { 3999998, 1 }, { 4000001, 2 }, { 0, 0 } };
	struct counter_granularity s = step_of(moves, 500000);

	(void)state;
	assert_int_equal(s.step, 4000001);
	assert_int_equal(s.least, 3999998);
	assert_int_equal(STEP_OF(500000, { 4000000, 1 }), 4000000);
	assert_int_equal(STEP_OF(500000, { 4000000, 4 }, { 8000000, 1 }), 4000000);
}

static void one_cluster_alone_is_the_step(void **state)
{
	(void)state;
	assert_int_equal(STEP_OF(0, { 1000, 500 }), 1000);
	assert_int_equal(STEP_OF(0, { 26, 810 }, { 27, 50 }), 26);
	assert_int_equal(STEP_OF(0, { 25, 50 }, { 26, 810 }), 26);
	assert_int_equal(STEP_OF(20, { 1000, 500 }), 1000);
}

/* ---- Counters that are read ------------------------------------------------------------------------------------- */

static int64_t counter, now_ns;

/* Time passes only as counters are read, so that no preemption hides moves of one. */
int64_t stopwatch_os_ns(int clock_id)
{
	(void)clock_id;
	return now_ns;
}

static int64_t standing(hpt_clock *clk)
{
	(void)clk;
	now_ns += 10;
	return 7;
}

/* 5000 reads of it take 50 ms. */
static int64_t slow_and_standing(hpt_clock *clk)
{
	(void)clk;
	now_ns += 10000;
	return 7;
}

static int64_t by_26(hpt_clock *clk)
{
	(void)clk;
	now_ns += 10;
	return counter += 26 * (int64_t)(1 + random_below(2));
}

static int64_t by_3_ms(hpt_clock *clk)
{
	(void)clk;
	now_ns += 50;
	return now_ns / 3000000;
}

static int64_t backwards(hpt_clock *clk)
{
	(void)clk;
	now_ns += 10;
	return counter -= 5;
}

static void counters_are_read_until_it_is_known(void **state)
{
	struct counter_granularity s = granularity_measure(by_26, NULL);

	(void)state;
	assert_int_equal(s.step, 26);
	assert_int_equal(s.least, 26);
	assert_int_equal(granularity_measure(by_3_ms, NULL).step, 1);
}

static void a_counter_that_stands_still_does_not_hold_us_up(void **state)
{
	static int64_t (*const reads[])(hpt_clock *clk) = { standing, slow_and_standing, backwards };

	(void)state;
	for (size_t i = 0; i < COUNT(reads); i++) {
		int64_t start_ns = now_ns;

		assert_int_equal(granularity_measure(reads[i], NULL).step, 0);
		assert_in_range(now_ns - start_ns, 50000000, 51000000); /* and a batch of slow reads */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_that_never_moves_has_no_step),
		cmocka_unit_test(zen_steps_by_26),
		cmocka_unit_test(rounding_to_whole_ticks_is_no_step),
		cmocka_unit_test(a_counter_finer_than_its_reads_scatter_steps_by_1),
		cmocka_unit_test(a_clock_of_microseconds_steps_by_1),
		cmocka_unit_test(a_coarse_clock_steps_by_its_period),
		cmocka_unit_test(one_cluster_alone_is_the_step),
		cmocka_unit_test(counters_are_read_until_it_is_known),
		cmocka_unit_test(a_counter_that_stands_still_does_not_hold_us_up),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
