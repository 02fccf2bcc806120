// SPDX-License-Identifier: MIT
/* The choice between two ordered reads: the rule, and the choice on counters whose reads take a scripted time. */
#include <string.h>

#include "unit.h"

#include "source/own_read.h"

static void set_order(struct hpt_source *src, enum hpt_own_order order);

/* White box: the reads by which the choice is made take a scripted time. */
#define hpt_own_set_order set_order
#include "source/ordered_read.c"
#undef hpt_own_set_order

/* A counter that only reads move. */
static struct {
	uint64_t ticks, rdtscp_cost, lfence_cost, step;
	uint32_t reads;
	uint32_t slow_reads; /* the first ones take half as long again */
	uint32_t late_read, late_reads; /* an interruption of 5000 ticks: first read, number of reads */
	bool     backwards;
} counter;

static uint64_t take(uint64_t cost)
{
	counter.reads++;
	counter.ticks += counter.reads <= counter.slow_reads ? cost * 3 / 2 : cost;
	if (counter.reads >= counter.late_read && counter.reads < counter.late_read + counter.late_reads)
		counter.ticks += 5000;
	if (counter.backwards)
		return UINT64_MAX - counter.ticks * (UINT64_MAX / 5000);
	return counter.ticks / counter.step * counter.step;
}

static uint64_t read_rdtscp(const struct hpt_source *src)
{
	(void)src;
	return take(counter.rdtscp_cost);
}

static uint64_t read_lfence(const struct hpt_source *src)
{
	(void)src;
	return take(counter.lfence_cost);
}

static void set_order(struct hpt_source *src, enum hpt_own_order order)
{
	src->order = (uint8_t)order;
	src->read = order == HPT_OWN_SECOND ? read_lfence : read_rdtscp;
}

static struct hpt_source source(uint64_t rdtscp_cost, uint64_t lfence_cost)
{
	memset(&counter, 0, sizeof(counter));
	counter.rdtscp_cost = rdtscp_cost;
	counter.lfence_cost = lfence_cost;
	counter.step = 1;
	return (struct hpt_source){
		.read = read_rdtscp, .order = HPT_OWN_FIRST, .orders = HPT_OWN_FIRST | HPT_OWN_SECOND,
	};
}

static bool chooses_lfence(struct hpt_source *src)
{
	int64_t deltas[32];

	assert_int_equal(hpt_ordered_read_choose(src, deltas, 32), 16);
	assert_ptr_equal(src->read, src->order == HPT_OWN_SECOND ? read_lfence : read_rdtscp);
	return src->order == HPT_OWN_SECOND;
}

static void a_tie_goes_to_rdtscp(void **state)
{
	(void)state;
	assert_true(hpt_ordered_read_prefers_second(19600, 17200)); /* Zen 5 */
	assert_true(hpt_ordered_read_prefers_second(10000, 9699));
	assert_false(hpt_ordered_read_prefers_second(10000, 9700)); /* 3 % */
	assert_false(hpt_ordered_read_prefers_second(10000, 10000));
	assert_false(hpt_ordered_read_prefers_second(10000, 20000));
	assert_false(hpt_ordered_read_prefers_second(10000, 0));
	assert_false(hpt_ordered_read_prefers_second(0, 0));
	assert_false(hpt_ordered_read_prefers_second(0, 10000));
}

static void the_cheaper_read_is_taken(void **state)
{
	struct hpt_source src;

	(void)state;
	src = source(100, 96);
	assert_true(chooses_lfence(&src));
	src = source(100, 97);
	assert_false(chooses_lfence(&src));
	src = source(96, 100);
	assert_false(chooses_lfence(&src));
	src = source(100, 50);
	assert_true(chooses_lfence(&src));
	assert_true(chooses_lfence(&src)); /* again: the same */
	counter.rdtscp_cost = 50;
	assert_false(chooses_lfence(&src)); /* and back */
}

/* A step is as long as half a read: no difference shows what a read takes, their mean does. */
static void a_coarse_counter_shows_the_mean(void **state)
{
	struct hpt_source src = source(51, 45);

	(void)state;
	counter.step = 26;
	assert_true(chooses_lfence(&src));
	src = source(45, 51);
	counter.step = 26;
	assert_false(chooses_lfence(&src));
}

/* Most reads show no difference, and the others one that looks like a peak. */
static void a_step_longer_than_a_read_is_no_peak(void **state)
{
	struct hpt_source src = source(40, 20);

	(void)state;
	counter.step = 100;
	assert_true(chooses_lfence(&src));
	src = source(20, 40);
	counter.step = 100;
	assert_false(chooses_lfence(&src));
}

/* A CPU that speeds up or is shared for the first half of the time slows both reads. */
static void both_reads_see_the_same_time(void **state)
{
	struct hpt_source src = source(100, 99);

	(void)state;
	counter.slow_reads = 18;
	assert_false(chooses_lfence(&src));
	src = source(100, 90);
	counter.slow_reads = 18;
	assert_true(chooses_lfence(&src));
}

static bool chooses_lfence_interrupted(uint64_t lfence_cost, uint32_t from, uint32_t n)
{
	struct hpt_source src = source(100, lfence_cost);

	counter.late_read = from;
	counter.late_reads = n;
	return chooses_lfence(&src);
}

static void interrupted_reads_decide_nothing(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= 4; n++)
		for (uint32_t from = 1; from <= 36; from++) {
			assert_true(chooses_lfence_interrupted(90, from, n));
			assert_false(chooses_lfence_interrupted(99, from, n));
		}
}

static void a_counter_that_runs_back_gives_some_choice(void **state)
{
	struct hpt_source src = source(3, 2);

	(void)state;
	counter.backwards = true;
	chooses_lfence(&src);
	src = source(0, 0); /* stands still */
	assert_false(chooses_lfence(&src));
}

static void one_read_is_timed_alone(void **state)
{
	struct hpt_source src = source(100, 50);
	struct hpt_read_cost cost;
	int64_t deltas[32];
	uint64_t other = 4711;

	(void)state;
	src.orders = HPT_OWN_FIRST;
	assert_int_equal(hpt_ordered_read_choose(&src, deltas, 32), 32);
	assert_ptr_equal(src.read, read_rdtscp);
	hpt_ordered_read_cost(deltas, 32, 32, &cost, &other);
	assert_int_equal(cost.mean_mticks, 100000);
	assert_int_equal(cost.samples, 32);
	assert_int_equal(other, 0);

	src = source(100, 50);
	set_order(&src, HPT_OWN_SECOND);
	src.orders = HPT_OWN_SECOND;
	assert_int_equal(hpt_ordered_read_choose(&src, deltas, 32), 32);
	assert_ptr_equal(src.read, read_lfence);
}

/* The chosen read's differences come first: statistics and the rules on cost go by these. */
static void costs_are_those_of_each_read(void **state)
{
	static const uint64_t costs[][2] = { { 100, 80 }, { 80, 100 }, { 100, 99 } };
	int64_t deltas[HPT_READ_COST_READS];

	(void)state;
	for (size_t i = 0; i < COUNT(costs); i++) {
		struct hpt_source src = source(costs[i][0], costs[i][1]);
		uint32_t own = hpt_ordered_read_choose(&src, deltas, COUNT(deltas));
		bool is_lfence = src.read == read_lfence;
		struct hpt_read_cost cost;
		uint64_t other;

		assert_int_equal(own, COUNT(deltas) / 2);
		hpt_ordered_read_cost(deltas, own, COUNT(deltas), &cost, &other);
		assert_int_equal(cost.mean_mticks, costs[i][is_lfence] * 1000);
		assert_int_equal(cost.samples, own);
		assert_int_equal(cost.shortest_ticks, costs[i][is_lfence]);
		assert_int_equal(other, costs[i][!is_lfence] * 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tie_goes_to_rdtscp),
		cmocka_unit_test(the_cheaper_read_is_taken),
		cmocka_unit_test(a_coarse_counter_shows_the_mean),
		cmocka_unit_test(a_step_longer_than_a_read_is_no_peak),
		cmocka_unit_test(both_reads_see_the_same_time),
		cmocka_unit_test(interrupted_reads_decide_nothing),
		cmocka_unit_test(a_counter_that_runs_back_gives_some_choice),
		cmocka_unit_test(one_read_is_timed_alone),
		cmocka_unit_test(costs_are_those_of_each_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
