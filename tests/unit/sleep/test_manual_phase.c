// SPDX-License-Identifier: MIT
/* Sleeps on a manual clock, by real threads: each ends at its tick and not one earlier, or by an interrupt. */
#include "manual_world.h"

#include <signal.h>

#include "sleep/waiter.h"

#define DAY_NS (86400 * INT64_C(1000000000))

/* ---- Deadlines --------------------------------------------------------------------------------------------- */

/* A sleep of `ticks`, from tick 1000. */
struct kind {
	const char *name;
	int (*sleep)(void *arg);
	uint64_t frequency_uhz;
	int64_t ticks;
};

static hpt_waiter *waiter;
static hpt_gate *gate;
static hpt_ticker *ticker;

static int for_ns(void *arg)
{
	(void)arg;
	return hpt_sleep_ns(clk, DAY_NS);
}

static int for_one_ns(void *arg)
{
	(void)arg;
	return hpt_sleep_ns(clk, 1);
}

static int for_us(void *arg)
{
	(void)arg;
	return hpt_sleep_us(clk, 86400000000);
}

static int for_s(void *arg)
{
	(void)arg;
	return hpt_sleep_s(clk, 86400);
}

static int for_ticks(void *arg)
{
	(void)arg;
	return hpt_sleep_ticks(clk, 12345);
}

static int until(void *arg)
{
	(void)arg;
	return hpt_sleep_until(clk, 1000 + 12345);
}

static int until_ns(void *arg)
{
	(void)arg;
	return hpt_sleep_until_ns(clk, DAY_NS);
}

static int until_unix(void *arg)
{
	(void)arg;
	return hpt_sleep_until_unix_ns(clk, DAY_NS);
}

static int on_waiter(void *arg)
{
	(void)arg;
	return hpt_waiter_sleep_ns(waiter, DAY_NS);
}

static int on_waiter_until(void *arg)
{
	(void)arg;
	return hpt_waiter_sleep_until(waiter, 1000 + 12345);
}

static int on_waiter_until_ns(void *arg)
{
	(void)arg;
	return hpt_waiter_sleep_until_ns(waiter, DAY_NS);
}

static int on_waiter_until_unix(void *arg)
{
	(void)arg;
	return hpt_waiter_sleep_until_unix_ns(waiter, DAY_NS);
}

static int on_gate(void *arg)
{
	(void)arg;
	return hpt_gate_sleep_until(gate, hpt_gate_ticket(gate), 1000 + 12345);
}

static int on_ticker(void *arg)
{
	return hpt_ticker_wait(ticker, arg);
}

static int on_ticker_once(void *arg)
{
	hpt_time_t next;
	int r = hpt_ticker_start(ticker, 1000 + 12345, 0);

	return r || hpt_ticker_next(ticker, &next) || next < 1000 + 12345 || next >= 1000 + 12355 ? -1 :
	       hpt_ticker_wait(ticker, arg);
}

/* Its time is a little after tick 1441: it comes at 1442, as hpt_ticker_next() says. */
static int on_ticker_between_ticks(void *arg)
{
	hpt_time_t next = 0;
	hpt_ticker *t;
	int r = hpt_ticker_new(clk, 10000001, 0, &t);

	if (r)
		return r;
	r = hpt_ticker_next(t, &next) || next != 1442 ? -1 : hpt_ticker_wait(t, arg);
	hpt_ticker_free(t);
	return r;
}

static int on_ticker_at_a_rational(void *arg)
{
	int r = hpt_ticker_start_rational(ticker, 1000, 1001, 60000);

	return r ? r : hpt_ticker_wait(ticker, arg) || hpt_ticker_wait(ticker, arg);
}

static const struct kind kinds[] = {
	{ "sleep_ns", for_ns, GHZ, DAY_NS },
	{ "sleep_ns, 1 Hz", for_ns, HZ, 86400 },
	{ "sleep_ns, 60 Hz", for_ns, 60 * HZ, 86400 * 60 },
	{ "sleep_ns, 10 GHz", for_ns, 10 * GHZ, 10 * DAY_NS },
	{ "sleep_ns, 1/3 of 10 Hz", for_ns, 3333333, 288000 },
	{ "sleep_ns of a part of a tick", for_one_ns, 60 * HZ, 1 },
	{ "sleep_us", for_us, 1000 * HZ, 86400000 },
	{ "sleep_s", for_s, 44100 * HZ, INT64_C(86400) * 44100 },
	{ "sleep_ticks", for_ticks, 60 * HZ, 12345 },
	{ "sleep_until", until, 60 * HZ, 12345 },
	{ "sleep_until_ns", until_ns, 44100 * HZ, INT64_C(86400) * 44100 - 1000 },
	{ "sleep_until_unix_ns", until_unix, 60 * HZ, 86400 * 60 - 1000 },
	{ "waiter_sleep_ns", on_waiter, GHZ, DAY_NS },
	{ "waiter_sleep_until", on_waiter_until, GHZ, 12345 },
	{ "gate_sleep_until", on_gate, GHZ, 12345 },
	{ "waiter_sleep_until_ns", on_waiter_until_ns, 60 * HZ, 86400 * 60 - 1000 },
	{ "waiter_sleep_until_unix_ns", on_waiter_until_unix, 60 * HZ, 86400 * 60 - 1000 },
	{ "ticker_wait", on_ticker, 44100 * HZ, 441 },
	{ "ticker between ticks", on_ticker_between_ticks, 44100 * HZ, 442 },
	{ "ticker_start, 60 Hz", on_ticker_once, 60 * HZ, 12345 },
	{ "ticker_start, 1 GHz", on_ticker_once, GHZ, 12345 },
	{ "ticker_start, 10 GHz", on_ticker_once, 10 * GHZ, 12350 }, /* the next whole nanosecond */
	{ "ticker_start_rational", on_ticker_at_a_rational, GHZ, 16683334 },
};

static int new_objects(void)
{
	assert_int_equal(hpt_waiter_new(clk, 0, &waiter), 0);
	assert_int_equal(hpt_gate_new(clk, 0, &gate), 0);
	assert_int_equal(hpt_ticker_new(clk, 10000000, 0, &ticker), 0);
	return 0;
}

static void free_objects(void)
{
	hpt_waiter_free(waiter);
	hpt_gate_free(gate);
	hpt_ticker_free(ticker);
}

static void each_ends_at_its_tick(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		const struct kind *k = &kinds[i];
		hpt_clock *others = clk;
		struct sleeping s;

		clk = new_manual(k->frequency_uhz, 1000);
		new_objects();
		begin(&s, k->sleep, NULL);
		await_sleepers(1);
		advance(k->ticks - 1);
		await_sleepers(1);
		advance(0);
		await_sleepers(1);
		advance(1);
		if (result_of(&s) || s.ended != 1000 + k->ticks)
			fail_msg("%s: %d at %lld", k->name, s.result, (long long)s.ended);
		free_objects();
		hpt_clock_close(clk);
		clk = others;
	}
}

static void past_deadlines_do_not_sleep(void **state)
{
	(void)state;
	assert_int_equal(hpt_sleep_ns(clk, 0), 0);
	assert_int_equal(hpt_sleep_ns(clk, -1), 0);
	assert_int_equal(hpt_sleep_s(clk, INT64_MIN), 0);
	assert_int_equal(hpt_sleep_ticks(clk, -1), 0);
	assert_int_equal(hpt_sleep_until(clk, 1000), 0);
	assert_int_equal(hpt_sleep_until(clk, INT64_MIN), 0);
	assert_int_equal(hpt_sleep_until_unix_ns(clk, 1000), 0);
	assert_int_equal(hpt_sleep_until_unix_ns(clk, INT64_MIN), 0);
}

static int for_ever(void *arg)
{
	(void)arg;
	return hpt_waiter_sleep_ns(waiter, INT64_MAX);
}

static int until_never(void *arg)
{
	(void)arg;
	return hpt_waiter_sleep_until(waiter, INT64_MAX);
}

static int for_too_many_ticks(void *arg)
{
	struct hpt_sleeper s;
	int64_t left;
	int r = hpt_waiter_begin(waiter, arg, &s);

	if (r)
		return r;
	r = hpt_sleep_on(&s, HPT_DEADLINE_AFTER_TICKS, INT64_MAX, 1, &left);
	return hpt_waiter_end(waiter, r, left);
}

/* Deadlines saturate at a tick that no clock reaches. */
static void never_is_never(void **state)
{
	int (*const sleeps[])(void *arg) = { for_ever, until_never, for_too_many_ticks };
	struct sleeping s;

	(void)state;
	new_objects();
	advance(INT64_MAX - 1 - hpt_now(clk));
	for (size_t i = 0; i < COUNT(sleeps); i++) {
		begin(&s, sleeps[i], NULL);
		await_sleepers(1);
		assert_int_equal(hpt_clock_advance(clk, 1), -ERANGE);
		await_sleepers(1);
		assert_int_equal(hpt_waiter_interrupt(waiter), 0);
		assert_int_equal(result_of(&s), -ECANCELED);
		assert_int_equal(hpt_waiter_remaining(waiter), 1);
	}
	free_objects();
}

#define MANY 32

static int for_a_while(void *arg)
{
	return hpt_sleep_ticks(clk, 1 + *(int *)arg / 4);
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

#define STEPS 1000

static int step_by_step(void *arg)
{
	hpt_time_t *times = arg;
	int r = 0;

	for (int i = 0; i < STEPS && !r; i++) {
		r = hpt_sleep_ns(clk, 7);
		times[i] = hpt_now(clk);
	}
	return r;
}

/* What hpt_clock_sleepers() is for: the thread never misses a step, however slow it is. */
static void steps_are_not_missed(void **state)
{
	static hpt_time_t times[STEPS];
	struct sleeping s;

	(void)state;
	begin(&s, step_by_step, times);
	for (int i = 0; i < STEPS; i++) {
		await_sleepers(1);
		advance(7);
	}
	assert_int_equal(result_of(&s), 0);
	for (int i = 0; i < STEPS; i++)
		assert_int_equal(times[i], 1000 + 7 * (i + 1));
}

/* ---- Interrupts ----------------------------------------------------------------------------------------------- */

static void waiter_is_interrupted(void **state)
{
	struct sleeping s;

	(void)state;
	new_objects();
	begin(&s, on_waiter, NULL);
	await_sleepers(1);
	advance(1000);
	await_sleepers(1);
	assert_int_equal(hpt_waiter_interrupt(waiter), 0);
	assert_int_equal(result_of(&s), -ECANCELED);
	assert_int_equal(hpt_waiter_remaining(waiter), DAY_NS - 1000);
	assert_int_equal(hpt_waiter_interrupt(waiter), 0);
	assert_int_equal(hpt_waiter_sleep_until(waiter, 0), -ECANCELED); /* pending, before a past deadline */
	assert_int_equal(hpt_waiter_remaining(waiter), 0);
	assert_int_equal(hpt_waiter_sleep_until(waiter, 0), 0);
	free_objects();
}

static void gate_is_interrupted_closed_and_opened(void **state)
{
	struct sleeping s[2];
	uint32_t ticket;

	(void)state;
	new_objects();
	ticket = hpt_gate_ticket(gate);
	for (int closes = 0; closes < 2; closes++) {
		begin(&s[0], on_gate, NULL);
		begin(&s[1], on_gate, NULL);
		await_sleepers(2);
		assert_int_equal(closes ? hpt_gate_close(gate) : hpt_gate_interrupt_all(gate), 0);
		assert_int_equal(result_of(&s[0]), closes ? -ESHUTDOWN : -ECANCELED);
		assert_int_equal(result_of(&s[1]), closes ? -ESHUTDOWN : -ECANCELED);
	}
	assert_int_equal(hpt_gate_open(gate), 0);
	assert_int_equal(hpt_gate_sleep_until(gate, ticket, INT64_MAX), -ECANCELED);
	begin(&s[0], on_gate, NULL);
	await_sleepers(1);
	advance(12345);
	assert_int_equal(result_of(&s[0]), 0);
	free_objects();
}

static void ticker_is_interrupted_and_counts_missed_ticks(void **state)
{
	uint64_t missed = 4711;
	struct sleeping s;

	(void)state;
	new_objects();
	begin(&s, on_ticker, &missed);
	await_sleepers(1);
	assert_int_equal(hpt_ticker_interrupt(ticker), 0);
	assert_int_equal(result_of(&s), -ECANCELED);
	assert_int_equal(missed, 4711);
	advance(10000000);
	assert_int_equal(hpt_ticker_wait(ticker, &missed), 0);
	assert_int_equal(missed, 0);
	advance(35 * INT64_C(10000000) + 5000000); /* the ticks 2 to 36 */
	assert_int_equal(hpt_ticker_wait(ticker, &missed), 0);
	assert_int_equal(missed, 34);
	begin(&s, on_ticker, &missed);
	await_sleepers(1);
	advance(4999999);
	await_sleepers(1);
	advance(1);
	assert_int_equal(result_of(&s), 0);
	assert_int_equal(missed, 0);
	assert_int_equal(hpt_ticker_set_missed(ticker, HPT_TICKER_CATCH_UP, 0), 0);
	advance(3 * INT64_C(10000000));
	for (uint64_t left = 3; left--;) {
		assert_int_equal(hpt_ticker_wait(ticker, &missed), 0);
		assert_int_equal(missed, left);
	}
	assert_int_equal(hpt_ticker_fd(ticker), -ENOTSUP);
	free_objects();
}

static _Atomic int signals;

static void count_signal(int number)
{
	(void)number;
	signals++;
}

#define SIGNALS 20

/* With the flag, a handler that runs during the wait ends it: one signal may come too early. */
static void end_by_signals(struct sleeping *s)
{
	while (!s->is_over) {
		pthread_kill(s->thread, SIGUSR1);
		sched_yield();
	}
	assert_int_equal(result_of(s), -EINTR);
	assert_int_equal(hpt_waiter_remaining(waiter), DAY_NS);
}

static void sleep_through_signals(struct sleeping *s)
{
	for (int i = 0; i < SIGNALS; i++) {
		signals = 0;
		pthread_kill(s->thread, SIGUSR1);
		while (!signals)
			sched_yield();
		await_sleepers(1);
	}
	advance(DAY_NS);
	assert_int_equal(result_of(s), 0);
}

static void signals_end_a_sleep_with_the_flag(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		bool has_flag = i & 1;
		struct sigaction action = { .sa_handler = count_signal, .sa_flags = i & 2 ? SA_RESTART : 0 };
		struct sleeping s;

		assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
		assert_int_equal(hpt_waiter_new(clk, has_flag ? HPT_WAIT_EINTR : 0, &waiter), 0);
		begin(&s, on_waiter, NULL);
		await_sleepers(1);
		if (has_flag)
			end_by_signals(&s);
		else
			sleep_through_signals(&s);
		hpt_waiter_free(waiter);
	}
}

/* ---- Races ---------------------------------------------------------------------------------------------------- */

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
		r = hpt_waiter_sleep_until(arg, hpt_now(clk) + 3);
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

/* ---- An interrupt that is late ---------------------------------------------------------------------------------- */

static struct {
	struct sleeping s;
	struct hpt_manual *m;
	hpt_clock *next;
} late;

static int sleep_and_free(void *arg)
{
	hpt_waiter *w = waiter;
	int r = hpt_waiter_sleep_until(w, INT64_MAX);

	hpt_waiter_free(w);
	hpt_clock_close(arg);
	return r;
}

/* Between the two notifications: the sleeper frees waiter and clock, and another clock gets the memory. */
static void free_meanwhile(const _Atomic uint32_t *word)
{
	(void)word;
	hpt_manual_notify(late.m, &no_clocks);
	result_of(&late.s);
	late.next = new_manual(HZ, 5);
}

static void interrupt_may_come_after_the_clock_is_closed(void **state)
{
	hpt_clock *own = new_manual(GHZ, 0), *keep = clk;
	struct hpt_env env = no_clocks;

	(void)state;
	env.wake = free_meanwhile;
	own->src.env = &env;
	late.m = own->src.u.priv;
	assert_int_equal(hpt_waiter_new(own, 0, &waiter), 0);
	hpt_eventcount_enter(&waiter->eventcount); /* so that its notification calls wake() */
	clk = own;
	begin(&late.s, sleep_and_free, own);
	await_sleepers(1);
	clk = keep;
	assert_int_equal(hpt_waiter_interrupt(waiter), 0);
	assert_int_equal(late.s.result, -ECANCELED);
	assert_ptr_equal(late.next->src.u.priv, late.m);
	assert_int_equal(hpt_now(late.next), 5);
	assert_int_equal(hpt_clock_sleepers(late.next), 0);
	hpt_clock_close(late.next);
	hpt_manual_notify(late.m, &no_clocks); /* still later */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		manual_test(each_ends_at_its_tick),
		manual_test(past_deadlines_do_not_sleep),
		manual_test(never_is_never),
		manual_test(many_sleepers_end_in_order),
		manual_test(steps_are_not_missed),
		manual_test(waiter_is_interrupted),
		manual_test(gate_is_interrupted_closed_and_opened),
		manual_test(ticker_is_interrupted_and_counts_missed_ticks),
		manual_test(signals_end_a_sleep_with_the_flag),
		manual_test(nothing_is_lost_in_a_storm),
		manual_test(interrupt_may_come_after_the_clock_is_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
