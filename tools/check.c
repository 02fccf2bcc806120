// SPDX-License-Identifier: MIT
/* Marks, the pairs of CPUs as far as time suffices, marks again; then a verdict over what was seen. */
#include "check.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "progress.h"

/* A pair gets at least so long: two threads have to be started. */
#define PAIR_MIN_NS   INT64_C(1000000)
/* And is looked in upon so often, for the progress bar. */
#define PAIR_SLICE_NS INT64_C(100000000)

/* adjtimex(2) bends CLOCK_MONOTONIC by up to 500 ppm, adjtime(3) by 500 more. */
#define NTP_PPB 1000000

#define CPUS_MAX (1 << 16)

/* ---- CPUs -------------------------------------------------------------------------------------------- */

static int keep_cpus(struct hpt_check *check, const cpu_set_t *set, size_t size)
{
	check->cpus = calloc((size_t)CPU_COUNT_S(size, set), sizeof(check->cpus[0]));
	if (!check->cpus)
		return -ENOMEM;
	for (size_t cpu = 0; cpu < size * 8; cpu++)
		if (CPU_ISSET_S(cpu, size, set))
			check->cpus[check->n_cpus++] = (int)cpu;
	return 0;
}

/* The kernel says EINVAL while the set is smaller than its own. */
static int list_cpus(struct hpt_check *check)
{
	int r = -EINVAL;

	for (int max = CPU_SETSIZE; r == -EINVAL && max <= CPUS_MAX; max *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)max);
		size_t size = CPU_ALLOC_SIZE((size_t)max);

		if (!set)
			return -ENOMEM;
		r = sched_getaffinity(0, size, set) ? -errno : keep_cpus(check, set, size);
		CPU_FREE(set);
	}
	return r;
}

/* ---- Pairs ------------------------------------------------------------------------------------------- */

struct course {
	struct hpt_check *check;
	struct hpt_warp_counter counter;
	int64_t start_ns, end_ns, a_pair_ns;
};

static int64_t read_clock(void *clk)
{
	return hpt_now(clk);
}

static void merge(struct hpt_warp_pair *into, const struct hpt_warp_pair *p)
{
	into->messages += p->messages;
	into->backwards += p->backwards;
	if (p->worst_ticks > into->worst_ticks)
		into->worst_ticks = p->worst_ticks;
	if (p->least_ticks > into->least_ticks)
		into->least_ticks = p->least_ticks;
	if (p->most_ticks < into->most_ticks)
		into->most_ticks = p->most_ticks;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void note_error(struct hpt_check *check, int error, int cpu)
{
	if (check->error)
		return;
	check->error = error;
	check->error_cpu = cpu;
}

/* In slices, for the progress bar. */
static void compare(struct course *c, int cpu_a, int cpu_b)
{
	struct hpt_warp_pair *sum = &c->check->pairs[c->check->n_pairs], slice;
	int64_t now = hpt_warp_clock_ns(), end = earlier(now + c->a_pair_ns, c->end_ns);
	int r = 0;

	*sum = (struct hpt_warp_pair){ cpu_a, cpu_b, .least_ticks = INT64_MIN, .most_ticks = INT64_MAX };
	for (; !r && now < end; now = hpt_warp_clock_ns()) {
		hpt_progress_show("Comparing CPUs", now - c->start_ns, c->end_ns - c->start_ns);
		r = hpt_warp_compare(&c->counter, cpu_a, cpu_b, earlier(now + PAIR_SLICE_NS, end), &slice);
		if (!r)
			merge(sum, &slice);
	}
	if (r)
		note_error(c->check, r, cpu_b);
	c->check->n_pairs += sum->messages > 0;
}

static void compare_all(struct course *c)
{
	struct hpt_check *check = c->check;
	struct hpt_warp_plan plan = hpt_warp_plan_new(check->n_cpus);
	uint32_t a, b;

	if (check->n_cpus == 1)
		compare(c, check->cpus[0], check->cpus[0]);
	while (hpt_warp_clock_ns() < c->end_ns && hpt_warp_plan_next(&plan, &a, &b))
		compare(c, check->cpus[a], check->cpus[b]);
	hpt_progress_clear();
}

/* No more than time suffices for, and one to write beyond. */
static int make_room(struct course *c)
{
	struct hpt_check *check = c->check;
	int64_t duration_ns = c->end_ns - c->start_ns, pairs = duration_ns / PAIR_MIN_NS + 2;

	check->pairs_possible = (uint64_t)check->n_cpus * (check->n_cpus - 1) / 2;
	if (check->pairs_possible + 1 < (uint64_t)pairs)
		pairs = (int64_t)check->pairs_possible + 1;
	check->pairs = calloc((size_t)pairs, sizeof(check->pairs[0]));
	c->a_pair_ns = check->pairs_possible ? duration_ns / (int64_t)check->pairs_possible : duration_ns;
	if (c->a_pair_ns < PAIR_MIN_NS)
		c->a_pair_ns = PAIR_MIN_NS;
	return check->pairs ? 0 : -ENOMEM;
}

/* ---- All of it ---------------------------------------------------------------------------------------- */

static void judge_rate(struct hpt_check *check, const struct hpt_drift_mark *first, const struct hpt_drift_mark *last)
{
	const struct hpt_clock_info *info = &check->before;

	check->drift = hpt_drift_between(first, last, 1e15 / (double)info->frequency_uhz);
	check->drift_allowed_ppb = info->source == HPT_SOURCE_OS ? NTP_PPB : info->frequency_error_ppb;
}

int hpt_check_run(hpt_clock *clk, int64_t duration_ns, struct hpt_check *ret)
{
	struct course c = { .check = ret, .counter = { read_clock, clk } };
	struct hpt_drift_mark first, last;
	int r;

	*ret = (struct hpt_check){ 0 };
	hpt_clock_get_info(clk, &ret->before, sizeof(ret->before)); /* may wait to 1 ms of age: before the time is counted */
	r = list_cpus(ret);
	if (r)
		return r;
	c.start_ns = hpt_warp_clock_ns();
	c.end_ns = c.start_ns + duration_ns;
	r = make_room(&c);
	if (r)
		return r;
	hpt_drift_mark(clk, &first);
	compare_all(&c);
	hpt_drift_mark(clk, &last);
	hpt_clock_get_info(clk, &ret->after, sizeof(ret->after));
	judge_rate(ret, &first, &last);
	ret->duration_ns = hpt_warp_clock_ns() - c.start_ns;
	return 0;
}

void hpt_check_free(struct hpt_check *check)
{
	free(check->cpus);
	free(check->pairs);
	check->cpus = NULL;
	check->pairs = NULL;
}

/* ---- The verdict --------------------------------------------------------------------------------------- */

int hpt_check_rate_ok(const struct hpt_check *check)
{
	int64_t error = check->drift.error_ppb;
	uint64_t size = error < 0 ? -(uint64_t)error : (uint64_t)error;

	if (check->drift_allowed_ppb >= UINT32_MAX) /* the clock claims nothing */
		return 0;
	return size <= check->drift_allowed_ppb + check->drift.uncertainty_ppb;
}

enum hpt_check_verdict hpt_check_verdict(const struct hpt_check *check)
{
	for (size_t i = 0; i < check->n_pairs; i++)
		if (check->pairs[i].backwards)
			return HPT_CHECK_BACKWARDS;
	if (!check->n_pairs)
		return HPT_CHECK_INCOMPLETE;
	if (!hpt_check_rate_ok(check) || check->before.state != HPT_STATE_OK || check->after.state != HPT_STATE_OK ||
	    check->after.generation != check->before.generation)
		return HPT_CHECK_DEGRADED;
	return HPT_CHECK_OK;
}
