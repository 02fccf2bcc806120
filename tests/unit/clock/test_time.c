// SPDX-License-Identifier: MIT
/* Times of the live clock, and of clocks of any rate in any year. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "unit.h"

#include "clock/anchor.h"
#include "clock/default.h"
#include "clock/read.h"
#include "clock/timekeeper.h"
#include "fake_env.h"
#include "fake_source.h"
#include "fixed_clock.h"
#include "hpt/hpt.h"

#define NS_PER_S   INT64_C(1000000000)
#define UHZ_PER_HZ UINT64_C(1000000)

_Static_assert(sizeof(struct hpt_timespec) == 16 && offsetof(struct hpt_timespec, nsec) == 8, "hpt_timespec");

static void format_leaves_a_small_buffer_alone(void **state)
{
	char text[HPT_TIME_FORMAT_SIZE + 1], before[sizeof(text)];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(before, text, sizeof(text));
	assert_int_equal(hpt_time_format(NULL, hpt_now(NULL), text, HPT_TIME_FORMAT_SIZE - 1), -ERANGE);
	assert_int_equal(hpt_time_format(NULL, hpt_now(NULL), text, 0), -ERANGE);
	assert_memory_equal(text, before, sizeof(text));
	assert_int_equal(hpt_time_format(NULL, 0, NULL, 100), -EINVAL);
	assert_int_equal(hpt_time_format(NULL, hpt_now(NULL), text, HPT_TIME_FORMAT_SIZE), HPT_TIME_FORMAT_SIZE - 1);
	assert_int_equal(text[HPT_TIME_FORMAT_SIZE], 'x');
	assert_int_equal(text[HPT_TIME_FORMAT_SIZE - 2], 'Z');
}

static int64_t realtime_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void now_as_unix_time_is_now(void **state)
{
	hpt_time_t before, after;
	int64_t unix_before, unix_after, real;

	(void)state;
	before = hpt_now(NULL);
	real = realtime_ns();
	after = hpt_now(NULL);
	assert_int_equal(hpt_time_to_unix_ns(NULL, before, &unix_before), 0);
	assert_int_equal(hpt_time_to_unix_ns(NULL, after, &unix_after), 0);
	/* The rate is correct to 0.1 % at worst, which is 1 ms in a second. */
	assert_true(unix_before - 1000000 <= real && real <= unix_after + 1000000);
	before = realtime_ns();
	real = hpt_now_unix_ns(NULL);
	assert_true(before - 1000000 <= real && real <= realtime_ns() + 1000000);
}

/* The live clock's record, which a call may renew. */
static uint32_t record_seen(void)
{
	return hpt_seqlatch_begin(&hpt_clock_default()->latch);
}

/* A clock of 1 GHz whose ticks cover 300 years: Unix time in int64 ns ends half a century before they do. */
static void conversion_refuses_what_does_not_fit(void **state)
{
	struct hpt_clock clk;
	int64_t ret = 4711;
	char text[HPT_TIME_FORMAT_SIZE] = "before";

	(void)state;
	assert_int_equal(hpt_time_to_unix_ns(NULL, 0, NULL), -EINVAL);
	fixed_clock(&clk, HPT_UHZ_PER_GHZ, 0, INT64_C(1795171679000000000));
	assert_int_equal(hpt_time_to_unix_ns(&clk, INT64_MAX - INT64_C(1795171679000000000), &ret), 0);
	assert_true(ret == INT64_MAX);
	ret = 4711;
	assert_int_equal(hpt_time_to_unix_ns(&clk, INT64_MAX - INT64_C(1795171679000000000) + 1, &ret), -ERANGE);
	assert_int_equal(ret, 4711);
	assert_int_equal(hpt_time_format(&clk, INT64_MAX, text, sizeof(text)), -ERANGE);
	assert_string_equal(text, "before");
}

/* Both directions sample the clocks for a present time, and agree. */
static void a_step_of_the_wall_clock_is_followed_both_ways(void **state)
{
	struct hpt_clock clk;
	int64_t before, after;
	hpt_time_t t, back;

	(void)state;
	world = (struct fake_world){
		.now_ps = UINT64_C(5000000000000), .tick_ps = 400, .tick_offset = 1000000007, .read_ps = 8000,
		.clock_ps = 24000, .realtime_offset_ns = INT64_C(1700000000000000000),
	};
	memset(&clk, 0, sizeof(clk));
	fake_world_source(&clk.src, &fake_env);
	hpt_read_set(&clk);
	clk.at_load = hpt_booted()->status;
	hpt_anchor_take(&clk.src, &clk.anchor);
	assert_int_equal(hpt_time_to_unix_ns(&clk, hpt_now(&clk), &before), 0);
	world.now_ps += UINT64_C(3000000000000);
	world.realtime_offset_ns += 3600 * NS_PER_S;
	t = hpt_now(&clk);
	after = (int64_t)(world.now_ps / 1000) + world.realtime_offset_ns;
	assert_int_equal(hpt_time_from_unix_ns(&clk, after, &back), 0);
	assert_in_range((uint64_t)(back - t) + 2500000, 0, 5000000); /* a millisecond */
	assert_int_equal(hpt_time_to_unix_ns(&clk, back, &before), 0);
	assert_true(before == after);
}

static void live_ends_are_exact(void **state)
{
	hpt_time_t first, last;
	int to_first, to_last;
	uint32_t seen;
	int64_t ns;

	(void)state;
	do {
		seen = record_seen();
		first = hpt_time_min(NULL);
		last = hpt_time_max(NULL);
		to_first = hpt_time_to_unix_ns(NULL, first, &ns);
		to_last = hpt_time_to_unix_ns(NULL, last, &ns);
	} while (record_seen() != seen);
	assert_int_equal(to_first, 0);
	assert_int_equal(to_last, 0);
	assert_true(first < hpt_now(NULL) && hpt_now(NULL) < last);
}

static void ends_are_exact_to_the_tick(void **state)
{
	static const uint64_t hz[] = { 10000000, 14318180, 1000000000, 2600000000, 6000000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(hz); i++) {
		char text[HPT_TIME_FORMAT_SIZE];
		struct hpt_clock clk;
		hpt_time_t first, last;

		fixed_clock(&clk, hz[i] * UHZ_PER_HZ, 4711, INT64_C(1795171679123456789));
		first = hpt_time_min(&clk);
		last = hpt_time_max(&clk);
		assert_true(first < 4711 && 4711 < last);
		assert_true(hpt_time_format(&clk, first, text, sizeof(text)) > 0);
		assert_true(hpt_time_format(&clk, last, text, sizeof(text)) > 0);
		if (first != INT64_MIN)
			assert_int_equal(hpt_time_format(&clk, first - 1, text, sizeof(text)), -ERANGE);
		if (last != INT64_MAX)
			assert_int_equal(hpt_time_format(&clk, last + 1, text, sizeof(text)), -ERANGE);
	}
}

/* ---- The papers' years --------------------------------------------------------------------------------- */

static const struct date {
	const char *text;
	int64_t s;
} dates[] = {
	{ "2018-09-17T00:00:00.123456789Z", 1537142400 }, /* ticks since 1970 end this day at 6 GHz */
	{ "2028-06-15T06:00:00.123456789Z", 1844661600 }, /* and this day at 5 GHz */
	{ "2028-06-16T00:00:00.123456789Z", 1844726400 },
	{ "2032-03-09T00:00:00.123456789Z", 1962403200 }, /* 4.7 GHz */
	{ "2032-03-10T00:00:00.123456789Z", 1962489600 },
	{ "2038-01-19T03:14:07.123456789Z", INT64_C(2147483647) },
	{ "2038-01-19T03:14:08.123456789Z", INT64_C(2147483648) },
	{ "2038-01-20T00:00:00.123456789Z", INT64_C(2147558400) },
	{ "2082-05-30T00:00:00.123456789Z", INT64_C(3547324800) }, /* 2.6 GHz */
	{ "2082-06-01T00:00:00.123456789Z", INT64_C(3547497600) },
	{ "2083-01-01T00:00:00.123456789Z", INT64_C(3565987200) },
	{ "2261-12-31T23:59:59.123456789Z", INT64_C(9214646399) },
};

static const uint64_t date_rates_hz[] = { 14318180, 1000000000, 2600000000, 4700000000, 5000000000, 6000000000 };

static void assert_date(const struct date *d, hpt_clock *clk, uint64_t hz, hpt_time_t t)
{
	char text[HPT_TIME_FORMAT_SIZE];
	struct hpt_timespec ts;
	int64_t ticks = 4711;
	hpt_time_t back = 0;

	assert_int_equal(hpt_time_format(clk, t, text, sizeof(text)), HPT_TIME_FORMAT_SIZE - 1);
	assert_string_equal(text, d->text);
	assert_int_equal(hpt_time_parse(clk, d->text, &back), 0);
	assert_true(back == t);
	assert_int_equal(hpt_time_to_timespec(clk, t, &ts), 0);
	assert_true(ts.sec == d->s && ts.nsec == 123456789);
	assert_int_equal(hpt_time_from_timespec(clk, &ts, &back), 0);
	assert_true(back == t);
	if (d->s < INT64_MAX / (int64_t)hz)
		assert_int_equal(hpt_time_to_unix_ticks(clk, t, &ticks), 0);
	else
		assert_int_equal(hpt_time_to_unix_ticks(clk, t, &ticks), -ERANGE);
	assert_true((d->s < INT64_MAX / (int64_t)hz) == (ticks != 4711));
	if (ticks != 4711) /* a tick for the rounding of each factor */
		assert_in_range((uint64_t)ticks - (uint64_t)d->s * hz - (uint64_t)(0.123456789 * (double)hz) + 2, 0, 4);
}

static void every_rate_lives_through_every_year(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(dates); i++)
		for (size_t j = 0; j < COUNT(date_rates_hz); j++) {
			uint64_t hz = date_rates_hz[j];
			hpt_time_t up = (hpt_time_t)(1000 * hz), later;
			struct hpt_clock clk;

			fixed_clock(&clk, hz * UHZ_PER_HZ, up, dates[i].s * NS_PER_S + 123456789);
			assert_date(&dates[i], &clk, hz, up);
			/* A day before and after, and a random tick. */
			assert_int_equal(hpt_time_add_ns(&clk, up, 86400 * NS_PER_S, &later), 0);
			assert_int_equal(hpt_ticks_to_ns(&clk, later - up), 86400 * NS_PER_S);
			fixed_clock(&clk, hz * UHZ_PER_HZ, later, (dates[i].s + 86400) * NS_PER_S + 123456789);
			assert_int_equal(hpt_time_add_ns(&clk, later, -86400 * NS_PER_S, &up), 0);
			assert_date(&dates[i], &clk, hz, up);
		}
}

/* ---- Seconds and text ---------------------------------------------------------------------------- */

static void seconds_cover_every_tick(void **state)
{
	struct hpt_timespec ts = { 1, 2 };
	struct hpt_clock clk;

	(void)state;
	fixed_clock(&clk, 10000000 * UHZ_PER_HZ, 0, INT64_C(1795171679000000000));
	assert_int_equal(hpt_time_to_timespec(&clk, 0, NULL), -EINVAL);
	/* From long before written history to the year 31197. */
	assert_int_equal(hpt_time_to_timespec(&clk, INT64_MAX, &ts), 0);
	assert_true(ts.sec == INT64_C(922337203685) + 1795171679 && ts.nsec == 477580700);
	assert_int_equal(hpt_time_to_timespec(&clk, INT64_MIN, &ts), 0);
	assert_true(ts.sec == INT64_C(-922337203686) + 1795171679 && ts.nsec == 522419200);
}

static void invalid_timespec_is_refused(void **state)
{
	const struct hpt_timespec low = { 0, -1 }, high = { 0, 1000000000 }, far = { INT64_MAX, 999999999 },
				  early = { INT64_MIN, 0 }, most = { 0, 999999999 };
	struct hpt_clock clk;
	hpt_time_t ret = 4711;

	(void)state;
	fixed_clock(&clk, HPT_UHZ_PER_GHZ, 0, 0);
	assert_int_equal(hpt_time_from_timespec(&clk, NULL, &ret), -EINVAL);
	assert_int_equal(hpt_time_from_timespec(&clk, &most, NULL), -EINVAL);
	assert_int_equal(hpt_time_from_timespec(&clk, &low, &ret), -EINVAL);
	assert_int_equal(hpt_time_from_timespec(&clk, &high, &ret), -EINVAL);
	assert_int_equal(hpt_time_from_timespec(&clk, &far, &ret), -ERANGE);
	assert_int_equal(hpt_time_from_timespec(&clk, &early, &ret), -ERANGE);
	assert_int_equal(ret, 4711);
	assert_int_equal(hpt_time_from_timespec(&clk, &most, &ret), 0);
	assert_int_equal(ret, 999999999);
}

static void parse_refuses_what_does_not_fit(void **state)
{
	struct hpt_clock clk;
	hpt_time_t ret = 4711;

	(void)state;
	fixed_clock(&clk, 6000000000 * UHZ_PER_HZ, 0, INT64_C(1795171679000000000));
	assert_int_equal(hpt_time_parse(&clk, NULL, &ret), -EINVAL);
	assert_int_equal(hpt_time_parse(&clk, "2026-11-20T10:47:59Z", NULL), -EINVAL);
	assert_int_equal(hpt_time_parse(&clk, "2026-11-20T10:47:59", &ret), -EINVAL);
	assert_int_equal(hpt_time_parse(&clk, "2076-01-01T00:00:00Z", &ret), -ERANGE);
	assert_int_equal(hpt_time_parse(&clk, "0000-01-01T00:00:00Z", &ret), -ERANGE);
	assert_int_equal(ret, 4711);
	assert_int_equal(hpt_time_parse(&clk, "2026-11-20 12:48:00,5+02:00", &ret), 0);
	assert_true(ret == INT64_C(9000000000));
	/* A slow clock has times that only seconds can express. */
	fixed_clock(&clk, 10000000 * UHZ_PER_HZ, 0, INT64_C(1795171679000000000));
	assert_int_equal(hpt_time_parse(&clk, "9999-12-31T23:59:59Z", &ret), 0);
	assert_true(ret == (INT64_C(253402300799) - 1795171679) * 10000000);
}

/* Text has nanoseconds. Allowed: half a nanosecond and half a tick, by one record. */
static void live_times_come_back_from_text(void **state)
{
	struct hpt_clock_info info;
	char text[HPT_TIME_FORMAT_SIZE];
	hpt_time_t t, by_text, back = 4711;
	int64_t allowed, ns;
	uint32_t seen;

	(void)state;
	do {
		seen = record_seen();
		t = hpt_now(NULL);
		assert_int_equal(hpt_time_format(NULL, t, text, sizeof(text)), HPT_TIME_FORMAT_SIZE - 1);
		assert_int_equal(hpt_time_parse(NULL, text, &by_text), 0);
		assert_int_equal(hpt_time_to_unix_ns(NULL, t, &ns), 0);
		assert_int_equal(hpt_time_from_unix_ns(NULL, ns, &back), 0);
	} while (record_seen() != seen);
	assert_int_equal(hpt_clock_get_info(NULL, &info, sizeof(info)), 0);
	allowed = (int64_t)(info.frequency_uhz / HPT_UHZ_PER_GHZ) + 1;
	assert_true(by_text - t <= allowed && t - by_text <= allowed);
	assert_true(back - t <= allowed && t - back <= allowed);
	assert_int_equal(hpt_time_from_unix_ns(NULL, ns, NULL), -EINVAL);
	assert_int_equal(hpt_time_to_unix_ticks(NULL, t, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(format_leaves_a_small_buffer_alone),
		cmocka_unit_test(now_as_unix_time_is_now),
		cmocka_unit_test(conversion_refuses_what_does_not_fit),
		cmocka_unit_test(a_step_of_the_wall_clock_is_followed_both_ways),
		cmocka_unit_test(live_ends_are_exact),
		cmocka_unit_test(ends_are_exact_to_the_tick),
		cmocka_unit_test(every_rate_lives_through_every_year),
		cmocka_unit_test(seconds_cover_every_tick),
		cmocka_unit_test(invalid_timespec_is_refused),
		cmocka_unit_test(parse_refuses_what_does_not_fit),
		cmocka_unit_test(live_times_come_back_from_text),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
