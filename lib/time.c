// SPDX-License-Identifier: MIT
/* Durations and times of a clock as nanoseconds, Unix time and text. */
#include <errno.h>
#include <string.h>

#include "arch.h"
#include "civil.h"
#include "clock.h"

#define NS_PER_S    INT64_C(1000000000)
#define S_PER_DAY   INT64_C(86400)
#define DAYS_PER_ERA 146097 /* 400 Gregorian years */

/* One scale of the current record; copying the record whole would cost more than the conversion. */
static struct hpt_scale current_scale(hpt_clock *clk, size_t offset)
{
	uint32_t seen;
	const hpt_word *words;
	struct hpt_record rec;
	struct hpt_scale s;

	clk = hpt_clock_or_default(clk);
	seen = hpt_latch_begin(&clk->latch);
	words = (const hpt_word *)&clk->records[hpt_latch_slot(seen)] + offset / sizeof(hpt_word);
	s.whole = hpt_word_load(&words[0]);
	s.frac = hpt_word_load(&words[1]);
	if (likely(seen && hpt_latch_same(&clk->latch, seen)))
		return s;
	hpt_clock_record(clk, &rec);
	memcpy(&s, (const char *)&rec + offset, sizeof(s));
	return s;
}

int64_t hpt_ticks_to_ns(hpt_clock *clk, int64_t ticks)
{
	return hpt_scale_round(ticks, current_scale(clk, offsetof(struct hpt_record, ns_per_tick)));
}

int64_t hpt_ns_to_ticks(hpt_clock *clk, int64_t ns)
{
	return hpt_scale_round(ns, current_scale(clk, offsetof(struct hpt_record, tick_per_ns)));
}

int hpt_time_to_unix_ns(hpt_clock *clk, hpt_time_t t, int64_t *ret)
{
	struct hpt_record rec;
	int64_t age, ns;

	if (!ret)
		return -EINVAL;
	hpt_clock_record_for(hpt_clock_or_default(clk), t, &rec);
	if (__builtin_sub_overflow(t, (int64_t)rec.epoch_tick, &age))
		return -ERANGE;
	ns = hpt_scale_round(age, rec.ns_per_tick);
	if (ns == INT64_MAX || ns == INT64_MIN || __builtin_add_overflow(ns, (int64_t)rec.epoch_unix_ns, &ns))
		return -ERANGE;
	*ret = ns;
	return 0;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

void hpt_civil_date(int64_t days, int32_t *ret_year, uint32_t *ret_month, uint32_t *ret_day)
{
	/* Counting from 1 March 0000 puts the leap day last in its year and the century rules in order. */
	int64_t from_march = days + 719468, era = floor_div(from_march, DAYS_PER_ERA);
	uint32_t day = (uint32_t)(from_march - era * DAYS_PER_ERA);
	uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	uint32_t in_year = day - (365 * year + year / 4 - year / 100);
	uint32_t month = (5 * in_year + 2) / 153; /* 0: March; 153 days in five months */

	*ret_day = in_year - (153 * month + 2) / 5 + 1;
	*ret_month = month < 10 ? month + 3 : month - 9;
	*ret_year = (int32_t)(year + era * 400) + (*ret_month <= 2);
}

/* Decimal digits, right-aligned in a field filled with zeros; returns the field's end. */
static char *put(char *at, uint32_t value, uint32_t digits)
{
	for (uint32_t i = digits; i-- > 0; value /= 10)
		at[i] = (char)('0' + value % 10);
	return at + digits;
}

static char *put_and(char *at, uint32_t value, uint32_t digits, char then)
{
	at = put(at, value, digits);
	*at++ = then;
	return at;
}

void hpt_unix_format(int64_t unix_ns, char ret[HPT_TIME_FORMAT_SIZE])
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
	at = put_and(at, in_day / 3600, 2, ':');
	at = put_and(at, in_day / 60 % 60, 2, ':');
	at = put_and(at, in_day % 60, 2, '.');
	at = put_and(at, ns, 9, 'Z');
	*at = '\0';
}

int hpt_time_format(hpt_clock *clk, hpt_time_t t, char *buf, size_t size)
{
	char text[HPT_TIME_FORMAT_SIZE];
	int64_t unix_ns;
	int r;

	if (!buf)
		return -EINVAL;
	if (size < sizeof(text))
		return -ERANGE;
	r = hpt_time_to_unix_ns(clk, t, &unix_ns);
	if (r)
		return r;
	hpt_unix_format(unix_ns, text);
	memcpy(buf, text, sizeof(text));
	return (int)sizeof(text) - 1;
}
