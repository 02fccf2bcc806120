// SPDX-License-Identifier: MIT
/* Facts about a wall and its sources, and TAI: hpt_wall_get_info() and others. */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "math/units.h"
#include "clock/sized.h"
#include "wall/wall_counter.h"
#include "wall/wall_keeper.h"
#include "wall/wall_rules.h"
#include "wall/wall_update.h"

/* The record for now, or, if it has no bound, the latest. *ret_tick is a present tick in any case. */
static bool take_record(struct hpt_wall *w, struct hpt_wall_record *rec, uint64_t *ret_tick)
{
	bool serves;

	memset(rec, 0, sizeof(*rec));
	serves = !hpt_wall_present(w, rec, ret_tick);
	if (!serves)
		*ret_tick = hpt_wall_counter(w);
	return serves;
}

static int64_t info_width_ns(const struct hpt_bound_lines *lines, uint64_t tick)
{
	struct hpt_utc utc = hpt_bound_at(lines, tick);

	return utc.hi_ns - utc.lo_ns;
}

static int64_t statement_age_ns(const struct hpt_wall *w, uint64_t sampled, uint64_t tick)
{
	int64_t age = hpt_ticks_to_ns(w->clk, (int64_t)(tick - sampled));

	return age > 0 ? age : 0;
}

/* ---- The wall ------------------------------------------------------------------------------------------------ */

static void fill_rates(const struct hpt_wall *w, const struct hpt_wall_record *rec, struct hpt_wall_info *info)
{
	struct hpt_wall_rules rules;
	struct hpt_band band;

	info->rate_ppb = w->config.rate_ppb ? w->config.rate_ppb : HPT_WALL_RATE_PPB;
	info->wander_ppb = w->config.wander_ppb ? w->config.wander_ppb : HPT_WALL_WANDER_PPB;
	if (!hpt_wall_rules_make(w, &rules))
		return;
	band = rec->has_bound ? rec->read.bound.band : rules.nominal;
	info->rate_lo_ppb = hpt_band_ppb(band.lo, rules.ns_per_tick);
	info->rate_hi_ppb = hpt_band_ppb(band.hi, rules.ns_per_tick);
	info->flags |= rules.flags;
}

COLD int hpt_wall_get_info(hpt_wall *w, struct hpt_wall_info *ret, size_t size)
{
	struct hpt_wall_info info = { .width_ns = -1, .age_ns = -1 };
	struct hpt_wall_record rec;
	uint64_t tick;

	if (!w || !ret || size < HPT_WALL_INFO_SIZE_V0)
		return -EINVAL;
	if (take_record(w, &rec, &tick))
		info.width_ns = info_width_ns(&rec.read.bound, tick);
	info.state = hpt_wall_record_state(&rec);
	info.flags = (uint32_t)rec.flags;
	info.sources = w->sources;
	info.live = (uint32_t)rec.live;
	info.waiting = atomic_load_explicit(&w->waiting, memory_order_relaxed);
	info.generation = rec.read.generation;
	info.samples = rec.counts.samples;
	info.refused = rec.counts.refused;
	info.contradictions = rec.counts.contradictions;
	info.disruptions = rec.counts.disruptions;
	info.gained = rec.counts.gained;
	info.lost = rec.counts.lost;
	if (rec.live)
		info.age_ns = statement_age_ns(w, rec.sampled, tick);
	info.leap_at_ns = rec.leap.at_ns;
	info.leap = (int32_t)rec.leap.sign;
	info.tai_offset_s = (int32_t)rec.leap.tai_offset_s;
	fill_rates(w, &rec, &info);
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}

/* ---- Sources ------------------------------------------------------------------------------------------------- */

static void fill_path(const struct hpt_wall *w, uint32_t source, struct hpt_wall_source_info *info)
{
	const struct hpt_wall_source_ops *ops = hpt_wall_source_find(source);
	const struct hpt_wall_ask ask = { .clk = w->clk, .config = &w->config };
	int saved = errno;
	const char *path = ops && ops->path ? ops->path(&ask) : "";

	errno = saved; /* it may look which of two files there is */
	for (size_t i = 0; i + 1 < sizeof(info->path) && path[i]; i++)
		info->path[i] = path[i];
}

static void fill_sample(const struct hpt_wall *w, uint32_t source, struct hpt_wall_source_info *info)
{
	struct hpt_wall_record rec;
	uint32_t place = hpt_wall_source_place(source);
	const struct hpt_wall_latest *latest = &rec.latest[place];
	uint64_t tick;

	(void)take_record((struct hpt_wall *)(uintptr_t)w, &rec, &tick);
	info->samples = rec.counts.samples_of[place];
	info->refused = rec.counts.refused_of[place];
	if (!(rec.live & source))
		return;
	info->flags = (uint32_t)latest->flags;
	info->width_ns = info_width_ns(&latest->lines, tick);
	info->age_ns = statement_age_ns(w, latest->lines.tick, tick);
}

COLD int hpt_wall_source_get_info(hpt_wall *w, uint32_t source, struct hpt_wall_source_info *ret, size_t size)
{
	struct hpt_wall_source_info info = { .source = source, .width_ns = -1, .age_ns = -1 };
	uint64_t answer;

	if (!w || !ret || !hpt_wall_source_is_known(source) || size < HPT_WALL_SOURCE_INFO_SIZE_V0)
		return -EINVAL;
	answer = atomic_load_explicit(&w->answers[hpt_wall_source_place(source)], memory_order_relaxed);
	info.reason = (uint32_t)answer;
	info.error = (uint32_t)(answer >> 32);
	info.usable = info.reason == HPT_WALL_REASON_NONE;
	strcpy(info.name, hpt_wall_source_name(source));
	fill_path(w, source, &info);
	fill_sample(w, source, &info);
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}

/* ---- TAI ----------------------------------------------------------------------------------------------------- */

COLD int hpt_wall_to_tai_ns(hpt_wall *w, int64_t unix_ns, int64_t *ret)
{
	struct hpt_wall_record rec;
	uint64_t tick;
	int64_t s;
	int r;

	if (!w || !ret)
		return -EINVAL;
	(void)take_record(w, &rec, &tick);
	/* Smeared time is not UTC around a leap second, and no source says when that is. */
	r = rec.flags & HPT_WALL_FLAG_SMEARED ? -ENODATA : hpt_leap_tai_offset(&rec.leap, unix_ns, &s);
	if (r)
		return r;
	return hpt_wide_narrow(hpt_wide_add(hpt_wide_of(unix_ns), hpt_wide_of(s * NS_PER_S)), ret);
}
