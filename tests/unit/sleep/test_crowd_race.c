// SPDX-License-Identifier: MIT
/*
 * Two threads that take a place at once: the second one comes in at the worst moment, when the first one has looked at
 * all windows and writes its own. The file is compiled here, with that moment in its compare-and-swap.
 */
#include <stdatomic.h>

#include "unit.h"

static void come_between(void);

#undef atomic_compare_exchange_strong
#define atomic_compare_exchange_strong(object, expected, desired) \
	(come_between(), atomic_compare_exchange_strong_explicit(object, expected, desired, memory_order_seq_cst, \
								 memory_order_seq_cst))

#include "sleep/crowd.c"

#define US    INT64_C(1000)
#define START (INT64_C(1) << 48)

static struct hpt_crowd crowd;
static int64_t other_now;    /* when the other thread calls; 0: it does not */
static uint64_t other_place; /* what it got */
static uint32_t places;

static uint64_t take(int64_t now)
{
	return hpt_crowd_take(&crowd, places, now, START + 100 * US, START + 150 * US, 0);
}

static void come_between(void)
{
	int64_t now = other_now;

	other_now = 0;
	if (now)
		other_place = take(now);
}

static uint32_t written(void)
{
	uint32_t n = 0;

	for (size_t i = 0; i < HPT_CROWD_WINDOWS; i++)
		n += end_of(crowd.windows[i]) == end_of(window_of(START + 100 * US, START + 150 * US));
	return n;
}

/* A window that is over for the second thread alone makes it choose another slot, if there is one. */
static bool both_take(uint32_t n, bool in_two_slots)
{
	uint64_t place;

	crowd = (struct hpt_crowd){ 0 };
	places = n;
	if (in_two_slots)
		assert_true(hpt_crowd_take(&crowd, n, START, START + 10 * US, START + 20 * US, 0));
	other_place = 0;
	other_now = in_two_slots ? START + 50 * US : START;
	place = take(START);
	assert_true(other_place);
	assert_int_equal(written(), 1 + !!place);
	return place;
}

static void last_place_is_not_given_twice(void **state)
{
	(void)state;
	assert_false(both_take(1, false));
	assert_false(both_take(1, true));
}

/* In the same slot the first one finds another's window, which is one place less and no error. */
static void two_places_are_given(void **state)
{
	(void)state;
	assert_true(both_take(2, true));
	assert_false(both_take(2, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_place_is_not_given_twice),
		cmocka_unit_test(two_places_are_given),
	};

	return cmocka_run_group_tests_name("crowd_race", tests, NULL, NULL);
}
