// SPDX-License-Identifier: MIT
/*
 * The papers' sleep (Fedotova, Siemens, Hu 2013; listing 5.3 of the thesis) sleeps in the kernel for all but one jiffy,
 * and then spins; the busy wait only spins. See tools/bench/papers.h.
 */
#include "bench/papers.h"

#include <time.h>

#include "bench/one_sleep.h"
#include "cli/stopwatch.h"
#include "math/units.h"

/*
 * The processor's smallest page. Within a larger page, these functions are still alone in their cache lines, but not in
 * the TLB entry.
 */
#define OWN_PAGES __attribute__((section(".text.papers"), aligned(4096), noinline))

/* After everything that the compiler puts into the section: code that the linker places after it begins a new page. */
__asm__(".pushsection .text.papers, \"ax\"\n"
	".subsection 1\n"
	".balign 4096\n"
	".globl papers_end\n"
	".hidden papers_end\n"
	"papers_end:\n"
	".popsection\n");

/* Returns the last reading. */
static inline __attribute__((always_inline)) int64_t spin_until(hpt_clock *clk, bool is_tsc, int64_t target)
{
	int64_t now;

	while ((now = stopwatch_by(is_tsc, clk)) < target)
		arch_relax();
	return now;
}

OWN_PAGES static struct papers_times sleep_by_rule(const struct sleep_length *asked, bool is_tsc)
{
	hpt_clock *clk = asked->clk;
	int64_t entered = stopwatch_by(is_tsc, clk), target = entered + asked->ticks;

	if (asked->ns >= asked->jiffy_ns) {
		int64_t ns = asked->ns - asked->jiffy_ns;
		struct timespec ts = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

		nanosleep(&ts, NULL);
	}
	return (struct papers_times){ entered, spin_until(clk, is_tsc, target) };
}

OWN_PAGES static struct papers_times wait_busily(const struct sleep_length *asked, bool is_tsc)
{
	hpt_clock *clk = asked->clk;
	int64_t entered = stopwatch_by(is_tsc, clk);

	return (struct papers_times){ entered, spin_until(clk, is_tsc, entered + asked->ticks) };
}

const struct papers_door papers_rule = { sleep_by_rule }, papers_busy = { wait_busily };
