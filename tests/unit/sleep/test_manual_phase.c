// SPDX-License-Identifier: MIT
/*
 * Sleeps on a manual clock: each ends at its tick and not one earlier, or by an interrupt. What happens during a sleep
 * happens in its wait, which a script stands for; real threads and waits follow at the end.
 */
#include "manual_world.h"
#include "remaining.h"

#include "sleep/waiter.h"
#include "sleep_kinds.h"

#define DAY_S  INT64_C(86400)
#define DAY_NS (DAY_S * 1000000000)

/* ---- Waits that a script ends ---------------------------------------------------------------------------------- */

#define STILL (-1) /* no advance, so that nothing notifies the clock */

/* What comes to pass in a wait: the clock advances, or something else, with what the wait returns. */
struct step {
	int64_t ticks;
	int (*act)(void); /* NULL: an advance alone, which wakes */
};

static struct {
	const struct step *steps;
	uint32_t n, at;
} script;

static int scripted_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	const struct step *s = &script.steps[script.at++];
	int r;

	if (script.at > script.n)
		fail_msg("one more wait than %u", script.n);
	assert_int_equal(*word, value);
	assert_int_equal(hpt_clock_sleepers(goal.clk), 1);
	assert_int_equal(id, CLOCK_MONOTONIC);
	assert_int_equal(until_ns, INT64_MAX); /* without a time-out a handler with SA_RESTART would not end it */
	assert_true(s->ticks == STILL || !hpt_clock_advance(goal.clk, s->ticks));
	r = s->act ? s->act() : 0;
	assert_true(r || *word != value); /* else the kernel would not end the wait */
	errno = EBADMSG;
	return r;
}

/* The next sleep has these waits, one after the other. */
static void expect(const struct step *steps, uint32_t n)
{
	no_clocks.wait = scripted_wait;
	script.steps = steps;
	script.n = n;
	script.at = 0;
	errno = EXDEV;
}

static void assert_all_came(void)
{
	assert_int_equal(script.at, script.n);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(hpt_clock_sleepers(goal.clk), 0);
}

static int interrupt_waiter(void)
{
	assert_int_equal(hpt_waiter_interrupt(goal.waiter), 0);
	return 0;
}

static int notify_gate(void)
{
	assert_int_equal(hpt_gate_notify_all(goal.gate), 0);
	return 0;
}

static int shut_gate(void)
{
	assert_int_equal(hpt_gate_shut(goal.gate), 0);
	return 0;
}

static int interrupt_ticker(void)
{
	assert_int_equal(hpt_ticker_interrupt(goal.ticker), 0);
	return 0;
}

static int get_signal(void)
{
	return -EINTR;
}

static void begin_goal(hpt_clock *c, int64_t length_ns)
{
	assert_true(set_goal(c, length_ns));
	errno = EXDEV;
}

/* ---- Deadlines --------------------------------------------------------------------------------------------- */

/* A sleep of that many ticks from tick 1000: one before its end it goes on, whether the clock advances or not. */
static void ends_after(const char *name, int (*sleep)(void), int64_t ticks, int result)
{
	const struct step steps[] = { { ticks - 1, NULL }, { 0, NULL }, { 1, NULL } };
	int r;

	expect(steps, COUNT(steps));
	r = sleep();
	if (r != result || hpt_now(goal.clk) != 1000 + ticks)
		fail_msg("%s: %d at %lld", name, r, (long long)hpt_now(goal.clk));
	assert_all_came();
}

static void each_kind_ends_at_its_tick(void **state)
{
	static const int64_t frequencies_hz[] = { 1, 60, 1000, 44100, 1000000000, INT64_C(10000000000) };

	(void)state;
	for (size_t i = 0; i < COUNT(frequencies_hz) * COUNT(sleep_kinds); i++) {
		const struct sleep_kind *k = &sleep_kinds[i % COUNT(sleep_kinds)];
		int64_t hz = frequencies_hz[i / COUNT(sleep_kinds)];
		hpt_clock *c = new_manual((uint64_t)hz, 1000);

		begin_goal(c, DAY_NS);
		ends_after(k->name, k->sleep, DAY_S * hz, k->reached);
		free_goal_objects();
		hpt_clock_close(c);
	}
}

static int for_a_period(void)
{
	return hpt_ticker_wait(goal.ticker, NULL);
}

/* The first is at once, the second after 16.683333 ms. */
static int for_two_rational_periods(void)
{
	int r = hpt_ticker_start_rational(goal.ticker, 1000, 1001, 60000);

	return r ? r : hpt_ticker_wait(goal.ticker, NULL) || hpt_ticker_wait(goal.ticker, NULL);
}

static int from_a_nanosecond_on(void)
{
	int r = hpt_ticker_start(goal.ticker, hpt_now_ns(goal.clk) + 1, 0);

	return r ? r : hpt_ticker_wait(goal.ticker, NULL);
}

/* Between two ticks it is the later one. */
static void a_part_of_a_tick_is_rounded_up(void **state)
{
	static const struct {
		const char *name;
		uint64_t frequency_hz;
		int64_t length_ns;
		int (*sleep)(void);
		int64_t ticks;
	} rows[] = {
		{ "1 ns at 60 Hz", 60 * HZ, 1, for_ns, 1 },
		{ "a day and 1 ns at 3 Hz", 3 * HZ, DAY_NS + 1, for_ns, 259201 },
		{ "a ticker between ticks", 44100 * HZ, 10000001, for_a_period, 442 },
		{ "a ticker of a rational period", GHZ, 1000, for_two_rational_periods, 16683334 },
		{ "a ticker from a nanosecond on, 60 Hz", 60 * HZ, 1000, from_a_nanosecond_on, 1 },
		{ "a ticker from a nanosecond on, 10 GHz", 10 * GHZ, 1000, from_a_nanosecond_on, 10 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		hpt_clock *c = new_manual(rows[i].frequency_hz, 1000);
		int64_t next_ns, start_ns = hpt_now_ns(c);

		begin_goal(c, rows[i].length_ns);
		assert_int_equal(hpt_ticker_next_ns(goal.ticker, &next_ns), 0);
		assert_int_equal(next_ns - start_ns, rows[i].length_ns);
		ends_after(rows[i].name, rows[i].sleep, rows[i].ticks, 0);
		free_goal_objects();
		hpt_clock_close(c);
	}
}

static void past_deadlines_do_not_sleep(void **state)
{
	(void)state;
	expect(NULL, 0);
	assert_int_equal(hpt_sleep_ns(clk, 0), 0);
	assert_int_equal(hpt_sleep_ns(clk, -1), 0);
	assert_int_equal(hpt_sleep_ns(clk, INT64_MIN), 0);
	assert_int_equal(hpt_sleep_until_ticks(clk, 1000), 0);
	assert_int_equal(hpt_sleep_until_ticks(clk, INT64_MIN), 0);
	assert_int_equal(hpt_sleep_until_unix_ns(clk, 1000), 0);
	assert_int_equal(hpt_sleep_until_unix_ns(clk, INT64_MIN), 0);
}

static int for_ever(void)
{
	return hpt_waiter_sleep_ns(goal.waiter, INT64_MAX);
}

static int until_never(void)
{
	return hpt_waiter_sleep_until_ticks(goal.waiter, INT64_MAX);
}

/* Deadlines saturate at a tick that no clock reaches. */
static void never_is_never(void **state)
{
	static const struct step steps[] = { { 0, NULL }, { STILL, interrupt_waiter } };
	static int (*const sleeps[])(void) = { for_ever, until_never };

	(void)state;
	advance(INT64_MAX - 1 - hpt_now(clk));
	assert_int_equal(hpt_waiter_new(clk, 0, &goal.waiter), 0);
	goal.clk = clk;
	for (size_t i = 0; i < COUNT(sleeps); i++) {
		expect(steps, COUNT(steps));
		assert_int_equal(hpt_clock_advance(clk, 1), -ERANGE);
		assert_int_equal(sleeps[i](), -ECANCELED);
		assert_true(remaining_ns(goal.waiter) == INT64_MAX);
		assert_all_came();
	}
	hpt_waiter_free(goal.waiter);
}

/* From a tick below 0 the longest duration would end within the clock's range. */
static void for_ever_is_for_ever_from_below_0(void **state)
{
	static const struct step on_waiter[] = { { INT64_MAX, NULL }, { INT64_MAX - 10, NULL },
						 { STILL, interrupt_waiter } };
	static const struct step on_ticker[] = { { INT64_MAX, NULL }, { INT64_MAX - 10, NULL },
						 { STILL, interrupt_ticker } };
	static const uint64_t frequencies_hz[] = { GHZ, 10 * GHZ };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(frequencies_hz); i++) {
		hpt_clock *c = new_manual(frequencies_hz[i / 2], INT64_MIN + 10);

		begin_goal(c, INT64_MAX);
		expect(i % 2 ? on_ticker : on_waiter, 3);
		assert_int_equal(i % 2 ? for_a_period() : for_ever(), -ECANCELED);
		assert_all_came();
		assert_true(i % 2 || remaining_ns(goal.waiter) == INT64_MAX);
		free_goal_objects();
		hpt_clock_close(c);
	}
}

/* ---- Interrupts ----------------------------------------------------------------------------------------------- */

static void waiter_is_interrupted(void **state)
{
	static const struct step steps[] = { { 1000, NULL }, { STILL, interrupt_waiter } };

	(void)state;
	begin_goal(clk, DAY_NS);
	expect(steps, COUNT(steps));
	assert_int_equal(hpt_waiter_sleep_ns(goal.waiter, DAY_NS), -ECANCELED);
	assert_all_came();
	assert_int_equal(remaining_ns(goal.waiter), DAY_NS - 1000);
	assert_int_equal(hpt_waiter_interrupt(goal.waiter), 0);
	/* Pending, before a past deadline. */
	assert_int_equal(hpt_waiter_sleep_until_ticks(goal.waiter, 0), -ECANCELED);
	assert_int_equal(remaining_ns(goal.waiter), 0);
	assert_int_equal(hpt_waiter_sleep_until_ticks(goal.waiter, 0), 0);
	free_goal_objects();
}

static void gate_is_notified_shut_and_reopened(void **state)
{
	static const struct step notify[] = { { STILL, notify_gate } }, shut[] = { { STILL, shut_gate } };
	static const struct step end[] = { { 12345, NULL } };
	uint32_t ticket;

	(void)state;
	begin_goal(clk, 12345);
	ticket = hpt_gate_ticket(goal.gate);
	expect(notify, 1);
	assert_int_equal(on_gate_until(), 0);
	assert_all_came();
	expect(shut, 1);
	assert_int_equal(on_gate_until(), -ESHUTDOWN);
	assert_all_came();
	assert_int_equal(hpt_gate_reopen(goal.gate), 0);
	assert_int_equal(hpt_gate_wait_until_ticks(goal.gate, ticket, INT64_MAX), 0);
	expect(end, 1);
	assert_int_equal(on_gate_until(), -ETIMEDOUT);
	assert_all_came();
	free_goal_objects();
}

static void ticker_is_interrupted_and_counts_missed_ticks(void **state)
{
	static const struct step interrupt[] = { { STILL, interrupt_ticker } };
	static const struct step half[] = { { 4999999, NULL }, { 1, NULL } };
	uint64_t missed = 4711;

	(void)state;
	begin_goal(clk, 10000000);
	expect(interrupt, 1);
	assert_int_equal(hpt_ticker_wait(goal.ticker, &missed), -ECANCELED);
	assert_int_equal(missed, 4711);
	advance(10000000);
	assert_int_equal(hpt_ticker_wait(goal.ticker, &missed), 0);
	assert_int_equal(missed, 0);
	advance(35 * INT64_C(10000000) + 5000000); /* the ticks 2 to 36 */
	assert_int_equal(hpt_ticker_wait(goal.ticker, &missed), 0);
	assert_int_equal(missed, 34);
	expect(half, COUNT(half));
	assert_int_equal(hpt_ticker_wait(goal.ticker, &missed), 0);
	assert_all_came();
	assert_int_equal(missed, 0);
	assert_int_equal(hpt_ticker_set_missed(goal.ticker, HPT_TICKER_CATCH_UP, 0), 0);
	advance(3 * INT64_C(10000000));
	for (uint64_t left = 3; left--;) {
		assert_int_equal(hpt_ticker_wait(goal.ticker, &missed), 0);
		assert_int_equal(missed, left);
	}
	assert_int_equal(hpt_ticker_fd(goal.ticker), -ENOTSUP);
	free_goal_objects();
}

static void signals_end_a_sleep_with_the_flag(void **state)
{
	static const struct step still[] = { { STILL, get_signal } };
	static const struct step steps[] = { { 7, get_signal }, { STILL, get_signal }, { DAY_NS - 7, get_signal } };

	(void)state;
	goal.clk = clk;
	for (int has_flag = 0; has_flag < 2; has_flag++) {
		assert_int_equal(hpt_waiter_new(clk, has_flag ? HPT_WAIT_EINTR : 0, &goal.waiter), 0);
		expect(steps, has_flag ? 1 : COUNT(steps));
		assert_int_equal(hpt_waiter_sleep_ns(goal.waiter, DAY_NS), has_flag ? -EINTR : 0);
		assert_all_came();
		assert_int_equal(remaining_ns(goal.waiter), has_flag ? DAY_NS - 7 : 0);
		expect(still, has_flag);
		assert_int_equal(hpt_waiter_sleep_ns(goal.waiter, has_flag), has_flag ? -EINTR : 0);
		assert_all_came();
		hpt_waiter_free(goal.waiter);
	}
}

/* ---- An interrupt that is late ---------------------------------------------------------------------------------- */

static struct {
	struct hpt_manual *m;
	hpt_clock *clk, *next;
} late;

/* Between the two notifications: the sleeper frees waiter and clock, and another clock gets the memory. */
static void free_meanwhile(const _Atomic uint32_t *word)
{
	(void)word;
	hpt_waiter_free(goal.waiter);
	hpt_clock_close(late.clk);
	late.next = new_manual(HZ, 5);
}

static void interrupt_may_come_after_the_clock_is_closed(void **state)
{
	struct hpt_env env;

	(void)state;
	late.clk = new_manual(GHZ, 0);
	late.m = late.clk->src.u.manual;
	env = no_clocks;
	env.wake = free_meanwhile;
	late.clk->src.env = &env;
	assert_int_equal(hpt_waiter_new(late.clk, 0, &goal.waiter), 0);
	hpt_eventcount_enter(&goal.waiter->eventcount); /* so that its notification calls wake() */
	assert_int_equal(hpt_waiter_interrupt(goal.waiter), 0);
	assert_ptr_equal(late.next->src.u.manual, late.m);
	assert_int_equal(hpt_now(late.next), 5);
	assert_int_equal(hpt_clock_sleepers(late.next), 0);
	hpt_clock_close(late.next);
	hpt_own_time_notify(&late.m->eventcount, &no_clocks); /* still later */
}

/* ---- Real threads ----------------------------------------------------------------------------------------------- */

#define MANY 32

static int for_a_while(void *arg)
{
	return hpt_sleep_until_ticks(clk, hpt_now(clk) + 1 + *(int *)arg / 4);
}

/* After each advance the count is of those that have seen it. */
static void many_sleepers_end_in_order(void **state)
{
	struct sleeping s[MANY];
	int number[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		number[i] = i;
		begin(&s[i], for_a_while, &number[i]);
	}
	await_sleepers(MANY);
	for (uint32_t left = MANY; left; left -= 4) {
		await_sleepers(left);
		advance(1);
	}
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(result_of(&s[i]), 0);
		assert_int_equal(s[i].ended >= 1001 + i / 4, 1);
	}
}

#define ROUNDS 2000

static int keep_interrupting(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		hpt_waiter_interrupt(arg);
	return 0;
}

static int keep_advancing(void *arg)
{
	(void)arg;
	for (int i = 0; i < ROUNDS; i++)
		hpt_clock_advance(clk, 1);
	return 0;
}

static int sleep_through(void *arg)
{
	int r = 0;

	while (hpt_now(clk) < 1000 + ROUNDS && (!r || r == -ECANCELED))
		r = hpt_waiter_sleep_until_ticks(arg, hpt_now(clk) + 3);
	return r == -ECANCELED ? 0 : r;
}

static void nothing_is_lost_in_a_storm(void **state)
{
	struct sleeping sleepers[4], others[5];
	hpt_waiter *w[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_int_equal(hpt_waiter_new(clk, 0, &w[i]), 0);
		begin(&sleepers[i], sleep_through, w[i]);
		begin(&others[i], keep_interrupting, w[i]);
	}
	begin(&others[4], keep_advancing, NULL);
	for (int i = 0; i < 5; i++)
		result_of(&others[i]);
	advance(3); /* for deadlines beyond the last round */
	for (int i = 0; i < 4; i++) {
		assert_int_equal(result_of(&sleepers[i]), 0);
		hpt_waiter_free(w[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		manual_test(each_kind_ends_at_its_tick),
		manual_test(a_part_of_a_tick_is_rounded_up),
		manual_test(past_deadlines_do_not_sleep),
		manual_test(never_is_never),
		manual_test(for_ever_is_for_ever_from_below_0),
		manual_test(waiter_is_interrupted),
		manual_test(gate_is_notified_shut_and_reopened),
		manual_test(ticker_is_interrupted_and_counts_missed_ticks),
		manual_test(signals_end_a_sleep_with_the_flag),
		manual_test(interrupt_may_come_after_the_clock_is_closed),
		manual_test(many_sleepers_end_in_order),
		manual_test(nothing_is_lost_in_a_storm),
	};

	return cmocka_run_group_tests_name("manual phase", tests, NULL, NULL);
}
