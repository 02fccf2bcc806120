/* SPDX-License-Identifier: MIT */
/*
 * A sleep under way: its deadline in ticks, the time left, and whether the counter and CLOCK_MONOTONIC still agree. All
 * functions keep errno, and any thread or signal handler may call them on a sleep of its own.
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

/* A sleep under way. */
struct hpt_sleep {
	const struct hpt_sleeper *s;
	enum hpt_deadline_kind kind;
	uint32_t state;              /* HPT_STATE_: not OK once counter and clock have diverged */
	int64_t at;                  /* the deadline as given: in ticks, or in ns on its timeline */
	struct hpt_spin spin;        /* the deadline in ticks and the latest tick read */
	int64_t wall_ahead_ns;       /* CLOCK_REALTIME less hpt_now_unix_ns(), unless so large that it was a step */
	struct hpt_rates rates;      /* as the sleep began */
	struct hpt_scale mono_per_tick;
	struct hpt_bracket first;    /* both clocks before the first wait, or where they last diverged ... */
	struct hpt_bracket latest;   /* ... and after the latest wait */
	uint64_t generation;
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

/* Computes the deadline in ticks. Call right after the counter read, spin.now, that a duration starts from. */
void hpt_deadline_start(struct hpt_sleep *sl, int64_t at, uint64_t unit_ns);

/* Recomputes the deadline in ticks by the present record; does nothing where it is given in ticks. */
void hpt_deadline_recompute(struct hpt_sleep *sl);

/* Records counter and clock. Call before the first wait in the kernel. */
void hpt_deadline_begin(struct hpt_sleep *sl);

/*
 * Call between two waits in the kernel. Returns by how many ns the counter gained on CLOCK_MONOTONIC (negative: lost);
 * 0 within tolerance. Beyond the tolerance, sets the state.
 */
int64_t hpt_deadline_diverged_ns(struct hpt_sleep *sl);

/* Recomputes the deadline on CLOCK_MONOTONIC, spin.end_ns, since the clock's rate and the deadline may have changed. */
void hpt_deadline_set_end(struct hpt_sleep *sl);

/* Call where counter and clock have diverged: samples the clocks for the cause and sets the state. */
void hpt_deadline_note_diverged(struct hpt_sleep *sl);

#endif
