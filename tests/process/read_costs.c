// SPDX-License-Identifier: MIT
/* Calls of known cost come out with that cost, on this machine; rounds are whole and follow each other. */
#include <stdatomic.h>
#include <string.h>

#include "unit.h"

#include "bench/reads.h"
#include "cli/stopwatch.h"

/* ---- Calls of known cost ---------------------------------------------------------------------------------------- */

static struct stopwatch watch;

static int64_t spin(int64_t ns)
{
	int64_t ticks = hpt_ns_to_ticks(watch.clk, ns), start = stopwatch_read(&watch), now;

	do
		now = stopwatch_read(&watch);
	while (now - start < ticks);
	return now;
}

/* Long compared with the overhead of a spin, also in a build with sanitizers. */
#define NEAR_NS 20000
#define FAR_NS  40000
#define EXPENSIVE_NS 120000

#define SPINS(name, ns)                                                                                   \
	static void loop_##name(hpt_clock *clk, uint32_t calls)                                           \
	{                                                                                                 \
		(void)clk;                                                                                \
		for (uint32_t i = 0; i < calls; i++)                                                      \
			spin(ns);                                                                         \
	}                                                                                                 \
	static void singles_##name(hpt_clock *clk, const struct stopwatch *stopwatch, int64_t *ret_ticks, \
				   uint32_t calls)                                                        \
	{                                                                                                 \
		(void)clk;                                                                                \
		for (uint32_t i = 0; i < calls; i++) {                                                    \
			int64_t start = stopwatch_read(stopwatch);                                    \
                                                                                                          \
			spin(ns);                                                                         \
			ret_ticks[i] = stopwatch_read(stopwatch) - start;                             \
		}                                                                                         \
	}

#define SPINS_OF(name) .loop = loop_##name, .isolated = loop_##name, .singles = singles_##name

SPINS(near, NEAR_NS)
SPINS(far, FAR_NS)
SPINS(expensive, EXPENSIVE_NS)

enum { NEAR, FAR, EXPENSIVE, NOTHING, KNOWN_ROWS };

static struct read_candidate known[] = {
	[NEAR] = { .name = READ_BASE, SPINS_OF(near) },
	[FAR] = { .name = "far", SPINS_OF(far) },
	[EXPENSIVE] = { .name = "expensive", SPINS_OF(expensive) },
	[NOTHING] = { .name = "nothing" }, /* the loops of read_nothing */
};

#define ROUNDS 100

/* Static: what was measured is never freed. */
static struct reads measured;

static int measure_known(void **state)
{
	struct reads_plan plan = { .rounds = ROUNDS, .seed = 5 };

	(void)state;
	watch = stopwatch_finest();
	known[NOTHING].loop = read_nothing.loop;
	known[NOTHING].isolated = read_nothing.isolated;
	known[NOTHING].singles = read_nothing.singles;
	if (reads_prepare_candidates(&plan, known, COUNT(known), &measured))
		return -1;
	reads_measure(&measured, NULL);
	return reads_summarise(&measured) ? 0 : -1;
}

/*
 * The minimum: anything else that runs here makes a spin end later, never sooner, and the median is no less. A few per
 * cent of tolerance: each spin ends between two readings of the stopwatch, whose own time is subtracted from singles.
 */
static void costs(const struct stats *d, int64_t ns)
{
	int64_t least_ps = ns * 980, most_ps = ns * 1040;

	if (d->min < least_ps || d->min > most_ps || d->median < d->min)
		fail_msg("least %lld ps, median %lld ps, not %lld ns", (long long)d->min, (long long)d->median,
			 (long long)ns);
}

static void a_known_cost_is_measured_in_all_three_ways(void **state)
{
	static const int64_t ns[] = { [NEAR] = NEAR_NS, [FAR] = FAR_NS, [EXPENSIVE] = EXPENSIVE_NS };

	(void)state;
	for (unsigned i = NEAR; i <= EXPENSIVE; i++) {
		costs(&measured.rows[i].throughput, ns[i]);
		costs(&measured.rows[i].isolated, ns[i]);
		costs(&measured.rows[i].single, ns[i]);
	}
}

static void ratio_is_to_the_base_in_the_same_round(void **state)
{
	const struct stats *far = &measured.rows[FAR].ratio;

	(void)state;
	assert_ptr_equal(measured.base, &measured.rows[NEAR]);
	assert_int_equal(measured.rows[NEAR].ratio.median, 1000000);
	assert_int_equal(measured.rows[NEAR].ratio.max, 1000000);
	assert_int_equal(far->count, ROUNDS);
	assert_in_range(far->median, 1960000, 2040000);
}

static void stopwatch_is_taken_off_but_nothing_is_below_zero(void **state)
{
	const struct stats *single = &measured.rows[NOTHING].single;

	(void)state;
	assert_true(measured.stopwatch_ps > 1000);
	assert_true(single->min >= 0);
	assert_true(single->median < measured.stopwatch_ps / 3);
}

static void slices_fit_the_cost(void **state)
{
	(void)state;
	assert_int_equal(measured.n_rows, KNOWN_ROWS);
	assert_in_range(measured.rows[NEAR].calls, 8, 10); /* of 50 us */
	assert_int_equal(measured.rows[EXPENSIVE].calls, 8);
	assert_int_equal(measured.rows[NOTHING].calls, 4000);
	assert_int_equal(measured.rows[EXPENSIVE].singles, 10000 / ROUNDS);
	assert_int_equal(measured.rows[NOTHING].singles, 200000 / ROUNDS);
	assert_int_equal(measured.rows[NOTHING].single.count, 200000);
}

static void rounds_follow_each_other(void **state)
{
	(void)state;
	assert_int_equal(atomic_load(&measured.rounds_done), ROUNDS);
	assert_int_equal(measured.elapsed_ns, measured.ended_ns[ROUNDS - 1]);
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned i = 0; i < KNOWN_ROWS; i++) {
			assert_true(measured.rows[i].begun_ns[round] < measured.ended_ns[round]);
			assert_true(measured.rows[i].begun_ns[round] > (round ? measured.ended_ns[round - 1] : 0));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_cost_is_measured_in_all_three_ways),
		cmocka_unit_test(ratio_is_to_the_base_in_the_same_round),
		cmocka_unit_test(stopwatch_is_taken_off_but_nothing_is_below_zero),
		cmocka_unit_test(slices_fit_the_cost),
		cmocka_unit_test(rounds_follow_each_other),
	};

	return cmocka_run_group_tests(tests, measure_known, NULL);
}
