// SPDX-License-Identifier: MIT
/* Converts times of a clock to nanoseconds on its timeline, to Unix time and text, and back. */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "math/civil.h"
#include "math/units.h"
#include "math/unix_time.h"
#include "source/own_time.h"
#include "rate/timeline.h"
#include "clock/default.h"
#include "clock/timekeeper.h"

/* ---- The map of the current record ------------------------------------------------------------------------------ */

static struct hpt_unix_time unix_time_of(const struct hpt_record *rec, hpt_time_t t)
{
	struct hpt_unix_segment e = { (int64_t)rec->read.start, rec->convert.span, (int64_t)rec->convert.start_unix_ns,
				      (int64_t)rec->convert.end_unix_ns, rec->read.unix_ns.slope,
				      rec->convert.unix_per_tick, rec->convert.tick_per_ns };

	return hpt_unix_time_for(&e, t);
}

/* By the current record, whatever its age. */
static struct hpt_unix_time latest_unix_time(hpt_clock *clk)
{
	struct hpt_record rec;

	hpt_timekeeper_current(hpt_clock_or_default(clk), &rec);
	return unix_time_of(&rec, (hpt_time_t)rec.read.start);
}

/*
 * By the current record. False if that is not fresh enough for t: it is, if its segment contains t or the counter's
 * present tick. Here too only the words that are needed are copied.
 */
static bool current_unix_time(hpt_clock *clk, hpt_time_t t, struct hpt_unix_time *ret)
{
	uint32_t seen = hpt_seqlatch_begin(&clk->latch);
	const struct hpt_record *rec = &clk->records[hpt_seqlatch_slot(seen)];
	struct hpt_unix_segment e = {
		.start = (int64_t)hpt_word_load(&rec->read.start),
		.span = hpt_word_load((const hpt_word *)&rec->convert.span),
		.unix_ns = (int64_t)hpt_word_load((const hpt_word *)&rec->convert.start_unix_ns),
		.end_unix_ns = (int64_t)hpt_word_load((const hpt_word *)&rec->convert.end_unix_ns),
		.within = hpt_scale_load(&rec->read.unix_ns.slope),
		.beyond = hpt_scale_load(&rec->convert.unix_per_tick),
		.tick_per_ns = hpt_scale_load(&rec->convert.tick_per_ns),
	};
	bool is_provisional;

	*ret = hpt_unix_time_for(&e, t);
	is_provisional = hpt_word_load((const hpt_word *)&rec->flags) & HPT_RECORD_PROVISIONAL;
	return seen && hpt_seqlatch_same(&clk->latch, seen) &&
	       ((uint64_t)t - (uint64_t)e.start < e.span ||
		(!is_provisional && clk->src.read(&clk->src) - (uint64_t)e.start < e.span));
}

/* By a record that is fresh enough for t. */
static struct hpt_unix_time unix_time_for(hpt_clock *clk, hpt_time_t t)
{
	struct hpt_record rec;
	struct hpt_unix_time e;

	clk = hpt_clock_or_default(clk);
	if (likely(current_unix_time(clk, t, &e)))
		return e;
	hpt_timekeeper_for(clk, t, &rec);
	return unix_time_of(&rec, t);
}

/* ---- The timeline of hpt_now_ns() ------------------------------------------------------------------------ */

/* False if the current segment does not contain t. */
static inline bool ns_by_segment(hpt_clock *clk, hpt_time_t t, int64_t *ret)
{
	uint32_t seen = hpt_seqlatch_begin(&clk->latch);
	const struct hpt_record *rec = &clk->records[hpt_seqlatch_slot(seen)];
	const hpt_word *line = (const hpt_word *)&rec->read.ns;
	uint64_t start = hpt_word_load(&rec->read.start), span = hpt_word_load((const hpt_word *)&rec->convert.span);
	int64_t ns = hpt_line_ns((uint64_t)t - hpt_window_start(start), hpt_word_load(&line[0]),
				 hpt_word_load(&line[1]), hpt_word_load(&line[2]), hpt_word_load(&line[3]));

	if (!seen || !hpt_seqlatch_same(&clk->latch, seen) || (uint64_t)t - start >= span)
		return false;
	*ret = ns;
	return true;
}

/* A fresh one, but for ticks that the current record knows: its successor may not know them. */
static void record_for(hpt_clock *clk, hpt_time_t t, struct hpt_record *ret)
{
	hpt_timekeeper_current(clk, ret);
	if (!hpt_timeline_has(ret, t))
		hpt_timekeeper_for(clk, t, ret);
}

int hpt_time_to_ns(hpt_clock *clk, hpt_time_t t, int64_t *ret)
{
	struct hpt_record rec;

	if (!ret)
		return -EINVAL;
	clk = hpt_clock_or_default(clk);
	if (likely(ns_by_segment(clk, t, ret)))
		return 0;
	if (clk->src.own_time)
		return hpt_wide_narrow(clk->src.own_time->ns(&clk->src, t), ret);
	record_for(clk, t, &rec);
	return hpt_wide_narrow(hpt_timeline_ns(&rec, t), ret);
}

/* By the record that hpt_time_to_ns() of the result uses: one that is fresh enough for the result. */
int hpt_time_from_ns(hpt_clock *clk, int64_t ns, hpt_time_t *ret)
{
	hpt_time_t about = INT64_MAX;
	struct hpt_record rec;

	if (!ret)
		return -EINVAL;
	clk = hpt_clock_or_default(clk);
	if (clk->src.own_time)
		return hpt_wide_narrow(clk->src.own_time->ticks(&clk->src, hpt_wide_of(ns)), ret);
	hpt_timekeeper_current(clk, &rec);
	hpt_timeline_tick(&rec, ns, &about);
	record_for(clk, about, &rec);
	return hpt_timeline_tick(&rec, ns, ret);
}

/* ---- Unix time ------------------------------------------------------------------------------------------ */

static struct hpt_wide time_to_wide_ns(hpt_clock *clk, hpt_time_t t)
{
	struct hpt_unix_time e;

	clk = hpt_clock_or_default(clk);
	if (clk->src.own_time)
		return clk->src.own_time->ns(&clk->src, t);
	e = unix_time_for(clk, t);
	return hpt_ray_ns(&e.ray, t);
}

int hpt_time_to_unix_ns(hpt_clock *clk, hpt_time_t t, int64_t *ret)
{
	return ret ? hpt_wide_narrow(time_to_wide_ns(clk, t), ret) : -EINVAL;
}

/* By the record that hpt_time_to_unix_ns() of the result uses: one that is fresh enough for the result. */
static int from_wide_ns(hpt_clock *clk, struct hpt_wide unix_ns, hpt_time_t *ret)
{
	hpt_time_t about = INT64_MAX;
	struct hpt_unix_time e;

	if (!ret)
		return -EINVAL;
	clk = hpt_clock_or_default(clk);
	if (clk->src.own_time)
		return hpt_wide_narrow(clk->src.own_time->ticks(&clk->src, unix_ns), ret);
	e = latest_unix_time(clk);
	hpt_ray_tick(&e.ray, unix_ns, &about);
	e = unix_time_for(clk, about);
	return hpt_ray_tick(&e.ray, unix_ns, ret);
}

int hpt_time_from_unix_ns(hpt_clock *clk, int64_t unix_ns, hpt_time_t *ret)
{
	return from_wide_ns(clk, hpt_wide_of(unix_ns), ret);
}

int hpt_time_to_unix_ticks(hpt_clock *clk, hpt_time_t t, int64_t *ret)
{
	struct hpt_unix_time e;

	if (!ret)
		return -EINVAL;
	clk = hpt_clock_or_default(clk);
	if (clk->src.own_time) {
		*ret = t;
		return 0;
	}
	e = unix_time_for(clk, t);
	return hpt_unix_time_ticks(&e, t, ret);
}

/* ---- Seconds --------------------------------------------------------------------------------------------- */

static int from_seconds(hpt_clock *clk, int64_t s, int64_t above_ns, hpt_time_t *ret)
{
	if (above_ns < 0 || above_ns >= NS_PER_S)
		return -EINVAL;
	return from_wide_ns(clk, hpt_wide_add(hpt_wide_product(s, NS_PER_S), hpt_wide_of(above_ns)), ret);
}

int hpt_time_to_timespec(hpt_clock *clk, hpt_time_t t, struct hpt_timespec *ret)
{
	if (!ret)
		return -EINVAL;
	*ret = hpt_civil_seconds(time_to_wide_ns(clk, t));
	return 0;
}

int hpt_time_from_timespec(hpt_clock *clk, const struct hpt_timespec *ts, hpt_time_t *ret)
{
	return ts ? from_seconds(clk, ts->sec, ts->nsec, ret) : -EINVAL;
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

COLD int hpt_time_format(hpt_clock *clk, hpt_time_t t, char *buf, size_t size)
{
	char text[HPT_TIME_FORMAT_SIZE];
	int64_t unix_ns;
	int r;

	if (!buf)
		return -EINVAL;
	if (size < sizeof(text))
		return -ERANGE;
	r = hpt_time_to_unix_ns(clk, t, &unix_ns);
	if (r)
		return r;
	hpt_civil_format(unix_ns, text);
	memcpy(buf, text, sizeof(text));
	return (int)sizeof(text) - 1;
}

COLD int hpt_time_parse(hpt_clock *clk, const char *text, hpt_time_t *ret)
{
	uint32_t ns;
	int64_t s;

	if (hpt_civil_parse(text, &s, &ns))
		return -EINVAL;
	return from_seconds(clk, s, ns, ret);
}

/* ---- Ends --------------------------------------------------------------------------------------------------- */

static COLD hpt_time_t furthest(hpt_clock *clk, int64_t end)
{
	struct hpt_unix_time e;

	clk = hpt_clock_or_default(clk);
	if (clk->src.own_time)
		return clk->src.own_time->furthest(&clk->src, end);
	e = unix_time_for(clk, end);
	return hpt_unix_time_furthest(&e, end);
}

COLD hpt_time_t hpt_time_min(hpt_clock *clk)
{
	return furthest(clk, INT64_MIN);
}

COLD hpt_time_t hpt_time_max(hpt_clock *clk)
{
	return furthest(clk, INT64_MAX);
}
