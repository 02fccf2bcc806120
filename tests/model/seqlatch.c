// SPDX-License-Identifier: MIT
/* lib/math/seqlatch.c under a weak memory model: all executions of one or two writers and a reader. */
#include "../unit/world/unit.h"

#include "atomics.h"
#include "orders.h"

#define HPT_SEQLATCH_SLOTS 2u /* slots are used again at once */
#include "math/seqlatch.c"

#define WORDS 2
#define ME    4711 /* this process */

static struct hpt_seqlatch latch;
static hpt_word slots[HPT_SEQLATCH_SLOTS * WORDS];
static _Atomic uint32_t flag, assumed;

static int share(void **state)
{
	(void)state;
	model_reset();
	model_share(&latch.current, sizeof(latch.current), 0);
	for (size_t i = 0; i < COUNT(latch.claims); i++)
		model_share(&latch.claims[i], sizeof(latch.claims[i]), 0);
	for (size_t i = 0; i < COUNT(latch.stamps); i++)
		model_share(&latch.stamps[i], sizeof(latch.stamps[i]), 0);
	for (size_t i = 0; i < COUNT(slots); i++)
		model_share(&slots[i], sizeof(slots[i]), 0);
	model_share(&flag, sizeof(flag), 0);
	model_share(&assumed, sizeof(assumed), 0);
	return 0;
}

/* ---- Writers ------------------------------------------------------------------------------------- */

/* All words of a record are its sequence * 16 + the writer's number. */
static bool publish(uint32_t writer)
{
	uint32_t seen = hpt_seqlatch_begin(&latch);
	hpt_word record[WORDS];

	for (size_t i = 0; i < WORDS; i++)
		record[i] = (seen / HPT_SEQLATCH_SLOTS + 1) * 16 + writer;
	return !hpt_seqlatch_write(&latch, slots, WORDS, record, seen, ME);
}

static uint64_t write_once(void)
{
	return publish(1);
}

static uint64_t write_twice(void)
{
	publish(2);
	return publish(2);
}

static uint64_t write_thrice(void)
{
	write_twice();
	return publish(2);
}

static uint64_t write_and_set_flag(void)
{
	publish(1);
	atomic_store_explicit(&flag, 1, memory_order_release);
	return publish(1);
}

/* A writer that never comes back. */
static uint64_t claim(void)
{
	return (uint64_t)hpt_seqlatch_claim(&latch, ME);
}

/* ---- Readers ------------------------------------------------------------------------------------- */

/* Returns the sequence. */
static uint32_t whole(uint32_t seen, const hpt_word record[WORDS])
{
	for (size_t i = 0; i < WORDS; i++)
		if (record[i] != record[0] || record[i] / 16 != seen / HPT_SEQLATCH_SLOTS)
			model_fail("a torn record");
	return seen / HPT_SEQLATCH_SLOTS;
}

static uint32_t copy(void)
{
	hpt_word record[WORDS];
	uint32_t seen = hpt_seqlatch_read(&latch, slots, WORDS, record);

	return seen ? whole(seen, record) : 0;
}

/* As now_by_read() of lib/clock/read.c. Returns UINT32_MAX for "read again". */
static uint32_t by_current(void)
{
	hpt_word record[WORDS];
	uint32_t seen = hpt_seqlatch_begin(&latch);

	for (size_t i = 0; i < WORDS; i++)
		record[i] = hpt_word_load(&slots[hpt_seqlatch_slot(seen) * WORDS + i]);
	return hpt_seqlatch_same(&latch, seen) ? whole(seen, record) : UINT32_MAX;
}

/* As tsc_now() there. */
static uint32_t by_stamp(uint32_t slot)
{
	hpt_word record[WORDS];
	uint32_t stamp = hpt_seqlatch_stamp(&latch, slot);

	for (size_t i = 0; i < WORDS; i++)
		record[i] = hpt_word_load(&slots[slot * WORDS + i]);
	return hpt_seqlatch_same(&latch, stamp) ? whole(stamp, record) : UINT32_MAX;
}

static uint64_t in_order(uint32_t first, uint32_t second)
{
	if (first != UINT32_MAX && second < first)
		model_fail("an older record after a newer one");
	return second;
}

static uint64_t read_copies(void)
{
	uint32_t first = copy();

	return in_order(first, copy());
}

static uint64_t read_by_current(void)
{
	uint32_t first = by_current();

	return in_order(first, by_current());
}

/* As now_slowly() there: after a read, the record's slot is the one to assume. */
static uint64_t read_by_stamps(void)
{
	uint32_t first = by_stamp(0), second = copy();

	in_order(first, second);
	return in_order(second, by_stamp(hpt_seqlatch_slot(hpt_seqlatch_begin(&latch))));
}

/* Then all threads assume that slot. The fence in hpt_seqlatch_same() makes an acquire of a relaxed load too. */
static uint64_t assume(void)
{
	uint32_t slot = hpt_seqlatch_slot(hpt_seqlatch_begin(&latch));

	atomic_store_explicit(&assumed, slot, memory_order_release);
	return slot;
}

static uint32_t by_assumed(void)
{
	return by_stamp(atomic_load_explicit(&assumed, memory_order_relaxed));
}

static uint64_t read_assumed(void)
{
	uint32_t first = by_assumed();

	return in_order(first, by_assumed());
}

static uint64_t read_after_flag(void)
{
	if (atomic_load_explicit(&flag, memory_order_acquire) && (!copy() || !by_stamp(0)))
		model_fail("no record after one was published");
	return 0;
}

/* ---- Tests --------------------------------------------------------------------------------------- */

static const struct model models[] = {
	{ { write_thrice, read_copies }, NULL },
	{ { write_thrice, read_by_current }, NULL },
	{ { write_thrice, read_by_stamps }, NULL },
	{ { write_twice, assume, read_assumed }, NULL },
	{ { write_and_set_flag, read_after_flag }, NULL },
	{ { write_twice, claim, read_copies }, NULL },
	{ { write_once, write_once, read_copies }, NULL },
	{ { write_once, write_once, read_by_current }, NULL },
	{ { write_once, write_once, read_by_stamps }, NULL },
	{ { write_twice, write_once, read_copies }, NULL },
};

static void every_read_is_of_one_record_in_order(void **state)
{
	(void)state;
	assert_null(model_check_all(models, COUNT(models)));
}

static void every_order_is_needed(void **state)
{
	(void)state;
	assert_int_equal(model_needless_orders("math/seqlatch", models, COUNT(models)), 0);
	assert_int_equal(model_needless_orders("model/seqlatch", models, COUNT(models)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_read_is_of_one_record_in_order),
		cmocka_unit_test(every_order_is_needed),
	};

	return cmocka_run_group_tests(tests, share, NULL);
}
