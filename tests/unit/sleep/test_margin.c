// SPDX-License-Identifier: MIT
/* The margin compared with a calculation from every single lateness, and how it forgets. */
#include <string.h>

#include "margin_world.h"

#include "math/octave.h"

#define PRICE     ((struct hpt_price){ WORTH_NS, 0 })
#define NO_CAP    (INT64_C(1) << 60)
#define NO_WINDOW UINT16_MAX

/* All wakes later than this are in one bin. */
#define LATEST_NS 16000000

/* An idle CPU wakes no later; later wakes waited for a busy one. */
#define IDLE_NS 500000

static uint32_t level_at(int64_t late_ns)
{
	return hpt_octave_place((uint64_t)late_ns) * 64;
}

/* With the level at rest bins are those of the latenesses. */
static void add_at_level(struct hpt_margin *m, int64_t late_ns, int64_t level_ns)
{
	uint16_t samples = m->samples;

	m->samples = 1;
	m->level = level_at(level_ns);
	hpt_margin_add(m, late_ns, NO_WINDOW);
	m->samples = (uint16_t)(samples + HPT_MARGIN_SAMPLE);
}

static uint32_t counted(const struct hpt_margin *m)
{
	uint32_t n = 0;

	for (size_t i = 0; i < HPT_MARGIN_BINS; i++)
		n += m->bins[i];
	return n;
}

/* ---- The rule ------------------------------------------------------------------------------------------- */

#define MANY 300

/* Returns the cost of a margin if wakes are as late as these. */
static double cost(double margin_ns, const int64_t *late_ns, size_t n, double worth_ns)
{
	size_t later = 0;

	for (size_t i = 0; i < n; i++)
		later += (double)late_ns[i] > margin_ns;
	return margin_ns + worth_ns * (double)later / (double)n;
}

/* The best margin is one of the latenesses: a value between two of them costs more and avoids no late wake. */
static double least_cost(const int64_t *late_ns, size_t n, double worth_ns)
{
	double least = 1e300;

	for (size_t i = 0; i < n; i++) {
		double c = cost((double)late_ns[i], late_ns, n, worth_ns);

		if (c < least)
			least = c;
	}
	return least;
}

/* Most latenesses are in a bulk and some in a tail; the places of both vary from run to run. */
static int64_t random_late_ns(int64_t bulk_ns, int64_t tail_ns)
{
	return (random_below(20) ? bulk_ns : tail_ns) + (int64_t)random_below((uint64_t)bulk_ns);
}

static void costs_hardly_more_than_the_best_margin(void **state)
{
	(void)state;
	for (int round = 0; round < 2000; round++) {
		int64_t late_ns[MANY], bulk_ns = 6000 + (int64_t)random_below(190000);
		int64_t tail_ns = (int64_t)random_below(300000);
		double worth_ns = 1e7 + (double)random_below(90000000), least, paid;
		struct hpt_margin m = { 0 };

		for (size_t i = 0; i < MANY; i++) {
			late_ns[i] = random_late_ns(bulk_ns, tail_ns);
			add_at_level(&m, late_ns[i], bulk_ns);
		}
		m.level = level_at(bulk_ns);
		least = least_cost(late_ns, MANY, worth_ns);
		paid = cost((double)margin(&m, (int64_t)worth_ns, NO_CAP), late_ns, MANY, worth_ns);
		/* A bin is an eighth wide, and a sixteenth is added. */
		if (paid > least * 1.2)
			fail_msg("costs %.0f instead of %.0f", paid, least);
	}
}

static void covers_what_it_was_bought_for(void **state)
{
	(void)state;
	for (int64_t late_ns = 4000; late_ns <= IDLE_NS; late_ns += 1 + late_ns / 37) {
		struct hpt_margin m = { 0 };

		add(&m, late_ns, 100);
		assert_in_range(margin(&m, 100 * LATEST_NS, NO_CAP), late_ns + 1, late_ns * 6 / 5 + 1);
	}
}

static void grows_with_what_not_to_be_late_is_worth(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		struct hpt_margin m = { 0 };
		int64_t last_ns = 0;

		for (int i = 0; i < MANY; i++)
			hpt_margin_add(&m, (int64_t)random_magnitude() >> 38, NO_WINDOW);
		for (int64_t worth_ns = 1000; worth_ns < 1000000000; worth_ns *= 2) {
			int64_t ns = margin(&m, worth_ns, NO_CAP);

			assert_true(ns >= last_ns);
			last_ns = ns;
		}
	}
}

/* The papers' machines were sometimes late by milliseconds: that does not justify spinning for that long each time. */
static void rare_milliseconds_do_not_move_it(void **state)
{
	struct hpt_margin m = { 0 }, tailed = { 0 };

	(void)state;
	for (int64_t i = 0; i < 500; i++) {
		int64_t late_ns = 20000 + i * 7919 % 500 * 60;

		hpt_margin_add(&m, late_ns, NO_WINDOW);
		hpt_margin_add(&tailed, i % 100 ? late_ns : 3000000, NO_WINDOW);
	}
	m.level = tailed.level = level_at(32000); /* the edges of bins are the same */
	assert_in_range(margin(&tailed, WORTH_NS, NO_CAP), 40000, 60000);
	assert_true(margin(&tailed, WORTH_NS, NO_CAP) <= margin(&m, WORTH_NS, NO_CAP));
}

/* ---- Limits ---------- */

static void no_margin_is_above_its_cap(void **state)
{
	struct hpt_margin m = { 0 };
	int64_t last_ns = 0;

	(void)state;
	for (int64_t i = 0; i < MANY; i++)
		hpt_margin_add(&m, i * 5000, NO_WINDOW);
	for (int64_t cap_ns = 0; cap_ns < 2 * LATEST_NS; cap_ns += 1 + cap_ns / 9) {
		int64_t ns = hpt_margin_ns(&m, PRICE, cap_ns, GUESS_NS);

		assert_in_range(ns, last_ns, cap_ns);
		last_ns = ns;
	}
	assert_int_equal(hpt_margin_ns(&(struct hpt_margin){ 0 }, PRICE, GUESS_NS / 2, GUESS_NS), GUESS_NS / 2);
}

/* If every wake is later than the cap, spinning would gain nothing, so there is no margin for it. */
static void what_cannot_be_bought_is_not_tried(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, 400000, 100);
	assert_in_range(margin(&m, WORTH_NS, 200000), 0, 10000);
}

/* Spinning for 0.4 ms each time would avoid a loss that is worth 0.3 ms. */
static void what_costs_more_than_it_is_worth_is_not_bought(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, 400000, 100);
	assert_in_range(margin(&m, 300000, NO_CAP), 0, 10000);
	assert_in_range(margin(&m, 600000, NO_CAP), 400000, 480000);
}

static void guess_holds_until_there_are_samples_enough(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	assert_int_equal(hpt_margin_ns(&m, PRICE, CAP_NS, GUESS_NS), GUESS_NS);
	for (int i = 1; i < HPT_MARGIN_ENOUGH; i++) {
		add(&m, 20000, 1);
		assert_int_equal(hpt_margin_ns(&m, PRICE, CAP_NS, GUESS_NS), GUESS_NS);
	}
	add(&m, 20000, 1);
	assert_in_range(hpt_margin_ns(&m, PRICE, CAP_NS, GUESS_NS), 20000, 24000);
}

/* From few samples the guess is a minimum: late wakes raise it at once. */
static void few_late_wakes_count_at_once(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, 300000, 2);
	assert_in_range(hpt_margin_ns(&m, PRICE, CAP_NS, GUESS_NS), 300000, 360000);
}

/* A kernel wait for less than that is not worthwhile. */
static void never_below_microseconds(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, -1000, 100);
	assert_in_range(margin(&m, WORTH_NS, CAP_NS), 2000, 10000);
	assert_in_range(margin(&(struct hpt_margin){ 0 }, WORTH_NS, CAP_NS), 2000, 10000);
}

static void extreme_latenesses_are_counted_as_the_first_and_the_last(void **state)
{
	static const int64_t early[] = { INT64_MIN, -(INT64_C(1) << 62), -1, 0, 1, 1023 };
	static const int64_t late[] = { INT64_MAX, INT64_C(1) << 62, INT64_C(1) << 32, 1000000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(early); i++) {
		struct hpt_margin m = { 0 };

		add(&m, 500000, 1);
		add(&m, early[i], 1);
		assert_int_equal(m.bins[0], HPT_MARGIN_SAMPLE);
		assert_int_equal(hpt_margin_samples(&m), 2);
	}
	for (size_t i = 0; i < COUNT(late); i++) {
		struct hpt_margin m = { 0 };

		add(&m, 50000, 1);
		add(&m, late[i], 1);
		assert_int_equal(m.bins[HPT_MARGIN_BINS - 1], HPT_MARGIN_SAMPLE);
		assert_int_equal(hpt_margin_samples(&m), 2);
	}
}

/* A later wake never counts in an earlier bin, and every wake counts. */
static void bins_are_in_order(void **state)
{
	uint32_t last = 0, least = HPT_MARGIN_BINS;

	(void)state;
	for (int64_t late_ns = 1; late_ns < INT64_MAX / 2; late_ns += 1 + late_ns / 100) {
		struct hpt_margin m = { 0 };
		uint32_t bin = 0;

		add_at_level(&m, late_ns, 60000);
		while (bin < HPT_MARGIN_BINS && !m.bins[bin])
			bin++;
		least = bin < least ? bin : least;
		last = last ? last : bin;
		assert_in_range(bin, last, last + 1);
		last = bin;
	}
	assert_in_range(least, 0, 5);
	assert_int_equal(last, HPT_MARGIN_BINS - 1);
}

/* A wake that is later than the last bin's lower edge may be late by any time, so no margin is bought for it. */
static void no_margin_covers_the_last_bin(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, 1000, 100);
	add(&m, 900000, 100);
	assert_true(m.bins[HPT_MARGIN_BINS - 1] > 0);
	assert_in_range(margin(&m, 100 * LATEST_NS, NO_CAP), 1000, 10000);
}

/* ---- The limit of the spin -------------------------------------------------------------------------------- */

static int64_t limited(const struct hpt_margin *m, uint32_t spin_percent)
{
	return hpt_margin_ns(m, (struct hpt_price){ WORTH_NS, spin_percent }, CAP_NS, GUESS_NS);
}

/* Of ten wakes this number are 20 us late, and the others 90. */
static void add_two_kinds(struct hpt_margin *m, int early)
{
	for (int i = 0; i < WINDOW; i++)
		add_at_level(m, i % 10 < early ? 20000 : 90000, 40000);
	m->level = level_at(40000);
}

/* What is spun where a wake is early is no more than that share of what the wait takes: 4 us and 0.65 us a us. */
static void spin_is_limited_by_the_time_of_a_wait(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add_two_kinds(&m, 4);
	assert_in_range(limited(&m, 0), 90000, 108000);
	assert_in_range(limited(&m, 150), 20000 + 25500, 22700 + 28200);
	assert_in_range(limited(&m, 60), 20000 + 10200, 22700 + 11300);
	assert_in_range(limited(&m, 1000), 90000, 108000);
}

/* Three of four wakes are early: those decide what a wait takes. */
static void earliest_quarter_is_a_waits_time(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add_two_kinds(&m, 2);
	assert_in_range(limited(&m, 60), 90000, 108000);
}

static void few_samples_limit_nothing(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	assert_int_equal(limited(&m, 60), GUESS_NS);
	add(&m, 20000, HPT_MARGIN_ENOUGH - 1);
	assert_int_equal(limited(&m, 60), GUESS_NS);
	add(&m, 20000, 1);
	assert_in_range(limited(&m, 60), 20000, 34000);
}

/* ---- Forgetting ---------- */

static void samples_are_those_in_the_bins(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	for (int i = 0; i < 5000; i++) {
		hpt_margin_add(&m, (int64_t)random_magnitude() >> 46, WINDOW);
		assert_int_equal(m.samples, counted(&m));
		assert_true(m.samples < WINDOW * HPT_MARGIN_SAMPLE);
		assert_true(i < WINDOW - 1 || m.samples >= WINDOW / 2 * HPT_MARGIN_SAMPLE - HPT_MARGIN_BINS);
	}
}

static void half_is_forgotten_at_the_windows_end(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, 20000, WINDOW - 1);
	assert_int_equal(hpt_margin_samples(&m), WINDOW - 1);
	add(&m, 20000, 1);
	assert_int_equal(hpt_margin_samples(&m), WINDOW / 2);
	add(&m, 20000, WINDOW / 2);
	assert_int_equal(hpt_margin_samples(&m), WINDOW / 2);
}

/* A thread that learns by rare trials has a few samples, each in a bin of its own. */
static void half_of_a_few_samples_is_left(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	for (int64_t i = 0; i < 8; i++)
		add(&m, 20000 + 10000 * i, 1);
	hpt_margin_forget(&m);
	assert_int_equal(hpt_margin_samples(&m), 4);
	hpt_margin_forget(&m);
	assert_int_equal(hpt_margin_samples(&m), 2);
}

/* After one very late wake, wakes are as late as before for two windows: the outlier is forgotten. */
static void outlier_is_forgotten_altogether(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, 20000, 1);
	add(&m, 900000, 1);
	add(&m, 20000, 2 * WINDOW);
	assert_int_equal(counted(&m), m.samples);
	assert_int_equal(margin(&m, 100 * WORTH_NS, CAP_NS), margin(&m, WORTH_NS, CAP_NS));
}

/* ---- Half-written --------------------------------------------------------------------------------------- */

/* A signal handler that sleeps may find a count that the interrupted thread is about to change. */
static void any_content_is_valid(void **state)
{
	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct hpt_margin m;
		uint16_t *words = (uint16_t *)&m;

		for (size_t i = 0; i < sizeof(m) / sizeof(*words); i++)
			words[i] = (uint16_t)(round % 2 ? random_u64() : random_magnitude());
		if (round % 3 == 0)
			memset(&m, 0xff, sizeof(m));
		for (int i = 0; i < 10; i++) {
			hpt_margin_add(&m, (int64_t)random_u64(), WINDOW);
			assert_in_range(margin(&m, 50000000, CAP_NS), 1, CAP_NS);
			assert_in_range(limited(&m, 300), 1, CAP_NS);
			assert_in_range(margin(&m, INT64_C(1) << 34, NO_CAP), 1, INT64_C(20000000000));
		}
	}
}

static void garbage_is_forgotten(void **state)
{
	struct hpt_margin m;

	(void)state;
	memset(&m, 0xff, sizeof(m));
	add(&m, 20000, 60 * WINDOW);
	assert_true(hpt_margin_samples(&m) < WINDOW);
	assert_in_range(margin(&m, WORTH_NS, CAP_NS), 20000, 24000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs_hardly_more_than_the_best_margin),
		cmocka_unit_test(covers_what_it_was_bought_for),
		cmocka_unit_test(grows_with_what_not_to_be_late_is_worth),
		cmocka_unit_test(rare_milliseconds_do_not_move_it),
		cmocka_unit_test(no_margin_is_above_its_cap),
		cmocka_unit_test(what_cannot_be_bought_is_not_tried),
		cmocka_unit_test(what_costs_more_than_it_is_worth_is_not_bought),
		cmocka_unit_test(guess_holds_until_there_are_samples_enough),
		cmocka_unit_test(few_late_wakes_count_at_once),
		cmocka_unit_test(never_below_microseconds),
		cmocka_unit_test(extreme_latenesses_are_counted_as_the_first_and_the_last),
		cmocka_unit_test(bins_are_in_order),
		cmocka_unit_test(no_margin_covers_the_last_bin),
		cmocka_unit_test(spin_is_limited_by_the_time_of_a_wait),
		cmocka_unit_test(earliest_quarter_is_a_waits_time),
		cmocka_unit_test(few_samples_limit_nothing),
		cmocka_unit_test(samples_are_those_in_the_bins),
		cmocka_unit_test(half_is_forgotten_at_the_windows_end),
		cmocka_unit_test(half_of_a_few_samples_is_left),
		cmocka_unit_test(outlier_is_forgotten_altogether),
		cmocka_unit_test(any_content_is_valid),
		cmocka_unit_test(garbage_is_forgotten),
	};

	random_start();
	return cmocka_run_group_tests_name("margin", tests, NULL, NULL);
}
