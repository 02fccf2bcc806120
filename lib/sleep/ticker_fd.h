/* SPDX-License-Identifier: MIT */
/* A ticker, and its descriptor for event loops. Each function does nothing where this process has made none. */
#ifndef HPT_TICKER_FD_H
#define HPT_TICKER_FD_H

#include "sleep/cadence.h"
#include "sleep/lateness.h"
#include "sleep/margin.h"
#include "sleep/moment.h"
#include "sleep/waiter.h"

/* due_ns where no tick will come: it is not started, or a single one is spent. */
#define HPT_TICKER_SPENT INT64_MIN

/* The atomic members are for any thread, the others for the one that has claimed the waiter. */
struct hpt_ticker {
	struct hpt_waiter waiter;
	_Atomic int64_t due_ns;      /* of the next tick on hpt_now_ns()'s timeline; INT64_MAX: never */
	_Atomic uint64_t generation; /* of that timeline: last's */
	_Atomic int64_t late_ns;     /* of the latest tick, which is not in `lateness` yet; negative: none */
	_Atomic uint64_t ticks, missed;
	_Atomic uint64_t on_missed;  /* HPT_TICKER_ in bits 0 and 1; above, the most ticks to catch up; 0: no limit */
	struct hpt_cadence cadence;
	struct hpt_beat next;
	struct hpt_moment last;      /* as of the latest wait; its timeline is next's */
	int64_t armed_ns;            /* when the descriptor becomes readable; INT64_MAX: nothing to learn from that */
	struct hpt_margin margin;    /* how late event loops are woken */
	struct hpt_lateness lateness;
};

/*
 * Before a wait: learns from it, and arms the descriptor for the tick after the next, unless the next one is due.
 * Returns the tick that it is armed for; INT64_MIN: none.
 */
int64_t hpt_ticker_fd_before(struct hpt_ticker *t, int64_t now_ns, int64_t due_ns, int64_t after_ns);

/* After a wait, or a change of the cadence: arms the descriptor for the next tick unless it is armed for that. */
void hpt_ticker_fd_after(struct hpt_ticker *t, int64_t armed_for_ns, int r);

/* Makes the descriptor readable. */
void hpt_ticker_fd_ring(struct hpt_ticker *t);

#endif
