// SPDX-License-Identifier: MIT
/* Lock-free publication: what readers see, which writers lose, and a storm of threads. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "unit.h"

#include "math/seqlatch.h"

#define WORDS 12
#define STORM 1000000

/* Processes. */
#define ME     4711
#define PARENT 4710

struct table {
	struct hpt_seqlatch latch;
	uint64_t slots[HPT_SEQLATCH_SLOTS][WORDS];
};

static bool write_all(struct table *t, uint64_t value, uint32_t seen)
{
	uint64_t record[WORDS];

	for (int i = 0; i < WORDS; i++)
		record[i] = value;
	return !hpt_seqlatch_write(&t->latch, t->slots[0], WORDS, record, seen, ME);
}

static int claim(struct hpt_seqlatch *l)
{
	return hpt_seqlatch_claim(l, ME);
}

static uint32_t claimed(const struct hpt_seqlatch *l)
{
	uint32_t n = 0;

	for (uint32_t slot = 0; slot < HPT_SEQLATCH_SLOTS; slot++)
		n += atomic_load(&l->claims[slot]) != 0;
	return n;
}

static uint32_t read_all(const struct table *t, uint64_t record[WORDS])
{
	return hpt_seqlatch_read(&t->latch, t->slots[0], WORDS, record);
}

static void nothing_before_the_first_record(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];

	(void)state;
	assert_int_equal(hpt_seqlatch_begin(&t.latch), 0);
	assert_int_equal(read_all(&t, record), 0);
}

static void what_is_published_is_read(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];
	uint32_t seen = 0, before = 0;

	(void)state;
	for (uint64_t v = 1; v < 100; v++) {
		assert_true(write_all(&t, v, seen));
		seen = read_all(&t, record);
		assert_true(seen > before);
		assert_true(hpt_seqlatch_same(&t.latch, seen));
		for (int i = 0; i < WORDS; i++)
			assert_int_equal(record[i], v);
		before = seen;
	}
	assert_int_equal(claimed(&t.latch), 0);
}

static bool read_old(const struct table *t, uint32_t seen, uint64_t record[WORDS])
{
	return hpt_seqlatch_read_old(&t->latch, t->slots[0], WORDS, seen, record);
}

static void old_record_is_read_until_its_slot_is_used_again(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];
	uint32_t old, seen = 0;
	int slot;

	(void)state;
	assert_false(read_old(&t, 0, record));
	assert_true(write_all(&t, 1, 0));
	old = seen = hpt_seqlatch_begin(&t.latch);
	for (uint64_t v = 2; v <= HPT_SEQLATCH_SLOTS; v++) {
		assert_true(read_old(&t, old, record));
		assert_int_equal(record[WORDS - 1], 1);
		assert_true(write_all(&t, v, seen));
		seen = hpt_seqlatch_begin(&t.latch);
	}
	assert_true(read_old(&t, old, record));
	/* A writer has claimed the slot: its first words may be written. */
	slot = hpt_seqlatch_claim(&t.latch, ME);
	assert_int_equal(slot, hpt_seqlatch_slot(old));
	assert_false(read_old(&t, old, record));
	assert_true(hpt_seqlatch_publish(&t.latch, slot, seen));
	assert_false(read_old(&t, old, record));
	assert_true(read_old(&t, hpt_seqlatch_begin(&t.latch), record));
}

static void writer_with_an_old_view_loses(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];
	uint32_t first;

	(void)state;
	assert_true(write_all(&t, 1, 0));
	assert_false(write_all(&t, 2, 0)); /* started before the first record */
	first = read_all(&t, record);
	assert_int_equal(record[0], 1);
	assert_true(write_all(&t, 3, first));
	assert_false(write_all(&t, 4, first));
	read_all(&t, record);
	assert_int_equal(record[0], 3);
	assert_false(hpt_seqlatch_same(&t.latch, first));
	assert_int_equal(claimed(&t.latch), 0); /* losers release their slot */
}

static void writers_get_slots_of_their_own(void **state)
{
	struct table t = { 0 };
	uint32_t taken = 0, seen;

	(void)state;
	assert_true(write_all(&t, 1, 0));
	seen = hpt_seqlatch_begin(&t.latch);
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS - 1; i++) {
		int slot = claim(&t.latch);

		assert_in_range(slot, 0, HPT_SEQLATCH_SLOTS - 1);
		assert_int_not_equal((uint32_t)slot, hpt_seqlatch_slot(seen)); /* never the one being read */
		assert_false(taken >> slot & 1);
		taken |= UINT32_C(1) << slot;
	}
}

static void claim_fails_when_all_slots_are_taken(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];

	(void)state;
	assert_true(write_all(&t, 7, 0));
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS - 1; i++)
		assert_true(claim(&t.latch) >= 0);
	assert_int_equal(claim(&t.latch), -1);
	assert_false(write_all(&t, 8, hpt_seqlatch_begin(&t.latch)));
	assert_true(read_all(&t, record)); /* readers do not notice */
	assert_int_equal(record[0], 7);
}

static void reason_for_a_dropped_record_is_known(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS] = { 0 };

	(void)state;
	assert_true(write_all(&t, 7, 0));
	assert_int_equal(hpt_seqlatch_write(&t.latch, t.slots[0], WORDS, record, 0, ME), -EAGAIN);
	while (claim(&t.latch) >= 0)
		;
	assert_int_equal(hpt_seqlatch_write(&t.latch, t.slots[0], WORDS, record, 0, ME), -EBUSY);
}

/* In a forked child: the parent's other threads do not exist here, those of the child do. */
static void forked_child_takes_over_lost_slots(void **state)
{
	(void)state;
	for (uint32_t mine = 0; mine < HPT_SEQLATCH_SLOTS; mine++) {
		struct table t = { 0 };
		uint64_t record[WORDS];
		uint32_t taken = 0;

		assert_true(write_all(&t, 7, 0));
		for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS - 1; i++)
			if (i < mine)
				taken |= UINT32_C(1) << claim(&t.latch);
			else
				assert_true(hpt_seqlatch_claim(&t.latch, PARENT) >= 0);
		for (uint32_t i = mine; i < HPT_SEQLATCH_SLOTS - 1; i++) {
			int slot = claim(&t.latch);

			assert_in_range(slot, 0, HPT_SEQLATCH_SLOTS - 1);
			assert_false(taken >> slot & 1);
			taken |= UINT32_C(1) << slot;
		}
		assert_int_equal(claim(&t.latch), -1);
		assert_true(read_all(&t, record));
		assert_int_equal(record[0], 7);
	}
}

/* A child that is out of free slots publishes as if nothing had been lost. */
static void forked_child_publishes(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];
	uint32_t seen;

	(void)state;
	assert_true(write_all(&t, 1, 0));
	while (hpt_seqlatch_claim(&t.latch, PARENT) >= 0)
		;
	seen = hpt_seqlatch_begin(&t.latch);
	for (uint64_t v = 2; v < 50; v++) {
		assert_true(write_all(&t, v, seen));
		seen = read_all(&t, record);
		assert_int_equal(record[WORDS - 1], v);
	}
	assert_in_range(claimed(&t.latch), 0, HPT_SEQLATCH_SLOTS - 2);
}

static void abandoned_slots_stop_nobody(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];
	uint32_t seen = 0;

	(void)state;
	for (uint32_t lost = 0; lost < HPT_SEQLATCH_SLOTS - 2; lost++) {
		assert_true(claim(&t.latch) >= 0); /* its writer never comes back */
		for (uint64_t v = 1; v < 50; v++) {
			assert_true(write_all(&t, v, seen));
			seen = read_all(&t, record);
			assert_true(seen);
			assert_int_equal(record[WORDS - 1], v);
		}
	}
}

static void sequence_comes_round_without_meaning_none(void **state)
{
	struct table t = { 0 };
	uint64_t record[WORDS];
	uint32_t seen = UINT32_MAX / HPT_SEQLATCH_SLOTS * HPT_SEQLATCH_SLOTS + 3; /* the last round */
	bool came_round = false;

	(void)state;
	atomic_store(&t.latch.current, seen);
	for (uint64_t v = 1; v < 30; v++) {
		uint32_t next;

		assert_true(write_all(&t, v, seen));
		next = read_all(&t, record);
		assert_int_not_equal(next, 0);
		assert_int_not_equal(next, seen);
		assert_int_equal(record[0], v);
		came_round |= next < seen;
		seen = next;
	}
	assert_true(came_round);
}

/* The one wrap that would give 0: from the last round into slot 0. */
static void sequence_wrap_into_slot_0(void **state)
{
	struct hpt_seqlatch l = { 0 };
	uint32_t last = UINT32_MAX / HPT_SEQLATCH_SLOTS * HPT_SEQLATCH_SLOTS + 7;

	(void)state;
	atomic_store(&l.current, last);
	assert_int_equal(claim(&l), 0);
	assert_true(hpt_seqlatch_publish(&l, 0, last));
	assert_int_not_equal(hpt_seqlatch_begin(&l), 0);
	assert_int_equal(hpt_seqlatch_slot(hpt_seqlatch_begin(&l)), 0);
}

/* ---- Stamps ------------------------------------------------------------------------------------ */

/* One bit for each slot whose stamp equals `current`. */
static uint32_t won_bets(const struct hpt_seqlatch *l)
{
	uint32_t won = 0;

	for (uint32_t slot = 0; slot < HPT_SEQLATCH_SLOTS; slot++)
		won |= (uint32_t)hpt_seqlatch_same(l, hpt_seqlatch_stamp(l, slot)) << slot;
	return won;
}

static void only_the_newest_records_stamp_is_current(void **state)
{
	struct table t = { 0 };
	uint32_t seen = 0, slots_used = 0;

	(void)state;
	for (uint64_t v = 1; v < 100; v++) {
		assert_true(write_all(&t, v, seen));
		seen = hpt_seqlatch_begin(&t.latch);
		assert_int_equal(hpt_seqlatch_stamp(&t.latch, hpt_seqlatch_slot(seen)), seen);
		assert_int_equal(won_bets(&t.latch), UINT32_C(1) << hpt_seqlatch_slot(seen));
		slots_used |= UINT32_C(1) << hpt_seqlatch_slot(seen);
	}
	assert_int_equal(slots_used, (1 << HPT_SEQLATCH_SLOTS) - 1);
}

static void stamp_is_lost_while_the_slot_is_written_again(void **state)
{
	struct table t = { 0 };
	uint32_t bet;
	int slot;

	(void)state;
	assert_true(write_all(&t, 1, 0));
	bet = hpt_seqlatch_slot(hpt_seqlatch_begin(&t.latch));
	assert_true(write_all(&t, 2, hpt_seqlatch_begin(&t.latch)));
	do {
		slot = claim(&t.latch);
		assert_true(slot >= 0);
		assert_false(hpt_seqlatch_same(&t.latch, hpt_seqlatch_stamp(&t.latch, (uint32_t)slot)));
	} while ((uint32_t)slot != bet);
}

static void dropped_records_stamp_never_becomes_current(void **state)
{
	struct table t = { 0 };
	uint32_t old, dropped;
	int slot;

	(void)state;
	assert_true(write_all(&t, 1, 0));
	old = hpt_seqlatch_begin(&t.latch);
	slot = claim(&t.latch);
	assert_true(write_all(&t, 2, old));
	assert_false(hpt_seqlatch_publish(&t.latch, slot, old));
	dropped = hpt_seqlatch_stamp(&t.latch, (uint32_t)slot);
	assert_int_equal(hpt_seqlatch_slot(dropped), slot);
	for (uint64_t v = 3; v < 10000; v++) {
		assert_int_not_equal(hpt_seqlatch_begin(&t.latch), dropped);
		assert_int_equal(won_bets(&t.latch), UINT32_C(1) << hpt_seqlatch_slot(hpt_seqlatch_begin(&t.latch)));
		assert_true(write_all(&t, v, hpt_seqlatch_begin(&t.latch)));
	}
}

static void stamps_are_right_where_the_sequence_comes_round(void **state)
{
	(void)state;
	for (uint32_t last_slot = 0; last_slot < HPT_SEQLATCH_SLOTS; last_slot++) {
		struct table t = { 0 };
		uint32_t seen = UINT32_MAX / HPT_SEQLATCH_SLOTS * HPT_SEQLATCH_SLOTS + last_slot;

		atomic_store(&t.latch.current, seen);
		for (uint64_t v = 1; v < 20; v++) {
			int slot = claim(&t.latch);

			assert_true(hpt_seqlatch_publish(&t.latch, slot, seen));
			seen = hpt_seqlatch_begin(&t.latch);
			assert_int_not_equal(seen, 0);
			assert_int_equal(hpt_seqlatch_slot(seen), slot);
			assert_int_equal(won_bets(&t.latch), UINT32_C(1) << slot);
		}
	}
}

/*
 * Before the first record a bet on slot 0 is won and gives zeros. They must stay zeros while any number of threads
 * write first records.
 */
static void slot_0_is_not_written_before_the_first_record(void **state)
{
	struct table t = { 0 };
	uint32_t taken = 0;
	int slot;

	(void)state;
	while ((slot = claim(&t.latch)) >= 0)
		taken |= UINT32_C(1) << slot;
	assert_int_equal(taken, ((1 << HPT_SEQLATCH_SLOTS) - 1) & ~1);
}

/* ---- Storm ------------------------------------------------------------------------------------- */

static struct table storm;
static _Atomic uint32_t written, torn, read_ok, writers_left;

static void *write_storm(void *arg)
{
	uint64_t value = (uint64_t)(uintptr_t)arg;

	/* Longer if readers are scheduled late: a storm without reads would prove nothing. */
	for (int i = 0; i < STORM || (read_ok < 1000 && i < 1000 * STORM); i++) {
		value += 2;
		if (write_all(&storm, value, hpt_seqlatch_begin(&storm.latch)))
			written++;
	}
	writers_left--;
	return NULL;
}

static void *read_storm(void *arg)
{
	(void)arg;
	while (writers_left) {
		uint64_t record[WORDS];

		if (!read_all(&storm, record))
			continue;
		read_ok++;
		for (int i = 1; i < WORDS; i++)
			if (record[i] != record[0]) {
				torn++;
				break;
			}
	}
	return NULL;
}

/* As the reads in nanoseconds do: the stamp, the words, then the check; after a lost bet another slot. */
static void *bet_storm(void *arg)
{
	uint32_t slot = 0;

	(void)arg;
	while (writers_left) {
		uint32_t stamp = hpt_seqlatch_stamp(&storm.latch, slot);
		uint64_t record[WORDS];

		for (int i = 0; i < WORDS; i++)
			record[i] = hpt_word_load((const hpt_word *)&storm.slots[slot][i]);
		if (!hpt_seqlatch_same(&storm.latch, stamp)) {
			uint32_t seen = hpt_seqlatch_begin(&storm.latch);

			slot = seen ? hpt_seqlatch_slot(seen) : 0;
			continue;
		}
		read_ok += stamp != 0;
		for (int i = 1; i < WORDS; i++)
			if (record[i] != record[0] || (!stamp && record[i])) {
				torn++;
				break;
			}
	}
	return NULL;
}

static void run_storm(void *(*reader)(void *))
{
	pthread_t threads[4];

	writers_left = 2;
	written = torn = read_ok = 0;
	for (uintptr_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? write_storm : reader, (void *)i), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	note("%u records published, %u read whole", (unsigned)written, (unsigned)read_ok);
	assert_int_equal(torn, 0);
	assert_true(written > 0 && read_ok >= 1000);
	assert_int_equal(claimed(&storm.latch), 0);
	assert_true(write_all(&storm, 5, hpt_seqlatch_begin(&storm.latch))); /* still works */
}

static void storm_never_shows_half_a_record(void **state)
{
	(void)state;
	memset(&storm, 0, sizeof(storm));
	run_storm(read_storm);
}

static void storm_never_shows_half_a_record_to_who_bets_on_a_slot(void **state)
{
	(void)state;
	memset(&storm, 0, sizeof(storm));
	run_storm(bet_storm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_before_the_first_record),
		cmocka_unit_test(what_is_published_is_read),
		cmocka_unit_test(writer_with_an_old_view_loses),
		cmocka_unit_test(writers_get_slots_of_their_own),
		cmocka_unit_test(claim_fails_when_all_slots_are_taken),
		cmocka_unit_test(reason_for_a_dropped_record_is_known),
		cmocka_unit_test(forked_child_takes_over_lost_slots),
		cmocka_unit_test(forked_child_publishes),
		cmocka_unit_test(abandoned_slots_stop_nobody),
		cmocka_unit_test(sequence_comes_round_without_meaning_none),
		cmocka_unit_test(sequence_wrap_into_slot_0),
		cmocka_unit_test(only_the_newest_records_stamp_is_current),
		cmocka_unit_test(stamp_is_lost_while_the_slot_is_written_again),
		cmocka_unit_test(dropped_records_stamp_never_becomes_current),
		cmocka_unit_test(stamps_are_right_where_the_sequence_comes_round),
		cmocka_unit_test(old_record_is_read_until_its_slot_is_used_again),
		cmocka_unit_test(slot_0_is_not_written_before_the_first_record),
		cmocka_unit_test(storm_never_shows_half_a_record),
		cmocka_unit_test(storm_never_shows_half_a_record_to_who_bets_on_a_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
