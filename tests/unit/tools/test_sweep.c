// SPDX-License-Identifier: MIT
/* hpt bench sleep: plans, rounds of ways with known misses, and a real sweep. */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "unit.h"

#include "bench/sweep_summary.h"
#include "fake_sleeps.h"
#include "hpt/system.h"

#define OWN_SLACK 12345

/* Resets the state that a failed test may have left. */
static int set_up(void **state)
{
	(void)state;
	fake_reset();
	return prctl(PR_SET_TIMERSLACK, OWN_SLACK, 0, 0, 0);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

static void impossible_plans_are_refused(void **state)
{
	static const struct sweep_plan wrong[] = {
		{ .longest_ns = 1000, .shortest_ns = 1001, .step = 2, .rounds = 1 },
		{ .longest_ns = 1000, .shortest_ns = 999, .step = 2, .rounds = 1 },
		{ .longest_ns = 1000, .shortest_ns = 0, .step = 2, .rounds = 1 },
		{ .longest_ns = INT64_C(3600000000001), .shortest_ns = 1000, .step = 2, .rounds = 1 },
		{ .longest_ns = INT64_MAX, .shortest_ns = INT64_MIN, .step = 2, .rounds = 1 },
		{ .longest_ns = 2000, .shortest_ns = 1000, .step = 0, .rounds = 1 },
		{ .longest_ns = 2000, .shortest_ns = 1000, .step = 1, .rounds = 1 },
		{ .longest_ns = 2000, .shortest_ns = 1000, .step = 1001, .rounds = 1 },
		{ .longest_ns = 2000, .shortest_ns = 1000, .step = 2, .rounds = 0 },
		{ .longest_ns = 2000, .shortest_ns = 1000, .step = 2, .rounds = SWEEP_ROUNDS_MAX + 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct sweep s = { .n_ways = 99 };

		assert_int_equal(sweep_prepare(&wrong[i], &s), -ERANGE);
		assert_int_equal(s.n_ways, 99);
	}
}

static void papers_sweep_is_of_18_lengths(void **state)
{
	const struct sweep_plan plan = {
		.longest_ns = SWEEP_LONGEST_NS, .shortest_ns = SWEEP_SHORTEST_NS, .step = SWEEP_STEP,
		.rounds = 7, .seed = 1,
	};
	struct sweep s;

	(void)state;
	assert_int_equal(sweep_prepare(&plan, &s), 0);
	assert_int_equal(s.jiffy_ns, 1000000000 / (hpt_kernel_hz() ? hpt_kernel_hz() : 250));
	assert_int_equal(s.n_lengths, 18);
	for (unsigned i = 0; i < s.n_lengths; i++)
		assert_int_equal(s.lengths_ns[i], INT64_C(250000000) >> i);
	assert_int_equal(s.n_ways, CANDIDATES);
	/* 30 s minus the lateness of the kernel and the work of the command. */
	assert_in_range(sweep_estimate_ns(&s), INT64_C(7 * 6 * 499000000), INT64_C(28000000000));
	fake_drop(&s);
}

static void table_is_of_decades(void **state)
{
	const struct sweep_plan plan = {
		.longest_ns = SWEEP_TABLE_LONGEST_NS, .shortest_ns = SWEEP_SHORTEST_NS, .step = SWEEP_TABLE_STEP,
		.rounds = 1, .seed = 1, .is_table = true,
	};
	int64_t ns = INT64_C(10000000000);
	struct sweep s;

	(void)state;
	assert_int_equal(sweep_prepare(&plan, &s), 0);
	assert_int_equal(s.n_lengths, 8);
	for (unsigned i = 0; i < s.n_lengths; i++, ns /= 10)
		assert_int_equal(s.lengths_ns[i], ns);
	fake_drop(&s);
}

static void widest_plan_fits(void **state)
{
	const struct sweep_plan plan = {
		.longest_ns = INT64_C(3600000000000), .shortest_ns = 1000, .step = 2, .rounds = 2,
	};
	const struct sweep_plan one = { .longest_ns = 1000, .shortest_ns = 1000, .step = 1000, .rounds = 1 };
	struct sweep s;

	(void)state;
	assert_int_equal(sweep_prepare(&plan, &s), 0);
	assert_int_equal(s.n_lengths, 32);
	assert_true(s.lengths_ns[31] >= 1000);
	fake_drop(&s);
	assert_int_equal(sweep_prepare(&one, &s), 0);
	assert_int_equal(s.n_lengths, 1);
	fake_drop(&s);
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

static void each_length_has_all_ways_in_an_order_of_its_own(void **state)
{
	const struct sweep_plan plan = fake_plan(8);
	unsigned firsts[CANDIDATES] = { 0 };
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	assert_int_equal(fake_n_calls, 8 * 4 * CANDIDATES);
	for (unsigned i = 0; i < fake_n_calls; i += CANDIDATES) {
		unsigned seen = 0;

		for (unsigned j = i; j < i + CANDIDATES; j++) {
			assert_int_equal(fake_calls[j].ns, s.lengths_ns[i / CANDIDATES % 4]);
			seen |= 1u << fake_calls[j].way;
		}
		assert_int_equal(seen, (1u << CANDIDATES) - 1);
		firsts[fake_calls[i].way]++;
	}
	for (unsigned way = 0; way < CANDIDATES; way++)
		assert_in_range(firsts[way], 1, 15); /* 5 are expected; 0: one in 10^3, 16: one in 10^5 */
	fake_drop(&s);
}

/* Each chosen way has all its sleeps, and the random order is one of these alone. */
static void chosen_ways_are_measured_alone(void **state)
{
	struct sweep_plan plan = fake_plan(8);
	unsigned firsts[CANDIDATES] = { 0 };
	struct sweep s;

	(void)state;
	plan.only = (struct choice){ .n = 2, .way = { CANDIDATE_NANO, CANDIDATE_FOR } };
	fake_sweep(&plan, &s);
	assert_int_equal(fake_n_calls, 2 * 8 * 4);
	for (unsigned i = 0; i < fake_n_calls; i++) {
		assert_true(fake_calls[i].way == CANDIDATE_NANO || fake_calls[i].way == CANDIDATE_FOR);
		firsts[fake_calls[i].way] += i % 2 == 0;
	}
	assert_true(firsts[CANDIDATE_NANO] && firsts[CANDIDATE_FOR]);
	assert_int_equal(sweep_first(&s), CANDIDATE_FOR);
	assert_true(sweep_has(&s, CANDIDATE_NANO));
	assert_false(sweep_has(&s, CANDIDATE_UNTIL));
	assert_false(sweep_has(&s, CANDIDATES));
	for (unsigned way = 0; way < CANDIDATES; way++)
		assert_int_equal(s.bands[way][BAND_ALL].sleeps, sweep_has(&s, way) ? 8 * 4 : 0);
	for (uint32_t round = 0; round < 8; round++)
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(sweep_times(&s, CANDIDATE_NANO, round, i)->after,
					 1000000 + s.lengths_ticks[i] + 60000);
	/* Entry and exit of libhpt's sleeps are derived from hpt_sleep_until_ticks(). */
	assert_int_equal(s.bands[CANDIDATE_FOR][BAND_ALL].entry.count, 0);
	assert_int_equal(s.bands[CANDIDATE_FOR][BAND_ALL].exit.count, 0);
	assert_int_equal(fake_step_done, fake_step_total);
	fake_drop(&s);
}

static void seed_repeats_an_order(void **state)
{
	struct sweep_plan plan = fake_plan(4);
	static struct fake_call first[FAKE_CALLS_MAX];
	unsigned differ = 0;
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	fake_drop(&s);
	memcpy(first, fake_calls, sizeof(first));
	fake_sweep(&plan, &s);
	fake_drop(&s);
	for (unsigned i = 0; i < fake_n_calls; i++)
		assert_int_equal(fake_calls[i].way, first[i].way);
	plan.seed = 2;
	fake_sweep(&plan, &s);
	fake_drop(&s);
	for (unsigned i = 0; i < fake_n_calls; i++)
		differ += fake_calls[i].way != first[i].way;
	assert_true(differ > fake_n_calls / 2);
}

static void slack_is_each_ways_and_then_as_before(void **state)
{
	const struct sweep_plan plan = fake_plan(2);
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	for (unsigned i = 0; i < fake_n_calls; i++)
		assert_int_equal(fake_calls[i].slack_ns, fake_calls[i].way == CANDIDATE_ABSOLUTE ? 77 : OWN_SLACK);
	assert_int_equal(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), OWN_SLACK);
	fake_drop(&s);
	for (fake_steps_wanted = 1; fake_steps_wanted <= 6; fake_steps_wanted++) {
		fake_sweep(&plan, &s);
		assert_int_equal(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), OWN_SLACK);
		fake_drop(&s);
	}
}

static void steps_add_up_to_the_estimate(void **state)
{
	const struct sweep_plan plan = fake_plan(3);
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	assert_int_equal(fake_steps, 3 * 4 * CANDIDATES);
	assert_int_equal(fake_step_total, sweep_estimate_ns(&s));
	assert_int_equal(fake_step_done, fake_step_total);
	assert_int_equal(sweep_estimate_ns(&s), 1200000000 + 3 * CANDIDATES * 15000000);
	fake_drop(&s);
}

static void round_that_is_broken_off_counts_up_to_its_last_whole_length(void **state)
{
	const struct sweep_plan plan = fake_plan(5);
	struct sweep s;

	(void)state;
	fake_steps_wanted = 2 * 4 * CANDIDATES; /* false in the last sleep of the second round */
	fake_sweep(&plan, &s);
	assert_int_equal(fake_steps, fake_steps_wanted);
	assert_int_equal(s.rounds_done, 1);
	assert_int_equal(s.lengths_done, 3);
	assert_int_equal(s.disturbed, 3); /* that of the last length is not counted */
	assert_int_equal(s.bands[CANDIDATE_UNTIL][BAND_ALL].sleeps, 4 + 3);
	assert_int_equal(s.bands[CANDIDATE_BUSY][BAND_LONG].sleeps, 2 + 2);
	assert_int_equal(s.lengths[CANDIDATE_UNTIL][2].miss.count, 2);
	assert_int_equal(s.bands[CANDIDATE_UNTIL][BAND_ALL].miss.max, 151000);
	assert_int_equal(s.lengths[CANDIDATE_UNTIL][3].miss.count, 1);
	fake_drop(&s);
	fake_steps_wanted = CANDIDATES;
	fake_sweep(&plan, &s);
	assert_int_equal(s.rounds_done, 0);
	assert_int_equal(sweep_rounds(&s, 0), 0);
	fake_drop(&s);
}

/* ---- For real --------------------------------------------------------------------------------------------------- */

static void assert_in_order(const struct sweep *s, unsigned way, uint32_t round, unsigned length)
{
	const struct sleep_times *times = sweep_times(s, way, round, length);

	assert_true(times->before > 0);
	assert_true(times->before <= times->entered);
	assert_int_equal(times->target - times->entered, s->lengths_ticks[length]);
	assert_true(times->target <= times->left);
	assert_true(times->left <= times->after);
}

/* 6 ms, 1.5 ms ... 1.4 us: on both sides of a jiffy of 4 ms. */
static void real_sleeps_are_never_early(void **state)
{
	const struct sweep_plan plan = {
		.longest_ns = 6000000, .shortest_ns = 1000, .step = 4, .rounds = 5, .seed = 3,
	};
	struct sweep s;

	(void)state;
	assert_int_equal(sweep_prepare(&plan, &s), 0);
	fake_step_done = 0;
	sweep_measure(&s, NULL);
	assert_int_equal(s.rounds_done, 5);
	assert_true(s.elapsed_ns > 0 && s.start_unix_ns > 0 && s.cpu >= 0);
	sweep_summarise(&s);
	for (unsigned way = 0; way < CANDIDATES; way++) {
		const struct sweep_stats *f = &s.bands[way][BAND_ALL];

		assert_int_equal(f->sleeps, 5 * s.n_lengths);
		assert_int_equal(f->deadline_miss.count,
				 way == CANDIDATE_FOR || way == CANDIDATE_NANO ? 0 : 5 * s.n_lengths);
		assert_true(f->cpu_ppm > 0);
		if (sleep_candidates[way].is_ours || way == CANDIDATE_PAPERS || way == CANDIDATE_BUSY)
			assert_int_equal(f->early, 0);
	}
	for (uint32_t round = 0; round < 5; round++)
		for (unsigned length = 0; length < s.n_lengths; length++) {
			assert_in_order(&s, CANDIDATE_PAPERS, round, length);
			assert_in_order(&s, CANDIDATE_BUSY, round, length);
		}
	assert_int_equal(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), OWN_SLACK);
	fake_drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(impossible_plans_are_refused, set_up),
		cmocka_unit_test_setup(papers_sweep_is_of_18_lengths, set_up),
		cmocka_unit_test_setup(table_is_of_decades, set_up),
		cmocka_unit_test_setup(widest_plan_fits, set_up),
		cmocka_unit_test_setup(each_length_has_all_ways_in_an_order_of_its_own, set_up),
		cmocka_unit_test_setup(chosen_ways_are_measured_alone, set_up),
		cmocka_unit_test_setup(seed_repeats_an_order, set_up),
		cmocka_unit_test_setup(slack_is_each_ways_and_then_as_before, set_up),
		cmocka_unit_test_setup(steps_add_up_to_the_estimate, set_up),
		cmocka_unit_test_setup(round_that_is_broken_off_counts_up_to_its_last_whole_length, set_up),
		cmocka_unit_test_setup(real_sleeps_are_never_early, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
