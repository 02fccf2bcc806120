// SPDX-License-Identifier: MIT
/* The system's clocks and the clock's own rate, for a wall's next record: lib/wall/wall_rules.h. */
#include "wall/wall_rules.h"

#include "arch/arch.h"
#include "math/units.h"
#include "rate/record.h"
#include "rate/sample.h"
#include "clock/timekeeper.h"
#include "wall/vmclock.h"
#include "wall/wall_counter.h"

/* CLOCK_MONOTONIC as a counter, where CLOCK_MONOTONIC_RAW cannot be read: by how much it is bent at most. */
#define OS_BENT_PPB 100500000u

/*
 * Between two looks counter and CLOCK_MONOTONIC_RAW may drift apart by the error of the counter's rate, which the
 * record's own error bounds, twice for both ends of it, and by this much more: what a rate that has just been learned
 * better may differ by.
 */
#define MORE_PPB 5000u

static bool has_own_time(const struct hpt_wall *w)
{
	return w->clk->src.own_time;
}

static uint32_t limited_ppb(uint64_t ppb)
{
	return ppb < PPB / 2 ? (uint32_t)ppb : PPB / 2;
}

static uint32_t rules_flags(const struct hpt_wall *w)
{
	uint32_t flags = w->config.rate_ppb && w->config.wander_ppb ? 0 : HPT_WALL_FLAG_ASSUMED_RATE;

	if (w->is_guest && !has_own_time(w) && !atomic_load_explicit(&w->vmclock, memory_order_relaxed))
		flags |= HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL;
	return flags;
}

/*
 * How wrong the rate may be: as the program says, or as is assumed of crystals, and the error of the clock's own
 * measurement.
 */
static void set_rates(const struct hpt_wall *w, const struct hpt_record *rec, struct hpt_wall_rules *ret)
{
	bool is_bent = w->clk->src.ops->id == HPT_SOURCE_OS && !w->counts_raw;
	uint64_t error_ppb = hpt_record_is_exact(rec) ? 0 : rec->rate.error_ppb, bent_ppb = is_bent ? OS_BENT_PPB : 0;
	uint64_t rate_ppb = w->config.rate_ppb ? w->config.rate_ppb : HPT_WALL_RATE_PPB;
	uint64_t wander_ppb = w->config.wander_ppb ? w->config.wander_ppb : HPT_WALL_WANDER_PPB;

	ret->nominal = (struct hpt_band){ rec->convert.ns_per_tick, rec->convert.ns_per_tick };
	ret->nominal = hpt_band_widened(&ret->nominal, limited_ppb(rate_ppb + error_ppb + bent_ppb));
	ret->wander_ppb = limited_ppb(wander_ppb + 2 * bent_ppb);
	ret->clock_ppb = limited_ppb(2 * error_ppb + MORE_PPB + bent_ppb);
}

/* A generation that began because of the counter. One of CLOCK_REALTIME's steps alone leaves the counter's lines. */
static uint64_t event_of(const struct hpt_record *rec)
{
	return rec->state == HPT_STATE_DISRUPTED || rec->state == HPT_STATE_DEMOTED ? rec->generation : 0;
}

COLD bool hpt_wall_rules_make(const struct hpt_wall *w, struct hpt_wall_rules *ret)
{
	struct hpt_record rec;

	/* Renewed where it is past its segment: nobody else may ask this clock for times. */
	(void)hpt_timekeeper_settled(w->clk, &rec);
	if (!has_own_time(w) && hpt_record_is_learning(&rec))
		return false;
	set_rates(w, &rec, ret);
	ret->clock_event = event_of(&rec);
	ret->ns_per_tick = rec.convert.ns_per_tick;
	ret->tick_per_ns = rec.convert.tick_per_ns;
	ret->step = rec.granularity.ticks ? rec.granularity.ticks : 1;
	ret->step_ns = rec.granularity.ref_ns;
	ret->trusted = w->config.trusted;
	ret->max_age_ns = w->config.max_age_ns ? w->config.max_age_ns : HPT_WALL_MAX_AGE_NS;
	ret->covers_leap = w->covers_leap;
	ret->flags = rules_flags(w);
	return true;
}

/*
 * How long the machine slept since boot, and how far CLOCK_REALTIME is off CLOCK_MONOTONIC. Where a sandbox denies a
 * clock: 0 and nothing, as at each look there.
 */
static void look_at_offsets(const struct hpt_source *src, struct hpt_wall_look *ret)
{
	int64_t before_ns, boot_ns, unix_ns, after_ns;
	bool has_boot, has_unix;

	if (hpt_sample_clock(src, CLOCK_MONOTONIC, &before_ns))
		return;
	has_boot = !hpt_sample_clock(src, CLOCK_BOOTTIME, &boot_ns);
	has_unix = !hpt_sample_clock(src, CLOCK_REALTIME, &unix_ns);
	if (hpt_sample_clock(src, CLOCK_MONOTONIC, &after_ns))
		return;
	if (has_boot) {
		ret->asleep_lo_ns = boot_ns - after_ns;
		ret->asleep_hi_ns = boot_ns - before_ns;
	}
	ret->has_wall = has_unix;
	if (has_unix) {
		ret->mono_ns = after_ns;
		/* As hpt_unix_offset_take(): widened by 1 ns, because all reads round down. */
		ret->wall_lo_ns = unix_ns - after_ns - 1;
		ret->wall_hi_ns = unix_ns - before_ns + 1;
	}
}

COLD bool hpt_wall_look_take(const struct hpt_wall *w, struct hpt_wall_look *ret)
{
	const volatile void *page = atomic_load_explicit(&w->vmclock, memory_order_acquire);
	const struct hpt_source *src = &w->clk->src;

	*ret = (struct hpt_wall_look){ .has_marks = page != NULL };
	ret->before = ret->after = hpt_wall_counter(w);
	if (page && !hpt_vmclock_read_marks(page, &ret->marks))
		return false;
	if (has_own_time(w))
		return true;
	look_at_offsets(src, ret);
	ret->before = hpt_wall_counter(w);
	ret->has_clocks = !hpt_sample_clock(src, CLOCK_MONOTONIC_RAW, &ret->raw_ns);
	ret->after = hpt_wall_counter(w);
	return true;
}
