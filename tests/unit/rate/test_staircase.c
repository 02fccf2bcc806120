// SPDX-License-Identifier: MIT
/* The rate by the counter's steps, on scripted machines. tests/property/rates.c has those that disturb it more. */
#include "staircase_world.h"

#include "hpt/hpt.h"
#include "rate/sample.h"
#include "rate/staircase.h"

#define RUNS 500

static struct hpt_bracket old[HPT_ANCHOR_BRACKETS], recent[HPT_RECENT_BRACKETS];
static struct hpt_rate rate;

/* A TSC of about 2.6 GHz with a step of 26 ticks, 10 ns. A turn of the loop takes 4.35 steps. */
static void make_machine(void)
{
	memset(&machine, 0, sizeof(machine));
	machine.tick_ps = 385;
	machine.step = 26;
	machine.kernel = hpt_kernel_rate_of(2595000 + (uint32_t)random_below(2000), HPT_KERNEL_KHZ);
	machine.fraction = random_u64() & ((UINT64_C(1) << machine.kernel.shift) - 1);
	machine.now_ps = PS_PER_MS * (1000 + random_below(100000)) + random_below(1000000);
	machine.to_ps = 20000;
	machine.from_ps = 23500;
	machine.noise_ps = 300;
}

static void make_hertz(uint32_t hz)
{
	make_machine();
	machine.tick_ps = UINT64_C(1000000000000) / hz;
	machine.step = 1;
	machine.kernel = hpt_kernel_rate_of(hz, HPT_KERNEL_HZ);
}

static void take_old(void)
{
	struct hpt_source src = machine_source();

	hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, old, HPT_ANCHOR_BRACKETS);
	machine.now_ps += PS_PER_MS + random_below(1000000);
}

static void take_recent(void)
{
	struct hpt_source src = machine_source();

	hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, recent, HPT_RECENT_BRACKETS);
}

static void take(void)
{
	take_old();
	take_recent();
}

/* As two groups 1 ms apart prove it. */
static struct hpt_rates proven(void)
{
	return hpt_rates_around(hpt_kernel_rate_uhz(machine.kernel) / 1000000 * (999990 + random_below(21)), 50000);
}

/* As one group alone could: 20 numbers of steps and more are possible. */
static struct hpt_rates wide(void)
{
	return hpt_rates_around(hpt_kernel_rate_uhz(machine.kernel), 100000);
}

static bool find_of(uint32_t n_old, uint32_t n_recent, uint64_t step, uint32_t unit_hz, struct hpt_rates rates)
{
	rate = (struct hpt_rate){ .num = 4711 };
	if (hpt_staircase_rate(hpt_group_of(old, n_old), hpt_group_of(recent, n_recent), step, unit_hz, rates, &rate))
		return true;
	assert_int_equal(rate.num, 4711);
	return false;
}

static bool find(void)
{
	return find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, machine.step, HPT_KERNEL_KHZ, proven());
}

static bool is_right(void)
{
	return rate.is_kernels && rate.num == machine.kernel.mult &&
	       rate.den == UINT64_C(1) << machine.kernel.shift &&
	       rate.frequency_uhz == hpt_kernel_rate_uhz(machine.kernel);
}

/* ---- Found ---------------------------------------------------------------------------------------------- */

static void the_kernels_rate_is_found(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		take();
		assert_true(find());
		assert_true(is_right());
	}
}

/* What a bracket took too long, and a step that differs between CPUs, change nothing. */
static void disturbed_brackets_and_other_cpus_change_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		take_old();
		machine.cpu_shift[1] = random_below(2 * machine.step);
		machine.cpu = 1;
		take_recent();
		for (int n = 0; n < 5; n++) {
			old[random_below(HPT_ANCHOR_BRACKETS)].before -= 26 * (2 + random_below(100));
			recent[random_below(HPT_RECENT_BRACKETS)].after += 26 * (2 + random_below(100));
		}
		assert_true(find());
		assert_true(is_right());
	}
}

static uint32_t at_read;
static uint64_t for_ps;

static void is_preempted(void)
{
	if (!at_read--)
		machine.now_ps += for_ps + random_below(1000000);
}

static void migrates(void)
{
	if (at_read--)
		return;
	machine.now_ps += 60000000 + random_below(200000000);
	machine.cpu = 1;
}

/* Brackets too far away for the first rate are near by the second, better one; these are on another CPU's steps. */
static void steps_of_another_cpu_do_not_count(void **state)
{
	uint32_t found = 0;

	(void)state;
	for (int i = 0; i < 4 * RUNS; i++) {
		make_machine();
		take_old();
		machine.cpu_shift[1] = 1 + random_below(25);
		at_read = 40 + (uint32_t)random_below(90);
		machine.disturb = migrates;
		take_recent();
		if (!find())
			continue;
		found++;
		assert_true(is_right());
	}
	assert_true(found > RUNS);
}

/*
 * Over 4 ms the number of steps is not known: the brackets of one side of the preemption are used. Over 91 us it is
 * the least that is not, where the rate is as far off as it can be.
 */
static void check_preempted(uint64_t ps)
{
	uint32_t right = 0;

	for_ps = ps;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		take_old();
		at_read = (uint32_t)random_below(128);
		machine.disturb = is_preempted;
		take_recent();
		if (!find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ,
			     hpt_rates_around(hpt_kernel_rate_uhz(machine.kernel) / 1000000 * 1000049, 50000)))
			continue;
		assert_true(is_right() || !rate.is_kernels); /* few phases may fit several rates */
		right += is_right();
	}
	note("%u of %d", (unsigned)right, RUNS);
	assert_true(right > RUNS * 3 / 4);
}

static void a_preempted_group_is_used_in_part(void **state)
{
	(void)state;
	check_preempted(4 * PS_PER_MS);
	check_preempted(PS_PER_MS / 11);
}

/* At 62.5 MHz the kernel's rates lie 0.016 ppm apart, and its readings tell 0.5 ns or so. */
static void between_several_rates_is_the_middle(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		double ppm;

		make_hertz(62500000);
		take();
		assert_true(find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, 1, HPT_KERNEL_HZ, proven()));
		assert_false(rate.is_kernels);
		assert_true(rate.den == rate.frequency_uhz && rate.num == HPT_UHZ_PER_GHZ);
		ppm = ((double)rate.frequency_uhz / 62.5e12 - 1) * 1e6;
		if (ppm > 1.1 || ppm < -1.1)
			fail_msg("%.3f ppm off", ppm);
	}
}

/* ---- Refused -------------------------------------------------------------------------------------------- */

static void short_steps_are_refused(void **state)
{
	(void)state;
	make_machine();
	machine.step = 7; /* 2.7 ns */
	take();
	assert_false(find());
	machine.step = 8;
	take();
	machine.noise_ps = 0;
	find();
}

static void unequal_steps_are_refused(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		take();
		if (i % 2)
			old[23].after++;
		else
			recent[63].before += 26 - 13, recent[63].after += 26 - 13;
		assert_false(find());
	}
}

/* So near the true rate that only one number of steps is possible. */
static struct hpt_rates narrow(void)
{
	uint64_t uhz = hpt_kernel_rate_uhz(machine.kernel);

	return hpt_rates_around(uhz - uhz / 1000000 + random_below(uhz / 500000), 1100);
}

static void few_brackets_are_refused(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		take();
		assert_false(find_of(7, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ, wide()));
		assert_false(find_of(HPT_ANCHOR_BRACKETS, 7, 26, HPT_KERNEL_KHZ, wide()));
		assert_false(find_of(7, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ, narrow()));
	}
	assert_true(find_of(20, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ, proven()));
}

/* Its middles may lie elsewhere. A narrow rates shows the number without them. */
static void a_slower_group_does_not_say_which_number_is_likely(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		take_old();
		machine.from_ps += 8000;
		take_recent();
		assert_false(find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ, wide()));
		assert_true(find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ, narrow()));
		assert_true(is_right());
		assert_false(find()); /* 10 numbers and more */
	}
}

static void readings_that_fit_no_rate_are_refused(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct hpt_rates rates;

		make_machine();
		take();
		rates = proven();
		rates.lo_uhz = hpt_kernel_rate_uhz(machine.kernel) + UINT64_C(3000000000);
		assert_false(find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ, rates));
		recent[i % HPT_RECENT_BRACKETS].ref_ns += 3;
		assert_false(find());
	}
}

/* Steps of whole nanoseconds leave a whole nanosecond open, which would hide a reading that fits no time. */
static void a_reading_that_fits_no_time_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_hertz(1000000000);
		machine.step = 10;
		take();
		for (uint32_t n = 20; n < HPT_RECENT_BRACKETS; n++) {
			recent[n].before += 30000;
			recent[n].after += 30000;
			recent[n].ref_ns += 30000;
		}
		recent[20 + random_below(40)].ref_ns += random_below(2) ? 2 : -2;
		assert_false(find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, 10, HPT_KERNEL_HZ, proven()));
	}
}

/* ---- Between two numbers of steps ------------------------------------------------------------------------ */

/* The kernel's rate is found if none fits the other number, and never a wrong one. Returns how often. */
static uint32_t count_right(void (*between)(void))
{
	uint32_t right = 0;

	for (int i = 0; i < RUNS; i++) {
		make_machine();
		take_old();
		between();
		take_recent();
		if (!find())
			continue;
		if (!is_right())
			fail_msg("run %d: a wrong rate", i);
		right++;
	}
	note("%u of %d", (unsigned)right, RUNS);
	return right;
}

/* The clock's own read comes half a step later in each turn. */
static void read_later(void)
{
	machine.to_ps += 5000;
	machine.from_ps -= 5000;
}

static void both_numbers_are_tried(void **state)
{
	uint32_t right;

	(void)state;
	right = count_right(read_later);
	assert_true(right > RUNS / 2 && right < RUNS);
}

static void read_in_step(void)
{
	machine.from_ps += 50050 - machine.to_ps - machine.from_ps;
	machine.noise_ps = 0;
}

static void leave_step(void)
{
	machine.from_ps -= 2000;
}

static void a_group_in_step_adds_numbers(void **state)
{
	uint32_t right = 0;

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		machine.to_ps = 28500;
		read_in_step();
		take_old();
		leave_step();
		take_recent();
		if (!find())
			continue;
		assert_true(is_right());
		right++;
	}
	note("%u of %d", (unsigned)right, RUNS);
	assert_true(right > RUNS / 4);
}

static void two_groups_in_step_are_refused(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		make_machine();
		read_in_step();
		take();
		assert_false(find());
		assert_false(find_of(HPT_ANCHOR_BRACKETS, HPT_RECENT_BRACKETS, 26, HPT_KERNEL_KHZ, narrow()));
	}
}

/* ---- Near groups ------------------------------------------------------------------------------------------ */

static struct hpt_rates bound_by(uint64_t apart_ps, struct hpt_rates rates)
{
	struct hpt_source src = machine_source();

	hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, old, HPT_ANCHOR_BRACKETS);
	machine.now_ps += apart_ps;
	take_recent();
	return hpt_staircase_rates(hpt_group_of(old, HPT_ANCHOR_BRACKETS), hpt_group_of(recent, HPT_RECENT_BRACKETS),
		machine.step, rates);
}

static bool is_same(struct hpt_rates a, struct hpt_rates b)
{
	return a.lo_uhz == b.lo_uhz && a.hi_uhz == b.hi_uhz;
}

static void near_groups_narrow_the_bound(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct hpt_rates before, now;
		uint64_t uhz;

		make_machine();
		uhz = hpt_kernel_rate_uhz(machine.kernel);
		before = proven();
		now = bound_by(30000000 + random_below(6000000), before);
		assert_true(now.lo_uhz <= uhz && uhz <= now.hi_uhz);
		assert_true((now.hi_uhz - now.lo_uhz) * 5 < before.hi_uhz - before.lo_uhz);
		assert_in_range(hpt_staircase_near_ns(26, before), 39500, 40500);
	}
}

/* By another number the rate would be another one: neither is proven. */
static void groups_that_are_not_near_prove_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct hpt_rates before;

		make_machine();
		before = proven();
		assert_true(is_same(bound_by(220000000 + random_below(100000000), before), before));
	}
}

static void near_groups_in_step_and_short_steps_prove_nothing(void **state)
{
	struct hpt_rates before;

	(void)state;
	make_machine();
	before = proven();
	read_in_step();
	assert_true(is_same(bound_by(30000000, before), before));
	make_machine();
	machine.step = 7;
	before = proven();
	assert_true(is_same(bound_by(3000000, before), before));
	assert_int_equal(hpt_staircase_near_ns(7, before), 0);
}

/* A counter or clock that jumped between them. */
static void near_groups_that_contradict_prove_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct hpt_rates before, now;

		make_machine();
		before = proven();
		now = bound_by(18000000, before);
		for (uint32_t n = 0; n < HPT_RECENT_BRACKETS; n++)
			recent[n].ref_ns += 2;
		now = hpt_staircase_rates(hpt_group_of(old, HPT_ANCHOR_BRACKETS),
			hpt_group_of(recent, HPT_RECENT_BRACKETS), 26, before);
		assert_true(is_same(now, before));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernels_rate_is_found),
		cmocka_unit_test(disturbed_brackets_and_other_cpus_change_nothing),
		cmocka_unit_test(steps_of_another_cpu_do_not_count),
		cmocka_unit_test(a_preempted_group_is_used_in_part),
		cmocka_unit_test(between_several_rates_is_the_middle),
		cmocka_unit_test(short_steps_are_refused),
		cmocka_unit_test(unequal_steps_are_refused),
		cmocka_unit_test(few_brackets_are_refused),
		cmocka_unit_test(a_slower_group_does_not_say_which_number_is_likely),
		cmocka_unit_test(readings_that_fit_no_rate_are_refused),
		cmocka_unit_test(a_reading_that_fits_no_time_is_refused),
		cmocka_unit_test(both_numbers_are_tried),
		cmocka_unit_test(a_group_in_step_adds_numbers),
		cmocka_unit_test(two_groups_in_step_are_refused),
		cmocka_unit_test(near_groups_narrow_the_bound),
		cmocka_unit_test(groups_that_are_not_near_prove_nothing),
		cmocka_unit_test(near_groups_in_step_and_short_steps_prove_nothing),
		cmocka_unit_test(near_groups_that_contradict_prove_nothing),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
