/* SPDX-License-Identifier: MIT */
/*
 * What each thread has learned of the kernel's lateness, and its counts. Static slots, which threads claim, because
 * thread-local storage of a library that dlopen(3) loads is scarce. It has to fit into the room that glibc keeps for
 * all libraries of a process: after 1280 bytes of another library 496 did not fit. musl keeps no such room. Eight
 * bytes of it name the thread's slot, and have what threads without a slot need too.
 */
#ifndef HPT_HABITS_H
#define HPT_HABITS_H

#include "sleep/contention.h"
#include "sleep/margin.h"
#include "sleep/policy.h"
#include "sleep/slice.h"
#include "sleep/spin_limits.h"

/* Zeros: nothing. */
struct hpt_habits {
	_Alignas(64) struct hpt_margin after_brief; /* lateness after waits that a spin follows */
	struct hpt_margin after_long;               /* lateness after waits that a second wait follows */
	struct hpt_contention contention;           /* of both */
	struct hpt_slice slice;                     /* follows that */
	uint64_t waits, oversleeps, oversleep_ns;
	int64_t slack_ns; /* its timer slack when last asked for; 0: to be asked for */
	uint32_t spun;   /* sleeps since the latest trial that were all spin, though long enough for a trial */
	uint32_t early;  /* waits in a row that ended before their time, by more than half of the slack */
	uint32_t trials; /* since the latest sleep that was long enough to wait; limited */
	struct hpt_thread_limits limits; /* by hpt_spin_limits_ask() */
	uint32_t sleeps;  /* until that was called */
	uint16_t by_events; /* its latest waits for descriptors that came near their end: a bit each, 1 by an event */
	uint64_t window;    /* its latest hpt_place_take() */
	int64_t began_ns;   /* CLOCK_MONOTONIC at its latest hpt_place_begin() ... */
	bool is_among_many; /* ... which found many others, ... */
	bool is_in_full;    /* ... and no place for any spin, or it was not a sleep that spins */
	int64_t blocked_ns; /* CLOCK_MONOTONIC after its latest wait that blocked, if it has RLIMIT_RTTIME */
};

/* More threads than this can sleep, but the others learn nothing. 160 KiB of addresses; memory only where used. */
#define HPT_HABITS_SLOTS 256u

/*
 * The calling thread's. The first call of a thread claims a slot; NULL: none is free. Keeps errno. Callable from signal
 * handlers.
 */
struct hpt_habits *hpt_habits_claim(void);

/* The same, but claims nothing: zeros where the thread has no slot. Never NULL. */
const struct hpt_habits *hpt_habits_known(void);

/*
 * Beside busy threads a spin makes later sleeps late: the scheduler lets a waking thread preempt others until it has
 * used up its share, and then lets it wait for the end of a slice. With a short slice of its own the thread preempts
 * them more often, and waits less. STRICT spins all the same. policy: HPT_SLEEP_, one that learns.
 */
static inline bool hpt_habits_spin_is_useless(const struct hpt_habits *h, uint32_t policy)
{
	return policy != HPT_SLEEP_STRICT && h->contention.is_on && h->slice.kind != HPT_SLICE_SHORT &&
	       !h->slice.is_short;
}

/*
 * Of the latest 16 waits for descriptors that came near their deadline, events ended more than 12: consumers of a
 * queue, say, with short time-outs. Their spins would take the CPU from those who make the events.
 */
static inline bool hpt_habits_events_end_waits(const struct hpt_habits *h)
{
	return __builtin_popcount(h->by_events) > 12;
}

/*
 * How long the calling thread has spun since its latest wait that was long enough to block, in units of
 * HPT_HABITS_SPUN_NS, UINT16_MAX for more: 67 ms. A thread without a slot has it too. Any content is valid, since a
 * signal handler may sleep.
 */
#define HPT_HABITS_SPUN_NS 1024

uint16_t *hpt_habits_spun(void);

#endif
