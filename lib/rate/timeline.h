/* SPDX-License-Identifier: MIT */
/*
 * The timeline of hpt_now_ns() by one record, for any tick, and back. Pure functions.
 *
 * In the record's segment and in the one before it in its generation, the result is what hpt_now_ns() returned or will
 * return at that tick. Ticks between the two, which hpt_now_ns() never served, lie between its times. Ticks of before
 * them and after them go by the record's rate. The result never decreases from tick to tick.
 */
#ifndef HPT_TIMELINE_H
#define HPT_TIMELINE_H

#include "rate/record.h"

/* True if t is in one of those two segments. */
bool hpt_timeline_has(const struct hpt_record *rec, int64_t t);

/* The time of tick t in ns: in those two segments rounded down, elsewhere to nearest. It may exceed int64. */
struct hpt_wide hpt_timeline_ns(const struct hpt_record *rec, int64_t t);

/*
 * The tick of a time: for hpt_timeline_ns(t) it is t again if a tick takes a nanosecond or longer; else it is within
 * half a nanosecond and half a tick of t. Returns -ERANGE and leaves *ret untouched if that tick exceeds int64.
 */
int hpt_timeline_tick(const struct hpt_record *rec, int64_t ns, int64_t *ret);

#endif
