// SPDX-License-Identifier: MIT
/*
 * lib/machine/eventcount.h under a weak memory model: no wait that has been notified goes on, what was written before
 * the notification is visible after the wait, and the sleeper may free the eventcount then. TWO_WORDS: as on machines
 * without 64-bit atomics, where it may not.
 */
#include "../unit/world/unit.h"

#include "atomics.h"
#include "orders.h"

#ifdef TWO_WORDS
#undef ATOMIC_LLONG_LOCK_FREE
#define ATOMIC_LLONG_LOCK_FREE 1
#endif
#include "machine/bell.h"

#if ATOMIC_LLONG_LOCK_FREE != 2 && !defined(TWO_WORDS)
#define TWO_WORDS
#endif

/* own: a waiter's, whose sleeper waits for the other one: a manual clock's, or a wall's bell. */
struct hpt_eventcount hpt_bells[HPT_BELLS];
static struct hpt_eventcount own;
#define ec hpt_bells[0]
static _Atomic uint32_t data, member; /* member: of the object that contains the eventcount */

static int futex_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	(void)id, (void)until_ns;
#ifdef TWO_WORDS
	atomic_thread_fence(memory_order_seq_cst); /* the kernel's, before it loads the word */
#endif
	MODEL_OP(MODEL_FUTEX_WAIT, memory_order_seq_cst, word, sizeof(*word), 0, value);
	return 0;
}

static void futex_wake(const _Atomic uint32_t *word)
{
	MODEL_OP(MODEL_FUTEX_WAKE, memory_order_seq_cst, word, sizeof(*word), 0, 0);
}

static const struct hpt_env env = { .wait = futex_wait, .wake = futex_wake };

static int share(void **state)
{
	(void)state;
	model_reset();
#ifdef TWO_WORDS
	model_share(&ec.value, sizeof(ec.value), 0);
	model_share(&ec.in_kernel, sizeof(ec.in_kernel), 0);
	model_share(&own.value, sizeof(own.value), 0);
	model_share(&own.in_kernel, sizeof(own.in_kernel), 0);
#else
	model_share(&ec.word, sizeof(ec.word), 0);
	model_share(&own.word, sizeof(own.word), 0);
#endif
	model_share(&data, sizeof(data), 0);
	model_share(&member, sizeof(member), 0);
	return 0;
}

/* ---- Sleepers ------------------------------------------------------------------------------------ */

/* As lib/sleep/kernel_wait.c. Without a time-out: a lost notification would only be late. */
static void sleep_while(uint32_t key)
{
	while (hpt_eventcount_value(&ec) == key) {
		hpt_eventcount_enter(&ec);
		env.wait(hpt_eventcount_futex(&ec), key, CLOCK_MONOTONIC, INT64_MAX);
		hpt_eventcount_leave(&ec);
	}
}

static uint64_t sleep_once(void)
{
	sleep_while(0);
	if (!atomic_load_explicit(&data, memory_order_relaxed))
		model_fail("what was written before the notification is not visible");
	return 0;
}

/* Until both notifications have been counted. */
static uint64_t sleep_twice(void)
{
	uint32_t value = 0;

	while (value < 2) {
		sleep_while(value);
		value = hpt_eventcount_value(&ec);
	}
	return 0;
}

/* A condition with a ticket: hpt_gate_ticket(). */
static uint64_t sleep_until_data(void)
{
	uint32_t ticket = hpt_eventcount_value(&ec);

	while (!atomic_load_explicit(&data, memory_order_relaxed)) {
		sleep_while(ticket);
		ticket = hpt_eventcount_value(&ec);
	}
	return 0;
}

/* As lib/sleep/manual_phase.c: waits for the clock's eventcount until its own has been notified, then frees its own. */
static uint64_t sleep_on_a_manual_clock(void)
{
	uint32_t value = hpt_eventcount_value(&ec);

	while (!hpt_eventcount_value(&own)) {
		sleep_while(value);
		value = hpt_eventcount_value(&ec);
	}
#ifndef TWO_WORDS
	MODEL_OP(MODEL_FREE, memory_order_relaxed, &own.word, sizeof(own.word), 0, 0);
#endif
	return 0;
}

/* As lib/wall/wall_wait.c: the bell's number is in its own eventcount meanwhile. */
static uint64_t sleep_on_a_bell(void)
{
	uint32_t value;

	hpt_bell_enter(&own, 1);
	value = hpt_eventcount_value(&ec);
	while (!hpt_eventcount_value(&own)) {
		sleep_while(value);
		value = hpt_eventcount_value(&ec);
	}
	hpt_bell_leave(&own, 1);
#ifndef TWO_WORDS
	MODEL_OP(MODEL_FREE, memory_order_relaxed, &own.word, sizeof(own.word), 0, 0);
#endif
	return 0;
}

/* ---- Notifiers ----------------------------------------------------------------------------------- */

static uint64_t notify(void)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	hpt_eventcount_notify(&ec, 1, &env);
	return 0;
}

static uint64_t notify_without_data(void)
{
	hpt_eventcount_notify(&ec, 1, &env);
	return 0;
}

static uint64_t notify_own_and_clock(void)
{
	hpt_eventcount_notify(&own, 1, &env);
	hpt_eventcount_notify(&ec, 1, &env);
	return 0;
}

/* As hpt_waiter_interrupt(). */
static uint64_t notify_own_and_bell(void)
{
	hpt_bell_ring_for(hpt_eventcount_notify(&own, 1, &env), &env);
	return 0;
}

/* As lib/sleep/gate.c closes and opens. */
static void step(void)
{
	uint32_t value;

	do
		value = hpt_eventcount_value(&ec);
	while (!hpt_eventcount_change(&ec, value, value + 1, &env));
}

static uint64_t change(void)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	step();
	return 0;
}

static uint64_t change_without_data(void)
{
	step();
	return 0;
}

#ifndef TWO_WORDS
static uint64_t sleep_and_free(void)
{
	sleep_while(0);
	MODEL_OP(MODEL_FREE, memory_order_relaxed, &ec.word, sizeof(ec.word), 0, 0);
	MODEL_OP(MODEL_FREE, memory_order_relaxed, &member, sizeof(member), 0, 0);
	return 0;
}

/* As hpt_waiter_interrupt(), which takes the env from the waiter's clock. */
static uint64_t notify_by_member(void)
{
	uint64_t value = atomic_load_explicit(&member, memory_order_relaxed);

	hpt_eventcount_notify(&ec, 1, &env);
	return value;
}

static uint64_t change_by_member(void)
{
	uint64_t value = atomic_load_explicit(&member, memory_order_relaxed);

	hpt_eventcount_change(&ec, 0, 1, &env);
	return value;
}
#endif

/* ---- Tests --------------------------------------------------------------------------------------- */

static const struct model models[] = {
	{ { sleep_once, notify }, NULL },
	{ { sleep_once, change }, NULL },
	{ { sleep_once, sleep_once, notify }, NULL },
	{ { sleep_once, sleep_once, change }, NULL },
	{ { sleep_twice, notify_without_data, notify_without_data }, NULL },
	{ { sleep_twice, notify_without_data, change_without_data }, NULL },
	{ { sleep_twice, change_without_data, change_without_data }, NULL },
	{ { sleep_until_data, notify }, NULL },
	{ { sleep_until_data, sleep_until_data, change }, NULL },
	{ { sleep_until_data, change_without_data, notify }, NULL },
	{ { sleep_on_a_manual_clock, notify_own_and_clock }, NULL },
	{ { sleep_on_a_manual_clock, notify_own_and_clock, notify_without_data }, NULL },
	{ { sleep_on_a_bell, notify_own_and_bell }, NULL },
	{ { sleep_on_a_bell, notify_own_and_bell, notify_without_data }, NULL },
#ifndef TWO_WORDS
	{ { sleep_and_free, notify_by_member }, NULL },
	{ { sleep_and_free, change_by_member }, NULL },
#endif
};

static void every_notification_ends_a_wait(void **state)
{
	(void)state;
	assert_null(model_check_all(models, COUNT(models)));
}

static void every_order_is_needed(void **state)
{
	(void)state;
	assert_int_equal(model_needless_orders("machine/eventcount", models, COUNT(models)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_notification_ends_a_wait),
		cmocka_unit_test(every_order_is_needed),
	};

	return cmocka_run_group_tests(tests, share, NULL);
}
