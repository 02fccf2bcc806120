// SPDX-License-Identifier: MIT
/* The largest part of a late wake names its cause, and what nothing explains is unknown. */
#include "unit.h"

#include "math/units.h"
#include "preload/cause.h"

#define US NS_PER_US
#define MS NS_PER_MS

/* As Linux sets it up, on a machine with deep idle states. Without a number of blocks it is as with one. */
#define USUAL .slack_ns = 50 * US, .tick_ns = 1, .idle_exit_ns = 150 * US

static void expect(enum hpt_cause cause, struct hpt_evidence e)
{
	assert_int_equal(hpt_cause_of(&e), cause);
}

static void slack_and_idle_states(void **state)
{
	(void)state;
	expect(HPT_CAUSE_SLACK, (struct hpt_evidence){ USUAL, .late_ns = 55 * US });
	expect(HPT_CAUSE_SLACK, (struct hpt_evidence){ USUAL, .late_ns = 99 * US });
	expect(HPT_CAUSE_IDLE, (struct hpt_evidence){ USUAL, .late_ns = 101 * US });
	expect(HPT_CAUSE_IDLE, (struct hpt_evidence){ USUAL, .late_ns = 200 * US });
	expect(HPT_CAUSE_UNKNOWN, (struct hpt_evidence){ USUAL, .late_ns = 201 * US });
	/* A slack of seconds may end a wait at any time before. */
	expect(HPT_CAUSE_SLACK, (struct hpt_evidence){ .slack_ns = NS_PER_S, .late_ns = 3 * MS, .blocked = 1 });
}

static void queue(void **state)
{
	(void)state;
	expect(HPT_CAUSE_RUN_QUEUE, (struct hpt_evidence){ USUAL, .late_ns = 3 * MS, .queued_ns = 2900 * US });
	expect(HPT_CAUSE_SLACK, (struct hpt_evidence){ USUAL, .late_ns = 70 * US, .queued_ns = 15 * US });
	expect(HPT_CAUSE_RUN_QUEUE, (struct hpt_evidence){ USUAL, .late_ns = 110 * US, .queued_ns = 60 * US });
	/* It was preempted once it had a CPU, too. */
	expect(HPT_CAUSE_RUN_QUEUE, (struct hpt_evidence){ USUAL, .late_ns = 3 * MS, .queued_ns = 9 * MS,
							   .blocked = 5 });
}

/* The group's counters say how long it stood still since some earlier look. */
static void queue_of_a_group_that_stands_still(void **state)
{
	(void)state;
	expect(HPT_CAUSE_QUOTA, (struct hpt_evidence){ USUAL, .late_ns = 80 * MS, .queued_ns = 79 * MS,
						       .throttled_ns = 78 * MS });
	expect(HPT_CAUSE_QUOTA, (struct hpt_evidence){ USUAL, .late_ns = 8 * MS, .queued_ns = 8 * MS,
						       .throttled_ns = 800 * MS });
	expect(HPT_CAUSE_RUN_QUEUE, (struct hpt_evidence){ USUAL, .late_ns = 80 * MS, .queued_ns = 79 * MS,
							   .throttled_ns = 30 * MS });
	expect(HPT_CAUSE_IDLE, (struct hpt_evidence){ USUAL, .late_ns = 120 * US, .throttled_ns = 78 * MS });
}

static void stops(void **state)
{
	(void)state;
	expect(HPT_CAUSE_STOPPED, (struct hpt_evidence){ USUAL, .late_ns = 20 * MS, .blocked = 2 });
	/* Frozen in its wait. */
	expect(HPT_CAUSE_STOPPED, (struct hpt_evidence){ USUAL, .late_ns = 20 * MS, .was_frozen = 1 });
	/* Looks at descriptors that were not ready wake it too. */
	expect(HPT_CAUSE_SLACK, (struct hpt_evidence){ USUAL, .late_ns = 60 * US, .blocked = 9 });
	expect(HPT_CAUSE_IDLE, (struct hpt_evidence){ USUAL, .late_ns = 160 * US, .blocked = 9 });
}

static void host_and_suspend(void **state)
{
	(void)state;
	expect(HPT_CAUSE_STEAL, (struct hpt_evidence){ USUAL, .late_ns = 12 * MS, .stolen_ns = 10 * MS });
	expect(HPT_CAUSE_UNKNOWN, (struct hpt_evidence){ USUAL, .late_ns = 30 * MS, .stolen_ns = 10 * MS });
	expect(HPT_CAUSE_SUSPEND, (struct hpt_evidence){ USUAL, .late_ns = 9 * NS_PER_S, .asleep_ns = 8 * NS_PER_S,
							 .blocked = 2 });
	/* Two clocks that are read one after the other. */
	expect(HPT_CAUSE_STOPPED, (struct hpt_evidence){ USUAL, .late_ns = 20 * MS, .asleep_ns = -40, .blocked = 2 });
	expect(HPT_CAUSE_UNKNOWN, (struct hpt_evidence){ USUAL, .late_ns = 20 * MS, .asleep_ns = -40 });
}

/* They have no slack then. */
static void timers_that_end_at_ticks(void **state)
{
	(void)state;
	expect(HPT_CAUSE_TICK, (struct hpt_evidence){ .tick_ns = 4 * MS, .late_ns = 3 * MS, .slack_ns = 50 * US });
	expect(HPT_CAUSE_TICK, (struct hpt_evidence){ .tick_ns = 4 * MS, .late_ns = 8 * MS });
	expect(HPT_CAUSE_UNKNOWN, (struct hpt_evidence){ .tick_ns = 4 * MS, .late_ns = 80 * MS, .blocked = 1 });
}

/* A sandbox forbids all, or a clock was set. */
static void nothing_is_known(void **state)
{
	(void)state;
	expect(HPT_CAUSE_UNKNOWN, (struct hpt_evidence){ .late_ns = 1 });
	expect(HPT_CAUSE_UNKNOWN, (struct hpt_evidence){ .late_ns = INT64_MAX });
	expect(HPT_CAUSE_UNKNOWN, (struct hpt_evidence){ .late_ns = INT64_MAX, .queued_ns = -1, .slack_ns = -1 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slack_and_idle_states),
		cmocka_unit_test(queue),
		cmocka_unit_test(queue_of_a_group_that_stands_still),
		cmocka_unit_test(stops),
		cmocka_unit_test(host_and_suspend),
		cmocka_unit_test(timers_that_end_at_ticks),
		cmocka_unit_test(nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
