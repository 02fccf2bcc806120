// SPDX-License-Identifier: MIT
/* The records behind conversion: computed when first asked for, on the caller's slow path. */
#include <errno.h>
#include <string.h>

#include "arch.h"
#include "clock.h"
#include "status.h"

/* Sampling through the wait ends here even if the reference clock stands still: 38 ns each, 40 ms. */
#define WAIT_PAIRS_MAX (1 << 20)

/* Two clock reads apart. A preemption in between looks like a change: it costs a fresh anchor, 1 ms. */
#define OFFSET_NOISE_NS 10000

/* A clock or counter that jumps during calibration gets this many fresh anchors. */
#define CALIBRATE_TRIES 3

#define EPOCH_REFRESH_NS 1000000000
#define EPOCH_PAIRS 4

/*
 * Takes pairs until the baseline from `from_ns` is long enough and the step of the reference clock is known (a coarse one
 * takes some of its steps longer); the last HPT_RECENT_PAIRS stay in ret.
 */
static uint32_t wait_sampling(struct hpt_clock *clk, int64_t from_ns, struct hpt_fit *fit, struct hpt_pair *ret)
{
	uint32_t n = hpt_pairs_take(&clk->src, CLOCK_MONOTONIC_RAW, ret, HPT_RECENT_PAIRS);

	hpt_fit_add(fit, ret, n);
	for (uint32_t taken = n; taken < WAIT_PAIRS_MAX; taken += n) {
		if (ret[n - 1].ref_ns - from_ns >= HPT_BASELINE_NS && hpt_fit_ref_step_ns(fit))
			break;
		n = hpt_pairs_take(&clk->src, CLOCK_MONOTONIC_RAW, ret, HPT_RECENT_PAIRS);
		hpt_fit_add(fit, ret, n);
	}
	return n;
}

/*
 * Over a suspend the counter may have run on or started anew while CLOCK_MONOTONIC_RAW stood still; in a new
 * time namespace CLOCK_MONOTONIC_RAW has jumped and the counter has not.
 */
static bool anchor_is_valid(const struct hpt_clock *clk)
{
	int64_t change_ns = hpt_clock_offset_ns(clk) - clk->anchor_offset_ns;

	return change_ns < OFFSET_NOISE_NS && change_ns > -OFFSET_NOISE_NS;
}

static bool measure_rate(struct hpt_clock *clk, struct hpt_rate *ret, struct hpt_anchor_point *ret_point)
{
	struct hpt_pair fresh[HPT_ANCHOR_PAIRS], recent[HPT_RECENT_PAIRS];
	const struct hpt_pair *old = clk->anchor;
	uint32_t n_old = anchor_is_valid(clk) ? clk->n_anchor : 0, n;
	struct hpt_fit fit;

	for (int tries = 0; tries < CALIBRATE_TRIES; tries++, n_old = 0) {
		if (!n_old) {
			n_old = hpt_pairs_take(&clk->src, CLOCK_MONOTONIC_RAW, fresh, HPT_ANCHOR_PAIRS);
			old = fresh;
		}
		hpt_fit_start(&fit, old, n_old);
		n = wait_sampling(clk, old->ref_ns, &fit, recent);
		if (hpt_calibrate_rate(old, n_old, recent, n, &fit, ret)) {
			*ret_point = hpt_calibrate_point(recent, n, ret);
			return true;
		}
	}
	return false;
}

static struct hpt_anchor_point point_now(struct hpt_clock *clk, const struct hpt_rate *rate)
{
	struct hpt_pair p[HPT_ANCHOR_PAIRS];

	return hpt_calibrate_point(p, hpt_pairs_take(&clk->src, CLOCK_MONOTONIC_RAW, p, HPT_ANCHOR_PAIRS), rate);
}

/* The rate and the line: by definition, by register, or measured. */
static bool find_line(struct hpt_clock *clk, struct hpt_rate *ret, struct hpt_anchor_point *ret_point)
{
	*ret = clk->src.rate;
	*ret_point = (struct hpt_anchor_point){ 0, 0 };
	if (ret->origin == HPT_ORIGIN_EXACT)
		return true; /* its ticks are the nanoseconds of its own line */
	if (ret->origin == HPT_ORIGIN_NONE)
		return measure_rate(clk, ret, ret_point);
	*ret_point = point_now(clk, ret);
	return true;
}

static void set_epoch(struct hpt_clock *clk, struct hpt_record *rec)
{
	struct hpt_pair p[EPOCH_PAIRS];
	const struct hpt_pair *best = hpt_pairs_narrowest(p, hpt_pairs_take(&clk->src, CLOCK_REALTIME, p, EPOCH_PAIRS));

	rec->epoch_tick = hpt_pair_tick(best);
	rec->epoch_unix_ns = (uint64_t)best->ref_ns;
}

static void compute(struct hpt_clock *clk, struct hpt_record *ret)
{
	struct hpt_anchor_point point;
	struct hpt_rate rate;

	memset(ret, 0, sizeof(*ret));
	/* Clocks that contradict each other three times over: nanoseconds are as good a guess as any, and
	 * the error bound says what they are worth. */
	if (!find_line(clk, &rate, &point))
		rate = (struct hpt_rate){ .num = 1, .den = 1, .frequency_uhz = HPT_UHZ_PER_GHZ,
					  .error_ppb = UINT32_MAX };
	ret->ns_per_tick = hpt_scale_of(rate.num, rate.den);
	ret->base_ns = (uint64_t)point.ns0 -
		       hpt_scale_floor(point.tick0, ret->ns_per_tick.whole, ret->ns_per_tick.frac);
	ret->tick_per_ns = hpt_scale_of(rate.den, rate.num);
	ret->frequency_uhz = rate.frequency_uhz;
	ret->error_ppb = rate.error_ppb;
	ret->origin = rate.origin;
	ret->generation = 1;
	ret->refresh_ticks = (uint64_t)hpt_scale_round(EPOCH_REFRESH_NS, ret->tick_per_ns);
	set_epoch(clk, ret);
}

static uint32_t read_record(struct hpt_clock *clk, struct hpt_record *ret)
{
	return hpt_latch_read(&clk->latch, (const hpt_word *)clk->records, HPT_RECORD_WORDS, (hpt_word *)ret);
}

static bool publish(struct hpt_clock *clk, const struct hpt_record *rec, uint32_t seen)
{
	return hpt_latch_write(&clk->latch, (hpt_word *)clk->records, HPT_RECORD_WORDS, (const hpt_word *)rec, seen);
}

/* The published line, never a racer's own: two lines must not both be in use. */
static void make_fast(struct hpt_clock *clk, const struct hpt_record *rec)
{
#ifdef HPT_ARCH_X86
	struct hpt_fast_line *fast = &clk->fast;

	if (clk->src.read != hpt_tsc_read_rdtscp || rec->ns_per_tick.whole ||
	    atomic_exchange_explicit(&fast->claimed, 1, memory_order_relaxed))
		return;
	fast->base_ns = rec->base_ns;
	fast->frac = rec->ns_per_tick.frac;
	atomic_store_explicit(&fast->ready, 1, memory_order_release);
#else
	(void)clk, (void)rec;
#endif
}

void hpt_clock_record(struct hpt_clock *clk, struct hpt_record *ret)
{
	struct hpt_record mine;
	int saved;

	if (read_record(clk, ret))
		return;
	saved = errno;
	compute(clk, &mine);
	errno = saved;
	if (publish(clk, &mine, 0)) {
		hpt_status_set_frequency(clk->src.ops->id, mine.frequency_uhz);
		make_fast(clk, &mine);
	}
	/* Racers each compute and the first publishes: all go on with that one. */
	if (!read_record(clk, ret))
		*ret = mine;
}

void hpt_clock_record_for(struct hpt_clock *clk, hpt_time_t t, struct hpt_record *ret)
{
	uint32_t seen = hpt_latch_begin(&clk->latch);
	int saved;

	hpt_clock_record(clk, ret);
	if (!seen || (int64_t)((uint64_t)t - ret->epoch_tick) <= (int64_t)ret->refresh_ticks)
		return;
	if ((int64_t)(clk->src.read(&clk->src) - ret->epoch_tick) <= (int64_t)ret->refresh_ticks)
		return; /* t is in the future: nothing newer to learn */
	saved = errno;
	set_epoch(clk, ret);
	errno = saved;
	publish(clk, ret, seen); /* or another thread has just looked too */
}
