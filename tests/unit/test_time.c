// SPDX-License-Identifier: MIT
/* Dates against libc's, text, and conversions of a live clock. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "unit.h"

#include "civil.h"
#include "clock.h"
#include "hpt/hpt.h"

#define S_PER_DAY 86400

static void every_day_of_the_range_is_gmtimes(void **state)
{
	(void)state;
	for (int64_t day = INT64_MIN / 1000000000 / S_PER_DAY - 1; day <= INT64_MAX / 1000000000 / S_PER_DAY + 1; day++) {
		time_t t = (time_t)(day * S_PER_DAY);
		uint32_t month, mday;
		int32_t year;
		struct tm tm;

		hpt_civil_date(day, &year, &month, &mday);
		assert_non_null(gmtime_r(&t, &tm));
		if (year != tm.tm_year + 1900 || month != (uint32_t)tm.tm_mon + 1 || mday != (uint32_t)tm.tm_mday)
			fail_msg("day %lld: %d-%u-%u", (long long)day, year, month, mday);
	}
}

static void dates_outside_are_right_as_well(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++) {
		int64_t day = (int64_t)random_below(4000000) - 2000000; /* 5500 years each way */
		time_t t = (time_t)(day * S_PER_DAY);
		uint32_t month, mday;
		int32_t year;
		struct tm tm;

		hpt_civil_date(day, &year, &month, &mday);
		gmtime_r(&t, &tm);
		assert_true(year == tm.tm_year + 1900 && month == (uint32_t)tm.tm_mon + 1 && mday == (uint32_t)tm.tm_mday);
	}
}

static void text_is_iso_8601(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00.000000000Z" },
		{ 1, "1970-01-01T00:00:00.000000001Z" },
		{ -1, "1969-12-31T23:59:59.999999999Z" },
		{ INT64_C(951782400000000000), "2000-02-29T00:00:00.000000000Z" },
		{ INT64_C(1795171679123456789), "2026-11-20T10:47:59.123456789Z" },
		{ INT64_MAX, "2262-04-11T23:47:16.854775807Z" },
		{ INT64_MIN, "1677-09-21T00:12:43.145224192Z" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[HPT_TIME_FORMAT_SIZE];

		memset(text, 'x', sizeof(text));
		hpt_unix_format(rows[i].ns, text);
		assert_string_equal(text, rows[i].text);
		assert_int_equal(strlen(text), HPT_TIME_FORMAT_SIZE - 1);
	}
}

static void random_text_is_strftimes(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++) {
		int64_t ns = (int64_t)random_u64(), s = ns / 1000000000 - (ns % 1000000000 < 0);
		char text[HPT_TIME_FORMAT_SIZE], want[64];
		time_t t = (time_t)s;
		struct tm tm;
		size_t n;

		gmtime_r(&t, &tm);
		n = strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S", &tm);
		snprintf(want + n, sizeof(want) - n, ".%09lldZ", (long long)(ns - s * 1000000000));
		hpt_unix_format(ns, text);
		assert_string_equal(text, want);
	}
}

static void format_leaves_a_small_buffer_alone(void **state)
{
	char text[HPT_TIME_FORMAT_SIZE + 1], before[sizeof(text)];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(before, text, sizeof(text));
	assert_int_equal(hpt_time_format(NULL, hpt_now(NULL), text, HPT_TIME_FORMAT_SIZE - 1), -ERANGE);
	assert_int_equal(hpt_time_format(NULL, hpt_now(NULL), text, 0), -ERANGE);
	assert_int_equal(hpt_time_format(NULL, INT64_MIN, text, sizeof(text)), -ERANGE);
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
	/* The rate is good to 0.1 % of a second at the very worst. */
	assert_true(unix_before - 1000000 <= real && real <= unix_after + 1000000);
	before = realtime_ns();
	real = hpt_now_unix_ns(NULL);
	assert_true(before <= real && real <= realtime_ns());
}

static void conversion_refuses_what_does_not_fit(void **state)
{
	struct hpt_clock_info info;
	int64_t ret = 4711;
	hpt_time_t end;
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_time_to_unix_ns(NULL, 0, NULL), -EINVAL);
	assert_int_equal(hpt_time_to_unix_ns(NULL, INT64_MIN, &ret), -ERANGE);
	assert_int_equal(ret, 4711);
	/* The end of the nanosecond line, in 2262. Ticks of the OS clock reach it. */
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, &os), 0);
	assert_int_equal(hpt_clock_get_info(os, &info, sizeof(info)), 0);
	end = info.epoch_ticks + (INT64_MAX - info.epoch_unix_ns);
	assert_int_equal(hpt_time_to_unix_ns(os, end - 1000000000, &ret), 0);
	assert_true(ret > INT64_MAX - INT64_C(3000000000));
	ret = 4711;
	assert_int_equal(hpt_time_to_unix_ns(os, end + 1000000000, &ret), -ERANGE);
	assert_int_equal(ret, 4711);
	hpt_clock_close(os);
}

static void durations_go_there_and_back(void **state)
{
	struct hpt_clock_info info;

	(void)state;
	assert_int_equal(hpt_clock_get_info(NULL, &info, sizeof(info)), 0);
	assert_int_equal(hpt_ticks_to_ns(NULL, 0), 0);
	assert_int_equal(hpt_ns_to_ticks(NULL, 0), 0);
	for (int i = 0; i < 10000; i++) {
		int64_t ns = (int64_t)(random_magnitude() >> 8) * (random_below(2) ? 1 : -1);
		int64_t ticks = hpt_ns_to_ticks(NULL, ns), back = hpt_ticks_to_ns(NULL, ticks);
		int64_t tick_ns = (int64_t)(UINT64_C(1000000000000000) / info.frequency_uhz) + 1;

		assert_true(back - ns <= tick_ns && ns - back <= tick_ns);
		assert_int_equal(hpt_ticks_to_ns(NULL, -ticks), -back);
	}
	if (info.frequency_uhz > UINT64_C(1000000000000000)) {
		assert_int_equal(hpt_ns_to_ticks(NULL, INT64_MAX), INT64_MAX);
		assert_int_equal(hpt_ns_to_ticks(NULL, INT64_MIN), INT64_MIN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_day_of_the_range_is_gmtimes),
		cmocka_unit_test(dates_outside_are_right_as_well),
		cmocka_unit_test(text_is_iso_8601),
		cmocka_unit_test(random_text_is_strftimes),
		cmocka_unit_test(format_leaves_a_small_buffer_alone),
		cmocka_unit_test(now_as_unix_time_is_now),
		cmocka_unit_test(conversion_refuses_what_does_not_fit),
		cmocka_unit_test(durations_go_there_and_back),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
