/* SPDX-License-Identifier: MIT */
/*
 * A sleep under way: its deadline in ticks, the time left, and whether the counter and the kernel's clock still agree.
 * All functions keep errno, and any thread or signal handler may call them on a sleep of its own.
 */
#ifndef HPT_DEADLINE_H
#define HPT_DEADLINE_H

#include "clock/duration.h"
#include "sleep/spin.h"

/* How a deadline is given. */
enum hpt_deadline_kind {
	HPT_DEADLINE_TICK,        /* a tick of the clock */
	HPT_DEADLINE_AFTER_TICKS, /* this many ticks after the call */
	HPT_DEADLINE_NS,          /* on hpt_now_ns()'s timeline */
	HPT_DEADLINE_AFTER_NS,    /* after the call, in units of hpt_deadline_start()'s unit_ns */
	HPT_DEADLINE_UNIX_NS,     /* Unix time in ns */
};

/* The rate by which counter and clock are compared. */
struct hpt_compared {
	struct hpt_scale ns_per_tick;
	uint64_t error_ppb; /* a large one: not known */
};

/* A sleep under way. */
struct hpt_sleep {
	const struct hpt_sleeper *s;
	enum hpt_deadline_kind kind;
	uint32_t state;              /* HPT_STATE_: not OK once counter and clock have diverged */
	int64_t at;                  /* the deadline as given: in ticks, or in ns on its timeline */
	struct hpt_spin spin;        /* the deadline in ticks and the latest tick read */
	uint64_t start;              /* the tick from which durations count */
	uint32_t seen;               /* the current record's sequence, loaded before that read; 0: there was none */
	struct hpt_rates rates;      /* as the sleep began */
	bool is_checked;             /* hpt_deadline_check() has set the members below */
	bool is_learning;            /* no rate is known: a time in ticks is a guess in ns */
	bool is_blind;               /* at the latest check no clock could be read: hpt_sample_is_blind() */
	bool has_end;                /* then: end_ns is right, by an earlier check or by definition */
	uint64_t generation;         /* of the record by which the latest check compared */
	struct hpt_compared rate;    /* of the latest check */
	struct hpt_bracket first;    /* of the reference clock: at the first check, or where it last diverged ... */
	struct hpt_bracket latest;   /* ... and at the latest check */
	int64_t end_ns;              /* the deadline on CLOCK_MONOTONIC; fixed once the counter has lost time */
	int64_t wall_ahead_ns;       /* CLOCK_REALTIME less hpt_now_unix_ns(), at the latest check */
	uint64_t unchecked;          /* ticks after spin.until in which a read needs no check for a jump; 0: none */
};

/* The time left at the latest read, by the rate as the sleep began. */
static inline int64_t hpt_deadline_left_ns(const struct hpt_sleep *sl)
{
	return hpt_scale_round((int64_t)(sl->spin.deadline - sl->spin.now), sl->rates.ns_per_tick);
}

/* True if the latest read is at or after the deadline. */
static inline bool hpt_deadline_is_over(const struct hpt_sleep *sl)
{
	return (int64_t)sl->spin.now >= (int64_t)sl->spin.deadline;
}

/* A first tick further than this before `now`, 25 us at 2.6 GHz, is not used: the counter jumped, or a preemption. */
#define HPT_DEADLINE_FIRST_TICKS 65536u

/*
 * The tick from which durations count: `first`, read at the very beginning, or, without one (0), `now`. That tick is
 * read after the record's sequence is loaded. If the counter jumped in between, only `now` is of that record.
 */
static inline uint64_t hpt_deadline_from(uint64_t first, uint64_t now)
{
	return first && now - first < HPT_DEADLINE_FIRST_TICKS ? first : now;
}

/*
 * Computes the deadline in ticks. Call right after the counter read spin.now, which follows the load of the record's
 * sequence.
 */
void hpt_deadline_start(struct hpt_sleep *sl, int64_t at, uint64_t unit_ns);

/*
 * Compares the counter with the kernel's clock: with CLOCK_MONOTONIC_RAW, for the OS clock with CLOCK_MONOTONIC. The
 * first check compares with the current record, a later one with the check before. Then recomputes the deadline and
 * end_ns. Call before the first wait, after each wait, and where the spin asks for it.
 *
 * Returns by how many ns the counter gained since; 0 within HPT_DIVERGED_NS and the error of the rate. If it gained or
 * lost, the state is set. If it lost (negative), end_ns is the end of the sleep by the clock that did not stop: wait
 * for that. Where no clock can be read the result is negative too, and the state DISRUPTED.
 */
int64_t hpt_deadline_check(struct hpt_sleep *sl);

#endif
