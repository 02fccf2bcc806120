// SPDX-License-Identifier: MIT
/* The reads of the own counter, built for the fake one: each order has its instruction, inline and by pointer. */
#include "arch_world.h"
#include "source/own_read.h"

static uint32_t called;

static uint64_t other_read(const struct hpt_source *src)
{
	(void)src;
	called++;
	return 4711;
}

static void assert_executed(uint32_t ordered, uint32_t synced, uint32_t bare)
{
	assert_int_equal(fake_counter.ordered, ordered);
	assert_int_equal(fake_counter.synced, synced);
	assert_int_equal(fake_counter.bare, bare);
	fake_counter.ordered = fake_counter.synced = fake_counter.bare = 0;
}

static void each_order_has_its_instruction_by_pointer(void **state)
{
	struct hpt_source src = { 0 };

	(void)state;
	hpt_own_set_order(&src, HPT_OWN_FIRST);
	assert_int_equal(src.order, HPT_OWN_FIRST);
	src.read(&src);
	assert_executed(1, 0, 0);
	src.read_unordered(&src);
	assert_executed(0, 0, 1);
	hpt_own_set_order(&src, HPT_OWN_SECOND);
	assert_int_equal(src.order, HPT_OWN_SECOND);
	src.read(&src);
	assert_executed(0, 1, 0);
	src.read_unordered(&src);
	assert_executed(0, 0, 1);
}

static void each_order_has_its_instruction_inline(void **state)
{
	struct hpt_source src = { .read = other_read, .read_unordered = other_read };

	(void)state;
	src.order = HPT_OWN_FIRST;
	hpt_source_now(&src);
	assert_executed(1, 0, 0);
	src.order = HPT_OWN_SECOND;
	hpt_source_now(&src);
	assert_executed(0, 1, 0);
	assert_true(hpt_source_is_own(&src));
	hpt_source_now_unordered(&src);
	assert_executed(0, 0, 1);
	assert_int_equal(called, 0);
}

static void another_counter_is_called(void **state)
{
	struct hpt_source src = { .read = other_read, .read_unordered = other_read };

	(void)state;
	assert_false(hpt_source_is_own(&src));
	assert_int_equal(hpt_source_now(&src), 4711);
	assert_int_equal(hpt_source_now_unordered(&src), 4711);
	assert_int_equal(called, 2);
	assert_executed(0, 0, 0);
}

static void instruction_is_known_without_the_source(void **state)
{
	(void)state;
	assert_true(hpt_own_read_by(HPT_OWN_FIRST) > 0);
	assert_executed(1, 0, 0);
	assert_true(hpt_own_read_by(HPT_OWN_SECOND) > 0);
	assert_executed(0, 1, 0);
	assert_int_equal(hpt_own_read_by(HPT_OWN_NONE), 0);
	assert_executed(0, 0, 0);
}

static void low_word_is_the_ticks(void **state)
{
	uint32_t low = 0;
	uint64_t tick;

	(void)state;
	world.now_ps += UINT64_C(16000) << 33; /* beyond one word */
	tick = hpt_own_tick(HPT_OWN_BARE, &low);
	assert_true(tick > UINT32_MAX);
	assert_int_equal(low, (uint32_t)tick);
}

static int setup(void **state)
{
	called = 0;
	return setup_arch(state);
}

#define case(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		case(each_order_has_its_instruction_by_pointer),
		case(each_order_has_its_instruction_inline),
		case(another_counter_is_called),
		case(instruction_is_known_without_the_source),
		case(low_word_is_the_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
