// SPDX-License-Identifier: MIT
/* The public conversions on clocks of any rate: there and back, in order, within int64, failures without a trace. */
#include <errno.h>
#include <math.h>

#include "hpt/hpt.h"

#include "math/scale.h"
#include "math/units.h"
#include "fixed_clock.h"
#include "fuzz.h"

#define UNTOUCHED INT64_C(-0x5a5a5a5a5a5a5a5b)
#define UHZ_MIN   UINT64_C(1000000000)        /* 1 kHz */
#define UHZ_MAX   UINT64_C(10000000000000000) /* 10 GHz */

/* The clock's facts, for results in long double: its 64 bits of mantissa hold any int64. */
struct known {
	uint64_t uhz;
	long double tick_per_ns, ns_per_tick;
};

static hpt_clock *clk;

/* Is the value the nearest integer, or clamped, to within what long double leaves open? */
static bool is_about(int64_t value, long double exact)
{
	if (exact >= 0x1p63L || exact <= -0x1p63L)
		return value == (exact > 0 ? INT64_MAX : INT64_MIN) || fabsl(exact) < 0x1.000000000000001p63L;
	return fabsl((long double)value - exact) <= 1 + fabsl(exact) * 0x1p-61L;
}

/* ---- Durations ---------------------------------------------------------------------------------------- */

static void check_durations(const struct known *k, int64_t a)
{
	struct hpt_timespec ts = { 0 };
	char text[HPT_TICKS_FORMAT_SIZE];
	int n;

	MUST(is_about(hpt_ticks_to_ns(clk, a), (long double)a * k->ns_per_tick));
	MUST(is_about(hpt_ns_to_ticks(clk, a), (long double)a * k->tick_per_ns));
	MUST(hpt_ticks_to_ns(clk, 0) == 0 && hpt_ns_to_ticks(clk, 0) == 0);
	MUST(a == INT64_MIN || a == INT64_MAX || hpt_ticks_to_ns(clk, a) <= hpt_ticks_to_ns(clk, a + 1));
	MUST(!hpt_ticks_to_timespec(clk, a, &ts) && ts.nsec >= 0 && ts.nsec < NS_PER_S);
	n = hpt_ticks_format(clk, a, text, sizeof(text));
	MUST(n > 0 && (size_t)n < sizeof(text) && (size_t)n == strlen(text));
	MUST(is_about(ts.sec, (long double)a * k->ns_per_tick / 1e9L));
	MUST(is_about((int64_t)strtold(text, NULL), (long double)a * k->ns_per_tick / 1e9L));
	MUST(hpt_ticks_format(clk, a, text, (size_t)n) == -ERANGE);
}

/* ---- Sums --------------------------------------------------------------------------------------------- */

static void check_sum(const struct known *k, int64_t a, int64_t b)
{
	long double exact = (long double)a + (long double)b * k->tick_per_ns;
	hpt_time_t t = UNTOUCHED;
	int r = hpt_time_add_ns(clk, a, b, &t);

	if (!r) {
		MUST(fabsl((long double)t - exact) <= 2 + fabsl((long double)b * k->tick_per_ns) * 0x1p-61L);
		return;
	}
	MUST(r == -ERANGE && t == UNTOUCHED);
	MUST(fabsl(exact) >= 0x1p63L - 4);
}

/* ---- Unix time ------------------------------------------------------------------------------------------ */

static bool is_near(const struct known *k, int64_t apart_ticks)
{
	return (uint64_t)llabs(apart_ticks) <= (k->uhz > HPT_UHZ_PER_GHZ ? k->uhz / HPT_UHZ_PER_GHZ : 0);
}

static void check_unix_ns(const struct known *k, hpt_time_t t)
{
	int64_t ns = UNTOUCHED, later_ns;
	hpt_time_t back = UNTOUCHED;
	int r = hpt_time_to_unix_ns(clk, t, &ns);
	bool inside = t >= hpt_time_min(clk) && t <= hpt_time_max(clk);

	MUST(inside == !r);
	if (r) {
		MUST(r == -ERANGE && ns == UNTOUCHED);
		return;
	}
	MUST(t == INT64_MAX || hpt_time_to_unix_ns(clk, t + 1, &later_ns) || later_ns >= ns);
	r = hpt_time_from_unix_ns(clk, ns, &back);
	MUST(r ? r == -ERANGE && back == UNTOUCHED : is_near(k, back - t));
}

/* Every time has seconds, also where its nanoseconds do not fit. */
static void check_seconds(const struct known *k, hpt_time_t t)
{
	struct hpt_timespec ts = { 0 };
	hpt_time_t back = UNTOUCHED;
	int64_t ns;
	int r;

	MUST(!hpt_time_to_timespec(clk, t, &ts) && ts.nsec >= 0 && ts.nsec < NS_PER_S);
	MUST(hpt_time_to_unix_ns(clk, t, &ns) || (__int128)ts.sec * NS_PER_S + ts.nsec == ns);
	r = hpt_time_from_timespec(clk, &ts, &back);
	MUST(r ? r == -ERANGE && back == UNTOUCHED : is_near(k, back - t));
}

static void check_given_seconds(int64_t s, int64_t above)
{
	struct hpt_timespec ts = { s, above }, again;
	hpt_time_t t = UNTOUCHED;
	int r = hpt_time_from_timespec(clk, &ts, &t);

	MUST((r == -EINVAL) == (above < 0 || above >= NS_PER_S));
	MUST(!r || t == UNTOUCHED);
	if (!r)
		MUST(!hpt_time_to_timespec(clk, t, &again) && llabs(again.sec - s) <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hpt_clock fixed;
	struct fuzz_input in = { data, size };
	struct known k = { .uhz = fuzz_between(&in, UHZ_MIN, UHZ_MAX) };
	int64_t tick = fuzz_i64(&in) / 4 * 2, unix_ns = fuzz_i64(&in), a = fuzz_i64(&in), b = fuzz_i64(&in);

	k.tick_per_ns = (long double)k.uhz / (long double)HPT_UHZ_PER_GHZ;
	k.ns_per_tick = (long double)HPT_UHZ_PER_GHZ / (long double)k.uhz;
	fixed_clock(&fixed, k.uhz, tick, unix_ns);
	clk = &fixed;
	check_durations(&k, a);
	check_sum(&k, a, b);
	check_unix_ns(&k, a);
	check_seconds(&k, a);
	check_given_seconds(a, b);
	check_given_seconds(a, b & 0xfffff);
	return 0;
}
