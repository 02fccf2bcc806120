// SPDX-License-Identifier: MIT
/* How many threads of a process sleep, and which of them may spin: lib/sleep/crowd.h. */
#include "sleep/crowd.h"

#include <stddef.h>

#include "arch/arch.h"

/* ---- How many ---------------------------------------------------------------------------------------------- */

/* Of threads that call at once, one begins. A fork leaves one thread. */
static void begin(struct hpt_crowd *c, uint32_t process)
{
	uint32_t before = atomic_load_explicit(&c->process, memory_order_relaxed);

	if (before == process || !atomic_compare_exchange_strong(&c->process, &before, process))
		return;
	for (size_t i = 0; i < HPT_CROWD_WINDOWS; i++)
		atomic_store(&c->windows[i], 0);
	atomic_store_explicit(&c->sleeps, 0, memory_order_relaxed);
	atomic_store_explicit(&c->per_ms, 0, memory_order_relaxed);
	atomic_store_explicit(&c->only, 0, memory_order_relaxed);
}

/* A thread without a name is one of many. */
COLD bool hpt_crowd_join(struct hpt_crowd *c, uint32_t process, uint32_t thread)
{
	uint32_t only = 0;

	begin(c, process);
	if (thread && (atomic_compare_exchange_strong(&c->only, &only, thread) || only == thread))
		return false;
	atomic_store_explicit(&c->only, HPT_CROWD_MANY, memory_order_relaxed);
	return true;
}

/* True if a thread is to count again. One that read its clock before another's call finds some ns less than none. */
static bool is_counted(int64_t passed_ns)
{
	return passed_ns >= HPT_CROWD_COUNTED_NS || passed_ns < -HPT_CROWD_COUNTED_NS;
}

/* Of memory that programs share any content is valid, so the difference may overflow. */
static int64_t passed_since(int64_t then_ns, int64_t now_ns)
{
	return (int64_t)((uint64_t)now_ns - (uint64_t)then_ns);
}

/* The next thread that sleeps is the only one, until another does. */
static void ask_again(struct hpt_crowd *c, int64_t now_ns)
{
	int64_t asked_ns = atomic_load_explicit(&c->asked_ns, memory_order_relaxed);
	int64_t passed_ns = passed_since(asked_ns, now_ns);

	if (asked_ns && passed_ns >= 0 && passed_ns < HPT_CROWD_ASKED_NS)
		return;
	atomic_store_explicit(&c->asked_ns, now_ns, memory_order_relaxed);
	if (asked_ns)
		atomic_store_explicit(&c->only, 0, memory_order_relaxed);
}

void hpt_crowd_count(struct hpt_crowd *c, uint32_t process, int64_t now_ns)
{
	int64_t since_ns, passed_ns;
	uint32_t n;

	begin(c, process);
	atomic_fetch_add_explicit(&c->sleeps, 1, memory_order_relaxed);
	since_ns = atomic_load_explicit(&c->since_ns, memory_order_relaxed);
	passed_ns = passed_since(since_ns, now_ns);
	if (is_counted(passed_ns) &&
	    atomic_compare_exchange_strong_explicit(&c->since_ns, &since_ns, now_ns, memory_order_relaxed,
						    memory_order_relaxed)) {
		n = atomic_exchange_explicit(&c->sleeps, 0, memory_order_relaxed);
		n = passed_ns > 0 ? (uint32_t)(n * INT64_C(1000000) / passed_ns) : 0;
		atomic_store_explicit(&c->per_ms, n, memory_order_relaxed);
		ask_again(c, now_ns);
	}
}

uint32_t hpt_crowd_per_ms(const struct hpt_crowd *c, int64_t now_ns)
{
	int64_t passed_ns = passed_since(atomic_load_explicit(&c->since_ns, memory_order_relaxed), now_ns);
	bool is_known = passed_ns < 2 * HPT_CROWD_COUNTED_NS && passed_ns >= -HPT_CROWD_COUNTED_NS;

	return is_known ? atomic_load_explicit(&c->per_ms, memory_order_relaxed) : 0;
}

/* ---- Places --------------------------------------------------------------------------------------------------- */

/* A window is its end above its length, both in units of 2 us. 0: none. */
#define UNIT_BITS   11
#define LENGTH_BITS 12
#define LENGTH_MASK ((UINT64_C(1) << LENGTH_BITS) - 1)

_Static_assert(HPT_CROWD_AHEAD_NS >> UNIT_BITS < (int64_t)LENGTH_MASK, "the longest window fits");

static uint64_t window_of(int64_t from_ns, int64_t to_ns)
{
	uint64_t end = ((uint64_t)to_ns >> UNIT_BITS) + 1, length = end - ((uint64_t)from_ns >> UNIT_BITS);

	return end << LENGTH_BITS | (length < LENGTH_MASK ? length : LENGTH_MASK);
}

static uint64_t end_of(uint64_t window)
{
	return window >> LENGTH_BITS;
}

static uint64_t start_of(uint64_t window)
{
	return end_of(window) - (window & LENGTH_MASK);
}

/* An end that is too far away is of a clock that was set back, as in a restored checkpoint. */
static bool is_past(uint64_t window, uint64_t now)
{
	return end_of(window) <= now || end_of(window) > now + LENGTH_MASK;
}

static bool overlap(uint64_t a, uint64_t b)
{
	return start_of(a) < end_of(b) && start_of(b) < end_of(a);
}

/* A place in the table whose window is over. */
struct slot {
	_Atomic uint64_t *window; /* NULL: no place */
	uint64_t old;
};

/* How many windows that are under way overlap with this one. */
static uint32_t overlapping(struct hpt_crowd *c, uint64_t window, uint64_t now, struct slot *ret_free)
{
	uint32_t n = 0;

	*ret_free = (struct slot){ 0 };
	for (size_t i = 0; i < HPT_CROWD_WINDOWS; i++) {
		uint64_t other = atomic_load(&c->windows[i]);

		if (is_past(other, now))
			*ret_free = (struct slot){ &c->windows[i], other };
		else
			n += overlap(other, window);
	}
	return n;
}

static void remove_window(struct hpt_crowd *c, uint64_t window)
{
	for (size_t i = 0; i < HPT_CROWD_WINDOWS; i++) {
		uint64_t found = window;

		if (atomic_load(&c->windows[i]) == window && atomic_compare_exchange_strong(&c->windows[i], &found, 0))
			return;
	}
}

/*
 * All windows are counted again once this one is there. Of two threads that write at once at least one finds the
 * other's, in the one order that all these atomic operations have, and gives its own up.
 */
uint64_t hpt_crowd_take(struct hpt_crowd *c, uint32_t places, int64_t now_ns, int64_t from_ns, int64_t to_ns,
			uint64_t mine)
{
	uint64_t now = (uint64_t)now_ns >> UNIT_BITS, window = window_of(from_ns, to_ns);
	struct slot slot, ignored;

	if (mine && !is_past(mine, now))
		remove_window(c, mine);
	if (to_ns - now_ns > HPT_CROWD_AHEAD_NS || overlapping(c, window, now, &slot) >= places)
		return 0;
	if (!slot.window || !atomic_compare_exchange_strong(slot.window, &slot.old, window))
		return 0;
	if (overlapping(c, window, now, &ignored) <= places)
		return window;
	remove_window(c, window);
	return 0;
}
