/* SPDX-License-Identifier: MIT */
/* Times and durations from text. All: 0; or -EINVAL if it is none, -ERANGE if it does not fit, and nothing is written. */
#ifndef HPT_TOOLS_PARSE_H
#define HPT_TOOLS_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal number with at most so many places, and a unit, "" for none: in units of the last place. */
int hpt_parse_number(const char *text, unsigned places, const char *unit, int64_t *ret);

/* 1.5s, 20ms, 300us, 40ns, and m, h, d: to the nanosecond. */
int hpt_parse_duration_ns(const char *text, int64_t *ret);

/* The same, and as sleep(1) has it: a number without a unit is one of seconds. */
int hpt_parse_seconds_ns(const char *text, int64_t *ret);

/* @1795171679.5, or ISO 8601 with a zone: Unix time. */
int hpt_parse_unix_ns(const char *text, int64_t *ret);

/* HPT_SOURCE_ of a name; 0 if it names none ("auto" does not). */
uint32_t hpt_parse_source(const char *name);

/* HPT_SLEEP_ of a policy's name; false if it names none. */
bool hpt_parse_policy(const char *name, uint32_t *ret);

#endif
