// SPDX-License-Identifier: MIT
/* spin_sleep's rule, with fakes of the system's clock, sleep and yield. */
#include <sched.h>
#include <time.h>

#include "unit.h"

#include "bench/spin_sleep.h"
#include "cli/stopwatch.h"

static int64_t now_ns, slept_ns;
static unsigned sleeps, yields;

/* The stopwatch's clock is one that only this test advances. */
int64_t stopwatch_os_ns(int clock_id)
{
	assert_int_equal(clock_id, CLOCK_MONOTONIC);
	return now_ns;
}

int nanosleep(const struct timespec *ts, struct timespec *left)
{
	(void)left;
	slept_ns = ts->tv_sec * INT64_C(1000000000) + ts->tv_nsec;
	now_ns += slept_ns + 60000;
	sleeps++;
	return 0;
}

int sched_yield(void)
{
	now_ns += 10000;
	yields++;
	return 0;
}

static void sleep_ns(int64_t ns)
{
	static hpt_clock *clk;
	struct sleep_length asked = { .ns = ns, .ticks = ns };
	struct sleep_times times = { 0 };

	if (!clk)
		assert_int_equal(hpt_clock_new_manual(1000000000, 0, 0, &clk), 0);
	asked.clk = clk;
	now_ns = 1000000;
	sleeps = yields = 0;
	assert_int_equal(spin_sleep(&asked, &times), 0);
	assert_int_equal(times.target - times.before, ns);
}

static void kernel_sleeps_for_all_but_the_accuracy(void **state)
{
	(void)state;
	sleep_ns(1000000);
	assert_int_equal(sleeps, 1);
	assert_int_equal(slept_ns, 875000);
	assert_int_equal(yields, 7); /* from 935 us on */
	assert_int_equal(now_ns, 2005000);
}

static void short_sleep_only_yields(void **state)
{
	(void)state;
	sleep_ns(125000);
	assert_int_equal(sleeps, 0);
	assert_int_equal(yields, 13);
	sleep_ns(125001);
	assert_int_equal(sleeps, 1);
	assert_int_equal(slept_ns, 1);
	sleep_ns(-5);
	assert_int_equal(sleeps + yields, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_sleeps_for_all_but_the_accuracy),
		cmocka_unit_test(short_sleep_only_yields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
