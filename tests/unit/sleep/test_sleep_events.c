// SPDX-License-Identifier: MIT
/* Sleeps during which something happens: interrupts, signals, jumps of the counter, suspends. */
#include "sleep_world.h"
#include "wide.h"

#define HOUR_NS (3600 * NS_PER_S)

/* ---- Interrupts -------------------------------------------------------------------------------------- */

static void assert_nobody_in_kernel(void)
{
	assert_int_equal(hpt_eventcount_sleepers(&eventcount), 0);
}

static void pending_interrupt_wins_over_any_deadline(void **state)
{
	static const int64_t lengths_ns[] = { INT64_MIN / 4, -1, 0, 1, NS_PER_S };
	struct hpt_sleeper s;
	int64_t left;

	(void)state;
	begin();
	s = sleeper(HPT_SLEEP_BALANCED, 0);
	interrupt();
	for (size_t i = 0; i < COUNT(lengths_ns); i++) {
		int64_t want = lengths_ns[i] > 0 ? hpt_ns_to_ticks(&clk, lengths_ns[i]) : 0;

		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, in_ns(lengths_ns[i]), &left)), -ECANCELED);
		assert_in_range(left > 0 ? left : 0, want > 100 ? want - 100 : 0, want);
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_AFTER_NS, lengths_ns[i], &left)), -ECANCELED);
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_NS, lengths_ns[i], &left)), -ECANCELED);
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_UNIX_NS, lengths_ns[i], &left)), -ECANCELED);
	}
	assert_int_equal(kernel.waits + kernel.slack_gets, 0);
	/* A sleeper whose key is from after the interrupt sleeps. */
	s.key = hpt_eventcount_value(&eventcount);
	kernel.waits = 0;
	assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, in_ns(NS_PER_MS), &left)), 0);
	assert_true(left <= hpt_ns_to_ticks(&clk, 10) + 1); /* the spin's lead */
	assert_in_range(kernel.waits, 1, 2); /* a long and a brief one by that key; by another they would end at once */
}

static uint32_t clock_reads_before;

static void interrupt_in_the_kernel(void)
{
	clock_reads_before = world.clock_reads;
	assert_int_equal(hpt_eventcount_sleepers(&eventcount), 1);
	hpt_eventcount_notify(&eventcount, 1, &fake_env);
}

static void interrupt_in_the_kernel_ends_the_wait(void **state)
{
	static const int64_t after_ns[] = { NS_PER_US, NS_PER_MS, 19 * NS_PER_MS + 9 * NS_PER_US };
	int64_t left;

	(void)state;
	for (size_t i = 0; i < COUNT(after_ns); i++) {
		struct hpt_sleeper s;
		hpt_time_t deadline;

		begin();
		train();
		kernel.late_ns = 10 * NS_PER_US;
		s = sleeper(HPT_SLEEP_BALANCED, 0);
		deadline = in_ns(20 * NS_PER_MS);
		set_event(after_ns[i], interrupt_in_the_kernel);
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, deadline, &left)), -ECANCELED);
		assert_int_equal(world.clock_reads, clock_reads_before); /* it ends at once */
		assert_in_range(deadline - hpt_now(&clk), left - 100, left);
		assert_in_range(left * 2 / 5, 20 * NS_PER_MS - after_ns[i] - 20 * NS_PER_US,
				20 * NS_PER_MS - after_ns[i]);
		assert_int_equal(kernel.wakes, 1);
		assert_nobody_in_kernel();
	}
}

static void deadline_at_the_clocks_end_lasts_until_interrupted(void **state)
{
	struct hpt_sleeper s;
	hpt_time_t before;
	int64_t left;

	(void)state;
	begin();
	s = sleeper(HPT_SLEEP_BALANCED, 0);
	before = hpt_now(&clk);
	set_event(100 * 24 * HOUR_NS, interrupt);
	assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, INT64_MAX, &left)), -ECANCELED);
	assert_in_range(INT64_MAX - left - before, 100 * 24 * HOUR_NS * 5 / 2, 100 * 24 * HOUR_NS * 5 / 2 + 1000000);
	set_event(HOUR_NS, interrupt);
	s.key = hpt_eventcount_value(&eventcount);
	assert_int_equal(slept(hpt_sleep_on(&s, HPT_DEADLINE_AFTER_NS, INT64_MAX, &left)), -ECANCELED);
	set_event(HOUR_NS, interrupt);
	s.key = hpt_eventcount_value(&eventcount);
	assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_NS, INT64_MAX, &left)), -ECANCELED);
	set_event(HOUR_NS, interrupt);
	s.key = hpt_eventcount_value(&eventcount);
	assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_UNIX_NS, INT64_MAX, &left)), -ECANCELED);
}

/* ---- Signals and spurious wakes ---------------------------------------------------------------------- */

static uint32_t ends_left;
static enum fake_end end_by;

static void end_wait(void)
{
	kernel.ends = end_by;
	if (--ends_left)
		set_event(NS_PER_US * 10, end_wait);
}

static void end_waits(enum fake_end by, uint32_t times)
{
	end_by = by;
	ends_left = times;
	set_event(100 * NS_PER_US, end_wait);
}

static void signals_do_not_end_a_sleep(void **state)
{
	hpt_time_t deadline;
	int64_t at_ns;

	(void)state;
	begin();
	train();
	kernel.late_ns = 0;
	end_waits(FAKE_SIGNAL, 10);
	deadline = in_ns(20 * NS_PER_MS);
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_on_time(deadline);
	assert_in_range(kernel.waits, 11, 12);
	/* Each wait is until the same time. */
	for (uint32_t i = 1; i < 10; i++)
		assert_in_range(kernel.wait[i].until_ns - kernel.wait[0].until_ns + 20000, 0, 40000);
	end_waits(FAKE_SIGNAL, 1000);
	at_ns = hpt_now_ns(&clk) + 20 * NS_PER_MS;
	assert_int_equal(slept(hpt_sleep_ns(&clk, 20 * NS_PER_MS)), 0);
	assert_in_range(hpt_now_ns(&clk) - at_ns, 0, NS_PER_US);
}

static void signals_end_a_sleep_if_asked_for(void **state)
{
	struct hpt_sleeper s;
	hpt_time_t deadline;
	int64_t left;

	(void)state;
	begin();
	train();
	s = sleeper(HPT_SLEEP_BALANCED, 0);
	s.flags = HPT_WAIT_EINTR;
	kernel.late_ns = 0;
	deadline = in_ns(20 * NS_PER_MS);
	end_waits(FAKE_SIGNAL, 1);
	assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, deadline, &left)), -EINTR);
	assert_in_range(left * 2 / 5, 20 * NS_PER_MS - 110 * NS_PER_US, 20 * NS_PER_MS - 90 * NS_PER_US);
	assert_int_equal(kernel.waits, 1);
	assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, deadline, &left)), 0);
	assert_on_time(deadline);
	assert_nobody_in_kernel();
}

/* A handler is noticed in the kernel alone, so such a sleep does not spin for longer than a millisecond. */
static void signals_end_a_sleep_that_would_spin(void **state)
{
	static const int64_t most_ns[] = { 0, NS_PER_US * 500, 5 * NS_PER_MS };

	(void)state;
	for (size_t i = 0; i < COUNT(most_ns); i++) {
		struct hpt_sleeper s;
		hpt_time_t deadline;
		int64_t end_ns;

		begin();
		s = sleeper(HPT_SLEEP_SPIN, most_ns[i]);
		s.flags = HPT_WAIT_EINTR;
		kernel.late_ns = 0;
		end_ns = true_monotonic_ns() + 20 * NS_PER_MS;
		deadline = in_ns(20 * NS_PER_MS);
		end_waits(FAKE_SIGNAL, 1);
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, deadline, NULL)), -EINTR);
		assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, deadline, NULL)), 0);
		assert_on_time(deadline);
		assert_int_equal(kernel.waits, 2);
		assert_in_range(end_ns - kernel.wait[1].until_ns, 499 * NS_PER_US, NS_PER_MS + 100);
	}
}

/* Each wait has a time-out, since a handler with SA_RESTART restarts a wait without one. */
static void signals_end_a_sleep_for_ever(void **state)
{
	static const enum hpt_deadline_kind kinds[] = {
		HPT_DEADLINE_TICK, HPT_DEADLINE_NS, HPT_DEADLINE_AFTER_NS, HPT_DEADLINE_UNIX_NS,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct hpt_sleeper s;

		begin();
		s = sleeper(HPT_SLEEP_BALANCED, 0);
		s.flags = HPT_WAIT_EINTR;
		end_waits(FAKE_SIGNAL, 1);
		assert_int_equal(slept(sleep_on(&s, kinds[i], INT64_MAX, NULL)), -EINTR);
		assert_in_range(kernel.wait[0].until_ns, HOUR_NS, INT64_MAX);
	}
}

static void interrupt_and_signal(void)
{
	interrupt();
	kernel.ends = FAKE_SIGNAL;
}

/* A handler that interrupts its own thread's sleep: the interrupt is not lost. */
static void interrupt_wins_over_a_signal(void **state)
{
	struct hpt_sleeper s;

	(void)state;
	begin();
	s = sleeper(HPT_SLEEP_BALANCED, 0);
	s.flags = HPT_WAIT_EINTR;
	set_event(NS_PER_MS, interrupt_and_signal);
	assert_int_equal(slept(sleep_on(&s, HPT_DEADLINE_TICK, in_ns(20 * NS_PER_MS), NULL)), -ECANCELED);
}

static void spurious_wakes_change_nothing(void **state)
{
	struct hpt_sleep_info before;
	hpt_time_t deadline;

	(void)state;
	begin();
	train();
	before = habits();
	kernel.late_ns = 0;
	end_waits(FAKE_SPURIOUS, 1000);
	deadline = in_ns(20 * NS_PER_MS);
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_on_time(deadline);
	assert_in_range(kernel.waits, 1001, 1002);
	/* They do not show how late the kernel wakes, so they are not learned from. */
	assert_in_range(habits().samples + habits().long_samples, before.samples + before.long_samples + 1,
			before.samples + before.long_samples + 2);
}

/* ---- The counter ------------------------------------------------------------------------------------- */

static int64_t jump_ns;

static void jump(void)
{
	world.tick_offset += (uint64_t)wide_ratio_signed(jump_ns, 1000, world.tick_ps); /* years, too */
}

/* The counter stands still from now on; time goes on. */
static void freeze(void)
{
	world.tick_offset += world.now_ps / world.tick_ps;
	world.tick_ps = UINT64_MAX;
}

static sleep_fn *const both[] = { by_tick, by_ns };

static const struct {
	int64_t length_ns, after_ns;
	uint32_t policy;
} moments[] = {
	{ 20 * NS_PER_MS, 100 * NS_PER_US, HPT_SLEEP_BALANCED },
	{ 20 * NS_PER_MS, 15 * NS_PER_MS, HPT_SLEEP_BALANCED },
	{ 5 * NS_PER_S, NS_PER_S, HPT_SLEEP_BALANCED },
	{ 20 * NS_PER_MS, 7 * NS_PER_MS, HPT_SLEEP_SPIN },
	{ 20 * NS_PER_MS, 20 * NS_PER_MS - 3 * NS_PER_US, HPT_SLEEP_BALANCED },
	{ 20 * NS_PER_MS, 20 * NS_PER_MS - 3 * NS_PER_US, HPT_SLEEP_SPIN },
	{ 500 * NS_PER_US, 499 * NS_PER_US, HPT_SLEEP_BALANCED },
	{ 3 * NS_PER_US, NS_PER_US, HPT_SLEEP_BALANCED },
	{ 30 * NS_PER_US, 30 * NS_PER_US - 100, HPT_SLEEP_SPIN },
	{ 30 * NS_PER_US, 30 * NS_PER_US - 50, HPT_SLEEP_SPIN },
	{ 20 * NS_PER_MS, 20 * NS_PER_MS - 100, HPT_SLEEP_BALANCED },
	{ 12 * NS_PER_US, 12 * NS_PER_US - 100, HPT_SLEEP_BALANCED },
};

static struct trial trial_of(size_t i, void (*event)(void))
{
	return (struct trial){
		.length_ns = moments[i].length_ns, .after_ns = moments[i].after_ns, .policy = moments[i].policy,
		.event = event,
	};
}

/* The longest that a sleep may last by CLOCK_MONOTONIC, whatever the counter does. */
static int64_t bound_ns(int64_t length_ns)
{
	return length_ns + NS_PER_MS + length_ns / 8 + 200 * NS_PER_US;
}

static void assert_bounded(const struct trial *t)
{
	if (t->took_ns < t->length_ns - 10 * NS_PER_US || t->took_ns > bound_ns(t->length_ns))
		fail_msg("%lld ns took %lld", (long long)t->length_ns, (long long)t->took_ns);
}

static void counter_that_falls_back_does_not_sleep_for_long(void **state)
{
	static const int64_t jumps_ns[] = { -5 * NS_PER_S, -HOUR_NS, -1000 * HOUR_NS };

	(void)state;
	for (size_t i = 0; i < COUNT(moments); i++)
		for (size_t k = 0; k < COUNT(jumps_ns) * COUNT(both); k++) {
			struct trial t = trial_of(i, jump);

			jump_ns = jumps_ns[k / COUNT(both)];
			try(&t, both[k % COUNT(both)]);
			assert_bounded(&t);
			assert_in_range(t.result, HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED);
		}
}

static void counter_that_stands_still_does_not_sleep_for_ever(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(moments); i++)
		for (size_t k = 0; k < COUNT(both); k++) {
			struct trial t = trial_of(i, freeze);

			try(&t, both[k]);
			assert_bounded(&t);
			assert_int_equal(t.result, HPT_STATE_DISRUPTED);
		}
}

static void counter_that_stands_still_before_ends_a_sleep_too(void **state)
{
	(void)state;
	for (int64_t ns = 1000; ns < NS_PER_S; ns *= 7) {
		struct trial t = { .length_ns = ns, .event = freeze };

		try(&t, by_tick);
		assert_bounded(&t);
		assert_int_equal(t.result, HPT_STATE_DISRUPTED);
	}
}

static void counter_that_jumps_ahead_ends_a_sleep_until_a_tick(void **state)
{
	(void)state;
	jump_ns = HOUR_NS;
	for (size_t i = 0; i < COUNT(moments); i++) {
		struct trial t = trial_of(i, jump);

		try(&t, by_tick);
		assert_true(hpt_now(&clk) >= t.deadline);
		assert_true(t.took_ns <= t.length_ns + LATE_NS);
		/* A jump over less than a millisecond of spinning is not detected. */
		if (t.length_ns - t.after_ns > 2 * NS_PER_MS)
			assert_int_equal(t.result, HPT_STATE_DISRUPTED);
		else
			assert_in_range(t.result, 0, HPT_STATE_DISRUPTED);
	}
}

/* Nothing has noticed the jump when the program computes its deadline, so the deadline is the stepped counter's. */
static void deadline_read_after_a_jump_ahead_is_not_an_hour_later(void **state)
{
	int64_t from_ns;

	(void)state;
	begin();
	train();
	jump_ns = HOUR_NS;
	jump();
	from_ns = true_monotonic_ns();
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, hpt_now(&clk) + 20 * NS_PER_MS * 1000 / 400)),
			 HPT_STATE_DISRUPTED);
	assert_in_range(true_monotonic_ns() - from_ns, 20 * NS_PER_MS - NS_PER_US, 20 * NS_PER_MS + LATE_NS);
}

/* Sleeps until 20 ms from now. It jumps after_ns from now, while the sleep takes its first samples. */
static void jump_in_the_first_samples(int64_t after_ns, int64_t early_ns)
{
	hpt_time_t deadline = hpt_now(&clk) + 20 * NS_PER_MS * 1000 / 400;
	int64_t from_ns = true_monotonic_ns();

	kernel.slack_ns = 1; /* it ends by the kernel's clock, and so later by the slack */
	set_event(after_ns, jump);
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), HPT_STATE_DISRUPTED);
	assert_in_range(true_monotonic_ns() - from_ns, 20 * NS_PER_MS - early_ns, 20 * NS_PER_MS + 2 * LATE_NS);
}

/* The first samples may also refine the rate: by the new one 5 years differ by minutes from those by the old one. */
static void jump_of_years_is_undone_to_the_tick(void **state)
{
	(void)state;
	for (int64_t after_ns = 200; after_ns < 4000; after_ns += 200) {
		begin();
		train();
		pass(PS_PER_S / 2);
		jump_ns = -5 * 365 * 24 * HOUR_NS;
		jump_in_the_first_samples(after_ns, NS_PER_MS / 5); /* the old rate is 330 ppm off */
	}
}

/* The counter restarts between the read of the deadline and the sleep: 400 years less than it was. */
static void restart_of_an_old_counter_is_undone(void **state)
{
	hpt_time_t deadline;
	int64_t from_ns;

	(void)state;
	begin_at(400000, 8000);
	counter_goes(INT64_C(31557600000000000));
	use(4 * PS_PER_S, 50 * PS_PER_MS);
	deadline = hpt_now(&clk) + 20 * NS_PER_MS / 400;
	from_ns = true_monotonic_ns();
	counter_goes(-INT64_C(31557600000000000));
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), HPT_STATE_DISRUPTED);
	assert_in_range(true_monotonic_ns() - from_ns, 20 * NS_PER_MS - 2 * NS_PER_US, 21 * NS_PER_MS);
}

static void second_jump_does_not_leave_the_first_one(void **state)
{
	(void)state;
	begin();
	settle();
	train();
	jump_ns = HOUR_NS;
	jump();
	jump_ns = -2 * HOUR_NS;
	jump_in_the_first_samples(600, NS_PER_US);
}

/* After an event the old rate is a guess, which may be wrong by any factor until two samples have been taken. */
static void wait_by_a_guessed_rate_is_short(void **state)
{
	int64_t from_ns;

	(void)state;
	begin();
	train();
	world.tick_offset += world.now_ps / 400 - world.now_ps / 100 + UINT64_C(100000000000);
	world.tick_ps = 100;
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_DISRUPTED);
	from_ns = true_monotonic_ns();
	assert_in_range(hpt_sleep_until_ticks(&clk, hpt_now(&clk) + NS_PER_S * 1000 / 100), 0, HPT_STATE_DISRUPTED);
	assert_in_range(true_monotonic_ns() - from_ns, NS_PER_S - NS_PER_US, NS_PER_S + 2 * NS_PER_MS);
	assert_in_range(habits().margin_ns, LATE_NS, 2 * LATE_NS);
	assert_in_range(habits().long_margin_ns, 0, 2 * LATE_NS);
}

/* After the jump the timeline is the kernel's again. */
static void counter_that_jumps_ahead_does_not_cut_a_duration_in_the_kernel(void **state)
{
	static const int64_t lengths_ns[] = { 2 * NS_PER_MS, 20 * NS_PER_MS, NS_PER_S, 20 * NS_PER_S };

	(void)state;
	jump_ns = HOUR_NS;
	for (size_t i = 0; i < COUNT(lengths_ns); i++) {
		struct trial t = { .length_ns = lengths_ns[i], .after_ns = lengths_ns[i] / 2, .event = jump };

		try(&t, by_ns);
		assert_in_range(t.took_ns, t.length_ns - NS_PER_US, t.length_ns + 10 * NS_PER_US);
		assert_int_equal(t.result, HPT_STATE_DISRUPTED);
	}
}

/* Some hypervisors step a guest's counter by the time that the guest did not run: less than 1 ms is no event. */
static void small_steps_of_the_counter_are_no_event(void **state)
{
	(void)state;
	for (jump_ns = -900 * NS_PER_US; jump_ns < NS_PER_MS; jump_ns += 600 * NS_PER_US) {
		struct trial t = { .length_ns = 20 * NS_PER_MS, .after_ns = 7 * NS_PER_MS, .event = jump };

		try(&t, by_tick);
		assert_int_equal(t.result, 0);
		assert_reached(t.deadline, jump_ns > 0 ? jump_ns : NS_PER_US);
	}
}

/* ---- Suspend ----------------------------------------------------------------------------------------- */

static void suspend(void)
{
	world.tick_offset += (uint64_t)HOUR_NS * 1000 / world.tick_ps;
	world.realtime_offset_ns += HOUR_NS;
}

static void suspend_with_the_counter(void)
{
	world.realtime_offset_ns += HOUR_NS;
}

static void durations_do_not_count_a_suspend(void **state)
{
	struct trial t = { .length_ns = 20 * NS_PER_MS, .after_ns = 5 * NS_PER_MS };

	(void)state;
	t.event = suspend;
	try(&t, by_ns);
	assert_in_range(t.took_ns, t.length_ns - NS_PER_US, t.length_ns + 10 * NS_PER_US);
	assert_in_range(t.result, HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED);
	t.event = suspend_with_the_counter;
	try(&t, by_ns);
	assert_in_range(t.took_ns, t.length_ns - NS_PER_US, t.length_ns + 10 * NS_PER_US);
	assert_int_equal(t.result, 0);
}

static void deadlines_follow_the_counter_through_a_suspend(void **state)
{
	struct trial t = { .length_ns = 20 * NS_PER_MS, .after_ns = 5 * NS_PER_MS };

	(void)state;
	t.event = suspend;
	try(&t, by_tick);
	assert_true(hpt_now(&clk) >= t.deadline && t.took_ns <= t.length_ns);
	assert_in_range(t.result, HPT_STATE_REANCHORED, HPT_STATE_DISRUPTED);
	t.event = suspend_with_the_counter;
	try(&t, by_tick);
	assert_on_time(t.deadline);
	assert_int_equal(t.result, 0);
}

static void suspend_teaches_nothing(void **state)
{
	struct trial t = { .length_ns = 20 * NS_PER_MS, .after_ns = 5 * NS_PER_MS, .event = suspend };
	struct hpt_sleep_info before, after;

	(void)state;
	try(&t, by_tick);
	use(10 * PS_PER_MS, PS_PER_MS); /* learns the rate */
	before = habits();
	set_event(t.after_ns, suspend);
	hpt_sleep_until_ticks(&clk, in_ns(t.length_ns));
	after = habits();
	assert_int_equal(after.oversleeps, before.oversleeps);
	assert_int_equal(after.margin_ns, before.margin_ns);
	assert_int_equal(after.long_margin_ns, before.long_margin_ns);
	assert_int_equal(after.waits, before.waits + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pending_interrupt_wins_over_any_deadline),
		cmocka_unit_test(interrupt_in_the_kernel_ends_the_wait),
		cmocka_unit_test(deadline_at_the_clocks_end_lasts_until_interrupted),
		cmocka_unit_test(signals_do_not_end_a_sleep),
		cmocka_unit_test(signals_end_a_sleep_if_asked_for),
		cmocka_unit_test(signals_end_a_sleep_that_would_spin),
		cmocka_unit_test(signals_end_a_sleep_for_ever),
		cmocka_unit_test(interrupt_wins_over_a_signal),
		cmocka_unit_test(spurious_wakes_change_nothing),
		cmocka_unit_test(counter_that_falls_back_does_not_sleep_for_long),
		cmocka_unit_test(counter_that_stands_still_does_not_sleep_for_ever),
		cmocka_unit_test(counter_that_stands_still_before_ends_a_sleep_too),
		cmocka_unit_test(counter_that_jumps_ahead_ends_a_sleep_until_a_tick),
		cmocka_unit_test(deadline_read_after_a_jump_ahead_is_not_an_hour_later),
		cmocka_unit_test(jump_of_years_is_undone_to_the_tick),
		cmocka_unit_test(restart_of_an_old_counter_is_undone),
		cmocka_unit_test(second_jump_does_not_leave_the_first_one),
		cmocka_unit_test(wait_by_a_guessed_rate_is_short),
		cmocka_unit_test(counter_that_jumps_ahead_does_not_cut_a_duration_in_the_kernel),
		cmocka_unit_test(small_steps_of_the_counter_are_no_event),
		cmocka_unit_test(durations_do_not_count_a_suspend),
		cmocka_unit_test(deadlines_follow_the_counter_through_a_suspend),
		cmocka_unit_test(suspend_teaches_nothing),
	};

	return cmocka_run_group_tests_name("sleep events", tests, NULL, NULL);
}
