// SPDX-License-Identifier: MIT
/* The spin at the end of a sleep: what it asks the kernel for, interrupts, and preemptions. */
#include "sleep_world.h"

/* White box: PAUSEs are counted, and one of them may be when an interrupt comes. */
static void relaxed(void);
#define arch_relax() relaxed()
#include "sleep/spin.c"
#undef arch_relax

static struct {
	uint64_t read_ps;       /* when the latest PAUSE was; another time: the counter has been read since */
	uint32_t clock_reads;   /* the same for the clocks */
	uint32_t between_reads, between_clock_reads, most_between_reads, most_between_clock_reads;
	uint32_t all, interrupt_at;
} pauses;

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void relaxed(void)
{
	pauses.between_reads = world.now_ps == pauses.read_ps ? pauses.between_reads + 1 : 1;
	pauses.between_clock_reads = world.clock_reads == pauses.clock_reads ? pauses.between_clock_reads + 1 : 1;
	pauses.read_ps = world.now_ps;
	pauses.clock_reads = world.clock_reads;
	pauses.most_between_reads = larger(pauses.most_between_reads, pauses.between_reads);
	pauses.most_between_clock_reads = larger(pauses.most_between_clock_reads, pauses.between_clock_reads);
	pauses.all++;
	if (pauses.all == pauses.interrupt_at)
		interrupt();
}

static void spin_does_not_enter_the_kernel(void **state)
{
	(void)state;
	begin();
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0);
	for (int64_t ns = 1; ns < 30 * NS_PER_MS; ns = 3 * ns + 1)
		until_a_tick(ns);
	assert_nothing_asked();
}

static void interrupt_in_the_spin_ends_it_within_a_turn(void **state)
{
	struct hpt_sleeper s;
	uint64_t interrupt_ps;
	int64_t left;

	(void)state;
	begin();
	s = sleeper(HPT_SLEEP_SPIN, 0);
	for (int64_t before_ns = 30; before_ns < 10 * NS_PER_US; before_ns += 61) {
		eventcount = (struct hpt_eventcount){ 0 };
		set_event(12 * NS_PER_US - before_ns, interrupt);
		interrupt_ps = world.event_at_ps;
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, in_ns(12 * NS_PER_US), &left)), -ECANCELED);
		assert_true(world.now_ps - interrupt_ps < (uint64_t)turn_ps());
		assert_in_range(left, 0, before_ns * 5 / 2 + turn_ps() / 400); /* by the read of the latest turn */
	}
	hpt_eventcount_notify(&eventcount, 1, &fake_env);
	assert_int_equal(kernel.waits + kernel.wakes, 0);
}

/* The counter is read once for several PAUSEs, after each of which an interrupt ends the spin. */
static void interrupt_at_any_pause_ends_the_spin_there(void **state)
{
	struct hpt_sleeper s;

	(void)state;
	begin();
	s = sleeper(HPT_SLEEP_SPIN, 0);
	for (uint32_t i = 1; i < 20; i++) {
		eventcount = (struct hpt_eventcount){ 0 };
		memset(&pauses, 0, sizeof(pauses));
		pauses.interrupt_at = i;
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, in_ns(12 * NS_PER_US), NULL)), -ECANCELED);
		assert_int_equal(pauses.all, i);
		assert_true(world.now_ps == pauses.read_ps);
	}
	assert_int_equal(pauses.most_between_reads, 4);
}

/* A counter that stopped, and hypervisors that count PAUSEs. */
static void clocks_are_compared_between_256_pauses(void **state)
{
	(void)state;
	begin();
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0);
	memset(&pauses, 0, sizeof(pauses));
	until_a_tick(100 * NS_PER_US);
	assert_true(pauses.all > 1000);
	assert_int_equal(pauses.most_between_clock_reads, 256);
}

/* Wherever the preemption comes: counter and clock advance together. */
static void preemptions_are_no_event(void **state)
{
	static const int64_t lengths_ns[] = { 30 * NS_PER_US, 100 * NS_PER_US, NS_PER_MS };

	(void)state;
	begin();
	settle();
	train();
	for (size_t i = 0; i < COUNT(lengths_ns); i++)
		for (int64_t after_ns = 3; after_ns < lengths_ns[i] + 1000; after_ns += 1 + lengths_ns[i] / 5000) {
			hpt_time_t deadline = in_ns(lengths_ns[i]);

			end_contention();
			preemption_ns = after_ns / 16 % 2 ? 8 * NS_PER_MS : 1500 * NS_PER_US;
			set_event(after_ns, preempt);
			assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
			assert_reached(deadline, preemption_ns + LATE_NS);
			world.event = NULL;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spin_does_not_enter_the_kernel),
		cmocka_unit_test(interrupt_in_the_spin_ends_it_within_a_turn),
		cmocka_unit_test(interrupt_at_any_pause_ends_the_spin_there),
		cmocka_unit_test(clocks_are_compared_between_256_pauses),
		cmocka_unit_test(preemptions_are_no_event),
	};

	return cmocka_run_group_tests_name("spin", tests, NULL, NULL);
}
