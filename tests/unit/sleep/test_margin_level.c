// SPDX-License-Identifier: MIT
/* The margin's level: the latest wakes predict the next where they are alike, and no one wake moves it far. */
#include "margin_world.h"

#include "math/octave.h"

/* The lateness rises from 20 to 80 us: 2 late wakes in 100 cost more than the wider margin. */
static void rises_after_a_few_late_wakes(void **state)
{
	struct hpt_margin m = { 0 };
	int n = 0;

	(void)state;
	add(&m, 20000, 10 * WINDOW);
	assert_in_range(margin(&m, WORTH_NS, CAP_NS), 20000, 24000);
	while (margin(&m, WORTH_NS, CAP_NS) <= 80000) {
		add(&m, 80000, 1);
		n++;
	}
	assert_in_range(n, 1, 8);
}

static void falls_and_has_no_memory_of_the_lateness_before(void **state)
{
	struct hpt_margin m = { 0 };
	int n = 0;

	(void)state;
	add(&m, 80000, 10 * WINDOW);
	while (margin(&m, WORTH_NS, CAP_NS) >= 40000) {
		add(&m, 20000, 1);
		n++;
	}
	assert_in_range(n, 1, 100);
	add(&m, 20000, 8 * WINDOW);
	assert_in_range(margin(&m, WORTH_NS, CAP_NS), 20000, 24000);
}

/* BALANCED's price, with and without a level that follows: how many of all wakes are late, and the spin for one. */
struct bill {
	int32_t late, wakes;
	int64_t spun_ns;
};

static void pay(struct bill *b, struct hpt_margin *m, int64_t late_ns)
{
	int64_t ns = hpt_margin_ns(m, (struct hpt_price){ 2000000, 150 }, CAP_NS, GUESS_NS);

	b->wakes++;
	b->late += late_ns > ns;
	b->spun_ns += late_ns > ns ? 0 : ns - late_ns;
	hpt_margin_add(m, late_ns, WINDOW);
}

/* Margins by the quantiles of all would be late in 1 % with 60 us: 16 us of spinning in one half, 34 in the other. */
static void wakes_that_are_alike_are_predicted(void **state)
{
	struct hpt_margin m = { 0 };
	struct bill b = { 0 };

	(void)state;
	for (int i = 0; i < 40 * WINDOW; i++)
		pay(&b, &m, (i / 200 % 2 ? 52000 : 28000) + (int64_t)random_below(3000));
	note("%d of %d late, %d ns of spinning", b.late, b.wakes, (int)(b.spun_ns / b.wakes));
	assert_in_range(b.late, 1, b.wakes / 120);
}

/* By turns of one each: the level is a mean, and both kinds have their bins. */
static void wakes_by_turns_are_not(void **state)
{
	struct hpt_margin m = { 0 };
	struct bill b = { 0 };

	(void)state;
	for (int i = 0; i < 40 * WINDOW; i++)
		pay(&b, &m, (i % 2 ? 30000 : 20000) + (int64_t)random_below(2000));
	note("%d of %d late, %d ns of spinning", b.late, b.wakes, (int)(b.spun_ns / b.wakes));
	assert_in_range(b.late, 0, b.wakes / 200);
	assert_in_range(b.spun_ns / b.wakes, 5000, 13000);
}

static int64_t level_ns(const struct hpt_margin *m)
{
	return hpt_octave_at(m->level / 64);
}

static void level_follows_wakes_that_are_alike(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	add(&m, 20000, WINDOW);
	add(&m, 80000, 50);
	assert_in_range(level_ns(&m), 70000, 80000);
	add(&m, 20000, 50);
	assert_in_range(level_ns(&m), 19900, 23000);
}

static void level_is_a_mean_of_others(void **state)
{
	struct hpt_margin m = { 0 };

	(void)state;
	for (int i = 0; i < 1500; i++) {
		uint32_t before = m.level;

		add(&m, i % 2 ? 20000 : 40000, 1);
		assert_true(i < 500 || (level_ns(&m) > 26000 && level_ns(&m) < 31000));
		assert_true(i < 1000 || (m.level + 128 >= before && m.level <= before + 128));
	}
}

/* One wake counts for twice or half of the level at most: here by an eighth of an octave. */
static void one_wake_moves_the_level_a_little(void **state)
{
	struct hpt_margin m = { 0 };
	uint32_t level;

	(void)state;
	add(&m, 30000, WINDOW);
	add(&m, 60000, 20);
	level = m.level;
	add(&m, 499999, 1);
	assert_in_range(m.level, level + 15 * 64, level + 16 * 64);
	add(&m, 30000, 40);
	level = m.level;
	add(&m, 1, 1);
	assert_in_range(m.level, level - 16 * 64, level - 15 * 64);
}

/* A wake that waited for another thread is followed by one that is as late as before. */
static void queued_wakes_move_no_level(void **state)
{
	struct hpt_margin m = { 0 };
	uint32_t level;

	(void)state;
	add(&m, 20000, WINDOW);
	level = m.level;
	add(&m, 500000, 1);
	assert_int_equal(m.level, level);
	add(&m, 499999, 1);
	assert_in_range(m.level, level + 1, level + 16 * 64);
	level = m.level;
	add(&m, 5000, 1);
	assert_in_range(m.level, level - 16 * 64, level - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rises_after_a_few_late_wakes),
		cmocka_unit_test(falls_and_has_no_memory_of_the_lateness_before),
		cmocka_unit_test(wakes_that_are_alike_are_predicted),
		cmocka_unit_test(wakes_by_turns_are_not),
		cmocka_unit_test(level_follows_wakes_that_are_alike),
		cmocka_unit_test(level_is_a_mean_of_others),
		cmocka_unit_test(one_wake_moves_the_level_a_little),
		cmocka_unit_test(queued_wakes_move_no_level),
	};

	return cmocka_run_group_tests_name("margin_level", tests, NULL, NULL);
}
