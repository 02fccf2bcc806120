// SPDX-License-Identifier: MIT
/* The rate by intersecting possible rates, refined by least squares among them: lib/rate/calibrate.h. */
#include "rate/calibrate.h"

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "rate/staircase.h"

/* The rates that a counter can have, in ticks per nanosecond: 1 kHz to 100 GHz. */
#define RATE_MIN 1e-6
#define RATE_MAX 100.0

/* A bracket more than this many times wider than the narrowest was disturbed; its middle is not used. */
#define FIT_WIDTH_TIMES 2

COLD void hpt_fit_start(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n)
{
	*fit = (struct hpt_fit){ .origin = *b };
	fit->width_limit = FIT_WIDTH_TIMES * hpt_bracket_width(hpt_brackets_narrowest(b, n));
	hpt_fit_add(fit, b, n);
}

COLD bool hpt_fit_knows_steps(const struct hpt_fit *fit)
{
	return fit->refs.readings >= HPT_FIT_BRACKETS_MIN && hpt_step_of_clock(&fit->refs).size &&
	       hpt_moves_show_step(&fit->ticks);
}

COLD void hpt_fit_add(struct hpt_fit *fit, const struct hpt_bracket *b, uint32_t n)
{
	uint64_t tick0 = hpt_bracket_tick(&fit->origin);

	for (uint32_t i = 0; i < n; i++) {
		double x = (double)(b[i].ref_ns - fit->origin.ref_ns);
		double y = (double)(int64_t)(hpt_bracket_tick(&b[i]) - tick0);

		hpt_moves_add_bracket(&fit->ticks, &b[i]);
		hpt_moves_add(&fit->refs, (uint64_t)b[i].ref_ns);
		if (hpt_bracket_width(&b[i]) > fit->width_limit)
			continue;
		fit->n += 1;
		fit->x += x;
		fit->y += y;
		fit->xx += x * x;
		fit->xy += x * y;
	}
}

/* Narrows [*lo, *hi], in ticks per nanosecond, to the rates that two brackets allow. */
static void cut_rates(const struct hpt_bracket *a, const struct hpt_bracket *b, struct hpt_granularity lag,
		      double *lo, double *hi)
{
	double ns = (double)(b->ref_ns - a->ref_ns), lag_ns = (double)lag.ref_ns;
	double least = (double)(int64_t)(b->before - a->after) - (double)lag.ticks;
	double most = (double)(int64_t)(b->after - a->before) + (double)lag.ticks;

	if (least / (ns + lag_ns) > *lo)
		*lo = least / (ns + lag_ns);
	if (ns > lag_ns && most / (ns - lag_ns) < *hi)
		*hi = most / (ns - lag_ns);
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

static void set_measured_rate(struct hpt_rate *ret, double rate)
{
	*ret = (struct hpt_rate){ .num = HPT_UHZ_PER_GHZ, .origin = HPT_ORIGIN_MEASURED };
	ret->den = ret->frequency_uhz = (uint64_t)(int64_t)(rate * (double)HPT_UHZ_PER_GHZ + 0.5);
}

/* The error of a rate within [lo, hi], in ticks per nanosecond. */
static void set_measured_error(struct hpt_rate *ret, double lo, double hi)
{
	double rate = (double)(int64_t)ret->frequency_uhz / (double)HPT_UHZ_PER_GHZ;
	double error = (hi - rate > rate - lo ? hi - rate : rate - lo) / rate * 1e9 + 1;

	ret->error_ppb = error < (double)UINT32_MAX ? (uint32_t)error : UINT32_MAX;
}

static struct hpt_rates rates_within(double lo, double hi)
{
	return (struct hpt_rates){ .lo_uhz = (uint64_t)(int64_t)(lo * (double)HPT_UHZ_PER_GHZ),
				   .hi_uhz = (uint64_t)(int64_t)(hi * (double)HPT_UHZ_PER_GHZ) + 1 };
}

COLD bool hpt_calibrate_rate(struct hpt_group old, struct hpt_group recent, const struct hpt_fit *fit,
			     struct hpt_rate *ret, struct hpt_granularity *ret_granularity)
{
	const double none = 1e3; /* ticks per nanosecond: no counter runs at a terahertz */
	double lo = 0, hi = none, rate;
	struct hpt_step step = hpt_step_of_counter(&fit->ticks, old, recent);
	struct hpt_granularity lag = { .ref_ns = hpt_step_lag(hpt_step_of_clock(&fit->refs)),
				       .ticks = hpt_step_lag(step) };

	if (!lag.ref_ns || !lag.ticks)
		return false;
	for (uint32_t i = 0; i < old.n; i++)
		for (uint32_t j = 0; j < recent.n; j++)
			cut_rates(&old.b[i], &recent.b[j], lag, &lo, &hi);
	rate = clamp(slope(fit), lo, hi);
	if (lo > hi || hi == none || rate <= 0)
		return false;
	set_measured_rate(ret, rate);
	if (fit->kernel_unit_hz)
		hpt_staircase_rate(old, recent, step.size, fit->kernel_unit_hz, rates_within(lo, hi), ret);
	set_measured_error(ret, lo, hi);
	*ret_granularity = lag;
	return ret->frequency_uhz > 0;
}

/* ---- Another try ----------------------------------------------------------------------------------------- */

/* Later groups are at most this far from the recent one, and twice as far for each further try. */
#define AGAIN_NS    40000
#define AGAIN_TRIES 3

/* Brackets of a later group, and groups after which the wait ends even if the reference clock stands still. */
#define LATER_BRACKETS   32u
#define LATER_GROUPS_MAX 1000

/*
 * A group leaves the time of its steps open by 0.05 ns or more, so the rates that fit two groups differ by at least
 * twice that over their distance. Where the kernel's rates lie closer together than half of this, several always fit:
 * those in hertz of a counter of 54 MHz (18 ppb apart) until the groups are 2.7 ms apart.
 */
#define OPEN_NS 0.05

/* Limits the time that a group takes if each read is trapped (10 us). */
#define LATER_MAX_NS 200000

/*
 * Each bracket has its own two reads, so a turn takes longer than in hpt_brackets_take(). If that loop is in step with
 * the counter, this one is probably not. Returns how many.
 */
static uint32_t take_apart(const struct hpt_source *src, struct hpt_bracket *ret)
{
	uint32_t n = 0;

	do {
		hpt_brackets_take(src, CLOCK_MONOTONIC_RAW, &ret[n], 1);
	} while (++n < LATER_BRACKETS && ret[n - 1].ref_ns - ret->ref_ns < LATER_MAX_NS);
	return n;
}

static uint32_t take_later(const struct hpt_source *src, int64_t from_ns, struct hpt_bracket *ret)
{
	uint32_t n = take_apart(src, ret);

	for (uint32_t groups = 1; ret->ref_ns < from_ns && groups < LATER_GROUPS_MAX; groups++)
		n = take_apart(src, ret);
	return n;
}

/* True if groups this far apart can tell one of the kernel's rates from the next. */
static bool can_tell_rates(int64_t apart_ns, uint32_t unit_hz, uint64_t uhz)
{
	return (double)apart_ns * unit_hz * 1e6 / (double)(int64_t)uhz > OPEN_NS;
}

COLD void hpt_calibrate_again(const struct hpt_source *src, struct hpt_group old, struct hpt_group recent,
			      const struct hpt_fit *fit, struct hpt_granularity granularity, struct hpt_rate *rate)
{
	struct hpt_rates proven = hpt_rates_around(rate->frequency_uhz, rate->error_ppb), rates = proven;
	struct hpt_bracket brackets[LATER_BRACKETS];
	struct hpt_group later = { .b = brackets };

	if (!can_tell_rates(recent.b->ref_ns - old.b->ref_ns, fit->kernel_unit_hz, rate->frequency_uhz))
		return;
	for (int tries = 0; tries < AGAIN_TRIES && !rate->is_kernels; tries++) {
		int64_t near_ns = hpt_staircase_near_ns(granularity.ticks, rates), most_ns = AGAIN_NS << tries;

		if (!near_ns)
			return;
		later.n = take_later(src, recent.b->ref_ns + (near_ns < most_ns ? near_ns : most_ns), brackets);
		rates = hpt_staircase_rates(recent, later, granularity.ticks, rates);
		hpt_staircase_rate(old, later, granularity.ticks, fit->kernel_unit_hz, rates, rate);
		rate->error_ppb = hpt_rates_error_ppb(proven, rate->frequency_uhz);
	}
}

/* ---- A guess --------------------------------------------------------------------------------------------- */

/* A step that is not known is at most the smallest move, and 1 if there was none. */
static uint64_t seen_lag(const struct hpt_moves *moves)
{
	return moves->repeats && moves->least ? moves->least + 2 * moves->divisor : 1;
}

COLD void hpt_calibrate_guess(const struct hpt_fit *fit, const struct hpt_bracket *now, struct hpt_rate *ret,
			      struct hpt_granularity *ret_granularity)
{
	double ns = (double)(now->ref_ns - fit->origin.ref_ns);
	double rate = ns > 0 ? (double)(int64_t)(now->before - fit->origin.before) / ns : 0;

	*ret = (struct hpt_rate){ .num = 1, .den = 1, .error_ppb = UINT32_MAX, .origin = HPT_ORIGIN_NONE };
	*ret_granularity = (struct hpt_granularity){ seen_lag(&fit->refs), seen_lag(&fit->ticks) };
	if (rate < RATE_MIN || rate > RATE_MAX)
		return;
	ret->num = HPT_UHZ_PER_GHZ;
	ret->den = ret->frequency_uhz = (uint64_t)(int64_t)(rate * (double)HPT_UHZ_PER_GHZ);
}

COLD bool hpt_calibrate_stated(const struct hpt_rate *stated, struct hpt_rate *measured)
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
