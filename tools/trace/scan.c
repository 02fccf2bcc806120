// SPDX-License-Identifier: MIT
/* Parses numbers in place: tools/trace/scan.h. */
#include "trace/scan.h"

#include <stdbool.h>
#include <stddef.h>

#include "math/units.h"

#define PLACES 9 /* decimal places of a second in nanoseconds */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *magnitude(const char *text, uint64_t most, uint64_t *ret)
{
	uint64_t value = 0;

	if (!is_digit(*text))
		return NULL;
	for (; is_digit(*text); text++) {
		uint64_t digit = (uint64_t)(*text - '0');

		if (value > (most - digit) / 10)
			return NULL;
		value = value * 10 + digit;
	}
	*ret = value;
	return text;
}

const char *scan_int(const char *text, int64_t *ret)
{
	bool is_negative = *text == '-';
	uint64_t value;
	const char *end = magnitude(text + is_negative, (uint64_t)INT64_MAX + is_negative, &value);

	if (end)
		*ret = is_negative ? (int64_t)(0 - value) : (int64_t)value;
	return end;
}

const char *scan_u32(const char *text, uint32_t *ret)
{
	uint64_t value;
	const char *end = magnitude(text, UINT32_MAX, &value);

	if (end)
		*ret = (uint32_t)value;
	return end;
}

const char *scan_seconds(const char *text, int64_t *ret_ns)
{
	/* The last second that has all its nanoseconds in int64. */
	const uint64_t most = (uint64_t)(INT64_MAX / NS_PER_S - 1);
	uint64_t s, ns = 0;
	const char *at = magnitude(text, most, &s);
	int places = 0;

	if (!at || *at != '.' || !is_digit(at[1]))
		return NULL;
	for (at++; is_digit(*at); at++, places++) {
		if (places == PLACES)
			return NULL;
		ns = ns * 10 + (uint64_t)(*at - '0');
	}
	for (; places < PLACES; places++)
		ns *= 10;
	*ret_ns = (int64_t)(s * (uint64_t)NS_PER_S + ns);
	return at;
}
