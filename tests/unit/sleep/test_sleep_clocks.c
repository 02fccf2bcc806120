// SPDX-License-Identifier: MIT
/* Sleeps in which the kernel's clocks are slewed or set. */
#include "sleep_world.h"

#define HOUR_NS (3600 * NS_PER_S)

/* ---- CLOCK_MONOTONIC's rate -------------------------------------------------------------------------- */

static int64_t slew_ppb;

static void slew(void)
{
	fake_world_slew(&world.wall, slew_ppb);
}

static void begin_slewed(int64_t ppb)
{
	begin();
	fake_world_slew(&world.wall, ppb);
	settle();
	train();
}

/* A slew at NTP's limit, and at chronyd's default limit, that began before the sleep and was sampled. */
static void slewed_clock_does_not_move_a_sleep(void **state)
{
	static const int64_t slews_ppb[] = { -500000, 500000, -80000000, 80000000 };
	static const int64_t lengths_ns[] = { 50 * NS_PER_US, NS_PER_MS, 20 * NS_PER_MS, NS_PER_S, 60 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(slews_ppb) * COUNT(lengths_ns); i++) {
		int64_t length_ns = lengths_ns[i % COUNT(lengths_ns)], before_ns;
		hpt_time_t deadline;

		begin_slewed(slews_ppb[i / COUNT(lengths_ns)]);
		deadline = in_ns(length_ns);
		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
		assert_on_time(deadline);
		before_ns = hpt_now_ns(&clk);
		assert_int_equal(slept(hpt_sleep_ns(&clk, length_ns)), 0);
		assert_in_range(hpt_now_ns(&clk) - before_ns, length_ns, length_ns + NS_PER_US);
	}
}

/* A slew that begins during a sleep makes it late only by what the slew adds in the last second. */
static void slew_that_begins_in_a_sleep_makes_it_hardly_late(void **state)
{
	static const int64_t slews_ppb[] = { -500000, 500000, -60000000, 80000000 };
	static const int64_t lengths_ns[] = { 20 * NS_PER_MS, 900 * NS_PER_MS, 10 * NS_PER_S, 600 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(slews_ppb) * COUNT(lengths_ns); i++) {
		int64_t length_ns = lengths_ns[i % COUNT(lengths_ns)];
		int64_t last_ns = length_ns < NS_PER_S ? length_ns : NS_PER_S;
		struct trial t = { .length_ns = length_ns, .after_ns = 100 * NS_PER_US, .event = slew };
		int64_t allowed_ns;

		slew_ppb = slews_ppb[i / COUNT(lengths_ns)];
		allowed_ns = llabs(slew_ppb) <= 500000 ? NS_PER_US : last_ns / 10;
		try(&t, by_tick);
		assert_int_equal(t.result, 0);
		assert_reached(t.deadline, allowed_ns);
		try(&t, by_ns);
		assert_int_equal(t.result, 0);
		assert_in_range(fake_world_true_ns(CLOCK_MONOTONIC_RAW) - t.raw_ns, length_ns, length_ns + allowed_ns);
	}
}

/* ---- CLOCK_REALTIME ---------------------------------------------------------------------------------- */

static int64_t step_ns;

static void step(void)
{
	world.realtime_offset_ns += step_ns;
}

/* Returns how long the sleep took in true time. By the clock it is never early. */
static int64_t unix_sleep_took_ns(int64_t length_ns, int64_t after_ns, void (*event)(void))
{
	int64_t at_ns, start_ns, took_ns;

	begin();
	settle();
	train();
	at_ns = hpt_now_unix_ns(&clk) + length_ns;
	set_event(after_ns, event);
	start_ns = true_monotonic_ns();
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, at_ns)), 0);
	took_ns = true_monotonic_ns() - start_ns;
	assert_true(hpt_now_unix_ns(&clk) >= at_ns);
	return took_ns;
}

static void steps_of_the_wall_clock_are_followed_in_the_kernel(void **state)
{
	(void)state;
	/* Ahead, across the deadline: the sleep ends at once. */
	step_ns = HOUR_NS;
	assert_in_range(unix_sleep_took_ns(60 * NS_PER_S, 10 * NS_PER_S, step), 10 * NS_PER_S - NS_PER_US,
			10 * NS_PER_S + 2 * LATE_NS);
	/* Ahead, but not to the deadline. */
	step_ns = 20 * NS_PER_S;
	assert_in_range(unix_sleep_took_ns(60 * NS_PER_S, 10 * NS_PER_S, step), 40 * NS_PER_S - NS_PER_US,
			40 * NS_PER_S + NS_PER_US);
	/* Back. */
	step_ns = -HOUR_NS;
	assert_in_range(unix_sleep_took_ns(60 * NS_PER_S, 10 * NS_PER_S, step), HOUR_NS + 60 * NS_PER_S - NS_PER_US,
			HOUR_NS + 60 * NS_PER_S + NS_PER_US);
	step_ns = -5 * NS_PER_MS;
	assert_in_range(unix_sleep_took_ns(20 * NS_PER_MS, 10 * NS_PER_MS, step), 25 * NS_PER_MS - NS_PER_US,
			25 * NS_PER_MS + NS_PER_US);
}

/*
 * The spin ends by the line of a segment that ends with it. The first read of Unix time after that sees a step of 5 ms
 * that happened during the spin: the sleep goes on.
 */
static void step_back_during_the_spin_is_slept_through(void **state)
{
	struct hpt_record rec;
	int64_t at_ns;

	(void)state;
	begin();
	settle();
	train();
	hpt_timekeeper_current(&clk, &rec);
	at_ns = (int64_t)rec.convert.end_unix_ns + 100;
	step_ns = -5 * NS_PER_MS;
	set_event(at_ns - hpt_now_unix_ns(&clk) - 300, step);
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, at_ns)), 0);
	assert_true(hpt_now_unix_ns(&clk) >= at_ns);
	assert_true(fake_world_true_ns(CLOCK_REALTIME) >= at_ns);
}

static void step_before_the_sleep_is_known_to_it(void **state)
{
	(void)state;
	for (int64_t by_ns = -HOUR_NS; by_ns <= HOUR_NS; by_ns += 2 * HOUR_NS) {
		int64_t at_ns, start_ns;

		begin();
		settle();
		train();
		at_ns = hpt_now_unix_ns(&clk) + by_ns + 20 * NS_PER_MS;
		world.realtime_offset_ns += by_ns;
		start_ns = true_monotonic_ns();
		assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, at_ns)), 0);
		assert_in_range(true_monotonic_ns() - start_ns, 20 * NS_PER_MS - NS_PER_US, 20 * NS_PER_MS + NS_PER_US);
	}
}

static void slew_of_the_wall_clock_is_followed(void **state)
{
	(void)state;
	for (slew_ppb = -500000; slew_ppb <= 500000; slew_ppb += 250000) {
		int64_t at_ns, late_ns;

		begin();
		settle();
		train();
		at_ns = hpt_now_unix_ns(&clk) + 10 * NS_PER_S;
		set_event(NS_PER_S, slew);
		assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, at_ns)), 0);
		assert_true(hpt_now_unix_ns(&clk) >= at_ns);
		/* The kernel's clock itself agrees. */
		late_ns = fake_world_true_ns(CLOCK_REALTIME) - at_ns;
		assert_in_range(late_ns + 100 * NS_PER_US, 0, 200 * NS_PER_US);
	}
}

static void suspend(void)
{
	world.realtime_offset_ns += HOUR_NS;
}

static void suspend_is_over_for_the_wall_clock(void **state)
{
	(void)state;
	/* The kernel's timer has expired when the machine resumes. */
	assert_in_range(unix_sleep_took_ns(60 * NS_PER_S, 10 * NS_PER_S, suspend), 10 * NS_PER_S - NS_PER_US,
			10 * NS_PER_S + 2 * LATE_NS);
}

/*
 * Until the next samples the wall clock is off the line of hpt_now_unix_ns(), by less than counts as a step. The kernel
 * waits by the wall clock, while the time left is computed by the line.
 */
static void wall_clock_off_the_line_adds_no_waits(void **state)
{
	static const int64_t off_ns[] = { 300000, 900000, -300000, -900000 };

	(void)state;
	for (size_t i = 0; i < COUNT(off_ns); i++) {
		begin();
		settle();
		train();
		hpt_now_unix_ns(&clk);
		world.realtime_offset_ns += off_ns[i];
		kernel.waits = 0;
		for (int k = 0; k < 40; k++)
			assert_int_equal(hpt_sleep_until_unix_ns(&clk, hpt_now_unix_ns(&clk) + 2 * NS_PER_MS), 0);
		assert_in_range(kernel.waits, 40, 100);
	}
}

/* The step leaves no more than the margin to spin: the sleep ends with 0, since counter and clock have not diverged. */
static void step_that_brings_the_end_near_is_no_event(void **state)
{
	(void)state;
	for (int64_t near_ns = 5 * NS_PER_US; near_ns < 60 * NS_PER_US; near_ns += 1001 * stride())
		for (uint64_t read_ns = 3; read_ns < 40; read_ns += 5) {
			begin_at(400, read_ns * 1000);
			settle();
			train();
			step_ns = 50 * NS_PER_S - near_ns;
			set_event(10 * NS_PER_S, step);
			assert_int_equal(hpt_sleep_until_unix_ns(&clk, hpt_now_unix_ns(&clk) + 60 * NS_PER_S), 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slewed_clock_does_not_move_a_sleep),
		cmocka_unit_test(slew_that_begins_in_a_sleep_makes_it_hardly_late),
		cmocka_unit_test(steps_of_the_wall_clock_are_followed_in_the_kernel),
		cmocka_unit_test(step_back_during_the_spin_is_slept_through),
		cmocka_unit_test(step_before_the_sleep_is_known_to_it),
		cmocka_unit_test(slew_of_the_wall_clock_is_followed),
		cmocka_unit_test(suspend_is_over_for_the_wall_clock),
		cmocka_unit_test(wall_clock_off_the_line_adds_no_waits),
		cmocka_unit_test(step_that_brings_the_end_near_is_no_event),
	};

	return cmocka_run_group_tests_name("sleep clocks", tests, NULL, NULL);
}
