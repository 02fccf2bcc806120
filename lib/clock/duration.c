// SPDX-License-Identifier: MIT
/* Converts durations of a clock to nanoseconds, seconds and text, and adds them to times: lib/clock/duration.h. */
#include "clock/duration.h"

#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "math/civil.h"
#include "math/units.h"
#include "source/own_time.h"
#include "clock/default.h"
#include "clock/timekeeper.h"

/* ---- The current rate ------------------------------------------------------------------------------- */

static struct hpt_scales scales_of(const struct hpt_record *rec)
{
	uint64_t resample_ns = hpt_record_is_provisional(rec) ? rec->convert.resample_ns : UINT64_MAX;

	return (struct hpt_scales){ rec->convert.ns_per_tick, rec->convert.tick_per_ns, resample_ns };
}

static COLD __attribute__((noinline)) void latest_scales(hpt_clock *clk, struct hpt_scales *ret)
{
	struct hpt_record rec;

	hpt_timekeeper_now(clk, &rec);
	*ret = scales_of(&rec);
}

/* For a duration that the program may keep: not by a provisional rate. */
static COLD __attribute__((noinline)) void settled_scales(hpt_clock *clk, struct hpt_scales *ret)
{
	struct hpt_record rec;

	hpt_timekeeper_settled(clk, &rec);
	*ret = scales_of(&rec);
}

/* A duration that is longer than the clock's age was not measured by it: a provisional rate is not for such. */
static COLD __attribute__((noinline)) void scales_for_ticks(hpt_clock *clk, int64_t ticks, struct hpt_scales *ret)
{
	struct hpt_record rec;
	uint64_t age = hpt_timekeeper_now(clk, &rec) - rec.rate.baseline.tick;

	if (hpt_record_is_provisional(&rec) && (ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks) > age)
		hpt_timekeeper_settled(clk, &rec);
	*ret = scales_of(&rec);
}

/* The current record's rates, whatever its age. Copying the whole record would cost more than the conversion. */
static inline void current_scales(hpt_clock *clk, struct hpt_scales *ret)
{
	uint32_t seen = hpt_seqlatch_begin(&clk->latch);
	const struct hpt_record *rec = &clk->records[hpt_seqlatch_slot(seen)];

	ret->ns_per_tick = hpt_scale_load(&rec->convert.ns_per_tick);
	ret->tick_per_ns = hpt_scale_load(&rec->convert.tick_per_ns);
	ret->resample_ns = hpt_word_load((const hpt_word *)&rec->convert.resample_ns);
	if (unlikely(!seen || !hpt_seqlatch_same(&clk->latch, seen)))
		latest_scales(clk, ret);
}

void hpt_time_scales(hpt_clock *clk, struct hpt_scales *ret)
{
	current_scales(clk, ret);
}

/* One word: if the record is overwritten meanwhile, it is that of a later record. */
uint64_t hpt_time_step(const hpt_clock *clk)
{
	const struct hpt_record *rec = &clk->records[hpt_seqlatch_slot(hpt_seqlatch_begin(&clk->latch))];

	return hpt_word_load((const hpt_word *)&rec->granularity.ticks);
}

/*
 * True if a duration is long enough for the latest rate: a better rate may change the result, and the counter read that
 * shows whether there is one costs little. For shorter durations the current record's rate is good enough.
 */
static inline bool deserves_latest(const struct hpt_scales *r, int64_t ns)
{
	return (ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns) >= r->resample_ns;
}

/*
 * True for a clock with a time of its own, whose record says that all durations deserve the latest rate: they are
 * converted by the fraction that the rate is.
 */
static inline bool converts_own_time(const hpt_clock *clk, const struct hpt_scales *r)
{
	return unlikely(!r->resample_ns) && clk->src.own_time;
}

static int64_t saturated(struct hpt_wide x)
{
	int64_t narrow = hpt_wide_is_negative(x) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(x, &narrow);
	return narrow;
}

/* ---- Nanoseconds --------------------------------------------------------------------------------------- */

int64_t hpt_ticks_to_ns(hpt_clock *clk, int64_t ticks)
{
	struct hpt_scales r;
	int64_t ns;

	clk = hpt_clock_or_default(clk);
	current_scales(clk, &r);
	ns = hpt_scale_round(ticks, r.ns_per_tick);
	if (likely(!deserves_latest(&r, ns)))
		return ns;
	if (clk->src.own_time)
		return saturated(clk->src.own_time->duration_ns(&clk->src, hpt_wide_of(ticks)));
	scales_for_ticks(clk, ticks, &r);
	return hpt_scale_round(ticks, r.ns_per_tick);
}

/* The rates for a duration in nanoseconds; one that does not fit is long. */
static void scales_for_ns(hpt_clock *clk, struct hpt_wide ns, struct hpt_scales *ret)
{
	int64_t narrow = INT64_MAX;

	current_scales(clk, ret);
	hpt_wide_narrow(ns, &narrow);
	if (unlikely(deserves_latest(ret, narrow)) && !converts_own_time(clk, ret))
		settled_scales(clk, ret);
}

int64_t hpt_ns_to_ticks(hpt_clock *clk, int64_t ns)
{
	struct hpt_scales r;

	clk = hpt_clock_or_default(clk);
	scales_for_ns(clk, hpt_wide_of(ns), &r);
	if (converts_own_time(clk, &r))
		return saturated(clk->src.own_time->ticks(&clk->src, hpt_wide_of(ns)));
	return hpt_scale_round(ns, r.tick_per_ns);
}

static struct hpt_wide ticks_to_wide_ns(hpt_clock *clk, int64_t ticks)
{
	struct hpt_scales r;

	clk = hpt_clock_or_default(clk);
	current_scales(clk, &r);
	if (converts_own_time(clk, &r))
		return clk->src.own_time->duration_ns(&clk->src, hpt_wide_of(ticks));
	if (unlikely(deserves_latest(&r, hpt_scale_round(ticks, r.ns_per_tick))))
		scales_for_ticks(clk, ticks, &r);
	return hpt_scale_wide(hpt_wide_of(ticks), r.ns_per_tick);
}

/* ---- Seconds and text ------------------------------------------------------------------------------------ */

int hpt_ticks_to_timespec(hpt_clock *clk, int64_t ticks, struct hpt_timespec *ret)
{
	if (!ret)
		return -EINVAL;
	*ret = hpt_civil_seconds(ticks_to_wide_ns(clk, ticks));
	return 0;
}

COLD int hpt_ticks_format(hpt_clock *clk, int64_t ticks, char *buf, size_t size)
{
	char text[HPT_TICKS_FORMAT_SIZE];
	struct hpt_timespec ts;
	struct hpt_wide ns;
	bool negative;
	uint32_t len;

	if (!buf)
		return -EINVAL;
	ns = ticks_to_wide_ns(clk, ticks);
	negative = hpt_wide_is_negative(ns);
	ts = hpt_civil_seconds(negative ? hpt_wide_negate(ns) : ns);
	len = hpt_civil_format_duration(negative, ts.sec, (uint32_t)ts.nsec, text);
	if (size <= len)
		return -ERANGE;
	memcpy(buf, text, len + 1);
	return (int)len;
}

/* ---- Sums --------------------------------------------------------------------------------------------- */

static int add_wide(hpt_time_t t, struct hpt_wide ticks, hpt_time_t *ret)
{
	return ret ? hpt_wide_narrow(hpt_wide_add(hpt_wide_of(t), ticks), ret) : -EINVAL;
}

int hpt_time_add_ns(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret)
{
	struct hpt_wide ns = hpt_wide_of(amount);
	struct hpt_scales r;

	clk = hpt_clock_or_default(clk);
	scales_for_ns(clk, ns, &r);
	if (converts_own_time(clk, &r))
		return add_wide(t, clk->src.own_time->ticks(&clk->src, ns), ret);
	return add_wide(t, hpt_scale_ticks(ns, r.tick_per_ns, r.ns_per_tick), ret);
}
