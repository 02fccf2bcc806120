// SPDX-License-Identifier: MIT
/* Sleeps where no clock of the kernel can be read: they end, by the kernel's waits or the counter, with a state. */
#include "os_world.h"

#include "hpt/wait.h"

/* Ends by one wait, which is as late as the kernel and the timer slack, and a read or two. */
#define ENDS_NS (LATE_NS + 60 * NS_PER_US)

static const int64_t lengths_ns[] = { 50 * NS_PER_US, NS_PER_MS, 20 * NS_PER_MS, 500 * NS_PER_MS, 3600 * NS_PER_S };

/* A clock on a counter of which nothing states the rate, made where no clock can be read. */
static void begin_blind(uint64_t tick_ps)
{
	fake_env_reset();
	new_clock(tick_ps);
	fake_kernel_reset();
	kernel.late_ns = LATE_NS;
	eventcount = (struct hpt_eventcount){ 0 };
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	fake_world_lose_clocks();
}

static void begin_blind_os(void)
{
	make_os(0);
	fake_world_lose_clocks();
}

static int64_t took_ns(uint64_t since_ps)
{
	return (int64_t)(world.now_ps - since_ps) / 1000;
}

static void assert_took(uint64_t since_ps, int64_t ns)
{
	assert_in_range(took_ns(since_ps), ns, ns + ENDS_NS);
}

static int for_ns(int64_t ns)
{
	return hpt_sleep_ns(&clk, ns);
}

static int until_tick(int64_t ns)
{
	return hpt_sleep_until_ticks(&clk, in_ns(ns));
}

static int until_line(int64_t ns)
{
	return hpt_sleep_until_ns(&clk, hpt_now_ns(&clk) + ns);
}

/* A gate's wait that ends on time says nothing of the clocks. */
static int at_gate(bool by_ns, int64_t at)
{
	hpt_gate *g = NULL;
	int r;

	assert_int_equal(hpt_gate_new(&clk, 0, &g), 0);
	r = by_ns ? hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), at) :
		    hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), at);
	hpt_gate_free(g);
	return r == -ETIMEDOUT ? HPT_STATE_DISRUPTED : r;
}

static int at_gate_until_tick(int64_t ns)
{
	return at_gate(false, in_ns(ns));
}

static int at_gate_until_line(int64_t ns)
{
	return at_gate(true, hpt_now_ns(&clk) + ns);
}

static int looking_until_line(int64_t ns)
{
	hpt_waiter *w = NULL;
	int r;

	assert_int_equal(hpt_waiter_new(&clk, 0, &w), 0);
	r = hpt_waiter_poll_until_ns(w, NULL, 0, hpt_now_ns(&clk) + ns);
	hpt_waiter_free(w);
	return r ? r : HPT_STATE_DISRUPTED;
}

static int (*const ways[])(int64_t ns) = {
	for_ns, until_tick, until_line, at_gate_until_tick, at_gate_until_line, looking_until_line,
};

/* By the counter alone, for which a gate waits until it is seen to stand still: reads of READS_NS. */
#define READS_NS 50

static bool goes_on(size_t i)
{
	return ways[i % COUNT(ways)] == at_gate_until_tick;
}

/* The time-out of a look is relative, so that only the counter says how much is left. */
static bool follows_counter(size_t i)
{
	return goes_on(i) || ways[i % COUNT(ways)] == looking_until_line;
}

/* The rate is known from before: a filter was set after the first conversion. */
static void known_rate_serves_for_ever(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lengths_ns) * COUNT(ways); i++) {
		int64_t ns = lengths_ns[i / COUNT(ways)];
		uint64_t since_ps;

		begin();
		settle();
		train();
		fake_world_lose_clocks();
		for (int n = 0; n < 3; n++) {
			kernel.waits = 0;
			since_ps = world.now_ps;
			assert_int_equal(slept(ways[i % COUNT(ways)](ns)), HPT_STATE_DISRUPTED);
			/* The rate is off by what it was at most, and one in ticks by nothing. */
			assert_in_range(took_ns(since_ps), ns - ns / 100000 - 1, ns + ns / 100000 + 3 * ENDS_NS);
			assert_in_range(kernel.waits, 1, 3);
		}
	}
}

static void times_go_on_by_the_counter(void **state)
{
	int64_t before_ns, unix_ns;
	uint64_t generation;

	(void)state;
	begin();
	settle();
	generation = hpt_clock_generation(&clk);
	fake_world_lose_clocks();
	for (int i = 0; i < 5; i++) {
		before_ns = hpt_now_ns(&clk);
		unix_ns = hpt_now_unix_ns(&clk);
		world.now_ps += 100 * PS_PER_S;
		assert_in_range(hpt_now_ns(&clk) - before_ns, 99999 * NS_PER_MS, 100001 * NS_PER_MS);
		assert_in_range(hpt_now_unix_ns(&clk) - unix_ns, 99999 * NS_PER_MS, 100001 * NS_PER_MS);
		assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_OK);
		assert_true(hpt_clock_generation(&clk) == generation);
	}
}

/* Nobody states the rate: the kernel's waits are right, and time on the clock is slow but goes on. */
static void unknown_rate_waits_by_the_kernel(void **state)
{
	static const uint64_t ticks_ps[] = { 200, 400, 1000, 41667 };
	int64_t before_ns;

	(void)state;
	for (size_t i = 0; i < COUNT(lengths_ns) * COUNT(ticks_ps); i++) {
		int64_t ns = lengths_ns[i / COUNT(ticks_ps)];
		uint64_t since_ps;

		begin_blind(ticks_ps[i % COUNT(ticks_ps)]);
		since_ps = world.now_ps;
		before_ns = hpt_now_ns(&clk);
		assert_true(took_ns(since_ps) < 20 * NS_PER_US); /* nothing to measure by */
		since_ps = world.now_ps;
		assert_int_equal(slept(hpt_sleep_ns(&clk, ns)), HPT_STATE_DISRUPTED);
		assert_took(since_ps, ns);
		assert_int_equal(kernel.waits, 1);
		assert_in_range(hpt_now_ns(&clk) - before_ns, ns / 400, ns + ns / 2 + ENDS_NS);
		since_ps = world.now_ps;
		assert_int_equal(slept(hpt_sleep_until_ns(&clk, hpt_now_ns(&clk) + ns)), HPT_STATE_DISRUPTED);
		assert_took(since_ps, ns);
		since_ps = world.now_ps;
		assert_int_equal(slept(at_gate_until_line(ns)), HPT_STATE_DISRUPTED);
		assert_took(since_ps, ns);
	}
}

/* The counter alone says when a tick has come: each wait is for the time that it lasts at least. */
static void ticks_are_reached_without_a_rate(void **state)
{
	static const int64_t ticks[] = { 100000, 50000000, 9000000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks); i++) {
		hpt_time_t deadline;

		begin_blind(400);
		deadline = hpt_now(&clk) + ticks[i];
		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), HPT_STATE_DISRUPTED);
		assert_reached(deadline, 2 * ENDS_NS);
		assert_in_range(kernel.waits, 1, 60);
		deadline = hpt_now(&clk) + ticks[i];
		assert_int_equal(slept(at_gate(false, deadline)), HPT_STATE_DISRUPTED);
		assert_reached(deadline, 2 * ENDS_NS);
	}
}

/* Brief ones are spun without a check. */
static void brief_sleeps_are_not_early(void **state)
{
	(void)state;
	for (uint64_t tick_ps = 150; tick_ps < 2000; tick_ps += 50) {
		uint64_t since_ps;

		begin_blind(tick_ps);
		hpt_now_ns(&clk);
		since_ps = world.now_ps;
		assert_in_range(slept(hpt_sleep_ns(&clk, 1000)), HPT_STATE_OK, HPT_STATE_DISRUPTED);
		assert_true(took_ns(since_ps) >= 1000);
	}
}

static void rate_that_the_hardware_states_is_used(void **state)
{
	struct hpt_clock_info info;
	uint64_t since_ps;

	(void)state;
	begin_blind(400);
	clk.src.rate = (struct hpt_rate){ 2, 5, 2500000000000000, 0, HPT_ORIGIN_REGISTER, false };
	since_ps = world.now_ps;
	assert_int_equal(slept(hpt_sleep_ns(&clk, 5 * NS_PER_MS)), HPT_STATE_DISRUPTED);
	assert_took(since_ps, 5 * NS_PER_MS);
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.frequency_origin, HPT_ORIGIN_REGISTER);
	assert_true(info.frequency_uhz == 2500000000000000);
	begin_blind(400);
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.frequency_origin, HPT_ORIGIN_NONE);
	assert_int_equal(info.frequency_error_ppb, UINT32_MAX);
}

/* ---- The kernel's own times ------------------------------------------------------------------------------- */

static void lose(void)
{
	fake_world_lose_clocks();
}

static void clocks_lost_in_a_sleep_end_it_at_its_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(ways); i++) {
		uint64_t since_ps;

		begin();
		settle();
		train();
		set_event(30 * NS_PER_MS, lose);
		since_ps = world.now_ps;
		assert_int_equal(slept(ways[i % COUNT(ways)](100 * NS_PER_MS)), HPT_STATE_DISRUPTED);
		assert_in_range(took_ns(since_ps), 100 * NS_PER_MS - 1000, 100 * NS_PER_MS + ENDS_NS);
	}
}

static int64_t lost_after_ns;

static void counter_goes_back(void)
{
	world.tick_offset -= 100000000;
	set_event(lost_after_ns, lose);
}

/* The kernel's clock takes over as the first wait ends, shortly before the deadline, and is lost about then. */
static void clock_lost_after_the_counter_ends_a_sleep_at_its_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < 50 * COUNT(ways); i++) {
		uint64_t since_ps;

		begin();
		settle();
		train();
		lost_after_ns = 69600000 + (int64_t)(i / COUNT(ways)) * 10000;
		set_event(30 * NS_PER_MS, counter_goes_back);
		since_ps = world.now_ps;
		assert_int_equal(slept(ways[i % COUNT(ways)](100 * NS_PER_MS)), HPT_STATE_DISRUPTED);
		assert_in_range(took_ns(since_ps), 99 * NS_PER_MS,
				(follows_counter(i) ? 140 : 100) * NS_PER_MS + 2 * ENDS_NS);
	}
}

static void unix_time_is_the_kernels(void **state)
{
	int64_t at_ns;

	(void)state;
	begin();
	settle();
	fake_world_lose_clocks();
	world.realtime_offset_ns -= NS_PER_S; /* the kernel knows of it */
	at_ns = fake_world_true_ns(CLOCK_REALTIME) + 300 * NS_PER_MS;
	kernel.waits = 0;
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, at_ns + NS_PER_S)), HPT_STATE_DISRUPTED);
	assert_in_range(fake_world_true_ns(CLOCK_REALTIME) - at_ns - NS_PER_S, 0, ENDS_NS);
	assert_int_equal(kernel.waits, 1);
	assert_int_equal(kernel.wait[0].id, CLOCK_REALTIME);
}

/* Without its clock the OS source stands at 0: durations are right, and times are those of the kernel's clock. */
static void os_clock_waits_by_the_kernel(void **state)
{
	int64_t at_ns;
	uint64_t since_ps;

	(void)state;
	begin_os(0);
	at_ns = hpt_now_ns(&clk) + 700 * NS_PER_MS;
	fake_world_lose_clocks();
	for (size_t i = 0; i < COUNT(lengths_ns); i++) {
		since_ps = world.now_ps;
		assert_int_equal(slept(hpt_sleep_ns(&clk, lengths_ns[0])), HPT_STATE_DISRUPTED);
		assert_took(since_ps, lengths_ns[0]);
	}
	assert_int_equal(slept(hpt_sleep_until_ns(&clk, at_ns)), HPT_STATE_DISRUPTED);
	assert_in_range(fake_world_true_ns(CLOCK_MONOTONIC) - at_ns, 0, ENDS_NS);
	at_ns += 300 * NS_PER_MS;
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, at_ns)), HPT_STATE_DISRUPTED);
	assert_in_range(fake_world_true_ns(CLOCK_MONOTONIC) - at_ns, 0, ENDS_NS);
	since_ps = world.now_ps;
	assert_int_equal(slept(hpt_sleep_until_ns(&clk, hpt_now_ns(&clk) + NS_PER_S)), HPT_STATE_DISRUPTED);
	assert_took(since_ps, 0); /* that was in the first second after boot */
}

/* All that the program knows counts from 0 then. */
static void os_clock_that_was_never_read_waits_for_differences(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lengths_ns) * COUNT(ways); i++) {
		int64_t ns = lengths_ns[i / COUNT(ways)];
		uint64_t since_ps;

		begin_blind_os();
		since_ps = world.now_ps;
		assert_int_equal(slept(ways[i % COUNT(ways)](ns)), HPT_STATE_DISRUPTED);
		assert_took(since_ps, ns);
	}
	for (size_t i = 0; i < COUNT(lengths_ns); i++) {
		uint64_t since_ps;

		begin_blind_os();
		since_ps = world.now_ps;
		assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, hpt_now_unix_ns(&clk) + lengths_ns[i])),
				 HPT_STATE_DISRUPTED);
		assert_took(since_ps, lengths_ns[i]);
	}
}

/* ---- Refused waits, signals and interrupts ------------------------------------------------------------------ */

static void refused_waits_are_spun_by_the_counter(void **state)
{
	uint64_t since_ps;

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		begin();
		settle();
		fake_world_lose_clocks();
		kernel.refusal = -EPERM;
		since_ps = world.now_ps;
		assert_int_equal(slept(ways[i](20 * NS_PER_MS)), HPT_STATE_DISRUPTED);
		assert_in_range(took_ns(since_ps), 20 * NS_PER_MS - 1000, 20 * NS_PER_MS + ENDS_NS);
	}
}

static void stop(void)
{
	world.pause_ps = PS_PER_MS / 10;
}

/* Nothing shows time any more. A wait for the whole time ends the sleep, else the counter that stands still. */
static void counter_that_stops_too_ends_it(void **state)
{
	uint64_t since_ps;

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(ways); i++) {
		begin();
		settle();
		fake_world_lose_clocks();
		kernel.refusal = i < COUNT(ways) ? 0 : -EPERM;
		stop();
		since_ps = world.now_ps;
		assert_int_equal(slept(ways[i % COUNT(ways)](20 * NS_PER_MS)), HPT_STATE_DISRUPTED);
		if (!kernel.refusal)
			assert_in_range(took_ns(since_ps), 20 * NS_PER_MS - 1000,
					20 * NS_PER_MS + ENDS_NS + (goes_on(i) ? 4096 * READS_NS : 0));
	}
	begin_os(0);
	fake_world_lose_clocks();
	kernel.refusal = -EPERM;
	assert_int_equal(slept(hpt_sleep_ns(&clk, 3600 * NS_PER_S)), HPT_STATE_DISRUPTED);
	assert_int_equal(slept(hpt_sleep_until_ns(&clk, INT64_MAX)), HPT_STATE_DISRUPTED);
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, INT64_MAX)), HPT_STATE_DISRUPTED);
}

/* It moves each 100 us. A sleep that must spin gives it up after 33 us, and the gate that goes on not before 130 us. */
static void slow_counter_has_the_last_word_at_a_gate(void **state)
{
	(void)state;
	for (int us = 0; us < 100; us += 5) {
		hpt_time_t end;

		begin();
		settle();
		fake_world_lose_clocks();
		kernel.refusal = -EPERM;
		world.pause_ps = PS_PER_MS / 10;
		end = in_ns(2 * NS_PER_MS + us * 1000);
		assert_int_equal(at_gate(false, end), HPT_STATE_DISRUPTED);
		assert_true(hpt_now(&clk) >= end);
	}
}

static void ring(void)
{
	hpt_eventcount_notify(&eventcount, 1, &fake_env);
}

static void signal_comes(void)
{
	kernel.ends = FAKE_SIGNAL;
}

static void interrupts_and_signals_end_it(void **state)
{
	struct hpt_sleeper s;

	(void)state;
	begin();
	settle();
	fake_world_lose_clocks();
	s = sleeper(HPT_SLEEP_BALANCED, 0);
	set_event(30 * NS_PER_MS, ring);
	assert_int_equal(sleep_on(&s, HPT_DEADLINE_AFTER_NS, 60 * NS_PER_S, NULL), -ECANCELED);
	s.key = hpt_eventcount_value(&eventcount);
	s.flags = HPT_WAIT_EINTR;
	set_event(30 * NS_PER_MS, signal_comes);
	assert_int_equal(sleep_on(&s, HPT_DEADLINE_AFTER_NS, 60 * NS_PER_S, NULL), -EINTR);
	s.flags = 0;
	set_event(30 * NS_PER_MS, signal_comes);
	kernel.waits = 0;
	assert_int_equal(sleep_on(&s, HPT_DEADLINE_AFTER_NS, 60 * NS_PER_S, NULL), HPT_STATE_DISRUPTED);
	assert_int_equal(kernel.waits, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_rate_serves_for_ever),
		cmocka_unit_test(times_go_on_by_the_counter),
		cmocka_unit_test(unknown_rate_waits_by_the_kernel),
		cmocka_unit_test(ticks_are_reached_without_a_rate),
		cmocka_unit_test(brief_sleeps_are_not_early),
		cmocka_unit_test(rate_that_the_hardware_states_is_used),
		cmocka_unit_test(clocks_lost_in_a_sleep_end_it_at_its_time),
		cmocka_unit_test(clock_lost_after_the_counter_ends_a_sleep_at_its_time),
		cmocka_unit_test(unix_time_is_the_kernels),
		cmocka_unit_test(os_clock_waits_by_the_kernel),
		cmocka_unit_test(os_clock_that_was_never_read_waits_for_differences),
		cmocka_unit_test(refused_waits_are_spun_by_the_counter),
		cmocka_unit_test(counter_that_stops_too_ends_it),
		cmocka_unit_test(slow_counter_has_the_last_word_at_a_gate),
		cmocka_unit_test(interrupts_and_signals_end_it),
	};

	return cmocka_run_group_tests_name("sleeps without clocks", tests, NULL, NULL);
}
