// SPDX-License-Identifier: MIT
/* Signals that end a measurement: noted, passed on, and given back. */
#include "unit.h"

#include "cli/signals.h"

static int stopped, received;
static struct signals before;

static void stop(void)
{
	stopped++;
}

static void receive(int number)
{
	received = number;
}

/* The caller has an action of its own, and none of them is ignored. */
static int begin(void **state)
{
	struct sigaction of_caller = { .sa_handler = receive };

	(void)state;
	stopped = received = 0;
	for (size_t i = 0; i < SIGNALS_COUNT; i++)
		sigaction(signals_all[i], &of_caller, NULL);
	return 0;
}

static void each_is_noted_and_stops(void **state)
{
	(void)state;
	signals_catch(stop, &before);
	assert_int_equal(signals_caught(), 0);
	for (size_t i = 0; i < SIGNALS_COUNT; i++) {
		raise(signals_all[i]);
		assert_int_equal(signals_caught(), signals_all[i]);
		assert_int_equal(stopped, i + 1);
	}
	assert_int_equal(received, 0);
	signals_release(&before);
	assert_int_equal(signals_caught(), signals_all[SIGNALS_COUNT - 1]); /* for the report */
}

static void the_actions_before_come_back(void **state)
{
	(void)state;
	signals_catch(stop, &before);
	signals_release(&before);
	for (size_t i = 0; i < SIGNALS_COUNT; i++) {
		raise(signals_all[i]);
		assert_int_equal(received, signals_all[i]);
	}
	assert_int_equal(stopped, 0);
}

static void an_ignored_one_stays_ignored(void **state)
{
	(void)state;
	signal(SIGHUP, SIG_IGN);
	signals_catch(stop, &before);
	raise(SIGHUP);
	assert_int_equal(signals_caught(), 0);
	raise(SIGINT);
	assert_int_equal(signals_caught(), SIGINT);
	signals_release(&before);
	raise(SIGHUP);
	assert_int_equal(received, 0);
}

static void the_next_measurement_begins_without(void **state)
{
	(void)state;
	signals_catch(stop, &before);
	raise(SIGTERM);
	signals_release(&before);
	signals_catch(NULL, &before);
	assert_int_equal(signals_caught(), 0);
	raise(SIGINT);
	assert_int_equal(signals_caught(), SIGINT);
	assert_int_equal(stopped, 1);
	signals_release(&before);
}

/* So that a table that is written meanwhile is whole. */
static void calls_that_a_signal_interrupts_go_on(void **state)
{
	struct sigaction ours;

	(void)state;
	signals_catch(stop, &before);
	for (size_t i = 0; i < SIGNALS_COUNT; i++) {
		sigaction(signals_all[i], NULL, &ours);
		assert_true(ours.sa_flags & SA_RESTART);
	}
	signals_release(&before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_is_noted_and_stops, begin),
		cmocka_unit_test_setup(the_actions_before_come_back, begin),
		cmocka_unit_test_setup(an_ignored_one_stays_ignored, begin),
		cmocka_unit_test_setup(the_next_measurement_begins_without, begin),
		cmocka_unit_test_setup(calls_that_a_signal_interrupts_go_on, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
