// SPDX-License-Identifier: MIT
/* What the watchdog finds: agreement, a counter that gained or lost, a clock that moved, and clocks that are gone. */
#include "record_world.h"

#include "sleep/watchdog.h"

#define NS_PER_MS INT64_C(1000000)

static struct hpt_watch watch;
static struct hpt_record rec;

/* A clock that knows its rate, and a sleep on it whose first tick is about to be read. */
static void begin(void)
{
	fake_env_reset();
	new_clock(400);
	settle();
	watch = (struct hpt_watch){ .seen = hpt_seqlatch_begin(&clk.latch) };
}

static struct hpt_found look(bool is_unix)
{
	return hpt_watchdog_check(&watch, &clk, is_unix ? CLOCK_REALTIME : CLOCK_MONOTONIC_RAW, &rec);
}

static void jump(int64_t ns)
{
	counter_goes(ns * 1000 / (int64_t)world.tick_ps);
}

static void finds_nothing_in_a_quiet_world(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < 20; i++) {
		int64_t before_ns = fake_world_true_ns(CLOCK_MONOTONIC);
		struct hpt_found f = look(true);

		assert_int_equal(f.gained_ns | f.moved_ns | f.stepped_ns, 0);
		assert_int_equal(f.is_known, i == 0);
		assert_false(f.is_new || f.r.is_blind);
		assert_in_range(f.os_ahead_ns + 100, 0, 200);
		assert_in_range(f.r.mono_ns, before_ns, fake_world_true_ns(CLOCK_MONOTONIC));
		assert_true(f.r.b.before < f.r.b.after && hpt_record_serves(&rec, f.r.b.after));
		assert_int_equal(rec.generation, 1);
		pass(300 * PS_PER_MS);
	}
}

/* Around the first tick, and between two checks. */
static void finds_what_the_counter_gained_or_lost(void **state)
{
	static const int64_t steps_ns[] = { -3 * NS_PER_S, -30 * NS_PER_MS, 30 * NS_PER_MS, 3 * NS_PER_S };

	(void)state;
	for (int i = 0; i < 2 * (int)COUNT(steps_ns); i++) {
		int64_t step_ns = steps_ns[i / 2];
		struct hpt_found f;

		begin();
		if (i % 2)
			look(false);
		pass(PS_PER_MS);
		jump(step_ns);
		f = look(false);
		assert_in_range(f.gained_ns - step_ns + NS_PER_MS, 0, 2 * NS_PER_MS);
		assert_true(f.is_new);
		assert_int_equal(rec.generation, 2);
		assert_int_equal(f.stepped_ns, i % 2 ? 0 : f.gained_ns);
		f = look(false);
		assert_int_equal(f.gained_ns, 0);
		assert_false(f.is_new);
	}
}

/* Too small for one check, but seen from the first one on. */
static void finds_what_was_lost_little_by_little(void **state)
{
	int64_t gained_ns = 0, lost_ns = 0;

	(void)state;
	begin();
	look(false);
	while (!gained_ns) {
		pass(PS_PER_MS);
		jump(-4 * NS_PER_MS / 10);
		lost_ns += 4 * NS_PER_MS / 10;
		gained_ns = look(false).gained_ns;
		assert_in_range(lost_ns, 0, 2 * NS_PER_MS);
	}
	assert_in_range(lost_ns, NS_PER_MS, 2 * NS_PER_MS);
	assert_in_range(-gained_ns, NS_PER_MS, lost_ns);
	assert_int_equal(look(false).gained_ns, 0);
}

/* CLOCK_MONOTONIC moved against the counter and CLOCK_REALTIME, as in a process forked into a time namespace. */
static void finds_a_clock_that_moved_itself(void **state)
{
	struct hpt_found f;

	(void)state;
	for (int64_t offset_ns = -5 * NS_PER_S; offset_ns <= 5 * NS_PER_S; offset_ns += 10 * NS_PER_S) {
		begin();
		world.clock_offset_ns += offset_ns;
		world.realtime_offset_ns -= offset_ns;
		f = look(false);
		assert_in_range(f.moved_ns + offset_ns + NS_PER_MS, 0, 2 * NS_PER_MS);
		assert_int_equal(f.stepped_ns, 0);
		assert_int_equal(f.gained_ns, 0);
	}
}

/* A large step of the wall clock makes another record, after which its time is known again. */
static void finds_how_far_unix_time_is_ahead(void **state)
{
	(void)state;
	begin();
	world.realtime_offset_ns += 400000;
	assert_int_equal(look(false).os_ahead_ns, 0);
	assert_in_range(look(true).os_ahead_ns, 400000 - 100, 400000 + 100);
	world.realtime_offset_ns += 50 * NS_PER_MS;
	assert_in_range(look(true).os_ahead_ns, 0, NS_PER_MS);
	assert_int_equal(rec.generation, 2);
}

static void says_if_the_record_before_is_gone(void **state)
{
	struct hpt_found f;

	(void)state;
	begin();
	for (uint32_t i = 0; i <= HPT_SEQLATCH_SLOTS; i++)
		hpt_timekeeper_resample(&clk);
	f = look(false);
	assert_false(f.is_known);
	assert_true(f.is_new); /* any event may have come since */
	assert_int_equal(f.gained_ns, 0);
	watch = (struct hpt_watch){ .seen = 0 };
	f = look(false);
	assert_false(f.is_known || f.is_new); /* there was none */
}

static void clocks_that_are_gone_count_as_a_loss(void **state)
{
	(void)state;
	for (int at_first = 0; at_first < 2; at_first++) {
		struct hpt_found f;

		begin();
		if (!at_first)
			look(false);
		fake_world_lose_clocks();
		f = look(false);
		assert_true(f.r.is_blind && f.gained_ns < 0 && watch.is_checked);
		assert_true(f.r.b.after > f.r.b.before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_nothing_in_a_quiet_world),
		cmocka_unit_test(finds_what_the_counter_gained_or_lost),
		cmocka_unit_test(finds_what_was_lost_little_by_little),
		cmocka_unit_test(finds_a_clock_that_moved_itself),
		cmocka_unit_test(finds_how_far_unix_time_is_ahead),
		cmocka_unit_test(says_if_the_record_before_is_gone),
		cmocka_unit_test(clocks_that_are_gone_count_as_a_loss),
	};

	return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
