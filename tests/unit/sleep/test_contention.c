// SPDX-License-Identifier: MIT
/* Contention: how many wakes that waited for a CPU begin it, and how soon it ends. */
#include <string.h>

#include "unit.h"

#include "sleep/contention.h"

#define MS       1000000
#define SOON_NS  20000
#define IDLE_NS  500000
#define SLICE_NS 4000000

static void note_wakes(struct hpt_contention *c, int64_t late_ns, int n)
{
	while (n-- > 0)
		hpt_contention_note(c, MS, late_ns);
}

static int until_off(struct hpt_contention *c)
{
	int n = 0;

	for (; c->is_on && n < 10000; n++)
		hpt_contention_note(c, MS, SOON_NS);
	return n;
}

static void late_wakes_of_idle_cpus_are_none(void **state)
{
	struct hpt_contention c = { 0 };

	(void)state;
	note_wakes(&c, IDLE_NS, 1000);
	note_wakes(&c, INT64_MIN, 1000);
	assert_false(c.is_on);
	assert_int_equal(c.queued, 0);
	note_wakes(&c, IDLE_NS + 1, 1);
	assert_true(c.queued > 0);
}

/* Idle CPUs are late after them as well. In time they count as others do. */
static void late_wakes_after_long_waits_are_none(void **state)
{
	struct hpt_contention c = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		hpt_contention_note(&c, 20 * MS + 1, SLICE_NS);
	assert_int_equal(c.queued, 0);
	for (int i = 0; i < 5; i++)
		hpt_contention_note(&c, 20 * MS, SLICE_NS);
	assert_true(c.is_on);
	for (int i = 0; i < 600; i++)
		hpt_contention_note(&c, 250 * MS, SOON_NS);
	assert_false(c.is_on);
}

static void fifth_queued_wake_of_256_begins_it(void **state)
{
	struct hpt_contention c = { 0 };

	(void)state;
	note_wakes(&c, SLICE_NS, 4);
	assert_false(c.is_on);
	note_wakes(&c, SOON_NS, 10);
	note_wakes(&c, SLICE_NS, 1);
	assert_true(c.is_on);
}

/* As often as on an idle guest, whose host lets it wait for others: one in 300, and now and then three. */
static void rare_ones_do_not(void **state)
{
	struct hpt_contention c = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++) {
		note_wakes(&c, SLICE_NS, i % 10 ? 1 : 3);
		note_wakes(&c, SOON_NS, 300);
		assert_false(c.is_on);
	}
}

static void ends_within_600_wakes_however_long_it_was(void **state)
{
	struct hpt_contention c = { 0 };

	(void)state;
	note_wakes(&c, SLICE_NS, 5);
	assert_in_range(until_off(&c), 400, 600);
	note_wakes(&c, SLICE_NS, 10000);
	assert_in_range(until_off(&c), 550, 600);
}

/* Short slices end what they are set for, so they stay, and one wake in 2000 that waits is enough. */
static void slices_stay_short_for_2000_wakes(void **state)
{
	struct hpt_contention c = { 0 };

	(void)state;
	note_wakes(&c, SLICE_NS, 4);
	assert_false(hpt_contention_needs_slice(&c));
	note_wakes(&c, SLICE_NS, 1);
	for (int i = 0; i < 10; i++) {
		until_off(&c);
		assert_true(hpt_contention_needs_slice(&c));
		note_wakes(&c, SOON_NS, 1000);
		note_wakes(&c, SLICE_NS, 1);
		assert_false(c.is_on);
	}
	note_wakes(&c, SOON_NS, 1999);
	assert_true(hpt_contention_needs_slice(&c));
	note_wakes(&c, SOON_NS, 1);
	assert_false(hpt_contention_needs_slice(&c));
}

/* Without spins fewer wakes wait than with them: one in 100 keeps it on, and does not begin it. */
static void one_in_100_keeps_it_on(void **state)
{
	struct hpt_contention off = { 0 }, on = { 0 };

	(void)state;
	note_wakes(&on, SLICE_NS, 5);
	for (int i = 0; i < 100; i++) {
		note_wakes(&on, SOON_NS, 99);
		note_wakes(&on, SLICE_NS, 1);
		note_wakes(&off, SOON_NS, 99);
		note_wakes(&off, SLICE_NS, 1);
		assert_true(on.is_on);
		assert_false(off.is_on);
	}
}

static void any_content_is_valid(void **state)
{
	(void)state;
	for (uint32_t queued = 0; queued <= UINT16_MAX; queued += 255) {
		struct hpt_contention c = { (uint16_t)queued, (uint16_t)~queued, queued % 2 };

		note_wakes(&c, SOON_NS, 1);
		until_off(&c);
		assert_false(c.is_on);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(late_wakes_of_idle_cpus_are_none),
		cmocka_unit_test(late_wakes_after_long_waits_are_none),
		cmocka_unit_test(fifth_queued_wake_of_256_begins_it),
		cmocka_unit_test(rare_ones_do_not),
		cmocka_unit_test(ends_within_600_wakes_however_long_it_was),
		cmocka_unit_test(slices_stay_short_for_2000_wakes),
		cmocka_unit_test(one_in_100_keeps_it_on),
		cmocka_unit_test(any_content_is_valid),
	};

	return cmocka_run_group_tests_name("contention", tests, NULL, NULL);
}
