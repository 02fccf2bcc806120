// SPDX-License-Identifier: MIT
/* Detects suspends, steps, jumps and demotions: lib/rate/event.h. */
#include "rate/event.h"

#include "hpt/hpt.h"

#include "rate/estimate.h"

/*
 * A reading further than this (1 us) from its prediction, beyond the measurement uncertainty and HPT_ESTIMATE_JUMP_PPB,
 * means that the counter jumped. Trusted counters on two sockets differ by less than 0.1 us, which is no jump.
 */
#define JUMP_FS INT64_C(1000000000)

/* Between the samples of one round: those of the two clocks then belong to different times of the counter. */
static bool jumped_meanwhile(const struct hpt_record *old, const struct hpt_samples *samples,
			     const struct hpt_interval *interval)
{
	uint32_t error_ppb = hpt_estimate_trusted_ppb(&old->rate);
	struct hpt_interval end = hpt_interval_of(&samples->end, 1, old->convert.ns_per_tick, error_ppb,
						  old->granularity);

	return hpt_interval_gap_fs(interval, &end, old->convert.ns_per_tick, error_ppb) > JUMP_FS;
}

static bool has_jumped(const struct hpt_record *old, const struct hpt_samples *samples,
		       const struct hpt_interval *interval)
{
	uint32_t error_ppb = hpt_estimate_trusted_ppb(&old->rate) + hpt_estimate_idle_ppb(&old->rate, interval);

	if (hpt_record_is_exact(old) || hpt_record_is_learning(old) || old->state == HPT_STATE_DEMOTED)
		return false;
	return hpt_interval_gap_fs(&old->rate.last, interval, old->convert.ns_per_tick, error_ppb) > JUMP_FS ||
	       jumped_meanwhile(old, samples, interval);
}

/* True within HPT_RECORD_JUMPS_NS of jumps_ns. */
static bool is_soon_after(const struct hpt_record *rec, const struct hpt_interval *interval)
{
	return (uint64_t)interval->ref_ns - (uint64_t)rec->jumps_ns < (uint64_t)HPT_RECORD_JUMPS_NS;
}

/* True while the counter jumps too often; a demoted one is not trusted again meanwhile. */
static bool is_unsteady(const struct hpt_record *old, const struct hpt_interval *interval, uint64_t jumps)
{
	return old->jumps + jumps >= HPT_RECORD_JUMPS && is_soon_after(old, interval);
}

COLD enum hpt_event hpt_event_of(const struct hpt_record *old, const struct hpt_samples *samples,
				 const struct hpt_interval *interval)
{
	bool moved = samples->offset_lo_ns > old->offset_hi_ns || samples->offset_hi_ns < old->offset_lo_ns ||
		     hpt_unix_offset_differs(samples->boot, old->offsets.boot);
	bool jumped = has_jumped(old, samples, interval), is_demoted = old->state == HPT_STATE_DEMOTED;

	if (samples->is_demoted && !is_demoted)
		return HPT_EVENT_DEMOTED;
	if (samples->is_confirmed && is_demoted && !is_unsteady(old, interval, 0))
		return HPT_EVENT_TRUSTED;
	if (samples->is_disrupted) /* before `moved`: a restored snapshot also steps CLOCK_REALTIME */
		return HPT_EVENT_JUMPED;
	if (moved)
		return jumped ? HPT_EVENT_MOVED_AWAY : HPT_EVENT_MOVED;
	if (!jumped)
		return HPT_EVENT_NONE;
	return is_unsteady(old, interval, 1) ? HPT_EVENT_UNSTEADY : HPT_EVENT_JUMPED;
}

static void count_jump(struct hpt_record *rec, const struct hpt_interval *interval)
{
	if (!rec->jumps || !is_soon_after(rec, interval)) {
		rec->jumps = 0;
		rec->jumps_ns = interval->ref_ns;
	}
	rec->jumps++;
}

static void demote(struct hpt_record *rec, enum hpt_event event, const struct hpt_interval *interval)
{
	rec->state = HPT_STATE_DEMOTED;
	rec->jumps = event == HPT_EVENT_UNSTEADY ? HPT_RECORD_JUMPS : 0;
	rec->jumps_ns = interval->ref_ns;
	hpt_estimate_demote(&rec->rate);
}

static void open_generation(struct hpt_record *rec, enum hpt_event event, const struct hpt_interval *interval)
{
	rec->state = event == HPT_EVENT_TRUSTED ? HPT_STATE_OK :
		     event == HPT_EVENT_JUMPED ? HPT_STATE_DISRUPTED : HPT_STATE_REANCHORED;
	if (event == HPT_EVENT_JUMPED)
		count_jump(rec, interval);
	if (event == HPT_EVENT_TRUSTED) /* the rates of a demoted counter are too many to confirm one */
		rec->rate.safe = hpt_rates_none;
	if (event != HPT_EVENT_MOVED && !hpt_record_is_exact(rec))
		hpt_estimate_forget(&rec->rate);
}

COLD void hpt_event_begin_generation(struct hpt_record *rec, enum hpt_event event, const struct hpt_interval *interval)
{
	rec->generation++;
	if (event == HPT_EVENT_DEMOTED || event == HPT_EVENT_UNSTEADY)
		demote(rec, event, interval);
	else if (rec->state != HPT_STATE_DEMOTED || event == HPT_EVENT_TRUSTED)
		open_generation(rec, event, interval);
	rec->rate.baseline = rec->rate.last = *interval;
	if (event != HPT_EVENT_MOVED) /* else this part of the baseline goes on */
		rec->rate.mark = *interval;
}
