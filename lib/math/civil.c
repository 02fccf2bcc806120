// SPDX-License-Identifier: MIT
/* Calendar dates, and times and durations as text: lib/math/civil.h. */
#include "math/civil.h"

#include <errno.h>
#include <stddef.h>

#include "arch/arch.h"
#include "math/scale.h"
#include "math/units.h"

#define S_PER_MINUTE 60
#define S_PER_HOUR   3600
#define S_PER_DAY    INT64_C(86400)
#define NS_DIGITS    9

/* Days are counted from 1 March 0000: the leap day ends its year, and all eras of 400 years are alike. */
#define DAYS_TO_1970  719468
#define DAYS_PER_ERA  146097 /* 400 Gregorian years */
#define YEARS_PER_ERA 400

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Days before a month of a year that begins in March: five months have 153 days. */
static uint32_t days_before(uint32_t month_from_march)
{
	return (153 * month_from_march + 2) / 5;
}

COLD void hpt_civil_date(int64_t days, int32_t *ret_year, uint32_t *ret_month, uint32_t *ret_day)
{
	int64_t from_march = days + DAYS_TO_1970, era = floor_div(from_march, DAYS_PER_ERA);
	uint32_t day = (uint32_t)(from_march - era * DAYS_PER_ERA);
	uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	uint32_t in_year = day - (365 * year + year / 4 - year / 100);
	uint32_t month = (5 * in_year + 2) / 153; /* 0: March */

	*ret_day = in_year - days_before(month) + 1;
	*ret_month = month < 10 ? month + 3 : month - 9;
	*ret_year = (int32_t)(year + era * YEARS_PER_ERA) + (*ret_month <= 2);
}

COLD int64_t hpt_civil_days(int32_t year, uint32_t month, uint32_t day)
{
	int64_t from_march = (int64_t)year - (month <= 2), era = floor_div(from_march, YEARS_PER_ERA);
	int64_t in_era = from_march - era * YEARS_PER_ERA;
	uint32_t in_year = days_before(month > 2 ? month - 3 : month + 9) + day - 1;

	return era * DAYS_PER_ERA + in_era * 365 + in_era / 4 - in_era / 100 + in_year - DAYS_TO_1970;
}

/* ---- Formatting ---------------------------------------------------------------------------------- */

/* Writes value in decimal with leading zeros to the given number of digits. Returns the end of the field. */
static char *put_digits(char *at, uint64_t value, uint32_t digits)
{
	for (uint32_t i = digits; i-- > 0; value /= 10)
		at[i] = (char)('0' + value % 10);
	return at + digits;
}

static char *put_and(char *at, uint64_t value, uint32_t digits, char then)
{
	at = put_digits(at, value, digits);
	*at++ = then;
	return at;
}

COLD void hpt_civil_format(int64_t unix_ns, char ret[HPT_TIME_FORMAT_SIZE])
{
	int64_t s = floor_div(unix_ns, NS_PER_S), days = floor_div(s, S_PER_DAY), in_s = unix_ns % NS_PER_S;
	uint32_t ns = (uint32_t)(in_s < 0 ? in_s + NS_PER_S : in_s), in_day = (uint32_t)(s - days * S_PER_DAY);
	uint32_t month, day;
	int32_t year; /* 1677 to 2262: int64 nanoseconds hold no more */
	char *at = ret;

	hpt_civil_date(days, &year, &month, &day);
	at = put_and(at, (uint32_t)year, 4, '-');
	at = put_and(at, month, 2, '-');
	at = put_and(at, day, 2, 'T');
	at = put_and(at, in_day / S_PER_HOUR, 2, ':');
	at = put_and(at, in_day / S_PER_MINUTE % 60, 2, ':');
	at = put_and(at, in_day % S_PER_MINUTE, 2, '.');
	at = put_and(at, ns, NS_DIGITS, 'Z');
	*at = '\0';
}

static uint32_t count_digits(uint64_t value)
{
	uint32_t n = 1;

	while (value /= 10)
		n++;
	return n;
}

COLD uint32_t hpt_civil_format_duration(bool negative, int64_t s, uint32_t ns, char ret[HPT_TICKS_FORMAT_SIZE])
{
	char *at = ret;

	if (negative)
		*at++ = '-';
	at = put_and(at, (uint64_t)s, count_digits((uint64_t)s), '.');
	at = put_and(at, ns, NS_DIGITS, ' ');
	*at++ = 's';
	*at = '\0';
	return (uint32_t)(at - ret);
}

/* ---- Parsing: *at is the next character, and NULL after a syntax error --------------------------- */

static COLD bool at_digit(const char *at)
{
	return at && *at >= '0' && *at <= '9';
}

/* Parses n digits; a value above most is a syntax error. */
static COLD uint32_t take_digits(const char **at, uint32_t n, uint32_t most)
{
	uint32_t value = 0;

	for (; n > 0 && at_digit(*at); n--)
		value = value * 10 + (uint32_t)(*(*at)++ - '0');
	if (n > 0 || value > most)
		*at = NULL;
	return value;
}

/* Skips the next character if it is one of two. Returns whether it was. */
static COLD bool take_mark(const char **at, char mark, char other)
{
	bool there = *at && (**at == mark || **at == other);

	if (there)
		(*at)++;
	return there;
}

static COLD uint32_t take_and(const char **at, uint32_t n, uint32_t most, char mark, char other)
{
	uint32_t value = take_digits(at, n, most);

	if (!take_mark(at, mark, other))
		*at = NULL;
	return value;
}

static COLD uint32_t take_fraction_ns(const char **at)
{
	uint32_t ns = 0, left = NS_DIGITS;

	if (!take_mark(at, '.', ','))
		return 0;
	for (; left > 0 && at_digit(*at); left--)
		ns = ns * 10 + (uint32_t)(*(*at)++ - '0');
	if (left == NS_DIGITS)
		*at = NULL;
	while (left-- > 0)
		ns *= 10;
	return ns;
}

/* Parses a UTC offset. Returns by how many seconds local time is ahead of UTC. */
static COLD int32_t take_zone_s(const char **at)
{
	bool ahead;
	int32_t s;

	if (take_mark(at, 'Z', 'z'))
		return 0;
	ahead = take_mark(at, '+', '+');
	if (!ahead && !take_mark(at, '-', '-'))
		*at = NULL;
	s = (int32_t)take_and(at, 2, 23, ':', ':') * S_PER_HOUR;
	s += (int32_t)take_digits(at, 2, 59) * S_PER_MINUTE;
	return ahead ? s : -s;
}

static COLD int64_t take_date(const char **at)
{
	uint32_t year = take_and(at, 4, 9999, '-', '-'), month = take_and(at, 2, 99, '-', '-');
	uint32_t day = take_digits(at, 2, 99);
	int64_t days = hpt_civil_days((int32_t)year, month, day);
	uint32_t real_month, real_day;
	int32_t real_year;

	/* Month 13 and 30 February are the days of other dates, so that month or day comes back changed. */
	hpt_civil_date(days, &real_year, &real_month, &real_day);
	if (real_month != month || real_day != day)
		*at = NULL;
	return days;
}

static COLD uint32_t take_time_s(const char **at)
{
	uint32_t hour = take_and(at, 2, 23, ':', ':'), minute = take_and(at, 2, 59, ':', ':');

	return hour * S_PER_HOUR + minute * S_PER_MINUTE + take_digits(at, 2, 59);
}

static COLD void take_t(const char **at)
{
	if (!take_mark(at, 'T', 't') && !take_mark(at, ' ', ' '))
		*at = NULL;
}

COLD int hpt_civil_parse(const char *text, int64_t *ret_s, uint32_t *ret_ns)
{
	const char *at = text; /* NULL counts as a syntax error */
	int64_t s = take_date(&at) * S_PER_DAY;
	uint32_t ns;

	take_t(&at);
	s += take_time_s(&at);
	ns = take_fraction_ns(&at);
	s -= take_zone_s(&at);
	if (!at || *at)
		return -EINVAL;
	*ret_s = s;
	*ret_ns = ns;
	return 0;
}
