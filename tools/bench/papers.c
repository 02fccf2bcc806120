// SPDX-License-Identifier: MIT
/* Fedotova, Siemens, Hu 2013; listing 5.3 of the thesis: the kernel sleeps all but one of its ticks. papers.h. */
#include "bench/papers.h"

#include <time.h>

#include "bench/one_sleep.h"
#include "bench/stopwatch.h"
#include "units.h"

/* The processor's smallest page: larger ones have this place to themselves still in the cache, not in the TLB. */
#define OWN_PAGES __attribute__((section(".text.hpt_papers"), aligned(4096), noinline))

/* Behind all that the compiler puts there: what the linker lets follow begins a page of its own. */
__asm__(".pushsection .text.hpt_papers, \"ax\"\n"
	".subsection 1\n"
	".balign 4096\n"
	".globl hpt_papers_end\n"
	".hidden hpt_papers_end\n"
	"hpt_papers_end:\n"
	".popsection\n");

/* The last reading. */
static inline __attribute__((always_inline)) int64_t spin_until(hpt_clock *clk, bool is_tsc, int64_t target)
{
	int64_t now;

	while ((now = hpt_stopwatch_by(is_tsc, clk)) < target)
		arch_relax();
	return now;
}

OWN_PAGES static struct hpt_papers_times sleep_by_rule(const struct hpt_sleep_length *nap, bool is_tsc)
{
	hpt_clock *clk = nap->clk;
	int64_t entered = hpt_stopwatch_by(is_tsc, clk), target = entered + nap->ticks;

	if (nap->ns >= nap->jiffy_ns) {
		int64_t ns = nap->ns - nap->jiffy_ns;
		struct timespec ts = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

		nanosleep(&ts, NULL);
	}
	return (struct hpt_papers_times){ entered, spin_until(clk, is_tsc, target) };
}

OWN_PAGES static struct hpt_papers_times wait_busily(const struct hpt_sleep_length *nap, bool is_tsc)
{
	hpt_clock *clk = nap->clk;
	int64_t entered = hpt_stopwatch_by(is_tsc, clk);

	return (struct hpt_papers_times){ entered, spin_until(clk, is_tsc, entered + nap->ticks) };
}

const struct hpt_papers_door hpt_papers_rule = { sleep_by_rule }, hpt_papers_busy = { wait_busily };
