// SPDX-License-Identifier: MIT
/* Gates in a simulated world: events that wake a sleeper, at each moment of its sleep, and the result it gets. */
#include "disruptions.h"
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

static void notify(void)
{
	assert_int_equal(hpt_gate_notify_all(g), 0);
}

static void shut_gate(void)
{
	assert_int_equal(hpt_gate_shut(g), 0);
}

static void reopen_gate(void)
{
	assert_int_equal(hpt_gate_reopen(g), 0);
}

static void shut_and_reopen(void)
{
	shut_gate();
	reopen_gate();
}

static void reopen_only(void)
{
	reopen_gate();
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
		assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), end), result);
		assert_int_equal(sleeping.in_wait, !in_spin);
		assert_int_equal(sleeping.wakes > 0, !in_spin && result != -ETIMEDOUT);
		assert_int_equal(hpt_now(&clk) >= end, result == -ETIMEDOUT);
		if (reopens)
			reopen_gate();
	}
}

static void open_gate_lets_wait(void **state)
{
	hpt_time_t end = deadline();

	(void)state;
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), end), -ETIMEDOUT);
	assert_true(hpt_now(&clk) >= end);
	assert_true(sleeping.waits > 0);
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), end), -ETIMEDOUT);
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), INT64_MIN), -ETIMEDOUT);
	expect(reopen_only, -ETIMEDOUT, false);
}

static void notification_wakes_all_that_wait(void **state)
{
	(void)state;
	expect(notify, 0, false);
}

static void notification_leaves_nothing_pending(void **state)
{
	(void)state;
	notify();
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ETIMEDOUT);
}

/* The condition pattern: ticket, condition, wait. A notification between any two of them is not lost. */
static void notification_after_the_ticket_ends_the_wait(void **state)
{
	uint32_t ticket = hpt_gate_ticket(g);
	uint64_t start = world.now_ps;

	(void)state;
	notify();
	assert_int_equal(hpt_gate_wait_until_ticks(g, ticket, INT64_MAX), 0);
	assert_int_equal(hpt_gate_wait_until_ticks(g, ticket, INT64_MIN), 0);
	assert_int_equal(hpt_gate_wait_until_ticks(g, ticket, deadline()), 0);
	assert_true(world.now_ps - start < 1000000);
	shut_gate();
	assert_int_equal(hpt_gate_wait_until_ticks(g, ticket, INT64_MAX), -ESHUTDOWN);
	reopen_gate();
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ETIMEDOUT);
}

/* A ticket of a shut gate is one of the time before it reopens. */
static void ticket_of_a_shut_gate_is_used_up_by_reopening(void **state)
{
	uint32_t ticket;

	(void)state;
	shut_gate();
	ticket = hpt_gate_ticket(g);
	reopen_gate();
	assert_int_equal(hpt_gate_wait_until_ticks(g, ticket, INT64_MAX), 0);
}

/* 2^31 - 1 notifications, of which each adds 2. */
static void tickets_alias_after_half_of_all_values(void **state)
{
	uint32_t ticket = hpt_gate_ticket(g);

	(void)state;
	assert_int_equal(ticket, 2);
	set_value((struct hpt_eventcount *)g, UINT32_MAX - 1);
	notify();
	assert_int_equal(hpt_gate_ticket(g), ticket);
	assert_int_equal(hpt_gate_wait_until_ticks(g, ticket, deadline()), -ETIMEDOUT);
}

/* It is nobody's: a wait that would never end, or always at once, is refused. */
static void ticket_that_was_not_taken_is_refused(void **state)
{
	(void)state;
	assert_int_equal(hpt_gate_wait_until_ticks(g, 0, deadline()), -EINVAL);
	assert_int_equal(hpt_gate_wait_until_ns(g, 0, INT64_MAX), -EINVAL);
	notify();
	assert_int_equal(hpt_gate_wait_until_ticks(g, 0, deadline()), -EINVAL);
}

static int signalled_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	(void)word, (void)value, (void)id, (void)until_ns;
	return -EINTR;
}

static void signal_ends_a_wait_and_keeps_the_ticket(void **state)
{
	hpt_gate *other = NULL;
	uint32_t ticket;

	(void)state;
	assert_int_equal(hpt_gate_new(&clk, HPT_WAIT_EINTR, &other), 0);
	ticket = hpt_gate_ticket(other);
	fake_env.wait = signalled_wait;
	assert_int_equal(hpt_gate_wait_until_ticks(other, ticket, deadline()), -EINTR);
	assert_int_equal(hpt_gate_wait_until_ticks(other, ticket, deadline()), -EINTR);
	hpt_gate_free(other);
}

static void wait_without_end_ends_by_a_notification(void **state)
{
	(void)state;
	happens_after(3600 * NS_PER_S, notify);
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), INT64_MAX), 0);
}

static void shutting_wakes_all_that_wait(void **state)
{
	(void)state;
	expect(shut_gate, -ESHUTDOWN, true);
}

static void shut_gate_refuses_waits(void **state)
{
	uint64_t start;

	(void)state;
	shut_gate();
	shut_gate();
	start = world.now_ps;
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), INT64_MAX), -ESHUTDOWN);
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), INT64_MIN), -ESHUTDOWN);
	notify();
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), INT64_MAX), -ESHUTDOWN);
	assert_true(world.now_ps - start < 1000000);
	reopen_gate();
	reopen_gate();
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ETIMEDOUT);
}

/* However short the time it was shut. */
static void shutting_and_reopening_wakes_all_that_wait(void **state)
{
	(void)state;
	expect(shut_and_reopen, 0, false);
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ETIMEDOUT);
}

static void shutting_beats_a_notification(void **state)
{
	(void)state;
	notify();
	shut_gate();
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ESHUTDOWN);
}

/* After the last generation, open or shut, comes the first one, which is not 0. */
static void generations_wrap(void **state)
{
	struct hpt_eventcount *ec = (struct hpt_eventcount *)g;

	(void)state;
	set_value(ec, UINT32_MAX - 1);
	expect(notify, 0, false);
	assert_int_equal(hpt_eventcount_value(ec), 4);
	set_value(ec, UINT32_MAX - 1);
	happens_after(SLEEP_NS / 2, shut_and_reopen);
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), 0);
	assert_int_equal(hpt_eventcount_value(ec), 2);
	set_value(ec, UINT32_MAX);
	notify();
	assert_int_equal(hpt_eventcount_value(ec), 3);
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ESHUTDOWN);
	reopen_gate();
	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ETIMEDOUT);
}

/* ---- Where the clocks move against each other ---------------------------------------------------------------- */

/* The event at a third of the way, and where the spin is; each time from a new world. */
static int wait_through(void (*event)(void), bool in_spin, bool by_ns, bool *ret_is_over)
{
	hpt_time_t end;
	int64_t ns;
	int r;

	gate_ends(NULL);
	gate_begins(NULL);
	end = deadline();
	ns = hpt_now_ns(&clk) + SLEEP_NS;
	happens_after(in_spin ? SLEEP_NS - 3000 : SLEEP_NS / 3, event);
	r = by_ns ? hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), ns) :
		    hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), end);
	*ret_is_over = by_ns ? hpt_now_ns(&clk) >= ns : hpt_now(&clk) >= end;
	return r;
}

static void disruptions_make_the_wait_go_on(void **state)
{
	bool is_over = false;

	(void)state;
	for (size_t i = 0; i < 4 * COUNT(disruptions); i++) {
		if (wait_through(disruptions[i / 4], i & 1, i & 2, &is_over) != -ETIMEDOUT || !is_over)
			fail_msg("disruption %zu, in the %s, by %s", i / 4, i & 1 ? "spin" : "kernel",
				 i & 2 ? "ns" : "ticks");
	}
}

/* By CLOCK_MONOTONIC, and as long as it would have been. */
static void counter_that_stops_ends_the_wait_on_time(void **state)
{
	bool is_over;

	(void)state;
	for (int i = 0; i < 4; i++) {
		uint64_t start_ps;

		gate_ends(NULL);
		gate_begins(NULL);
		start_ps = world.now_ps;
		assert_int_equal(wait_through(counter_stops, i & 1, i & 2, &is_over), -ETIMEDOUT);
		assert_in_range((world.now_ps - start_ps) / 1000000, SLEEP_NS / 1000 - 10,
				SLEEP_NS / 1000 * 9 / 8 + 3500);
	}
}

static void notify_after_a_disruption(void)
{
	counter_begins_again();
	happens_after(SLEEP_NS, notify);
}

/* The deadline in ticks is five seconds away then. */
static void notification_ends_a_wait_that_went_on(void **state)
{
	bool is_over;
	uint64_t start_ps = world.now_ps;

	(void)state;
	assert_int_equal(wait_through(notify_after_a_disruption, false, false, &is_over), 0);
	assert_true(world.now_ps - start_ps < PS_PER_S);
}

/* By three jumps within ten seconds, of a counter whose rate is known. */
static void demote(void)
{
	struct hpt_clock_info info = { 0 };

	for (int i = 0; i < 3; i++) {
		counter_jumps_ahead();
		hpt_clock_check(&clk, NULL);
		for (int ms = 0; ms < 500; ms++) {
			world.now_ps += PS_PER_MS;
			hpt_now_ns(&clk);
		}
	}
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.state, HPT_STATE_DEMOTED);
}

/* It falls back by a second; CLOCK_MONOTONIC ends the wait. */
static void demoted_counter_has_not_the_last_word(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		uint64_t start_ps;
		hpt_time_t end;

		gate_ends(NULL);
		gate_begins(NULL);
		demote();
		start_ps = world.now_ps;
		end = deadline();
		happens_after(i ? SLEEP_NS - 3000 : SLEEP_NS / 3, counter_falls_back);
		assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), end), -ETIMEDOUT);
		assert_true(hpt_now(&clk) < end);
		assert_in_range((world.now_ps - start_ps) / 1000000, SLEEP_NS / 1000 - 10,
				SLEEP_NS / 1000 * 9 / 8 + 3500);
	}
}

/* One that ticks once in a millisecond is no counter that stands still. */
static void slow_counter_has_the_last_word(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(disruptions); i++) {
		hpt_time_t end;

		gate_ends(NULL);
		new_sleeping_clock_of(PS_PER_MS);
		assert_int_equal(hpt_gate_new(&clk, 0, &g), 0);
		end = hpt_now(&clk) + 30;
		happens_after((i & 1 ? 29 : 10) * NS_PER_MS, disruptions[i / 2]);
		assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), end), -ETIMEDOUT);
		assert_true(hpt_now(&clk) >= end);
	}
}

/* They are the kernel's: CLOCK_MONOTONIC_RAW has the last word, also while CLOCK_MONOTONIC is slewed. */
static void disruptions_do_not_end_a_wait_for_nanoseconds_of_a_demoted_clock(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(disruptions); i++) {
		int64_t ns;

		gate_ends(NULL);
		gate_begins(NULL);
		demote();
		fake_world_slew(&world.wall, 83333000);
		ns = hpt_now_ns(&clk) + SLEEP_NS;
		happens_after(i & 1 ? SLEEP_NS - 3000 : SLEEP_NS / 3, disruptions[i / 2]);
		assert_int_equal(hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), ns), -ETIMEDOUT);
		assert_true(hpt_now_ns(&clk) >= ns);
	}
}

static void wait_until_ns_ends_on_time(void **state)
{
	int64_t ns = hpt_now_ns(&clk) + SLEEP_NS;

	(void)state;
	assert_int_equal(hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), ns), -ETIMEDOUT);
	assert_in_range(hpt_now_ns(&clk) - ns, 0, 500);
	assert_int_equal(hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), ns), -ETIMEDOUT);
	assert_int_equal(hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), INT64_MIN), -ETIMEDOUT);
	happens_after(3600 * NS_PER_S, notify);
	assert_int_equal(hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), INT64_MAX), 0);
	assert_int_equal(hpt_gate_wait_until_ns(NULL, 2, 0), -EINVAL);
	shut_gate();
	assert_int_equal(hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), INT64_MAX), -ESHUTDOWN);
}

static void nothing_is_done_without_a_gate(void **state)
{
	hpt_gate *other = NULL;

	(void)state;
	assert_int_equal(hpt_gate_new(&clk, 0, NULL), -EINVAL);
	assert_int_equal(hpt_gate_new(&clk, HPT_WAIT_EINTR << 1, &other), -EINVAL);
	assert_int_equal(hpt_gate_ticket(NULL), 0);
	assert_int_equal(hpt_gate_wait_until_ticks(NULL, 2, 0), -EINVAL);
	assert_int_equal(hpt_gate_notify_all(NULL), -EINVAL);
	assert_int_equal(hpt_gate_shut(NULL), -EINVAL);
	assert_int_equal(hpt_gate_reopen(NULL), -EINVAL);
	assert_int_equal(hpt_gate_set_policy(NULL, HPT_SLEEP_SPIN, 0), -EINVAL);
	assert_null(hpt_gate_clock(NULL));
	hpt_gate_free(NULL);
	assert_int_equal(hpt_gate_new(NULL, 0, &other), 0);
	assert_int_equal(hpt_gate_wait_until_ticks(other, hpt_gate_ticket(other), hpt_now(NULL) + 1000), -ETIMEDOUT);
	hpt_gate_free(other);
}

/* The number of waits in the kernel that a wait makes. */
static uint32_t waits_of_a_wait(void)
{
	uint32_t before = sleeping.waits;

	assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), deadline()), -ETIMEDOUT);
	return sleeping.waits - before;
}

static void policy_is_the_gates_own_or_the_processs(void **state)
{
	(void)state;
	assert_true(waits_of_a_wait() > 0);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_SPIN, 0), 0);
	assert_int_equal(waits_of_a_wait(), 0);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_INHERIT, 1), -EINVAL);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_INHERIT + 1, 0), -EINVAL);
	assert_int_equal(waits_of_a_wait(), 0);
	assert_int_equal(hpt_gate_set_policy(g, HPT_SLEEP_INHERIT, 0), 0);
	assert_true(waits_of_a_wait() > 0);
}

/* Nor does it spin, or wait again and again. */
static void gate_that_must_not_spin_is_never_early(void **state)
{
	static const int64_t max_spin_ns[] = { 0, 1000, SLEEP_NS / 10, SLEEP_NS / 2, SLEEP_NS, INT64_MAX };

	(void)state;
	for (size_t i = 0; i < 3 * COUNT(max_spin_ns); i++) {
		hpt_time_t end;
		int64_t ns, spin_ns = max_spin_ns[i / 3];
		uint32_t before = sleeping.waits;

		assert_int_equal(hpt_gate_set_policy(g, i % 3 ? HPT_SLEEP_NOSPIN : HPT_SLEEP_INHERIT,
						     i % 3 ? spin_ns : 0), 0);
		assert_int_equal(hpt_sleep_set_policy(i % 3 ? HPT_SLEEP_BALANCED : HPT_SLEEP_NOSPIN,
						      i % 3 ? 0 : spin_ns), 0);
		end = deadline();
		ns = hpt_now_ns(&clk) + SLEEP_NS;
		if (i & 1) {
			assert_int_equal(hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), ns), -ETIMEDOUT);
			assert_true(hpt_now_ns(&clk) >= ns);
		} else {
			assert_int_equal(hpt_gate_wait_until_ticks(g, hpt_gate_ticket(g), end), -ETIMEDOUT);
			assert_true(hpt_now(&clk) >= end);
		}
		assert_in_range(sleeping.waits - before, 1, 2);
	}
	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0);
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
		gate_test(open_gate_lets_wait),
		gate_test(notification_wakes_all_that_wait),
		gate_test(notification_leaves_nothing_pending),
		gate_test(notification_after_the_ticket_ends_the_wait),
		gate_test(ticket_of_a_shut_gate_is_used_up_by_reopening),
		gate_test(tickets_alias_after_half_of_all_values),
		gate_test(ticket_that_was_not_taken_is_refused),
		gate_test(signal_ends_a_wait_and_keeps_the_ticket),
		gate_test(wait_without_end_ends_by_a_notification),
		gate_test(shutting_wakes_all_that_wait),
		gate_test(shut_gate_refuses_waits),
		gate_test(shutting_and_reopening_wakes_all_that_wait),
		gate_test(shutting_beats_a_notification),
		gate_test(generations_wrap),
		gate_test(policy_is_the_gates_own_or_the_processs),
		gate_test(gate_that_must_not_spin_is_never_early),
		gate_test(gate_holds_its_clock),
		gate_test(wait_until_ns_ends_on_time),
		gate_test(disruptions_make_the_wait_go_on),
		gate_test(counter_that_stops_ends_the_wait_on_time),
		gate_test(notification_ends_a_wait_that_went_on),
		gate_test(demoted_counter_has_not_the_last_word),
		gate_test(slow_counter_has_the_last_word),
		gate_test(disruptions_do_not_end_a_wait_for_nanoseconds_of_a_demoted_clock),
		gate_test(nothing_is_done_without_a_gate),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
