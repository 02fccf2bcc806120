// SPDX-License-Identifier: MIT
/*
 * Source FBCLOCK: the shared memory of Meta's fbclock daemon, version 2. Layout and meaning are those of facebook/time,
 * fbclock/fbclock.h (fbclock_shmdata_v2) and fbclock/fbclock.c (fbclock_calculate_time_v2). It is not a bound: the
 * daemon's window is a multiple of a deviation that it has seen, so each sample is CLAIMED.
 *
 * A pair of readings, of the network card's clock, which counts TAI, and of a system clock, is brought forward to now.
 * fbclock does that by a rate without an error bound. Here the bound of the clock's own rate takes its place, or what
 * the kernel can slew CLOCK_REALTIME by.
 */
#include <time.h>

#include "arch/arch.h"
#include "clock/timekeeper.h"
#include "math/ratio.h"
#include "math/units.h"
#include "wall/band.h"
#include "wall/leap.h"
#include "wall/realtime.h"
#include "wall/shared_memory.h"
#include "wall/stated.h"

/*
 * The section "primary", at the file's start: a sequence, odd during an update and 0 before the first, then
 * fbclock_clockdata_v2. The file has one such section, or since June 2026 two.
 */
#define SECTION_SIZE 64
enum at {
	AT_SEQUENCE = 0, AT_INGRESS = 8, AT_ERROR = 16, AT_HOLDOVER = 20, AT_LEAP = 24, AT_OFFSET_BEFORE = 32,
	AT_OFFSET_AFTER = 34, AT_CLOCK_ID = 36, AT_PHC = 40, AT_SYSTEM = 48,
};

#define FBCLOCK_PATH "/run/fbclock/data_v2"

/* FBCLOCK_MAX_EXTRAPOLATION_NS: the daemon writes each 10 ms. */
#define AGE_MOST_NS (10 * NS_PER_S)

/*
 * By how much CLOCK_MONOTONIC_RAW may be wrong, as hpt_wall_config.rate_ppb by default: it may be of another oscillator
 * than the clock. CLOCK_REALTIME: what the kernel can slew it by, a tenth and twice 500 ppm, rounded up.
 */
#define RAW_PPB      50000u
#define REALTIME_PPB 125000000u

#define DAY_S 86400

/* A reading within this distance of a leap second may be from before it or from after it. */
#define LEAP_NEAR_NS (2 * NS_PER_S)

struct fbclock {
	int64_t  ingress_ns, phc_ns, system_ns; /* the latest message of the master clock; the pair of readings */
	uint32_t error_ns, holdover;            /* the window; its growth since ingress in 2^-16 ns a second */
	int64_t  leap_s;                        /* TAI as the latest leap second in the daemon's table begins */
	int32_t  offset_before_s, offset_after_s; /* TAI less UTC around it; both 0: the daemon has no table */
	uint32_t clock_id;                      /* of system_ns */
};

static COLD bool is_settled_segment(const unsigned char *bytes, size_t n)
{
	return n < SECTION_SIZE || !(hpt_shared_u64(bytes + AT_SEQUENCE) & 1);
}

static COLD void load(const unsigned char *bytes, struct fbclock *ret)
{
	ret->ingress_ns = (int64_t)hpt_shared_u64(bytes + AT_INGRESS);
	ret->phc_ns = (int64_t)hpt_shared_u64(bytes + AT_PHC);
	ret->system_ns = (int64_t)hpt_shared_u64(bytes + AT_SYSTEM);
	ret->error_ns = hpt_shared_u32(bytes + AT_ERROR);
	ret->holdover = hpt_shared_u32(bytes + AT_HOLDOVER);
	ret->leap_s = (int64_t)hpt_shared_u64(bytes + AT_LEAP);
	ret->offset_before_s = (int16_t)hpt_shared_u16(bytes + AT_OFFSET_BEFORE);
	ret->offset_after_s = (int16_t)hpt_shared_u16(bytes + AT_OFFSET_AFTER);
	ret->clock_id = hpt_shared_u32(bytes + AT_CLOCK_ID);
}

static bool is_time(int64_t ns)
{
	return ns > 0 && ns < HPT_WALL_MOST_NS;
}

/*
 * The daemon's leapSecondSmearing() computes when a leap second begins: midnight by the offset before it; if a second
 * is left out, a second later.
 */
static bool is_leap(const struct fbclock *s)
{
	int32_t leap = s->offset_after_s - s->offset_before_s;

	return !leap || (leap >= -1 && leap <= 1 && s->leap_s > s->offset_before_s &&
			 s->leap_s <= HPT_WALL_MOST_NS / NS_PER_S &&
			 (s->leap_s - s->offset_before_s) % DAY_S == (leap < 0));
}

/* HPT_WALL_REASON_; NONE: the members can be computed with. */
static COLD uint32_t judge_segment(const struct fbclock *s)
{
	/* As fbclock_gettime_tz_v2(): no data yet; and a window that does not fit its 32 bits. */
	if (!s->error_ns || !s->ingress_ns || !s->phc_ns || !s->system_ns)
		return HPT_WALL_REASON_UNSYNCED;
	if (s->error_ns == UINT32_MAX || s->holdover == UINT32_MAX)
		return HPT_WALL_REASON_NO_BOUND;
	/* fbclock then takes 37 s, which may be wrong. */
	if (!s->offset_before_s && !s->offset_after_s)
		return HPT_WALL_REASON_NO_TIMESCALE;
	if (!is_time(s->ingress_ns) || !is_time(s->phc_ns) || !is_time(s->system_ns) || s->ingress_ns > s->phc_ns ||
	    !hpt_leap_is_tai_offset(s->offset_before_s) || !hpt_leap_is_tai_offset(s->offset_after_s) || !is_leap(s) ||
	    (s->clock_id != CLOCK_REALTIME && s->clock_id != CLOCK_MONOTONIC_RAW))
		return HPT_WALL_REASON_ABSURD;
	return HPT_WALL_REASON_NONE;
}

static COLD int64_t share_ns(int64_t ns, uint64_t num, uint64_t den)
{
	int64_t share = INT64_MAX;

	if (!ns || !num)
		return 0;
	(void)hpt_wide_narrow(hpt_ratio_ceiling(hpt_wide_of(ns), num, den), &share);
	return share;
}

/* How old the pair of readings is, at least and at most. */
struct age {
	int64_t lo_ns, hi_ns;
};

/* TAI, by the pair of readings brought forward: fbclock's window, and that of bringing it forward. */
static COLD struct hpt_utc tai_of(const struct fbclock *s, struct age age, uint32_t rate_ppb)
{
	int64_t since_ns = s->phc_ns - s->ingress_ns + age.hi_ns;
	int64_t window_ns = hpt_sum(s->error_ns, share_ns(since_ns, s->holdover, (uint64_t)NS_PER_S << 16));

	window_ns = hpt_sum(window_ns, share_ns(age.hi_ns, rate_ppb, PPB));
	return (struct hpt_utc){
		.lo_ns = hpt_sum(s->phc_ns + age.lo_ns, -window_ns),
		.hi_ns = hpt_sum(s->phc_ns + age.hi_ns, window_ns),
	};
}

/* Not smeared, unlike fbclock's own: UTC is TAI less a whole number of seconds. Says what comes. */
static COLD bool set_utc(const struct fbclock *s, struct hpt_utc tai, struct hpt_wall_reading *ret)
{
	int32_t leap = s->offset_after_s - s->offset_before_s;
	int64_t leap_ns = leap ? s->leap_s * NS_PER_S : 0;
	bool is_before = tai.hi_ns < leap_ns - LEAP_NEAR_NS;

	if (!is_before && tai.lo_ns < leap_ns + LEAP_NEAR_NS)
		return false;
	ret->tai_offset_s = is_before ? s->offset_before_s : s->offset_after_s;
	ret->sample.earliest_ns = hpt_sum(tai.lo_ns, -ret->tai_offset_s * NS_PER_S);
	ret->sample.latest_ns = hpt_sum(tai.hi_ns, -ret->tai_offset_s * NS_PER_S);
	/* Of one that has passed nothing follows: the table may be an old one. */
	if (is_before) {
		ret->leap = leap > 0 ? HPT_WALL_LEAP_INSERTED : HPT_WALL_LEAP_LEFT_OUT;
		ret->leap_at_ns = (s->leap_s - s->offset_before_s) / DAY_S * DAY_S * NS_PER_S;
	}
	return true;
}

static COLD uint32_t by_mark(const struct hpt_wall_ask *ask, const struct fbclock *s,
			     const struct hpt_realtime_mark *mark, struct hpt_wall_reading *ret)
{
	bool is_raw = s->clock_id == CLOCK_MONOTONIC_RAW;
	uint32_t raw_ppb = ask->config->rate_ppb > RAW_PPB ? ask->config->rate_ppb : RAW_PPB;
	struct age age = { mark->raw_before_ns - s->system_ns, mark->raw_after_ns - s->system_ns };
	struct hpt_stated since;

	if (!is_raw)
		age.lo_ns = age.hi_ns = mark->unix_ns - s->system_ns;
	/* The clock is before the statement's time, as after a restart, or the daemon no longer writes. */
	if (age.lo_ns < 0 || age.hi_ns > AGE_MOST_NS)
		return HPT_WALL_REASON_OLD;
	since = hpt_stated_since(ask->clk, mark, age.hi_ns);
	if (since.is_void)
		return HPT_WALL_REASON_STEPPED;
	age.hi_ns += since.step_ns;
	if (!set_utc(s, tai_of(s, age, is_raw ? raw_ppb : REALTIME_PPB), ret))
		return HPT_WALL_REASON_LEAP;
	if (!hpt_wall_is_plausible(ret->sample.earliest_ns, ret->sample.latest_ns))
		return HPT_WALL_REASON_ABSURD;
	ret->sample.before = (hpt_time_t)mark->before;
	ret->sample.after = (hpt_time_t)mark->after;
	ret->age_ticks = since.age_ticks;
	ret->sample.flags = HPT_WALL_FLAG_CLAIMED;
	return HPT_WALL_REASON_NONE;
}

/* Of CLOCK_MONOTONIC_RAW a time namespace has its own. */
static COLD uint32_t read_data(struct hpt_wall_ask *ask, struct fbclock *ret)
{
	const struct hpt_env *env = ask->clk->src.env;
	unsigned char bytes[SECTION_SIZE];
	size_t n;
	uint32_t reason = hpt_shared_memory_read(ask, FBCLOCK_PATH, sizeof(bytes), is_settled_segment, bytes, &n);

	if (reason)
		return reason;
	if (n < SECTION_SIZE)
		return HPT_WALL_REASON_FORMAT;
	load(bytes, ret);
	reason = hpt_shared_u64(bytes + AT_SEQUENCE) ? judge_segment(ret) : HPT_WALL_REASON_UNSYNCED;
	if (!reason && ret->clock_id == CLOCK_MONOTONIC_RAW && hpt_stated_elsewhere(env))
		reason = HPT_WALL_REASON_NAMESPACE;
	return reason;
}

static COLD uint32_t ask_fbclock(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret)
{
	struct hpt_realtime_mark mark;
	struct hpt_record rec;
	struct fbclock s;
	uint32_t reason;

	hpt_timekeeper_current(ask->clk, &rec); /* the first look, before the statement is read: stated.h */
	reason = read_data(ask, &s);
	if (!reason)
		reason = hpt_realtime_mark(ask, &mark);
	return reason ? reason : by_mark(ask, &s, &mark, ret);
}

static COLD const char *path_of_fbclock(const struct hpt_wall_ask *ask)
{
	(void)ask;
	return FBCLOCK_PATH;
}

const struct hpt_wall_source_ops hpt_wall_fbclock = {
	.id = HPT_WALL_SOURCE_FBCLOCK,
	.is_on_request = true,
	.ask = ask_fbclock,
	.path = path_of_fbclock,
};
