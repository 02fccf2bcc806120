// SPDX-License-Identifier: MIT
/* Measures ways to sleep by their cost and their lateness: tools/bench/frontier.h. */
#include "bench/frontier.h"

#include <unistd.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "bench/candidates_sleep.h"
#include "bench/spin_sleep.h"
#include "bench/sweep.h"
#include "math/units.h"

/* The window of a margin follows change within 100 sleeps, and the policies share what the wakes of a thread teach. */
#define SETTLING 100

/* ---- The ways -------------------------------------------------------------------------------------------------- */

static int sleep_until(const struct sleep_length *asked, struct sleep_times *ret)
{
	return sleep_candidates[CANDIDATE_UNTIL].sleep(asked, ret);
}

static int sleep_absolute(const struct sleep_length *asked, struct sleep_times *ret)
{
	return sleep_candidates[CANDIDATE_ABSOLUTE].sleep(asked, ret);
}

static int sleep_papers(const struct sleep_length *asked, struct sleep_times *ret)
{
	struct sleep_length with = *asked;

	with.jiffy_ns = sweep_jiffy_ns();
	return sleep_candidates[CANDIDATE_PAPERS].sleep(&with, ret);
}

#define WAYS \
	{ "hpt, FRUGAL", true, 0, sleep_until }, { "hpt, BALANCED", true, 0, sleep_until }, \
	{ "hpt, STRICT", true, 0, sleep_until }, { "clock_nanosleep", false, 0, sleep_absolute }, \
	{ "spin_sleep's rule", false, 0, spin_sleep }, { "papers' rule", false, 0, sleep_papers }

const struct sleep_candidate frontier_ways[FRONTIER_REGIMES * FRONTIER_WAYS] = { WAYS, WAYS };

const char *const frontier_regimes[FRONTIER_REGIMES] = { "idle CPUs as they are", "CPUs held awake" };

static const uint32_t policies[FRONTIER_WAYS] = {
	[FRONTIER_FRUGAL] = HPT_SLEEP_FRUGAL, [FRONTIER_STRICT] = HPT_SLEEP_STRICT,
	[FRONTIER_BALANCED] = HPT_SLEEP_BALANCED, [FRONTIER_KERNEL] = HPT_SLEEP_BALANCED,
	[FRONTIER_SPIN_SLEEP] = HPT_SLEEP_BALANCED, [FRONTIER_PAPERS] = HPT_SLEEP_BALANCED,
};

/* ---- The regimes ------------------------------------------------------------------------------------------------ */

static int awake_fd = -1;

static void enter(unsigned way)
{
	hpt_sleep_set_policy(policies[way % FRONTIER_WAYS], 0);
	if (way / FRONTIER_WAYS == FRONTIER_AWAKE)
		awake_fd = hpt_low_latency_open(0);
}

static void leave(unsigned way)
{
	(void)way;
	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0);
	if (awake_fd >= 0)
		close(awake_fd);
	awake_fd = -1;
}

#define SET(n_regimes) { .ways = frontier_ways, .n_ways = (n_regimes) * FRONTIER_WAYS, .n_rates = 1, \
			 .settling = SETTLING, .enter = enter, .leave = leave }

static const struct paced_set sets[FRONTIER_REGIMES] = { SET(1), SET(2) };

/* 0, or a negative errno: they cannot be held awake. */
static int try_awake(void)
{
	int fd = hpt_low_latency_open(0);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

int frontier_prepare(const struct paced_plan *plan, struct frontier *ret)
{
	struct paced_plan own = *plan;
	int error = try_awake(), r;

	own.set = &sets[error ? 0 : 1];
	r = paced_prepare(&own, &ret->paced);
	if (r)
		return r;
	ret->awake_error = error;
	ret->n_regimes = error ? 1 : FRONTIER_REGIMES;
	return 0;
}

void frontier_measure(void *data, struct worker *w)
{
	struct frontier *f = data;

	paced_measure(&f->paced, w);
}

static uint64_t count_late(const struct frontier *f, const struct paced_row *row)
{
	uint64_t late = 0;

	for (size_t i = 0; i < paced_sleeps(&f->paced, 0); i++)
		late += row->late_ps[i] > FRONTIER_LATE_NS * PS_PER_NS;
	return late;
}

bool frontier_summarise(void *frontier)
{
	struct frontier *f = frontier;

	if (!paced_summarise(&f->paced))
		return false;
	for (unsigned regime = 0; regime < f->n_regimes; regime++)
		for (unsigned way = 0; way < FRONTIER_WAYS; way++)
			f->late[regime][way] = count_late(f, frontier_row(f, regime, way));
	return true;
}
