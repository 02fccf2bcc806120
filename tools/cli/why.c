// SPDX-License-Identifier: MIT
/* Finds the first fault of a refused date, time of day, zone or duration: tools/cli/why.h. */
#include "cli/why.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "math/civil.h"
#include "cli/parse.h"

#define NUMBER "-.0123456789"
#define UNITS  "ns, us, ms, s, min, h or d"

/* Bytes of a unit that a message repeats. */
#define SHOWN 20

__attribute__((format(printf, 1, 2)))
static struct why why(const char *fmt, ...)
{
	struct why w;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w.s, sizeof(w.s), fmt, ap);
	va_end(ap);
	return w;
}

/* ---- Dates ------------------------------------------------------------------------------------------------------- */

static const char *const months[] = {
	"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
	"December",
};

struct fields { unsigned year, month, day, hour, minute, second; };

/* Does the text have this form? 0 is a digit; each other letter is itself. */
static bool has_form(const char *text, const char *form)
{
	for (; *form; text++, form++)
		if (*form == '0' ? !isdigit((unsigned char)*text) : toupper((unsigned char)*text) != *form)
			return false;
	return true;
}

static unsigned days_of(unsigned year, unsigned month)
{
	unsigned next = month % 12 + 1;

	return (unsigned)(hpt_civil_days((int32_t)(year + (next == 1)), next, 1) -
			  hpt_civil_days((int32_t)year, month, 1));
}

static struct why why_not_date(const struct fields *f)
{
	if (f->month < 1 || f->month > 12)
		return why("there is no month %02u", f->month);
	return why("%s %u has %u days", months[f->month - 1], f->year, days_of(f->year, f->month));
}

static bool is_date(const struct fields *f)
{
	return f->month >= 1 && f->month <= 12 && f->day >= 1 && f->day <= days_of(f->year, f->month);
}

static struct why why_not_of_day(const struct fields *f)
{
	if (f->hour > 23)
		return why("there is no hour %02u", f->hour);
	if (f->minute > 59)
		return why("there is no minute %02u", f->minute);
	return why("there is no second %02u%s", f->second, f->second == 60 ? ": Unix time has no leap seconds" : "");
}

/* @at: what follows the seconds. */
static struct why why_not_rest(const char *at)
{
	if (*at == '.' || *at == ',') {
		size_t digits = strspn(at + 1, "0123456789");

		if (!digits || digits > 9)
			return why("a second has 1 to 9 digits after its point");
		at += 1 + digits;
	}
	if (!*at)
		return why("a time zone is missing: end with Z or an offset such as +02:00");
	if (has_form(at, "Z"))
		return why("nothing may follow the Z");
	if ((*at == '+' || *at == '-') && (!has_form(at + 1, "00:00") || strlen(at) != 6))
		return why("an offset has the form +02:00");
	if (*at == '+' || *at == '-')
		return why("an offset is at most 23:59");
	return why("'%.*s' is no time zone: end with Z or an offset such as +02:00", SHOWN, at);
}

static struct why why_not_civil(const char *text)
{
	struct fields f = { 0 };

	if (!has_form(text, "0000-00-00"))
		return why("a date has the form 2026-11-20");
	sscanf(text, "%4u-%2u-%2u", &f.year, &f.month, &f.day);
	if (!is_date(&f))
		return why_not_date(&f);
	if (!has_form(text + 10, "T00:00:00") && !has_form(text + 10, " 00:00:00"))
		return why("a time of day is missing: write %.10sT10:47:59Z", text);
	sscanf(text + 11, "%2u:%2u:%2u", &f.hour, &f.minute, &f.second);
	if (f.hour > 23 || f.minute > 59 || f.second > 59)
		return why_not_of_day(&f);
	return why_not_rest(text + 19);
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static bool is_number(const char *text, size_t length)
{
	size_t before = strspn(text + (*text == '-'), "0123456789") + (*text == '-'), after = 0;

	if (text[before] == '.')
		after = 1 + strspn(text + before + 1, "0123456789");
	return before + after == length && after != 1 && before + after > (size_t)(*text == '-');
}

static struct why why_no_unit(const char *text, unsigned forms)
{
	if (forms & WHY_TICKS)
		return why("a unit is missing: %.*ss is a duration, @%.*s a time in seconds, @%.*sticks in ticks",
			   SHOWN, text, SHOWN, text, SHOWN, text);
	return why("a unit is missing: " UNITS);
}

static struct why why_not_number(const char *text, unsigned forms)
{
	size_t length = strspn(text, NUMBER);
	const char *point = memchr(text, '.', length), *unit = text + length;
	const struct unit *known = parse_unit(*unit ? unit : "s");

	if (!is_number(text, length))
		return why("'%.*s' is no number", (int)(length < SHOWN ? length : SHOWN), text);
	if (!*unit && !(forms & WHY_BARE))
		return why_no_unit(text, forms);
	if (!strcmp(unit, "ticks") && forms & WHY_TICKS)
		return point ? why("a tick has no parts") : why("beyond 64 bits of ticks");
	if (!known)
		return why("'%.*s' is no unit: " UNITS "%s", SHOWN, unit, forms & WHY_TICKS ? " (or ticks)" : "");
	if (point && length - (size_t)(point - text) - 1 > known->places)
		return why("finer than a nanosecond");
	return why("beyond the 292 years that 64 bits of nanoseconds hold");
}

struct why why_refused(const char *text, unsigned forms)
{
	bool is_dated = has_form(text, "0000-") || strchr(text, ':') || has_form(text, "00000000T");

	if (!*text)
		return why("a value is missing");
	if (forms & WHY_TIME && *text == '@' && strchr(NUMBER, text[1]) && text[1])
		return why_not_number(text + 1, forms | WHY_BARE);
	if (forms & WHY_TIME && is_dated)
		return why_not_civil(text);
	if (forms & WHY_DURATION && strchr(NUMBER, *text))
		return why_not_number(text, forms);
	if (!(forms & WHY_TIME))
		return why("no duration such as 20ms");
	if (!(forms & WHY_DURATION))
		return why("no time such as 2026-11-20T10:47:59Z or @1795171679.5");
	return why("neither a duration such as 20ms nor a time such as 2026-11-20T10:47:59Z");
}
