// SPDX-License-Identifier: MIT
/* Finds the step of the OS clock: lib/rate/os_step.h. clock_getres(2) states 1 ns also where the clock is coarser. */
#include "rate/os_step.h"

#include <time.h>

#include "arch/arch.h"
#include "rate/step.h"

/* In 32 reads of 20 ns a clock of 100 ns steps or finer repeats no reading, or has moved three times. */
#define READS 32

/* One of 30 us steps takes more. One that does not move in these stands still, or a jiffy is longer than they take. */
#define READS_MOST 4096

/*
 * The coarse clock is the time of the last jiffy, and any other clock is ahead of it by what a counter has added since:
 * nothing if that counter is the jiffies themselves (clocksource jiffies), or if a sandbox leaves the coarse clocks.
 */
static COLD bool is_coarse(const struct hpt_source *src, int64_t *ret_ns)
{
	int64_t before_ns = src->clock_ns(CLOCK_MONOTONIC_COARSE);

	*ret_ns = (int64_t)src->read(src);
	return *ret_ns && *ret_ns == before_ns && *ret_ns == src->clock_ns(CLOCK_MONOTONIC_COARSE);
}

/* Another clock may have just begun a jiffy too. Then its next step shows it, or a jiffy is longer than this takes. */
static COLD bool moves_by_jiffies(const struct hpt_source *src)
{
	int64_t ns, later_ns;

	if (!is_coarse(src, &ns))
		return false;
	for (int i = 0; i < READS_MOST; i++)
		if ((int64_t)src->read(src) != ns)
			return is_coarse(src, &later_ns);
	return true;
}

COLD uint64_t hpt_os_step_ns(const struct hpt_source *src)
{
	struct hpt_moves moves = { 0 };
	struct hpt_step step;
	int64_t jiffy_ns;

	if (moves_by_jiffies(src)) {
		jiffy_ns = src->env->coarse_step_ns();
		return jiffy_ns < INT64_MAX ? (uint64_t)jiffy_ns : 1;
	}
	for (int i = 0; i < READS; i++)
		hpt_moves_add(&moves, src->read(src));
	for (int i = READS; i < READS_MOST && moves.last && !hpt_moves_show_step(&moves); i++)
		hpt_moves_add(&moves, src->read(src));
	step = hpt_step_of_clock(&moves);
	return step.size ? hpt_step_lag(step) : 1;
}
