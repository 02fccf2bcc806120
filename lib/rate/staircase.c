// SPDX-License-Identifier: MIT
/* The rate by the counter's steps: lib/rate/staircase.h. */
#include "rate/staircase.h"

#include "arch/arch.h"
#include "math/units.h"
#include "rate/kernel_rate.h"

/*
 * Two groups are as many steps apart as their middles are, but for an error: REACH, and VARIANCE_TIMES the variance of
 * that distance, together never less than 6 standard errors. In 2500 fresh processes beside compilers on both CPUs the
 * error was below 0.25 in all but 3. A group that is in step adds 1.
 */
#define REACH          0.6
#define VARIANCE_TIMES 15

/* Where groups differ by more in the mean width of their brackets, in steps, something slowed one of them. */
#define SLOWER 0.5

/* A bracket wider than the narrowest by more than a step and 1/WIDTH_PART was disturbed. */
#define WIDTH_PART 8

/* This many undisturbed brackets make a mean. */
#define BRACKETS_MIN 8.0

/*
 * A loop whose turns take a whole number of steps reads the counter at the same place of each step, and the middle is
 * off by up to a step. Its turns must add up to this many steps more or less than whole ones would, so that each place
 * of a step is read. (Beside a busy sibling they took 5.00 steps in 1 % of processes.) Two such groups do not even show
 * the step: all widths are the same multiple of it.
 */
#define DRIFT_MIN 2

/* More numbers of steps than this are not tried. */
#define TRIES_MAX 8

/* Doubles lose this much of a number of steps. */
#define ROUNDING 1e-15

/* A group of brackets. All is relative to the step that the clock of one of them, `at`, read. */
struct group {
	const struct hpt_bracket *at, *b;
	uint32_t n;
	double used;     /* how many of its brackets are undisturbed */
	double middle;   /* the mean middle of those, in steps after at->before */
	double variance; /* the square of its standard error */
	double width;    /* their mean width, in steps */
	bool is_in_step;
};

/* A step in ticks and in ns, and the relative error of the latter. */
struct pitch {
	double ticks, ns, off;
};

static double whole(double v)
{
	return (double)(int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}

static double absolute(double v)
{
	return v < 0 ? -v : v;
}

static double wide_ticks(const struct hpt_bracket *b)
{
	return (double)(int64_t)hpt_bracket_width(b);
}

static double ns_to(const struct group *g, const struct hpt_bracket *b)
{
	return (double)(b->ref_ns - g->at->ref_ns);
}

static struct pitch pitch_of(uint64_t step, struct hpt_rates rates)
{
	double half = (double)(int64_t)(rates.hi_uhz - rates.lo_uhz) / 2, uhz = (double)(int64_t)rates.lo_uhz + half;
	double ticks = (double)(int64_t)step;

	return (struct pitch){ .ticks = ticks, .ns = ticks * (double)HPT_UHZ_PER_GHZ / uhz,
			       .off = half / uhz + ROUNDING };
}

/*
 * True if the number of steps to a bracket of the group is sure: two readings that are rounded down are off by less
 * than 1 ns, and the rate's error adds at most half of the rest of half a step.
 */
static bool is_near(const struct group *g, const struct hpt_bracket *b, const struct pitch *pitch)
{
	return absolute(ns_to(g, b)) * pitch->off <= (pitch->ns / 2 - 1) / 2;
}

/*
 * True if both reads of the bracket are on the group's steps. On another CPU, whose steps may be out of phase, they are
 * not; and where the thread came from there in the bracket, one is not.
 */
static COLD bool is_on_steps(const struct group *g, const struct hpt_bracket *b, const struct pitch *pitch)
{
	double from = (double)(int64_t)(b->before - g->at->before) / pitch->ticks, wide = wide_ticks(b) / pitch->ticks;

	return from == whole(from) && wide == whole(wide);
}

/* ---- Groups ----------------------------------------------------------------------------------------- */

static COLD bool is_disturbed(const struct group *g, const struct hpt_bracket *b, const struct pitch *pitch)
{
	return wide_ticks(b) > wide_ticks(g->at) * (1 + 1.0 / WIDTH_PART) + pitch->ticks || !is_near(g, b, pitch);
}

/* True if the steps of these turns of the loop may be a whole number of steps for each turn. */
static bool is_in_step(uint32_t turns, uint32_t steps)
{
	return !turns || steps % turns < DRIFT_MIN || turns - steps % turns < DRIFT_MIN;
}

/* False if the undisturbed brackets are too few, or not on equal steps. */
static COLD bool find_group(struct group *g, struct hpt_group brackets, const struct pitch *pitch)
{
	const struct hpt_bracket *b = brackets.b;
	double sum = 0, squares = 0, widths = 0, last = 0;
	uint32_t turns = 0, turned = 0;

	*g = (struct group){ .b = b, .n = brackets.n, .at = hpt_brackets_narrowest(b, brackets.n) };
	for (uint32_t i = 0; i < brackets.n; i++) {
		double from = (double)(int64_t)(b[i].before - g->at->before) / pitch->ticks;
		double wide = wide_ticks(&b[i]) / pitch->ticks, steps = whole(ns_to(g, &b[i]) / pitch->ns);
		double middle = from + wide / 2 - steps;

		if (is_disturbed(g, &b[i], pitch))
			continue;
		if (!is_on_steps(g, &b[i], pitch))
			return false;
		if (i && !is_disturbed(g, &b[i - 1], pitch)) {
			turns += 1;
			turned += (uint32_t)(int32_t)(steps - last);
		}
		last = steps;
		g->used += 1;
		sum += middle;
		squares += middle * middle;
		widths += wide;
	}
	g->middle = sum / g->used;
	g->variance = (squares / g->used - g->middle * g->middle) / (g->used - 1);
	g->width = widths / g->used;
	g->is_in_step = is_in_step(turns, turned);
	return g->used >= BRACKETS_MIN;
}

/* ---- The number of steps ---------------------------------------------------------------------------- */

/* How many steps to add to the distance of the two `at` by the counter: each of from, from + 1, ... to. */
struct numbers {
	double from, to;
};

static struct numbers around(double middle, double far)
{
	struct numbers ret = { whole(middle - far), whole(middle + far) };

	ret.from += ret.from < middle - far;
	ret.to -= ret.to > middle + far;
	return ret;
}

/* The numbers that the two readings prove possible: each is rounded down. */
static struct numbers possible_numbers(const struct group *a, const struct group *b, const struct pitch *pitch)
{
	double ns = (double)(b->at->ref_ns - a->at->ref_ns);
	double ticks = (double)(int64_t)(b->at->before - a->at->before);

	return around(ns / pitch->ns - ticks / pitch->ticks, (1 + absolute(ns) * pitch->off) / pitch->ns);
}

/* True if the middles of the groups' brackets lie in the same place of a step. */
static bool are_alike(const struct group *a, const struct group *b)
{
	return absolute(a->width - b->width) <= SLOWER;
}

static struct numbers likely_numbers(const struct group *a, const struct group *b, const struct pitch *pitch)
{
	double far = REACH + VARIANCE_TIMES * (a->variance + b->variance) + a->is_in_step + b->is_in_step;

	return are_alike(a, b) ? around(b->middle - a->middle, far) : possible_numbers(a, b, pitch);
}

/* ---- The rate by a number of steps ------------------------------------------------------------------ */

/* Two groups on the same staircase, each step `step` ticks long. */
struct pair {
	struct group a, b;
	uint64_t step;
};

/* The clock's exact time on the group's step: what each reading says of it, intersected. lo above hi: no time fits. */
static COLD struct hpt_interval phase(const struct group *g, const struct pitch *pitch)
{
	double lo = 0, hi = 1;

	for (uint32_t i = 0; i < g->n; i++) {
		double ns = ns_to(g, &g->b[i]), slack = absolute(ns) * pitch->off;

		if (!is_near(g, &g->b[i], pitch) || !is_on_steps(g, &g->b[i], pitch))
			continue;
		ns -= whole(ns / pitch->ns) * pitch->ns;
		lo = ns - slack > lo ? ns - slack : lo;
		hi = ns + 1 + slack < hi ? ns + 1 + slack : hi;
	}
	return (struct hpt_interval){ .ref_ns = g->at->ref_ns, .lo_fs = (int64_t)(lo * FS_PER_NS) - 1,
				      .hi_fs = (int64_t)(hi * FS_PER_NS) + 1 };
}

/*
 * Those of the rates at which the groups are this many steps apart. The phases are found twice, the second time
 * by a rate that is known better. The result is empty where the readings do not fit.
 */
static COLD struct hpt_rates rates_at(const struct pair *p, double steps, struct hpt_rates rates)
{
	uint64_t ticks = p->b.at->before - p->a.at->before + (uint64_t)(int64_t)steps * p->step;

	for (int times = 0; times < 2 && !hpt_rates_is_empty(rates); times++) {
		struct pitch pitch = pitch_of(p->step, rates);
		struct hpt_interval from = phase(&p->a, &pitch), to = phase(&p->b, &pitch);

		if (from.lo_fs > from.hi_fs || to.lo_fs > to.hi_fs)
			return (struct hpt_rates){ 1, 0 };
		to.tick = ticks;
		rates = hpt_rates_both(rates, hpt_interval_rates(&from, &to));
	}
	return rates;
}

static void set_middle(struct hpt_rates rates, struct hpt_rate *ret)
{
	ret->num = HPT_UHZ_PER_GHZ;
	ret->den = ret->frequency_uhz = rates.lo_uhz + (rates.hi_uhz - rates.lo_uhz) / 2;
}

static void set_kernels(struct hpt_kernel_rate kernel, struct hpt_rate *ret)
{
	ret->num = kernel.mult;
	ret->den = UINT64_C(1) << kernel.shift;
	ret->frequency_uhz = hpt_kernel_rate_uhz(kernel);
	ret->is_kernels = true;
}

/* Tries each number of steps. */
static COLD bool find_rate(const struct pair *p, struct numbers numbers, uint32_t unit_hz, struct hpt_rates rates,
			   struct hpt_rate *ret)
{
	struct hpt_kernel_rate kernel;
	struct hpt_rates now = rates;
	uint32_t fits = 0;

	if (numbers.to - numbers.from >= TRIES_MAX)
		return false;
	for (double steps = numbers.from; steps <= numbers.to; steps++) {
		now = rates_at(p, steps, rates);
		fits += hpt_kernel_rates_within(now.lo_uhz, now.hi_uhz, unit_hz, &kernel);
	}
	if (fits == 1)
		set_kernels(kernel, ret);
	else if (fits && numbers.from == numbers.to)
		set_middle(now, ret);
	return fits == 1 || (fits && numbers.from == numbers.to);
}

static COLD bool find_groups(struct pair *p, struct hpt_group old, struct hpt_group recent, const struct pitch *pitch)
{
	return pitch->ns >= HPT_STAIRCASE_STEP_MIN_NS && find_group(&p->a, old, pitch) &&
	       find_group(&p->b, recent, pitch) && !(p->a.is_in_step && p->b.is_in_step);
}

COLD bool hpt_staircase_rate(struct hpt_group old, struct hpt_group recent, uint64_t step, uint32_t unit_hz,
			     struct hpt_rates rates, struct hpt_rate *ret)
{
	struct pitch pitch = pitch_of(step, rates);
	struct pair p = { .step = step };

	return find_groups(&p, old, recent, &pitch) &&
	       find_rate(&p, likely_numbers(&p.a, &p.b, &pitch), unit_hz, rates, ret);
}

/* ---- Groups that are near each other -------------------------------------------------------------------- */

/* At twice this distance a second number of steps becomes possible. */
COLD int64_t hpt_staircase_near_ns(uint64_t step, struct hpt_rates rates)
{
	struct pitch pitch = pitch_of(step, rates);

	return pitch.ns < HPT_STAIRCASE_STEP_MIN_NS ? 0 : (int64_t)((pitch.ns / 2 - 1) / 2 / pitch.off);
}

COLD struct hpt_rates hpt_staircase_rates(struct hpt_group old, struct hpt_group recent, uint64_t step,
					  struct hpt_rates rates)
{
	struct pitch pitch = pitch_of(step, rates);
	struct hpt_rates narrow;
	struct numbers numbers;
	struct pair p = { .step = step };

	if (!find_groups(&p, old, recent, &pitch))
		return rates;
	numbers = possible_numbers(&p.a, &p.b, &pitch);
	if (numbers.from != numbers.to)
		return rates;
	narrow = rates_at(&p, numbers.from, rates);
	return hpt_rates_is_empty(narrow) ? rates : narrow;
}
