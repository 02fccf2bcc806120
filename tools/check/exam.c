// SPDX-License-Identifier: MIT
/*
 * Examines a clock: samples the rate, compares as many pairs of CPUs as time permits, samples again, and judges the
 * results. See exam.h.
 */
#include "check/exam.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/timex.h>
#include <unistd.h>

#include "cli/cpus.h"
#include "check/drift.h"
#include "cli/facts.h"
#include "cli/progress.h"
#include "cli/ticks.h"
#include "check/warp.h"

/* The least time for a pair, because two threads have to start. */
#define PAIR_MIN_NS   INT64_C(2000000)
/* A pair is compared in slices, for the progress bar. */
#define PAIR_SLICE_NS INT64_C(100000000)

/*
 * The uncertainty of an offset is the duration of the fastest round trip: measured 0.2 to 0.3 us, two reads included.
 * Two threads that never ran at the same time take a time slice of the scheduler for it, milliseconds, and their offset
 * proves nothing. The limit of 20 us separates the two cases.
 */
#define WIDTH_NS    INT64_C(20000)

/* The limit is higher by the time of 20 reads, for slow counters: a trapped read costs 10 us and more. */
#define WIDTH_READS 20
#define READ_MAX_NS INT64_C(100000)

/*
 * adjtimex(2) slews CLOCK_MONOTONIC by up to 500 ppm, adjtime(3) by 500 more. ntp_ppb() adds the effect of adjtimex's
 * `tick`, the length of a jiffy, if that was changed.
 */
#define NTP_PPB 1000000

/* ---- CPUs -------------------------------------------------------------------------------------------- */

static void note_error(struct exam *exam, int error, int cpu)
{
	if (exam->error)
		return;
	exam->error = error;
	exam->error_cpu = cpu;
}

static bool is_left_out(const struct exam *exam, int cpu)
{
	for (uint32_t i = 0; i < exam->n_left_out; i++)
		if (exam->left_out[i].cpu == cpu)
			return true;
	return false;
}

static void leave_out(struct exam *exam, int cpu, int error)
{
	note_error(exam, error, cpu);
	if (!is_left_out(exam, cpu))
		exam->left_out[exam->n_left_out++] = (struct exam_refusal){ cpu, error };
}

static void try_each(struct exam *exam, const struct cpus *all)
{
	for (int cpu = cpus_next(all, -1); cpu >= 0; cpu = cpus_next(all, cpu)) {
		int r = cpus_try(cpu);

		if (r)
			leave_out(exam, cpu, r);
		else
			exam->cpus[exam->n_cpus++] = cpu;
	}
}

/*
 * All that are online: the mask of this process is that of its parent, and lacks isolated CPUs. In a container the file
 * that lists them may be another's, so that those of the mask are added.
 */
static int list_cpus(struct exam *exam)
{
	struct cpus allowed, all = { 0 };
	int r = cpus_of_thread(&allowed);
	size_t n;

	if (r)
		return r;
	exam->knows_online = !cpus_online(&all);
	CPU_OR_S(sizeof(all.set), all.set, all.set, allowed.set);
	n = (size_t)cpus_count(&all);
	exam->cpus = calloc(n, sizeof(exam->cpus[0]));
	exam->left_out = calloc(n, sizeof(exam->left_out[0]));
	if (!exam->cpus || !exam->left_out)
		return -ENOMEM;
	try_each(exam, &all);
	return 0;
}

/* ---- Pairs ------------------------------------------------------------------------------------------- */

struct course {
	struct exam *exam;
	struct warp_counter counter;
	int64_t start_ns, end_ns;
	uint64_t pairs_left;
};

static volatile sig_atomic_t is_stopped;

void exam_stop(void)
{
	is_stopped = 1;
}

/* Now; the end once the examination is stopped. */
static int64_t moment_ns(const struct course *c)
{
	return is_stopped ? c->end_ns : warp_clock_ns();
}

static int64_t read_clock(void *clk)
{
	return hpt_now(clk);
}

/* A fair share of the remaining time. */
static int64_t pair_end_ns(const struct course *c, int64_t now_ns)
{
	int64_t share_ns = (c->end_ns - now_ns) / (int64_t)c->pairs_left;

	return ticks_smaller(now_ns + (share_ns > PAIR_MIN_NS ? share_ns : PAIR_MIN_NS), c->end_ns);
}

static void compare(struct course *c, struct warp_pair *pair)
{
	int64_t now = moment_ns(c), end = pair_end_ns(c, now);
	int r = 0, cpu;

	for (; !r && now < end; now = moment_ns(c)) {
		progress_show("Comparing CPUs", now - c->start_ns, c->end_ns - c->start_ns,
				  c->end_ns - now);
		r = warp_compare(&c->counter, ticks_smaller(now + PAIR_SLICE_NS, end), pair, &cpu);
	}
	if (r)
		leave_out(c->exam, cpu, r);
	c->pairs_left -= c->pairs_left > 1;
}

static void compare_new(struct course *c, uint32_t a, uint32_t b)
{
	struct warp_pair *pair = &c->exam->pairs[c->exam->n_pairs];

	if (is_left_out(c->exam, c->exam->cpus[a]) || is_left_out(c->exam, c->exam->cpus[b]))
		return; /* a thread that never came to run there would cost its time again */
	c->exam->n_pairs++;
	*pair = warp_pair_new(c->exam->cpus[a], c->exam->cpus[b]);
	compare(c, pair);
	if (a && !pair->messages)
		c->exam->n_pairs--; /* the first CPU's pairs stay for compare_again(); others are dropped */
}

/* The verdict needs the pairs of the first CPU, and one share of the time may be too short for busy CPUs. */
static void compare_again(struct course *c)
{
	struct exam *exam = c->exam;
	size_t left = 1;

	while (left && moment_ns(c) < c->end_ns) {
		left = 0;
		for (size_t i = 0; i < exam->n_pairs && exam->pairs[i].cpu_a == exam->cpus[0]; i++) {
			if (exam_is_compared(exam, &exam->pairs[i]) || is_left_out(exam, exam->pairs[i].cpu_b))
				continue;
			compare(c, &exam->pairs[i]);
			left++;
		}
	}
}

static void forget_those_that_never_met(struct exam *exam)
{
	size_t met = 0;

	for (size_t i = 0; i < exam->n_pairs; i++)
		if (exam->pairs[i].messages)
			exam->pairs[met++] = exam->pairs[i];
	exam->n_pairs = met;
}

static void compare_all(struct course *c)
{
	struct warp_plan plan = warp_plan_new(c->exam->n_cpus);
	uint32_t a, b;

	if (c->exam->n_cpus == 1)
		compare_new(c, 0, 0);
	while (moment_ns(c) < c->end_ns && warp_plan_next(&plan, &a, &b)) {
		if (a == 1 && b == 2) /* all pairs of the first CPU had their share */
			compare_again(c);
		compare_new(c, a, b);
	}
	compare_again(c);
	forget_those_that_never_met(c->exam);
	progress_clear();
}

/* Room for the pairs of the first CPU, and for as many more as time permits. */
static int make_room(struct course *c)
{
	struct exam *exam = c->exam;
	uint64_t room = exam->n_cpus + (uint64_t)((c->end_ns - c->start_ns) / PAIR_MIN_NS) + 1;

	exam->pairs_possible = (uint64_t)exam->n_cpus * (exam->n_cpus - 1) / 2;
	c->pairs_left = exam->pairs_possible ? exam->pairs_possible : 1;
	exam->pairs = calloc(room, sizeof(exam->pairs[0]));
	return exam->pairs ? 0 : -ENOMEM;
}

/* ---- All of it ---------------------------------------------------------------------------------------- */

/* chronyd slews by ADJ_TICK: by up to 8 % by default, 10 % if so configured (maxslewrate). */
static uint64_t ntp_ppb(void)
{
	struct timex t = { 0 };
	int64_t ticks_per_s = sysconf(_SC_CLK_TCK);

	if (ticks_per_s <= 0 || adjtimex(&t) < 0)
		return NTP_PPB;
	/* in us per jiffy: each us is ticks_per_s / 10^6 of the rate */
	return NTP_PPB + (uint64_t)llabs((t.tick - 1000000 / ticks_per_s) * ticks_per_s * 1000);
}

static void judge_rate(struct exam *exam, const struct drift_sample *first,
		       const struct drift_sample *last)
{
	const struct hpt_clock_info *info = &exam->after;
	double ns_per_tick = info->frequency_uhz ? 1e15 / (double)info->frequency_uhz : 1; /* 0: it is not known */

	exam->drift = drift_between(first, last, ns_per_tick, info->granularity_ns);
	exam->drift_allowed_ppb = info->source == HPT_SOURCE_OS ? ntp_ppb() : info->frequency_error_ppb;
}

static int64_t width_limit_ticks(hpt_clock *clk, const struct hpt_clock_info *info)
{
	int64_t read_ns = ticks_smaller((int64_t)(info->read_cost_mean_ps / 1000), READ_MAX_NS);

	return hpt_ns_to_ticks(clk, WIDTH_NS + WIDTH_READS * read_ns + 2 * (int64_t)info->granularity_ns);
}

int exam_run(hpt_clock *clk, int64_t duration_ns, struct exam *ret)
{
	struct course c = { .exam = ret, .counter = { read_clock, clk } };
	struct drift_sample first, last;
	int r;

	*ret = (struct exam){ 0 };
	hpt_clock_check(clk, NULL); /* may wait until the clock is 1 ms old: not part of the duration */
	ret->before = clock_facts(clk);
	ret->width_limit_ticks = width_limit_ticks(clk, &ret->before);
	r = list_cpus(ret);
	if (r)
		return r;
	c.start_ns = warp_clock_ns();
	c.end_ns = c.start_ns + duration_ns;
	r = make_room(&c);
	if (r)
		return r;
	drift_sample(clk, &first);
	compare_all(&c);
	drift_sample(clk, &last);
	ret->is_interrupted = is_stopped;
	hpt_clock_check(clk, NULL);
	ret->after = clock_facts(clk);
	judge_rate(ret, &first, &last);
	for (size_t i = 0; i < ret->n_pairs; i++)
		warp_pair_widen(&ret->pairs[i], hpt_ns_to_ticks(clk, ret->after.granularity_ns));
	ret->duration_ns = warp_clock_ns() - c.start_ns;
	return 0;
}

void exam_free(struct exam *exam)
{
	free(exam->cpus);
	free(exam->left_out);
	free(exam->pairs);
	exam->cpus = NULL;
	exam->left_out = NULL;
	exam->pairs = NULL;
}

/* ---- The verdict --------------------------------------------------------------------------------------- */

enum exam_rate exam_rate(const struct exam *exam)
{
	uint64_t allowed = exam->drift_allowed_ppb, doubt = exam->drift.uncertainty_ppb;
	int64_t error = exam->drift.error_ppb;
	uint64_t size = error < 0 ? -(uint64_t)error : (uint64_t)error;

	/* The clock claims nothing, or the reference stood still. */
	if (allowed >= UINT32_MAX || exam->drift.raw_ns <= 0)
		return EXAM_RATE_UNKNOWN;
	if (size > allowed && size - allowed > doubt)
		return EXAM_RATE_OUTSIDE;
	if (doubt > allowed)
		return EXAM_RATE_INCONCLUSIVE;
	return size <= allowed - doubt ? EXAM_RATE_WITHIN : EXAM_RATE_CONSISTENT;
}

bool exam_rate_ok(const struct exam *exam)
{
	return exam_rate(exam) < EXAM_RATE_OUTSIDE;
}

bool exam_is_compared(const struct exam *exam, const struct warp_pair *pair)
{
	return pair->backwards || (pair->messages && warp_pair_width(pair) < exam->width_limit_ticks);
}

size_t exam_compared(const struct exam *exam)
{
	size_t n = 0;

	for (size_t i = 0; i < exam->n_pairs; i++)
		n += exam_is_compared(exam, &exam->pairs[i]);
	return n;
}

/* Compared with the first CPU, and by way of it with each other. */
static bool all_are_compared(const struct exam *exam)
{
	uint32_t n = 0, need = exam->n_cpus > 1 ? exam->n_cpus - 1 : 1;

	for (size_t i = 0; i < exam->n_pairs; i++)
		n += exam->pairs[i].cpu_a == exam->cpus[0] && exam_is_compared(exam, &exam->pairs[i]);
	return n == need;
}

static int64_t offset_limit(const struct warp_pair *pair)
{
	return ticks_larger(ticks_minus(0, pair->least_ticks), pair->most_ticks);
}

int64_t exam_offset_ticks(const struct exam *exam)
{
	int64_t direct = 0, most = 0, second = 0;

	if (!all_are_compared(exam))
		return INT64_MAX;
	for (size_t i = 0; i < exam->n_pairs; i++) {
		int64_t limit = offset_limit(&exam->pairs[i]);

		direct = ticks_larger(direct, limit);
		if (exam->pairs[i].cpu_a != exam->cpus[0])
			continue;
		second = ticks_larger(second, limit < most ? limit : most);
		most = ticks_larger(most, limit);
	}
	/* CPUs that were not compared directly differ by at most the first CPU's two largest limits, added. */
	return exam_compared(exam) == exam->pairs_possible ? direct : most + second;
}

static bool is_sound(const struct hpt_clock_info *clock)
{
	return clock->state == HPT_STATE_OK && !(clock->flags & HPT_CLOCK_VETOED);
}

enum exam_verdict exam_verdict(const struct exam *exam)
{
	for (size_t i = 0; i < exam->n_pairs; i++)
		if (exam->pairs[i].backwards)
			return EXAM_BACKWARDS;
	if (!exam_rate_ok(exam) || !is_sound(&exam->before) || !is_sound(&exam->after) ||
	    exam->after.generation != exam->before.generation)
		return EXAM_DEGRADED;
	return exam->error || !exam->knows_online || !all_are_compared(exam) ? EXAM_INCOMPLETE : EXAM_OK;
}
