// SPDX-License-Identifier: MIT
/* Sleeps on the OS clock where libc's clocks may be replaced: the kernel's clocks alone decide when they end. */
#include "os_world.h"

static void assert_sleeps_well(int64_t ns)
{
	int64_t start_ns = true_monotonic_ns(), at_ns = hpt_now_ns(&clk) + ns;
	hpt_time_t deadline = hpt_now(&clk) + ns;

	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_in_range(hpt_now(&clk) - deadline, 0, NS_PER_US);
	assert_true(hpt_now_ns(&clk) >= at_ns);
	start_ns = true_monotonic_ns();
	assert_int_equal(slept(hpt_sleep_ns(&clk, ns)), 0);
	assert_in_range(true_monotonic_ns() - start_ns, ns, ns + NS_PER_US);
	at_ns = hpt_now_unix_ns(&clk) + ns;
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, at_ns)), 0);
	assert_in_range(hpt_now_unix_ns(&clk) - at_ns, 0, NS_PER_US);
}

static void os_clock_is_slept_on_like_any_other(void **state)
{
	(void)state;
	begin_os(0);
	for (int64_t ns = 1; ns < 100 * NS_PER_S; ns = 7 * ns + 3)
		assert_sleeps_well(ns);
	kernel.waits = 0;
	assert_sleeps_well(40 * NS_PER_MS);
	assert_int_equal(kernel.waits, 6);
}

/* As under libfaketime: the program's clock is years away but runs. */
static void shifted_clock_is_slept_on_in_real_time(void **state)
{
	(void)state;
	for (int64_t ahead_ns = -YEARS_NS / 1000; ahead_ns <= YEARS_NS; ahead_ns += YEARS_NS) {
		begin_os(ahead_ns);
		for (int64_t ns = 100; ns < 10 * NS_PER_S; ns *= 9)
			assert_sleeps_well(ns);
	}
}

/* The kernel does not answer, as in a sandbox: only libc's clock is left. */
static void silent_kernel_leaves_libcs_clock(void **state)
{
	(void)state;
	begin_os(0);
	fake.kernel_silent = true;
	for (int64_t ns = 100; ns < 10 * NS_PER_S; ns *= 9)
		assert_sleeps_well(ns);
	fake.kernel_silent = false;
}

/* As under faketime with a time that stands still. */
static void sleep_on_a_frozen_clock_ends_by_the_kernels(void **state)
{
	static const int64_t lengths_ns[] = {
		1000, 30 * NS_PER_US, 200 * NS_PER_US, NS_PER_MS, 20 * NS_PER_MS, 5 * NS_PER_S,
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(lengths_ns); i++) {
		int64_t ns = lengths_ns[i / 2], start_ns, took_ns;
		int ended;

		begin_os(YEARS_NS);
		freeze();
		start_ns = true_monotonic_ns();
		if (i % 2)
			ended = slept(hpt_sleep_until_ticks(&clk, hpt_now(&clk) + ns));
		else
			ended = slept(hpt_sleep_ns(&clk, ns));
		assert_in_range(ended, HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED);
		took_ns = true_monotonic_ns() - start_ns;
		if (took_ns < ns - 10 * NS_PER_US || took_ns > ns + NS_PER_MS + ns / 8 + 200 * NS_PER_US + LATE_NS)
			fail_msg("%lld ns took %lld", (long long)ns, (long long)took_ns);
	}
}

static void clock_that_is_stopped_in_a_sleep_does_not_stop_it(void **state)
{
	(void)state;
	for (int64_t after_ns = 1000; after_ns < 20 * NS_PER_MS; after_ns *= 3) {
		int64_t start_ns;

		begin_os(0);
		set_event(after_ns, freeze);
		start_ns = true_monotonic_ns();
		assert_in_range(slept(hpt_sleep_ns(&clk, 20 * NS_PER_MS)), HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED);
		assert_in_range(true_monotonic_ns() - start_ns, 20 * NS_PER_MS - 10 * NS_PER_US, 24 * NS_PER_MS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(os_clock_is_slept_on_like_any_other),
		cmocka_unit_test(shifted_clock_is_slept_on_in_real_time),
		cmocka_unit_test(silent_kernel_leaves_libcs_clock),
		cmocka_unit_test(sleep_on_a_frozen_clock_ends_by_the_kernels),
		cmocka_unit_test(clock_that_is_stopped_in_a_sleep_does_not_stop_it),
	};

	return cmocka_run_group_tests_name("sleep os", tests, NULL, NULL);
}
