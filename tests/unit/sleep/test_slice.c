// SPDX-License-Identifier: MIT
/* Time slices: short where wakes wait for other threads and the thread runs briefly, and otherwise as it had them. */
#include "sleep_world.h"

#include "sleep/slice.h"

#define KERNELS_NS INT64_C(2800000)
#define SHORT_NS   INT64_C(100003)

/* Wakes wait for other threads until slices are asked for. */
static void meet_load(void)
{
	kernel.late_ns = 3 * NS_PER_MS;
	for (int n = 0; n < 20 && !hpt_contention_needs_slice(&hpt_habits_claim()->contention); n++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	kernel.late_ns = LATE_NS;
	kernel.waits = kernel.slice_gets = kernel.slice_sets = 0;
}

static void begin_beside_load(int64_t slice_ns)
{
	begin();
	train();
	kernel.slice_ns = slice_ns;
	kernel.kernels_slice_ns = KERNELS_NS;
	meet_load();
}

/* Sleeps; all waits have this slice. */
static void check_waits(int64_t ns, int64_t slice_ns)
{
	kernel.waits = 0;
	assert_int_equal(slept(hpt_sleep_ns(&clk, ns)), 0);
	assert_true(kernel.waits > 0);
	for (uint32_t i = 0; i < kernel.waits; i++)
		assert_int_equal(kernel.wait[i].slice_ns, slice_ns);
}

/* The thread runs for ns between two sleeps. */
static void run_for(int64_t ns)
{
	world.now_ps += (uint64_t)ns * 1000;
}

static void slice_stays_short_between_sleeps(void **state)
{
	static const int64_t lengths_ns[] = { 200000, 1000000, 50000000, 2000000000 };

	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	kernel.slice_gets = kernel.slice_sets = 0;
	for (size_t i = 0; i < 4 * COUNT(lengths_ns); i++) {
		run_for(59 * NS_PER_US);
		check_waits(lengths_ns[i % COUNT(lengths_ns)], SHORT_NS);
		assert_int_equal(kernel.slice_ns, SHORT_NS);
	}
	assert_int_equal(kernel.slice_gets + kernel.slice_sets, 0);
}

static void nothing_is_asked_of_a_thread_that_is_woken_in_time(void **state)
{
	(void)state;
	begin();
	kernel.slice_ns = kernel.kernels_slice_ns = KERNELS_NS;
	train();
	check_waits(NS_PER_MS, KERNELS_NS);
	assert_int_equal(kernel.slice_gets + kernel.slice_sets, 0);
}

/* Idle CPUs are late then as well. */
static void late_wakes_after_long_waits_begin_nothing(void **state)
{
	(void)state;
	begin();
	train();
	kernel.slice_ns = kernel.kernels_slice_ns = KERNELS_NS;
	kernel.late_ns = 3 * NS_PER_MS;
	for (int n = 0; n < 100; n++)
		check_waits(25 * NS_PER_MS, KERNELS_NS);
	assert_false(hpt_habits_claim()->contention.is_on);
	for (int n = 0; n < 5; n++)
		check_waits(19 * NS_PER_MS, KERNELS_NS);
	assert_true(hpt_habits_claim()->contention.is_on);
}

/* The number of sleeps, each after a run of run_ns, until the slice is this. */
static int sleeps_until(int64_t slice_ns, int64_t run_ns)
{
	int n = 0;

	for (; kernel.slice_ns != slice_ns && n < 10000; n++) {
		run_for(run_ns);
		hpt_sleep_ns(&clk, NS_PER_MS);
	}
	return n;
}

/* The short slice itself ends what it is for. */
static void it_stays_for_2000_wakes_in_time(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	assert_in_range(sleeps_until(KERNELS_NS, 0), 2400, 2600);
	assert_int_equal(kernel.slice_set_ns, 0); /* so that the thread follows what the kernel's own becomes */
	kernel.slice_gets = kernel.slice_sets = 0;
	check_waits(NS_PER_MS, KERNELS_NS);
	assert_int_equal(kernel.slice_gets + kernel.slice_sets, 0);
}

static bool spins(void)
{
	return !hpt_habits_spin_is_useless(hpt_habits_claim(), HPT_SLEEP_BALANCED);
}

/* A thread that computes is later with a short slice. */
static void thread_that_runs_for_long_has_its_own(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	assert_true(spins());
	assert_in_range(sleeps_until(KERNELS_NS, 61 * NS_PER_US), 6, 12);
	assert_false(spins());
	assert_int_equal(kernel.slice_set_ns, 0);
	for (int n = 0; n < 200; n++) {
		run_for(5 * NS_PER_MS);
		check_waits(NS_PER_MS, KERNELS_NS);
	}
	assert_in_range(sleeps_until(SHORT_NS, 59 * NS_PER_US), 150, 200);
}

/* Then the time between two sleeps is another thread's. */
static void thread_that_is_preempted_at_times_runs_briefly(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	for (int n = 0; n < 1000; n++) {
		run_for(n % 20 ? 20 * NS_PER_US : 8 * NS_PER_MS);
		check_waits(NS_PER_MS, SHORT_NS);
	}
}

static void late_wakes_are_no_run(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	kernel.late_ns = NS_PER_MS;
	for (int n = 0; n < 100; n++)
		check_waits(NS_PER_MS, SHORT_NS);
}

static void threads_own_is_put_back(void **state)
{
	static const int64_t slices_ns[] = { 500001, 2 * KERNELS_NS, 100000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(slices_ns); i++) {
		begin_beside_load(slices_ns[i]);
		assert_int_equal(kernel.slice_ns, slices_ns[i]); /* while it was asked for, too */
		check_waits(NS_PER_MS, SHORT_NS);
		end_contention();
		check_waits(NS_PER_MS, slices_ns[i]);
		assert_int_equal(kernel.slice_set_ns, slices_ns[i]);
	}
}

static void change_by_others_is_kept(void **state)
{
	(void)state;
	for (int64_t ns = 200000; ns < 100000000; ns *= 3) {
		begin_beside_load(KERNELS_NS);
		check_waits(NS_PER_MS, SHORT_NS);
		kernel.slice_ns = ns;
		check_waits(NS_PER_MS, ns);
		end_contention();
		check_waits(NS_PER_MS, ns);
	}
}

/* A late wake shows that it is not short any more. */
static void change_by_others_is_found_by_a_late_wake(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	kernel.slice_ns = 400000;
	kernel.late_ns = 3 * NS_PER_MS;
	check_waits(NS_PER_MS, 400000);
	check_waits(NS_PER_MS, SHORT_NS);
	end_contention();
	check_waits(NS_PER_MS, 400000);
}

static void short_or_no_slice_is_left_alone(void **state)
{
	static const int64_t slices_ns[] = { 0, 100000, 300000, 500000 };

	(void)state;
	for (size_t i = 0; i < COUNT(slices_ns); i++) {
		begin_beside_load(slices_ns[i]);
		assert_int_equal(hpt_habits_claim()->slice.kind, slices_ns[i] ? HPT_SLICE_SHORT : HPT_SLICE_NONE);
		check_waits(NS_PER_MS, slices_ns[i]);
		assert_int_equal(kernel.slice_gets + kernel.slice_sets, 0);
	}
}

/* From the thread that made this one. */
static void inherited_slice_is_no_own_one(void **state)
{
	(void)state;
	begin_beside_load(SHORT_NS);
	assert_int_equal(hpt_habits_claim()->slice.kind, HPT_SLICE_SETTABLE);
	check_waits(NS_PER_MS, SHORT_NS);
	end_contention();
	check_waits(NS_PER_MS, KERNELS_NS);
}

/* Where contention begins. */
static void kernel_is_asked_once(void **state)
{
	(void)state;
	begin();
	train();
	kernel.slice_ns = 5 * NS_PER_MS;
	kernel.kernels_slice_ns = KERNELS_NS;
	kernel.slice_gets = kernel.slice_sets = 0;
	kernel.late_ns = 3 * NS_PER_MS;
	for (int n = 0; n < 5; n++)
		assert_int_equal(slept(hpt_sleep_ns(&clk, NS_PER_MS)), 0);
	assert_int_equal(kernel.slice_gets, 2);
	assert_int_equal(kernel.slice_sets, 3);
	kernel.late_ns = LATE_NS;
	check_waits(NS_PER_MS, SHORT_NS);
	assert_int_equal(kernel.slice_gets, 2);
}

static int64_t filtered_change(int64_t was_ns, int64_t ns)
{
	(void)was_ns, (void)ns;
	kernel.slice_sets++;
	return 0;
}

static void filter_that_comes_later_ends_it(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	fake_env.change_slice_ns = filtered_change;
	for (int n = 0; n < 5; n++)
		check_waits(NS_PER_MS, KERNELS_NS);
	assert_int_equal(kernel.slice_sets, 1);
	assert_false(spins());
}

static int64_t no_slice_ns(void)
{
	return 0;
}

/* Or another scheduling class: the slice is short still, and is the thread's own again where that can be set. */
static void filter_that_comes_while_it_is_short_leaves_it(void **state)
{
	int64_t (*change_slice_ns)(int64_t was_ns, int64_t ns), (*slice_ns)(void);

	(void)state;
	begin_beside_load(7 * NS_PER_MS);
	check_waits(NS_PER_MS, SHORT_NS);
	change_slice_ns = fake_env.change_slice_ns;
	slice_ns = fake_env.slice_ns;
	fake_env.change_slice_ns = filtered_change;
	fake_env.slice_ns = no_slice_ns;
	kernel.late_ns = 3 * NS_PER_MS;
	check_waits(NS_PER_MS, SHORT_NS); /* late, so that it is asked for */
	kernel.late_ns = LATE_NS;
	assert_true(spins());
	end_contention();
	kernel.slice_sets = 0;
	for (int n = 0; n < 5; n++)
		check_waits(NS_PER_MS, SHORT_NS);
	assert_int_equal(kernel.slice_sets, 1);
	fake_env.change_slice_ns = change_slice_ns;
	fake_env.slice_ns = slice_ns;
	meet_load();
	check_waits(NS_PER_MS, SHORT_NS);
	end_contention();
	check_waits(NS_PER_MS, 7 * NS_PER_MS);
}

static void interrupt_wait(void)
{
	hpt_eventcount_notify(&eventcount, 1, &fake_env);
}

/* An interrupted sleep ends there, not at its deadline. */
static void runs_after_interrupted_sleeps_are_long_too(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	for (int n = 0; n < 20; n++) {
		struct hpt_sleeper s = sleeper(HPT_SLEEP_BALANCED, 0);
		int64_t left;

		s.key = hpt_eventcount_value(&eventcount);
		set_event(NS_PER_MS, interrupt_wait);
		assert_int_equal(sleep_on(&s, HPT_DEADLINE_AFTER_NS, NS_PER_S, &left), -ECANCELED);
		run_for(5 * NS_PER_MS);
	}
	assert_int_equal(kernel.slice_ns, KERNELS_NS);
}

/* So do sleeps that may end early. */
static void runs_after_early_sleeps_are_long_too(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 50 * NS_PER_US);
	check_waits(5 * NS_PER_MS, SHORT_NS);
	for (int n = 0; n < 20; n++) {
		hpt_sleep_ns(&clk, 5 * NS_PER_MS);
		run_for(61 * NS_PER_US);
	}
	assert_int_equal(kernel.slice_ns, KERNELS_NS);
}

/* It would be preempted after a slice. */
static void thread_that_spins_all_the_time_has_its_own(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 10 * NS_PER_MS);
	check_waits(50 * NS_PER_MS, KERNELS_NS);
}

static void threads_of_a_small_quota_have_their_own(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	atomic_store(&hpt_spin_limits.is_shared, true);
	check_waits(NS_PER_MS, KERNELS_NS);
	atomic_store(&hpt_spin_limits.millicpus, 100);
	check_waits(NS_PER_MS, SHORT_NS);
}

/* As by longjmp() from a signal handler, after the change and before its note. */
static void change_that_was_left_is_no_own_slice(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	kernel.slice_ns = SHORT_NS;
	check_waits(NS_PER_MS, SHORT_NS);
	end_contention();
	check_waits(NS_PER_MS, KERNELS_NS);
}

/* It costs no more than the kernel's own sleep. */
static void thread_that_must_not_spin_has_its_own(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	hpt_habits_claim()->limits.must_not_spin = true;
	check_waits(NS_PER_MS, KERNELS_NS);
	assert_int_equal(kernel.slice_sets, 0);
	hpt_habits_claim()->limits.must_not_spin = false;
	check_waits(NS_PER_MS, SHORT_NS);
}

static void handler_sleeps(void)
{
	world.event = NULL;
	hpt_sleep_ns(&clk, 300 * NS_PER_US);
	kernel.ends = FAKE_SIGNAL;
}

static void sleep_in_a_signal_handler_changes_nothing(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	for (int n = 0; n < 100; n++) {
		set_event(NS_PER_MS, handler_sleeps);
		assert_int_equal(slept(hpt_sleep_ns(&clk, 5 * NS_PER_MS)), 0);
		assert_null(world.event);
		check_waits(NS_PER_MS, SHORT_NS);
	}
	end_contention();
	check_waits(NS_PER_MS, KERNELS_NS);
	assert_int_equal(kernel.slice_set_ns, 0);
}

static void it_is_restored_where_contention_begins_once_more(void **state)
{
	(void)state;
	begin_beside_load(7 * NS_PER_MS);
	check_waits(NS_PER_MS, SHORT_NS);
	hpt_slice_ask(&fake_env, &hpt_habits_claim()->slice);
	assert_int_equal(kernel.slice_ns, 7 * NS_PER_MS);
	check_waits(NS_PER_MS, SHORT_NS);
	end_contention();
	check_waits(NS_PER_MS, 7 * NS_PER_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slice_stays_short_between_sleeps),
		cmocka_unit_test(nothing_is_asked_of_a_thread_that_is_woken_in_time),
		cmocka_unit_test(late_wakes_after_long_waits_begin_nothing),
		cmocka_unit_test(it_stays_for_2000_wakes_in_time),
		cmocka_unit_test(thread_that_runs_for_long_has_its_own),
		cmocka_unit_test(thread_that_is_preempted_at_times_runs_briefly),
		cmocka_unit_test(late_wakes_are_no_run),
		cmocka_unit_test(threads_own_is_put_back),
		cmocka_unit_test(change_by_others_is_kept),
		cmocka_unit_test(change_by_others_is_found_by_a_late_wake),
		cmocka_unit_test(short_or_no_slice_is_left_alone),
		cmocka_unit_test(inherited_slice_is_no_own_one),
		cmocka_unit_test(kernel_is_asked_once),
		cmocka_unit_test(filter_that_comes_later_ends_it),
		cmocka_unit_test(filter_that_comes_while_it_is_short_leaves_it),
		cmocka_unit_test(runs_after_interrupted_sleeps_are_long_too),
		cmocka_unit_test(runs_after_early_sleeps_are_long_too),
		cmocka_unit_test(thread_that_spins_all_the_time_has_its_own),
		cmocka_unit_test(threads_of_a_small_quota_have_their_own),
		cmocka_unit_test(change_that_was_left_is_no_own_slice),
		cmocka_unit_test(thread_that_must_not_spin_has_its_own),
		cmocka_unit_test(sleep_in_a_signal_handler_changes_nothing),
		cmocka_unit_test(it_is_restored_where_contention_begins_once_more),
	};

	return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}
