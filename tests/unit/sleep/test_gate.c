// SPDX-License-Identifier: MIT
/* Gates in a simulated world: events that wake a sleeper, at each moment of its sleep, and the result it gets. */
#include "object_world.h"

#include "machine/eventcount.h"

#define SLEEP_NS (10 * NS_PER_MS)

static hpt_gate *g;

static int gate_begins(void **state)
{
	sleeping_begins(state);
	g = NULL;
	return hpt_gate_new(&clk, 0, &g);
}

static int gate_ends(void **state)
{
	hpt_gate_free(g);
	return sleeping_ends(state);
}

#define gate_test(f) cmocka_unit_test_setup_teardown(f, gate_begins, gate_ends)

static void interrupt_all(void)
{
	assert_int_equal(hpt_gate_interrupt_all(g), 0);
}

static void close_gate(void)
{
	assert_int_equal(hpt_gate_close(g), 0);
}

static void open_gate(void)
{
	assert_int_equal(hpt_gate_open(g), 0);
}

static void close_and_open(void)
{
	close_gate();
	open_gate();
}

static void open_only(void)
{
	open_gate();
}

/* The eventcount is the first member of a gate. */
static void set_value(struct hpt_eventcount *ec, uint32_t value)
{
	hpt_eventcount_notify(ec, value - hpt_eventcount_value(ec), &fake_env);
}

static hpt_time_t deadline(void)
{
	return hpt_now(&clk) + SLEEP_NS * 1000 / (int64_t)world.tick_ps;
}

/*
 * The result of a sleep if the event happens in its middle, in the kernel; and shortly before its end, in the spin. A
 * sleeper in the kernel is woken, one in the spin is not.
 */
static void expect(void (*event)(void), int result, bool reopens)
{
	for (int in_spin = 0; in_spin < 2; in_spin++) {
		hpt_time_t end = deadline();

		sleeping.wakes = 0;
		happens_after(in_spin ? SLEEP_NS - 3000 : SLEEP_NS / 2, event);
		assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), end), result);
		assert_int_equal(sleeping.in_wait, !in_spin);
		assert_int_equal(sleeping.wakes > 0, !in_spin && result);
		assert_int_equal(hpt_now(&clk) >= end, !result);
		if (reopens)
			open_gate();
	}
}

static void open_gate_lets_sleep(void **state)
{
	hpt_time_t end = deadline();

	(void)state;
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), end), 0);
	assert_true(hpt_now(&clk) >= end);
	assert_true(sleeping.waits > 0);
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), end), 0);
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), INT64_MIN), 0);
	expect(open_only, 0, false);
}

static void interrupt_wakes_sleepers(void **state)
{
	(void)state;
	expect(interrupt_all, -ECANCELED, false);
}

static void interrupt_leaves_nothing_pending(void **state)
{
	(void)state;
	interrupt_all();
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), 0);
}

/* The condition pattern: ticket, condition, sleep. An interrupt between any two of them is not lost. */
static void interrupt_after_the_ticket_ends_the_sleep(void **state)
{
	uint32_t ticket = hpt_gate_ticket(g);
	uint64_t start = world.now_ps;

	(void)state;
	interrupt_all();
	assert_int_equal(hpt_gate_sleep_until(g, ticket, INT64_MAX), -ECANCELED);
	assert_int_equal(hpt_gate_sleep_until(g, ticket, INT64_MIN), -ECANCELED);
	assert_int_equal(hpt_gate_sleep_until(g, ticket, deadline()), -ECANCELED);
	assert_true(world.now_ps - start < 1000000);
	close_gate();
	assert_int_equal(hpt_gate_sleep_until(g, ticket, INT64_MAX), -ESHUTDOWN);
	open_gate();
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), 0);
}

/* A ticket of a closed gate is one of the time before it opens. */
static void ticket_of_a_closed_gate_is_used_up_by_opening(void **state)
{
	uint32_t ticket;

	(void)state;
	close_gate();
	ticket = hpt_gate_ticket(g);
	open_gate();
	assert_int_equal(hpt_gate_sleep_until(g, ticket, INT64_MAX), -ECANCELED);
}

/* 2^31 interrupts, of which each adds 2. */
static void tickets_alias_after_half_of_all_values(void **state)
{
	uint32_t ticket = hpt_gate_ticket(g);

	(void)state;
	set_value((struct hpt_eventcount *)g, ticket - 2);
	interrupt_all();
	assert_int_equal(hpt_gate_ticket(g), ticket);
	assert_int_equal(hpt_gate_sleep_until(g, ticket, deadline()), 0);
}

static int signalled_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	(void)word, (void)value, (void)id, (void)until_ns;
	return -EINTR;
}

static void signal_ends_a_sleep_and_keeps_the_ticket(void **state)
{
	hpt_gate *other = NULL;
	uint32_t ticket;

	(void)state;
	assert_int_equal(hpt_gate_new(&clk, HPT_WAIT_EINTR, &other), 0);
	ticket = hpt_gate_ticket(other);
	fake_env.wait = signalled_wait;
	assert_int_equal(hpt_gate_sleep_until(other, ticket, deadline()), -EINTR);
	assert_int_equal(hpt_gate_sleep_until(other, ticket, deadline()), -EINTR);
	hpt_gate_free(other);
}

static void sleep_without_end_ends_by_an_interrupt(void **state)
{
	(void)state;
	happens_after(3600 * NS_PER_S, interrupt_all);
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), INT64_MAX), -ECANCELED);
}

static void closing_wakes_sleepers(void **state)
{
	(void)state;
	expect(close_gate, -ESHUTDOWN, true);
}

static void closed_gate_refuses_sleepers(void **state)
{
	uint64_t start;

	(void)state;
	close_gate();
	close_gate();
	start = world.now_ps;
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), INT64_MAX), -ESHUTDOWN);
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), INT64_MIN), -ESHUTDOWN);
	interrupt_all();
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), INT64_MAX), -ESHUTDOWN);
	assert_true(world.now_ps - start < 1000000);
	open_gate();
	open_gate();
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), 0);
}

/* However short the time it was closed. */
static void closing_and_opening_wakes_sleepers(void **state)
{
	(void)state;
	expect(close_and_open, -ECANCELED, false);
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), 0);
}

static void closing_beats_an_interrupt(void **state)
{
	(void)state;
	interrupt_all();
	close_gate();
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), -ESHUTDOWN);
}

/* After the last generation, open or closed, comes the first one. */
static void generations_wrap(void **state)
{
	struct hpt_eventcount *ec = (struct hpt_eventcount *)g;

	(void)state;
	set_value(ec, UINT32_MAX - 1);
	expect(interrupt_all, -ECANCELED, false);
	assert_int_equal(hpt_eventcount_value(ec), 2);
	set_value(ec, UINT32_MAX - 1);
	happens_after(SLEEP_NS / 2, close_and_open);
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), -ECANCELED);
	assert_int_equal(hpt_eventcount_value(ec), 0);
	set_value(ec, UINT32_MAX);
	interrupt_all();
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), -ESHUTDOWN);
	open_gate();
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), 0);
}

static void counter_jumps(void)
{
	world.tick_offset += UINT64_C(2500000000);
}

static void diverged_clocks_are_reported(void **state)
{
	(void)state;
	happens_after(SLEEP_NS / 2, counter_jumps);
	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), HPT_STATE_DISRUPTED);
}

static void nothing_is_done_without_a_gate(void **state)
{
	hpt_gate *other = NULL;

	(void)state;
	assert_int_equal(hpt_gate_new(&clk, 0, NULL), -EINVAL);
	assert_int_equal(hpt_gate_new(&clk, HPT_WAIT_EINTR << 1, &other), -EINVAL);
	assert_int_equal(hpt_gate_ticket(NULL), 0);
	assert_int_equal(hpt_gate_sleep_until(NULL, hpt_gate_ticket(NULL), 0), -EINVAL);
	assert_int_equal(hpt_gate_interrupt_all(NULL), -EINVAL);
	assert_int_equal(hpt_gate_close(NULL), -EINVAL);
	assert_int_equal(hpt_gate_open(NULL), -EINVAL);
	assert_int_equal(hpt_gate_set_policy(NULL, HPT_SLEEP_SPIN, 0), -EINVAL);
	assert_null(hpt_gate_clock(NULL));
	hpt_gate_free(NULL);
	assert_int_equal(hpt_gate_new(NULL, 0, &other), 0);
	assert_int_equal(hpt_gate_sleep_until(other, hpt_gate_ticket(other), hpt_now(NULL) + 1000), 0);
	hpt_gate_free(other);
}

/* The number of waits in the kernel that a sleep makes. */
static uint32_t waits_of_a_sleep(void)
{
	uint32_t before = sleeping.waits;

	assert_int_equal(hpt_gate_sleep_until(g, hpt_gate_ticket(g), deadline()), 0);
	return sleeping.waits - before;
}

static void policy_is_the_gates_own_or_the_processs(void **state)
{
	(void)state;
	assert_true(waits_of_a_sleep() > 0);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_SPIN, 0), 0);
	assert_int_equal(waits_of_a_sleep(), 0);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_INHERIT, 1), -EINVAL);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_INHERIT + 1, 0), -EINVAL);
	assert_int_equal(waits_of_a_sleep(), 0);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_INHERIT, 0), 0);
	assert_true(waits_of_a_sleep() > 0);
}

static void gate_holds_its_clock(void **state)
{
	hpt_gate *other = NULL;
	hpt_clock *os = NULL;

	(void)state;
	assert_ptr_equal(hpt_gate_clock(g), &clk);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_gate_new(os, 0, &other), 0);
	assert_int_equal(os->holders, 2);
	hpt_gate_free(other);
	assert_int_equal(os->holders, 1);
	hpt_clock_close(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		gate_test(open_gate_lets_sleep),
		gate_test(interrupt_wakes_sleepers),
		gate_test(interrupt_leaves_nothing_pending),
		gate_test(interrupt_after_the_ticket_ends_the_sleep),
		gate_test(ticket_of_a_closed_gate_is_used_up_by_opening),
		gate_test(tickets_alias_after_half_of_all_values),
		gate_test(signal_ends_a_sleep_and_keeps_the_ticket),
		gate_test(sleep_without_end_ends_by_an_interrupt),
		gate_test(closing_wakes_sleepers),
		gate_test(closed_gate_refuses_sleepers),
		gate_test(closing_and_opening_wakes_sleepers),
		gate_test(closing_beats_an_interrupt),
		gate_test(generations_wrap),
		gate_test(policy_is_the_gates_own_or_the_processs),
		gate_test(gate_holds_its_clock),
		gate_test(diverged_clocks_are_reported),
		gate_test(nothing_is_done_without_a_gate),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
