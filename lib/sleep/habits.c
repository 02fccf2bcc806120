// SPDX-License-Identifier: MIT
/* Slots that threads claim by compare-and-swap, and lose when they end or their process forks: lib/sleep/habits.h. */
#include "sleep/habits.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/process.h"

static struct hpt_habits slots[HPT_HABITS_SLOTS];

/*
 * The thread that holds a slot: its ID, which is below 2^22 (PID_MAX_LIMIT of Linux's include/linux/threads.h), and
 * above that its process's number modulo 1024. 0: free.
 */
static _Atomic uint32_t owners[HPT_HABITS_SLOTS];

#define THREAD_BITS 22
#define THREAD_MASK ((UINT32_C(1) << THREAD_BITS) - 1)

/* If all slots have owners, this many of them are asked whether they still live: a system call each. */
#define ASKED 8

static _Atomic uint32_t next_asked;

/*
 * The thread's slot. musl's dlopen() refuses libraries with initial-exec storage; its dynamic storage is allocated by
 * dlopen() and pthread_create(), so that a signal handler may be the first to touch it. glibc allocates dynamic storage
 * when it is first touched, which a signal handler must not do, so there it is initial-exec.
 */
#ifdef __GLIBC__
#define TLS _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define TLS _Thread_local
#endif

static TLS struct {
	_Atomic uint32_t process; /* in which the slot is the thread's; 0: no slot. Written last: signal handlers. */
	_Atomic uint16_t slot;    /* 1 for slots[0] ... */
	uint16_t spun;            /* hpt_habits_spun() */
} this_thread;

_Static_assert(HPT_HABITS_SLOTS <= UINT16_MAX, "a slot's number fits");
_Static_assert(sizeof(this_thread) <= 8, "every thread of every program that loads the library has one");

static struct hpt_habits *keep(uint32_t slot)
{
	atomic_store_explicit(&this_thread.slot, (uint16_t)(slot + 1), memory_order_relaxed);
	atomic_signal_fence(memory_order_release);
	atomic_store_explicit(&this_thread.process, hpt_process(), memory_order_relaxed);
	return &slots[slot];
}

static bool is_of_this_process(uint32_t owner)
{
	return (owner ^ hpt_process() << THREAD_BITS) <= THREAD_MASK;
}

static bool take_slot(uint32_t slot, uint32_t owner, uint32_t self)
{
	if (!atomic_compare_exchange_strong(&owners[slot], &owner, self))
		return false;
	memset(&slots[slot], 0, sizeof(slots[slot]));
	return true;
}

/*
 * Takes a free slot, or one that a process before this one held. Returns HPT_HABITS_SLOTS if there is no such slot.
 * (If a signal handler sleeps between this and keep(), the thread holds a second slot until it ends.)
 */
static uint32_t take_free(uint32_t self)
{
	for (uint32_t i = 0; i < HPT_HABITS_SLOTS; i++) {
		uint32_t slot = (self + i) % HPT_HABITS_SLOTS, owner = atomic_load(&owners[slot]);

		if ((!owner || !is_of_this_process(owner)) && take_slot(slot, owner, self))
			return slot;
	}
	return HPT_HABITS_SLOTS;
}

static uint32_t take_from_the_dead(uint32_t self)
{
	for (uint32_t i = 0; i < ASKED; i++) {
		uint32_t slot = atomic_fetch_add(&next_asked, 1) % HPT_HABITS_SLOTS, owner = atomic_load(&owners[slot]);

		if (hpt_thread_is_gone(owner & THREAD_MASK) && take_slot(slot, owner, self))
			return slot;
	}
	return HPT_HABITS_SLOTS;
}

/* The slot that this thread had before its process was forked: its own still, unless another thread was faster. */
static bool take_back(uint32_t slot, uint32_t self)
{
	uint32_t owner = atomic_load(&owners[slot]);

	return !is_of_this_process(owner) && atomic_compare_exchange_strong(&owners[slot], &owner, self);
}

static COLD __attribute__((noinline)) struct hpt_habits *claim(void)
{
	uint32_t before = atomic_load_explicit(&this_thread.slot, memory_order_relaxed), slot, self;
	int saved = errno;

	self = hpt_thread_id() & THREAD_MASK;
	if (self)
		self |= hpt_process() << THREAD_BITS;
	if (self && before && take_back(before - 1, self)) {
		slot = before - 1;
		slots[slot].sleeps = 0; /* its limits may be others: SCHED_RESET_ON_FORK, another control group */
		slots[slot].limits = (struct hpt_thread_limits){ 0 };
	} else {
		slot = self ? take_free(self) : HPT_HABITS_SLOTS;
	}
	if (self && slot == HPT_HABITS_SLOTS)
		slot = take_from_the_dead(self);
	errno = saved;
	return slot < HPT_HABITS_SLOTS ? keep(slot) : NULL;
}

/* The slot that this thread has claimed in this process; NULL: none. */
static struct hpt_habits *claimed(void)
{
	if (atomic_load_explicit(&this_thread.process, memory_order_relaxed) != hpt_process())
		return NULL;
	atomic_signal_fence(memory_order_acquire);
	return &slots[atomic_load_explicit(&this_thread.slot, memory_order_relaxed) - 1];
}

struct hpt_habits *hpt_habits_claim(void)
{
	struct hpt_habits *h = claimed();

	return likely(h != NULL) ? h : claim();
}

const struct hpt_habits *hpt_habits_known(void)
{
	static struct hpt_habits nothing; /* not const: that would be 640 bytes of zeros in the file */
	const struct hpt_habits *h = claimed();

	return h ? h : &nothing;
}

uint16_t *hpt_habits_spun(void)
{
	return &this_thread.spun;
}
