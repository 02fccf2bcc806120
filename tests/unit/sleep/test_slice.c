// SPDX-License-Identifier: MIT
/* Time slices: short around the waits of a thread whose wakes wait for others, and otherwise as the thread had them. */
#include "sleep_world.h"

#include "sleep/slice.h"

#define KERNELS_NS INT64_C(2800000)
#define SHORT_NS   INT64_C(100000)

/* Wakes wait for other threads until slices are asked for. */
static void meet_load(void)
{
	kernel.late_ns = 3 * NS_PER_MS;
	for (int n = 0; n < 6; n++)
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

static void slice_is_short_in_waits_alone(void **state)
{
	static const int64_t lengths_ns[] = { 200000, 1000000, 50000000, 2000000000 };

	(void)state;
	begin_beside_load(KERNELS_NS);
	for (size_t i = 0; i < COUNT(lengths_ns); i++) {
		kernel.slice_sets = 0;
		check_waits(lengths_ns[i], SHORT_NS);
		assert_int_equal(kernel.slice_sets, 2);
		assert_int_equal(kernel.slice_gets, 0);
	}
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

/* The short slice itself ends what it is for. */
static void it_stays_for_2000_wakes_in_time(void **state)
{
	int n = 0;

	(void)state;
	begin_beside_load(KERNELS_NS);
	for (; hpt_contention_needs_slice(&hpt_habits_claim()->contention) && n < 10000; n++)
		check_waits(NS_PER_MS, SHORT_NS);
	assert_in_range(n, 2400, 2600);
	check_waits(NS_PER_MS, KERNELS_NS);
}

/* So that the thread follows what the kernel's own becomes. */
static void kernels_own_is_put_back_as_such(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	assert_int_equal(kernel.slice_set_ns, 0);
}

static void threads_own_is_put_back(void **state)
{
	static const int64_t slices_ns[] = { 500001, 2 * KERNELS_NS, 100000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(slices_ns); i++) {
		begin_beside_load(slices_ns[i]);
		assert_int_equal(kernel.slice_ns, slices_ns[i]); /* while it was asked for, too */
		check_waits(NS_PER_MS, SHORT_NS);
		assert_int_equal(kernel.slice_set_ns, slices_ns[i]);
	}
}

static void change_between_two_sleeps_is_kept(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	check_waits(NS_PER_MS, SHORT_NS);
	for (int64_t ns = 200000; ns < 100000000; ns *= 3) {
		kernel.slice_ns = ns;
		check_waits(NS_PER_MS, SHORT_NS);
	}
	kernel.slice_ns = KERNELS_NS;
	check_waits(NS_PER_MS, SHORT_NS);
	assert_int_equal(kernel.slice_set_ns, 0);
}

static void set_another(void)
{
	kernel.slice_ns = 400000;
}

static void change_in_a_wait_is_kept(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	set_event(NS_PER_MS, set_another);
	hpt_sleep_ns(&clk, 2 * NS_PER_MS);
	assert_null(world.event);
	assert_int_equal(kernel.slice_ns, 400000);
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

/* Six questions and answers at most where contention begins. */
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
	assert_int_equal(kernel.slice_sets, 2);
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
	check_waits(NS_PER_MS, SHORT_NS);
	fake_env.change_slice_ns = filtered_change;
	kernel.slice_sets = 0;
	for (int n = 0; n < 5; n++)
		check_waits(NS_PER_MS, KERNELS_NS);
	assert_int_equal(kernel.slice_sets, 1);
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

static void sleep_in_a_signal_handler_restores_it(void **state)
{
	(void)state;
	begin_beside_load(KERNELS_NS);
	set_event(NS_PER_MS, handler_sleeps);
	assert_int_equal(slept(hpt_sleep_ns(&clk, 5 * NS_PER_MS)), 0);
	assert_null(world.event);
	check_waits(NS_PER_MS, SHORT_NS);
	assert_int_equal(kernel.slice_set_ns, 0);
}

/* As by longjmp() from a signal handler. */
static void leave(int64_t before_ns)
{
	struct hpt_slice *s = &hpt_habits_claim()->slice;

	kernel.slice_ns = before_ns;
	hpt_slice_shorten(&fake_env, s);
	assert_int_equal(kernel.slice_ns, SHORT_NS);
}

static void slice_of_a_sleep_that_was_left_is_restored_by_the_next(void **state)
{
	static const int64_t slices_ns[] = { KERNELS_NS, 7 * NS_PER_MS };

	(void)state;
	for (size_t i = 0; i < COUNT(slices_ns); i++) {
		begin_beside_load(slices_ns[i]);
		leave(slices_ns[i]);
		if (i)
			end_contention();
		hpt_sleep_ns(&clk, NS_PER_MS);
		assert_int_equal(kernel.slice_ns, slices_ns[i]);
		/* Also where contention begins once more. */
		leave(slices_ns[i]);
		hpt_slice_ask(&fake_env, &hpt_habits_claim()->slice);
		assert_int_equal(kernel.slice_ns, slices_ns[i]);
		check_waits(NS_PER_MS, i ? slices_ns[i] : SHORT_NS); /* contention has ended there */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slice_is_short_in_waits_alone),
		cmocka_unit_test(nothing_is_asked_of_a_thread_that_is_woken_in_time),
		cmocka_unit_test(late_wakes_after_long_waits_begin_nothing),
		cmocka_unit_test(it_stays_for_2000_wakes_in_time),
		cmocka_unit_test(kernels_own_is_put_back_as_such),
		cmocka_unit_test(threads_own_is_put_back),
		cmocka_unit_test(change_between_two_sleeps_is_kept),
		cmocka_unit_test(change_in_a_wait_is_kept),
		cmocka_unit_test(short_or_no_slice_is_left_alone),
		cmocka_unit_test(kernel_is_asked_once),
		cmocka_unit_test(filter_that_comes_later_ends_it),
		cmocka_unit_test(thread_that_must_not_spin_has_its_own),
		cmocka_unit_test(sleep_in_a_signal_handler_restores_it),
		cmocka_unit_test(slice_of_a_sleep_that_was_left_is_restored_by_the_next),
	};

	return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}
