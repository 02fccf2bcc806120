// SPDX-License-Identifier: MIT
/* The kernel phase: what threads learn of the kernel's lateness, and the margins of each policy. */
#include "sleep_world.h"

/* ---- Learning ---------------------------------------------------------------------------------------- */

static void new_threads_know_nothing(void **state)
{
	struct hpt_sleep_info info;

	(void)state;
	begin();
	train();
	in_new_thread(ask_habits, &info);
	assert_int_equal(info.samples + info.long_samples, 0);
	assert_int_equal(info.waits + info.oversleeps + info.oversleep_ns, 0);
	assert_in_range(info.margin_ns, 20 * NS_PER_US, NS_PER_MS);
	assert_in_range(info.long_margin_ns, info.margin_ns, NS_PER_MS);
	assert_true(habits().samples > 0);
}

struct course {
	uint32_t policy, sleeps, late, oversleeps, waits, waits_known, margin_ns;
	uint64_t margins_ns;
	struct hpt_sleep_info at_end;
};

/* 15 to 60 us, mostly at the lower end; for one wake in 20 up to 300 us. */
static int64_t noisy_lateness_ns(void)
{
	int64_t ns = 15 * NS_PER_US + (int64_t)(random_below(45000) * random_below(1000) / 1000);

	return random_below(20) ? ns : ns + (int64_t)random_below(240000);
}

static void one_of_course(struct course *c)
{
	hpt_time_t deadline = in_ns(NS_PER_MS);
	struct hpt_sleep_info info;

	ask_habits(&info);
	c->margins_ns += info.margin_ns;
	kernel.waits = 0;
	hpt_sleep_until_ticks(&clk, deadline);
	c->late += (hpt_now(&clk) - deadline) * (int64_t)world.tick_ps > turn_ps();
	c->waits += kernel.waits;
	c->sleeps++;
}

static void *run_course(void *arg)
{
	struct course *c = arg;

	hpt_sleep_set_policy(c->policy, 0);
	for (int i = 0; i < 600; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	ask_habits(&c->at_end);
	c->oversleeps = (uint32_t)c->at_end.oversleeps;
	c->waits_known = (uint32_t)c->at_end.waits;
	for (int i = 0; i < 4000; i++)
		one_of_course(c);
	ask_habits(&c->at_end);
	c->oversleeps = (uint32_t)c->at_end.oversleeps - c->oversleeps;
	c->waits_known = (uint32_t)c->at_end.waits - c->waits_known;
	return NULL;
}

static struct course course(uint32_t policy)
{
	struct course c = { .policy = policy };

	begin_at(400, 200000);
	kernel.lateness_ns = noisy_lateness_ns;
	in_new_thread(run_course, &c);
	c.margin_ns = (uint32_t)(c.margins_ns / c.sleeps);
	note("policy %u: %u of %u late, mean margin %u ns", policy, c.late, c.sleeps, c.margin_ns);
	return c;
}

static void margins_are_as_long_as_they_are_worth(void **state)
{
	struct course frugal = course(HPT_SLEEP_FRUGAL), balanced = course(HPT_SLEEP_BALANCED);
	struct course strict = course(HPT_SLEEP_STRICT);

	(void)state;
	/*
	 * A quarter of the wakes is late by up to 19 us, so that a wait takes some 17 us of CPU time: by the limits of
	 * the spins margins are up to 31, 47 and 73 us, and 30, 10 and 5 of 100 wakes are later.
	 */
	assert_in_range(frugal.late, frugal.sleeps / 5, frugal.sleeps / 2);
	assert_in_range(balanced.late, balanced.sleeps / 20, balanced.sleeps / 6);
	assert_in_range(strict.late, strict.sleeps / 50, strict.sleeps / 15);
	assert_in_range(frugal.margin_ns, 24000, 35000);
	assert_in_range(balanced.margin_ns, 37000, 53000);
	assert_in_range(strict.margin_ns, 57000, 82000);
}

static void counts_are_of_what_happened(void **state)
{
	struct course c = course(HPT_SLEEP_STRICT);

	(void)state;
	assert_int_equal(c.waits, c.waits_known);
	/* Some are late by less than the test's own turn. */
	assert_in_range(c.oversleeps, c.late, c.late + c.sleeps / 50);
	assert_true(c.at_end.oversleep_ns > 0 && c.at_end.oversleep_ns < 240000 * c.at_end.oversleeps);
	assert_in_range(c.at_end.samples, 128 / 2, 127);
	assert_int_equal(c.at_end.policy, HPT_SLEEP_STRICT);
}

/* The kernel becomes three times as late: a few sleeps end late, and then no more. */
static void follows_the_kernel_within_a_few_sleeps(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < 2000; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	assert_in_range(habits().margin_ns, LATE_NS, 2 * LATE_NS);
	kernel.late_ns = 3 * LATE_NS;
	for (int i = 0; i < 10; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	assert_in_range(habits().margin_ns, 3 * LATE_NS, 5 * LATE_NS);
	for (int i = 0; i < 100; i++)
		until_a_tick(NS_PER_MS / 5);
	kernel.late_ns = LATE_NS;
	for (int i = 0; i < 4096; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	assert_in_range(habits().margin_ns, LATE_NS, 2 * LATE_NS);
}

/* One preemption of 30 ms: only that sleep is late. */
static void one_bad_wake_is_one_late_sleep(void **state)
{
	struct hpt_sleep_info before, after;
	hpt_time_t deadline;

	(void)state;
	begin();
	for (int i = 0; i < 600; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	before = habits();
	kernel.late_ns = 30 * NS_PER_MS;
	deadline = in_ns(NS_PER_MS / 5);
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_reached(deadline, 30 * NS_PER_MS);
	kernel.late_ns = LATE_NS;
	after = habits();
	assert_int_equal(after.oversleeps, before.oversleeps + 1);
	assert_in_range(after.oversleep_ns - before.oversleep_ns, 29 * NS_PER_MS, 30 * NS_PER_MS);
	assert_int_equal(after.margin_ns, before.margin_ns);
	until_a_tick(NS_PER_MS / 5);
}

/* ---- Busy CPUs ---------------------------------------------------------------------------------------- */

/* More than half of the wakes wait for the end of another thread's slice, up to 4 ms. */
static int64_t queued_lateness_ns(void)
{
	return random_below(100) < 57 ? (int64_t)random_below(4000000) : 17 * NS_PER_US;
}

static void *run_beside_load(void *ret)
{
	struct hpt_sleep_info *info = ret;

	kernel.late_ns = 17 * NS_PER_US;
	for (int i = 0; i < 100; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	kernel.lateness_ns = queued_lateness_ns;
	for (int i = 0; i < 2000; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	ask_habits(&info[0]);
	kernel.lateness_ns = NULL;
	kernel.late_ns = 60 * NS_PER_US;
	for (int i = 0; i < 900; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	return ask_habits(&info[1]);
}

/* No margin avoids these waits, so none is spent on them; 900 sleeps after the load it is an idle CPU's again. */
static void waits_for_a_busy_cpu_lengthen_no_margin(void **state)
{
	struct hpt_sleep_info info[2];

	(void)state;
	begin();
	in_new_thread(run_beside_load, info);
	note("margins %u and %u ns", info[0].margin_ns, info[1].margin_ns);
	assert_in_range(info[0].margin_ns, 17 * NS_PER_US, 50 * NS_PER_US);
	assert_in_range(info[1].margin_ns, 60 * NS_PER_US, 120 * NS_PER_US);
}

/* How long before its deadline the wait of a sleep ends. */
static int64_t ahead_ns(void)
{
	int64_t end_ns = true_monotonic_ns() + NS_PER_MS;

	kernel.waits = 0;
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, in_ns(NS_PER_MS))), 0);
	assert_int_equal(kernel.waits, 1);
	return end_ns - kernel.wait[0].until_ns;
}

/* Where the kernel lets the thread wait for others a spin makes that more frequent. STRICT spins all the same. */
static void no_spin_beside_busy_threads(void **state)
{
	static const uint32_t policies[] = { HPT_SLEEP_BALANCED, HPT_SLEEP_FRUGAL, HPT_SLEEP_STRICT };

	(void)state;
	for (size_t i = 0; i < COUNT(policies); i++) {
		begin();
		train();
		hpt_sleep_set_policy(policies[i], 0);
		assert_in_range(ahead_ns(), LATE_NS, 2 * LATE_NS);
		kernel.late_ns = 3 * NS_PER_MS;
		for (int n = 0; n < 6; n++)
			hpt_sleep_ns(&clk, NS_PER_MS);
		kernel.late_ns = LATE_NS;
		assert_in_range(ahead_ns() + NS_PER_US, policies[i] == HPT_SLEEP_STRICT ? LATE_NS : 0,
				policies[i] == HPT_SLEEP_STRICT ? 5 * LATE_NS : 2 * NS_PER_US);
		assert_int_equal(kernel.wait[0].slack_ns, policies[i] == HPT_SLEEP_STRICT ? 50000 : 1);
		for (int n = 0; n < 600; n++)
			hpt_sleep_ns(&clk, NS_PER_MS);
		assert_in_range(ahead_ns(), LATE_NS, 5 * LATE_NS);
	}
}

static bool spins_beside_load(int64_t slice_ns, bool is_settable)
{
	begin();
	train();
	kernel.slice_ns = kernel.kernels_slice_ns = slice_ns;
	if (!is_settable)
		fake_env.change_slice_ns = NULL;
	kernel.late_ns = 3 * NS_PER_MS;
	for (int n = 0; n < 6; n++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	kernel.late_ns = LATE_NS;
	return ahead_ns() >= LATE_NS;
}

/* A thread whose slice is short takes the CPU from others. */
static void short_slices_spin_beside_busy_threads(void **state)
{
	(void)state;
	assert_true(spins_beside_load(100000, false));
	assert_true(spins_beside_load(500000, false));
	assert_false(spins_beside_load(700000, false));
	assert_true(spins_beside_load(700000, true));
	assert_false(spins_beside_load(0, true));
}

/* ---- Policies ---------------------------------------------------------------------------------------- */

static void nospin_is_as_late_as_the_kernel(void **state)
{
	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0);
	for (int64_t ns = 50 * NS_PER_US; ns < 2 * NS_PER_S; ns *= 3) {
		hpt_time_t deadline = in_ns(ns);

		kernel.waits = 0;
		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
		assert_true(kernel.waits > 0);
		assert_reached(deadline, LATE_NS + NS_PER_US);
	}
}

/* A second wait would cost a second wake, and the end is late anyhow. From some 0.15 s on the clocks may differ. */
static void nospin_that_is_never_early_waits_once(void **state)
{
	struct hpt_sleep_info before;

	(void)state;
	begin();
	kernel.late_long_ns = 2 * LATE_NS;
	train();
	before = habits();
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0);
	for (int64_t ns = 50 * NS_PER_US; ns < 150 * NS_PER_MS; ns *= 2) {
		kernel.waits = kernel.slack_gets = 0;
		hpt_sleep_ns(&clk, ns);
		assert_int_equal(kernel.waits, 1);
		assert_int_equal(kernel.wait[0].slack_ns, 1); /* after an early wake it would have to spin */
		assert_int_equal(kernel.slack_gets, 1);
	}
	kernel.waits = 0;
	hpt_sleep_ns(&clk, NS_PER_S);
	assert_in_range(kernel.waits, 2, 3);
	/* Such waits are of any length, and lengthen no margin. */
	assert_in_range(habits().samples, before.samples, before.samples + 2);
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 50 * NS_PER_US);
	kernel.waits = 0;
	hpt_sleep_ns(&clk, 5 * NS_PER_MS);
	assert_int_equal(kernel.waits, 2);
}

static void nospin_may_be_early_by_its_allowance(void **state)
{
	int64_t early_ns = 50 * NS_PER_US;
	uint64_t woken_ps;

	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, early_ns);
	for (int64_t ns = 60 * NS_PER_US; ns < 2 * NS_PER_S; ns *= 3) {
		hpt_time_t deadline = in_ns(ns);
		int64_t left_ns;

		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
		woken_ps = world.now_ps;
		left_ns = hpt_ticks_to_ns(&clk, deadline - hpt_now(&clk));
		assert_in_range(left_ns + early_ns, 0, 2 * early_ns);
		assert_true(left_ns > -LATE_NS);
		assert_true(world.now_ps - woken_ps < 1000000);
	}
	/* A sleep no longer than that ends at once: it neither waits nor spins. */
	kernel.waits = 0;
	woken_ps = world.now_ps;
	assert_int_equal(slept(hpt_sleep_ns(&clk, early_ns / 2)), 0);
	assert_int_equal(kernel.waits, 0);
	assert_true(world.now_ps - woken_ps < PS_PER_MS / 1000);
}

static void spin_with_a_cap_waits_once_until_there(void **state)
{
	int64_t start_ns;

	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 3 * NS_PER_MS);
	assert_int_equal(waits_of(3 * NS_PER_MS), 0);
	start_ns = true_monotonic_ns();
	assert_int_equal(waits_of(50 * NS_PER_MS), 1);
	assert_in_range(kernel.wait[0].until_ns - start_ns, 47 * NS_PER_MS - NS_PER_US, 47 * NS_PER_MS + NS_PER_US);
}

/* Such waits end long before the deadline, for another purpose than margins. */
static void spin_teaches_nothing(void **state)
{
	struct hpt_sleep_info before;

	(void)state;
	begin();
	train();
	before = habits();
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, NS_PER_MS);
	for (int i = 0; i < 20; i++)
		until_a_tick(2 * NS_PER_MS);
	assert_int_equal(habits().samples, before.samples);
	assert_int_equal(habits().waits, before.waits + 20);
}

static void no_margin_is_above_the_policys_cap(void **state)
{
	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 5 * NS_PER_US);
	assert_in_range(habits().margin_ns, 0, 5 * NS_PER_US);
	assert_int_equal(habits().max_spin_ns, 5 * NS_PER_US);
	for (int i = 0; i < 10; i++) {
		hpt_time_t deadline = in_ns(NS_PER_MS / 5);

		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
		assert_reached(deadline, LATE_NS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_threads_know_nothing),
		cmocka_unit_test(margins_are_as_long_as_they_are_worth),
		cmocka_unit_test(counts_are_of_what_happened),
		cmocka_unit_test(follows_the_kernel_within_a_few_sleeps),
		cmocka_unit_test(one_bad_wake_is_one_late_sleep),
		cmocka_unit_test(waits_for_a_busy_cpu_lengthen_no_margin),
		cmocka_unit_test(no_spin_beside_busy_threads),
		cmocka_unit_test(short_slices_spin_beside_busy_threads),
		cmocka_unit_test(nospin_is_as_late_as_the_kernel),
		cmocka_unit_test(nospin_that_is_never_early_waits_once),
		cmocka_unit_test(nospin_may_be_early_by_its_allowance),
		cmocka_unit_test(spin_with_a_cap_waits_once_until_there),
		cmocka_unit_test(spin_teaches_nothing),
		cmocka_unit_test(no_margin_is_above_the_policys_cap),
	};

	random_start();
	return cmocka_run_group_tests_name("kernel phase", tests, NULL, NULL);
}
