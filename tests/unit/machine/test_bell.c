// SPDX-License-Identifier: MIT
/* Bells: their numbers, how an eventcount carries one beside its sleepers, and that an interrupt rings it. */
#include "unit.h"

#include <string.h>

#include "fake_env.h"

#include "machine/bell.h"

static const _Atomic uint32_t *woken[4];
static uint32_t n_woken;

static void note_wake(const _Atomic uint32_t *word)
{
	woken[n_woken++ % COUNT(woken)] = word;
}

static int bell_begins(void **state)
{
	(void)state;
	fake_env.wake = note_wake;
	n_woken = 0;
	return 0;
}

static void each_is_chosen_in_turn(void **state)
{
	uint32_t first = hpt_bell_choose();

	(void)state;
	for (uint32_t i = 1; i < 3 * HPT_BELLS; i++)
		assert_int_equal(hpt_bell_choose(), 1 + (first - 1 + i) % HPT_BELLS);
}

static void numbers_are_those_of_the_array(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= HPT_BELLS; n++) {
		assert_ptr_equal(hpt_bell(n), &hpt_bells[n - 1]);
		assert_int_equal((uintptr_t)hpt_bell(n) % 64, 0);
	}
}

static void number_comes_and_goes_with_the_sleeper(void **state)
{
	static struct hpt_eventcount ec;

	(void)state;
	for (uint32_t n = 1; n <= HPT_BELLS; n++) {
		uint32_t value = hpt_eventcount_value(&ec);

		hpt_bell_enter(&ec, n);
		assert_int_equal(hpt_eventcount_sleepers(&ec), 1 + (n << HPT_BELL_SHIFT));
		assert_int_equal(hpt_eventcount_value(&ec), value);
		assert_int_equal(hpt_eventcount_notify(&ec, 1, &fake_env), 1 + (n << HPT_BELL_SHIFT));
		hpt_bell_leave(&ec, n);
		assert_int_equal(hpt_eventcount_sleepers(&ec), 0);
		assert_int_equal(hpt_eventcount_value(&ec), value + 1);
	}
}

/* The value wraps without a carry into the number of sleepers, and neither does that one carry. */
static void both_numbers_keep_apart(void **state)
{
	static struct hpt_eventcount ec;

	(void)state;
	hpt_eventcount_notify(&ec, UINT32_MAX, &fake_env);
	hpt_bell_enter(&ec, HPT_BELLS);
	hpt_eventcount_notify(&ec, 1, &fake_env);
	assert_int_equal(hpt_eventcount_value(&ec), 0);
	assert_int_equal(hpt_eventcount_sleepers(&ec), 1 + (HPT_BELLS << HPT_BELL_SHIFT));
	hpt_bell_leave(&ec, HPT_BELLS);
	assert_int_equal(hpt_eventcount_value(&ec), 0);
	assert_int_equal(hpt_eventcount_sleepers(&ec), 0);
}

static void forgotten_sleepers_leave_the_value(void **state)
{
	static struct hpt_eventcount ec;

	(void)state;
	hpt_eventcount_notify(&ec, 0xcafe, &fake_env);
	hpt_bell_enter(&ec, 3);
	hpt_eventcount_add_sleepers(&ec, -hpt_eventcount_sleepers(&ec));
	assert_int_equal(hpt_eventcount_sleepers(&ec), 0);
	assert_int_equal(hpt_eventcount_value(&ec), 0xcafe);
}

static void bell_of_the_sleepers_is_rung(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= HPT_BELLS; n++) {
		uint32_t value = hpt_eventcount_value(hpt_bell(n));

		hpt_bell_ring_for(1 + (n << HPT_BELL_SHIFT), &fake_env);
		assert_int_equal(hpt_eventcount_value(hpt_bell(n)), value + 1);
		assert_int_equal(n_woken, 0);
		hpt_eventcount_enter(hpt_bell(n));
		hpt_bell_ring_for(1 + (n << HPT_BELL_SHIFT), &fake_env);
		assert_int_equal(n_woken, 1);
		assert_ptr_equal(woken[0], hpt_eventcount_futex(hpt_bell(n)));
		hpt_eventcount_leave(hpt_bell(n));
		n_woken = 0;
	}
}

/* Sleepers of waiters alone, up to the most, are no bell's number. */
static void sleepers_without_a_bell_ring_none(void **state)
{
	static struct hpt_eventcount before[HPT_BELLS];

	(void)state;
	memcpy(before, hpt_bells, sizeof(before));
	hpt_bell_ring_for(0, &fake_env);
	hpt_bell_ring_for(1, &fake_env);
	hpt_bell_ring_for((1u << HPT_BELL_SHIFT) - 1, &fake_env);
	assert_memory_equal(before, hpt_bells, sizeof(before));
	assert_int_equal(n_woken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_is_chosen_in_turn, bell_begins),
		cmocka_unit_test_setup(numbers_are_those_of_the_array, bell_begins),
		cmocka_unit_test_setup(number_comes_and_goes_with_the_sleeper, bell_begins),
		cmocka_unit_test_setup(both_numbers_keep_apart, bell_begins),
		cmocka_unit_test_setup(forgotten_sleepers_leave_the_value, bell_begins),
		cmocka_unit_test_setup(bell_of_the_sleepers_is_rung, bell_begins),
		cmocka_unit_test_setup(sleepers_without_a_bell_ring_none, bell_begins),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("bell", tests, NULL, NULL);
}
