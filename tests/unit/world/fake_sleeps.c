// SPDX-License-Identifier: MIT
#include "fake_sleeps.h"

#include <string.h>
#include <sys/prctl.h>

#include "unit.h"

#include "bench/sweep_summary.h"
#include "cli/err.h"

/* ---- Fakes of err_print() and of the worker ---------------------------------------------------------------------- */

void err_print(const char *fmt, ...)
{
	fail_msg("%s", fmt);
}

int fake_steps, fake_steps_wanted;
int64_t fake_step_done, fake_step_total;

bool worker_step(struct worker *w, int64_t done, int64_t total)
{
	(void)w;
	assert_true(done >= fake_step_done && done <= total);
	fake_step_done = done;
	fake_step_total = total;
	return ++fake_steps != fake_steps_wanted;
}

/* ---- Ways whose misses are known -------------------------------------------------------------------------------- */

struct fake_call fake_calls[FAKE_CALLS_MAX];
unsigned fake_n_calls;
int64_t fake_until_late, fake_for_late;

static unsigned n_calls_of[CANDIDATES], n_lengths;

/* Returns the round, from 0 on. */
static unsigned note_call(unsigned way, const struct sleep_length *asked, struct sleep_times *ret)
{
	assert_true(fake_n_calls < FAKE_CALLS_MAX);
	fake_calls[fake_n_calls].way = way;
	fake_calls[fake_n_calls].ns = asked->ns;
	fake_calls[fake_n_calls].slack_ns = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	fake_n_calls++;
	ret->before = 1000000;
	return n_calls_of[way]++ / n_lengths;
}

static int fake_until(const struct sleep_length *asked, struct sleep_times *ret)
{
	unsigned round = note_call(CANDIDATE_UNTIL, asked, ret);

	ret->target = ret->before + 100 + asked->ticks;
	ret->after = ret->target + 50 + round + fake_until_late;
	return 0;
}

static int fake_for(const struct sleep_length *asked, struct sleep_times *ret)
{
	unsigned round = note_call(CANDIDATE_FOR, asked, ret);

	ret->after = ret->before + asked->ticks + 180 + 3 * round + fake_for_late;
	return round ? HPT_STATE_DISRUPTED : HPT_STATE_OK;
}

static void fake_times(const struct sleep_length *asked, int64_t entry, int64_t exit, struct sleep_times *ret)
{
	ret->entered = ret->before + entry;
	ret->target = ret->entered + asked->ticks;
	ret->left = ret->target + 5;
	ret->after = ret->left + exit;
}

static int fake_papers(const struct sleep_length *asked, struct sleep_times *ret)
{
	note_call(CANDIDATE_PAPERS, asked, ret);
	fake_times(asked, 20, asked->ns >= asked->jiffy_ns ? 400 : 30, ret);
	return 0;
}

static int fake_nano(const struct sleep_length *asked, struct sleep_times *ret)
{
	note_call(CANDIDATE_NANO, asked, ret);
	ret->after = ret->before + asked->ticks + 60000;
	return 0;
}

/* Early by its target, but not by its length. */
static int fake_absolute(const struct sleep_length *asked, struct sleep_times *ret)
{
	note_call(CANDIDATE_ABSOLUTE, asked, ret);
	ret->target = ret->before + 10 + asked->ticks;
	ret->after = ret->target - 1;
	return 0;
}

static int fake_busy(const struct sleep_length *asked, struct sleep_times *ret)
{
	note_call(CANDIDATE_BUSY, asked, ret);
	fake_times(asked, 10, 15, ret);
	return 0;
}

static const struct sleep_candidate fakes[CANDIDATES] = {
	[CANDIDATE_UNTIL] = { "until", true, 0, fake_until },
	[CANDIDATE_FOR] = { "for", true, 0, fake_for },
	[CANDIDATE_PAPERS] = { "papers", false, 0, fake_papers },
	[CANDIDATE_NANO] = { "nano", false, 0, fake_nano },
	[CANDIDATE_ABSOLUTE] = { "absolute", false, 77, fake_absolute },
	[CANDIDATE_BUSY] = { "busy", false, 0, fake_busy },
};

struct sweep_plan fake_plan(uint32_t rounds)
{
	return (struct sweep_plan){
		.longest_ns = 8000000, .shortest_ns = 1000000, .step = 2, .rounds = rounds, .seed = 1,
	};
}

struct sweep_plan fake_papers_plan(uint32_t rounds)
{
	struct sweep_plan plan = fake_plan(rounds);

	plan.longest_ns = SWEEP_LONGEST_NS;
	plan.shortest_ns = SWEEP_SHORTEST_NS;
	plan.step = SWEEP_STEP;
	return plan;
}

void fake_prepare(const struct sweep_plan *plan, struct sweep *ret)
{
	static hpt_clock *os;

	if (!os)
		assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(sweep_prepare(plan, ret), 0);
	ret->watch = (struct stopwatch){ .clk = os, .source = HPT_SOURCE_OS };
	ret->jiffy_ns = 4000000;
	memcpy(ret->lengths_ticks, ret->lengths_ns, sizeof(ret->lengths_ticks));
	n_lengths = ret->n_lengths;
	fake_n_calls = 0;
	memset(n_calls_of, 0, sizeof(n_calls_of));
	fake_step_done = 0;
	fake_steps = 0;
}

void fake_run(struct sweep *s)
{
	sweep_run(s, fakes, NULL);
}

void fake_sweep(const struct sweep_plan *plan, struct sweep *ret)
{
	fake_prepare(plan, ret);
	fake_run(ret);
	if (sweep_rounds(ret, 0))
		sweep_summarise(ret);
}

void fake_drop(struct sweep *s)
{
	free(s->samples);
	free(s->bands);
	free(s->lengths);
}

void fake_reset(void)
{
	fake_steps_wanted = 0;
	fake_until_late = fake_for_late = 0;
}
