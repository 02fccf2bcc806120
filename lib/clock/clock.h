/* SPDX-License-Identifier: MIT */
/* A clock: one source, its anchor, and the records that conversions use. */
#ifndef HPT_CLOCK_H
#define HPT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "math/seqlatch.h"
#include "source/read_cost.h"
#include "source/source.h"
#include "rate/record.h"
#include "clock/findings.h"

struct hpt_source_status;

typedef int64_t hpt_now_fn(struct hpt_clock *clk);

/*
 * A read on one of the kernel's lines: the words of the record that hold the line, whose slope it has, and its time at
 * the start of the window (HPT_READ_ of lib/clock/read.h). One function for four lines, so that they cost no code.
 */
typedef int64_t hpt_now_os_fn(struct hpt_clock *clk, size_t line, size_t at);

struct hpt_clock {
	/*
	 * All that a read needs but the record is in two cache lines: the head of src, and the four members after src.
	 */
	_Alignas(64) struct hpt_source src;
	_Alignas(64) _Atomic(hpt_now_fn *) now_ns;
	_Atomic(hpt_now_fn *) now_ns_unordered;
	_Atomic(hpt_now_os_fn *) now_os_ns;
	struct hpt_seqlatch latch;    /* publishes records[] */
	uint32_t reason;              /* HPT_REASON_: why this source */
	bool     is_vetoed;           /* opened on request, against the verdict, whose reason it has */
	_Atomic uint32_t holders;     /* 0, or with HPT_CLOCK_HELD: not counted and never freed */
	bool     is_clocksource;       /* the kernel kept time with this counter when the clock was made */
	const struct hpt_source_status *at_load; /* an array of HPT_SOURCE_IDS: each source as load found it */
	struct hpt_read_cost cost;    /* samples 0: not computed yet from load_reads */
	uint64_t other_mticks;        /* TSC: mean cost of the ordered read that was not chosen; 0: there is one only */
	struct hpt_load_reads load_reads;
	struct hpt_anchor anchor;
	struct hpt_clock *next_held;  /* of those that are held for good */
	_Alignas(64) struct hpt_record records[HPT_SEQLATCH_SLOTS]; /* last: load does not touch them */
};

/* hpt_clock.holders: for good. A bit, so that a ref or close at the same time leaves it. */
#define HPT_CLOCK_HELD 0x80000000u

static inline bool hpt_clock_is_counted(struct hpt_clock *clk)
{
	uint32_t holders = atomic_load_explicit(&clk->holders, memory_order_relaxed);

	return holders && !(holders & HPT_CLOCK_HELD);
}

/* One more holder of a clock that the caller holds. */
static inline void hpt_clock_hold(struct hpt_clock *clk)
{
	if (hpt_clock_is_counted(clk))
		atomic_fetch_add_explicit(&clk->holders, 1, memory_order_relaxed);
}

/* A clock of zeros with one holder, for free(). NULL if there is no memory. May change errno. */
struct hpt_clock *hpt_clock_allocate(void);

/* Keeps what the judge found about the clock's source, but for the verdict. */
void hpt_clock_keep(struct hpt_clock *clk, const struct hpt_findings *found);

/*
 * The cost of a read, and the mean cost of the ordered read that was not chosen, in thousandths of a tick: as measured,
 * or computed now from the reads that load timed. samples 0: neither exists.
 */
void hpt_clock_read_cost(const struct hpt_clock *clk, struct hpt_read_cost *ret, uint64_t *ret_other);

/* True where libc's clocks may be replaced (libfaketime): the source is the OS clock, or it was judged INTERPOSED. */
bool hpt_clock_is_interposed(const struct hpt_clock *clk);

/*
 * The present time, in ns, of the kernel's clock id, by which its waits end. Where libc's clocks may be replaced this
 * asks the kernel itself; if a filter denies that, it asks libc. Keeps errno. Callable from signal handlers.
 */
int64_t hpt_clock_kernel_ns(const struct hpt_clock *clk, clockid_t id);

#endif
