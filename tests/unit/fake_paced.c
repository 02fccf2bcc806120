// SPDX-License-Identifier: MIT
#include "fake_paced.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "bench/worker.h"

int64_t paced_steps, paced_steps_wanted, paced_step_done, paced_step_total;

bool hpt_worker_step(struct hpt_worker *w, int64_t done, int64_t total)
{
	(void)w;
	assert_true(done >= paced_step_done && done <= total);
	paced_step_done = done;
	paced_step_total = total;
	return ++paced_steps != paced_steps_wanted;
}

unsigned paced_calls[HPT_PACED_WAYS];
unsigned paced_order[PACED_ORDER_MAX], paced_n_order;

static int64_t (*lateness)(unsigned way, unsigned n);

static int fake(unsigned way, struct hpt_sleep_times *ret)
{
	if (paced_n_order < PACED_ORDER_MAX)
		paced_order[paced_n_order++] = way;
	ret->before = 1000;
	ret->target = 5000000;
	ret->after = ret->target + lateness(way, paced_calls[way]++);
	return 0;
}

static int fake_until(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret)
{
	(void)asked;
	return fake(HPT_PACED_UNTIL, ret);
}

static int fake_kernel(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret)
{
	(void)asked;
	return fake(HPT_PACED_KERNEL, ret);
}

/* Its clocks diverge always. */
static int fake_spin_sleep(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret)
{
	(void)asked;
	fake(HPT_PACED_SPIN_SLEEP, ret);
	return HPT_STATE_DISRUPTED;
}

static const struct hpt_sleep_candidate fakes[HPT_PACED_WAYS] = {
	[HPT_PACED_UNTIL] = { "until", true, 0, fake_until },
	[HPT_PACED_KERNEL] = { "kernel", false, 0, fake_kernel },
	[HPT_PACED_SPIN_SLEEP] = { "spin", false, 0, fake_spin_sleep },
};

void paced_run(uint32_t rounds, uint32_t seed, int64_t (*late)(unsigned way, unsigned n), struct hpt_paced *ret)
{
	const struct hpt_paced_plan plan = { .load = 3, .rounds = rounds, .seed = seed };
	static hpt_clock *os;

	if (!os)
		assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_paced_prepare(&plan, ret), 0);
	ret->watch = (struct hpt_stopwatch){ .clk = os, .source = HPT_SOURCE_OS };
	lateness = late;
	paced_steps = paced_step_done = 0;
	paced_n_order = 0;
	memset(paced_calls, 0, sizeof(paced_calls));
	hpt_paced_run(ret, fakes, NULL);
}

void paced_free(struct hpt_paced *s)
{
	for (unsigned rate = 0; rate < HPT_PACED_RATES; rate++)
		for (unsigned way = 0; way < HPT_PACED_WAYS; way++) {
			free(s->rows[rate][way].late_ps);
			free(s->rows[rate][way].turns);
		}
}
