// SPDX-License-Identifier: MIT
/*
 * Times, durations and numbers as text: the library's parser against libc's calendar, its formatter, clocks of several
 * rates, and the command's numbers against strtold().
 */
#include <errno.h>
#include <math.h>
#include <time.h>

#include "hpt/hpt.h"

#include "math/civil.h"
#include "math/scale.h"
#include "math/units.h"
#include "fixed_clock.h"
#include "fuzz.h"
#include "cli/parse.h"

#define UNTOUCHED INT64_C(-0x5a5a5a5a5a5a5a5b)
#define UNIX_MIN_S INT64_C(-62167219200) /* 0000-01-01 */
#define UNIX_MAX_S INT64_C(253402300799) /* 9999-12-31T23:59:59 */
#define UTC_LENGTH 30
#define SECOND_LENGTH 19                 /* as far as the seconds */

struct instant {
	int64_t s;
	uint32_t ns;
};

/* ---- Against libc's calendar ---------------------------------------------------------------------- */

/* The seconds of a text that the library accepted. */
static int64_t seconds_by_libc(const char *text)
{
	size_t n = strlen(text);
	int64_t ahead_s = 0;
	int hour, minute;
	struct tm tm = { 0 };

	MUST(sscanf(text, "%4d-%2d-%2d%*c%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min,
		    &tm.tm_sec) == 6);
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	if (text[n - 1] != 'Z' && text[n - 1] != 'z') {
		MUST(n >= 6 && sscanf(text + n - 5, "%2d:%2d", &hour, &minute) == 2);
		ahead_s = (text[n - 6] == '-' ? -60 : 60) * (60 * hour + minute);
	}
	return timegm(&tm) - ahead_s;
}

/* The nanoseconds of a text that the library accepted. */
static uint32_t nanoseconds_by_libc(const char *text)
{
	char digits[] = "000000000";

	if (text[SECOND_LENGTH] == '.' || text[SECOND_LENGTH] == ',')
		memcpy(digits, text + SECOND_LENGTH + 1, strspn(text + SECOND_LENGTH + 1, "0123456789"));
	return (uint32_t)strtoul(digits, NULL, 10);
}

static bool parse_civil(const char *text, struct instant *ret)
{
	*ret = (struct instant){ UNTOUCHED, UINT32_MAX };
	if (hpt_civil_parse(text, &ret->s, &ret->ns)) {
		MUST(ret->s == UNTOUCHED && ret->ns == UINT32_MAX);
		return false;
	}
	MUST(ret->s >= UNIX_MIN_S - 86400 && ret->s <= UNIX_MAX_S + 86400);
	MUST(ret->s == seconds_by_libc(text));
	MUST(ret->ns == nanoseconds_by_libc(text));
	return true;
}

/* The library's text of a time is libc's, and parses to the same time. */
static void check_formatted(int64_t unix_ns, const struct instant *of)
{
	char text[HPT_TIME_FORMAT_SIZE], by_libc[64];
	time_t s = (time_t)of->s;
	struct instant again;
	struct tm tm;

	hpt_civil_format(unix_ns, text);
	MUST(strlen(text) == UTC_LENGTH);
	MUST(gmtime_r(&s, &tm) && strftime(by_libc, sizeof(by_libc), "%Y-%m-%dT%H:%M:%S", &tm));
	MUST(!memcmp(text, by_libc, SECOND_LENGTH));
	MUST(parse_civil(text, &again) && again.s == of->s && again.ns == of->ns);
}

/* ---- Clocks ------------------------------------------------------------------------------------------- */

/* The time of t by its clock is at most half a tick from the one that was asked for. */
static void check_near(hpt_clock *clk, hpt_time_t t, const struct instant *asked, uint64_t uhz)
{
	struct hpt_timespec ts = { 0 };
	int64_t apart_ns;

	MUST(!hpt_time_to_timespec(clk, t, &ts));
	MUST(ts.nsec >= 0 && ts.nsec < NS_PER_S);
	MUST(llabs(ts.sec - asked->s) <= 1);
	apart_ns = (ts.sec - asked->s) * NS_PER_S + ts.nsec - asked->ns;
	MUST((uint64_t)llabs(apart_ns) <= UINT64_C(1000000000000000) / uhz / 2 + 1);
}

/* A clock's text of a time gives the time again: exactly if a tick takes a nanosecond or longer. */
static void check_clock_text(hpt_clock *clk, hpt_time_t t, uint64_t uhz)
{
	char text[HPT_TIME_FORMAT_SIZE], before[sizeof(text)];
	hpt_time_t again = UNTOUCHED;
	int r;

	memset(text, 'x', sizeof(text));
	memcpy(before, text, sizeof(text));
	MUST(hpt_time_format(clk, t, text, sizeof(text) - 1) == -ERANGE && !memcmp(text, before, sizeof(text)));
	r = hpt_time_format(clk, t, text, sizeof(text));
	if (r < 0) {
		MUST(r == -ERANGE && !memcmp(text, before, sizeof(text)));
		return;
	}
	MUST(r == UTC_LENGTH && text[r] == '\0' && text[r - 1] == 'Z');
	MUST(!hpt_time_parse(clk, text, &again));
	MUST((uint64_t)llabs(again - t) <= (uhz > HPT_UHZ_PER_GHZ ? uhz / HPT_UHZ_PER_GHZ : 0));
}

static void check_clocks(const char *text, const struct instant *parsed)
{
	static const uint64_t rates_uhz[] = { 32768000000, 14318179000000, 1000000000000000, 4700123456789000 };

	for (size_t i = 0; i < sizeof(rates_uhz) / sizeof(rates_uhz[0]); i++) {
		static struct hpt_clock clk;
		hpt_time_t t = UNTOUCHED;
		int r;

		fixed_clock(&clk, rates_uhz[i], 4711, INT64_C(1795171679123456789));
		r = hpt_time_parse(&clk, text, &t);
		if (r) {
			MUST(t == UNTOUCHED && r == (parsed ? -ERANGE : -EINVAL));
			continue;
		}
		MUST(parsed);
		check_near(&clk, t, parsed, rates_uhz[i]);
		check_clock_text(&clk, t, rates_uhz[i]);
	}
}

/* ---- The command's arguments -------------------------------------------------------------------------- */

typedef int parse_fn(const char *text, int64_t *ret);

static bool accepted(parse_fn *parse, const char *text, int64_t *ret)
{
	int r;

	*ret = UNTOUCHED;
	r = parse(text, ret);
	MUST(!r || *ret == UNTOUCHED);
	MUST(!r || r == -EINVAL || r == -ERANGE);
	return !r;
}

/* strtold() has 64 bits of mantissa; its product with the unit is rounded once more. */
static bool is_about(const char *text, double unit_ns, int64_t ns)
{
	return fabsl(strtold(text, NULL) * (long double)unit_ns - (long double)ns) <= 2;
}

static double unit_ns(const char *text)
{
	static const struct { char name[4]; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "\302\265s", 1e3 }, { "\316\274s", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
		{ "min", 6e10 }, { "m", 6e10 }, { "h", 3.6e12 }, { "d", 8.64e13 }, { "", 1e9 },
	};
	const char *unit = text + strspn(text, "-.0123456789");

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	return 0;
}

static void check_numbers(const char *text)
{
	int64_t ns;

	if (accepted(parse_duration_ns, text, &ns) || accepted(parse_seconds_ns, text, &ns))
		MUST(unit_ns(text) > 0 && is_about(text, unit_ns(text), ns));
	if (text[0] == '@')
		MUST(!accepted(parse_unix_ns, text, &ns) || is_about(text + 1, unit_ns(text + 1), ns));
}

/* The command refuses a time of day in the years that do not fit, and no other. */
static void check_unix_ns(const char *text, const struct instant *parsed)
{
	__int128 exact = (__int128)parsed->s * NS_PER_S + parsed->ns;
	int64_t ns;

	if (accepted(parse_unix_ns, text, &ns)) {
		MUST(ns == exact);
		check_formatted(ns, parsed);
	} else {
		MUST(exact < INT64_MIN || exact > INT64_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct instant parsed;
	char text[128];
	bool is_time;

	fuzz_text(&in, text, sizeof(text));
	is_time = parse_civil(text, &parsed);
	check_clocks(text, is_time ? &parsed : NULL);
	check_numbers(text);
	if (is_time)
		check_unix_ns(text, &parsed);
	return 0;
}
