// SPDX-License-Identifier: MIT
/* Computes the next record from a record and a round of samples: lib/rate/next_record.h. */
#include "rate/next_record.h"

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "math/units.h"
#include "rate/estimate.h"
#include "rate/event.h"
#include "rate/os_lines.h"

/*
 * A segment ends when the baseline has grown tenfold, or when the rate's error has added up to ERROR_NS, whichever is
 * later; but not before SEGMENT_MIN_NS and not after SEGMENT_MAX_NS.
 */
#define GROWTH         9
#define ERROR_NS       360
#define SEGMENT_MIN_NS NS_PER_MS
#define SEGMENT_MAX_NS NS_PER_S

/*
 * While the slope of CLOCK_REALTIME between two samples differs from that of its line by more than SEGMENT_SLEW_PPB,
 * segments are this short; after that each may be SLEW_GROWTH times as long as the one before. (chrony slews by up to
 * 8.33 %.)
 */
#define SEGMENT_SLEW_PPB        50000
#define SLEW_SEGMENT_NS (10 * NS_PER_MS)
#define SLEW_GROWTH     10

/*
 * No disciplined clock keeps a slope this far from that of CLOCK_MONOTONIC_RAW: chrony makes up for an error by it, and
 * may end that at any moment. From one such sample until CALM_NS of use without one, segments are this short.
 */
#define FAST_SLEW_PPB   500000
#define FAST_SEGMENT_NS NS_PER_MS
#define CALM_NS         NS_PER_S

/* Converting a duration of 1/RESAMPLE_PART of a segment or more first reads the counter: see hpt_record.resample_ns. */
#define RESAMPLE_PART 16

/* ---- Intervals ---------------------------------------------------------------------------------------- */

/* The OS clock's ticks are CLOCK_MONOTONIC's nanoseconds: Unix time is the tick plus the offset. */
static struct hpt_interval unix_interval_exact(const struct hpt_samples *samples)
{
	uint64_t tick = samples->unix_ns[samples->n_unix - 1].after;

	return (struct hpt_interval){ .tick = tick, .ref_ns = (int64_t)tick + samples->offset_lo_ns,
				      .hi_fs = (samples->offset_hi_ns - samples->offset_lo_ns) * FS_PER_NS };
}

static COLD struct hpt_interval unix_interval_by(const struct hpt_record *rec, const struct hpt_samples *samples,
						 struct hpt_scale slope, uint64_t slew_ppb)
{
	uint64_t error_ppb = rec->rate.error_ppb + slew_ppb;

	if (hpt_record_is_exact(rec))
		return unix_interval_exact(samples);
	return hpt_interval_of(samples->unix_ns, samples->n_unix, slope,
			       error_ppb < UINT32_MAX ? (uint32_t)error_ppb : UINT32_MAX, rec->granularity);
}

static struct hpt_interval unix_interval(const struct hpt_record *rec, const struct hpt_samples *samples)
{
	return unix_interval_by(rec, samples, rec->convert.unix_per_tick, HPT_ESTIMATE_SLEW_PPB);
}

/* Contains the truth however fast CLOCK_REALTIME is slewed meanwhile; its middle may be further from it. */
static struct hpt_interval unix_proof(const struct hpt_record *rec, const struct hpt_samples *samples)
{
	return unix_interval_by(rec, samples, rec->convert.ns_per_tick, HPT_OS_LINES_SLEW_PPB);
}

static COLD struct hpt_interval interval_of(const struct hpt_record *rec, const struct hpt_samples *samples,
					    uint32_t error_ppb)
{
	uint64_t tick = samples->unix_ns[samples->n_unix - 1].after;

	if (hpt_record_is_exact(rec))
		return (struct hpt_interval){ .tick = tick, .ref_ns = (int64_t)tick };
	return hpt_interval_of(samples->raw, samples->n_raw, rec->convert.ns_per_tick, error_ppb, rec->granularity);
}

static struct hpt_interval raw_interval(const struct hpt_record *rec, const struct hpt_samples *samples)
{
	return interval_of(rec, samples, hpt_estimate_trusted_ppb(&rec->rate));
}

/* Contains the truth also where the rate is not the present one; its middle may be further from it. */
static struct hpt_interval doubted_interval(const struct hpt_record *rec, const struct hpt_samples *samples)
{
	return interval_of(rec, samples, hpt_estimate_doubted_ppb(&rec->rate));
}

/* ---- Segment and lines -------------------------------------------------------------------------------- */

/* A counter whose rate is not even guessed is sampled by each read. */
static uint64_t ticks_of_ns(const struct hpt_record *rec, int64_t ns)
{
	int64_t ticks = rec->rate.frequency_uhz ? hpt_scale_round(ns, rec->convert.tick_per_ns) : 1;

	return ticks > 1 ? (uint64_t)ticks : 1;
}

/* The desired length of the segment, before it is clipped to the window. */
static COLD uint64_t segment_ticks(const struct hpt_record *rec)
{
	int64_t age_ns = rec->rate.last.ref_ns - rec->rate.baseline.ref_ns, ns = SEGMENT_MAX_NS;
	int64_t by_error_ns = ERROR_NS * NS_PER_S / (int64_t)(rec->rate.error_ppb + 1);

	if (!hpt_record_is_exact(rec) && rec->rate.origin != HPT_ORIGIN_KERNEL && age_ns < SEGMENT_MAX_NS / GROWTH)
		ns = GROWTH * age_ns > by_error_ns ? GROWTH * age_ns : by_error_ns;
	ns = ns < SEGMENT_MIN_NS ? SEGMENT_MIN_NS : ns > rec->segment_max_ns ? rec->segment_max_ns : ns;
	return ticks_of_ns(rec, ns);
}

static bool is_slewed_fast(const struct hpt_record *old, const struct hpt_interval *of_unix, enum hpt_event event)
{
	return event == HPT_EVENT_NONE && !hpt_record_is_learning(old) &&
	       hpt_interval_gap_fs(&old->rate.unix_last, of_unix, old->convert.ns_per_tick, FAST_SLEW_PPB);
}

/* The time without a fast slew, with that since the samples of `old`. */
static int64_t calm_ns(const struct hpt_record *old, const struct hpt_interval *of_unix)
{
	int64_t since_ns = of_unix->ref_ns - old->unix_now.ref_ns;

	if (since_ns < 0 || since_ns > CALM_NS)
		return CALM_NS;
	return old->calm_ns + since_ns < CALM_NS ? old->calm_ns + since_ns : CALM_NS;
}

static void limit_segment(struct hpt_record *rec, const struct hpt_record *old, const struct hpt_interval *of_unix,
			  enum hpt_event event)
{
	int64_t longer_ns = old->segment_max_ns * SLEW_GROWTH;

	rec->calm_ns = is_slewed_fast(old, of_unix, event) ? 0 : calm_ns(old, of_unix);
	if (rec->calm_ns < CALM_NS)
		rec->segment_max_ns = FAST_SEGMENT_NS;
	else if (hpt_interval_gap_fs(&old->rate.unix_last, of_unix, old->read.unix_ns.slope, SEGMENT_SLEW_PPB))
		rec->segment_max_ns = SLEW_SEGMENT_NS;
	else
		rec->segment_max_ns = longer_ns < SEGMENT_MAX_NS ? longer_ns : SEGMENT_MAX_NS;
}

static int64_t fs_between(struct hpt_fixed from, struct hpt_fixed to)
{
	return hpt_fixed_fs(hpt_fixed_sub(to, from));
}

/*
 * Returns the next piece of a line, so that the line never decreases. The piece continues from the old line's end, with
 * a slope that is bent to meet the samples at the end of the segment. If the old piece ended longer ago than a segment
 * lasts, the next piece starts at the samples, or at the old end if that is higher. `target` is the time at `start` by
 * the samples.
 */
static COLD struct hpt_line next_line(const struct hpt_record *old, const struct hpt_line *line, struct hpt_scale slope,
				      uint64_t start, struct hpt_fixed target, uint64_t ticks)
{
	uint64_t end = old->read.start + old->convert.span;
	struct hpt_fixed least = hpt_line_at(line, old->read.start, end);
	struct hpt_fixed there = hpt_fixed_add(least, hpt_slope_times(start - end, slope));

	if (start - end <= ticks)
		return hpt_line_through(start, there, hpt_slope_bent(slope, fs_between(there, target), ticks));
	return hpt_line_through(start, fs_between(least, target) < 0 ? least : target, slope);
}

static COLD struct hpt_fixed target_at(uint64_t tick, const struct hpt_interval *interval, struct hpt_scale slope)
{
	return hpt_fixed_add(hpt_interval_middle(interval), hpt_slope_times(tick - interval->tick, slope));
}

/* True if times are the kernel's own. */
static bool is_by_kernel(const struct hpt_record *rec)
{
	return rec->state == HPT_STATE_DEMOTED || hpt_record_is_learning(rec);
}

static COLD void set_segment(struct hpt_record *rec, uint64_t start, uint64_t ticks)
{
	uint64_t rest = HPT_WINDOW_TICKS - (start - hpt_window_start(start));

	rec->read.start = start;
	rec->convert.span = ticks < rest ? ticks : rest;
	rec->read.line_span = is_by_kernel(rec) ? 0 : rec->convert.span;
	rec->convert.resample_ns = rec->rate.origin == HPT_ORIGIN_KERNEL || hpt_record_is_exact(rec) ? UINT64_MAX :
			   (uint64_t)hpt_scale_round((int64_t)ticks, rec->convert.ns_per_tick) / RESAMPLE_PART;
}

/* CLOCK_MONOTONIC's line, and CLOCK_BOOTTIME's with it, from the samples alone. */
static COLD void start_monotonic(struct hpt_record *rec, uint64_t start, const struct hpt_interval *of_unix)
{
	struct hpt_interval of_mono = hpt_os_lines_monotonic(rec, of_unix);

	rec->read.mono_ns = hpt_line_through(start, target_at(start, &of_mono, rec->convert.unix_per_tick),
					     rec->convert.unix_per_tick);
	hpt_os_lines_set_boottime(rec, hpt_os_lines_boottime(rec));
}

/* The lines of a new generation do not depend on the old ones. */
static COLD void start_lines(struct hpt_record *rec, uint64_t start, const struct hpt_interval *of_unix)
{
	rec->read.ns = hpt_line_through(start, target_at(start, &rec->rate.last, rec->convert.ns_per_tick),
					rec->convert.ns_per_tick);
	rec->read.unix_ns = hpt_line_through(start, target_at(start, of_unix, rec->convert.unix_per_tick),
					     rec->convert.unix_per_tick);
	start_monotonic(rec, start, of_unix);
	rec->past.span = 0;
	rec->flags &= ~HPT_RECORD_TOOK_OVER;
	set_segment(rec, start, segment_ticks(rec));
}

/* The latest time that the reference clock can have at `tick`. */
static struct hpt_line latest_line(uint64_t tick, const struct hpt_interval *interval, struct hpt_scale slope)
{
	struct hpt_fixed ref = { .ns = (uint64_t)interval->ref_ns };
	struct hpt_fixed latest = hpt_fixed_add(ref, hpt_fixed_of_fs(interval->hi_fs));

	return hpt_line_through(tick, hpt_fixed_add(latest, hpt_slope_times(tick - interval->tick, slope)), slope);
}

/*
 * Times were the kernel's own up to now, since no rate was known. Lines take over within the generation: in this record
 * they have one tick, which is over. So the next record is made from samples that come after this one is published, and
 * after the last read of the kernel's clocks that somebody may have returned; however long this thread is delayed, and
 * however these clocks are slewed. It begins no earlier than those samples allow: raise_lines().
 */
static void take_over(struct hpt_record *rec, uint64_t start, const struct hpt_interval *of_unix)
{
	struct hpt_interval of_mono = hpt_os_lines_monotonic(rec, of_unix);

	rec->read.ns = latest_line(start, &rec->rate.last, rec->convert.ns_per_tick);
	rec->read.unix_ns = latest_line(start, of_unix, rec->convert.unix_per_tick);
	rec->read.mono_ns = latest_line(start, &of_mono, rec->convert.unix_per_tick);
	hpt_os_lines_set_boottime(rec, hpt_unix_offset_is_known(rec->offsets.boot) ? rec->offsets.boot.hi_ns : 0);
	rec->flags |= HPT_RECORD_TOOK_OVER;
	set_segment(rec, start, 1);
}

static void raise_line(struct hpt_line *line, uint64_t start, const struct hpt_line *least)
{
	if (fs_between(hpt_line_at(line, start, start), hpt_line_at(least, start, start)) > 0)
		*line = *least;
}

static void raise_lines(struct hpt_record *rec, uint64_t start, const struct hpt_interval *of_unix,
			const struct hpt_interval *of_mono)
{
	struct hpt_line ns = latest_line(start, &rec->rate.last, rec->convert.ns_per_tick);
	struct hpt_line unix_ns = latest_line(start, of_unix, rec->convert.unix_per_tick);
	struct hpt_line mono_ns = latest_line(start, of_mono, rec->convert.unix_per_tick);

	rec->flags &= ~HPT_RECORD_TOOK_OVER;
	raise_line(&rec->read.ns, start, &ns);
	raise_line(&rec->read.unix_ns, start, &unix_ns);
	raise_line(&rec->read.mono_ns, start, &mono_ns);
}

/*
 * True for an OS clock whose offset to Unix time is still within the range that the samples allow. The offset then
 * stays as it is.
 */
static bool has_same_offset(const struct hpt_record *rec, const struct hpt_record *old)
{
	int64_t offset_ns = (int64_t)(old->convert.start_unix_ns - old->read.start);

	return hpt_record_is_exact(rec) && rec->offset_lo_ns <= offset_ns && offset_ns <= rec->offset_hi_ns;
}

static void prolong_lines(const struct hpt_record *old, struct hpt_record *rec, uint64_t start,
			  const struct hpt_interval *of_unix)
{
	uint64_t ticks = segment_ticks(rec);
	struct hpt_fixed unix_target = target_at(start, of_unix, rec->convert.unix_per_tick);
	struct hpt_interval of_mono = hpt_os_lines_monotonic(rec, of_unix);

	if (has_same_offset(rec, old))
		unix_target = hpt_line_at(&old->read.unix_ns, old->read.start, start);
	rec->read.ns = next_line(old, &old->read.ns, rec->convert.ns_per_tick, start,
				 target_at(start, &rec->rate.last, rec->convert.ns_per_tick), ticks);
	rec->read.unix_ns = next_line(old, &old->read.unix_ns, rec->convert.unix_per_tick, start, unix_target, ticks);
	rec->read.mono_ns = next_line(old, &old->read.mono_ns, rec->convert.unix_per_tick, start,
				      target_at(start, &of_mono, rec->convert.unix_per_tick), ticks);
	if (old->flags & HPT_RECORD_TOOK_OVER)
		raise_lines(rec, start, of_unix, &of_mono);
	hpt_os_lines_prolong_boottime(old, rec, start);
	rec->past = (struct hpt_past){ .start = old->read.start, .span = old->convert.span, .ns = old->read.ns };
	set_segment(rec, start, ticks);
}

static struct hpt_line line_from(const struct hpt_record *old, const struct hpt_line *line, uint64_t start)
{
	return hpt_line_through(start, hpt_line_at(line, old->read.start, start), line->slope);
}

/*
 * A counter that has not jumped may still be read before its record's segment: on another CPU, whose counter reads a
 * little less. The same lines serve it.
 */
static void extend_back(const struct hpt_record *old, struct hpt_record *rec, uint64_t start)
{
	rec->read.ns = line_from(old, &old->read.ns, start);
	rec->read.unix_ns = line_from(old, &old->read.unix_ns, start);
	rec->read.mono_ns = line_from(old, &old->read.mono_ns, start);
	hpt_os_lines_set_boottime(rec, hpt_os_lines_boottime_used(old));
	rec->past.span = 0; /* the two may overlap now */
	set_segment(rec, start, old->read.start + old->convert.span - start);
}

static void continue_lines(const struct hpt_record *old, struct hpt_record *rec, uint64_t start,
			   const struct hpt_interval *of_unix)
{
	if (hpt_record_serves(old, start))
		return;
	if ((int64_t)(start - old->read.start) < 0)
		extend_back(old, rec, start);
	else
		prolong_lines(old, rec, start, of_unix);
}

/* After a step of CLOCK_REALTIME alone: the line of nanoseconds continues. */
static void restart_unix_line(struct hpt_record *rec, const struct hpt_interval *of_unix)
{
	rec->read.unix_ns = hpt_line_through(rec->read.start,
					     target_at(rec->read.start, of_unix, rec->convert.unix_per_tick),
					     rec->convert.unix_per_tick);
}

/*
 * CLOCK_MONOTONIC's line continues after such a step as well: whatever moves that clock moves CLOCK_MONOTONIC_RAW. So
 * does CLOCK_BOOTTIME's, unless the machine slept while the counter stood still, or CLOCK_BOOTTIME alone is another one
 * in a time namespace.
 */
static void continue_boottime(const struct hpt_record *old, struct hpt_record *rec)
{
	if (hpt_os_lines_boottime_moved(old, rec))
		hpt_os_lines_set_boottime(rec, hpt_os_lines_boottime(rec));
}

static void set_fast(struct hpt_record *rec)
{
	bool is_slow = rec->read.ns.slope.whole || rec->read.unix_ns.slope.whole || rec->read.mono_ns.slope.whole;

	rec->read.fast_span = is_slow ? 0 : rec->read.line_span;
}

/*
 * Conversions of times start from a whole nanosecond on the line that hpt_now_unix_ns() uses. So hpt_now_unix_ns() and
 * the conversions agree, and converted times of successive reads never decrease either.
 */
static COLD void set_unix_ends(struct hpt_record *rec)
{
	struct hpt_fixed there = hpt_line_at(&rec->read.unix_ns, rec->read.start, rec->read.start);

	if (there.frac) /* rounded up, because the line must not decrease */
		rec->read.unix_ns.at = hpt_fixed_add(rec->read.unix_ns.at,
						     (struct hpt_fixed){ .frac = 0 - there.frac });
	rec->convert.start_unix_ns = there.ns + (there.frac != 0);
	rec->convert.end_unix_ns = rec->convert.start_unix_ns +
		(uint64_t)hpt_scale_round((int64_t)rec->convert.span, rec->read.unix_ns.slope);
}

static void set_lines(const struct hpt_record *old, struct hpt_record *rec, enum hpt_event event, uint64_t start,
		      const struct hpt_interval *of_unix)
{
	if (is_by_kernel(rec) || (event != HPT_EVENT_NONE && event != HPT_EVENT_MOVED))
		start_lines(rec, start, of_unix);
	else if (is_by_kernel(old))
		take_over(rec, start, of_unix);
	else
		continue_lines(old, rec, start, of_unix);
	if (event == HPT_EVENT_MOVED) {
		restart_unix_line(rec, of_unix);
		continue_boottime(old, rec);
	}
	set_fast(rec);
	set_unix_ends(rec);
}

/* ---- Records ------------------------------------------------------------------------------------------ */

/* Those of rates that are others than before: they take divisions, and seldom change all. */
static void set_scales(struct hpt_record *rec, const struct hpt_estimate *before)
{
	const struct hpt_estimate *now = &rec->rate;
	bool is_other = now->num != before->num || now->den != before->den;

	if (is_other) {
		rec->convert.ns_per_tick = hpt_scale_of(now->num, now->den);
		rec->convert.tick_per_ns = hpt_scale_of(now->den, now->num);
	}
	if (is_other || now->unix_uhz != before->unix_uhz)
		rec->convert.unix_per_tick = now->unix_uhz ? hpt_scale_of(HPT_UHZ_PER_GHZ, now->unix_uhz) :
					     rec->convert.ns_per_tick;
}

/* Samples that were preempted prove little, and the line would be bent to their middle. The prediction proves more. */
static void follow(const struct hpt_record *old, struct hpt_record *rec, enum hpt_event event,
		   const struct hpt_interval *interval, const struct hpt_interval *doubted)
{
	uint32_t error_ppb = hpt_estimate_trusted_ppb(&rec->rate) + hpt_estimate_idle_ppb(&rec->rate, interval);
	struct hpt_scale slope = rec->convert.ns_per_tick;

	if (event != HPT_EVENT_NONE) {
		hpt_event_begin_generation(rec, event, interval);
		return;
	}
	if (hpt_record_is_exact(rec))
		return;
	if (rec->state == HPT_STATE_DEMOTED)
		hpt_estimate_loosen(&rec->rate, interval);
	else if (hpt_record_is_provisional(old))
		hpt_estimate_first(&rec->rate, interval);
	else
		hpt_estimate_refine(&rec->rate, interval, doubted);
	set_scales(rec, &old->rate);
	if (rec->rate.origin == HPT_ORIGIN_KERNEL) {
		slope = rec->convert.ns_per_tick;
		error_ppb = 0;
	}
	hpt_interval_narrow(&rec->rate.last, interval, slope, error_ppb, &rec->rate.last);
}

/* The latest interval by another rate: the same tick, other ends. */
static struct hpt_interval set_last_interval(struct hpt_record *rec, const struct hpt_samples *samples)
{
	rec->rate.last = raw_interval(rec, samples);
	if (rec->rate.mark.tick != rec->rate.last.tick)
		return rec->rate.last;
	rec->rate.baseline = rec->rate.last;
	rec->rate.mark = doubted_interval(rec, samples);
	return rec->rate.last;
}

static void note_facts(struct hpt_record *rec, const struct hpt_samples *samples, enum hpt_event event)
{
	int64_t lo = samples->offset_lo_ns, hi = samples->offset_hi_ns;

	/* Samples that were interrupted do not widen the known range of the offset. */
	rec->offset_lo_ns = lo > rec->offset_lo_ns || lo > hi ? lo : rec->offset_lo_ns;
	rec->offset_hi_ns = hi < rec->offset_hi_ns ? hi : rec->offset_hi_ns;
	if (rec->offset_lo_ns > rec->offset_hi_ns) {
		rec->offset_lo_ns = lo;
		rec->offset_hi_ns = hi;
	}
	/* A jump is evidence against the name of a clocksource that the kernel may be about to change. */
	if (samples->is_confirmed && event != HPT_EVENT_JUMPED && rec->state != HPT_STATE_DEMOTED)
		rec->rate.wander_ppb = 0;
	hpt_os_lines_note(rec, samples);
	if (samples->is_contradicted)
		rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;
}

COLD void hpt_record_first(struct hpt_record *ret, const struct hpt_rate *rate, const struct hpt_interval *baseline,
			   const struct hpt_samples *samples)
{
	static const struct hpt_estimate none;
	struct hpt_interval interval;

	hpt_estimate_set_rate(&ret->rate, rate);
	set_scales(ret, &none);
	ret->generation = 1;
	ret->state = HPT_STATE_OK;
	ret->segment_max_ns = SEGMENT_MAX_NS;
	ret->calm_ns = CALM_NS;
	ret->rate.baseline = *baseline;
	ret->offset_lo_ns = samples->offset_lo_ns;
	ret->offset_hi_ns = samples->offset_hi_ns;
	ret->offsets.boot = hpt_unix_offset_none;
	hpt_os_lines_note(ret, samples);
	ret->rate.last = ret->raw_now = raw_interval(ret, samples);
	ret->rate.mark = doubted_interval(ret, samples);
	if (hpt_record_is_learning(ret))
		ret->rate.baseline = ret->rate.last;
	if (!hpt_record_is_exact(ret) && ret->rate.origin != HPT_ORIGIN_NONE)
		hpt_estimate_first(&ret->rate, &ret->rate.last);
	set_scales(ret, &none);
	interval = unix_interval(ret, samples);
	ret->rate.unix_baseline = ret->rate.unix_last = interval;
	ret->unix_now = unix_proof(ret, samples);
	start_lines(ret, ret->rate.last.tick, &interval);
	ret->generation_start = ret->read.start;
	set_fast(ret);
	set_unix_ends(ret);
	hpt_os_lines_finish(ret, samples);
}

COLD void hpt_record_settle(struct hpt_record *rec, const struct hpt_rate *rate, const struct hpt_interval *baseline)
{
	static const struct hpt_estimate none;

	hpt_estimate_set_rate(&rec->rate, rate);
	rec->rate.baseline = *baseline;
	set_scales(rec, &none);
}

COLD void hpt_record_next(const struct hpt_record *old, const struct hpt_samples *samples, struct hpt_record *ret)
{
	struct hpt_interval interval = raw_interval(old, samples), of_unix = unix_interval(old, samples);
	struct hpt_interval doubted = doubted_interval(old, samples);
	enum hpt_event event = hpt_event_of(old, samples, &interval);

	*ret = *old;
	ret->flags &= ~HPT_RECORD_PROVISIONAL;
	follow(old, ret, event, &interval, &doubted);
	if (hpt_record_is_learning(old) || hpt_record_is_learning(ret)) {
		interval = set_last_interval(ret, samples); /* by the rate that is now known, or the guess */
		of_unix = unix_interval(ret, samples);
	}
	ret->raw_now = interval;
	ret->unix_now = unix_proof(ret, samples);
	note_facts(ret, samples, event);
	limit_segment(ret, old, &of_unix, event);
	if (event == HPT_EVENT_NONE && !hpt_record_is_learning(old))
		hpt_estimate_unix(&ret->rate, &of_unix);
	else
		ret->rate.unix_baseline = ret->rate.unix_last = of_unix;
	set_scales(ret, &old->rate);
	if (event != HPT_EVENT_NONE)
		ret->generation_start = interval.tick;
	set_lines(old, ret, event, interval.tick, &of_unix);
	hpt_os_lines_finish(ret, samples);
}
