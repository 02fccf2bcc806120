// SPDX-License-Identifier: MIT
/* Rounds of reads with known singles: the order, the stopwatch's own time, and the statistics of complete rounds. */
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "unit.h"

#include "bench/reads.h"
#include "cli/stopwatch.h"

/* ---- Fakes of candidates_read.c and stopwatch.c: nothing here measures the machine ------------------------------- */

#define STOPWATCH_TICKS 30
#define TICK_PS         100

struct stopwatch stopwatch_finest(void)
{
	return (struct stopwatch){ .clk = hpt_clock_default() };
}

void stopwatch_await_rate(hpt_clock *clk)
{
	(void)clk;
}

int64_t stopwatch_to_ps(hpt_clock *clk, int64_t ticks)
{
	(void)clk;
	return ticks * TICK_PS;
}

int64_t stopwatch_os_ns(int clock_id)
{
	struct timespec ts = { 0 };

	clock_gettime((clockid_t)clock_id, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* Rows in the order in which their singles are timed, by two calls each: warm-up and slice. */
static unsigned timed[4096];
static size_t n_timed;

static void time_row(unsigned row, int64_t ticks, int64_t *ret_ticks, uint32_t calls)
{
	timed[n_timed++ % COUNT(timed)] = row;
	for (uint32_t i = 0; i < calls; i++)
		ret_ticks[i] = ticks;
}

static void loop(hpt_clock *clk, uint32_t calls)
{
	(void)clk, (void)calls;
}

#define SINGLES(row, ticks)                                                                                     \
	static void singles_##row(hpt_clock *clk, const struct stopwatch *stopwatch, int64_t *ret_ticks,    \
				  uint32_t calls)                                                               \
	{                                                                                                       \
		(void)clk, (void)stopwatch;                                                                     \
		time_row(row, ticks, ret_ticks, calls);                                                         \
	}

#define SINGLES_OF(row) .loop = loop, .isolated = loop, .singles = singles_##row

enum { FIRST_TICKS = 530, SECOND_TICKS = 1030, QUICK_TICKS = 7 };

SINGLES(0, FIRST_TICKS)
SINGLES(1, SECOND_TICKS)
SINGLES(2, QUICK_TICKS)
SINGLES(3, FIRST_TICKS)
SINGLES(4, FIRST_TICKS)
SINGLES(99, STOPWATCH_TICKS)

static bool never(void)
{
	return false;
}

static int64_t moves_by_26(hpt_clock *clk)
{
	static int64_t counter;

	(void)clk;
	return counter += 26 * (int64_t)(1 + random_below(2));
}

enum { FIRST, SECOND, QUICK, ROWS = 5 };

const struct read_candidate read_nothing = { .name = "nothing", SINGLES_OF(99) };

const struct read_candidate read_candidates[] = {
	[FIRST] = { .name = READ_BASE, .step_of = "fake", .tick_ps = 500, .read = moves_by_26, SINGLES_OF(0) },
	[SECOND] = { .name = "second", SINGLES_OF(1) },
	[QUICK] = { .name = "quicker than the stopwatch", SINGLES_OF(2) },
	{ .name = "third", SINGLES_OF(3) },
	{ .name = "fourth", SINGLES_OF(4) },
	{ .name = "not here", .is_usable = never, SINGLES_OF(4) },
};

const unsigned n_read_candidates = COUNT(read_candidates);

#define ROUNDS 40

static void measure(uint32_t seed, struct reads *ret)
{
	struct reads_plan plan = { .rounds = ROUNDS, .seed = seed };

	assert_int_equal(reads_prepare(&plan, ret), 0);
	reads_measure(ret, NULL);
	assert_true(reads_summarise(ret));
}

/* ---- One run ---------------------------------------------------------------------------------------------------- */

static struct reads measured;

static int measure_once(void **state)
{
	(void)state;
	random_start();
	measure(5, &measured);
	return 0;
}

static void stopwatch_is_taken_off_but_nothing_is_below_zero(void **state)
{
	static const int64_t ps[] = { [FIRST] = 500 * TICK_PS, [SECOND] = 1000 * TICK_PS, [QUICK] = 0 };

	(void)state;
	assert_int_equal(measured.n_rows, ROWS); /* without the one that is not usable */
	assert_int_equal(measured.stopwatch_ps, STOPWATCH_TICKS * TICK_PS);
	for (unsigned i = FIRST; i <= QUICK; i++) {
		assert_int_equal(measured.rows[i].single.min, ps[i]);
		assert_int_equal(measured.rows[i].single.max, ps[i]);
	}
}

static void all_rounds_are_measured(void **state)
{
	const struct reads_row *row = &measured.rows[SECOND];

	(void)state;
	assert_int_equal(atomic_load(&measured.rounds_done), ROUNDS);
	assert_ptr_equal(measured.base, &measured.rows[FIRST]);
	assert_int_equal(row->throughput.count, ROUNDS);
	assert_int_equal(row->isolated.count, ROUNDS);
	assert_int_equal(row->single.count, (size_t)ROUNDS * row->singles);
	assert_int_equal(measured.elapsed_ns, measured.ended_ns[ROUNDS - 1]);
	for (unsigned round = 0; round < ROUNDS; round++) {
		assert_true(row->begun_ns[round] <= measured.ended_ns[round]);
		assert_true(row->begun_ns[round] >= (round ? measured.ended_ns[round - 1] : 0));
	}
}

static void steps_are_in_picoseconds(void **state)
{
	(void)state;
	assert_int_equal(measured.n_steps, 1);
	assert_string_equal(measured.steps[0].name, "fake");
	assert_int_equal(measured.steps[0].tick_ps, 500);
	assert_int_equal(measured.steps[0].step_ps, 13000);
	assert_int_equal(measured.steps[0].least_ps, 13000);
}

/* ---- Order ------------------------------------------------------------------------------------------------------ */

/* The rows of the last run, round by round: each was timed twice, after the stopwatch itself. */
static void order_of(uint32_t seed, unsigned ret[ROUNDS][ROWS])
{
	static struct reads reads[3];
	static unsigned used;
	size_t at;

	measure(seed, &reads[used++]);
	at = n_timed - 2 * ROUNDS * (ROWS + 1);
	for (unsigned round = 0; round < ROUNDS; round++) {
		assert_int_equal(timed[at % COUNT(timed)], 99);
		at += 2;
		for (unsigned place = 0; place < ROWS; place++, at += 2)
			ret[round][place] = timed[at % COUNT(timed)];
	}
}

static void order_is_random_and_the_seed_s(void **state)
{
	static unsigned first[ROUNDS][ROWS], again[ROUNDS][ROWS], other[ROUNDS][ROWS];
	unsigned came_first[ROWS] = { 0 };

	(void)state;
	order_of(1, first);
	order_of(1, again);
	order_of(2, other);
	assert_memory_equal(first, again, sizeof(first));
	assert_memory_not_equal(first, other, sizeof(first));
	for (unsigned round = 0; round < ROUNDS; round++)
		came_first[first[round][0]]++;
	for (unsigned i = 0; i < ROWS; i++)
		assert_in_range(came_first[i], 1, ROUNDS / 2); /* 8 are expected */
}

/* ---- How many, and of which calls ------------------------------------------------------------------------------- */

static void wanted_reads_fill_whole_rounds(void **state)
{
	static const struct { uint32_t wanted, singles; } cases[] = {
		{ 1000, 25 }, { 1001, 26 }, { 1, 1 }, { 400000, 10000 },
	};

	static struct reads runs[COUNT(cases)]; /* as the command's: nothing of it is freed */

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct reads_plan plan = { .rounds = ROUNDS, .reads = cases[i].wanted };
		struct reads *r = &runs[i];

		assert_int_equal(reads_prepare(&plan, r), 0);
		reads_measure(r, NULL);
		assert_true(reads_summarise(r));
		for (unsigned k = 0; k < r->n_rows; k++)
			assert_int_equal(r->rows[k].single.count, ROUNDS * (size_t)cases[i].singles);
	}
}

static void chosen_calls_are_measured_alone(void **state)
{
	const struct reads_plan plan = { .rounds = 2, .only = { .n = 1, .way = { 1 } } };
	static struct reads r; /* as the command's: nothing of it is freed */

	(void)state;
	assert_int_equal(reads_prepare(&plan, &r), 0);
	assert_int_equal(r.n_rows, 1);
	assert_ptr_equal(reads_find(&r, reads_name(1)), &r.rows[0]);
	assert_null(reads_find(&r, reads_name(0)));
	assert_null(reads_name(n_read_candidates));
}

static void memory_is_that_of_the_chosen_calls(void **state)
{
	struct reads_plan plan = { .rounds = 2000, .reads = 100000000, .only = { .n = 1, .way = { 1 } } };
	int64_t one = reads_bytes(&plan);

	(void)state;
	assert_int_equal(one, INT64_C(3 * 8) * (100000000 + 2000));
	plan.only.n = 0;
	assert_int_equal(reads_bytes(&plan), one / 3 * (n_read_candidates + 2));
	plan.reads = 0;
	assert_in_range(reads_bytes(&plan), 1, one / 100);
}

/* ---- A run that was stopped ------------------------------------------------------------------------------------- */

static void only_whole_rounds_count(void **state)
{
	int64_t throughput[] = { 1000, 3000, 2000, 777, 777 }, isolated[] = { 10, 30, 20, 777, 777 };
	int64_t base[] = { 500, 1000, 0, 777, 777 }, singles[] = { 1, 2, 3, 4, 5, 6, 777, 777, 777, 777 };
	int64_t stopwatch[] = { 30, 20, 10, 777, 777 }, ended[] = { 5, 6, 7, 777, 777 };
	struct reads_row rows[] = {
		{ .singles = 2, .throughput_ps = throughput, .isolated_ps = isolated, .single_ps = singles },
		{ .singles = 2, .throughput_ps = base, .isolated_ps = isolated, .single_ps = singles },
	};
	struct reads r = { .plan.rounds = 5, .rows = rows, .n_rows = 2, .base = &rows[1], .rounds_done = 3,
			      .stopwatch_round_ps = stopwatch, .ended_ns = ended };

	(void)state;
	assert_true(reads_summarise(&r));
	assert_int_equal(rows[0].throughput.count, 3);
	assert_int_equal(rows[0].throughput.median, 2000);
	assert_int_equal(rows[0].throughput.max, 3000);
	assert_int_equal(rows[0].isolated.max, 30);
	assert_int_equal(rows[0].single.count, 6);
	assert_int_equal(rows[0].single.max, 6);
	assert_int_equal(rows[0].ratio.count, 2); /* a base of 0 gives no ratio */
	assert_int_equal(rows[0].ratio.min, 2000000);
	assert_int_equal(rows[0].ratio.max, 3000000);
	assert_int_equal(r.stopwatch_ps, 20);
	assert_int_equal(r.elapsed_ns, 7);
}

static void without_a_whole_round_there_is_nothing(void **state)
{
	struct reads r = { .plan.rounds = 5 };

	(void)state;
	assert_false(reads_summarise(&r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stopwatch_is_taken_off_but_nothing_is_below_zero),
		cmocka_unit_test(all_rounds_are_measured),
		cmocka_unit_test(steps_are_in_picoseconds),
		cmocka_unit_test(order_is_random_and_the_seed_s),
		cmocka_unit_test(wanted_reads_fill_whole_rounds),
		cmocka_unit_test(chosen_calls_are_measured_alone),
		cmocka_unit_test(memory_is_that_of_the_chosen_calls),
		cmocka_unit_test(only_whole_rounds_count),
		cmocka_unit_test(without_a_whole_round_there_is_nothing),
	};

	return cmocka_run_group_tests(tests, measure_once, NULL);
}
