// SPDX-License-Identifier: MIT
/* From one record and a look at the clocks to the next record: lib/rate/record.h. */
#include "rate/record.h"

#include <string.h>

#include "hpt/hpt.h"

#define FS_PER_NS INT64_C(1000000)
#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

/* Looks come when the baseline has grown tenfold, or what is left open of the rate comes to so much, ... */
#define GROWTH       9
#define LEFT_OPEN_NS 360
/* ... not sooner than this and at least this often. */
#define SEGMENT_MIN_NS NS_PER_MS
#define SEGMENT_MAX_NS NS_PER_S

/* A duration of this part of a segment is worth a read of the counter: see hpt_record.resample_ns. */
#define RESAMPLE_PART 16

/*
 * Farther than this from what was foretold, beyond all that the readings leave open, the counter has jumped: a
 * microsecond, and 1 ppm. A pair of trusted counters on two sockets differs by less than 0.1 us.
 */
#define JUMP_FS  (1000 * FS_PER_NS)
#define JUMP_PPB 1000

/* What a guess of the rate is worth; and no counter is slower or faster: 1 MHz to 100 GHz. */
#define PPB       UINT64_C(1000000000)
#define GUESS_PPB 500000000u
#define UHZ_MIN   UINT64_C(1000000000000)
#define UHZ_MAX   UINT64_C(100000000000000000)

/* So far two such counters may be apart: readings on both contradict each other without an event. */
#define SKEW_NS 200

/*
 * How far a group of pairs is off another: 0.8 ns at the 98th percentile of 2100 fresh processes, however many pairs (Xeon
 * 6:207 guest). At 10 ms of age the kernel's rate nearest to the estimate was the right one in 699 of 700.
 */
#define SCATTER_FS      (2 * FS_PER_NS)
#define SCATTER_MAX_PPB 2500

/* Two crystals that nobody compared for so long may have parted by so much: tens of ppm is what temperature does to one. */
#define IDLE_NS  (16 * NS_PER_S)
#define IDLE_PPB 50000

/* Each second after the kernel left a counter. */
#define DEMOTED_PPB 1000

/* NTP slews CLOCK_REALTIME by 500 ppm against CLOCK_MONOTONIC_RAW; adjtimex(2) can set a tick of the kernel by 10 % off, no more. */
#define SLEW_PPB  500000
#define SLEW_PART 8

/* Baselines too short to measure the slope of CLOCK_REALTIME by themselves narrow what is known of it; these do. */
#define UNIX_BASELINE_MIN_NS (5 * NS_PER_MS)
#define UNIX_BASELINE_NS     (400 * NS_PER_MS)
#define UNIX_BASELINE_MAX_NS (3 * NS_PER_S) /* a fourth second comes with the next look: 4 ns worst in 2 minutes */

/* ---- Rate ------------------------------------------------------------------------------------------- */

static bool is_exact(const struct hpt_record *rec)
{
	return rec->origin == HPT_ORIGIN_EXACT;
}

static void set_scales(struct hpt_record *rec, uint64_t num, uint64_t den)
{
	rec->ns_per_tick = hpt_scale_of(num, den);
	rec->tick_per_ns = hpt_scale_of(den, num);
}

static void set_unix_rate(struct hpt_record *rec, uint64_t uhz)
{
	uint64_t apart = uhz > rec->frequency_uhz ? uhz - rec->frequency_uhz : rec->frequency_uhz - uhz;

	if (apart > rec->frequency_uhz / SLEW_PART)
		uhz = rec->frequency_uhz;
	rec->unix_uhz = uhz;
	rec->unix_per_tick = hpt_scale_of(HPT_UHZ_PER_GHZ, uhz);
}

static void set_error(struct hpt_record *rec)
{
	uint64_t error_ppb = hpt_bound_error_ppb(rec->bound, rec->frequency_uhz);

	if (error_ppb < UINT32_MAX)
		error_ppb += rec->wander_ppb;
	rec->error_ppb = error_ppb < UINT32_MAX ? error_ppb : UINT32_MAX;
}

void hpt_record_set_rate(struct hpt_record *rec, const struct hpt_rate *rate)
{
	set_scales(rec, rate->num, rate->den);
	rec->frequency_uhz = rate->frequency_uhz;
	rec->error_ppb = rate->error_ppb;
	rec->origin = rate->origin;
	rec->bound = rate->error_ppb < UINT32_MAX ? hpt_bound_around(rate->frequency_uhz, rate->error_ppb) :
						    (struct hpt_bound){ 0, UINT64_MAX };
	set_unix_rate(rec, rate->frequency_uhz);
}

static void set_kernel_rate(struct hpt_record *rec, struct hpt_kernel_rate kernel, uint32_t origin)
{
	set_scales(rec, kernel.mult, UINT64_C(1) << kernel.shift);
	rec->frequency_uhz = hpt_kernel_rate_uhz(kernel);
	rec->origin = origin;
}

/* The kernel's own rate, if the readings leave exactly one that it can have. */
static bool snap(struct hpt_record *rec)
{
	struct hpt_kernel_rate kernel;

	if (rec->wander_ppb || !hpt_kernel_rate_within(rec->bound.lo_uhz, rec->bound.hi_uhz, &kernel))
		return false;
	set_kernel_rate(rec, kernel, HPT_ORIGIN_KERNEL);
	return true;
}

/*
 * Long before it is proven the kernel's rate is the best guess where one alone is near the estimate, whose error is some
 * SCATTER_FS by the age of the baseline; a rate of whole megahertz is, as virtual machines are given them.
 */
static bool guess(struct hpt_record *rec, uint64_t uhz, int64_t age_ns)
{
	uint64_t ppb = age_ns > 0 ? (uint64_t)(SCATTER_FS * (NS_PER_S / FS_PER_NS) / age_ns) : UINT64_MAX;
	struct hpt_bound near = hpt_bound_around(uhz, ppb < SCATTER_MAX_PPB ? ppb : 0);
	struct hpt_kernel_rate kernel;

	near = hpt_bound_both(near, rec->bound);
	if (rec->wander_ppb || (!hpt_kernel_rate_within(near.lo_uhz, near.hi_uhz, &kernel) &&
				!hpt_kernel_rate_round(near.lo_uhz, near.hi_uhz, &kernel)))
		return false;
	set_kernel_rate(rec, kernel, HPT_ORIGIN_MEASURED);
	return true;
}

static bool is_within(uint64_t uhz, struct hpt_bound bound)
{
	return bound.lo_uhz <= uhz && uhz <= bound.hi_uhz;
}

static uint64_t clamped(uint64_t uhz, struct hpt_bound bound)
{
	return uhz < bound.lo_uhz ? bound.lo_uhz : uhz > bound.hi_uhz ? bound.hi_uhz : uhz;
}

/* The best guess within the bound: a rate known for a reason, else this baseline's if it is the sharpest so far. */
static void estimate(struct hpt_record *rec, const struct hpt_interval *interval, bool is_sharpest)
{
	uint64_t uhz = is_sharpest ? hpt_interval_rate_uhz(&rec->base, interval) : 0;

	if ((rec->origin == HPT_ORIGIN_KERNEL || rec->origin == HPT_ORIGIN_REGISTER) && is_within(rec->frequency_uhz, rec->bound))
		return;
	if (rec->bound.hi_uhz == UINT64_MAX || snap(rec))
		return;
	uhz = clamped(uhz ? uhz : rec->frequency_uhz, rec->bound);
	if (guess(rec, uhz, interval->ref_ns - rec->base.ref_ns))
		return;
	if (uhz == rec->frequency_uhz && rec->origin != HPT_ORIGIN_NONE)
		return;
	set_scales(rec, HPT_UHZ_PER_GHZ, uhz);
	rec->frequency_uhz = uhz;
	rec->origin = HPT_ORIGIN_MEASURED;
}

static uint64_t width(struct hpt_bound bound)
{
	return bound.hi_uhz - bound.lo_uhz;
}

/* A new baseline, and a bound looser by so much. */
static void rebase(struct hpt_record *rec, const struct hpt_interval *interval, uint64_t ppb)
{
	uint32_t error_ppb = hpt_bound_error_ppb(rec->bound, rec->frequency_uhz);

	rec->base = *interval;
	if (error_ppb < UINT32_MAX)
		rec->bound = hpt_bound_around(rec->frequency_uhz, error_ppb + ppb);
}

/* What readings of two counters that are SKEW_NS apart, and oscillators that wander, can make of the rate. */
static uint64_t leeway_ppb(const struct hpt_record *rec, const struct hpt_interval *interval)
{
	int64_t age_ns = interval->ref_ns - rec->base.ref_ns;
	uint64_t skew_ppb = age_ns > 0 ? (uint64_t)(SKEW_NS * NS_PER_S / age_ns) : JUMP_PPB;

	return (skew_ppb < JUMP_PPB ? skew_ppb : JUMP_PPB) + rec->wander_ppb + 1;
}

/* The kernel's own rate is left when it is sure not to be: a baseline that is long enough to tell. */
static bool is_kernels_still(const struct hpt_record *rec, struct hpt_bound now, uint64_t leeway)
{
	struct hpt_bound around = hpt_bound_both(now, hpt_bound_around(rec->frequency_uhz, leeway));

	return rec->origin == HPT_ORIGIN_KERNEL && around.lo_uhz <= around.hi_uhz;
}

static uint32_t idle_ppb(const struct hpt_record *rec, const struct hpt_interval *interval)
{
	return rec->wander_ppb && interval->ref_ns - rec->last.ref_ns > IDLE_NS ? IDLE_PPB : 0;
}

/* The kernel does not vouch for it any more: what is left open grows, and takes in whatever is seen. */
static void loosen(struct hpt_record *rec, const struct hpt_interval *interval, struct hpt_bound now)
{
	struct hpt_bound both = hpt_bound_both(rec->bound, now), grown;
	uint64_t age_ns, error_ppb;

	if (both.lo_uhz > both.hi_uhz) {
		grown = hpt_bound_around(rec->frequency_uhz, rec->error_ppb);
		rec->bound.lo_uhz = now.lo_uhz < grown.lo_uhz ? now.lo_uhz : grown.lo_uhz;
		rec->bound.hi_uhz = now.hi_uhz > grown.hi_uhz ? now.hi_uhz : grown.hi_uhz;
		rec->base = *interval;
	}
	set_error(rec);
	age_ns = interval->ref_ns > rec->base.ref_ns ? (uint64_t)(interval->ref_ns - rec->base.ref_ns) : 0;
	error_ppb = rec->error_ppb + age_ns / (uint64_t)(NS_PER_S / DEMOTED_PPB);
	rec->error_ppb = error_ppb < UINT32_MAX ? error_ppb : UINT32_MAX;
}

static void refine(struct hpt_record *rec, const struct hpt_interval *interval)
{
	struct hpt_bound now = hpt_interval_bound(&rec->base, interval), both = hpt_bound_both(rec->bound, now);
	uint64_t leeway = leeway_ppb(rec, interval);

	if (rec->state == HPT_STATE_DEMOTED) {
		loosen(rec, interval, now);
		return;
	}
	if (idle_ppb(rec, interval)) { /* what the rate was all the while says little of what it is */
		rebase(rec, interval, IDLE_PPB);
	} else if (!is_within(rec->frequency_uhz, both) && is_kernels_still(rec, now, leeway)) {
		return;
	} else if (both.lo_uhz > both.hi_uhz) {
		rebase(rec, interval, leeway);
	} else {
		bool is_sharpest = width(now) <= width(rec->bound);

		rec->bound = both;
		estimate(rec, interval, is_sharpest);
	}
	set_error(rec);
}

/* The rate given is sharper than what two fixes tell: it may come from readings all along the baseline. */
static void refine_first(struct hpt_record *rec)
{
	struct hpt_bound both = hpt_bound_both(rec->bound, hpt_interval_bound(&rec->base, &rec->last));

	if (both.lo_uhz <= both.hi_uhz)
		rec->bound = both;
	estimate(rec, &rec->last, false);
	set_error(rec);
}

/* ---- What has happened -------------------------------------------------------------------------------- */

enum event {
	NOTHING,
	MOVED,       /* the clocks among themselves: suspend, step of the wall clock, time namespace */
	MOVED_AWAY,  /* and from the counter */
	JUMPED,      /* the counter alone */
	DEMOTED,
};

/* Where nothing is proven of the rate, the guess is taken to be right to half of it: see forget_rate(). */
static uint32_t trusted_ppb(const struct hpt_record *rec)
{
	uint64_t error_ppb = rec->error_ppb + JUMP_PPB;

	if (error_ppb >= GUESS_PPB)
		return GUESS_PPB;
	return (uint32_t)(error_ppb * PPB / (PPB - error_ppb)) + 1; /* of the period, not of the rate */
}

static bool has_jumped(const struct hpt_record *old, const struct hpt_interval *interval)
{
	if (is_exact(old) || old->state == HPT_STATE_DEMOTED)
		return false;
	return hpt_interval_gap_fs(&old->last, interval, old->ns_per_tick, trusted_ppb(old) + idle_ppb(old, interval)) > JUMP_FS;
}

static enum event what_happened(const struct hpt_record *old, const struct hpt_samples *samples, const struct hpt_interval *interval)
{
	bool moved = samples->offset_lo_ns > old->offset_hi_ns || samples->offset_hi_ns < old->offset_lo_ns;
	bool jumped = has_jumped(old, interval);

	if (samples->is_demoted && old->state != HPT_STATE_DEMOTED)
		return DEMOTED;
	if (samples->is_disrupted) /* a snapshot that is restored has its wall clock stepped as well */
		return JUMPED;
	if (moved)
		return jumped ? MOVED_AWAY : MOVED;
	return jumped ? JUMPED : NOTHING;
}

static void guess_rate(struct hpt_record *rec, uint64_t uhz)
{
	if (uhz < UHZ_MIN || uhz > UHZ_MAX)
		return;
	set_scales(rec, HPT_UHZ_PER_GHZ, uhz);
	rec->frequency_uhz = uhz;
	rec->origin = HPT_ORIGIN_MEASURED;
	set_unix_rate(rec, uhz);
}

/*
 * After a jump on its own the counter may be another one: nothing is known of its rate, and the old one is a guess. If it
 * seems to jump again before a better one is had, the guess is what was wrong, or there was one more jump: the new guess is
 * what the counter did in between, right if it did not jump, and found wrong by the next look if it did.
 */
static void forget_rate(struct hpt_record *rec, const struct hpt_interval *interval)
{
	if (rec->error_ppb == UINT32_MAX)
		guess_rate(rec, hpt_interval_rate_uhz(&rec->last, interval));
	rec->bound = (struct hpt_bound){ 0, UINT64_MAX };
	rec->error_ppb = UINT32_MAX;
	rec->flags &= ~HPT_RECORD_STATED;
	if (rec->origin == HPT_ORIGIN_KERNEL) /* what a register states it still states */
		rec->origin = HPT_ORIGIN_MEASURED;
}

static void begin_generation(struct hpt_record *rec, enum event event, const struct hpt_interval *interval)
{
	rec->generation++;
	if (event == DEMOTED)
		rec->state = HPT_STATE_DEMOTED;
	else if (rec->state != HPT_STATE_DEMOTED)
		rec->state = event == JUMPED ? HPT_STATE_DISRUPTED : HPT_STATE_REANCHORED;
	if (event == JUMPED && !is_exact(rec))
		forget_rate(rec, interval);
	rec->base = *interval;
	rec->last = *interval;
}

static void follow(struct hpt_record *rec, enum event event, const struct hpt_interval *interval)
{
	if (event != NOTHING) {
		begin_generation(rec, event, interval);
		return;
	}
	if (is_exact(rec))
		return;
	refine(rec, interval);
	if (rec->origin != HPT_ORIGIN_KERNEL || !hpt_interval_narrow(&rec->last, interval, rec->ns_per_tick, &rec->last))
		rec->last = *interval;
}

/* ---- Unix time ---------------------------------------------------------------------------------------- */

/* The OS clock's ticks are CLOCK_MONOTONIC's nanoseconds: Unix time is a sum. */
static struct hpt_interval unix_interval_exact(const struct hpt_samples *samples)
{
	uint64_t tick = samples->unix_ns[samples->n_unix - 1].after;

	return (struct hpt_interval){ .tick = tick, .ref_ns = (int64_t)tick + samples->offset_lo_ns,
				 .hi_fs = (samples->offset_hi_ns - samples->offset_lo_ns) * FS_PER_NS };
}

static struct hpt_interval unix_interval(const struct hpt_record *rec, const struct hpt_samples *samples)
{
	uint64_t error_ppb = rec->error_ppb + SLEW_PPB;

	if (is_exact(rec))
		return unix_interval_exact(samples);
	return hpt_interval_of(samples->unix_ns, samples->n_unix, rec->unix_per_tick, error_ppb < UINT32_MAX ? (uint32_t)error_ppb : UINT32_MAX,
			  rec->granularity);
}

/* NTP may have changed the slope since the last look: then the baseline starts there. */
static void follow_unix(struct hpt_record *rec, const struct hpt_interval *interval)
{
	struct hpt_bound so_far = hpt_interval_bound(&rec->unix_base, &rec->unix_last), now = hpt_interval_bound(&rec->unix_last, interval);
	int64_t baseline_ns;

	if (is_exact(rec) || interval->ref_ns - rec->unix_last.ref_ns < UNIX_BASELINE_MIN_NS)
		return;
	now = hpt_bound_both(so_far, now);
	if (now.lo_uhz > now.hi_uhz || rec->unix_last.ref_ns - rec->unix_base.ref_ns > UNIX_BASELINE_MAX_NS)
		rec->unix_base = rec->unix_last;
	baseline_ns = interval->ref_ns - rec->unix_base.ref_ns;
	if (baseline_ns < UNIX_BASELINE_NS)
		set_unix_rate(rec, clamped(rec->unix_uhz, hpt_interval_bound(&rec->unix_base, interval)));
	else
		set_unix_rate(rec, hpt_interval_rate_uhz(&rec->unix_base, interval));
	rec->unix_last = *interval;
}

/* ---- Segment and lines -------------------------------------------------------------------------------- */

static uint64_t ticks_of_ns(const struct hpt_record *rec, int64_t ns)
{
	int64_t ticks = hpt_scale_round(ns, rec->tick_per_ns);

	return ticks > 1 ? (uint64_t)ticks : 1;
}

/* The wish, before the window cuts it short. */
static uint64_t segment_ticks(const struct hpt_record *rec)
{
	int64_t age_ns = rec->last.ref_ns - rec->base.ref_ns, ns = SEGMENT_MAX_NS;
	int64_t by_error_ns = LEFT_OPEN_NS * NS_PER_S / (int64_t)(rec->error_ppb + 1);

	if (!is_exact(rec) && rec->origin != HPT_ORIGIN_KERNEL && age_ns < SEGMENT_MAX_NS / GROWTH)
		ns = GROWTH * age_ns > by_error_ns ? GROWTH * age_ns : by_error_ns;
	ns = ns < SEGMENT_MIN_NS ? SEGMENT_MIN_NS : ns > SEGMENT_MAX_NS ? SEGMENT_MAX_NS : ns;
	return ticks_of_ns(rec, ns);
}

static int64_t fs_between(struct hpt_fixed from, struct hpt_fixed to)
{
	return hpt_fixed_fs(hpt_fixed_sub(to, from));
}

/*
 * Where the next piece of a line starts and how it runs, so that it never decreases: on from where the old one ended, bent
 * so that it meets the target at the segment's end. Where nobody read for longer than that, straight from the target.
 */
static struct hpt_line next_line(const struct hpt_record *old, const struct hpt_line *line, struct hpt_scale slope,
				 uint64_t start, struct hpt_fixed target, uint64_t ticks)
{
	uint64_t end = old->start + old->span;
	struct hpt_fixed least = hpt_line_at(line, old->start, end);
	struct hpt_fixed there = hpt_fixed_add(least, hpt_slope_times(start - end, slope));

	if (start - end <= ticks)
		return hpt_line_through(start, there, hpt_slope_bent(slope, fs_between(there, target), ticks));
	return hpt_line_through(start, fs_between(least, target) < 0 ? least : target, slope);
}

static struct hpt_fixed target_at(uint64_t tick, const struct hpt_interval *interval, struct hpt_scale slope)
{
	return hpt_fixed_add(hpt_interval_middle(interval), hpt_slope_times(tick - interval->tick, slope));
}

static void set_segment(struct hpt_record *rec, uint64_t start, uint64_t ticks)
{
	uint64_t rest = HPT_WINDOW_TICKS - (start - hpt_window_start(start));

	rec->start = start;
	rec->span = ticks < rest ? ticks : rest;
	rec->line_span = rec->state == HPT_STATE_DEMOTED || rec->origin == HPT_ORIGIN_NONE ? 0 : rec->span;
	rec->resample_ns = rec->origin == HPT_ORIGIN_KERNEL || is_exact(rec) ? UINT64_MAX :
									   (uint64_t)hpt_scale_round((int64_t)ticks, rec->ns_per_tick) / RESAMPLE_PART;
}

/* A new generation's lines need not heed the old ones. */
static void draw_anew(struct hpt_record *rec, uint64_t start, const struct hpt_interval *unix_interval)
{
	rec->ns = hpt_line_through(start, target_at(start, &rec->last, rec->ns_per_tick), rec->ns_per_tick);
	rec->unix_ns = hpt_line_through(start, target_at(start, unix_interval, rec->unix_per_tick), rec->unix_per_tick);
	set_segment(rec, start, segment_ticks(rec));
}

/* Unix time less the OS clock's ticks stays the same as long as nothing contradicts it. */
static bool has_same_offset(const struct hpt_record *rec, const struct hpt_record *old)
{
	int64_t offset_ns = (int64_t)(old->start_unix_ns - old->start);

	return is_exact(rec) && rec->offset_lo_ns <= offset_ns && offset_ns <= rec->offset_hi_ns;
}

static void draw_on(const struct hpt_record *old, struct hpt_record *rec, uint64_t start, const struct hpt_interval *unix_interval)
{
	uint64_t ticks = segment_ticks(rec);
	struct hpt_fixed target = target_at(start, unix_interval, rec->unix_per_tick);

	if (has_same_offset(rec, old))
		target = hpt_line_at(&old->unix_ns, old->start, start);
	rec->ns = next_line(old, &old->ns, rec->ns_per_tick, start, target_at(start, &rec->last, rec->ns_per_tick), ticks);
	rec->unix_ns = next_line(old, &old->unix_ns, rec->unix_per_tick, start, target, ticks);
	set_segment(rec, start, ticks);
}

/* The wall clock alone was stepped: nanoseconds go on as they were. */
static void draw_unix_anew(const struct hpt_record *old, struct hpt_record *rec, uint64_t start, const struct hpt_interval *unix_interval)
{
	if (!hpt_record_serves(old, start))
		draw_on(old, rec, start, unix_interval);
	rec->unix_ns = hpt_line_through(rec->start, target_at(rec->start, unix_interval, rec->unix_per_tick), rec->unix_per_tick);
}

static void set_fast(struct hpt_record *rec)
{
	rec->fast_span = rec->ns.slope.whole || rec->unix_ns.slope.whole ? 0 : rec->line_span;
}

/*
 * Conversions of times start from a whole nanosecond on the line that hpt_now_unix_ns() reads, so that they agree with it
 * and, as long as they are of now, decrease as little as it does.
 */
static void set_unix_ends(struct hpt_record *rec)
{
	struct hpt_fixed there = hpt_line_at(&rec->unix_ns, rec->start, rec->start);

	if (there.frac) /* up, for the line must not decrease */
		rec->unix_ns.at = hpt_fixed_add(rec->unix_ns.at, (struct hpt_fixed){ .frac = 0 - there.frac });
	rec->start_unix_ns = there.ns + (there.frac != 0);
	rec->end_unix_ns = rec->start_unix_ns + (uint64_t)hpt_scale_round((int64_t)rec->span, rec->unix_ns.slope);
}

static void draw(const struct hpt_record *old, struct hpt_record *rec, enum event event, uint64_t start, const struct hpt_interval *unix_interval)
{
	if (event == MOVED)
		draw_unix_anew(old, rec, start, unix_interval);
	else if (event != NOTHING || old->line_span != old->span)
		draw_anew(rec, start, unix_interval);
	else if (!hpt_record_serves(old, start))
		draw_on(old, rec, start, unix_interval);
	set_fast(rec);
	set_unix_ends(rec);
}

/* ---- Records ------------------------------------------------------------------------------------------ */

static struct hpt_interval raw_interval(const struct hpt_record *rec, const struct hpt_samples *samples)
{
	uint64_t tick = samples->unix_ns[samples->n_unix - 1].after;

	if (is_exact(rec))
		return (struct hpt_interval){ .tick = tick, .ref_ns = (int64_t)tick };
	return hpt_interval_of(samples->raw, samples->n_raw, rec->ns_per_tick, trusted_ppb(rec), rec->granularity);
}

static void note_facts(struct hpt_record *rec, const struct hpt_samples *samples)
{
	int64_t lo = samples->offset_lo_ns, hi = samples->offset_hi_ns;

	/* A look that was interrupted leaves what was known sharper. */
	rec->offset_lo_ns = lo > rec->offset_lo_ns || lo > hi ? lo : rec->offset_lo_ns;
	rec->offset_hi_ns = hi < rec->offset_hi_ns ? hi : rec->offset_hi_ns;
	if (rec->offset_lo_ns > rec->offset_hi_ns) {
		rec->offset_lo_ns = lo;
		rec->offset_hi_ns = hi;
	}
	if (samples->is_contradicted)
		rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;
}

void hpt_record_first(struct hpt_record *ret, const struct hpt_rate *rate, const struct hpt_interval *base, const struct hpt_samples *samples)
{
	struct hpt_interval interval;

	hpt_record_set_rate(ret, rate);
	ret->generation = 1;
	ret->state = HPT_STATE_OK;
	ret->base = *base;
	ret->offset_lo_ns = samples->offset_lo_ns;
	ret->offset_hi_ns = samples->offset_hi_ns;
	ret->last = raw_interval(ret, samples);
	if (!is_exact(ret) && ret->origin != HPT_ORIGIN_NONE)
		refine_first(ret);
	interval = unix_interval(ret, samples);
	ret->unix_base = ret->unix_last = interval;
	draw_anew(ret, ret->last.tick, &interval);
	set_fast(ret);
	set_unix_ends(ret);
}

void hpt_record_next(const struct hpt_record *old, const struct hpt_samples *samples, struct hpt_record *ret)
{
	struct hpt_interval interval = raw_interval(old, samples), wall = unix_interval(old, samples);
	enum event event = what_happened(old, samples, &interval);

	*ret = *old;
	follow(ret, event, &interval);
	if (event == JUMPED) {
		interval = raw_interval(ret, samples); /* by the rate that is guessed now */
		wall = unix_interval(ret, samples);
		ret->base = ret->last = interval;
	}
	note_facts(ret, samples);
	if (event == NOTHING)
		follow_unix(ret, &wall);
	else
		ret->unix_base = ret->unix_last = wall;
	draw(old, ret, event, interval.tick, &wall);
}
