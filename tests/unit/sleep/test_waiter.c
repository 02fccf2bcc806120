// SPDX-License-Identifier: MIT
/*
 * Waiters in a simulated world: an interrupt before a sleep and at each moment of it, and the other results of calls.
 */
#include "object_world.h"
#include "remaining.h"
#include "sleep/waiter.h"

#define SLEEP_NS (10 * NS_PER_MS)

static hpt_waiter *w;

static int waiter_begins(void **state)
{
	sleeping_begins(state);
	w = NULL;
	return hpt_waiter_new(&clk, 0, &w);
}

static int waiter_ends(void **state)
{
	hpt_waiter_free(w);
	return sleeping_ends(state);
}

#define waiter_test(f) cmocka_unit_test_setup_teardown(f, waiter_begins, waiter_ends)

static void interrupt(void)
{
	assert_int_equal(hpt_waiter_interrupt(w), 0);
}

static int64_t ticks_of(int64_t ns)
{
	return ns * 1000 / (int64_t)world.tick_ps;
}

/* ---- Deadlines ------------------------------------------------------------------------------------------ */

static void sleep_for_a_time_ends_on_it(void **state)
{
	int64_t start = hpt_now_ns(&clk);

	(void)state;
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_in_range(hpt_now_ns(&clk) - start, SLEEP_NS, SLEEP_NS + 500);
	assert_int_equal(remaining_ns(w), 0);
	assert_true(sleeping.waits > 0);
}

static void sleep_until_a_tick_ends_on_it(void **state)
{
	hpt_time_t deadline = hpt_now(&clk) + ticks_of(SLEEP_NS);

	(void)state;
	assert_int_equal(hpt_waiter_sleep_until_ticks(w, deadline), 0);
	assert_in_range(hpt_now(&clk) - deadline, 0, ticks_of(500));
	assert_int_equal(remaining_ns(w), 0);
}

static void sleep_until_a_time_ends_on_it(void **state)
{
	int64_t deadline_ns = hpt_now_ns(&clk) + SLEEP_NS;

	(void)state;
	assert_int_equal(hpt_waiter_sleep_until_ns(w, deadline_ns), 0);
	assert_in_range(hpt_now_ns(&clk) - deadline_ns, 0, 500);
	assert_true(sleeping.waits > 0);
	deadline_ns = hpt_now_unix_ns(&clk) + SLEEP_NS;
	assert_int_equal(hpt_waiter_sleep_until_unix_ns(w, deadline_ns), 0);
	assert_in_range(hpt_now_unix_ns(&clk) - deadline_ns, 0, 500);
}

static void wall_clock_steps(void)
{
	world.realtime_offset_ns += 3600 * NS_PER_S;
	sleeping.wakes++; /* the kernel ends a wait by CLOCK_REALTIME */
}

/* Each follows its own clock. */
static void step_of_the_wall_clock_ends_a_sleep_by_it_alone(void **state)
{
	int64_t start = hpt_now_ns(&clk);

	(void)state;
	happens_after(SLEEP_NS / 2, wall_clock_steps);
	assert_true(hpt_waiter_sleep_until_unix_ns(w, hpt_now_unix_ns(&clk) + SLEEP_NS) >= 0);
	assert_in_range(hpt_now_ns(&clk) - start, SLEEP_NS / 2, SLEEP_NS / 2 + 100000);
	start = hpt_now_ns(&clk);
	happens_after(SLEEP_NS / 2, wall_clock_steps);
	assert_true(hpt_waiter_sleep_until_ns(w, start + SLEEP_NS) >= 0);
	assert_in_range(hpt_now_ns(&clk) - start, SLEEP_NS, SLEEP_NS + 1000);
}

static void past_deadlines_return_at_once(void **state)
{
	static const int64_t past[] = { 0, -1, INT64_MIN };
	uint64_t start = world.now_ps;

	(void)state;
	for (size_t i = 0; i < COUNT(past); i++)
		assert_int_equal(hpt_waiter_sleep_ns(w, past[i]), 0);
	assert_int_equal(hpt_waiter_sleep_until_ticks(w, hpt_now(&clk)), 0);
	assert_int_equal(hpt_waiter_sleep_until_ticks(w, INT64_MIN), 0);
	assert_int_equal(hpt_waiter_sleep_until_ns(w, INT64_MIN), 0);
	assert_int_equal(hpt_waiter_sleep_until_unix_ns(w, INT64_MIN), 0);
	assert_true(world.now_ps - start < 1000000);
	assert_int_equal(sleeping.waits, 0);
}

/* ---- Interrupts ----------------------------------------------------------------------------------------- */

static void pending_interrupt_ends_the_next_sleep(void **state)
{
	uint64_t start;

	(void)state;
	interrupt();
	start = world.now_ps;
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), -ECANCELED);
	assert_true(world.now_ps - start < 1000000);
	assert_in_range(remaining_ns(w), SLEEP_NS - 1000, SLEEP_NS + 1);
	assert_int_equal(sleeping.waits, 0);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_int_equal(remaining_ns(w), 0);
}

static void interrupt_ends_a_wait_in_the_kernel(void **state)
{
	hpt_time_t deadline = hpt_now(&clk) + ticks_of(SLEEP_NS);

	(void)state;
	happens_after(SLEEP_NS / 2, interrupt);
	assert_int_equal(hpt_waiter_sleep_until_ticks(w, deadline), -ECANCELED);
	assert_true(sleeping.in_wait);
	assert_int_equal(sleeping.wakes, 1);
	assert_in_range(remaining_ns(w), SLEEP_NS / 2 - 20000, SLEEP_NS / 2);
	assert_in_range(deadline - hpt_now(&clk), ticks_of(SLEEP_NS / 2 - 20000), ticks_of(remaining_ns(w) + 1));
}

/* In each part of the spin: from some microseconds before the deadline to the last nanoseconds. */
static void interrupt_ends_a_spin(void **state)
{
	static const int64_t before_ns[] = { SPIN_NS / 2, 2000, 150, 60 };

	(void)state;
	for (size_t i = 0; i < COUNT(before_ns); i++) {
		hpt_time_t deadline = hpt_now(&clk) + ticks_of(SLEEP_NS);

		happens_after(SLEEP_NS - before_ns[i], interrupt);
		assert_int_equal(hpt_waiter_sleep_until_ticks(w, deadline), -ECANCELED);
		assert_false(sleeping.in_wait);
		assert_true(hpt_now(&clk) < deadline);
		assert_in_range(remaining_ns(w), 1, before_ns[i]);
	}
	assert_int_equal(sleeping.wakes, 0);
}

static void sleep_without_end_ends_by_an_interrupt(void **state)
{
	(void)state;
	happens_after(3600 * NS_PER_S, interrupt);
	assert_int_equal(hpt_waiter_sleep_until_ticks(w, INT64_MAX), -ECANCELED);
	assert_true(remaining_ns(w) == INT64_MAX);
	happens_after(3600 * NS_PER_S, interrupt);
	assert_int_equal(hpt_waiter_sleep_ns(w, INT64_MAX), -ECANCELED);
	assert_true(remaining_ns(w) == INT64_MAX);
	happens_after(3600 * NS_PER_S, interrupt);
	assert_int_equal(hpt_waiter_sleep_until_ns(w, INT64_MAX), -ECANCELED);
	assert_true(remaining_ns(w) == INT64_MAX);
	happens_after(3600 * NS_PER_S, interrupt);
	assert_int_equal(hpt_waiter_sleep_until_unix_ns(w, INT64_MAX), -ECANCELED);
}

static void two_interrupts_are_one(void **state)
{
	(void)state;
	interrupt();
	interrupt();
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), -ECANCELED);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_int_equal(sleeping.wakes, 0);
}

static void interrupt_wins_over_a_past_deadline(void **state)
{
	(void)state;
	interrupt();
	assert_int_equal(hpt_waiter_sleep_until_ticks(w, hpt_now(&clk) - 1), -ECANCELED);
	assert_int_equal(remaining_ns(w), 0);
	interrupt();
	assert_int_equal(hpt_waiter_sleep_ns(w, -5), -ECANCELED);
	assert_int_equal(remaining_ns(w), 0);
	assert_int_equal(hpt_waiter_sleep_ns(w, -5), 0);
}

/* An interrupt after the deadline ends the next sleep. */
static void late_interrupt_stays_pending(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	interrupt();
	assert_int_equal(remaining_ns(w), 0);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), -ECANCELED);
}

static void cleared_interrupt_ends_nothing(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_clear(w), 0);
	interrupt();
	assert_int_equal(hpt_waiter_clear(w), 0);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
}

/* ---- One sleeper ---------------------------------------------------------------------------------------- */

static int second, second_until;

static void sleep_too(void)
{
	second = hpt_waiter_sleep_ns(w, 1);
	second_until = hpt_waiter_sleep_until_ticks(w, 0);
}

static void second_sleeper_is_refused(void **state)
{
	int64_t start = hpt_now_ns(&clk);

	(void)state;
	happens_after(SLEEP_NS / 2, sleep_too);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_true(hpt_now_ns(&clk) - start >= SLEEP_NS);
	assert_int_equal(second, -EBUSY);
	assert_int_equal(second_until, -EBUSY);
	happens_after(SLEEP_NS - 3000, sleep_too);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_false(sleeping.in_wait);
	assert_int_equal(second, -EBUSY);
	assert_int_equal(hpt_waiter_sleep_ns(w, 1000), 0);
}

/* K11: a thread of the process that this one was forked from sleeps on it, and is not here. */
static void claim_of_another_process_does_not_count(void **state)
{
	(void)state;
	atomic_store(&w->sleeper, hpt_process() + 1);
	assert_int_equal(hpt_waiter_sleep_ns(w, 1000), 0);
	assert_int_equal(w->sleeper, 0);
	atomic_store(&w->sleeper, hpt_process());
	assert_int_equal(hpt_waiter_sleep_ns(w, 1000), -EBUSY);
	atomic_store(&w->sleeper, 0);
}

static void nothing_is_left_of_an_early_end(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_NOSPIN, NS_PER_MS), 0);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_int_equal(remaining_ns(w), 0);
}

/* A refused sleep takes no interrupt from the sleep in progress. */
static void interrupt_then_sleep_too(void)
{
	interrupt();
	sleep_too();
}

static void refused_sleeper_takes_no_interrupt(void **state)
{
	(void)state;
	happens_after(SLEEP_NS / 2, interrupt_then_sleep_too);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), -ECANCELED);
	assert_int_equal(second, -EBUSY);
}

/* ---- Policies ------------------------------------------------------------------------------------------- */

/* The number of waits in the kernel that a sleep makes. */
static uint32_t waits_of_a_sleep(void)
{
	uint32_t before = sleeping.waits;

	assert_int_equal(hpt_waiter_sleep_ns(w, 200000), 0);
	return sleeping.waits - before;
}

static void policy_is_the_processs_until_it_is_set(void **state)
{
	(void)state;
	assert_true(waits_of_a_sleep() > 0);
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0), 0);
	assert_int_equal(waits_of_a_sleep(), 0);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_BALANCED, 0), 0);
	assert_true(waits_of_a_sleep() > 0);
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_SPIN, 0), 0);
	assert_int_equal(waits_of_a_sleep(), 0);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_INHERIT, 0), 0);
	assert_true(waits_of_a_sleep() > 0);
}

static int set_in_sleep;

static void set_policy_too(void)
{
	set_in_sleep = hpt_waiter_set_policy(w, HPT_SLEEP_SPIN, 0);
}

static void policy_may_be_set_during_a_sleep(void **state)
{
	(void)state;
	happens_after(100000, set_policy_too);
	assert_true(waits_of_a_sleep() > 0);
	assert_int_equal(set_in_sleep, 0);
	assert_int_equal(waits_of_a_sleep(), 0);
}

/* This many waits end by a signal handler. */
static uint32_t signals;

static int interrupted_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	if (!signals)
		return world_wait(word, value, id, until_ns);
	signals--;
	world.now_ps += PS_PER_MS;
	return -EINTR;
}

static void signal_ends_a_sleep_if_asked_for(void **state)
{
	int64_t start = hpt_now_ns(&clk);

	(void)state;
	fake_env.wait = interrupted_wait;
	signals = 3;
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_true(hpt_now_ns(&clk) - start >= SLEEP_NS);
	assert_int_equal(signals, 0);
	hpt_waiter_free(w);
	assert_int_equal(hpt_waiter_new(&clk, HPT_WAIT_EINTR, &w), 0);
	signals = 3;
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), -EINTR);
	assert_int_equal(signals, 2);
	assert_in_range(remaining_ns(w), SLEEP_NS - 2 * NS_PER_MS, SLEEP_NS - NS_PER_MS);
	interrupt();
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), -ECANCELED);
	signals = 0;
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
	assert_int_equal(hpt_waiter_new(&clk, HPT_WAIT_EINTR << 1, &w), -EINVAL);
}

static void counter_jumps(void)
{
	world.tick_offset += (uint64_t)ticks_of(NS_PER_S);
}

static void diverged_clocks_are_reported(void **state)
{
	(void)state;
	happens_after(SLEEP_NS / 2, counter_jumps);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), HPT_STATE_DISRUPTED);
	assert_int_equal(remaining_ns(w), 0);
	assert_int_equal(hpt_waiter_sleep_ns(w, SLEEP_NS), 0);
}

/* ---- Bad input -------------------------------------------------------------------------------------------- */

static void nothing_is_done_without_a_waiter(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_new(&clk, 0, NULL), -EINVAL);
	assert_int_equal(hpt_waiter_sleep_ns(NULL, 1), -EINVAL);
	assert_int_equal(hpt_waiter_sleep_until_ticks(NULL, 1), -EINVAL);
	assert_int_equal(hpt_waiter_sleep_until_ns(NULL, 1), -EINVAL);
	assert_int_equal(hpt_waiter_sleep_until_unix_ns(NULL, 1), -EINVAL);
	assert_null(hpt_waiter_clock(NULL));
	assert_int_equal(hpt_waiter_interrupt(NULL), -EINVAL);
	assert_int_equal(hpt_waiter_clear(NULL), -EINVAL);
	assert_int_equal(hpt_waiter_remaining_ns(NULL, &(int64_t){ 0 }), -EINVAL);
	assert_int_equal(hpt_waiter_remaining_ns(w, NULL), -EINVAL);
	assert_int_equal(hpt_waiter_set_policy(NULL, HPT_SLEEP_SPIN, 0), -EINVAL);
	hpt_waiter_free(NULL);
}

static void invalid_policy_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_SPIN, 0), 0);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_INHERIT + 1, 0), -EINVAL);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_INHERIT, 1), -EINVAL);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_BALANCED, -1), -EINVAL);
	assert_int_equal(waits_of_a_sleep(), 0);
}

/*
 * Of two threads that acknowledge at once, the later may have the older count: that makes no interrupt pending again.
 */
static void acknowledged_interrupt_stays_acknowledged(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(hpt_waiter_interrupt(w), 0);
	hpt_waiter_acknowledge(w);
	hpt_eventcount_notify(&w->eventcount, UINT32_MAX, &fake_env); /* 2, the older count */
	hpt_waiter_acknowledge(w);
	hpt_eventcount_notify(&w->eventcount, 1, &fake_env);
	assert_int_equal(hpt_waiter_sleep_ns(w, 1000), 0);
}

static void new_waiter_has_nothing_left(void **state)
{
	hpt_waiter *other = NULL;

	(void)state;
	assert_int_equal(hpt_waiter_new(NULL, 0, &other), 0);
	assert_int_equal(remaining_ns(other), 0);
	assert_int_equal(hpt_waiter_sleep_ns(other, 1000), 0);
	hpt_waiter_free(other);
}

/* A clock closed before its waiter (K14). */
static void waiter_holds_its_clock(void **state)
{
	hpt_waiter *other = NULL;
	hpt_clock *os = NULL;

	(void)state;
	assert_ptr_equal(hpt_waiter_clock(w), &clk);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_waiter_new(os, 0, &other), 0);
	assert_int_equal(os->holders, 2);
	hpt_clock_close(os);
	assert_int_equal(os->holders, 1);
	assert_ptr_equal(hpt_waiter_clock(other), os);
	assert_int_equal(hpt_waiter_sleep_ns(other, 1000), 0);
	hpt_clock_ref(os);
	hpt_waiter_free(other);
	assert_int_equal(os->holders, 1);
	hpt_clock_close(os);
}

/* A thread that interrupts would take it from the sleeper, which writes there as it returns. */
static void interrupt_touches_no_cache_line_of_the_sleepers(void **state)
{
	(void)state;
	assert_true(offsetof(struct hpt_waiter, seen) / 64 > offsetof(struct hpt_waiter, clk) / 64);
	assert_true(offsetof(struct hpt_waiter, sleeper) / 64 > offsetof(struct hpt_waiter, clk) / 64);
	assert_true(offsetof(struct hpt_waiter, left) / 64 > offsetof(struct hpt_waiter, clk) / 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		waiter_test(sleep_for_a_time_ends_on_it),
		waiter_test(sleep_until_a_tick_ends_on_it),
		waiter_test(sleep_until_a_time_ends_on_it),
		waiter_test(step_of_the_wall_clock_ends_a_sleep_by_it_alone),
		waiter_test(past_deadlines_return_at_once),
		waiter_test(pending_interrupt_ends_the_next_sleep),
		waiter_test(interrupt_ends_a_wait_in_the_kernel),
		waiter_test(interrupt_ends_a_spin),
		waiter_test(sleep_without_end_ends_by_an_interrupt),
		waiter_test(two_interrupts_are_one),
		waiter_test(interrupt_wins_over_a_past_deadline),
		waiter_test(late_interrupt_stays_pending),
		waiter_test(cleared_interrupt_ends_nothing),
		waiter_test(second_sleeper_is_refused),
		waiter_test(claim_of_another_process_does_not_count),
		waiter_test(nothing_is_left_of_an_early_end),
		waiter_test(refused_sleeper_takes_no_interrupt),
		waiter_test(policy_is_the_processs_until_it_is_set),
		waiter_test(policy_may_be_set_during_a_sleep),
		waiter_test(signal_ends_a_sleep_if_asked_for),
		waiter_test(diverged_clocks_are_reported),
		waiter_test(nothing_is_done_without_a_waiter),
		waiter_test(invalid_policy_changes_nothing),
		waiter_test(acknowledged_interrupt_stays_acknowledged),
		waiter_test(waiter_holds_its_clock),
		waiter_test(new_waiter_has_nothing_left),
		waiter_test(interrupt_touches_no_cache_line_of_the_sleepers),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("waiter", tests, NULL, NULL);
}
