// SPDX-License-Identifier: MIT
/* Converts durations and times of a clock to nanoseconds, Unix time and text, and back: lib/clock/time.h. */
#include "clock/time.h"

#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "math/civil.h"
#include "math/unix_time.h"
#include "clock/default.h"
#include "clock/timekeeper.h"

#define NS_PER_US 1000
#define US_PER_S  1000000

/* ---- The current record ------------------------------------------------------------------------------ */

static struct hpt_scale load_scale(const struct hpt_scale *scale)
{
	const hpt_word *words = (const hpt_word *)scale;

	return (struct hpt_scale){ hpt_word_load(&words[0]), hpt_word_load(&words[1]) };
}

static COLD __attribute__((noinline)) void latest_rates(hpt_clock *clk, struct hpt_rates *ret)
{
	struct hpt_record rec;

	hpt_timekeeper_now(clk, &rec);
	*ret = (struct hpt_rates){ rec.ns_per_tick, rec.tick_per_ns, UINT64_MAX };
}

/* The current record's rates, whatever its age. Copying the whole record would cost more than the conversion. */
static inline void current_rates(hpt_clock *clk, struct hpt_rates *ret)
{
	uint32_t seen = hpt_seqlatch_begin(&clk->latch);
	const struct hpt_record *rec = &clk->records[hpt_seqlatch_slot(seen)];

	ret->ns_per_tick = load_scale(&rec->ns_per_tick);
	ret->tick_per_ns = load_scale(&rec->tick_per_ns);
	ret->resample_ns = hpt_word_load((const hpt_word *)&rec->resample_ns);
	if (unlikely(!seen || !hpt_seqlatch_same(&clk->latch, seen)))
		latest_rates(clk, ret);
}

void hpt_time_rates(hpt_clock *clk, struct hpt_rates *ret)
{
	current_rates(clk, ret);
}

/*
 * True if a duration is long enough for the latest rate: a better rate may change the result, and the counter read that
 * shows whether there is one costs little. For shorter durations the current record's rate is good enough.
 */
static inline bool deserves_latest(const struct hpt_rates *r, int64_t ns)
{
	return (ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns) >= r->resample_ns;
}

static struct hpt_unix_time unix_time_of(const struct hpt_record *rec, hpt_time_t t)
{
	struct hpt_unix_segment e = { (int64_t)rec->read.start, rec->span, (int64_t)rec->start_unix_ns,
				      (int64_t)rec->end_unix_ns, rec->read.unix_ns.slope, rec->unix_per_tick,
				      rec->tick_per_ns };

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
		.start = (int64_t)hpt_word_load(&rec->read.start), .span = hpt_word_load((const hpt_word *)&rec->span),
		.unix_ns = (int64_t)hpt_word_load((const hpt_word *)&rec->start_unix_ns),
		.end_unix_ns = (int64_t)hpt_word_load((const hpt_word *)&rec->end_unix_ns),
		.within = load_scale(&rec->read.unix_ns.slope), .beyond = load_scale(&rec->unix_per_tick),
		.tick_per_ns = load_scale(&rec->tick_per_ns),
	};

	*ret = hpt_unix_time_for(&e, t);
	return seen && hpt_seqlatch_same(&clk->latch, seen) &&
	       ((uint64_t)t - (uint64_t)e.start < e.span || clk->src.read(&clk->src) - (uint64_t)e.start < e.span);
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

/* ---- Nanoseconds --------------------------------------------------------------------------------------- */

int64_t hpt_ticks_to_ns(hpt_clock *clk, int64_t ticks)
{
	struct hpt_rates r;
	int64_t ns;

	clk = hpt_clock_or_default(clk);
	current_rates(clk, &r);
	ns = hpt_scale_round(ticks, r.ns_per_tick);
	if (likely(!deserves_latest(&r, ns)))
		return ns;
	latest_rates(clk, &r);
	return hpt_scale_round(ticks, r.ns_per_tick);
}

/* The rates for a duration in nanoseconds; one that does not fit is long. */
static void rates_for_ns(hpt_clock *clk, struct hpt_wide ns, struct hpt_rates *ret)
{
	int64_t narrow = INT64_MAX;

	clk = hpt_clock_or_default(clk);
	current_rates(clk, ret);
	hpt_wide_narrow(ns, &narrow);
	if (unlikely(deserves_latest(ret, narrow)))
		latest_rates(clk, ret);
}

int64_t hpt_ns_to_ticks(hpt_clock *clk, int64_t ns)
{
	struct hpt_rates r;

	rates_for_ns(clk, hpt_wide_of(ns), &r);
	return hpt_scale_round(ns, r.tick_per_ns);
}

static struct hpt_wide ticks_to_wide_ns(hpt_clock *clk, int64_t ticks)
{
	struct hpt_rates r;

	clk = hpt_clock_or_default(clk);
	current_rates(clk, &r);
	rates_for_ns(clk, hpt_scale_wide(hpt_wide_of(ticks), r.ns_per_tick), &r);
	return hpt_scale_wide(hpt_wide_of(ticks), r.ns_per_tick);
}

/* ---- Sums --------------------------------------------------------------------------------------------- */

static int add_wide(hpt_time_t t, struct hpt_wide ticks, hpt_time_t *ret)
{
	return ret ? hpt_wide_narrow(hpt_wide_add(hpt_wide_of(t), ticks), ret) : -EINVAL;
}

static int add_units(hpt_clock *clk, hpt_time_t t, int64_t amount, uint64_t ns_per_unit, hpt_time_t *ret)
{
	struct hpt_wide ns = hpt_wide_product(amount, ns_per_unit);
	struct hpt_rates r;

	rates_for_ns(clk, ns, &r);
	return add_wide(t, hpt_scale_ticks(ns, r.tick_per_ns, r.ns_per_tick), ret);
}

int hpt_time_add_ticks(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret)
{
	(void)clk; /* unused: it is there so that all four functions are called alike */
	return add_wide(t, hpt_wide_of(amount), ret);
}

int hpt_time_add_ns(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret)
{
	return add_units(clk, t, amount, 1, ret);
}

int hpt_time_add_us(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret)
{
	return add_units(clk, t, amount, NS_PER_US, ret);
}

int hpt_time_add_s(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret)
{
	return add_units(clk, t, amount, HPT_NS_PER_S, ret);
}

/* ---- Unix time ------------------------------------------------------------------------------------------ */

static struct hpt_wide time_to_wide_ns(hpt_clock *clk, hpt_time_t t)
{
	struct hpt_unix_time e = unix_time_for(clk, t);

	return hpt_unix_time_ns(&e, t);
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
	e = latest_unix_time(clk);
	hpt_unix_time_tick(&e, unix_ns, &about);
	e = unix_time_for(clk, about);
	return hpt_unix_time_tick(&e, unix_ns, ret);
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
	e = unix_time_for(clk, t);
	return hpt_unix_time_ticks(&e, t, ret);
}

/* ---- Seconds --------------------------------------------------------------------------------------------- */

static struct hpt_timespec to_timespec(struct hpt_wide ns)
{
	struct hpt_timespec ts;
	uint32_t above_ns;

	hpt_wide_seconds(ns, &ts.sec, &above_ns);
	ts.nsec = above_ns;
	return ts;
}

int hpt_time_to_timespec(hpt_clock *clk, hpt_time_t t, struct hpt_timespec *ret)
{
	if (!ret)
		return -EINVAL;
	*ret = to_timespec(time_to_wide_ns(clk, t));
	return 0;
}

int hpt_time_to_timeval(hpt_clock *clk, hpt_time_t t, struct hpt_timeval *ret)
{
	struct hpt_timespec ts;

	if (!ret)
		return -EINVAL;
	ts = to_timespec(time_to_wide_ns(clk, t));
	*ret = (struct hpt_timeval){ .sec = ts.sec, .usec = ts.nsec / NS_PER_US };
	return 0;
}

static int from_seconds(hpt_clock *clk, int64_t s, int64_t above_ns, hpt_time_t *ret)
{
	if (above_ns < 0 || above_ns >= HPT_NS_PER_S)
		return -EINVAL;
	return from_wide_ns(clk, hpt_wide_add(hpt_wide_product(s, HPT_NS_PER_S), hpt_wide_of(above_ns)), ret);
}

int hpt_time_from_timespec(hpt_clock *clk, const struct hpt_timespec *ts, hpt_time_t *ret)
{
	return ts ? from_seconds(clk, ts->sec, ts->nsec, ret) : -EINVAL;
}

int hpt_time_from_timeval(hpt_clock *clk, const struct hpt_timeval *tv, hpt_time_t *ret)
{
	if (!tv || tv->usec < 0 || tv->usec >= US_PER_S)
		return -EINVAL;
	return from_seconds(clk, tv->sec, tv->usec * NS_PER_US, ret);
}

int hpt_ticks_to_timespec(hpt_clock *clk, int64_t ticks, struct hpt_timespec *ret)
{
	if (!ret)
		return -EINVAL;
	*ret = to_timespec(ticks_to_wide_ns(clk, ticks));
	return 0;
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

int hpt_time_format(hpt_clock *clk, hpt_time_t t, char *buf, size_t size)
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

int hpt_time_parse(hpt_clock *clk, const char *text, hpt_time_t *ret)
{
	uint32_t ns;
	int64_t s;

	if (hpt_civil_parse(text, &s, &ns))
		return -EINVAL;
	return from_seconds(clk, s, ns, ret);
}

int hpt_ticks_format(hpt_clock *clk, int64_t ticks, char *buf, size_t size)
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
	ts = to_timespec(negative ? hpt_wide_negate(ns) : ns);
	len = hpt_civil_format_duration(negative, ts.sec, (uint32_t)ts.nsec, text);
	if (size <= len)
		return -ERANGE;
	memcpy(buf, text, len + 1);
	return (int)len;
}

/* ---- Ends --------------------------------------------------------------------------------------------------- */

COLD hpt_time_t hpt_time_min(hpt_clock *clk)
{
	struct hpt_unix_time e = unix_time_for(clk, INT64_MIN);

	return hpt_unix_time_furthest(&e, INT64_MIN);
}

COLD hpt_time_t hpt_time_max(hpt_clock *clk)
{
	struct hpt_unix_time e = unix_time_for(clk, INT64_MAX);

	return hpt_unix_time_furthest(&e, INT64_MAX);
}
