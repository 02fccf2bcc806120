// SPDX-License-Identifier: MIT
#include "fake_paced.h"

#include <stdlib.h>

#include "unit.h"

#include "bench/worker.h"

int64_t paced_steps, paced_steps_wanted, paced_step_done, paced_step_total;

bool worker_step(struct worker *w, int64_t done, int64_t total)
{
	(void)w;
	assert_true(done >= paced_step_done && done <= total);
	paced_step_done = done;
	paced_step_total = total;
	return ++paced_steps != paced_steps_wanted;
}

_Atomic unsigned paced_calls[PACED_WAYS], paced_n_order;
unsigned paced_order[PACED_ORDER_MAX];
uint32_t paced_threads = 1;

static int64_t (*lateness)(unsigned way, unsigned n);

static int fake(unsigned way, struct sleep_times *ret)
{
	unsigned n = paced_n_order++;

	if (n < PACED_ORDER_MAX)
		paced_order[n] = way;
	ret->before = 1000;
	ret->target = 5000000;
	ret->after = ret->target + lateness(way, paced_calls[way]++);
	return 0;
}

static int fake_until(const struct sleep_length *asked, struct sleep_times *ret)
{
	(void)asked;
	return fake(PACED_UNTIL, ret);
}

static int fake_kernel(const struct sleep_length *asked, struct sleep_times *ret)
{
	(void)asked;
	return fake(PACED_KERNEL, ret);
}

/* Its clocks diverge always. */
static int fake_spin_sleep(const struct sleep_length *asked, struct sleep_times *ret)
{
	(void)asked;
	fake(PACED_SPIN_SLEEP, ret);
	return HPT_STATE_DISRUPTED;
}

static const struct sleep_candidate fakes[PACED_WAYS] = {
	[PACED_UNTIL] = { "until", true, 0, fake_until },
	[PACED_KERNEL] = { "kernel", false, 0, fake_kernel },
	[PACED_SPIN_SLEEP] = { "spin", false, 0, fake_spin_sleep },
};

void paced_run(uint32_t rounds, uint32_t seed, int64_t (*late)(unsigned way, unsigned n), struct paced *ret)
{
	static const struct paced_set set = { .ways = fakes, .n_ways = PACED_WAYS, .n_rates = PACED_RATES,
					      .settling = PACED_SETTLING };
	const struct paced_plan plan = { .set = &set, .load = 3, .threads = paced_threads, .rounds = rounds,
					 .seed = seed };
	static hpt_clock *os;

	if (!os)
		assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(paced_prepare(&plan, ret), 0);
	ret->watch = (struct stopwatch){ .clk = os, .source = HPT_SOURCE_OS };
	lateness = late;
	paced_steps = paced_step_done = 0;
	paced_n_order = 0;
	for (unsigned way = 0; way < PACED_WAYS; way++)
		paced_calls[way] = 0;
	assert_int_equal(paced_run_ways(ret, NULL), 0);
}

void paced_free(struct paced *s)
{
	for (unsigned rate = 0; rate < PACED_RATES; rate++)
		for (unsigned way = 0; way < PACED_WAYS; way++) {
			free(s->rows[rate][way].late_ps);
			free(s->rows[rate][way].turns);
		}
}
