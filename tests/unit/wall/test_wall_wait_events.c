// SPDX-License-Identifier: MIT
/* Waits for a wall during which something happens: events of the clock, leap seconds, interrupts, signals, forks. */
#include "wall_wait_world.h"
#include "remaining.h"

#include "machine/process.h"

/* ---- No bound ---------------------------------------------------------------------------------------------------- */

static void contradict(void)
{
	struct hpt_wall_sample s = sample_of(1000);

	s.earliest_ns += NS_PER_S;
	s.latest_ns += NS_PER_S;
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), -EAGAIN);
}

static void machine_sleeps(void)
{
	world.boottime_offset_ns += NS_PER_S;
}

static void counter_jumps(void)
{
	counter_goes(25 * 1000 * 1000 * 10); /* 100 ms */
}

static void counter_jumps_a_little(void)
{
	counter_goes(5 * 1000 * 1000); /* 2 ms: within the record's span */
}

static void counter_jumps_back(void)
{
	counter_goes(-25 * 1000 * 1000);
}

static void lost_bound_ends_the_wait(void **state)
{
	static void (*const events[])(void) = { contradict, counter_jumps, counter_jumps_a_little, counter_jumps_back,
						machine_sleeps };

	(void)state;
	for (size_t i = 0; i < COUNT(events); i++) {
		/* The suspend is seen by the look after 10 ms. */
		int64_t wait_ns = events[i] == machine_sleeps ? 50 * NS_PER_MS : WAIT_NS;
		uint64_t start = world.now_ps;

		wall_begins(state);
		hpt_waiter_free(waiter);
		assert_int_equal(hpt_waiter_new(&clk, 0, &waiter), 0);
		feed(NS_PER_US);
		start = world.now_ps;
		happens_after(WAIT_NS / 2, events[i]);
		assert_int_equal(hpt_wall_wait_after(wall, in_ns(wait_ns), INT64_MAX), -EAGAIN);
		assert_true(world.now_ps - start < (uint64_t)wait_ns * 2000);
	}
}

static void without_a_bound_there_is_no_wait(void **state)
{
	(void)state;
	contradict();
	assert_int_equal(hpt_wall_wait_after(wall, 0, INT64_MAX), -EAGAIN);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, 0, INT64_MAX), -EAGAIN);
	assert_int_equal(sleeping.waits, 0);
}

static void wait_for_a_bound_again(void **state)
{
	(void)state;
	contradict();
	happens_after(WAIT_NS, feed_narrow);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, INT64_MAX), 0);
	now_checked();
}

static void jump_that_cannot_be_noted(void)
{
	counter_jumps_a_little();
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS; i++)
		atomic_store(&wall->latch.claims[i], hpt_process_known());
}

/* No record can say so, but the wait knows. */
static void bound_that_may_be_lost_ends_the_wait(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, jump_that_cannot_be_noted);
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MAX), -EAGAIN);
}

static void stale_bound_ends_the_wait(void **state)
{
	struct hpt_wall_config c = config_of_feed();

	(void)state;
	c.max_age_ns = NS_PER_S;
	for (int i = 0; i < 2; i++) {
		uint64_t start;

		open_as(&c, 0);
		feed(NS_PER_US);
		start = world.now_ps;
		assert_int_equal(hpt_wall_wait_after(wall, i ? INT64_MAX : in_ns(100 * NS_PER_S), INT64_MAX), -EAGAIN);
		assert_wall_state(HPT_WALL_STATE_STALE);
		/* Once it is lost, not once the time is reached. */
		assert_in_range(world.now_ps - start, NS_PER_S * 1000 - NS_PER_MS * 1000, NS_PER_S * 1001);
	}
}

static uint64_t stopped_at;

static uint64_t stopped_read(const struct hpt_source *src)
{
	(void)src;
	world.now_ps += world.read_ps;
	return stopped_at;
}

static void counter_stops(void)
{
	stopped_at = sleeping.read(&clk.src);
	clk.src.read = clk.src.read_unordered = stopped_read;
}

/* By the counter neither the time nor the time-out ever comes. */
static void counter_that_stops_ends_the_wait(void **state)
{
	uint64_t start = world.now_ps;

	(void)state;
	happens_after(WAIT_NS / 2, counter_stops);
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), 20 * WAIT_NS), -EAGAIN);
	assert_true(world.now_ps - start < 20 * WAIT_NS * UINT64_C(1000));
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
}

/* The time-out comes by the clock that has not stopped. */
static void counter_that_stops_does_not_stop_the_time_out(void **state)
{
	uint64_t start = world.now_ps;

	(void)state;
	happens_after(WAIT_NS / 2, counter_stops);
	assert_int_equal(hpt_wall_wait_ready(wall, 1, 20 * WAIT_NS), -ETIMEDOUT);
	assert_in_range((int64_t)(world.now_ps - start) / 1000, 19 * WAIT_NS, 22 * WAIT_NS);
}

/* ---- Leap seconds ------------------------------------------------------------------------------------------------ */

/* A leap second in two seconds, by a source that says so. */
static void announce_leap(void)
{
	struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_INSERTED };

	feed(NS_PER_US);
	r.sample = sample_of(1000);
	r.leap_at_ns = utc_ns() + 2 * NS_PER_S;
	assert_int_equal(hpt_wall_add(wall, &r), 0);
}

/* Nothing rings as it passes. */
static void leap_second_passes_during_the_wait(void **state)
{
	uint64_t start;

	(void)state;
	announce_leap();
	start = world.now_ps;
	pass(1500 * PS_PER_MS);
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MAX), -EAGAIN);
	assert_wall_state(HPT_WALL_STATE_LEAP);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, 100 * NS_PER_MS), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, 60 * NS_PER_S), 0);
	assert_true(world.now_ps - start < 5 * PS_PER_S);
	utc_moved_ns -= NS_PER_S;
	now_checked();
}

static void cover_ends_during_the_wait(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	uint64_t start;

	(void)state;
	open_as(&c, HPT_WALL_OPEN_LEAP_COVER);
	announce_leap();
	pass(1500 * PS_PER_MS);
	now_checked();
	start = world.now_ps;
	assert_int_equal(hpt_wall_wait_ready(wall, NS_PER_MS, 60 * NS_PER_S), 0);
	assert_true(world.now_ps - start < 10 * PS_PER_S);
}

/* ---- Interrupts -------------------------------------------------------------------------------------------------- */

static void interrupt(void)
{
	assert_int_equal(hpt_waiter_interrupt(waiter), 0);
}

/* This world's time is in picoseconds: a wait of a thousand years does not fit. */
static int capped_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	int64_t most_ns = fake_world_true_ns(id) + 3600 * NS_PER_S;

	return world_wait(word, value, id, until_ns < most_ns ? until_ns : most_ns);
}

/* Not by looking again and again. */
static void times_that_never_come_are_slept_for(void **state)
{
	static const int64_t far[] = { INT64_MAX, INT64_MAX - 1, INT64_MAX / 8 * 7 };

	(void)state;
	fake_env.wait = capped_wait;
	for (size_t i = 0; i < COUNT(far); i++) {
		uint32_t waits = sleeping.waits;

		happens_after(100 * NS_PER_MS, interrupt);
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, far[i], INT64_MAX), -ECANCELED);
		assert_true(sleeping.in_wait);
		assert_in_range(sleeping.waits - waits, 1, 20);
		assert_int_equal(hpt_wall_wait_after(wall, far[i], WAIT_NS), -ETIMEDOUT);
	}
}

static void pending_interrupt_ends_the_wait_at_once(void **state)
{
	(void)state;
	interrupt();
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(-10000), INT64_MAX), -ECANCELED);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(-10000), INT64_MAX), 0);
	interrupt();
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), 0), -ECANCELED);
	assert_int_equal(sleeping.waits, 0);
	assert_int_equal(remaining_ns(waiter), 0);
}

/* Of the time-out, whatever the sleep was for. */
static void interrupt_leaves_the_rest_of_the_time_out(void **state)
{
	static const int64_t in[] = { -WAIT_NS, WAIT_NS, 20 * WAIT_NS };

	(void)state;
	for (size_t i = 0; i < COUNT(in); i++) {
		interrupt();
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(in[i]), 10 * WAIT_NS), -ECANCELED);
		assert_in_range(remaining_ns(waiter), 10 * WAIT_NS - 1, 10 * WAIT_NS + 1);
		interrupt();
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(in[i]), INT64_MAX), -ECANCELED);
		assert_int_equal(remaining_ns(waiter), INT64_MAX);
	}
	for (size_t i = 1; i < COUNT(in); i++) {
		happens_after(WAIT_NS / 2, interrupt);
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(in[i]), 10 * WAIT_NS), -ECANCELED);
		assert_in_range(remaining_ns(waiter), 10 * WAIT_NS - WAIT_NS / 2 - 100000,
				10 * WAIT_NS - WAIT_NS / 2);
		happens_after(WAIT_NS / 2, interrupt);
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(in[i]), INT64_MAX), -ECANCELED);
		assert_int_equal(remaining_ns(waiter), INT64_MAX);
	}
}

static void wait_that_is_over_leaves_nothing(void **state)
{
	(void)state;
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(-10000), 10 * WAIT_NS), 0);
	assert_int_equal(remaining_ns(waiter), 0);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), 10 * WAIT_NS), 0);
	assert_int_equal(remaining_ns(waiter), 0);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), INT64_MAX), 0);
	assert_int_equal(remaining_ns(waiter), 0);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), 0), -ETIMEDOUT);
	assert_int_equal(remaining_ns(waiter), 0);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), INT64_MIN), -ETIMEDOUT);
	assert_int_equal(remaining_ns(waiter), 0);
	happens_after(WAIT_NS / 2, contradict);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), 10 * WAIT_NS), -EAGAIN);
	assert_int_equal(remaining_ns(waiter), 0);
}

static void interrupt_ends_the_wait(void **state)
{
	static const int64_t before_ns[] = { WAIT_NS / 2, 50000, 3000, 300 };

	(void)state;
	for (size_t i = 0; i < COUNT(before_ns); i++) {
		int64_t unix_ns = in_ns(WAIT_NS);

		happens_after(WAIT_NS - before_ns[i], interrupt);
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, unix_ns, INT64_MAX), -ECANCELED);
		assert_int_equal(hpt_wall_after(wall, unix_ns), 0);
		assert_int_equal(remaining_ns(waiter), INT64_MAX);
		assert_int_equal(sleeping.in_wait, i == 0);
	}
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), INT64_MAX), 0);
	assert_int_equal(remaining_ns(waiter), 0);
}

static int second, second_sleep;

static void wait_too(void)
{
	second = hpt_wall_wait_after_on(wall, waiter, 0, INT64_MAX);
	second_sleep = hpt_waiter_sleep_ns(waiter, 1);
}

static void second_sleeper_is_refused(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, wait_too);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), INT64_MAX), 0);
	assert_int_equal(second, -EBUSY);
	assert_int_equal(second_sleep, -EBUSY);
	assert_int_equal(hpt_waiter_sleep_ns(waiter, 1), 0);
}

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

static uint32_t signals;

static int interrupted_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	if (!signals)
		return world_wait(word, value, id, until_ns);
	signals--;
	world.now_ps += PS_PER_MS / 10;
	return -EINTR;
}

static void signal_ends_the_wait_if_asked_for(void **state)
{
	int64_t unix_ns = in_ns(WAIT_NS);

	(void)state;
	fake_env.wait = interrupted_wait;
	signals = 3;
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, unix_ns, INT64_MAX), 0);
	assert_int_equal(signals, 0);
	assert_ended_on_time(unix_ns, 200);
	signals = 3;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MAX), 0);
	assert_int_equal(signals, 0);
	hpt_waiter_free(waiter);
	assert_int_equal(hpt_waiter_new(&clk, HPT_WAIT_EINTR, &waiter), 0);
	signals = 3;
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), 10 * WAIT_NS), -EINTR);
	assert_int_equal(signals, 2);
	assert_in_range(remaining_ns(waiter), 10 * WAIT_NS - 200000, 10 * WAIT_NS - 100000);
	signals = 0;
}

/* ---- Forks ------------------------------------------------------------------------------------------------------- */

/* As a forked child finds a waiter on which its parent's thread waits. Its bell's number must not add up. */
static void waiter_of_the_parent_forgets_its_thread(void **state)
{
	(void)state;
	atomic_store(&waiter->sleeper, hpt_process() + 1);
	hpt_bell_enter(&waiter->eventcount, HPT_BELLS);
	happens_after(WAIT_NS / 2, interrupt);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), INT64_MAX), -ECANCELED);
	assert_int_equal(hpt_eventcount_sleepers(&waiter->eventcount), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wait_test(lost_bound_ends_the_wait),
		wait_test(without_a_bound_there_is_no_wait),
		wait_test(bound_that_may_be_lost_ends_the_wait),
		wait_test(stale_bound_ends_the_wait),
		wait_test(counter_that_stops_ends_the_wait),
		wait_test(counter_that_stops_does_not_stop_the_time_out),
		wait_test(times_that_never_come_are_slept_for),
		wait_test(pending_interrupt_ends_the_wait_at_once),
		wait_test(interrupt_leaves_the_rest_of_the_time_out),
		wait_test(wait_that_is_over_leaves_nothing),
		wait_test(interrupt_ends_the_wait),
		wait_test(second_sleeper_is_refused),
		wait_test(signal_ends_the_wait_if_asked_for),
		wait_test(waiter_of_the_parent_forgets_its_thread),
		wait_test(wait_for_a_bound_again),
		wait_test(leap_second_passes_during_the_wait),
		wait_test(cover_ends_during_the_wait),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_wait_events", tests, NULL, NULL);
}
