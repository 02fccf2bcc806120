/* SPDX-License-Identifier: MIT */
/* A sleep under way: what is left of it, and whether counter and clock still go together. */
#ifndef HPT_DEADLINE_H
#define HPT_DEADLINE_H

#include "clock/time.h"
#include "sleep/spin.h"

/*
 * What a wait in the kernel must have to do at least: less is spun. A wait whose time is past already costs 14 us in a
 * virtual machine, where the timer is armed all the same.
 */
#define HPT_LEAST_WAIT_NS 4000

/* What a deadline is counted in. */
enum hpt_deadline_kind {
	HPT_DEADLINE_TICK,
	HPT_DEADLINE_AFTER_TICKS, /* this many ticks after the call */
	HPT_DEADLINE_NS,          /* on hpt_now_ns()'s timeline */
	HPT_DEADLINE_AFTER_NS,    /* this many units of unit_ns after the call */
	HPT_DEADLINE_UNIX_NS,
};

/* A sleep under way. */
struct hpt_sleep {
	const struct hpt_sleeper *s;
	enum hpt_deadline_kind kind;
	uint32_t state;              /* HPT_STATE_: counter and clock parted */
	int64_t at;                  /* the deadline on its line */
	struct hpt_spin spin;        /* the deadline in ticks and the latest tick, as far as is known */
	int64_t wall_ahead_ns;       /* CLOCK_REALTIME beyond hpt_now_unix_ns(), as far as that is no step */
	struct hpt_rates rates;
	struct hpt_scale mono_per_tick;
	struct hpt_bracket first;    /* where the first stage began, or the one behind which they parted ... */
	struct hpt_bracket latest;   /* ... and the latest */
	uint64_t generation;
	uint64_t plain;              /* ticks: a read that is less behind the deadline ends it, without more ado */
};

/* By the rate of when the sleep began. */
static inline int64_t hpt_deadline_left_ns(const struct hpt_sleep *sl)
{
	return hpt_scale_round((int64_t)(sl->spin.deadline - sl->spin.now), sl->rates.ns_per_tick);
}

static inline bool hpt_deadline_is_over(const struct hpt_sleep *sl)
{
	return (int64_t)sl->spin.now >= (int64_t)sl->spin.deadline;
}

/* Behind the read of the counter that the time counts from: the deadline in ticks. */
void hpt_deadline_start(struct hpt_sleep *sl, int64_t at, uint64_t unit_ns);

/* The deadline in ticks anew, by what is known now; nothing where it is given in ticks. */
void hpt_deadline_recompute(struct hpt_sleep *sl);

/* Counter and clock as they are now, in front of the first stage. */
void hpt_deadline_begin(struct hpt_sleep *sl);

/*
 * Behind a stage, and in front of the next: 0, or how far the counter came beyond the clock (or less far) if that is
 * more than can be. The state is noted then.
 */
int64_t hpt_deadline_diverged_ns(struct hpt_sleep *sl);

/* The deadline by CLOCK_MONOTONIC as it is known now: the clock's rate and the deadline may have changed. */
void hpt_deadline_set_end(struct hpt_sleep *sl);

/* Counter and clock have parted: looks at the clocks for what it was, and notes the state. */
void hpt_deadline_note_diverged(struct hpt_sleep *sl);

#endif
