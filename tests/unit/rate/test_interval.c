// SPDX-License-Identifier: MIT
/* Intervals in worlds whose truth is known: each interval contains it, and so does each result of two of them. */
#include <math.h>
#include <string.h>

#include "unit.h"

#include "fake_source.h"
#include "rate/interval.h"

#define TRIALS    20000
#define BRACKETS  8
#define FS_PER_NS INT64_C(1000000)
#define PS_PER_S  UINT64_C(1000000000000)
#define NS_PER_S  INT64_C(1000000000)

/* Mostly small, now and then a preemption. */
static uint64_t jitter(void)
{
	if (random_below(50))
		return random_below(15000);
	return random_below(20) ? random_below(300000) : random_below(40000000);
}

/* Stopped once, for up to three days. */
static uint32_t stops_left;

static uint64_t stopped(void)
{
	if (!stops_left || random_below(6))
		return jitter();
	stops_left--;
	return random_below(72 * 3600 * PS_PER_S) >> random_below(40);
}

static struct hpt_granularity granularity;
static struct hpt_scale true_slope;

static void new_world(uint64_t tick_ps, uint64_t staircase, int64_t clock_step_ns)
{
	world = (struct fake_world){
		.now_ps = random_below(UINT64_C(1000000000000000)), .tick_ps = tick_ps, .staircase = staircase,
		.tick_offset = random_below(4) ? random_u64() >> 2 : 0 - random_below(UINT64_C(1) << 40), /* may wrap */
		.read_ps = 8000, .clock_ps = 24000, .jitter_ps = jitter, .clock_step_ns = clock_step_ns,
		.clock_offset_ns = (int64_t)random_below(INT64_C(1000000000000000)),
	};
	granularity = (struct hpt_granularity){ .ref_ns = (uint64_t)clock_step_ns, .ticks = staircase };
	true_slope = hpt_scale_of(tick_ps, 1000);
}

/* 6 GHz to 10 MHz; now and then staircases and coarse references. */
static void new_random_world(void)
{
	uint64_t tick_ps = random_below(2) ? 167 + random_below(834) : 167 + random_below(99834);

	new_world(tick_ps, random_below(4) ? 1 : 1 + random_below(100),
		  random_below(4) ? 1 : (int64_t)(1 + random_below(30000)));
}

static uint32_t take(struct hpt_bracket p[BRACKETS])
{
	struct hpt_source src;

	fake_world_source(&src, NULL);
	return hpt_brackets_take(&src, CLOCK_MONOTONIC_RAW, p, BRACKETS);
}

static struct hpt_interval interval_now(struct hpt_scale slope, uint32_t error_ppb)
{
	struct hpt_bracket p[BRACKETS];
	uint32_t n = take(p);

	return hpt_interval_of(p, n, slope, error_ppb, granularity);
}

/* The true reference clock at the interval's tick, less its ref_ns. */
static int64_t truth_fs(const struct hpt_interval *interval)
{
	uint64_t ref_fs = (interval->tick - world.tick_offset) * world.tick_ps * 1000;

	return (int64_t)(ref_fs + ((uint64_t)world.clock_offset_ns - (uint64_t)interval->ref_ns) * (uint64_t)FS_PER_NS);
}

static void check_truth(const struct hpt_interval *interval)
{
	int64_t fs = truth_fs(interval);

	if (fs < interval->lo_fs || fs > interval->hi_fs)
		fail_msg("tick %llu ps: %lld fs is not within [%lld, %lld]", (unsigned long long)world.tick_ps,
			 (long long)fs, (long long)interval->lo_fs, (long long)interval->hi_fs);
}

/* A slope that is off by up to ppb of itself. */
static struct hpt_scale wrong_slope(uint32_t ppb)
{
	uint64_t uhz = UINT64_C(1000000000000000000) / world.tick_ps;
	int64_t off = (int64_t)random_below(2 * (uint64_t)ppb + 1) - ppb;

	return hpt_scale_of(HPT_UHZ_PER_GHZ, uhz + (uint64_t)(int64_t)((double)uhz * (double)off * 1e-9 * (1 - 1e-9)));
}

/* ---- One interval ------------------------------------------------------------------------------------- */

static void interval_always_holds_the_truth_and_no_bracket_widens_it(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		struct hpt_bracket p[BRACKETS];
		struct hpt_interval interval, best;
		uint32_t n;

		new_random_world();
		n = take(p);
		interval = hpt_interval_of(p, n, true_slope, 0, granularity);
		check_truth(&interval);
		best = hpt_interval_of(hpt_brackets_narrowest(p, n), 1, true_slope, 0, granularity);
		assert_true(interval.tick == best.tick && interval.lo_fs >= best.lo_fs && interval.hi_fs <= best.hi_fs);
	}
}

static void interval_holds_the_truth_by_a_slope_that_is_off(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		uint32_t ppb = (uint32_t)random_below(1000000);
		struct hpt_interval interval;

		new_random_world();
		interval = interval_now(wrong_slope(ppb), ppb);
		check_truth(&interval);
	}
}

static void interval_holds_the_truth_though_the_reader_was_stopped_for_days(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		uint32_t ppb = random_below(2) ? 0 : (uint32_t)random_below(100000);
		struct hpt_interval interval;

		new_random_world();
		world.read_ps = random_below(2) ? 8000 : 10000000; /* a trapped read: wider than the interval */
		world.jitter_ps = stopped;
		stops_left = 1;
		interval = interval_now(wrong_slope(ppb), ppb);
		check_truth(&interval);
	}
}

static void interval_is_as_narrow_as_the_readings_allow(void **state)
{
	const struct hpt_bracket one = { 1000, 1100, 500 };
	const struct hpt_bracket three[] = { { 1000, 1100, 485 }, { 1000, 1020, 495 }, { 1000, 1100, 585 } };
	const struct hpt_scale ns = { .whole = 1 };
	struct hpt_interval interval = hpt_interval_of(&one, 1, ns, 0, (struct hpt_granularity){ 1, 1 });

	(void)state;
	assert_int_equal(interval.tick, 1050);
	assert_int_equal(interval.ref_ns, 500);
	assert_in_range(-interval.lo_fs, 51 * FS_PER_NS, 51 * FS_PER_NS + 3);
	assert_in_range(interval.hi_fs, 51 * FS_PER_NS, 51 * FS_PER_NS + 3);
	interval = hpt_interval_of(&one, 1, ns, 1000000, (struct hpt_granularity){ 10, 30 });
	assert_in_range(-interval.lo_fs, 80 * FS_PER_NS + 80000, 80 * FS_PER_NS + 80003); /* slack: 0.1 % of 80 ns */
	assert_in_range(interval.hi_fs, 60 * FS_PER_NS + 80000, 60 * FS_PER_NS + 80003);
	/*
	 * At 1010 the first gives 495 + [-101, 1], the second, which is the narrowest, [-11, 11], the third [-1,
	 * 101].
	 */
	interval = hpt_interval_of(three, 3, ns, 0, (struct hpt_granularity){ 1, 1 });
	assert_int_equal(interval.tick, 1010);
	assert_int_equal(interval.ref_ns, 495);
	assert_in_range(-interval.lo_fs, FS_PER_NS, FS_PER_NS + 3);
	assert_in_range(interval.hi_fs, FS_PER_NS, FS_PER_NS + 3);
	interval = hpt_interval_of(three, 2, ns, 0, (struct hpt_granularity){ 1, 1 });
	assert_in_range(-interval.lo_fs, 11 * FS_PER_NS, 11 * FS_PER_NS + 3);
	assert_in_range(interval.hi_fs, FS_PER_NS, FS_PER_NS + 3);
}

/* The limits that keep sums from overflowing must not make such a bracket contradict the narrowest, or narrow it. */
static void bracket_from_far_away_does_not_narrow_the_interval(void **state)
{
	const uint64_t years = UINT64_C(1) << 58;
	const struct hpt_bracket rows[][2] = {
		{ { 1000, 1100, 485 + INT64_C(18446744073710) }, { 1000, 1020, 495 } }, /* 2^64 fs of the reference */
		{ { 1000 + years, 1100 + years, 495 }, { 1000, 1020, 495 } },
		{ { 1000 - years, 1100 - years, 495 }, { 1000, 1020, 495 } },
		{ { 1000 + years, 1100 + years, 495 + (int64_t)years }, { 1000, 1020, 495 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_interval interval = hpt_interval_of(rows[i], 2, (struct hpt_scale){ .whole = 1 }, 0,
							       (struct hpt_granularity){ 1, 1 });

		assert_in_range(-interval.lo_fs, 11 * FS_PER_NS, 11 * FS_PER_NS + 3);
		assert_in_range(interval.hi_fs, 11 * FS_PER_NS, 11 * FS_PER_NS + 3);
	}
}

/* The narrowest bracket then counts alone: a jump of the counter or of the reference, before the jump or after it. */
static void jump_between_brackets_gives_one_side_of_it(void **state)
{
	static const uint64_t jumps[] = { 1 << 20, UINT64_C(1) << 33, UINT64_C(1) << 45, UINT64_C(1) << 58 };

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		uint64_t jump = jumps[random_below(COUNT(jumps))];
		struct hpt_bracket p[BRACKETS];
		struct hpt_interval interval, best;
		uint32_t n;

		new_world(400, 1, 1);
		n = take(p);
		if (random_below(2))
			jump = 0 - jump;
		for (uint32_t j = n / 2; j < n; j++) {
			p[j].before += i & 1 ? jump : 0;
			p[j].after += i & 1 ? jump : 0;
			p[j].ref_ns += i & 1 ? 0 : (int64_t)jump;
		}
		interval = hpt_interval_of(p, n, true_slope, 1000, granularity);
		best = hpt_interval_of(hpt_brackets_narrowest(p, n), 1, true_slope, 1000, granularity);
		assert_int_equal(interval.tick, best.tick);
		assert_true(best.lo_fs <= interval.lo_fs && interval.lo_fs <= interval.hi_fs);
		assert_true(interval.hi_fs <= best.hi_fs);
		/* A jump of hours is no contradiction, because the bracket beyond it is not used. */
		if (jump < UINT64_C(1) << 41 || 0 - jump < UINT64_C(1) << 41)
			assert_memory_equal(&interval, &best, sizeof(interval));
		if (hpt_brackets_narrowest(p, n) >= p + n / 2) {
			world.tick_offset += i & 1 ? jump : 0;
			world.clock_offset_ns += i & 1 ? 0 : (int64_t)jump;
		}
		check_truth(&interval);
	}
}

static void jump_within_a_bracket_overflows_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		struct hpt_bracket p[2];
		uint32_t error_ppb = i & 1 ? UINT32_MAX : (uint32_t)random_magnitude();
		struct hpt_interval interval;

		for (int j = 0; j < 2; j++)
			p[j] = (struct hpt_bracket){ random_u64(), random_u64(), (int64_t)(random_magnitude() >> 1) };
		p[0].after = p[0].before + (random_magnitude() >> 10); /* the other may even have gone backwards */
		interval = hpt_interval_of(p, 2, hpt_scale_of(167 + random_below(100000), 1000), error_ppb,
					   (struct hpt_granularity){ 30000, 100 });
		assert_true(hpt_brackets_narrowest(p, 2) == &p[1] || interval.lo_fs <= interval.hi_fs);
		(void)hpt_interval_middle(&interval);
	}
}

static void middle_is_between_both_ends(void **state)
{
	struct hpt_interval interval = { .ref_ns = 100, .lo_fs = -3500000, .hi_fs = 1500000 };
	struct hpt_fixed middle = hpt_interval_middle(&interval);

	(void)state;
	assert_int_equal(middle.ns, 99);
	assert_int_equal(middle.frac, 0);
	interval.hi_fs = 2500000;
	middle = hpt_interval_middle(&interval);
	assert_int_equal(middle.ns, 99);
	assert_int_equal(middle.frac >> 40, UINT64_C(1) << 23);
	interval = (struct hpt_interval){ .ref_ns = -5 };
	assert_int_equal(hpt_interval_middle(&interval).ns, (uint64_t)-5);
}

/* ---- Two intervals: the rate -------------------------------------------------------------------------- */

/* 10^18 / tick_ps micro-hertz, which need not be whole. */
static void check_bound(struct hpt_rates rates)
{
	uint64_t uhz = UINT64_C(1000000000000000000) / world.tick_ps;

	assert_true(rates.lo_uhz <= uhz);
	assert_true(rates.hi_uhz >= uhz + (UINT64_C(1000000000000000000) % world.tick_ps != 0));
}

static void bound_always_holds_the_true_rate(void **state)
{
	double worst = 0;

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		uint64_t apart_ps = random_below(10 * PS_PER_S) >> random_below(40);
		uint32_t ppb = random_below(2) ? 0 : (uint32_t)random_below(10000);
		struct hpt_interval a, b;
		struct hpt_rates rates;
		uint64_t uhz;

		new_random_world();
		a = interval_now(wrong_slope(ppb), ppb);
		world.now_ps += apart_ps;
		b = interval_now(wrong_slope(ppb), ppb);
		rates = hpt_interval_rates(&a, &b);
		check_bound(rates);
		uhz = hpt_interval_rate_uhz(&a, &b);
		assert_true(!uhz || (rates.lo_uhz <= uhz && uhz <= rates.hi_uhz));
		if (world.staircase == 1 && world.clock_step_ns == 1 && world.tick_ps < 1001 && apart_ps > PS_PER_S)
			worst = fmax(worst, (double)(rates.hi_uhz - rates.lo_uhz) / (double)uhz * 1e9);
	}
	note("widest rates after a second: %.1f ppb", worst);
	assert_true(worst < 200);
}

static void bound_is_rounded_outwards(void **state)
{
	struct hpt_interval a = { .tick = 0 }, b = { .tick = 1, .ref_ns = 3 };

	(void)state;
	assert_true(hpt_interval_rates(&a, &b).lo_uhz <= UINT64_C(333333333333333));
	assert_true(hpt_interval_rates(&a, &b).hi_uhz >= UINT64_C(333333333333334));
	assert_true(hpt_interval_rates(&a, &b).hi_uhz <= UINT64_C(333333333333336));
}

static void nothing_is_known_of_the_rate_between_intervals_too_close(void **state)
{
	struct hpt_interval a = { .tick = 1000, .ref_ns = 100, .lo_fs = -50000000, .hi_fs = 50000000 }, b = a;

	(void)state;
	assert_true(hpt_interval_rates(&a, &a).hi_uhz == UINT64_MAX);
	assert_int_equal(hpt_interval_rates(&a, &a).lo_uhz, 0);
	assert_int_equal(hpt_interval_rate_uhz(&a, &a), 0);
	b.tick += 250;
	b.ref_ns += 100;
	assert_true(hpt_interval_rates(&a, &b).hi_uhz == UINT64_MAX);
	assert_true(hpt_interval_rates(&a, &b).lo_uhz == UINT64_C(1250000000000000) - 1 ||
		    hpt_interval_rates(&a, &b).lo_uhz == UINT64_C(1250000000000000) - 2);
	/* A femtosecond apart, and more: at first no rate is too high, and no rate ever overflows. */
	for (int64_t fs = 1; fs < FS_PER_NS; fs *= 3) {
		b.lo_fs = -50000000 + fs;
		assert_true(hpt_interval_rates(&a, &b).hi_uhz > UINT64_C(250000000000000000));
		assert_true(hpt_interval_rates(&a, &b).lo_uhz < UINT64_C(1250000000000000));
	}
	b = (struct hpt_interval){ .tick = 1250, .ref_ns = 100, .lo_fs = -49999999, .hi_fs = 50000001 };
	assert_int_equal(hpt_interval_rate_uhz(&a, &b), 0); /* from middle to middle: a femtosecond */
}

static void counter_or_reference_that_ran_back_has_no_rate(void **state)
{
	struct hpt_interval a = { .tick = 1000000, .ref_ns = 1000000, .lo_fs = -50, .hi_fs = 50 }, b = a;

	(void)state;
	b.tick -= 5000;
	assert_int_equal(hpt_interval_rate_uhz(&a, &b), 0);
	b.ref_ns += 5000;
	assert_int_equal(hpt_interval_rate_uhz(&a, &b), 0);
	assert_true(hpt_interval_rates(&a, &b).lo_uhz == 0 && hpt_interval_rates(&a, &b).hi_uhz <= 1);
	b = a;
	b.tick += 5000;
	b.ref_ns -= 5000;
	assert_int_equal(hpt_interval_rate_uhz(&a, &b), 0);
	assert_int_equal(hpt_interval_rates(&a, &b).lo_uhz, 0);
}

/* ---- Two intervals: the gap --------------------------------------------------------------------------- */

static void intervals_that_agree_have_no_gap(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		uint32_t ppb = random_below(2) ? 0 : (uint32_t)random_below(1000000);
		struct hpt_scale slope;
		struct hpt_interval a, b;

		new_random_world();
		slope = ppb ? wrong_slope(ppb) : true_slope;
		a = interval_now(slope, ppb);
		world.now_ps += random_below(72 * 3600 * PS_PER_S) >> random_below(50); /* from microseconds to days */
		b = interval_now(slope, ppb);
		/* The slopes are rounded, here and in wrong_slope(). */
		if ((double)hpt_interval_gap_fs(&a, &b, slope, ppb) > 1 + 1e-6 * (double)(b.ref_ns - a.ref_ns))
			fail_msg("tick %llu ps: a gap of %lld fs after %lld ns", (unsigned long long)world.tick_ps,
				 (long long)hpt_interval_gap_fs(&a, &b, slope, ppb), (long long)(b.ref_ns - a.ref_ns));
	}
}

static void gap_is_the_size_of_the_jump(void **state)
{
	static const int64_t jumps_ns[] = { 1000, 1000000, NS_PER_S, 3600 * NS_PER_S };

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		int64_t jump_ns = jumps_ns[i % COUNT(jumps_ns)], jump_fs = jump_ns * FS_PER_NS, gap, width;
		struct hpt_interval a, b;

		new_world(500, 1, 1);
		a = interval_now(true_slope, 1000);
		world.now_ps += random_below(PS_PER_S / 100);
		if (i & 4)
			world.clock_offset_ns += i & 8 ? jump_ns : -jump_ns;
		else
			world.tick_offset += (uint64_t)(i & 8 ? 2 * jump_ns : -2 * jump_ns);
		b = interval_now(true_slope, 1000);
		gap = hpt_interval_gap_fs(&a, &b, true_slope, 1000);
		/* 11 ns: 1000 ppb of 10 ms. */
		width = a.hi_fs - a.lo_fs + b.hi_fs - b.lo_fs + 11 * FS_PER_NS + jump_fs / 500000;
		if (gap > jump_fs || gap < jump_fs - width)
			fail_msg("jump %lld fs, gap %lld", (long long)jump_fs, (long long)gap);
	}
}

static void gap_saturates(void **state)
{
	static const int64_t year_ns = 31557600 * NS_PER_S;

	(void)state;
	for (int i = 0; i < 64; i++) {
		int64_t jump_ns = (i & 2 ? 100 : 1) * year_ns;
		struct hpt_interval a, b;

		new_world(500, 1, 1);
		a = interval_now(true_slope, 1000);
		b = interval_now(true_slope, 1000);
		if (i & 4)
			b.ref_ns += i & 8 ? jump_ns : -jump_ns;
		else
			b.tick += (uint64_t)(i & 8 ? jump_ns : -jump_ns);
		assert_true(hpt_interval_gap_fs(&a, &b, true_slope, 1000) > INT64_C(9000000000000000000));
	}
}

static void nothing_contradicts_a_rate_of_which_nothing_is_known(void **state)
{
	struct hpt_interval a = { .tick = 1000, .ref_ns = 1000 }, b = { .tick = 2001000, .ref_ns = 4001000 };

	(void)state;
	assert_int_equal(hpt_interval_gap_fs(&a, &b, (struct hpt_scale){ .whole = 1 }, UINT32_MAX), 0);
	assert_int_equal(hpt_interval_gap_fs(&a, &b, (struct hpt_scale){ .whole = 1 }, 0), 2000000 * FS_PER_NS);
	assert_int_equal(hpt_interval_gap_fs(&b, &a, (struct hpt_scale){ .whole = 1 }, 0), 2000000 * FS_PER_NS);
	assert_int_equal(hpt_interval_gap_fs(&b, &a, (struct hpt_scale){ .whole = 1 }, UINT32_MAX), 0);
}

static void gap_counts_what_is_left_open_by_either(void **state)
{
	struct hpt_interval a = { .tick = 0, .ref_ns = 0, .lo_fs = -10, .hi_fs = 20 };
	struct hpt_interval b = { .tick = 1000, .ref_ns = 1000, .lo_fs = -100, .hi_fs = 200 };
	const struct hpt_scale ns = { .whole = 1 };

	(void)state;
	assert_int_equal(hpt_interval_gap_fs(&a, &b, ns, 0), 0);
	b.lo_fs = 20;
	assert_int_equal(hpt_interval_gap_fs(&a, &b, ns, 0), 0);
	b.lo_fs = 21;
	assert_int_equal(hpt_interval_gap_fs(&a, &b, ns, 0), 1);
	b.lo_fs = -100;
	b.hi_fs = -10;
	assert_int_equal(hpt_interval_gap_fs(&a, &b, ns, 0), 0);
	b.hi_fs = -11;
	assert_int_equal(hpt_interval_gap_fs(&a, &b, ns, 0), 1);
}

/* ---- Two intervals as one ----------------------------------------------------------------------------- */

static void narrowed_interval_holds_the_truth_for_ever(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS / 100; i++) {
		struct hpt_interval all;

		new_random_world();
		all = interval_now(true_slope, 0);
		for (int n = 0; n < 500; n++) {
			struct hpt_interval b, both;

			world.now_ps += random_below(2 * PS_PER_S) >> random_below(30);
			b = interval_now(true_slope, 0);
			assert_true(hpt_interval_narrow(&all, &b, true_slope, 0, &both));
			assert_true(both.tick == b.tick && both.ref_ns == b.ref_ns);
			assert_true(both.lo_fs >= b.lo_fs && both.hi_fs <= b.hi_fs);
			assert_true(both.hi_fs - both.lo_fs <= all.hi_fs - all.lo_fs + 1);
			check_truth(&both);
			all = both;
		}
	}
}

/* Whichever way the rate is off; and the error counts backwards in time too. */
static void narrowed_interval_allows_for_the_error_of_the_rate(void **state)
{
	struct hpt_interval a = { .tick = 1000000, .lo_fs = -FS_PER_NS, .hi_fs = FS_PER_NS }, ret;
	struct hpt_interval later = { .tick = 2000000, .ref_ns = 1000000, .lo_fs = -NS_PER_S, .hi_fs = NS_PER_S };
	struct hpt_interval earlier = { .tick = 0, .ref_ns = -1000000, .lo_fs = -NS_PER_S, .hi_fs = NS_PER_S };

	(void)state;
	assert_true(hpt_interval_narrow(&a, &later, (struct hpt_scale){ .whole = 1 }, 5000, &ret));
	assert_true(ret.lo_fs == -6 * FS_PER_NS && ret.hi_fs == 6 * FS_PER_NS + 1);
	assert_true(hpt_interval_narrow(&a, &earlier, (struct hpt_scale){ .whole = 1 }, 5000, &ret));
	assert_true(ret.lo_fs == -6 * FS_PER_NS && ret.hi_fs == 6 * FS_PER_NS + 1);
}

/* A third of a nanosecond is no whole number of femtoseconds. */
static void narrowed_interval_is_rounded_outwards(void **state)
{
	struct hpt_interval a = { .tick = 0 }, b = { .tick = 1, .lo_fs = -FS_PER_NS, .hi_fs = FS_PER_NS }, ret;

	(void)state;
	assert_true(hpt_interval_narrow(&a, &b, hpt_scale_of(1, 3), 0, &ret));
	assert_int_equal(ret.lo_fs, 333333);
	assert_int_equal(ret.hi_fs, 333334);
}

static void intervals_that_contradict_each_other_leave_the_later(void **state)
{
	static const int64_t apart_ns[] = { 1, 1000, 3600 * NS_PER_S, 31557600 * NS_PER_S, INT64_MAX / 2 };
	const struct hpt_scale ns = { .whole = 1 };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(apart_ns); i++) {
		int64_t apart = i & 1 ? apart_ns[i / 2] : -apart_ns[i / 2];
		struct hpt_interval a = { .tick = 5000, .ref_ns = 7000, .lo_fs = -400000, .hi_fs = 400000 }, ret;
		struct hpt_interval b = { .tick = 6000, .ref_ns = 8000 + apart, .lo_fs = -400000, .hi_fs = 400000 };

		assert_false(hpt_interval_narrow(&a, &b, ns, 0, &ret));
		assert_memory_equal(&ret, &b, sizeof(b));
		a.lo_fs = -(a.hi_fs = INT64_C(3000000000000000000));
		if (hpt_interval_narrow(&a, &b, ns, 0, &ret)) /* so wide that it contradicts no interval near it */
			assert_true(ret.lo_fs == b.lo_fs && ret.hi_fs == b.hi_fs);
		else
			assert_memory_equal(&ret, &b, sizeof(b));
	}
}

static void narrowed_interval_may_take_the_place_of_the_earlier(void **state)
{
	struct hpt_interval a = { .tick = 5000, .ref_ns = 7000, .lo_fs = -300000, .hi_fs = 500000 };
	struct hpt_interval b = { .tick = 6000, .ref_ns = 8000, .lo_fs = -400000, .hi_fs = 400000 };

	(void)state;
	assert_true(hpt_interval_narrow(&a, &b, (struct hpt_scale){ .whole = 1 }, 0, &a));
	assert_int_equal(a.tick, 6000);
	assert_int_equal(a.ref_ns, 8000);
	assert_int_equal(a.lo_fs, -300000);
	assert_int_equal(a.hi_fs, 400000);
}

static void error_of_a_time_is_to_the_farther_end(void **state)
{
	const struct hpt_interval in = { .tick = 1000, .ref_ns = 5000, .lo_fs = -20000000, .hi_fs = 30000000 };
	const struct hpt_scale slope = { .whole = 2 };

	(void)state;
	assert_in_range(hpt_interval_error_ns(&in, 1000, 5000, slope, 0), 30, 32);
	assert_in_range(hpt_interval_error_ns(&in, 1000, 5100, slope, 0), 120, 122);
	assert_in_range(hpt_interval_error_ns(&in, 1000, 4900, slope, 0), 130, 132);
	/* 1 % of 200 ns, before and after. */
	assert_in_range(hpt_interval_error_ns(&in, 1100, 5200, slope, 10000000), 33, 34);
	assert_in_range(hpt_interval_error_ns(&in, 900, 4800, slope, 10000000), 33, 34);
	assert_int_equal(hpt_interval_error_ns(&in, 1000, 5000, slope, UINT32_MAX), UINT32_MAX);
	assert_int_equal(hpt_interval_error_ns(&in, 1000, INT64_MAX, slope, 0), UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_of_a_time_is_to_the_farther_end),
		cmocka_unit_test(interval_always_holds_the_truth_and_no_bracket_widens_it),
		cmocka_unit_test(interval_holds_the_truth_by_a_slope_that_is_off),
		cmocka_unit_test(interval_holds_the_truth_though_the_reader_was_stopped_for_days),
		cmocka_unit_test(interval_is_as_narrow_as_the_readings_allow),
		cmocka_unit_test(bracket_from_far_away_does_not_narrow_the_interval),
		cmocka_unit_test(jump_between_brackets_gives_one_side_of_it),
		cmocka_unit_test(jump_within_a_bracket_overflows_nothing),
		cmocka_unit_test(middle_is_between_both_ends),
		cmocka_unit_test(bound_always_holds_the_true_rate),
		cmocka_unit_test(bound_is_rounded_outwards),
		cmocka_unit_test(nothing_is_known_of_the_rate_between_intervals_too_close),
		cmocka_unit_test(counter_or_reference_that_ran_back_has_no_rate),
		cmocka_unit_test(intervals_that_agree_have_no_gap),
		cmocka_unit_test(gap_is_the_size_of_the_jump),
		cmocka_unit_test(gap_saturates),
		cmocka_unit_test(nothing_contradicts_a_rate_of_which_nothing_is_known),
		cmocka_unit_test(gap_counts_what_is_left_open_by_either),
		cmocka_unit_test(narrowed_interval_holds_the_truth_for_ever),
		cmocka_unit_test(narrowed_interval_allows_for_the_error_of_the_rate),
		cmocka_unit_test(narrowed_interval_is_rounded_outwards),
		cmocka_unit_test(intervals_that_contradict_each_other_leave_the_later),
		cmocka_unit_test(narrowed_interval_may_take_the_place_of_the_earlier),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
