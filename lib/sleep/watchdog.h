/* SPDX-License-Identifier: MIT */
/*
 * The watchdog of sleeps: whether the counter and the kernel's clock still agree. It compares with CLOCK_MONOTONIC_RAW,
 * for the OS clock with CLOCK_MONOTONIC, and says what it finds; what follows from that for a sleep is sleep_check.c's.
 */
#ifndef HPT_WATCHDOG_H
#define HPT_WATCHDOG_H

#include <time.h>

#include "sleep/sleep_state.h"

/* The kernel's clocks, all read between two reads of the counter. */
struct hpt_reading {
	struct hpt_bracket b; /* of the reference clock: CLOCK_MONOTONIC_RAW; for the OS clock CLOCK_MONOTONIC */
	int64_t mono_ns;      /* CLOCK_MONOTONIC */
	int64_t os_ns;        /* the program's clock that the sleep follows */
	bool is_blind;        /* no clock could be read */
};

struct hpt_found {
	struct hpt_reading r;
	int64_t gained_ns;       /* by the counter since the check before (negative: lost); 0 within what is allowed */
	int64_t os_ahead_ns;     /* the clock that the sleep follows less the library's line of it, if it does */
	bool is_new;             /* the record is of another generation than that of the check before */
	/* The first check's: since the record that was current before the first tick. */
	bool is_known;           /* that old record still exists; otherwise it is a later one */
	struct hpt_bracket old;  /* the latest reading of that record */
	int64_t moved_ns;        /* what the counter gained since, if the check is suspicious */
	int64_t stepped_ns;      /* the same, less what the clock itself has moved */
};

/*
 * Compares: the first time with the record that was current before the first tick, later with the check before.
 * gained_ns is 0 within HPT_DIVERGED_NS and the error of the rate; negative also where no clock can be read. *rec
 * becomes the record as of the reading. id: the clock that the sleep follows, as hpt_deadline_clock(). May change
 * errno.
 */
struct hpt_found hpt_watchdog_check(struct hpt_watch *w, struct hpt_clock *clk, clockid_t id, struct hpt_record *rec);

#endif
