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
int hpt_parse_number(const char *text, unsigned places, const char *unit, int64_t *ret);

/* 1.5s, 20ms, 300us, 40ns, and m, h, d: to the nanosecond. */
int hpt_parse_duration_ns(const char *text, int64_t *ret);

/* The same, and as in sleep(1) a number without a unit counts seconds. */
int hpt_parse_seconds_ns(const char *text, int64_t *ret);

/* @1795171679.5, or ISO 8601 with a zone: Unix time. */
int hpt_parse_unix_ns(const char *text, int64_t *ret);

/* Returns the HPT_SOURCE_ of a name; 0 for a name of no source, such as "auto". */
uint32_t hpt_parse_source(const char *name);

/* *ret: the HPT_SLEEP_ of a policy's name. False: no policy has this name. */
bool hpt_parse_policy(const char *name, uint32_t *ret);

#endif
