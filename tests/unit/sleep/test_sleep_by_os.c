// SPDX-License-Identifier: MIT
/* Sleeps until a time of each clock of the kernel: with its slew, its steps, and what a suspend does to it. */
#include "sleep_world.h"

#include "hpt/wait.h"
#include "remaining.h"
#include "sleep/deadline.h"

#define HOUR_NS (3600 * NS_PER_S)

/* Each clock, the one by which the kernel's waits end, and what follows from a step of the wall clock or a suspend. */
static const struct {
	clockid_t id, waits_by;
	int64_t (*now_ns)(hpt_clock *clk);
	bool steps, is_suspended;
} clocks[] = {
	{ CLOCK_REALTIME, CLOCK_REALTIME, hpt_now_unix_ns, true, false },
	{ CLOCK_TAI, CLOCK_REALTIME, hpt_now_tai_ns, true, false },
	{ CLOCK_MONOTONIC, CLOCK_MONOTONIC, hpt_now_monotonic_ns, false, true },
	{ CLOCK_BOOTTIME, CLOCK_MONOTONIC, hpt_now_boottime_ns, false, false },
};

static void begin_offset(void)
{
	begin();
	world.tai_offset_ns = 37 * NS_PER_S;
	world.boottime_offset_ns = HOUR_NS / 7;
	use(5 * PS_PER_S, 10 * PS_PER_MS); /* the clock notices, and learns its rate */
	train();
}

/* Within the width of the readings by which the record knows that line. */
static void assert_is_time(clockid_t id, int64_t at_ns, int64_t within_ns)
{
	int64_t late_ns = fake_world_true_ns(id) - at_ns;

	if (late_ns < -100 || late_ns > within_ns)
		fail_msg("clock %d: %lld ns late, %lld allowed", id, (long long)late_ns, (long long)within_ns);
}

static void each_clock_has_its_times(void **state)
{
	static const int64_t lengths_ns[] = { 300, 50 * NS_PER_US, NS_PER_MS, 20 * NS_PER_MS, 60 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(clocks) * COUNT(lengths_ns); i++) {
		clockid_t id = clocks[i / COUNT(lengths_ns)].id;
		int64_t at_ns, length_ns = lengths_ns[i % COUNT(lengths_ns)];

		begin_offset();
		at_ns = clocks[i / COUNT(lengths_ns)].now_ns(&clk) + length_ns;
		assert_int_equal(slept(hpt_sleep_until_os_ns(&clk, id, at_ns)), 0);
		assert_true(clocks[i / COUNT(lengths_ns)].now_ns(&clk) >= at_ns);
		assert_is_time(id, at_ns, NS_PER_US);
		for (uint32_t n = 0; n < kernel.waits && n < FAKE_WAITS_KEPT; n++)
			assert_int_equal(kernel.wait[n].id, clocks[i / COUNT(lengths_ns)].waits_by);
		assert_int_equal(kernel.waits > 0, length_ns >= 50 * NS_PER_US);
	}
}

/* Both ways, at chrony's default maximum, and known to the record. */
static void slewed_clocks_have_their_times(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(clocks); i++) {
		int64_t at_ns;

		begin_offset();
		fake_world_slew(&world.wall, i & 1 ? 80000000 : -80000000);
		use(5 * PS_PER_S, 10 * PS_PER_MS);
		train();
		at_ns = clocks[i / 2].now_ns(&clk) + NS_PER_MS;
		assert_int_equal(slept(hpt_sleep_until_os_ns(&clk, clocks[i / 2].id, at_ns)), 0);
		assert_true(clocks[i / 2].now_ns(&clk) >= at_ns);
		assert_is_time(clocks[i / 2].id, at_ns, 200);
	}
}

static void past_times_return_at_once(void **state)
{
	static const int64_t past_ns[] = { 0, -1, INT64_MIN, 1000 };

	(void)state;
	begin_offset();
	for (size_t i = 0; i < COUNT(clocks) * COUNT(past_ns); i++) {
		uint64_t since_ps = world.now_ps;

		assert_int_equal(slept(hpt_sleep_until_os_ns(&clk, clocks[i % COUNT(clocks)].id,
							     past_ns[i / COUNT(clocks)])), 0);
		assert_true(world.now_ps - since_ps < 5000000);
	}
	assert_int_equal(kernel.waits, 0);
}

static void other_clocks_are_refused(void **state)
{
	static const clockid_t others[] = {
		CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE, CLOCK_PROCESS_CPUTIME_ID, CLOCK_BOOTTIME_ALARM, -1, 99,
	};
	hpt_waiter *w;

	(void)state;
	begin_offset();
	assert_int_equal(hpt_waiter_new(&clk, 0, &w), 0);
	for (size_t i = 0; i < COUNT(others); i++) {
		assert_int_equal(hpt_sleep_until_os_ns(&clk, others[i], INT64_MAX), -EINVAL);
		assert_int_equal(hpt_waiter_sleep_until_os_ns(w, others[i], INT64_MAX), -EINVAL);
	}
	assert_int_equal(hpt_waiter_sleep_until_os_ns(NULL, CLOCK_MONOTONIC, 0), -EINVAL);
	hpt_waiter_free(w);
}

/* How long a sleep of length_ns on that clock takes by CLOCK_MONOTONIC, if the event happens after after_ns. */
static int64_t took_ns(size_t i, int64_t length_ns, int64_t after_ns, void (*event)(void), int *ret_r)
{
	int64_t at_ns, start_ns, took;

	begin_offset();
	at_ns = clocks[i].now_ns(&clk) + length_ns;
	set_event(after_ns, event);
	start_ns = true_monotonic_ns();
	*ret_r = slept(hpt_sleep_until_os_ns(&clk, clocks[i].id, at_ns));
	took = true_monotonic_ns() - start_ns;
	if (!*ret_r)
		assert_true(clocks[i].now_ns(&clk) >= at_ns);
	return took;
}

static int64_t step_ns;

static void step(void)
{
	world.realtime_offset_ns += step_ns;
}

static void steps_move_those_that_step(void **state)
{
	static const int64_t steps_ns[] = { 20 * NS_PER_S, -HOUR_NS, -5 * NS_PER_MS };
	int r;

	(void)state;
	for (size_t i = 0; i < COUNT(clocks) * COUNT(steps_ns); i++) {
		size_t c = i % COUNT(clocks);
		int64_t took, length_ns = 60 * NS_PER_S;

		step_ns = steps_ns[i / COUNT(clocks)];
		took = took_ns(c, length_ns, 10 * NS_PER_S, step, &r);
		if (clocks[c].steps)
			length_ns -= step_ns;
		assert_int_equal(r, 0);
		assert_in_range(took, length_ns - NS_PER_US, length_ns + NS_PER_US);
	}
	step_ns = HOUR_NS; /* beyond the deadline */
	for (size_t i = 0; i < 2; i++)
		assert_in_range(took_ns(i, 60 * NS_PER_S, 10 * NS_PER_S, step, &r), 10 * NS_PER_S - NS_PER_US,
				10 * NS_PER_S + 2 * LATE_NS);
}

static void step_all_back(void)
{
	world.realtime_offset_ns -= 5 * NS_PER_MS;
	world.boottime_offset_ns -= 5 * NS_PER_MS; /* which the kernel does not do */
}

/* The segment ends in the spin, and the first read after that sees the step: of the clock itself, with any offset. */
static void step_back_in_the_spin_is_slept_through(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(clocks); i++) {
		size_t c = i / 2;
		struct hpt_record rec;
		int64_t left_ns, at_ns;

		begin();
		world.tai_offset_ns = i & 1 ? -NS_PER_S : NS_PER_S;
		world.boottime_offset_ns = i & 1 ? -NS_PER_S : NS_PER_S;
		use(5 * PS_PER_S, 10 * PS_PER_MS);
		train();
		hpt_timekeeper_current(&clk, &rec);
		left_ns = (int64_t)rec.convert.end_unix_ns + 100 - hpt_now_unix_ns(&clk);
		at_ns = clocks[c].now_ns(&clk) + left_ns;
		set_event(left_ns - 300, step_all_back);
		assert_int_equal(slept(hpt_sleep_until_os_ns(&clk, clocks[c].id, at_ns)), 0);
		assert_true(clocks[c].now_ns(&clk) >= at_ns);
		assert_is_time(clocks[c].id, at_ns, 10 * NS_PER_MS);
	}
}

static int64_t suspend_ns;

/* The counter goes on. */
static void suspend(void)
{
	world.tick_offset += (uint64_t)suspend_ns * 1000 / world.tick_ps;
	world.realtime_offset_ns += suspend_ns;
	world.boottime_offset_ns += suspend_ns;
}

/* CLOCK_BOOTTIME's is noticed within a second, because the kernel waits by CLOCK_MONOTONIC. */
static void suspends_count_where_the_clock_goes_on(void **state)
{
	int r;

	(void)state;
	for (size_t i = 0; i < COUNT(clocks); i++) {
		bool is_boottime = clocks[i].id == CLOCK_BOOTTIME;
		int64_t length_ns = 60 * NS_PER_S, took;

		suspend_ns = 20 * NS_PER_S;
		took = took_ns(i, length_ns, 10 * NS_PER_S, suspend, &r);
		if (!clocks[i].is_suspended)
			length_ns -= suspend_ns;
		assert_in_range(r, 0, HPT_STATE_DISRUPTED);
		assert_in_range(took, length_ns - NS_PER_MS, length_ns + NS_PER_MS);
		suspend_ns = HOUR_NS;
		took = took_ns(i, 60 * NS_PER_S, 10 * NS_PER_S, suspend, &r);
		if (clocks[i].is_suspended)
			assert_in_range(took, 60 * NS_PER_S - NS_PER_MS, 60 * NS_PER_S + NS_PER_MS);
		else
			assert_in_range(took, 10 * NS_PER_S - NS_PER_US,
					10 * NS_PER_S + (is_boottime ? NS_PER_S + NS_PER_MS : 2 * LATE_NS));
	}
}

static void slew(void)
{
	fake_world_slew(&world.wall, 80000000);
}

static void counter_falls_back(void)
{
	world.tick_offset -= PS_PER_S / world.tick_ps;
}

/* By the kernel's own clock, also one that a slew makes faster than the record knows. */
static void slews_and_lost_time_do_not_make_it_early(void **state)
{
	static void (*const events[])(void) = { slew, counter_falls_back };

	(void)state;
	for (size_t i = 0; i < COUNT(clocks) * COUNT(events); i++) {
		int r;
		int64_t took = took_ns(i % COUNT(clocks), 20 * NS_PER_MS, 10 * NS_PER_MS, events[i / COUNT(clocks)],
				       &r);

		assert_in_range(r, 0, HPT_STATE_DISRUPTED);
		assert_in_range(took, 20 * NS_PER_MS - NS_PER_US, 20 * NS_PER_MS + NS_PER_MS);
	}
}

static hpt_waiter *waiter;

static void interrupt_waiter(void)
{
	assert_int_equal(hpt_waiter_interrupt(waiter), 0);
	kernel.ends = FAKE_SPURIOUS;
}

static void waiters_are_interrupted(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(clocks); i++) {
		int64_t at_ns;

		begin_offset();
		assert_int_equal(hpt_waiter_new(&clk, 0, &waiter), 0);
		at_ns = clocks[i].now_ns(&clk) + 20 * NS_PER_MS;
		assert_int_equal(slept(hpt_waiter_sleep_until_os_ns(waiter, clocks[i].id, at_ns)), 0);
		assert_is_time(clocks[i].id, at_ns, NS_PER_US);
		set_event(5 * NS_PER_S, interrupt_waiter);
		assert_int_equal(slept(hpt_waiter_sleep_until_os_ns(waiter, clocks[i].id, INT64_MAX)), -ECANCELED);
		assert_int_equal(remaining_ns(waiter), INT64_MAX);
		hpt_waiter_free(waiter);
	}
}

static void manual_clocks_have_one_line(void **state)
{
	hpt_clock *manual;

	(void)state;
	assert_int_equal(hpt_clock_new_manual(1000000000, 1000, 0, &manual), 0);
	for (size_t i = 0; i < COUNT(clocks); i++)
		assert_int_equal(hpt_sleep_until_os_ns(manual, clocks[i].id, 1000), 0);
	hpt_clock_close(manual);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_clock_has_its_times),
		cmocka_unit_test(slewed_clocks_have_their_times),
		cmocka_unit_test(past_times_return_at_once),
		cmocka_unit_test(other_clocks_are_refused),
		cmocka_unit_test(steps_move_those_that_step),
		cmocka_unit_test(step_back_in_the_spin_is_slept_through),
		cmocka_unit_test(suspends_count_where_the_clock_goes_on),
		cmocka_unit_test(slews_and_lost_time_do_not_make_it_early),
		cmocka_unit_test(waiters_are_interrupted),
		cmocka_unit_test(manual_clocks_have_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
