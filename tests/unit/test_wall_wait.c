// SPDX-License-Identifier: MIT
/*
 * Waits for a wall in the simulated world: a commit wait ends at the first tick at which UTC is surely after the time,
 * never before; what happens during it: samples, events of the clock, interrupts, signals.
 */
#include "wall_fakes.h"

#include "machine/process.h"
#include "sleep/waiter.h"

#define WAIT_NS (5 * NS_PER_MS)

static hpt_waiter *waiter;

static int wait_begins(void **state)
{
	wall_begins(state);
	assert_int_equal(hpt_waiter_new(&clk, 0, &waiter), 0);
	feed(NS_PER_US);
	return 0;
}

static int wait_ends(void **state)
{
	assert_int_equal(wall_info().waiting, 0);
	assert_int_equal(hpt_eventcount_sleepers(hpt_bell(wall->bell)), 0);
	assert_int_equal(hpt_eventcount_sleepers(&waiter->eventcount), 0);
	hpt_waiter_free(waiter);
	return wall_ends(state);
}

#define wait_test(f) cmocka_unit_test_setup_teardown(f, wait_begins, wait_ends)

/* A time that is past in ns nanoseconds by the true time. */
static int64_t in_ns(int64_t ns)
{
	return utc_ns() + ns;
}

/* Earliest is past it, and was not two reads of the counter ago. */
static void assert_ended_on_time(int64_t unix_ns, int64_t late_most_ns)
{
	struct hpt_wall_time t = now_checked();

	if (t.earliest_ns <= unix_ns || t.earliest_ns > unix_ns + late_most_ns)
		fail_msg("earliest is %lld ns after the time", (long long)(t.earliest_ns - unix_ns));
}

/* ---- The end ------------------------------------------------------------------------------------------------- */

static void wait_ends_at_the_first_tick_after_the_time(void **state)
{
	static const int64_t waits_ns[] = { 0, 1, 100, 3000, 50000, NS_PER_MS, WAIT_NS, 9999999, 10 * NS_PER_MS,
					    10000001, 50 * NS_PER_MS, 3 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(waits_ns); i++) {
		int64_t unix_ns = in_ns(waits_ns[i]);

		assert_int_equal(hpt_wall_wait_after(wall, unix_ns, -1), 0);
		assert_ended_on_time(unix_ns, 200);
		unix_ns = in_ns(waits_ns[i]);
		assert_int_equal(hpt_waiter_wait_after(waiter, wall, unix_ns, -1), 0);
		assert_ended_on_time(unix_ns, 200);
		feed(NS_PER_US);
	}
}

/* In a world where reads take no time the end is the very tick. */
static uint64_t fine_read(const struct hpt_source *src)
{
	world.now_ps += 400;
	return sleeping.read(src);
}

static void no_tick_before_would_have_done(void **state)
{
	(void)state;
	world.read_ps = 0;
	clk.src.read = fine_read;
	for (int i = 0; i < 50; i++) {
		int64_t unix_ns = in_ns(20000 + i * 997);
		struct hpt_wall_time t, before;

		assert_int_equal(hpt_wall_wait_after(wall, unix_ns, -1), 0);
		assert_int_equal(hpt_wall_now(wall, &t), 0);
		assert_true(t.earliest_ns > unix_ns);
		/* The loop of the spin reads each 75 ns or so. */
		assert_int_equal(hpt_wall_at(wall, t.tick - 400, &before), 0);
		assert_true(before.earliest_ns <= unix_ns);
	}
}

static void past_times_end_at_once(void **state)
{
	uint64_t start = world.now_ps;

	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(-10000), -1), 0);
	assert_int_equal(hpt_wall_wait_after(wall, INT64_MIN, 0), 0);
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(-10000), 0), 0);
	assert_true(world.now_ps - start < 1000000);
	assert_int_equal(sleeping.waits, 0);
}

/* ---- Time-outs ----------------------------------------------------------------------------------------------- */

static void time_out_of_zero_is_one_look(void **state)
{
	uint64_t start = world.now_ps;

	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), 0), -ETIMEDOUT);
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(WAIT_NS), 0), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_ready(wall, 1, 0), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, 0), 0);
	assert_true(world.now_ps - start < 1000000);
	assert_int_equal(sleeping.waits, 0);
}

static void time_itself_is_not_after_it(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	world.read_ps = 0;
	t = now_checked();
	assert_int_equal(hpt_wall_wait_after(wall, t.earliest_ns, 0), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_after(wall, t.earliest_ns - 1, 0), 0);
}

static void time_out_is_never_early(void **state)
{
	static const int64_t timeouts_ns[] = { 1, 100, 20000, WAIT_NS, 100 * NS_PER_MS, 2 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(timeouts_ns); i++) {
		uint64_t start = world.now_ps;

		assert_int_equal(hpt_wall_wait_after(wall, in_ns(60 * NS_PER_S), timeouts_ns[i]), -ETIMEDOUT);
		assert_in_range((int64_t)(world.now_ps - start) / 1000, timeouts_ns[i], timeouts_ns[i] + 2000);
		start = world.now_ps;
		assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(60 * NS_PER_S), timeouts_ns[i]), -ETIMEDOUT);
		assert_in_range((int64_t)(world.now_ps - start) / 1000, timeouts_ns[i], timeouts_ns[i] + 2000);
		start = world.now_ps;
		assert_int_equal(hpt_wall_wait_ready(wall, 1, timeouts_ns[i]), -ETIMEDOUT);
		assert_in_range((int64_t)(world.now_ps - start) / 1000, timeouts_ns[i], timeouts_ns[i] + 2000);
	}
}

static void long_time_out_does_not_wrap(void **state)
{
	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MAX), 0);
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MIN), 0);
}

/* At the same moment the time is past, and the time-out over: it is past. */
static void time_wins_over_the_time_out(void **state)
{
	int64_t unix_ns = in_ns(WAIT_NS);

	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, unix_ns, WAIT_NS + 1300), 0);
	assert_ended_on_time(unix_ns, 1000);
}

/* ---- Samples during the wait --------------------------------------------------------------------------------- */

static void feed_narrow(void)
{
	feed(0);
}

static void feed_wide(void)
{
	feed(NS_PER_MS);
}

/* A narrower interval has a later earliest: the wait ends sooner. */
static void sample_makes_the_end_sooner(void **state)
{
	int64_t unix_ns;

	(void)state;
	wall_begins(state);
	feed(3 * NS_PER_MS);
	unix_ns = in_ns(WAIT_NS);
	happens_after(WAIT_NS / 2, feed_narrow);
	assert_int_equal(hpt_wall_wait_after(wall, unix_ns, -1), 0);
	assert_true(sleeping.in_wait);
	assert_int_equal(sleeping.wakes, 1);
	assert_ended_on_time(unix_ns, 200);
	assert_true(utc_ns() < unix_ns + 1000);
}

static void sample_that_says_nothing_changes_nothing(void **state)
{
	int64_t unix_ns = in_ns(WAIT_NS);

	(void)state;
	happens_after(WAIT_NS / 2, feed_wide);
	assert_int_equal(hpt_wall_wait_after(wall, unix_ns, -1), 0);
	assert_ended_on_time(unix_ns, 200);
	unix_ns = in_ns(WAIT_NS);
	happens_after(WAIT_NS - 20000, feed_wide); /* during the spin */
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, unix_ns, -1), 0);
	assert_false(sleeping.in_wait);
	assert_ended_on_time(unix_ns, 200);
}

static uint32_t waiting_seen;

static void see_waiting(void)
{
	waiting_seen = wall_info().waiting;
}

static void threads_that_wait_are_counted(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, see_waiting);
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), -1), 0);
	assert_int_equal(waiting_seen, 1);
	assert_int_equal(wall_info().waiting, 0);
}

/* ---- No bound ------------------------------------------------------------------------------------------------- */

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
		assert_int_equal(hpt_wall_wait_after(wall, in_ns(wait_ns), -1), -EAGAIN);
		assert_true(world.now_ps - start < (uint64_t)wait_ns * 2000);
	}
}

static void without_a_bound_there_is_no_wait(void **state)
{
	(void)state;
	contradict();
	assert_int_equal(hpt_wall_wait_after(wall, 0, -1), -EAGAIN);
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, 0, -1), -EAGAIN);
	assert_int_equal(sleeping.waits, 0);
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
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), -1), -EAGAIN);
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
		assert_int_equal(hpt_wall_wait_after(wall, i ? INT64_MAX : in_ns(100 * NS_PER_S), -1), -EAGAIN);
		assert_wall_state(HPT_WALL_STALE);
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
	assert_wall_state(HPT_WALL_DISRUPTED);
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

/* ---- The far future -------------------------------------------------------------------------------------------- */

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
		assert_int_equal(hpt_waiter_wait_after(waiter, wall, far[i], -1), -ECANCELED);
		assert_true(sleeping.in_wait);
		assert_in_range(sleeping.waits - waits, 1, 20);
		assert_int_equal(hpt_wall_wait_after(wall, far[i], WAIT_NS), -ETIMEDOUT);
	}
}

/* ---- Waiters --------------------------------------------------------------------------------------------------- */

static void pending_interrupt_ends_the_wait_at_once(void **state)
{
	(void)state;
	interrupt();
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(-10000), -1), -ECANCELED);
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(-10000), -1), 0);
	interrupt();
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(WAIT_NS), 0), -ECANCELED);
	assert_int_equal(sleeping.waits, 0);
	assert_int_equal(hpt_waiter_remaining(waiter), 0);
}

static void interrupt_ends_the_wait(void **state)
{
	static const int64_t before_ns[] = { WAIT_NS / 2, 50000, 3000, 300 };

	(void)state;
	for (size_t i = 0; i < COUNT(before_ns); i++) {
		int64_t unix_ns = in_ns(WAIT_NS);

		happens_after(WAIT_NS - before_ns[i], interrupt);
		assert_int_equal(hpt_waiter_wait_after(waiter, wall, unix_ns, -1), -ECANCELED);
		assert_int_equal(hpt_wall_after(wall, unix_ns), 0);
		assert_true(hpt_waiter_remaining(waiter) > 0);
		assert_int_equal(sleeping.in_wait, i == 0);
	}
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(WAIT_NS), -1), 0);
	assert_int_equal(hpt_waiter_remaining(waiter), 0);
}

static int second, second_sleep;

static void wait_too(void)
{
	second = hpt_waiter_wait_after(waiter, wall, 0, -1);
	second_sleep = hpt_waiter_sleep_ns(waiter, 1);
}

static void second_sleeper_is_refused(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, wait_too);
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(WAIT_NS), -1), 0);
	assert_int_equal(second, -EBUSY);
	assert_int_equal(second_sleep, -EBUSY);
	assert_int_equal(hpt_waiter_sleep_ns(waiter, 1), 0);
}

static void waiter_must_be_on_the_same_clock(void **state)
{
	hpt_waiter *other = NULL;
	hpt_clock *os = NULL;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_waiter_new(os, 0, &other), 0);
	assert_int_equal(hpt_waiter_wait_after(other, wall, 0, -1), -EINVAL);
	assert_int_equal(hpt_waiter_wait_after(NULL, wall, 0, -1), -EINVAL);
	assert_int_equal(hpt_waiter_wait_after(waiter, NULL, 0, -1), -EINVAL);
	assert_int_equal(hpt_wall_wait_after(NULL, 0, -1), -EINVAL);
	assert_int_equal(hpt_wall_wait_ready(NULL, 0, -1), -EINVAL);
	assert_int_equal(hpt_wall_wait_ready(wall, -1, -1), -EINVAL);
	assert_int_equal(hpt_waiter_sleep_ns(waiter, 1), 0);
	hpt_waiter_free(other);
	hpt_clock_close(os);
}

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
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, unix_ns, -1), 0);
	assert_int_equal(signals, 0);
	assert_ended_on_time(unix_ns, 200);
	signals = 3;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), -1), 0);
	assert_int_equal(signals, 0);
	hpt_waiter_free(waiter);
	assert_int_equal(hpt_waiter_new(&clk, HPT_WAIT_EINTR, &waiter), 0);
	signals = 3;
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(WAIT_NS), -1), -EINTR);
	assert_int_equal(signals, 2);
	assert_true(hpt_waiter_remaining(waiter) > 0);
	signals = 0;
}

/* ---- Forks ----------------------------------------------------------------------------------------------------- */

/* As a forked child finds a waiter on which its parent's thread waits. Its bell's number must not add up. */
static void waiter_of_the_parent_forgets_its_thread(void **state)
{
	(void)state;
	atomic_store(&waiter->sleeper, hpt_process() + 1);
	hpt_bell_enter(&waiter->eventcount, HPT_BELLS);
	happens_after(WAIT_NS / 2, interrupt);
	assert_int_equal(hpt_waiter_wait_after(waiter, wall, in_ns(WAIT_NS), -1), -ECANCELED);
	assert_int_equal(hpt_eventcount_sleepers(&waiter->eventcount), 0);
}

/* ---- Ready ----------------------------------------------------------------------------------------------------- */

static void wait_for_the_first_sample(void **state)
{
	uint64_t start;

	(void)state;
	wall_begins(state);
	start = world.now_ps;
	happens_after(WAIT_NS, feed_narrow);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, -1), 0);
	assert_in_range((int64_t)(world.now_ps - start) / 1000, WAIT_NS, WAIT_NS + 50000);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, 0), 0);
}

static void wait_for_a_narrow_one(void **state)
{
	(void)state;
	assert_int_equal(hpt_wall_wait_ready(wall, 3 * NS_PER_US, 0), 0);
	assert_int_equal(hpt_wall_wait_ready(wall, 1999, WAIT_NS), -ETIMEDOUT);
	happens_after(WAIT_NS, feed_wide);
	assert_int_equal(hpt_wall_wait_ready(wall, 1999, 2 * WAIT_NS), -ETIMEDOUT);
	happens_after(WAIT_NS, feed_narrow);
	assert_int_equal(hpt_wall_wait_ready(wall, 1999, -1), 0);
}

static void wait_for_a_bound_again(void **state)
{
	(void)state;
	contradict();
	happens_after(WAIT_NS, feed_narrow);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, -1), 0);
	now_checked();
}

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
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), -1), -EAGAIN);
	assert_wall_state(HPT_WALL_LEAP);
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
	open_as(&c, HPT_WALL_LEAP_COVER);
	announce_leap();
	pass(1500 * PS_PER_MS);
	now_checked();
	start = world.now_ps;
	assert_int_equal(hpt_wall_wait_ready(wall, NS_PER_MS, 60 * NS_PER_S), 0);
	assert_true(world.now_ps - start < 10 * PS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wait_test(wait_ends_at_the_first_tick_after_the_time),
		wait_test(no_tick_before_would_have_done),
		wait_test(past_times_end_at_once),
		wait_test(time_out_of_zero_is_one_look),
		wait_test(time_itself_is_not_after_it),
		wait_test(time_out_is_never_early),
		wait_test(long_time_out_does_not_wrap),
		wait_test(time_wins_over_the_time_out),
		wait_test(sample_makes_the_end_sooner),
		wait_test(sample_that_says_nothing_changes_nothing),
		wait_test(threads_that_wait_are_counted),
		wait_test(lost_bound_ends_the_wait),
		wait_test(without_a_bound_there_is_no_wait),
		wait_test(bound_that_may_be_lost_ends_the_wait),
		wait_test(stale_bound_ends_the_wait),
		wait_test(counter_that_stops_ends_the_wait),
		wait_test(counter_that_stops_does_not_stop_the_time_out),
		wait_test(times_that_never_come_are_slept_for),
		wait_test(pending_interrupt_ends_the_wait_at_once),
		wait_test(interrupt_ends_the_wait),
		wait_test(second_sleeper_is_refused),
		wait_test(waiter_must_be_on_the_same_clock),
		wait_test(signal_ends_the_wait_if_asked_for),
		wait_test(waiter_of_the_parent_forgets_its_thread),
		wait_test(wait_for_the_first_sample),
		wait_test(wait_for_a_narrow_one),
		wait_test(wait_for_a_bound_again),
		wait_test(leap_second_passes_during_the_wait),
		wait_test(cover_ends_during_the_wait),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_wait", tests, NULL, NULL);
}
