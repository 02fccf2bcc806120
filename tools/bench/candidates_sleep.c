// SPDX-License-Identifier: MIT
/*
 * The ways to sleep, and their table: tools/bench/candidates_sleep.h. Each way reads the stopwatch right at the call,
 * as a program would. After a long sleep no further code or data is in a cache, so each loads what a reading needs
 * before the sleep begins.
 */
#include "bench/candidates_sleep.h"

#include <time.h>

#include "hpt/hpt.h"

#include "bench/one_sleep.h"
#include "bench/papers.h"
#include "cli/stopwatch.h"
#include "math/units.h"

static struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };
}

static int sleep_until(const struct sleep_length *asked, struct sleep_times *ret)
{
	const bool is_tsc = asked->is_tsc;
	hpt_clock *const clk = asked->clk;
	int r;

	ret->before = stopwatch_by(is_tsc, clk);
	ret->target = stopwatch_by(is_tsc, clk) + asked->ticks;
	r = hpt_sleep_until_ticks(clk, ret->target);
	ret->after = stopwatch_by(is_tsc, clk);
	return r;
}

static int sleep_for(const struct sleep_length *asked, struct sleep_times *ret)
{
	const bool is_tsc = asked->is_tsc;
	hpt_clock *const clk = asked->clk;
	int r;

	ret->before = stopwatch_by(is_tsc, clk);
	r = hpt_sleep_ns(clk, asked->ns);
	ret->after = stopwatch_by(is_tsc, clk);
	return r;
}

/* Inline: no call may stand between the stopwatch and the door that the other ways do not have. */
static inline int sleep_by(const struct papers_door *door, const struct sleep_length *asked,
			   struct sleep_times *ret)
{
	const bool is_tsc = asked->is_tsc;
	hpt_clock *const clk = asked->clk;
	struct papers_times times;

	ret->before = stopwatch_by(is_tsc, clk);
	times = door->enter(asked, is_tsc);
	ret->after = stopwatch_by(is_tsc, clk);
	ret->entered = times.entered;
	ret->target = times.entered + asked->ticks;
	ret->left = times.left;
	return 0;
}

static int sleep_papers(const struct sleep_length *asked, struct sleep_times *ret)
{
	return sleep_by(&papers_rule, asked, ret);
}

static int sleep_nano(const struct sleep_length *asked, struct sleep_times *ret)
{
	const struct timespec ts = timespec_of(asked->ns);
	const bool is_tsc = asked->is_tsc;
	hpt_clock *const clk = asked->clk;

	ret->before = stopwatch_by(is_tsc, clk);
	nanosleep(&ts, NULL);
	ret->after = stopwatch_by(is_tsc, clk);
	return 0;
}

/*
 * The stopwatch is read before CLOCK_MONOTONIC: a sleep that the kernel ends in time is then not early by the
 * stopwatch.
 */
static int sleep_absolute(const struct sleep_length *asked, struct sleep_times *ret)
{
	const bool is_tsc = asked->is_tsc;
	hpt_clock *const clk = asked->clk;
	struct timespec ts;

	ret->before = stopwatch_by(is_tsc, clk);
	ret->target = stopwatch_by(is_tsc, clk) + asked->ticks;
	ts = timespec_of(stopwatch_os_ns(CLOCK_MONOTONIC) + asked->ns);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	ret->after = stopwatch_by(is_tsc, clk);
	return 0;
}

static int wait_busily(const struct sleep_length *asked, struct sleep_times *ret)
{
	return sleep_by(&papers_busy, asked, ret);
}

const struct sleep_candidate sleep_candidates[CANDIDATES] = {
	[CANDIDATE_UNTIL] = { "hpt_sleep_until_ticks", true, 0, sleep_until },
	[CANDIDATE_FOR] = { "hpt_sleep_ns", true, 0, sleep_for },
	[CANDIDATE_PAPERS] = { "papers' rule", false, 0, sleep_papers },
	[CANDIDATE_NANO] = { "nanosleep", false, 0, sleep_nano },
	[CANDIDATE_ABSOLUTE] = { "clock_nanosleep, slack 1", false, 1, sleep_absolute },
	[CANDIDATE_BUSY] = { "busy wait", false, 0, wait_busily },
};
