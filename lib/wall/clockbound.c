// SPDX-License-Identifier: MIT
/*
 * Source CLOCKBOUND: the shared memory of ClockBound's daemon, of its versions 2 (a bound of CLOCK_REALTIME's error)
 * and 3 (lines from the counter to UTC).
 *
 * Whether the daemon's servers smear leap seconds is not in it. If CLOCK_REALTIME was set after version 2 stated its
 * bound and before this process looked for the first time, nobody can see it: the bound is then wrong by the step. That
 * takes up to 0.1 s while the daemon is synchronised, and up to void_after, 1000 s, while it is not or has died.
 */
#include <errno.h>
#include <unistd.h>

#include "arch/arch.h"
#include "clock/timekeeper.h"
#include "math/ratio.h"
#include "math/units.h"
#include "wall/clockbound_segment.h"
#include "wall/realtime.h"
#include "wall/shared_memory.h"
#include "wall/stated.h"
#include "wall/vmclock.h"
#include "wall/wall_object.h"

/* The shared memory of version 3, and of version 2. */
#define CLOCKBOUND_PATH_V3 "/var/run/clockbound/shm1"
#define CLOCKBOUND_PATH_V2 "/var/run/clockbound/shm0"

/* A statement that is older counts as FREE_RUNNING: CLOCKBOUND_RESTART_GRACE_PERIOD, FREE_RUNNING_GRACE_PERIOD. */
#define GRACE_V2_NS (5 * NS_PER_S)
#define GRACE_V3_NS (60 * NS_PER_S)

/* By which as_of may be after CLOCK_MONOTONIC: causality_blur in clock-bound-shm/src/lib.rs. */
#define BLUR_NS 1000

/* ---- Version 2: a bound of CLOCK_REALTIME's error ------------------------------------------------------------- */

/*
 * The daemon asks chronyd, which does not notice at once that CLOCK_REALTIME was set: see chrony.c. Eight intervals of
 * 16 s, as Amazon's chrony.conf has them (minpoll 4 maxpoll 4).
 */
#define SETTLE_V2_NS (8 * 16 * NS_PER_S)

/* The daemon's option says how far CLOCK_REALTIME drifts, and its default is 1 ppm: less than the wall believes. */
static uint32_t greatest_drift_ppb(const struct hpt_wall_ask *ask, const struct hpt_clockbound *s)
{
	uint32_t wander_ppb = ask->config->wander_ppb ? ask->config->wander_ppb : HPT_WALL_WANDER_PPB;

	return s->drift_ppb > wander_ppb ? s->drift_ppb : wander_ppb;
}

static COLD int64_t error_ns(const struct hpt_wall_ask *ask, const struct hpt_clockbound *s, int64_t age_ns)
{
	uint32_t drift_ppb = greatest_drift_ppb(ask, s);
	int64_t drift_ns = 0;

	if (age_ns)
		(void)hpt_wide_narrow(hpt_ratio_ceiling(hpt_wide_of(age_ns), drift_ppb, PPB), &drift_ns);
	return s->bound_ns + drift_ns;
}

static COLD void set_realtime_sample(const struct hpt_wall_ask *ask, const struct hpt_clockbound *s,
				     const struct hpt_realtime_mark *mark, int64_t age_ns,
				     const struct hpt_stated *since, struct hpt_wall_reading *ret)
{
	int64_t error = error_ns(ask, s, age_ns);

	ret->sample.before = (hpt_time_t)mark->before;
	ret->sample.after = (hpt_time_t)mark->after;
	ret->age_ticks = since->age_ticks;
	ret->settle_ns = SETTLE_V2_NS;
	ret->sample.earliest_ns = hpt_sum(mark->unix_ns, -error);
	ret->sample.latest_ns = hpt_sum(hpt_sum(mark->unix_ns, since->step_ns), error);
	ret->is_holdover = s->is_holdover || age_ns >= GRACE_V2_NS;
}

static COLD uint32_t by_realtime(struct hpt_wall_ask *ask, const struct hpt_clockbound *s, struct hpt_wall_reading *ret)
{
	struct hpt_realtime_mark mark;
	uint32_t reason = hpt_realtime_mark(ask, &mark);
	struct hpt_stated since;
	int64_t age_ns;

	if (reason)
		return reason;
	if (hpt_stated_elsewhere(ask->clk->src.env))
		return HPT_WALL_REASON_NAMESPACE;
	if (mark.mono_after_ns >= s->void_after_ns)
		return HPT_WALL_REASON_OLD;
	age_ns = mark.mono_after_ns - s->as_of_ns;
	if (age_ns < -BLUR_NS)
		return HPT_WALL_REASON_ABSURD;
	age_ns = age_ns < 0 ? 0 : age_ns;
	since = hpt_stated_since(ask->clk, &mark, age_ns);
	if (since.is_void)
		return HPT_WALL_REASON_STEPPED;
	set_realtime_sample(ask, s, &mark, age_ns, &since, ret);
	return HPT_WALL_REASON_NONE;
}

/* ---- Version 3: lines from the counter to UTC ----------------------------------------------------------------- */

/* It reads the TSC, on Arm CNTVCT_EL0 (src/shm/tsc.rs): what programs of these architectures may read. */
static COLD uint32_t by_counter(const struct hpt_wall_ask *ask, const struct hpt_clockbound *s,
				struct hpt_wall_reading *ret)
{
	const struct hpt_source *src = &ask->clk->src;
	uint64_t tick, ticks;
	struct hpt_utc utc;

	if (src->ops->id != HPT_SOURCE_OWN)
		return HPT_WALL_REASON_OTHER_COUNTER;
	tick = src->read(src);
	ticks = tick - s->lines.tick;
	/* Also a counter before the statement's: the difference wraps. ClockBound lets its time stand still then. */
	if (ticks > HPT_CLOCKBOUND_MOST_TICKS)
		return HPT_WALL_REASON_OLD;
	utc = hpt_bound_after(&s->lines, ticks);
	if (utc.hi_ns >= s->void_after_ns)
		return HPT_WALL_REASON_OLD;
	ret->sample.before = ret->sample.after = (hpt_time_t)tick;
	ret->age_ticks = ticks;
	ret->sample.earliest_ns = utc.lo_ns;
	ret->sample.latest_ns = utc.hi_ns;
	ret->is_holdover = s->is_holdover || utc.hi_ns >= s->as_of_ns + GRACE_V3_NS;
	ret->has_rate = true;
	ret->rate = s->lines.band;
	return HPT_WALL_REASON_NONE;
}

/* ---- Both ----------------------------------------------------------------------------------------------------- */

/* After the counter was read: a move of the machine up to then shows. */
static COLD uint32_t check_marker(const struct hpt_wall_ask *ask, const struct hpt_clockbound *s)
{
	struct hpt_wall_marks marks;

	if (!s->has_marker || !ask->vmclock)
		return HPT_WALL_REASON_NONE;
	if (!hpt_vmclock_read_marks(ask->vmclock, &marks))
		return HPT_WALL_REASON_TORN;
	return marks.marker == s->marker ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_OLD;
}

static COLD uint32_t ask_path(struct hpt_wall_ask *ask, const char *path, struct hpt_wall_reading *ret)
{
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
	struct hpt_clockbound s;
	size_t n;
	uint32_t reason = hpt_shared_memory_read(ask, path, sizeof(bytes), hpt_clockbound_is_settled, bytes, &n);

	if (!reason)
		reason = hpt_clockbound_parse(bytes, n, &s);
	if (!reason)
		reason = s.version == 3 ? by_counter(ask, &s, ret) : by_realtime(ask, &s, ret);
	if (!reason)
		reason = check_marker(ask, &s);
	if (!reason && !hpt_wall_is_plausible(ret->sample.earliest_ns, ret->sample.latest_ns))
		reason = HPT_WALL_REASON_ABSURD;
	return reason;
}

/*
 * Where both versions are there, version 3 is asked, and version 2 if that gives nothing: it may be another daemon's
 * rest, or of a counter that is not the clock's. But a daemon that has no bound has none in version 2 either.
 */
static COLD uint32_t ask_clockbound(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret)
{
	struct hpt_wall_ask first = *ask;
	struct hpt_record rec;
	uint32_t reason, second;

	hpt_timekeeper_current(ask->clk, &rec); /* the first look, before the statement is read: stated.h */
	if (ask->config->clockbound_path[0])
		return ask_path(ask, ask->config->clockbound_path, ret);
	reason = ask_path(&first, CLOCKBOUND_PATH_V3, ret);
	if (reason && reason != HPT_WALL_REASON_UNSYNCED) {
		struct hpt_wall_reading none = { .leap = HPT_WALL_LEAP_UNKNOWN };

		*ret = none;
		second = ask_path(ask, CLOCKBOUND_PATH_V2, ret);
		if (!second || reason == HPT_WALL_REASON_ABSENT || second == HPT_WALL_REASON_UNSYNCED)
			return second;
	}
	ask->error = first.error;
	return reason;
}

/* Also if it cannot be read. */
static COLD bool is_there(const struct hpt_env *env, const char *path)
{
	int fd = env->open(path);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOENT;
}

static COLD const char *path_of_clockbound(const struct hpt_wall_ask *ask)
{
	const struct hpt_env *env = ask->clk->src.env;

	if (ask->config->clockbound_path[0])
		return ask->config->clockbound_path;
	return is_there(env, CLOCKBOUND_PATH_V2) && !is_there(env, CLOCKBOUND_PATH_V3) ? CLOCKBOUND_PATH_V2 :
										   CLOCKBOUND_PATH_V3;
}

const struct hpt_wall_source_ops hpt_wall_clockbound = {
	.id = HPT_WALL_SOURCE_CLOCKBOUND,
	.ask = ask_clockbound,
	.path = path_of_clockbound,
};
