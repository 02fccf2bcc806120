// SPDX-License-Identifier: MIT
/* The calendar compared with libc's, and text that converts there and back. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "unit.h"

#include "math/civil.h"

#define S_PER_DAY 86400
#define NS_PER_S  INT64_C(1000000000)

static void assert_is_gmtimes(int64_t day)
{
	time_t t = (time_t)(day * S_PER_DAY);
	uint32_t month, mday;
	int32_t year;
	struct tm tm;

	hpt_civil_date(day, &year, &month, &mday);
	assert_non_null(gmtime_r(&t, &tm));
	if (year != tm.tm_year + 1900 || month != (uint32_t)tm.tm_mon + 1 || mday != (uint32_t)tm.tm_mday)
		fail_msg("day %lld: %d-%u-%u", (long long)day, year, month, mday);
	if (hpt_civil_days(year, month, mday) != day)
		fail_msg("%d-%u-%u is not day %lld", year, month, mday, (long long)day);
}

static void every_day_of_the_range_is_gmtimes(void **state)
{
	(void)state;
	for (int64_t day = INT64_MIN / NS_PER_S / S_PER_DAY - 1; day <= INT64_MAX / NS_PER_S / S_PER_DAY + 1; day++)
		assert_is_gmtimes(day);
}

static void dates_outside_are_right_as_well(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(100000); i++)
		assert_is_gmtimes((int64_t)random_below(4000000) - 2000000); /* 5500 years each way */
}

struct row {
	int64_t ns;
	const char *text;
};

static const struct row known[] = {
	{ 0, "1970-01-01T00:00:00.000000000Z" },
	{ 1, "1970-01-01T00:00:00.000000001Z" },
	{ -1, "1969-12-31T23:59:59.999999999Z" },
	{ INT64_C(951782400000000000), "2000-02-29T00:00:00.000000000Z" },
	{ INT64_C(1795171679123456789), "2026-11-20T10:47:59.123456789Z" },
	{ INT64_C(2147483647000000000), "2038-01-19T03:14:07.000000000Z" },
	{ INT64_C(2147483648000000000), "2038-01-19T03:14:08.000000000Z" },
	{ INT64_MAX, "2262-04-11T23:47:16.854775807Z" },
	{ INT64_MIN, "1677-09-21T00:12:43.145224192Z" },
};

static void assert_parses_to(const char *text, int64_t want_s, uint32_t want_ns)
{
	int64_t s;
	uint32_t ns;

	if (hpt_civil_parse(text, &s, &ns))
		fail_msg("\"%s\" is refused", text);
	if (s != want_s || ns != want_ns)
		fail_msg("\"%s\" is %lld.%09u", text, (long long)s, ns);
}

static void assert_parses_to_ns(const char *text, int64_t want_ns)
{
	int64_t s = want_ns / NS_PER_S - (want_ns % NS_PER_S < 0);

	assert_parses_to(text, s, (uint32_t)((uint64_t)want_ns - (uint64_t)s * (uint64_t)NS_PER_S));
}

static void text_is_iso_8601(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(known); i++) {
		char text[HPT_TIME_FORMAT_SIZE];

		memset(text, 'x', sizeof(text));
		hpt_civil_format(known[i].ns, text);
		assert_string_equal(text, known[i].text);
		assert_int_equal(strlen(text), HPT_TIME_FORMAT_SIZE - 1);
		assert_parses_to_ns(text, known[i].ns);
	}
}

static void random_text_is_strftimes(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(100000); i++) {
		int64_t ns = (int64_t)random_u64(), s = ns / NS_PER_S - (ns % NS_PER_S < 0);
		char text[HPT_TIME_FORMAT_SIZE], want[64];
		time_t t = (time_t)s;
		struct tm tm;
		size_t n;

		gmtime_r(&t, &tm);
		n = strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S", &tm);
		/* Modulo 2^64: s * 10^9 may lie below INT64_MIN. */
		snprintf(want + n, sizeof(want) - n, ".%09lldZ",
			 (long long)((uint64_t)ns - (uint64_t)s * (uint64_t)NS_PER_S));
		hpt_civil_format(ns, text);
		assert_string_equal(text, want);
		assert_parses_to_ns(text, ns);
	}
}

static void parse_takes_what_iso_8601_and_rfc_3339_write(void **state)
{
	static const struct {
		const char *text;
		int64_t s;
		uint32_t ns;
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0, 0 },
		{ "1970-01-01t00:00:00z", 0, 0 },
		{ "1970-01-01 00:00:00Z", 0, 0 },
		{ "1970-01-01T00:00:00.5Z", 0, 500000000 },
		{ "1970-01-01T00:00:00,5Z", 0, 500000000 },
		{ "1970-01-01T00:00:00.000000001Z", 0, 1 },
		{ "1970-01-01T00:00:00.12345678Z", 0, 123456780 },
		{ "1969-12-31T23:59:59.999999999Z", -1, 999999999 },
		{ "1970-01-01T02:00:00+02:00", 0, 0 },
		{ "1969-12-31T18:30:00-05:30", 0, 0 },
		{ "1970-01-01T00:00:00+00:00", 0, 0 },
		{ "1970-01-01T00:00:00-00:00", 0, 0 },
		{ "1970-01-01T00:00:00.25+23:59", -86340, 250000000 },
		{ "1970-01-01T00:00:00-23:59", 86340, 0 },
		{ "1970-01-01T23:59:59Z", 86399, 0 },
		{ "2000-02-29T00:00:00Z", 951782400, 0 },
		{ "2400-02-29T00:00:00Z", INT64_C(13574563200), 0 },
		{ "2024-02-29T12:00:00Z", 1709208000, 0 },
		{ "2038-01-20T00:00:00Z", INT64_C(2147558400), 0 },
		{ "0000-01-01T00:00:00Z", INT64_C(-62167219200), 0 },
		{ "0000-02-29T00:00:00Z", INT64_C(-62162121600), 0 },
		{ "9999-12-31T23:59:59.999999999Z", INT64_C(253402300799), 999999999 },
		{ "0000-01-01T00:00:00+23:59", INT64_C(-62167305540), 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_parses_to(rows[i].text, rows[i].s, rows[i].ns);
}

static void assert_refused(const char *text)
{
	int64_t s = 4711;
	uint32_t ns = 4712;

	if (hpt_civil_parse(text, &s, &ns) != -EINVAL)
		fail_msg("\"%s\" is taken", text ? text : "NULL");
	assert_true(s == 4711 && ns == 4712);
}

static void parse_refuses_all_else(void **state)
{
	static const char *const rows[] = {
		"", " ", "Z", "T", "now", "1970", "1970-01-01", "1970-01-01Z", "00:00:00Z", "19700101T000000Z",
		"1970-01-01T00:00:00", "1970-01-01T00:00Z", "1970-01-01T00Z", "1970-01-01T00:00:0Z",
		" 1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z ", "1970-01-01T00:00:00ZZ", "1970-01-01T00:00:00 Z",
		"1970-01-01  00:00:00Z", "1970-01-01T 0:00:00Z", "1970-01-01T00:00:00Z\n", "1970-01-01\tT00:00:00Z",
		"1970-01-01_00:00:00Z", "1970/01/01T00:00:00Z", "1970-01-01T00.00.00Z", "1970-01-01T00:00:00UTC",
		"+1970-01-01T00:00:00Z", "-1970-01-01T00:00:00Z", "+11970-01-01T00:00:00Z", "11970-01-01T00:00:00Z",
		"970-01-01T00:00:00Z", "1970-1-01T00:00:00Z", "1970-01-1T00:00:00Z", "1970-001T00:00:00Z",
		"1970-00-01T00:00:00Z", "1970-13-01T00:00:00Z", "1970-99-01T00:00:00Z", "1970-01-00T00:00:00Z",
		"1970-01-32T00:00:00Z", "1970-04-31T00:00:00Z", "1970-06-31T00:00:00Z", "1970-09-31T00:00:00Z",
		"1970-11-31T00:00:00Z", "1970-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "1900-02-29T00:00:00Z",
		"2100-02-29T00:00:00Z", "2000-02-30T00:00:00Z", "1970-03-00T00:00:00Z", "1970-12-99T00:00:00Z",
		"1970-01-01T24:00:00Z", "1970-01-01T23:60:00Z", "1970-01-01T23:59:60Z", "1970-01-01T99:00:00Z",
		"1970-01-01T00:99:00Z", "1970-01-01T00:00:99Z", "1970-01-01T-1:00:00Z", "1970-01-01T+1:00:00Z",
		"1970-01-01T00:00:00.Z", "1970-01-01T00:00:00,Z", "1970-01-01T00:00:00.1234567890Z",
		"1970-01-01T00:00:00.0000000001Z", "1970-01-01T00:00:00.-1Z", "1970-01-01T00:00:00.1.2Z",
		"1970-01-01T00:00:00;5Z", "1970-01-01T00:00:00.5", "1970-01-01T00:00:00+", "1970-01-01T00:00:00+02",
		"1970-01-01T00:00:00+0200", "1970-01-01T00:00:00+02:0", "1970-01-01T00:00:00+2:00",
		"1970-01-01T00:00:0002:00", "1970-01-01T00:00:00+02:60",
		"1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+02:00Z",
		"1970-01-01T00:00:00Z+02:00", "1970-01-01T00:00:00+-2:00", "1970-01-01T00:00:00\u221202:00",
		"\xd9\xa1\xd9\xa9\xd9\xa7\xd9\xa0-01-01T00:00:00Z",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_refused(rows[i]);
	assert_refused(NULL);
}

/* Wherever text is cut off or a byte replaced: parsing refuses it, or the result formats as the same time again. */
static void every_cut_and_every_byte(void **state)
{
	const char *text = known[4].text;
	size_t len = strlen(text);

	(void)state;
	for (size_t n = 0; n < len; n++) {
		char cut[HPT_TIME_FORMAT_SIZE] = "";

		memcpy(cut, text, n);
		assert_refused(cut);
	}
	for (size_t i = 0; i < len; i++)
		for (int c = 1; c < 256; c++) {
			char other[HPT_TIME_FORMAT_SIZE], again[HPT_TIME_FORMAT_SIZE];
			int64_t s = 0;
			uint32_t ns = 0;

			memcpy(other, text, len + 1);
			other[i] = (char)c;
			if (hpt_civil_parse(other, &s, &ns) || s > INT64_C(9223372035) || s < INT64_C(-9223372036))
				continue;
			hpt_civil_format(s * NS_PER_S + ns, again);
			if (i != 10 && i != 19 && i != 29)
				assert_string_equal(again, other);
			else
				assert_string_equal(again, text);
		}
}

static void durations_are_seconds_with_nine_digits(void **state)
{
	static const struct {
		bool negative;
		int64_t s;
		uint32_t ns;
		const char *text;
	} rows[] = {
		{ false, 0, 0, "0.000000000 s" },
		{ false, 0, 1, "0.000000001 s" },
		{ true, 0, 1, "-0.000000001 s" },
		{ false, 9, 999999999, "9.999999999 s" },
		{ false, 10, 0, "10.000000000 s" },
		{ true, 12, 345678901, "-12.345678901 s" },
		{ false, INT64_MAX, 999999999, "9223372036854775807.999999999 s" },
		{ true, INT64_MAX, 999999999, "-9223372036854775807.999999999 s" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[HPT_TICKS_FORMAT_SIZE];
		uint32_t len = hpt_civil_format_duration(rows[i].negative, rows[i].s, rows[i].ns, text);

		assert_string_equal(text, rows[i].text);
		assert_int_equal(len, strlen(text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_day_of_the_range_is_gmtimes),
		cmocka_unit_test(dates_outside_are_right_as_well),
		cmocka_unit_test(text_is_iso_8601),
		cmocka_unit_test(random_text_is_strftimes),
		cmocka_unit_test(parse_takes_what_iso_8601_and_rfc_3339_write),
		cmocka_unit_test(parse_refuses_all_else),
		cmocka_unit_test(every_cut_and_every_byte),
		cmocka_unit_test(durations_are_seconds_with_nine_digits),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
