// SPDX-License-Identifier: MIT
/*
 * lib/wall/vmclock.c under a weak memory model: no counter value from after a disruption is accepted, and one look at
 * the page sees one update. The counter is a word that a disruption changes, and reads of it are loads;
 * arch_fence_loads() is an acquire fence.
 */
#include "../unit/world/unit.h"

#include "arch/arch.h"

#include "atomics.h"
#include "orders.h"

#define arch_fence_loads() atomic_thread_fence(memory_order_acquire)
#define HPT_VMCLOCK_LOOKS 2
#include "wall/vmclock.c"

static _Alignas(8) uint32_t page[28];
static _Atomic uint32_t counter;

static int share(void **state)
{
	(void)state;
	model_reset();
	model_share(&page[1], sizeof(page[1]), sizeof(page));
	model_share(&page[3], sizeof(page[3]), 0);
	model_share(&page[4], sizeof(page[4]), 0);
	model_share(&page[5], sizeof(page[5]), 0);
	model_share(&page[6], sizeof(page[6]), FLAG_GENERATION);
	model_share(&page[26], sizeof(page[26]), 0);
	model_share(&page[27], sizeof(page[27]), 0);
	model_share(&counter, sizeof(counter), 0);
	return 0;
}

/* As UAPI.13 has it: an odd sequence, a barrier, what changes, a barrier, an even sequence. */
static uint64_t disrupt(void)
{
	__atomic_store_n(&page[3], 1, __ATOMIC_RELAXED);
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&counter, 1, memory_order_relaxed);
	__atomic_store_n(&page[4], 1, __ATOMIC_RELAXED);
	__atomic_store_n(&page[5], 1, __ATOMIC_RELAXED);
	__atomic_store_n(&page[26], 1, __ATOMIC_RELAXED);
	__atomic_store_n(&page[3], 2, __ATOMIC_RELEASE);
	return 0;
}

/* As is_disturbed() in lib/wall/wall_read.c, by an earlier record. */
static uint64_t read_time(void)
{
	uint32_t tick = atomic_load_explicit(&counter, memory_order_relaxed);

	arch_fence_loads();
	if (hpt_vmclock_is_same(page, 0, 0) && tick)
		model_fail("a tick of after the disruption is accepted");
	return 0;
}

static uint64_t read_marks(void)
{
	struct hpt_wall_marks m;

	if (hpt_vmclock_read_marks(page, &m) &&
	    (m.marker != (m.seq ? UINT64_C(0x100000001) : 0) || !m.has_generation || m.generation != m.seq / 2))
		model_fail("marker, generation and sequence are of different updates");
	return 0;
}

/* As copy_page(): the tick belongs to the page. */
static uint64_t read_page(void)
{
	uint32_t seq, tick, marker;

	if (!begin_page_read(page, &seq))
		return 0;
	marker = hpt_vmclock_word(page, HPT_VMCLOCK_MARKER);
	tick = atomic_load_explicit(&counter, memory_order_relaxed);
	if (is_same(page, seq) && (marker != seq / 2 || tick != seq / 2))
		model_fail("the tick is of another update than the page");
	return 0;
}

static const struct model models[] = {
	{ { disrupt, read_time }, NULL },
	{ { disrupt, read_marks }, NULL },
	{ { disrupt, read_page }, NULL },
	{ { disrupt, read_time, read_marks }, NULL },
};

static void no_disruption_is_missed(void **state)
{
	(void)state;
	assert_null(model_check_all(models, COUNT(models)));
}

static void every_order_is_needed(void **state)
{
	(void)state;
	assert_int_equal(model_needless_orders("wall/vmclock", models, COUNT(models)), 0);
	assert_int_equal(model_needless_orders("model/vmclock", models, COUNT(models)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_disruption_is_missed),
		cmocka_unit_test(every_order_is_needed),
	};

	return cmocka_run_group_tests(tests, share, NULL);
}
