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

static bool has_jumped(const struct hpt_record *old, const struct hpt_interval *interval)
{
	if (hpt_record_is_exact(old) || old->state == HPT_STATE_DEMOTED)
		return false;
	return hpt_interval_gap_fs(&old->last, interval, old->ns_per_tick,
				   hpt_estimate_trusted_ppb(old) + hpt_estimate_idle_ppb(old, interval)) > JUMP_FS;
}

enum hpt_event hpt_event_of(const struct hpt_record *old, const struct hpt_samples *samples,
			    const struct hpt_interval *interval)
{
	bool moved = samples->offset_lo_ns > old->offset_hi_ns || samples->offset_hi_ns < old->offset_lo_ns;
	bool jumped = has_jumped(old, interval);

	if (samples->is_demoted && old->state != HPT_STATE_DEMOTED)
		return HPT_EVENT_DEMOTED;
	if (samples->is_disrupted) /* before `moved`: a restored snapshot also steps the wall clock */
		return HPT_EVENT_JUMPED;
	if (moved)
		return jumped ? HPT_EVENT_MOVED_AWAY : HPT_EVENT_MOVED;
	return jumped ? HPT_EVENT_JUMPED : HPT_EVENT_NONE;
}

void hpt_event_begin_generation(struct hpt_record *rec, enum hpt_event event, const struct hpt_interval *interval)
{
	rec->generation++;
	if (event == HPT_EVENT_DEMOTED)
		rec->state = HPT_STATE_DEMOTED;
	else if (rec->state != HPT_STATE_DEMOTED)
		rec->state = event == HPT_EVENT_JUMPED ? HPT_STATE_DISRUPTED : HPT_STATE_REANCHORED;
	if (event == HPT_EVENT_JUMPED && !hpt_record_is_exact(rec))
		hpt_estimate_forget(rec, interval);
	rec->baseline = *interval;
	rec->last = *interval;
}
