// SPDX-License-Identifier: MIT
/* A crew: each member works once in each turn, and nobody before it begins or after the end. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "unit.h"

#include "bench/crew.h"
#include "cli/err.h"

/* Replaces the command's; called only if memory is short. */
void err_print(const char *fmt, ...)
{
	fail_msg("%s", fmt);
}

#define MEMBERS 5
#define TURNS   200

static struct work {
	_Atomic unsigned done[MEMBERS + 1];
	_Atomic bool is_slow;
} work;

static void do_work(void *data, unsigned number)
{
	struct work *w = data;

	if (w->is_slow && number == MEMBERS)
		usleep(20000);
	w->done[number]++;
}

static int set_up(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= MEMBERS; i++)
		work.done[i] = 0;
	work.is_slow = false;
	return 0;
}

static void each_works_once_in_a_turn(void **state)
{
	struct crew *c;

	(void)state;
	assert_int_equal(crew_start(MEMBERS, do_work, &work, &c), 0);
	for (unsigned turn = 1; turn <= TURNS; turn++) {
		crew_begin(c);
		crew_await(c);
		assert_int_equal(work.done[0], 0);
		for (unsigned i = 1; i <= MEMBERS; i++)
			assert_int_equal(work.done[i], turn);
	}
	crew_stop(c);
}

static void turn_ends_with_the_last(void **state)
{
	struct crew *c;

	(void)state;
	work.is_slow = true;
	assert_int_equal(crew_start(MEMBERS, do_work, &work, &c), 0);
	for (unsigned turn = 1; turn <= 3; turn++) {
		crew_begin(c);
		crew_await(c);
		assert_int_equal(work.done[MEMBERS], turn);
	}
	crew_stop(c);
}

/* Also a member that has not come to its first turn. */
static void nobody_works_without_a_turn(void **state)
{
	struct crew *c;

	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		assert_int_equal(crew_start(MEMBERS, do_work, &work, &c), 0);
		if (i % 2)
			usleep(1000);
		crew_stop(c);
	}
	for (unsigned i = 0; i <= MEMBERS; i++)
		assert_int_equal(work.done[i], 0);
}

static void crew_of_nobody(void **state)
{
	struct crew *c;

	(void)state;
	assert_int_equal(crew_start(0, do_work, &work, &c), 0);
	for (unsigned turn = 0; turn < 3; turn++) {
		crew_begin(c);
		crew_await(c);
	}
	crew_stop(c);
	for (unsigned i = 0; i <= MEMBERS; i++)
		assert_int_equal(work.done[i], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_works_once_in_a_turn, set_up),
		cmocka_unit_test_setup(turn_ends_with_the_last, set_up),
		cmocka_unit_test_setup(nobody_works_without_a_turn, set_up),
		cmocka_unit_test_setup(crew_of_nobody, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
