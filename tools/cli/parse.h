/* SPDX-License-Identifier: MIT */
/*
 * Values from text. All that return int: 0; -EINVAL if the text has another form, -ERANGE if the value does not fit,
 * and then *ret is untouched.
 */
#ifndef HPT_TOOLS_PARSE_H
#define HPT_TOOLS_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A decimal number with at most @places decimal places, followed by @unit ("" for no unit); counts units of the last
 * place.
 */
int parse_number(const char *text, unsigned places, const char *unit, int64_t *ret);

struct unit {
	const char *name;
	unsigned places;                /* decimal places to the nanosecond, or to a multiple of it: */
	unsigned times;
};

/* ns, us, ms, s, min, h, d; also the micro sign, and sleep(1)'s m. NULL: no such unit. */
const struct unit *parse_unit(const char *name);

/* A number with one of these units, such as 1.5s: to the nanosecond. */
int parse_duration_ns(const char *text, int64_t *ret);

/* The same, and as in sleep(1) a number without a unit counts seconds. */
int parse_seconds_ns(const char *text, int64_t *ret);

/* ISO 8601 with a zone, or @ and the duration since 1970, in seconds if it has no unit: Unix time. */
int parse_unix_ns(const char *text, int64_t *ret);

/* Returns the HPT_SOURCE_ of a name; 0 for a name of no source, such as "auto". */
uint32_t parse_source(const char *name);

/* *ret: the HPT_SLEEP_ of a policy's name. False: no policy has this name. */
bool parse_policy(const char *name, uint32_t *ret);

#endif
