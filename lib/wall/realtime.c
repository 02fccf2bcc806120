// SPDX-License-Identifier: MIT
/* Marks of CLOCK_REALTIME, and how far it moves between them: lib/wall/realtime.h. */
#include "wall/realtime.h"

#include <errno.h>
#include <time.h>

#include "arch/arch.h"
#include "math/units.h"
#include "clock/timekeeper.h"
#include "wall/wall_object.h"

/* The first round runs on cold caches, and one may be interrupted. */
#define MARK_ROUNDS 3

/*
 * Parts in 10^9 by which the kernel can make CLOCK_REALTIME run off CLOCK_MONOTONIC_RAW (Linux, kernel/time/ntp.c).
 * By its frequency, which is what an NTP daemon sets most of the time: MAXFREQ, 500 ppm. In all: its tick, from
 * 900000/HZ to 1100000/HZ, that frequency, and 500 ppm by adjtime(3), MAX_TICKADJ.
 */
#define STEADY_PPB 500000
#define SLEW_PPB   101000000

/* ---- Marks -------------------------------------------------------------------------------------------------- */

COLD int hpt_realtime_read(const struct hpt_clock *clk, clockid_t id, int64_t *ret_ns)
{
	int saved = errno, r = 0;

	if (!hpt_clock_is_interposed(clk))
		return hpt_sample_clock(&clk->src, id, ret_ns);
	if (!clk->src.env->kernel_ns(id, ret_ns))
		r = -EPERM;
	errno = saved;
	return r;
}

static COLD int take_realtime(const struct hpt_clock *clk, struct hpt_realtime_mark *ret)
{
	const struct hpt_source *src = &clk->src;
	int r = hpt_realtime_read(clk, CLOCK_MONOTONIC_RAW, &ret->raw_before_ns);

	if (!r)
		r = hpt_realtime_read(clk, CLOCK_MONOTONIC, &ret->mono_before_ns);
	ret->before = src->read(src);
	if (!r)
		r = hpt_realtime_read(clk, CLOCK_REALTIME, &ret->unix_ns);
	ret->after = src->read(src);
	if (!r)
		r = hpt_realtime_read(clk, CLOCK_MONOTONIC, &ret->mono_after_ns);
	if (!r)
		r = hpt_realtime_read(clk, CLOCK_MONOTONIC_RAW, &ret->raw_after_ns);
	return r;
}

/* The window of ticks counts, and then how long all the reads took. */
static bool is_narrower(const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b)
{
	uint64_t of_a = a->after - a->before, of_b = b->after - b->before;

	if (of_a != of_b)
		return of_a < of_b;
	return a->raw_after_ns - a->raw_before_ns < b->raw_after_ns - b->raw_before_ns;
}

COLD uint32_t hpt_realtime_mark(struct hpt_wall_ask *ask, struct hpt_realtime_mark *ret)
{
	struct hpt_realtime_mark mark;
	struct hpt_record rec;

	if (ask->clk->src.own_time)
		return HPT_WALL_REASON_OTHER_COUNTER;
	hpt_timekeeper_current(ask->clk, &rec); /* first, because the first record takes its time */
	for (int i = 0; i < MARK_ROUNDS; i++) {
		int r = take_realtime(ask->clk, &mark);

		if (r) {
			ask->error = -r; /* what is denied is not the source */
			return HPT_WALL_REASON_FAILED;
		}
		if (!i || is_narrower(&mark, ret))
			*ret = mark;
	}
	ret->step_ns = rec.granularity.ref_ns ? (int64_t)rec.granularity.ref_ns : 1;
	return HPT_WALL_REASON_NONE;
}

/* ---- Between two marks -------------------------------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* That share of a time that is not negative, rounded up. */
static int64_t share(int64_t ns, int64_t ppb)
{
	return ns / PPB * ppb + (ns % PPB * ppb + PPB - 1) / PPB;
}

/* From the first read of a to the last one of b. */
static int64_t elapsed_ns(const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b)
{
	return b->raw_after_ns - a->raw_before_ns + b->step_ns;
}

/* Each of two differences is of two readings, each of them up to a step old. */
static int64_t stale_ns(const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b)
{
	return 2 * larger(a->step_ns, b->step_ns);
}

/* All that slews one of the two clocks slews the other alike; settimeofday(2), a leap second or a suspend does not. */
static bool is_set(const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b)
{
	int64_t moved_lo_ns = (b->unix_ns - b->mono_after_ns) - (a->unix_ns - a->mono_before_ns);
	int64_t moved_hi_ns = (b->unix_ns - b->mono_before_ns) - (a->unix_ns - a->mono_after_ns);

	return moved_lo_ns > stale_ns(a, b) || moved_hi_ns < -stale_ns(a, b);
}

/*
 * Marks show how far the clock came, not on which way: a daemon may set another rate between them. While it is seen to
 * run within 500 ppm it is taken not to leave these meanwhile. That adds 0.05 us for an exchange of 0.1 ms. Else, with
 * a rate of up to s either way, it came at most (s * time + gain) / 2 away from where it began.
 */
COLD int64_t hpt_realtime_moved_ns(const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b)
{
	int64_t gain_ns = b->unix_ns - a->unix_ns, ns = elapsed_ns(a, b);
	int64_t lo_ns = gain_ns - (b->raw_after_ns - a->raw_before_ns) - stale_ns(a, b);
	int64_t hi_ns = gain_ns - (b->raw_before_ns - a->raw_after_ns) + stale_ns(a, b);
	int64_t most_ns = larger(hi_ns, -lo_ns), least_ns = larger(larger(lo_ns, -hi_ns), 0);

	if (ns < 0 || is_set(a, b) || least_ns > share(ns, SLEW_PPB))
		return -1;
	if (least_ns <= share(ns, STEADY_PPB))
		return larger(most_ns, share(ns, STEADY_PPB));
	return larger(most_ns, (share(ns, SLEW_PPB) + most_ns + 1) / 2);
}

/*
 * With mark a at moment s and the statement of moment t: UTC(s) = UTC(t) - (t - s), and UTC(t) is what CLOCK_REALTIME
 * read at t and the offset. That reading was the one at s, t - s by CLOCK_MONOTONIC_RAW, and what the clock moved. So
 * UTC(s) is the reading at s, the offset, what the clock moved, and the error of CLOCK_MONOTONIC_RAW in that time.
 */
COLD uint32_t hpt_realtime_sample(const struct hpt_wall_ask *ask, const struct hpt_realtime_mark *a,
				  const struct hpt_realtime_mark *b, int64_t lo_ns, int64_t hi_ns,
				  struct hpt_wall_sample *ret)
{
	int64_t moved_ns = hpt_realtime_moved_ns(a, b), off_ns;

	if (moved_ns < 0)
		return HPT_WALL_REASON_STEPPED;
	off_ns = moved_ns + a->step_ns +
		 share(elapsed_ns(a, b), ask->config->rate_ppb ? ask->config->rate_ppb : HPT_WALL_RATE_PPB);
	lo_ns = hpt_sum(hpt_sum(a->unix_ns, lo_ns), -off_ns);
	hi_ns = hpt_sum(hpt_sum(a->unix_ns, hi_ns), off_ns);
	if (!hpt_wall_is_plausible(lo_ns, hi_ns))
		return HPT_WALL_REASON_ABSURD;
	ret->before = (hpt_time_t)a->before;
	ret->after = (hpt_time_t)a->after;
	ret->earliest_ns = lo_ns;
	ret->latest_ns = hi_ns;
	return HPT_WALL_REASON_NONE;
}
