// SPDX-License-Identifier: MIT
/* The pure arithmetic of lib/math against the compiler's 128-bit integers: factors, lines, Unix time. */
#include <errno.h>
#include <math.h>

#include "math/line.h"
#include "math/scale.h"
#include "math/units.h"
#include "math/unix_time.h"
#include "fuzz.h"

#define UNTOUCHED INT64_C(-0x5a5a5a5a5a5a5a5b)

typedef unsigned __int128 u128;
typedef __int128 i128;

static i128 of_wide(struct hpt_wide x)
{
	return (i128)((u128)x.hi << 64 | x.lo);
}

static struct hpt_wide to_wide(i128 x)
{
	return (struct hpt_wide){ (uint64_t)((u128)x >> 64), (uint64_t)x };
}

static u128 of_scale(struct hpt_scale s)
{
	return (u128)s.whole << 64 | s.frac;
}

static u128 of_fixed(struct hpt_fixed f)
{
	return (u128)f.ns << 64 | f.frac;
}

static u128 magnitude(i128 x)
{
	return x < 0 ? 0 - (u128)x : (u128)x;
}

/* All magnitudes are equally likely, so that small values come as often as large ones. */
static uint64_t take_u64(struct fuzz_input *in)
{
	uint8_t shift;

	fuzz_take(in, &shift, 1);
	return fuzz_u64(in) >> (shift & 63);
}

static int64_t take_i64(struct fuzz_input *in)
{
	uint8_t negative;

	fuzz_take(in, &negative, 1);
	return (int64_t)(negative & 1 ? 0 - take_u64(in) : take_u64(in));
}

/* ---- 128 bits ------------------------------------------------------------------------------------- */

static void check_wide(int64_t a, int64_t b)
{
	i128 sum = (i128)a + b;
	int64_t narrow = UNTOUCHED;
	uint64_t hi, lo = hpt_mul_wide((uint64_t)a, (uint64_t)b, &hi);

	MUST(((u128)hi << 64 | lo) == (u128)(uint64_t)a * (uint64_t)b);
	MUST(hpt_sum(a, b) == (sum < INT64_MIN ? INT64_MIN : sum > INT64_MAX ? INT64_MAX : (int64_t)sum));
	MUST(of_wide(hpt_wide_add(hpt_wide_of(a), hpt_wide_of(b))) == sum);
	MUST(of_wide(hpt_wide_subtract(hpt_wide_of(a), hpt_wide_of(b))) == (i128)a - b);
	MUST(of_wide(hpt_wide_product(a, (uint64_t)b >> 1)) == (i128)a * ((uint64_t)b >> 1));
	if (hpt_wide_narrow(to_wide(sum), &narrow))
		MUST((sum < INT64_MIN || sum > INT64_MAX) && narrow == UNTOUCHED);
	else
		MUST(narrow == sum);
}

static void check_seconds(int64_t a, int64_t b)
{
	i128 ns = (i128)a * NS_PER_S + b % NS_PER_S;
	uint32_t above;
	int64_t s;

	if (ns / NS_PER_S <= INT64_MIN || ns / NS_PER_S >= INT64_MAX)
		return;
	hpt_wide_seconds(to_wide(ns), &s, &above);
	MUST(above < NS_PER_S && (i128)s * NS_PER_S + above == ns);
}

/* ---- Factors -------------------------------------------------------------------------------------- */

static void check_scale_of(uint64_t num, uint64_t den)
{
	i128 rest;
	struct hpt_scale s;

	if (!den)
		return;
	s = hpt_scale_of(num, den);
	MUST(s.whole == num / den);
	/* num * 2^64 - den * s is at most den / 2, and the sum modulo 2^128 is the true one. */
	rest = (i128)(((u128)num << 64) - of_scale(s) * den);
	MUST(2 * magnitude(rest) <= den);
}

/* |x| below 2^64, the factor below 2^127: rounded to nearest, halves away from zero. */
static i128 product(i128 x, struct hpt_scale s)
{
	u128 low = magnitude(x) * s.frac, p = magnitude(x) * s.whole + (low >> 64) + ((uint64_t)low >> 63);

	return x < 0 ? -(i128)p : (i128)p;
}

static int64_t clamp(i128 x)
{
	return x < INT64_MIN ? INT64_MIN : x > INT64_MAX ? INT64_MAX : (int64_t)x;
}

static void check_multiply(int64_t x, int64_t y, struct hpt_scale s)
{
	i128 apart = (i128)x - y;

	s.whole >>= 1;
	MUST(hpt_scale_round(x, s) == clamp(product(x, s)));
	MUST(of_wide(hpt_scale_wide(to_wide(apart), s)) == product(apart, s));
	MUST(hpt_scale_floor((uint64_t)x, s.whole, s.frac) ==
	     (uint64_t)x * s.whole + (uint64_t)((u128)(uint64_t)x * s.frac >> 64));
}

/* q is the quotient if x - q * s is at most s / 2; the half rounds away from zero. */
static void check_divide(i128 x, struct hpt_scale s)
{
	u128 den = of_scale(s), size = magnitude(x), q;
	i128 result, rest;

	if (!den || den >> 126 || size >> 126)
		return;
	result = of_wide(hpt_scale_divide(to_wide(x), s));
	q = magnitude(result);
	MUST(x < 0 ? result <= 0 : result >= 0);
	MUST(q >> 64 <= 1);
	if (size >= den) {
		MUST(q == (u128)1 << 64);
		return;
	}
	rest = (i128)((size << 64) - q * den);
	MUST(2 * rest < (i128)den && -2 * rest <= (i128)den);
	/* The rest was computed modulo 2^128; the magnitude of the quotient is checked by itself. */
	MUST(fabsl((long double)q - (long double)size / (long double)den * 0x1p64L) <= 1 + (long double)q * 0x1p-60L);
}

/* ---- Lines ---------------------------------------------------------------------------------------- */

static void check_line(uint64_t tick, uint64_t other, struct hpt_fixed at, struct hpt_scale slope)
{
	struct hpt_line line = hpt_line_through(tick, at, slope);
	uint64_t start = hpt_window_start(tick), offset = other & (HPT_WINDOW_TICKS - 1);
	u128 first = of_fixed(at) - of_scale(slope) * (tick - start);

	MUST(of_fixed(line.at) == first);
	MUST(of_fixed(hpt_line_at(&line, tick, tick)) == of_fixed(at));
	MUST(of_fixed(hpt_line_at(&line, tick, other)) ==
	     first + of_scale(slope) * (u128)(i128)(int64_t)(other - start));
	MUST(hpt_line_ns(offset, slope.whole, slope.frac, line.at.ns, line.at.frac) ==
	     (int64_t)(uint64_t)((first + of_scale(slope) * offset) >> 64));
}

static void check_fixed(struct hpt_fixed a, struct hpt_fixed b, int64_t fs)
{
	MUST(of_fixed(hpt_fixed_add(a, b)) == of_fixed(a) + of_fixed(b));
	MUST(of_fixed(hpt_fixed_sub(a, b)) == of_fixed(a) - of_fixed(b));
	MUST(hpt_fixed_fs(hpt_fixed_of_fs(fs)) == fs);
}

/* Slopes of real counters: 1 kHz to some 1000 GHz. */
static void check_bent(struct hpt_scale slope, int64_t fs, uint64_t ticks)
{
	u128 was, is;

	slope.whole %= 1000000;
	slope.frac |= UINT64_C(1) << 54;
	if (!ticks)
		return;
	was = of_scale(slope);
	is = of_scale(hpt_slope_bent(slope, fs, ticks));
	MUST(is >= was / 2 - (was >> 50) && is <= 2 * was + (was >> 50));
	MUST(fs >= 0 ? is >= was : is <= was);
}

/* ---- Unix time ------------------------------------------------------------------------------------ */

static void check_furthest(const struct hpt_unix_time *map, int64_t end)
{
	int64_t t = hpt_unix_time_furthest(map, end), ns;

	MUST(!hpt_wide_narrow(hpt_ray_ns(&map->ray, t), &ns));
	MUST(t == end || hpt_wide_narrow(hpt_ray_ns(&map->ray, end < 0 ? t - 1 : t + 1), &ns));
}

static void check_unix_time(const struct hpt_unix_time *map, int64_t t)
{
	struct hpt_wide unix_ns = hpt_ray_ns(&map->ray, t);
	int64_t back = UNTOUCHED, ticks = UNTOUCHED;
	i128 exact = product(map->ray.ns, map->tick_per_ns) + ((i128)t - map->ray.tick);
	u128 per_tick = of_scale(map->ray.slope);

	MUST(of_wide(unix_ns) == product((i128)t - map->ray.tick, map->ray.slope) + map->ray.ns);
	/* Half a tick and half a nanosecond may lie outside of int64. */
	if (hpt_ray_tick(&map->ray, unix_ns, &back))
		MUST(back == UNTOUCHED && magnitude(t) > (u128)INT64_MAX - 1 - (((u128)1 << 64) / per_tick));
	else
		MUST(2 * magnitude((i128)back - t) * per_tick <= per_tick + ((u128)1 << 64));
	if (hpt_unix_time_ticks(map, t, &ticks))
		MUST(ticks == UNTOUCHED && (exact < INT64_MIN || exact > INT64_MAX));
	else
		MUST(ticks == exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	int64_t a = take_i64(&in), b = take_i64(&in);
	uint64_t whole = take_u64(&in), frac = take_u64(&in), more = take_u64(&in);
	uint64_t uhz = fuzz_between(&in, UINT64_C(1000000000), UINT64_C(16000000000000000));
	struct hpt_scale s = { whole, frac };
	struct hpt_fixed at = { (uint64_t)a, more }, other = { frac, (uint64_t)b };
	struct hpt_unix_time map = {
		.ray = { a, (int64_t)more, hpt_scale_of(UINT64_C(1000000000000000), uhz) },
		.tick_per_ns = hpt_scale_of(uhz, UINT64_C(1000000000000000)),
	};

	check_wide(a, b);
	check_seconds(a, b);
	check_scale_of(whole, more);
	check_multiply(a, b, s);
	check_divide((i128)a * b, s);
	check_divide((i128)a - b, s);
	check_line((uint64_t)a, (uint64_t)b, other, s);
	check_fixed(at, other, b);
	check_bent(s, a, more);
	check_unix_time(&map, b);
	check_furthest(&map, INT64_MIN);
	check_furthest(&map, INT64_MAX);
	return 0;
}
