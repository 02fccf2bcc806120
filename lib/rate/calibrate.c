// SPDX-License-Identifier: MIT
/* Rate by intersecting bounds, refined by least squares inside them: lib/rate/calibrate.h. */
#include "rate/calibrate.h"

#include "hpt/hpt.h"

/* A bracket more than this many times wider than the narrowest was disturbed; its middle is not used. */
#define WIDTH_TIMES 2

/*
 * A coarse reference clock must have moved this often: the first move may start anywhere, the others are whole steps.
 */
#define REF_STEPS_MIN 3

static uint64_t width(const struct hpt_bracket *b)
{
	return b->after - b->before;
}

void hpt_fit_start(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n)
{
	*fit = (struct hpt_fit){ .origin = *b, .last_ref_ns = b->ref_ns };
	fit->width_limit = WIDTH_TIMES * width(hpt_brackets_narrowest(b, n));
	hpt_fit_add(fit, b, n);
}

static void note_ref_step(struct hpt_fit *fit, int64_t ref_ns)
{
	int64_t advance = ref_ns - fit->last_ref_ns;

	fit->last_ref_ns = ref_ns;
	fit->ref_repeats += advance == 0;
	if (advance <= 0)
		return;
	fit->ref_steps++;
	if (!fit->least_ref_step_ns || advance < fit->least_ref_step_ns)
		fit->least_ref_step_ns = advance;
}

int64_t hpt_fit_ref_step_ns(const struct hpt_fit *fit)
{
	if (fit->ref_repeats <= 1) /* the first bracket is compared with itself */
		return 1;
	return fit->ref_steps >= REF_STEPS_MIN ? fit->least_ref_step_ns : 0;
}

void hpt_fit_add(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n)
{
	uint64_t tick0 = hpt_bracket_tick(&fit->origin);

	for (uint32_t i = 0; i < n; i++) {
		double x = (double)(b[i].ref_ns - fit->origin.ref_ns);
		double y = (double)(int64_t)(hpt_bracket_tick(&b[i]) - tick0);

		note_ref_step(fit, b[i].ref_ns);
		if (width(&b[i]) > fit->width_limit)
			continue;
		fit->n += 1;
		fit->x += x;
		fit->y += y;
		fit->xx += x * x;
		fit->xy += x * y;
	}
}

/*
 * The counter's step: the greatest common divisor of `step` (0: none yet) and the widths. It is one tick for a slow
 * counter, and several for one that counts in stairs.
 */
static uint64_t tick_step(const struct hpt_bracket *b, uint32_t n, uint64_t step)
{
	for (uint32_t i = 0; i < n && step != 1; i++)
		for (uint64_t rest = width(&b[i]); rest;) {
			uint64_t t = step % rest;

			step = rest;
			rest = t;
		}
	return step;
}

struct steps {
	double ns, ticks;
};

/* Narrows [*lo, *hi], in ticks per nanosecond, to the rates that two brackets allow. */
static void bound(const struct hpt_bracket *a, const struct hpt_bracket *b, struct steps step, double *lo, double *hi)
{
	double ns = (double)(b->ref_ns - a->ref_ns);
	double least = (double)(int64_t)(b->before - a->after) - step.ticks;
	double most = (double)(int64_t)(b->after - a->before) + step.ticks;

	if (least / (ns + step.ns) > *lo)
		*lo = least / (ns + step.ns);
	if (ns > step.ns && most / (ns - step.ns) < *hi)
		*hi = most / (ns - step.ns);
}

static double slope(const struct hpt_fit *fit)
{
	double spread = fit->n * fit->xx - fit->x * fit->x;

	return spread > 0 ? (fit->n * fit->xy - fit->x * fit->y) / spread : 0;
}

static double clamp(double v, double lo, double hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

bool hpt_calibrate_rate(const struct hpt_bracket *old, uint32_t n_old,
			const struct hpt_bracket *recent, uint32_t n_recent,
			const struct hpt_fit *fit, struct hpt_rate *ret, struct hpt_granularity *ret_granularity)
{
	const double none = 1e3; /* ticks per nanosecond: no counter runs at a terahertz */
	double lo = 0, hi = none, rate, error;
	int64_t ref_step_ns = hpt_fit_ref_step_ns(fit);
	uint64_t ticks = tick_step(recent, n_recent, tick_step(old, n_old, 0));
	struct steps step = { .ns = (double)ref_step_ns, .ticks = ticks ? (double)ticks : 1 };

	for (uint32_t i = 0; i < n_old; i++)
		for (uint32_t j = 0; j < n_recent; j++)
			bound(&old[i], &recent[j], step, &lo, &hi);
	rate = clamp(slope(fit), lo, hi);
	if (!ref_step_ns || lo > hi || hi == none || rate <= 0)
		return false;
	error = (hi - rate > rate - lo ? hi - rate : rate - lo) / rate * 1e9 + 1;
	ret->frequency_uhz = (uint64_t)(rate * (double)HPT_UHZ_PER_GHZ + 0.5);
	ret->num = HPT_UHZ_PER_GHZ;
	ret->den = ret->frequency_uhz;
	ret->error_ppb = error < (double)UINT32_MAX ? (uint32_t)error : UINT32_MAX;
	ret->origin = HPT_ORIGIN_MEASURED;
	*ret_granularity = (struct hpt_granularity){ .ref_ns = (uint64_t)ref_step_ns, .ticks = ticks ? ticks : 1 };
	return ret->frequency_uhz > 0;
}

bool hpt_calibrate_stated(const struct hpt_rate *stated, struct hpt_rate *measured)
{
	double f = (double)measured->frequency_uhz;
	double part = f * measured->error_ppb / 1e9, far = f * HPT_STATED_PPB / 1e9;
	double off = (double)stated->frequency_uhz - f, error_ppb;

	if (off > part + far || off < -part - far)
		return false;
	if (off > part || off < -part)
		return true; /* not wrong, but the measured rate is better */
	error_ppb = (part + (off < 0 ? -off : off)) / (double)stated->frequency_uhz * 1e9 + 1;
	*measured = *stated;
	measured->error_ppb = error_ppb < (double)UINT32_MAX ? (uint32_t)error_ppb : UINT32_MAX;
	return true;
}
