// SPDX-License-Identifier: MIT
/* hpt_wall_now(), hpt_wall_at(), hpt_wall_after(), hpt_wall_before(): intervals, failures, and what a read costs. */
#include "wall_fakes.h"

#include "machine/live.h"
#include "machine/process.h"
#include "math/seqlatch.h"
#include "source/manual.h"

#define YEAR_NS (365 * 86400 * NS_PER_S)

static const struct hpt_wall_time untouched = { 1, 2, 3, 4, 5, 6 };

static int now_of(struct hpt_wall_time *ret)
{
	int r;

	*ret = untouched;
	r = hpt_wall_now(wall, ret);
	if (r)
		assert_memory_equal(ret, &untouched, sizeof(*ret));
	return r;
}

static int at(hpt_time_t t, struct hpt_wall_time *ret)
{
	int r;

	*ret = untouched;
	r = hpt_wall_at(wall, t, ret);
	if (r)
		assert_memory_equal(ret, &untouched, sizeof(*ret));
	return r;
}

/* ---- The interval -------------------------------------------------------------------------------------------- */

static void interval_contains_utc_and_widens(void **state)
{
	struct hpt_wall_time t, last;
	int64_t narrow_ns;

	(void)state;
	feed(NS_PER_US);
	last = now_checked();
	narrow_ns = last.latest_ns - last.earliest_ns;
	assert_in_range(narrow_ns, 2 * NS_PER_US, 2 * NS_PER_US + 50);
	assert_int_equal(last.state, HPT_WALL_STATE_SYNCED);
	assert_int_equal(last.generation, 1);
	for (int i = 0; i < 100; i++) {
		pass(100 * PS_PER_MS);
		t = now_checked();
		assert_true(t.earliest_ns > last.earliest_ns && t.latest_ns > last.latest_ns);
		assert_true(t.latest_ns - t.earliest_ns > last.latest_ns - last.earliest_ns);
		assert_true(t.tick > last.tick);
		last = t;
	}
	/* By 50 ppm to both sides, and the error of the clock's own rate, which is smaller. */
	assert_in_range(last.latest_ns - last.earliest_ns - narrow_ns, 1000000, 1500000);
}

static void result_has_the_tick_that_was_read(void **state)
{
	struct hpt_wall_time t;
	hpt_time_t before, after;

	(void)state;
	feed(NS_PER_US);
	for (int i = 0; i < 3; i++) {
		before = hpt_now(&clk);
		t = now_checked();
		after = hpt_now(&clk);
		assert_true(t.tick > before && t.tick < after);
		pass(15 * PS_PER_MS);
	}
}

static void flags_come_with_each_interval(void **state)
{
	struct hpt_wall_sample s = sample_of(1000);

	(void)state;
	s.flags = HPT_WALL_FLAG_CLAIMED | HPT_WALL_FLAG_SMEARED;
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
	assert_int_equal(now_checked().flags,
			 HPT_WALL_FLAG_CLAIMED | HPT_WALL_FLAG_SMEARED | HPT_WALL_FLAG_ASSUMED_RATE);
	pass(20 * PS_PER_MS);
	assert_int_equal(now_checked().flags,
			 HPT_WALL_FLAG_CLAIMED | HPT_WALL_FLAG_SMEARED | HPT_WALL_FLAG_ASSUMED_RATE);
}

static void state_becomes_holdover_and_stale(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	pass(59 * PS_PER_S);
	assert_int_equal(now_checked().state, HPT_WALL_STATE_SYNCED);
	pass(2 * PS_PER_S);
	assert_int_equal(now_checked().state, HPT_WALL_STATE_HOLDOVER);
	pass(938 * PS_PER_S);
	now_checked();
	pass(2 * PS_PER_S);
	assert_int_equal(now_of(&t), -EAGAIN);
	assert_wall_state(HPT_WALL_STATE_STALE);
	feed(NS_PER_US);
	assert_int_equal(now_checked().state, HPT_WALL_STATE_SYNCED);
}

/* ---- What a read costs --------------------------------------------------------------------------------------- */

static uint32_t counter_reads;

static uint64_t counting_read(const struct hpt_source *src)
{
	counter_reads++;
	return eventful_read(src);
}

static void begin_count(void)
{
	clk.src.read = counting_read;
	counter_reads = world.clock_reads = fake.clock_calls = fake.syscall_calls = sleeping.waits = sleeping.wakes = 0;
}

static void assert_cost(uint32_t reads, bool has_look)
{
	assert_int_equal(counter_reads, reads);
	assert_int_equal(world.clock_reads > 0, has_look);
	assert_int_equal(sleeping.waits + sleeping.wakes, 0);
	begin_count();
}

static void fast_path_is_one_counter_read(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	begin_count();
	for (int i = 0; i < 100; i++) {
		assert_int_equal(hpt_wall_now(wall, &t), 0);
		assert_cost(1, false);
		assert_int_equal(hpt_wall_after(wall, 0), 1);
		assert_cost(1, false);
		assert_int_equal(hpt_wall_before(wall, 0), 0);
		assert_cost(1, false);
		assert_int_equal(hpt_wall_at(wall, t.tick, &t), 0);
		assert_cost(2, false);
	}
}

static void each_10_ms_is_one_look(void **state)
{
	struct hpt_wall_time t;
	uint32_t looks = 0, was;

	(void)state;
	feed(NS_PER_US);
	begin_count();
	for (int i = 0; i < 1000; i++) {
		was = world.clock_reads;
		assert_int_equal(hpt_wall_now(wall, &t), 0);
		looks += world.clock_reads != was;
		pass(PS_PER_MS);
	}
	assert_in_range(looks, 90, 100);
}

static void read_without_a_bound_asks_nothing(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	begin_count();
	assert_int_equal(now_of(&t), -EAGAIN);
	assert_int_equal(hpt_wall_after(wall, 0), -EAGAIN);
	assert_int_equal(world.clock_reads, 0);
}

/* ---- Failures leave outputs as they were --------------------------------------------------------------------- */

static void nothing_is_done_without_arguments(void **state)
{
	struct hpt_wall_time t = untouched;

	(void)state;
	feed(NS_PER_US);
	assert_int_equal(hpt_wall_now(NULL, &t), -EINVAL);
	assert_int_equal(hpt_wall_now(wall, NULL), -EINVAL);
	assert_int_equal(hpt_wall_at(NULL, 0, &t), -EINVAL);
	assert_int_equal(hpt_wall_at(wall, 0, NULL), -EINVAL);
	assert_int_equal(hpt_wall_after(NULL, 0), -EINVAL);
	assert_int_equal(hpt_wall_before(NULL, 0), -EINVAL);
	assert_memory_equal(&t, &untouched, sizeof(t));
}

static void without_a_sample_there_is_no_interval(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	assert_int_equal(now_of(&t), -EAGAIN);
	assert_int_equal(at(hpt_now(&clk), &t), -EAGAIN);
	assert_int_equal(hpt_wall_after(wall, INT64_MIN), -EAGAIN);
	assert_int_equal(hpt_wall_before(wall, INT64_MAX), -EAGAIN);
}

static void limit_of_width_is_exact(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_time t;
	int64_t width_ns;

	(void)state;
	feed(NS_PER_US);
	t = now_checked();
	width_ns = t.latest_ns - t.earliest_ns;
	wall->max_width_ns = (uint64_t)width_ns;
	assert_int_equal(at(t.tick, &t), 0);
	wall->max_width_ns--;
	assert_int_equal(at(t.tick, &t), -ERANGE);
	assert_int_equal(now_of(&t), -ERANGE);
	/* These two have no width. */
	assert_int_equal(hpt_wall_after(wall, 0), 1);
	assert_int_equal(hpt_wall_before(wall, 0), 0);
	c.max_width_ns = 1000000;
	open_as(&c, 0);
	assert_int_equal(now_of(&t), -EAGAIN);
	feed(NS_PER_US);
	assert_int_equal(now_of(&t), 0);
	pass(9 * PS_PER_S);
	assert_int_equal(now_of(&t), 0);
	pass(4 * PS_PER_S);
	assert_int_equal(now_of(&t), -ERANGE);
	feed(NS_PER_US);
	assert_int_equal(now_of(&t), 0);
}

static void errno_is_kept(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	errno = EDOM;
	assert_int_equal(hpt_wall_now(wall, &t), -EAGAIN);
	feed(NS_PER_US);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(hpt_wall_now(wall, &t), 0);
		assert_int_equal(hpt_wall_at(wall, t.tick, &t), 0);
		assert_int_equal(hpt_wall_after(wall, 0), 1);
		assert_int_equal(errno, EDOM);
		pass(20 * PS_PER_MS);
	}
	errno = EXDEV;
}

/* ---- An earlier tick ----------------------------------------------------------------------------------------- */

static void earlier_ticks_go_by_mirrored_lines(void **state)
{
	hpt_time_t ticks[20];
	int64_t truth[20];
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	for (size_t i = 0; i < COUNT(ticks); i++) {
		ticks[i] = hpt_now(&clk);
		truth[i] = utc_ns();
		pass(500 * PS_PER_MS);
		if (i == 10)
			feed(NS_PER_US);
	}
	feed(100);
	for (size_t i = 0; i < COUNT(ticks); i++) {
		assert_int_equal(at(ticks[i], &t), 0);
		assert_int_equal(t.tick, ticks[i]);
		assert_int_equal(t.generation, 1);
		assert_true(t.earliest_ns <= truth[i] && truth[i] <= t.latest_ns);
		/* It is not the interval of now: no wider than by the rate's bound since. */
		assert_true(t.latest_ns - t.earliest_ns < 10000 + (int64_t)(COUNT(ticks) - i) * 120000);
	}
}

static void ticks_of_before_the_first_sample_are_refused(void **state)
{
	struct hpt_wall_sample s;
	struct hpt_wall_time t;

	(void)state;
	pass(PS_PER_S);
	s = sample_of(NS_PER_US);
	pass(PS_PER_S);
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
	assert_int_equal(at(s.before, &t), 0);
	assert_int_equal(at(s.before - 1, &t), -ERANGE);
	assert_int_equal(at(0, &t), -ERANGE);
	assert_int_equal(at(INT64_MIN, &t), -ERANGE);
}

static void ticks_of_the_future_are_refused(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	assert_int_equal(at(hpt_now(&clk), &t), 0);
	assert_int_equal(at(hpt_now(&clk) + 25000, &t), -ERANGE);
	assert_int_equal(at(INT64_MAX, &t), -ERANGE);
}

static void sleep_of_the_machine(void)
{
	world.boottime_offset_ns += 5 * NS_PER_S;
}

/* A tick of another generation has another meaning. */
static void ticks_of_the_generation_before_are_refused(void **state)
{
	struct hpt_wall_time t;
	hpt_time_t tick;

	(void)state;
	feed(NS_PER_US);
	tick = hpt_now(&clk);
	assert_int_equal(at(tick, &t), 0);
	sleep_of_the_machine();
	pass(20 * PS_PER_MS);
	assert_int_equal(at(tick, &t), -EAGAIN);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	feed(NS_PER_US);
	assert_int_equal(at(tick, &t), -ERANGE);
	assert_int_equal(at(hpt_now(&clk), &t), 0);
	assert_int_equal(t.generation, 2);
}

/* ---- After and before ---------------------------------------------------------------------------------------- */

static void after_and_before_are_strict(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	world.read_ps = 0; /* time stands still */
	feed(NS_PER_US);
	t = now_checked();
	assert_int_equal(hpt_wall_after(wall, t.earliest_ns - 1), 1);
	assert_int_equal(hpt_wall_after(wall, t.earliest_ns), 0);
	assert_int_equal(hpt_wall_after(wall, t.latest_ns), 0);
	assert_int_equal(hpt_wall_before(wall, t.latest_ns + 1), 1);
	assert_int_equal(hpt_wall_before(wall, t.latest_ns), 0);
	assert_int_equal(hpt_wall_before(wall, t.earliest_ns), 0);
	assert_int_equal(hpt_wall_after(wall, INT64_MIN), 1);
	assert_int_equal(hpt_wall_before(wall, INT64_MAX), 1);
}

/* ---- Disruptions --------------------------------------------------------------------------------------------- */

static void jump_back_is_seen_at_once(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	counter_goes(-100000000);
	assert_int_equal(now_of(&t), -EAGAIN);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	assert_int_equal(wall_info().disruptions, 1);
}

static void jump_forward_is_seen_at_the_next_look(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	counter_goes(25000000 + 100000); /* 10 ms, the longest time without a look */
	assert_int_equal(now_of(&t), -EAGAIN);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	feed(NS_PER_US);
	now_checked();
	assert_int_equal(now_checked().generation, 2);
}

/* ---- Records that others publish meanwhile ------------------------------------------------------------------- */

static void feed_at_the_read(void)
{
	feed(500);
}

/* A record whose tick is after the tick that was read. */
static void record_of_after_the_tick_is_no_danger(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	for (int i = 0; i < 20; i++) {
		pass(PS_PER_MS);
		happens_after(i, feed_at_the_read);
		t = now_checked();
		assert_int_equal(t.generation, 1);
		if (sleeping.event)
			let_happen(false);
	}
}

static void all_slots_are_claimed(void **state)
{
	struct hpt_wall_sample s;

	(void)state;
	feed(NS_PER_US);
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS; i++)
		atomic_store(&wall->latch.claims[i], hpt_process_known());
	pass(50 * PS_PER_MS);
	now_checked(); /* by a record that is not published */
	s = sample_of(NS_PER_US);
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), -EBUSY);
	now_checked();
	assert_int_equal(wall_info().samples, 1);
}

/* ---- Other clocks -------------------------------------------------------------------------------------------- */

static int64_t raw_ns(void)
{
	return hpt_env_live.clock_ns(CLOCK_MONOTONIC_RAW);
}

static void os_clock_will_do(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_sample s = { .earliest_ns = UTC_AT_0_NS, .latest_ns = UTC_AT_0_NS + 1000 };
	hpt_clock *os = NULL;
	hpt_wall *w = NULL;
	int64_t least_ns, most_ns;
	struct hpt_wall_time t;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_wall_open(os, &c, sizeof(c), 0, &w), 0);
	most_ns = raw_ns();
	s.before = s.after = hpt_now(os);
	least_ns = raw_ns();
	assert_int_equal(hpt_wall_feed(w, &s, sizeof(s)), 0);
	while (hpt_now(os) - s.after < 10 * NS_PER_MS)
		;
	least_ns = raw_ns() - least_ns;
	assert_int_equal(hpt_wall_now(w, &t), 0);
	most_ns = raw_ns() - most_ns;
	/* The exact time cannot be known here; the elapsed time is, by the clock that nobody slews. */
	assert_true(t.earliest_ns - UTC_AT_0_NS <= most_ns && t.latest_ns - UTC_AT_0_NS >= least_ns);
	assert_int_equal(hpt_wall_at(w, t.tick, &t), 0);
	/* Ticks of which the age in nanoseconds, and an eighth more, exceeds int64. */
	for (int64_t far = INT64_MIN; far < INT64_MIN + 250 * YEAR_NS; far += YEAR_NS)
		assert_int_equal(hpt_wall_at(w, far, &t), -ERANGE);
	hpt_wall_close(w);
	hpt_clock_close(os);
}

static void manual_clock_of(uint64_t frequency_hz, int64_t ticks, int64_t ticks_ns)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_sample s = { .earliest_ns = UTC_AT_0_NS, .latest_ns = UTC_AT_0_NS + 1000 };
	hpt_clock *manual = NULL;
	hpt_wall *w = NULL;
	struct hpt_wall_time t;

	assert_int_equal(hpt_clock_new_manual(frequency_hz, 50, 0, &manual), 0);
	assert_int_equal(hpt_wall_open(manual, &c, sizeof(c), 0, &w), 0);
	s.before = s.after = 50;
	assert_int_equal(hpt_wall_feed(w, &s, sizeof(s)), 0);
	for (int i = 0; i < 50; i++) {
		int64_t truth = UTC_AT_0_NS + i * ticks_ns;

		assert_int_equal(hpt_wall_now(w, &t), 0);
		assert_int_equal(t.tick, 50 + i * ticks);
		assert_true(t.earliest_ns <= truth && t.latest_ns >= truth);
		assert_int_equal(hpt_wall_at(w, t.tick, &t), 0);
		assert_int_equal(hpt_wall_at(w, t.tick + 1, &t), -ERANGE);
		assert_int_equal(hpt_clock_advance(manual, ticks), 0);
	}
	hpt_wall_close(w);
	hpt_clock_close(manual);
}

/* Ticks of 0.1 ns, of a nanosecond, and of a second, in which no look is older than 10 ms. */
static void manual_clocks_of_any_rate_will_do(void **state)
{
	(void)state;
	manual_clock_of(UINT64_C(10000000000), 100000000, 10000000);
	manual_clock_of(1000000000, 1000000000, 1000000000);
	manual_clock_of(100, 1, 10000000);
	manual_clock_of(20, 1, 50000000);
	manual_clock_of(1, 1, 1000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wall_test(interval_contains_utc_and_widens),
		wall_test(result_has_the_tick_that_was_read),
		wall_test(flags_come_with_each_interval),
		wall_test(state_becomes_holdover_and_stale),
		wall_test(fast_path_is_one_counter_read),
		wall_test(each_10_ms_is_one_look),
		wall_test(read_without_a_bound_asks_nothing),
		wall_test(nothing_is_done_without_arguments),
		wall_test(without_a_sample_there_is_no_interval),
		wall_test(limit_of_width_is_exact),
		wall_test(errno_is_kept),
		wall_test(earlier_ticks_go_by_mirrored_lines),
		wall_test(ticks_of_before_the_first_sample_are_refused),
		wall_test(ticks_of_the_future_are_refused),
		wall_test(ticks_of_the_generation_before_are_refused),
		wall_test(after_and_before_are_strict),
		wall_test(jump_back_is_seen_at_once),
		wall_test(jump_forward_is_seen_at_the_next_look),
		wall_test(record_of_after_the_tick_is_no_danger),
		wall_test(all_slots_are_claimed),
		wall_test(os_clock_will_do),
		wall_test(manual_clocks_of_any_rate_will_do),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_read", tests, NULL, NULL);
}
