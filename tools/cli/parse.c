// SPDX-License-Identifier: MIT
/* Parses numbers, durations, times and names, with integers only: tools/cli/parse.h. */
#include "cli/parse.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "math/civil.h"
#include "cli/format.h"
#include "math/units.h"

#define NS_PLACES 9 /* decimal places of a second */

/* Accumulates below zero, where INT64_MIN fits. Returns the number of digits. */
static unsigned take_digits(const char **at, int64_t *value, bool *fits)
{
	unsigned n = 0;

	for (; **at >= '0' && **at <= '9'; n++, (*at)++)
		*fits &= !__builtin_mul_overflow(*value, 10, value) &&
			 !__builtin_sub_overflow(*value, **at - '0', value);
	return n;
}

/* *ret_end: the end of the number. */
static int read_number(const char *text, unsigned places, int64_t *ret, const char **ret_end)
{
	bool negative = *text == '-', fits = true;
	const char *at = text + negative;
	int64_t value = 0;
	unsigned before = take_digits(&at, &value, &fits), decimals = 0;

	if (*at == '.') {
		at++;
		decimals = take_digits(&at, &value, &fits);
		if (!decimals || decimals > places)
			return -EINVAL;
	}
	if (!before && !decimals)
		return -EINVAL;
	for (; decimals < places; decimals++)
		fits &= !__builtin_mul_overflow(value, 10, &value);
	if (!negative)
		fits &= !__builtin_sub_overflow(0, value, &value);
	*ret_end = at;
	*ret = value;
	return fits ? 0 : -ERANGE;
}

int parse_number(const char *text, unsigned places, const char *unit, int64_t *ret)
{
	const char *end = text;
	int64_t value;
	int r = read_number(text, places, &value, &end);

	if (r == -EINVAL || strcmp(end, unit) != 0)
		return -EINVAL;
	if (!r)
		*ret = value;
	return r;
}

const struct unit *parse_unit(const char *name)
{
	static const struct unit units[] = {
		{ "ns", 0, 1 }, { "us", 3, 1 }, { "\302\265s", 3, 1 }, { "\316\274s", 3, 1 }, { "ms", 6, 1 },
		{ "s", NS_PLACES, 1 }, { "min", NS_PLACES, 60 }, { "m", NS_PLACES, 60 }, { "h", NS_PLACES, 3600 },
		{ "d", NS_PLACES, 86400 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(name, units[i].name))
			return &units[i];
	return NULL;
}

int parse_duration_ns(const char *text, int64_t *ret)
{
	const struct unit *unit = parse_unit(text + strspn(text, "-.0123456789"));
	int64_t value;
	int r = unit ? parse_number(text, unit->places, unit->name, &value) : -EINVAL;

	if (!r && __builtin_mul_overflow(value, unit->times, &value))
		r = -ERANGE;
	if (!r)
		*ret = value;
	return r;
}

int parse_seconds_ns(const char *text, int64_t *ret)
{
	int r = parse_number(text, NS_PLACES, "", ret);

	return r == -EINVAL ? parse_duration_ns(text, ret) : r;
}

int parse_unix_ns(const char *text, int64_t *ret)
{
	uint32_t ns;
	int64_t s;

	if (*text == '@')
		return parse_seconds_ns(text + 1, ret);
	if (hpt_civil_parse(text, &s, &ns))
		return -EINVAL;
	/*
	 * Moves one second towards 0 before adding the parts: the earliest time lies within a second whose start does
	 * not fit.
	 */
	if (s < 0) {
		s++;
		ns -= (uint32_t)NS_PER_S;
	}
	if (__builtin_mul_overflow(s, NS_PER_S, &s) || __builtin_add_overflow(s, (int32_t)ns, &s))
		return -ERANGE;
	*ret = s;
	return 0;
}

uint32_t parse_source(const char *name)
{
	uint32_t id;

	/* A manual clock is a program's own. */
	return hpt_source_parse(name, &id) || id == HPT_SOURCE_MANUAL ? 0 : id;
}

bool parse_policy(const char *name, uint32_t *ret)
{
	for (uint32_t i = 0; strcmp(format_policy(i), "unknown") != 0; i++)
		if (!strcmp(format_policy(i), name)) {
			*ret = i;
			return true;
		}
	return false;
}
