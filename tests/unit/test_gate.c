// SPDX-License-Identifier: MIT
/* Gates in a simulated world: events that wake a sleeper, at each moment of its sleep, and the result it gets. */
#include "object_world.h"

#include "sleep/eventcount.h"

#define SLEEP_NS (10 * NS_PER_MS)

static hpt_gate *g;

static int gate_begins(void **state)
{
	sleeping_begins(state);
	g = NULL;
	return hpt_gate_new(&clk, &g);
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

static hpt_time_t deadline(void)
{
	return hpt_now(&clk) + SLEEP_NS * 1000 / (int64_t)world.tick_ps;
}

/* The result of a sleep if the event happens in its middle, in the kernel; and shortly before its end, in the spin. */
static void expect(void (*event)(void), int result, bool reopens)
{
	for (int in_spin = 0; in_spin < 2; in_spin++) {
		hpt_time_t end = deadline();

		happens_after(in_spin ? SLEEP_NS - 3000 : SLEEP_NS / 2, event);
		assert_int_equal(hpt_gate_sleep_until(g, end), result);
		assert_int_equal(sleeping.in_wait, !in_spin);
		assert_int_equal(hpt_now(&clk) >= end, !result);
		if (reopens)
			open_gate();
	}
}

static void open_gate_lets_sleep(void **state)
{
	hpt_time_t end = deadline();

	(void)state;
	assert_int_equal(hpt_gate_sleep_until(g, end), 0);
	assert_true(hpt_now(&clk) >= end);
	assert_true(sleeping.waits > 0);
	assert_int_equal(hpt_gate_sleep_until(g, end), 0);
	assert_int_equal(hpt_gate_sleep_until(g, INT64_MIN), 0);
	expect(open_only, 0, false);
}

static void interrupt_wakes_sleepers(void **state)
{
	(void)state;
	expect(interrupt_all, -ECANCELED, false);
	assert_int_equal(sleeping.wakes, 1);
}

static void interrupt_leaves_nothing_pending(void **state)
{
	(void)state;
	interrupt_all();
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), 0);
}

static void sleep_without_end_ends_by_an_interrupt(void **state)
{
	(void)state;
	happens_after(3600 * NS_PER_S, interrupt_all);
	assert_int_equal(hpt_gate_sleep_until(g, INT64_MAX), -ECANCELED);
}

static void closing_wakes_sleepers(void **state)
{
	(void)state;
	expect(close_gate, -ESHUTDOWN, true);
	assert_int_equal(sleeping.wakes, 1);
}

static void closed_gate_refuses_sleepers(void **state)
{
	uint64_t start;

	(void)state;
	close_gate();
	close_gate();
	start = world.now_ps;
	assert_int_equal(hpt_gate_sleep_until(g, INT64_MAX), -ESHUTDOWN);
	assert_int_equal(hpt_gate_sleep_until(g, INT64_MIN), -ESHUTDOWN);
	interrupt_all();
	assert_int_equal(hpt_gate_sleep_until(g, INT64_MAX), -ESHUTDOWN);
	assert_true(world.now_ps - start < 1000000);
	open_gate();
	open_gate();
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), 0);
}

/* However short the time it was closed. */
static void closing_and_opening_wakes_sleepers(void **state)
{
	(void)state;
	expect(close_and_open, -ECANCELED, false);
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), 0);
}

static void closing_beats_an_interrupt(void **state)
{
	(void)state;
	interrupt_all();
	close_gate();
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), -ESHUTDOWN);
}

/* The eventcount is the first member of a gate. After the last generation, open or closed, comes the first one. */
static void generations_wrap(void **state)
{
	struct hpt_eventcount *ec = (struct hpt_eventcount *)g;

	(void)state;
	atomic_store(&ec->value, UINT32_MAX - 1);
	expect(interrupt_all, -ECANCELED, false);
	assert_int_equal(atomic_load(&ec->value), 2);
	atomic_store(&ec->value, UINT32_MAX - 1);
	happens_after(SLEEP_NS / 2, close_and_open);
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), -ECANCELED);
	assert_int_equal(atomic_load(&ec->value), 0);
	atomic_store(&ec->value, UINT32_MAX);
	interrupt_all();
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), -ESHUTDOWN);
	open_gate();
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), 0);
}

static void counter_jumps(void)
{
	world.tick_offset += UINT64_C(2500000000);
}

static void diverged_clocks_are_reported(void **state)
{
	(void)state;
	happens_after(SLEEP_NS / 2, counter_jumps);
	assert_int_equal(hpt_gate_sleep_until(g, deadline()), HPT_STATE_DISRUPTED);
}

static void nothing_is_done_without_a_gate(void **state)
{
	hpt_gate *other = NULL;

	(void)state;
	assert_int_equal(hpt_gate_new(&clk, NULL), -EINVAL);
	assert_int_equal(hpt_gate_sleep_until(NULL, 0), -EINVAL);
	assert_int_equal(hpt_gate_interrupt_all(NULL), -EINVAL);
	assert_int_equal(hpt_gate_close(NULL), -EINVAL);
	assert_int_equal(hpt_gate_open(NULL), -EINVAL);
	hpt_gate_free(NULL);
	assert_int_equal(hpt_gate_new(NULL, &other), 0);
	assert_int_equal(hpt_gate_sleep_until(other, hpt_now(NULL) + 1000), 0);
	hpt_gate_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		gate_test(open_gate_lets_sleep),
		gate_test(interrupt_wakes_sleepers),
		gate_test(interrupt_leaves_nothing_pending),
		gate_test(sleep_without_end_ends_by_an_interrupt),
		gate_test(closing_wakes_sleepers),
		gate_test(closed_gate_refuses_sleepers),
		gate_test(closing_and_opening_wakes_sleepers),
		gate_test(closing_beats_an_interrupt),
		gate_test(generations_wrap),
		gate_test(diverged_clocks_are_reported),
		gate_test(nothing_is_done_without_a_gate),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
