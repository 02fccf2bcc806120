// SPDX-License-Identifier: MIT
/* Whether the kernel's clock has the last word on a wait: lib/sleep/last_word.h. */
#include "sleep/last_word.h"

#include "arch/arch.h"
#include "math/units.h"
#include "clock/timekeeper.h"

/* By how much CLOCK_MONOTONIC advances while a counter must change. The slowest ticks once in a millisecond. */
#define STILL_NS (2 * NS_PER_MS)

/* Reads in a row that show it where that clock cannot be read: a sleep in a sandbox counts likewise. */
#define STILL_READS 4096

static int64_t line_now(struct hpt_clock *clk, enum hpt_deadline_kind kind)
{
	return kind == HPT_DEADLINE_NS ? hpt_now_ns(clk) : (int64_t)clk->src.read(&clk->src);
}

static bool stands_still(struct hpt_clock *clk, enum hpt_deadline_kind kind)
{
	int64_t first = line_now(clk, kind), begun_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC), now_ns = begun_ns;

	for (int reads = 0; now_ns - begun_ns < STILL_NS && (now_ns || reads < STILL_READS); reads++) {
		if (line_now(clk, kind) != first)
			return false;
		arch_relax();
		now_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC);
	}
	return true;
}

/* Nanoseconds are the kernel's then, and ticks are those of a counter that jumps again and again. */
static bool is_demoted(struct hpt_clock *clk)
{
	struct hpt_record rec;

	hpt_timekeeper_current(clk, &rec);
	return rec.state == HPT_STATE_DEMOTED;
}

COLD bool hpt_last_word_is_kernels(struct hpt_clock *clk, enum hpt_deadline_kind kind)
{
	bool is_os = clk->src.rate.origin == HPT_ORIGIN_EXACT, is_ticks = kind == HPT_DEADLINE_TICK;

	return (is_ticks && is_demoted(clk)) || ((!is_ticks || is_os) && hpt_sample_is_blind(&clk->src)) ||
	       stands_still(clk, kind);
}
