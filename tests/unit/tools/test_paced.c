// SPDX-License-Identifier: MIT
/* hpt bench sleep --load: plans, and rounds of ways with known lateness. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "bench/busy.h"
#include "bench/own_slice.h"
#include "fake_paced.h"
#include "machine/cpu_time.h"

static int set_up(void **state)
{
	(void)state;
	paced_steps_wanted = 0;
	paced_threads = 1;
	return 0;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

static void impossible_plans_are_refused(void **state)
{
	static const struct paced_plan wrong[] = {
		{ .load = 1, .threads = 1, .rounds = 0 },
		{ .load = 1, .threads = 1, .rounds = PACED_ROUNDS_MAX + 1 },
		{ .load = BUSY_MAX + 1, .threads = 1, .rounds = 1 },
		{ .threads = 0, .rounds = 1 },
		{ .threads = PACED_THREADS_MAX + 1, .rounds = 1 },
		{ .threads = 4, .rounds = PACED_ROUNDS_MAX / 4 + 1 },
		{ .load = 1, .threads = 1, .rounds = 1, .quota_percent = 10 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct paced s = { .cpu = 99 };

		assert_int_equal(paced_prepare(&wrong[i], &s), -ERANGE);
		assert_int_equal(s.cpu, 99);
	}
}

/* ---- Turns ------------------------------------------------------------------------------------------------------ */

static int64_t late_by_way(unsigned way, unsigned n)
{
	return way == PACED_KERNEL ? 60000 : 100 + n % 10;
}

static void all_ways_take_a_turn_at_each_rate(void **state)
{
	unsigned changes = 0;
	struct paced s;

	(void)state;
	paced_run(2, 1, late_by_way, &s);
	assert_int_equal(s.rounds_done, 2);
	assert_int_equal(paced_steps, 2 * PACED_ROUND);
	assert_int_equal(paced_step_done, paced_step_total);
	assert_int_equal(paced_step_total, paced_estimate_ns(&s));
	for (unsigned way = 0; way < PACED_WAYS; way++)
		assert_int_equal(paced_calls[way], 2 * (PACED_TURN(0) + PACED_TURN(1)));
	for (unsigned i = 1; i < paced_n_order; i++)
		changes += paced_order[i] != paced_order[i - 1];
	assert_in_range(changes, 2 * PACED_WAYS - 1, 2 * PACED_RATES * PACED_WAYS - 1);
	paced_free(&s);
}

/* As libhpt's sleeps beside busy threads. */
static int64_t late_with_a_short_slice(unsigned way, unsigned n)
{
	int64_t slice_ns = hpt_cpu_time_slice_ns();

	(void)n;
	if (way == PACED_UNTIL)
		hpt_cpu_time_change_slice_ns(0, 300000);
	else
		assert_int_not_equal(slice_ns, 300000);
	return 100;
}

static void short_slice_is_libhpts_alone(void **state)
{
	struct paced s;

	(void)state;
	if (!own_slice_ns())
		skip();
	paced_run(2, 1, late_with_a_short_slice, &s);
	paced_free(&s);
	assert_int_equal(hpt_cpu_time_slice_ns(), 300000);
	hpt_cpu_time_change_slice_ns(0, 0);
}

static void seed_repeats_an_order(void **state)
{
	static unsigned first[PACED_ORDER_MAX];
	unsigned differ = 0;
	struct paced s;

	(void)state;
	paced_run(2, 1, late_by_way, &s);
	paced_free(&s);
	memcpy(first, paced_order, sizeof(first));
	paced_run(2, 1, late_by_way, &s);
	paced_free(&s);
	assert_memory_equal(first, paced_order, sizeof(first));
	paced_run(2, 2, late_by_way, &s);
	paced_free(&s);
	for (unsigned i = 0; i < paced_n_order; i++)
		differ += paced_order[i] != first[i];
	assert_true(differ > 0);
}

/* A fixed order would make that one way always follows the same other. */
static void rounds_differ_in_order(void **state)
{
	unsigned differ = 0;
	struct paced s;

	(void)state;
	paced_run(2, 1, late_by_way, &s);
	paced_free(&s);
	for (unsigned i = 0; i < PACED_ROUND; i++)
		differ += paced_order[i] != paced_order[i + PACED_ROUND];
	assert_true(differ > 0);
}

/* The first paced_calls of each turn of a run whose turns are all alike. */
static int64_t late_while_settling(unsigned way, unsigned n)
{
	static unsigned in_turn;

	in_turn = n && paced_n_order >= 2 && paced_order[paced_n_order - 2] == way ? in_turn + 1 : 0;
	return in_turn < PACED_SETTLING ? 3000000 : 70;
}

static void first_sleeps_of_a_turn_do_not_count(void **state)
{
	struct paced s;

	(void)state;
	/* Seed 8 has no two turns of one way in succession. */
	paced_run(1, 8, late_while_settling, &s);
	assert_true(paced_summarise(&s));
	for (unsigned rate = 0; rate < PACED_RATES; rate++)
		for (unsigned way = 0; way < PACED_WAYS; way++) {
			assert_int_equal(s.rows[rate][way].late.max, 70000);
			assert_int_equal(s.rows[rate][way].missed, 0);
		}
	paced_free(&s);
}

static int64_t late_by_periods(unsigned way, unsigned n)
{
	(void)n;
	return way == PACED_UNTIL ? -1 : way == PACED_KERNEL ? 2500000 : 999999;
}

static void missed_and_early_are_counted(void **state)
{
	struct paced s;

	(void)state;
	paced_run(2, 1, late_by_periods, &s);
	assert_true(paced_summarise(&s));
	assert_int_equal(s.rows[0][PACED_UNTIL].early, 2 * paced_rates[0].sleeps);
	assert_int_equal(s.rows[1][PACED_UNTIL].early, 2 * paced_rates[1].sleeps);
	assert_int_equal(s.rows[0][PACED_KERNEL].early, 0);
	assert_int_equal(s.rows[0][PACED_UNTIL].missed, 0);
	assert_int_equal(s.rows[0][PACED_SPIN_SLEEP].missed, 0);
	assert_int_equal(s.rows[0][PACED_KERNEL].missed, 2 * 2 * paced_rates[0].sleeps);
	assert_int_equal(s.rows[1][PACED_KERNEL].missed, 0); /* less than a period of 10 ms */
	assert_int_equal(s.rows[0][PACED_UNTIL].over, 0);
	assert_int_equal(s.rows[0][PACED_KERNEL].over, 2 * paced_rates[0].sleeps);
	assert_int_equal(s.rows[1][PACED_SPIN_SLEEP].over, 2 * paced_rates[1].sleeps);
	assert_int_equal(s.disturbed, 2 * (paced_rates[0].sleeps + paced_rates[1].sleeps));
	paced_free(&s);
}

/* ---- Sums ------------------------------------------------------------------------------------------------------- */

static void quantiles_are_of_all_rounds_and_of_each(void **state)
{
	struct paced s;
	struct paced_row *row = &s.rows[0][PACED_UNTIL];

	(void)state;
	paced_run(2, 1, late_by_way, &s);
	for (unsigned i = 0; i < 1000; i++) {
		row->late_ps[i] = 1000 - i;
		row->turns[i / 500].cpu_ns = i < 500 ? 1000 : 4001;
	}
	assert_true(paced_summarise(&s));
	assert_int_equal(row->late.count, 1000);
	assert_int_equal(row->late.median, 500);
	assert_int_equal(row->late.p99, 990);
	assert_int_equal(row->p999_ps, 999);
	assert_int_equal(row->turns[0].p99_ps, 995);
	assert_int_equal(row->turns[1].p99_ps, 495);
	assert_int_equal(row->cpu_ns, 5);
	assert_int_equal(row->late_ps[0], 1000); /* still in order of time */
	paced_free(&s);
}

/* 0.2 ms itself is not over. */
static int64_t late_by_the_limit(unsigned way, unsigned n)
{
	(void)n;
	return way == PACED_UNTIL ? 200000 : 200001;
}

static void sleeps_over_the_limit_are_counted(void **state)
{
	struct paced s;

	(void)state;
	paced_run(1, 1, late_by_the_limit, &s);
	assert_true(paced_summarise(&s));
	assert_int_equal(s.rows[0][PACED_UNTIL].over, 0);
	assert_int_equal(s.rows[0][PACED_KERNEL].over, paced_rates[0].sleeps);
	paced_free(&s);
}

/* Each thread's sleeps are where no other's are. */
static void threads_sleep_at_once(void **state)
{
	struct paced s;

	(void)state;
	paced_threads = 3;
	paced_run(2, 1, late_by_periods, &s);
	assert_int_equal(paced_steps, 2 * PACED_ROUND);
	assert_int_equal(paced_step_done, paced_step_total);
	assert_true(paced_summarise(&s));
	for (unsigned rate = 0; rate < PACED_RATES; rate++) {
		assert_int_equal(paced_sleeps_each_round(&s, rate), 3 * paced_rates[rate].sleeps);
		assert_int_equal(paced_sleeps(&s, rate), 6 * paced_rates[rate].sleeps);
		assert_int_equal(s.rows[rate][PACED_UNTIL].early, 6 * paced_rates[rate].sleeps);
		assert_int_equal(s.rows[rate][PACED_KERNEL].over, 6 * paced_rates[rate].sleeps);
		assert_int_equal(s.rows[rate][PACED_KERNEL].late.min, 2500000000);
		assert_true(s.rows[rate][PACED_KERNEL].cpu_ns > 0);
	}
	assert_int_equal(s.rows[0][PACED_KERNEL].missed, 2 * 6 * paced_rates[0].sleeps);
	assert_int_equal(s.disturbed, 6 * (paced_rates[0].sleeps + paced_rates[1].sleeps));
	for (unsigned way = 0; way < PACED_WAYS; way++)
		assert_int_equal(paced_calls[way], 6 * (PACED_TURN(0) + PACED_TURN(1)));
	paced_free(&s);
}

static void threads_stop_with_the_first(void **state)
{
	struct paced s;

	(void)state;
	paced_threads = 3;
	paced_steps_wanted = PACED_ROUND + 100;
	paced_run(3, 1, late_by_way, &s);
	assert_int_equal(s.rounds_done, 1);
	assert_int_equal(paced_steps, paced_steps_wanted);
	paced_free(&s);
}

/* Of four rounds the first and the third by size. */
static void spread_is_the_middle_half_of_the_rounds(void **state)
{
	static const uint32_t over[] = { 7, 1, 100, 3 };
	struct paced s;
	struct paced_row *row = &s.rows[0][PACED_KERNEL];

	(void)state;
	paced_run(4, 1, late_by_way, &s);
	for (unsigned round = 0; round < 4; round++) {
		row->turns[round].over = over[round];
		for (unsigned i = 0; i < paced_rates[0].sleeps; i++)
			row->late_ps[round * paced_rates[0].sleeps + i] = over[round];
	}
	assert_true(paced_summarise(&s));
	assert_int_equal(row->over, 111);
	assert_int_equal(row->round_over.low, 1);
	assert_int_equal(row->round_over.high, 7);
	assert_int_equal(row->round_p99_ps.low, 1);
	assert_int_equal(row->round_p99_ps.high, 7);
	assert_true(paced_is_bistable(&s, 0, PACED_KERNEL));
	assert_false(paced_is_bistable(&s, 0, PACED_UNTIL));
	/* P99 of 50 sleeps is the latest of them. */
	s.rows[1][PACED_KERNEL].round_p99_ps = row->round_p99_ps;
	assert_false(paced_is_bistable(&s, 1, PACED_KERNEL));
	paced_free(&s);
}

static void round_that_is_broken_off_is_left_out(void **state)
{
	struct paced s;

	(void)state;
	paced_steps_wanted = 2 * PACED_ROUND; /* false in the last sleep of the second round */
	paced_run(3, 1, late_by_way, &s);
	assert_int_equal(s.rounds_done, 1);
	assert_int_equal(paced_steps, paced_steps_wanted);
	assert_true(paced_summarise(&s));
	assert_int_equal(s.rows[1][PACED_UNTIL].late.count, paced_rates[1].sleeps);
	paced_free(&s);
	paced_steps_wanted = PACED_ROUND;
	paced_run(3, 1, late_by_way, &s);
	assert_false(paced_summarise(&s));
	paced_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(impossible_plans_are_refused, set_up),
		cmocka_unit_test_setup(all_ways_take_a_turn_at_each_rate, set_up),
		cmocka_unit_test_setup(short_slice_is_libhpts_alone, set_up),
		cmocka_unit_test_setup(seed_repeats_an_order, set_up),
		cmocka_unit_test_setup(rounds_differ_in_order, set_up),
		cmocka_unit_test_setup(first_sleeps_of_a_turn_do_not_count, set_up),
		cmocka_unit_test_setup(missed_and_early_are_counted, set_up),
		cmocka_unit_test_setup(quantiles_are_of_all_rounds_and_of_each, set_up),
		cmocka_unit_test_setup(sleeps_over_the_limit_are_counted, set_up),
		cmocka_unit_test_setup(threads_sleep_at_once, set_up),
		cmocka_unit_test_setup(threads_stop_with_the_first, set_up),
		cmocka_unit_test_setup(spread_is_the_middle_half_of_the_rounds, set_up),
		cmocka_unit_test_setup(round_that_is_broken_off_is_left_out, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
