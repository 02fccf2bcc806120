// SPDX-License-Identifier: MIT
/* When a duration begins: with the tick that is read before a sleep touches the clock. */
#include "clock/default.h"

/* White box: the clock here stands for the default one, and after its first tick the caches are cold. */
static uint64_t read_first(const hpt_clock *c);
#define hpt_default_first_tick(c) read_first(c)
#include "sleep/sleep.c"
#include "sleep/waiter.c"

#include "object_world.h"
#include "sleep/spin_limits.h"

#define COLD_NS 19800

static hpt_waiter *w;
static void (*then)(void); /* happens right after the first tick; NULL: nothing */
static uint64_t first;     /* that tick; 0: none was read */

static uint64_t read_first(const hpt_clock *c)
{
	assert_ptr_equal(c, &clk);
	first = clk.src.read(&clk.src);
	world.now_ps += COLD_NS * UINT64_C(1000);
	if (then)
		then();
	return first;
}

static int start_begins(void **state)
{
	sleeping_begins(state);
	then = NULL;
	return hpt_waiter_new(&clk, 0, &w);
}

static int start_ends(void **state)
{
	hpt_waiter_free(w);
	return sleeping_ends(state);
}

#define start_test(f) cmocka_unit_test_setup_teardown(f, start_begins, start_ends)

static int64_t ticks_of(int64_t ns)
{
	return ns == INT64_MIN ? ns : ns * 1000 / (int64_t)world.tick_ps;
}

static int for_ns(int64_t ns)
{
	return hpt_sleep_ns(&clk, ns);
}

static int on_waiter(int64_t ns)
{
	return hpt_waiter_sleep_ns(w, ns);
}

static int (*const durations[])(int64_t ns) = { for_ns, on_waiter };

/* Spins, the first without a comparison of the clocks; waits; and where only that is possible, seconds. */
static const int64_t lengths_ns[] = { COLD_NS + 200, 40000, 10 * NS_PER_MS, NS_PER_S };

/* Each sleeps for ns; returns by how many ns the sleep was longer than that, from the first tick on. */
static int64_t longer_ns(size_t how, int64_t ns)
{
	first = 0;
	assert_int_equal(durations[how](ns), 0);
	assert_true(first);
	return ((int64_t)(clk.src.read(&clk.src) - first) - ticks_of(ns)) * (int64_t)world.tick_ps / 1000;
}

static void at_each(void (*check)(size_t how, int64_t ns))
{
	for (size_t how = 0; how < COUNT(durations); how++)
		for (size_t i = 0; i < COUNT(lengths_ns); i++)
			check(how, lengths_ns[i]);
}

static void from_the_first_tick(size_t how, int64_t ns)
{
	assert_in_range(longer_ns(how, ns), 0, 250);
}

static void durations_count_from_the_first_tick(void **state)
{
	(void)state;
	at_each(from_the_first_tick);
}

/* ---- Events right after the first tick -------------------------------------------------------------------------- */

static int64_t step_ns;

static void counter_steps(void)
{
	world.tick_offset += (uint64_t)ticks_of(step_ns);
	hpt_timekeeper_resample(&clk);
}

/* Not early by the counter since the step, and hardly late. */
static void from_the_next_tick(size_t how, int64_t ns)
{
	static const int64_t steps_ns[] = { -3 * NS_PER_S, -COLD_NS - 1000, 30 * NS_PER_MS, NS_PER_S };

	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		step_ns = steps_ns[i];
		assert_in_range(longer_ns(how, ns) - step_ns - COLD_NS, 0, 2 * NS_PER_MS);
	}
}

static void first_tick_before_a_step_does_not_count(void **state)
{
	(void)state;
	then = counter_steps;
	at_each(from_the_next_tick);
}

static void another_thread_makes_a_record(void)
{
	hpt_timekeeper_resample(&clk);
}

/* Making the record may take longer than the sleep. */
static void about_from_the_first_tick(size_t how, int64_t ns)
{
	assert_in_range(longer_ns(how, ns), 0, 1000);
}

static void first_tick_may_be_before_the_record(void **state)
{
	(void)state;
	then = another_thread_makes_a_record;
	at_each(about_from_the_first_tick);
}

/* ---- Without a first tick --------------------------------------------------------------------------------------- */

static void what_ends_at_a_moment_reads_no_first_tick(void **state)
{
	(void)state;
	first = 0;
	assert_int_equal(hpt_sleep_until_ticks(&clk, hpt_now(&clk) + 100), 0);
	assert_int_equal(hpt_sleep_until_ns(&clk, hpt_now_ns(&clk) + 100), 0);
	assert_int_equal(hpt_sleep_until_unix_ns(&clk, hpt_now_unix_ns(&clk) + 100), 0);
	assert_int_equal(hpt_waiter_sleep_until_ticks(w, hpt_now(&clk) + 100), 0);
	assert_int_equal(hpt_waiter_sleep_until_ns(w, hpt_now_ns(&clk) + 100), 0);
	assert_int_equal(hpt_waiter_sleep_until_unix_ns(w, hpt_now_unix_ns(&clk) + 100), 0);
	assert_int_equal(first, 0);
}

static void empty_durations_read_no_first_tick(void **state)
{
	static const int64_t empty[] = { 0, -1, INT64_MIN };

	(void)state;
	first = 0;
	for (size_t i = 0; i < COUNT(empty); i++)
		for (size_t how = 0; how < COUNT(durations); how++)
			assert_int_equal(durations[how](empty[i]), 0);
	assert_int_equal(hpt_waiter_sleep_ns(NULL, 1), -EINVAL);
	assert_int_equal(first, 0);
}

/* They are CPU time, and RLIMIT_RTTIME ends a thread that repeats them and never blocks. No duration is no sleep. */
static void durations_that_the_call_uses_up_block_at_times(void **state)
{
	static const struct hpt_spin_terms terms = {
		.process_millicpus = UINT32_MAX, .block_after_ns = 25 * NS_PER_MS, .awake_most_ns = 25 * NS_PER_MS,
	};

	(void)state;
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	hpt_spin_limits_take(&terms);
	for (int us = 0; us <= 5; us += 5) {
		uint64_t start_ps = world.now_ps, passed_ms;

		sleeping.waits = 0;
		for (int i = 0; i < 10000; i++) {
			world.now_ps += 20000000; /* the program's own work */
			assert_int_equal(hpt_sleep_ns(&clk, us * 1000), 0);
		}
		passed_ms = (world.now_ps - start_ps) / 1000000000;
		if (us)
			assert_in_range(sleeping.waits, passed_ms / 30, passed_ms / 20);
		else
			assert_int_equal(sleeping.waits, 0);
	}
	hpt_spin_limits = (struct hpt_spin_limits){ 0 };
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		start_test(durations_count_from_the_first_tick),
		start_test(first_tick_before_a_step_does_not_count),
		start_test(first_tick_may_be_before_the_record),
		start_test(what_ends_at_a_moment_reads_no_first_tick),
		start_test(empty_durations_read_no_first_tick),
		start_test(durations_that_the_call_uses_up_block_at_times),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("sleep start", tests, NULL, NULL);
}
