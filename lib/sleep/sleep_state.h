/* SPDX-License-Identifier: MIT */
/* The state of a sleep under way, by groups: what was asked for, the spin, the watchdog's memory, the kernel's view. */
#ifndef HPT_SLEEP_STATE_H
#define HPT_SLEEP_STATE_H

#include "rate/record.h"
#include "clock/duration.h"
#include "sleep/spin.h"

/* How a deadline is given. */
enum hpt_deadline_kind {
	HPT_DEADLINE_TICK,     /* a tick of the clock */
	HPT_DEADLINE_NS,       /* on hpt_now_ns()'s timeline */
	HPT_DEADLINE_AFTER_NS, /* after the call */
	/* In ns by a clock of the kernel, with its steps and its slew: see hpt_deadline_clock(). */
	HPT_DEADLINE_UNIX_NS,
	HPT_DEADLINE_MONOTONIC_NS,
	HPT_DEADLINE_BOOTTIME_NS,
	HPT_DEADLINE_TAI_NS,
};

/* The deadline as given. The first check makes a duration a time on the timeline. */
struct hpt_asked {
	enum hpt_deadline_kind kind;
	int64_t at;                /* in ticks, or in ns on its timeline */
	uint64_t start;            /* the tick from which durations count */
};

/* The rate by which counter and clock are compared. */
struct hpt_compared {
	struct hpt_scale ns_per_tick;
	uint64_t error_ppb; /* a large one: not known */
};

/* What the watchdog remembers from one check to the next. */
struct hpt_watch {
	uint32_t seen;             /* the current record's sequence before the first tick was read; 0: there was none */
	bool is_checked;           /* there was a check, which has set the members below */
	uint64_t generation;       /* of the record by which the latest check compared */
	struct hpt_compared rate;  /* of the latest check */
	struct hpt_bracket first;  /* of the reference clock: at the first check, or where it last diverged ... */
	struct hpt_bracket latest; /* ... and at the latest check */
};

/* The end of the sleep by the kernel's clocks, as of the latest check. */
struct hpt_kernels_end {
	bool is_learning;          /* no rate is known, or a provisional one: a time in ticks is a guess in ns */
	bool is_blind;             /* no clock could be read: hpt_sample_is_blind() */
	bool is_known;             /* then: ns is right, by an earlier check or by definition */
	int64_t ns;                /* the deadline on CLOCK_MONOTONIC; fixed once the counter has lost time */
	int64_t os_ahead_ns;       /* the deadline's clock less the library's line of it */
};

struct hpt_sleep {
	const struct hpt_sleeper *s;
	struct hpt_asked asked;
	uint32_t state;            /* HPT_STATE_: not OK once counter and clock have diverged */
	struct hpt_spin spin;      /* the deadline in ticks and the latest tick read */
	struct hpt_scales rates;    /* as the sleep began */
	struct hpt_watch watch;
	struct hpt_kernels_end end;
	uint64_t unchecked;        /* ticks after spin.until in which a read needs no check for a jump; 0: none */
};

#endif
