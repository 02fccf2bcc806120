// SPDX-License-Identifier: MIT
/* The rate from one record to the next: lib/rate/estimate.h. */
#include "rate/estimate.h"

#include "arch/arch.h"
#include "math/units.h"
#include "rate/kernel_rate.h"

/*
 * The error assumed of a period that is only guessed. Of one that was forgotten it is larger: a program that is
 * restored on another machine meets counters of 1 to 5 GHz.
 */
#define GUESS_PPB     500000000u
#define FORGOTTEN_PPB 4000000000u

/*
 * Trusted counters on two sockets differ by less than 0.1 us. Readings taken on both can then contradict each other
 * although nothing happened. SKEW_NS allows for twice that difference.
 */
#define SKEW_NS 200

/*
 * The error of one group of brackets against another: 0.8 ns at the 98th percentile of 2100 fresh processes, for any
 * number of brackets in a group (Xeon 6:207 guest). At 10 ms of age the kernel's rate nearest to the estimate was the
 * right one in 699 of 700.
 */
#define SCATTER_FS      (2 * FS_PER_NS)
#define SCATTER_MAX_PPB 2500

/*
 * Two oscillators that were not compared for IDLE_NS may have drifted apart by IDLE_PPB: temperature changes the rate
 * of one by tens of ppm.
 */
#define IDLE_NS  (16 * NS_PER_S)
#define IDLE_PPB 50000

/* The least error of a demoted counter: the kernel leaves a TSC that is 500 ppm off, perhaps not at once. */
#define DEMOTED_PPB 500000

/*
 * A stated rate counts as the kernel's within this error. If a device tree gives the kernel another rate than the
 * register states, it differs by more.
 */
#define STATED_PPB 1000

/*
 * A part of the baseline ends when it proves the rate PART_TIMES better than the part before. If the rate may drift, it
 * ends after PART_MAX_NS, unless it proves little because a sample was preempted.
 */
#define PART_TIMES  2
#define PART_MAX_NS (500 * NS_PER_MS)

/* The shortest part that a rate is learned from: two shorter ones may agree on any rate. */
#define LEARN_NS (NS_PER_MS / 2)

/*
 * A guess is replaced by a rate that is proven to 1/GUESS_SHARE. Lines are drawn by a rate once it is proven to
 * 1/PROVEN_SHARE. By one proven to an eighth, sleeps of 1 ms ended up to 8 us early in 4 of 8000 scripted cases.
 */
#define GUESS_SHARE  8
#define PROVEN_SHARE 256

/* The range of rates that a counter can have: 1 kHz to 100 GHz. */
#define UHZ_MIN UINT64_C(1000000000)
#define UHZ_MAX UINT64_C(100000000000000000)

/* adjtimex(2) changes the length of a jiffy by at most 10 %. A slope off by more than 1/SLEW_PART is no slew. */
#define SLEW_PART 8

/*
 * A baseline shorter than UNIX_BASELINE_NS does not measure the slope of CLOCK_REALTIME, it only narrows the slope's
 * rates. A baseline restarts with the first samples after UNIX_BASELINE_MAX_NS, so it lasts up to 4 s. The error was up
 * to 4 ns in 2 minutes.
 */
#define UNIX_BASELINE_MIN_NS (5 * NS_PER_MS)
#define UNIX_BASELINE_NS     (400 * NS_PER_MS)
#define UNIX_BASELINE_MAX_NS (3 * NS_PER_S)

/* ---- Setting a rate --------------------------------------------------------------------------------- */

static void set_ratio(struct hpt_estimate *est, uint64_t num, uint64_t den)
{
	est->num = num;
	est->den = den;
}

static COLD void set_unix_rate(struct hpt_estimate *est, uint64_t uhz)
{
	uint64_t off = uhz > est->frequency_uhz ? uhz - est->frequency_uhz : est->frequency_uhz - uhz;

	if (off > est->frequency_uhz / SLEW_PART)
		uhz = est->frequency_uhz;
	est->unix_uhz = uhz;
}

static COLD void set_error(struct hpt_estimate *est)
{
	uint64_t error_ppb = hpt_rates_error_ppb(est->safe, est->frequency_uhz);

	if (error_ppb < UINT32_MAX)
		error_ppb += est->wander_ppb;
	est->error_ppb = error_ppb < UINT32_MAX ? error_ppb : UINT32_MAX;
}

COLD void hpt_estimate_set_rate(struct hpt_estimate *est, const struct hpt_rate *rate)
{
	set_ratio(est, rate->num, rate->den);
	est->frequency_uhz = rate->frequency_uhz;
	est->error_ppb = rate->error_ppb;
	est->origin = rate->origin;
	est->rates = rate->error_ppb < UINT32_MAX ? hpt_rates_around(rate->frequency_uhz, rate->error_ppb) :
						    hpt_rates_none;
	est->safe = est->latest = est->rates;
	if (rate->is_kernels)
		est->flags |= HPT_ESTIMATE_STAIRCASE;
	set_unix_rate(est, rate->frequency_uhz);
}

static void set_kernel_rate(struct hpt_estimate *est, struct hpt_kernel_rate kernel, uint32_t origin)
{
	set_ratio(est, kernel.mult, UINT64_C(1) << kernel.shift);
	est->frequency_uhz = hpt_kernel_rate_uhz(kernel);
	est->origin = origin;
}

/* hpt_kernel_rates_within() in the unit that the kernel registers this counter in. */
static uint32_t kernel_rates(const struct hpt_estimate *est, struct hpt_rates rates, struct hpt_kernel_rate *ret)
{
	uint32_t unit_hz = est->flags & HPT_ESTIMATE_KERNEL_HZ ? HPT_KERNEL_HZ : HPT_KERNEL_KHZ;

	return hpt_kernel_rates_within(rates.lo_uhz, rates.hi_uhz, unit_hz, ret);
}

static bool is_within(uint64_t uhz, struct hpt_rates rates)
{
	return rates.lo_uhz <= uhz && uhz <= rates.hi_uhz;
}

/*
 * True if the kernel's rate is that of the hertz that the hardware states. Among whole hertz more than one fits the
 * rates for long, so this takes no other proof than a narrow range.
 */
static bool is_stated(const struct hpt_estimate *est, struct hpt_kernel_rate *ret)
{
	uint64_t flags = HPT_ESTIMATE_KERNEL_HZ | HPT_ESTIMATE_STATED, uhz;

	if ((est->flags & flags) != flags || !est->stated_hz || est->stated_hz > UINT32_MAX)
		return false;
	*ret = hpt_kernel_rate_of((uint32_t)est->stated_hz, HPT_KERNEL_HZ);
	uhz = hpt_kernel_rate_uhz(*ret);
	return is_within(uhz, est->rates) && hpt_rates_error_ppb(est->rates, uhz) <= STATED_PPB;
}

/* Takes the kernel's own rate: the stated one, or the only one that the kernel can have among the rates. */
static bool snap(struct hpt_estimate *est)
{
	struct hpt_kernel_rate kernel;

	if (est->wander_ppb || (!is_stated(est, &kernel) && kernel_rates(est, est->rates, &kernel) != 1))
		return false;
	set_kernel_rate(est, kernel, HPT_ORIGIN_KERNEL);
	return true;
}

/*
 * Guesses the kernel's rate before it is proven: a candidate that is the only one near the estimate. The error of the
 * estimate is about SCATTER_FS divided by the age of the baseline.
 */
static bool guess(struct hpt_estimate *est, uint64_t uhz, int64_t age_ns)
{
	uint64_t ppb = age_ns > 0 ? (uint64_t)(SCATTER_FS * (NS_PER_S / FS_PER_NS) / age_ns) : UINT64_MAX;
	struct hpt_rates near = hpt_rates_around(uhz, ppb < SCATTER_MAX_PPB ? ppb : 0);
	struct hpt_kernel_rate kernel;

	near = hpt_rates_both(near, est->rates);
	if (est->wander_ppb || kernel_rates(est, near, &kernel) != 1)
		return false;
	set_kernel_rate(est, kernel, HPT_ORIGIN_MEASURED);
	return true;
}

static uint64_t clamped(uint64_t uhz, struct hpt_rates rates)
{
	return uhz < rates.lo_uhz ? rates.lo_uhz : uhz > rates.hi_uhz ? rates.hi_uhz : uhz;
}

/*
 * Sets the best estimate among the rates. The first of these that applies: the present rate, if it is the kernel's and
 * is one of the rates; the kernel's rate, if it is proven; the present rate, if a register states it or the counter's
 * steps show it, and it is one of the rates; the kernel's rate, if it can be guessed; the rate of this baseline, if
 * its range is the narrowest so far; the present rate, moved into the rates.
 */
static COLD void estimate(struct hpt_estimate *est, const struct hpt_interval *interval, bool is_sharpest)
{
	uint64_t uhz = is_sharpest ? hpt_interval_rate_uhz(&est->baseline, interval) : 0;
	bool is_possible = is_within(est->frequency_uhz, est->rates);

	if (est->origin == HPT_ORIGIN_KERNEL && is_possible)
		return;
	if (est->rates.hi_uhz == UINT64_MAX || snap(est))
		return;
	if ((est->origin == HPT_ORIGIN_REGISTER || est->flags & HPT_ESTIMATE_STAIRCASE) && is_possible)
		return;
	est->flags &= ~HPT_ESTIMATE_STAIRCASE;
	uhz = clamped(uhz ? uhz : est->frequency_uhz, est->rates);
	if (guess(est, uhz, interval->ref_ns - est->baseline.ref_ns))
		return;
	if (uhz == est->frequency_uhz && est->origin != HPT_ORIGIN_NONE)
		return;
	set_ratio(est, HPT_UHZ_PER_GHZ, uhz);
	est->frequency_uhz = uhz;
	est->origin = HPT_ORIGIN_MEASURED;
}

static uint64_t rates_width(struct hpt_rates rates)
{
	return rates.hi_uhz - rates.lo_uhz;
}

/* ---- Refining it ------------------------------------------------------------------------------------ */

static struct hpt_rates loosened(const struct hpt_estimate *est, struct hpt_rates rates, uint64_t ppb)
{
	uint32_t error_ppb = hpt_rates_error_ppb(rates, est->frequency_uhz);

	return error_ppb < UINT32_MAX ? hpt_rates_around(est->frequency_uhz, error_ppb + ppb) : rates;
}

/* Starts a new baseline where two oscillators were not compared for a long time. */
static void rebase(struct hpt_estimate *est, const struct hpt_interval *interval)
{
	est->baseline = est->mark = *interval;
	est->rates = loosened(est, est->rates, IDLE_PPB);
	est->safe = loosened(est, est->safe, IDLE_PPB);
	est->latest = est->safe;
}

/* True if the latest part of the baseline ends with this interval. */
static bool is_part(const struct hpt_estimate *est, const struct hpt_interval *interval, struct hpt_rates part)
{
	if (!est->wander_ppb || interval->ref_ns - est->mark.ref_ns < PART_MAX_NS)
		return rates_width(part) <= rates_width(est->latest) / PART_TIMES;
	return rates_width(part) / PART_TIMES <= rates_width(est->latest) ||
	       rates_width(part) <= est->frequency_uhz / PPB * est->wander_ppb;
}

/*
 * A step of the counter too small to be noticed looks like a rate. It can be in one of two successive parts of the
 * baseline, not in both, so the two together limit the rate even then.
 */
static void narrow_safe(struct hpt_estimate *est, const struct hpt_interval *interval)
{
	struct hpt_rates part = hpt_interval_rates(&est->mark, interval);

	if (!is_part(est, interval, part))
		return;
	est->safe = hpt_rates_either(part, est->latest);
	est->latest = part;
	est->mark = *interval;
}

/* The error of the rate that a skew of SKEW_NS between counters can cause. */
static uint64_t leeway_ppb(const struct hpt_estimate *est, const struct hpt_interval *interval)
{
	int64_t age_ns = interval->ref_ns - est->baseline.ref_ns;
	uint64_t skew_ppb = age_ns > 0 ? (uint64_t)(SKEW_NS * NS_PER_S / age_ns) : HPT_ESTIMATE_JUMP_PPB;

	return (skew_ppb < HPT_ESTIMATE_JUMP_PPB ? skew_ppb : HPT_ESTIMATE_JUMP_PPB) + 1;
}

/* True while the present rate, the kernel's, fits this baseline within leeway. */
static bool is_kernels_still(const struct hpt_estimate *est, struct hpt_rates now, uint64_t leeway)
{
	struct hpt_rates around = hpt_rates_both(now, hpt_rates_around(est->frequency_uhz, leeway));

	return !hpt_rates_is_empty(around);
}

COLD uint32_t hpt_estimate_idle_ppb(const struct hpt_estimate *est, const struct hpt_interval *interval)
{
	return est->wander_ppb && interval->ref_ns - est->last.ref_ns > IDLE_NS ? IDLE_PPB : 0;
}

/* ---- A rate in doubt ------------------------------------------------------------------------------------ */

COLD uint32_t hpt_estimate_trusted_ppb(const struct hpt_estimate *est)
{
	uint64_t error_ppb = est->error_ppb + HPT_ESTIMATE_JUMP_PPB;

	if (error_ppb >= GUESS_PPB)
		return GUESS_PPB;
	return (uint32_t)(error_ppb * PPB / (PPB - error_ppb)) + 1; /* of the period, not of the rate */
}

COLD uint32_t hpt_estimate_doubted_ppb(const struct hpt_estimate *est)
{
	return hpt_estimate_is_learning(est) ? FORGOTTEN_PPB : hpt_estimate_trusted_ppb(est);
}

COLD void hpt_estimate_distrust(struct hpt_estimate *est)
{
	est->wander_ppb = HPT_ESTIMATE_WANDER_PPB;
	est->flags &= ~HPT_ESTIMATE_STAIRCASE;
	if (est->origin == HPT_ORIGIN_KERNEL)
		est->origin = HPT_ORIGIN_MEASURED;
}

COLD void hpt_estimate_forget(struct hpt_estimate *est)
{
	hpt_estimate_distrust(est);
	if (!hpt_estimate_is_learning(est))
		est->latest = est->safe;
	est->rates = est->safe = hpt_rates_none;
	est->error_ppb = UINT32_MAX;
	est->flags &= ~HPT_ESTIMATE_STATED;
}

/* A counter that jumps all the time may be several, and one that the kernel left may change its rate. */
COLD void hpt_estimate_demote(struct hpt_estimate *est)
{
	if (hpt_estimate_is_learning(est))
		est->safe = est->latest;
	hpt_estimate_distrust(est);
	set_error(est);
	if (est->error_ppb < DEMOTED_PPB)
		est->error_ppb = DEMOTED_PPB;
}

COLD void hpt_estimate_loosen(struct hpt_estimate *est, const struct hpt_interval *interval)
{
	struct hpt_rates part = hpt_interval_rates(&est->mark, interval);
	uint64_t error_ppb = est->error_ppb;

	if (hpt_rates_is_empty(hpt_rates_both(part, est->safe)) ||
	    rates_width(part) < est->frequency_uhz / PPB * DEMOTED_PPB)
		est->safe = hpt_rates_either(part, est->safe);
	if (interval->ref_ns - est->mark.ref_ns >= PART_MAX_NS)
		est->mark = *interval;
	set_error(est);
	if (est->error_ppb < error_ppb)
		est->error_ppb = error_ppb;
}

/*
 * True if the part of the baseline that has these rates proves a rate to 1/share at least. One of a coarse clock, or
 * with a preempted sample, may be too short. A counter that has stopped proves none.
 */
static bool proves_rate(struct hpt_rates part, uint64_t share)
{
	return rates_width(part) <= part.lo_uhz / share;
}

static void start_part(struct hpt_estimate *est, const struct hpt_interval *interval,
		       const struct hpt_interval *doubted)
{
	est->baseline = *interval;
	est->mark = *doubted;
}

/*
 * Where there never was a rate, that of the latest part is the guess, and the next part starts. Otherwise the old one
 * stays: a part with a step in it has any rate, and a sleep of a millisecond by that would last for minutes.
 */
static void guess_rate(struct hpt_estimate *est, struct hpt_rates part, const struct hpt_interval *interval,
		       const struct hpt_interval *doubted)
{
	uint64_t uhz = hpt_interval_rate_uhz(&est->baseline, interval);

	if (est->origin != HPT_ORIGIN_NONE || is_within(est->frequency_uhz, part) || uhz < UHZ_MIN || uhz > UHZ_MAX)
		return;
	set_ratio(est, HPT_UHZ_PER_GHZ, uhz);
	est->frequency_uhz = uhz;
	set_unix_rate(est, uhz);
	start_part(est, interval, doubted);
}

/*
 * Learns a rate after it was forgotten: the rates that the latest part of the baseline proves, once they agree with
 * those of the part before it, or with those from before the event. Until then the counter may have jumped again. The
 * ends are those of the doubted intervals, and the estimate is by the middles of the others, from the same ticks.
 */
static void learn_forgotten(struct hpt_estimate *est, const struct hpt_interval *interval,
			    const struct hpt_interval *doubted)
{
	struct hpt_rates part = hpt_interval_rates(&est->mark, doubted), before = est->latest;

	if ((int64_t)(interval->tick - est->mark.tick) < 0) { /* it jumped back */
		start_part(est, interval, doubted);
		est->latest = hpt_rates_none;
	}
	if (!proves_rate(part, GUESS_SHARE) || interval->ref_ns - est->mark.ref_ns < LEARN_NS)
		return;
	guess_rate(est, part, interval, doubted);
	if (!proves_rate(part, PROVEN_SHARE))
		return;
	est->latest = part;
	if (proves_rate(before, PROVEN_SHARE) && !hpt_rates_is_empty(hpt_rates_both(part, before))) {
		est->rates = part;
		est->safe = hpt_rates_either(part, before);
		estimate(est, interval, true);
		set_unix_rate(est, est->unix_uhz); /* follows a rate that is another one altogether */
	}
	start_part(est, interval, doubted);
}

/* ---- From record to record ------------------------------------------------------------------------------ */

/*
 * Where none of the rates fits this baseline, the counter has stepped a little, or its rate has changed. All
 * that was claimed and seen remains possible then. A baseline too short to have a highest rate has seen none: with its
 * rates no rate would be known, and times would become the kernel's within the generation.
 */
static void narrow_rates(struct hpt_estimate *est, const struct hpt_interval *interval)
{
	struct hpt_rates now = hpt_interval_rates(&est->baseline, interval);
	struct hpt_rates both = hpt_rates_both(est->rates, now);
	bool is_sharpest = rates_width(now) <= rates_width(est->rates);

	if (est->origin == HPT_ORIGIN_KERNEL && !is_within(est->frequency_uhz, both)) {
		if (is_kernels_still(est, now, leeway_ppb(est, interval)))
			return;
		hpt_estimate_distrust(est);
	}
	if (hpt_rates_is_empty(both)) {
		if (now.hi_uhz == UINT64_MAX)
			now = est->safe;
		est->flags &= ~HPT_ESTIMATE_STAIRCASE;
		est->rates = hpt_rates_either(hpt_rates_either(est->rates, now), est->safe);
		est->baseline = *interval;
		return;
	}
	est->rates = both;
	estimate(est, interval, is_sharpest);
}

COLD void hpt_estimate_refine(struct hpt_estimate *est, const struct hpt_interval *interval,
			      const struct hpt_interval *doubted)
{
	if (hpt_estimate_is_learning(est)) {
		learn_forgotten(est, interval, doubted);
	} else if (hpt_estimate_idle_ppb(est, interval)) {
		/* After a long idle time the mean rate since the last samples says little about the present rate. */
		rebase(est, interval);
	} else {
		narrow_safe(est, interval);
		narrow_rates(est, interval);
	}
	set_error(est);
}

COLD void hpt_estimate_first(struct hpt_estimate *est, const struct hpt_interval *interval)
{
	struct hpt_rates both = hpt_rates_both(est->rates, hpt_interval_rates(&est->baseline, interval));

	if (!hpt_rates_is_empty(both))
		est->rates = both;
	est->safe = est->latest = est->rates;
	estimate(est, interval, false);
	set_error(est);
}

/* ---- CLOCK_REALTIME ------------------------------------------------------------------------------------- */

/* If NTP has changed the slope since the last samples, the baseline restarts at those samples. */
COLD void hpt_estimate_unix(struct hpt_estimate *est, const struct hpt_interval *interval)
{
	struct hpt_rates so_far = hpt_interval_rates(&est->unix_baseline, &est->unix_last);
	struct hpt_rates now = hpt_interval_rates(&est->unix_last, interval);
	int64_t baseline_ns;

	if (hpt_estimate_is_exact(est) || interval->ref_ns - est->unix_last.ref_ns < UNIX_BASELINE_MIN_NS)
		return;
	now = hpt_rates_both(so_far, now);
	if (hpt_rates_is_empty(now) ||
	    est->unix_last.ref_ns - est->unix_baseline.ref_ns > UNIX_BASELINE_MAX_NS)
		est->unix_baseline = est->unix_last;
	baseline_ns = interval->ref_ns - est->unix_baseline.ref_ns;
	if (baseline_ns < UNIX_BASELINE_NS)
		set_unix_rate(est, clamped(est->unix_uhz, hpt_interval_rates(&est->unix_baseline, interval)));
	else
		set_unix_rate(est, hpt_interval_rate_uhz(&est->unix_baseline, interval));
	est->unix_last = *interval;
}
