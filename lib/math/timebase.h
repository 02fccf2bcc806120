/* SPDX-License-Identifier: MIT */
/*
 * The 128 bytes of struct hpt_timebase and their members: hpt_timebase(7) documents the layout. Pure functions, alike
 * on machines of either byte order.
 */
#ifndef HPT_MATH_TIMEBASE_H
#define HPT_MATH_TIMEBASE_H

#include <stdint.h>

#include "hpt/timebase.h"

#include "math/scale.h"

#define HPT_TIMEBASE_BYTES 128u

/* The two timelines of a time base. */
enum { HPT_TIMEBASE_NS, HPT_TIMEBASE_UNIX, HPT_TIMEBASE_LINES };

/* NTP slews CLOCK_REALTIME by up to this, either way and from any moment on. */
#define HPT_TIMEBASE_SLEW_PPB 500000

struct hpt_timebase_line {
	int64_t  ns;            /* at the tick */
	uint32_t error_ns;      /* how far that may be from the kernel's clock; UINT32_MAX: not known, or farther */
	struct hpt_scale slope; /* ns per tick */
};

struct hpt_timebase_fields {
	uint8_t  boot_id[16];      /* zeros: not known */
	uint32_t source, state;    /* HPT_SOURCE_, HPT_STATE_ */
	uint64_t generation;
	int64_t  start;            /* the generation's first tick */
	int64_t  tick;
	struct hpt_timebase_line lines[HPT_TIMEBASE_LINES];
	int64_t  offset_ns;        /* CLOCK_REALTIME less CLOCK_MONOTONIC, which events change */
	uint32_t offset_error_ns;  /* UINT32_MAX: not known */
	uint32_t error_ppb;        /* of the rate; UINT32_MAX: not known */
};

/* -ERANGE, and nothing is written, if hpt_timebase_decode() would refuse one of the slopes. */
int hpt_timebase_encode(const struct hpt_timebase_fields *fields, struct hpt_timebase *ret);

/*
 * -EINVAL, and nothing is written: another version, another byte order, changed or missing bytes, or a rate outside of
 * 1 Hz to 1 THz.
 */
int hpt_timebase_decode(const struct hpt_timebase *base, struct hpt_timebase_fields *ret);

/*
 * 0: ticks between the two can be interpolated. -ESTALE: the boots or generations differ, or the clocks moved against
 * each other in between. -EINVAL: the sources differ, or b is earlier than a.
 */
int hpt_timebase_pair(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b);

/* How far a converted tick may be from the kernel's clock, in ns; b may be NULL. INT64_MAX: not known. */
int64_t hpt_timebase_error_ns(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b, int line,
			      int64_t tick);

#endif
