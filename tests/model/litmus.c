// SPDX-License-Identifier: MIT
/* The model checker itself: the weak outcomes of the known litmus tests, with all orders that RC11 allows them for. */
#include "../unit/world/unit.h"

#include "atomics.h"

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define SC  memory_order_seq_cst

static const char weak[] = "the weak outcome";

/* Each thread has two accesses, of x and y, with a fence between them; a relaxed fence has no effect. */
static _Atomic uint32_t x, y;
static memory_order loads, stores, load_fence, store_fence;

static uint64_t load_both(const _Atomic uint32_t *first, const _Atomic uint32_t *second)
{
	uint64_t high = atomic_load_explicit(first, loads) << 4;

	atomic_thread_fence(load_fence);
	return high | atomic_load_explicit(second, loads);
}

static uint64_t store_both(void)
{
	atomic_store_explicit(&x, 1, stores);
	atomic_thread_fence(store_fence);
	atomic_fetch_add_explicit(&y, 1, stores);
	return 0;
}

static uint64_t store_x(void)
{
	atomic_store_explicit(&x, 1, stores);
	return 0;
}

static uint64_t store_y(void)
{
	atomic_store_explicit(&y, 1, stores);
	return 0;
}

static uint64_t store_x_load_y(void)
{
	atomic_store_explicit(&x, 1, stores);
	atomic_thread_fence(store_fence);
	return atomic_load_explicit(&y, loads);
}

static uint64_t add_y_load_x(void)
{
	atomic_fetch_add_explicit(&y, 1, stores);
	atomic_thread_fence(load_fence);
	return atomic_load_explicit(&x, loads);
}

static uint64_t load_x_y(void) { return load_both(&x, &y); }
static uint64_t load_y_x(void) { return load_both(&y, &x); }
static uint64_t load_x_x(void) { return load_both(&x, &x); }
static uint64_t add_x(void) { return atomic_fetch_add_explicit(&x, 1, RLX); }
static uint64_t add_y(void) { return atomic_fetch_add_explicit(&y, 1, RLX); }

static uint64_t swap_x(void)
{
	uint32_t expected = 0;

	return atomic_compare_exchange_strong_explicit(&x, &expected, 1, RLX, RLX);
}

static uint64_t free_x_after_y(void)
{
	if (atomic_load_explicit(&y, loads))
		MODEL_OP(MODEL_FREE, RLX, &x, sizeof(x), 0, 0);
	return 0;
}

static const char *new_then_old(const uint64_t *r) { return r[1] == 0x10 ? weak : NULL; }
static const char *old_then_new(const uint64_t *r) { return r[1] == 0x01 ? weak : NULL; }
static const char *both_old(const uint64_t *r) { return r[0] + r[1] == 0 ? weak : NULL; }
static const char *opposite(const uint64_t *r) { return r[2] == 0x10 && r[3] == 0x10 ? weak : NULL; }
static const char *two_then_old(const uint64_t *r) { return r[2] == 0x20 ? weak : NULL; }
static const char *same(const uint64_t *r) { return r[0] == r[1] ? weak : NULL; }

static const struct model message_passing = { { store_both, load_y_x }, new_then_old };
static const struct model store_buffering = { { store_x_load_y, add_y_load_x }, both_old };
static const struct model independent = { { store_x, store_y, load_x_y, load_y_x }, opposite };
static const struct model coherence = { { store_x, load_x_x }, new_then_old };
static const struct model late = { { store_x, load_x_x }, old_then_new };
static const struct model release_sequence = { { store_both, add_y, load_y_x }, two_then_old };
static const struct model adds = { { add_x, add_x }, same };
static const struct model swaps = { { swap_x, swap_x }, same };
static const struct model freeing = { { store_both, free_x_after_y }, NULL };

static const struct {
	const struct model *model;
	memory_order loads, stores, load_fence, store_fence;
	bool is_weak;
} rows[] = {
	{ &message_passing, RLX, RLX, RLX, RLX, true },
	{ &message_passing, ACQ, RLX, RLX, RLX, true },
	{ &message_passing, RLX, REL, RLX, RLX, true },
	{ &message_passing, RLX, RLX, ACQ, RLX, true },
	{ &message_passing, RLX, RLX, RLX, REL, true },
	{ &message_passing, ACQ, REL, RLX, RLX, false },
	{ &message_passing, RLX, REL, ACQ, RLX, false },
	{ &message_passing, ACQ, RLX, RLX, REL, false },
	{ &message_passing, RLX, RLX, ACQ, REL, false },
	{ &message_passing, SC,  SC,  RLX, RLX, false },
	{ &store_buffering, RLX, RLX, RLX, RLX, true },
	{ &store_buffering, ACQ, REL, RLX, RLX, true },
	{ &store_buffering, SC,  REL, RLX, RLX, true },
	{ &store_buffering, ACQ, SC,  RLX, RLX, true },
	{ &store_buffering, RLX, RLX, SC,  RLX, true },
	{ &store_buffering, RLX, RLX, SC,  REL, true },
	{ &store_buffering, SC,  SC,  RLX, RLX, false },
	{ &store_buffering, RLX, RLX, SC,  SC,  false },
	{ &independent, RLX, RLX, RLX, RLX, true },
	{ &independent, ACQ, REL, RLX, RLX, true },
	{ &independent, ACQ, SC,  RLX, RLX, true },
	{ &independent, SC,  SC,  RLX, RLX, false },
	{ &independent, RLX, RLX, SC,  RLX, false },
	{ &coherence, RLX, RLX, RLX, RLX, false },
	{ &late, SC,  SC,  SC,  SC,  true },
	{ &release_sequence, ACQ, RLX, RLX, RLX, true },
	{ &release_sequence, ACQ, REL, RLX, RLX, false },
	{ &adds, RLX, RLX, RLX, RLX, false },
	{ &swaps, RLX, RLX, RLX, RLX, false },
	{ &freeing, ACQ, RLX, RLX, RLX, true },
	{ &freeing, RLX, REL, RLX, RLX, true },
	{ &freeing, ACQ, REL, RLX, RLX, false },
};

static void weak_outcomes_are_those_of_rc11(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *found;

		loads = rows[i].loads, stores = rows[i].stores;
		load_fence = rows[i].load_fence, store_fence = rows[i].store_fence;
		model_reset();
		model_share(&x, sizeof(x), 0);
		model_share(&y, sizeof(y), 0);
		found = model_check(rows[i].model);
		if (!found == rows[i].is_weak)
			fail_msg("row %zu: %s", i, found ? found : "no weak outcome");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(weak_outcomes_are_those_of_rc11) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
