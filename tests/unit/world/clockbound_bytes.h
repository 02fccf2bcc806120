/* SPDX-License-Identifier: MIT */
/* The bytes of ClockBound's shared memory, put where its crates' structs have them (repr(C), by hand). */
#ifndef HPT_TEST_CLOCKBOUND_BYTES_H
#define HPT_TEST_CLOCKBOUND_BYTES_H

#include <stdint.h>
#include <string.h>

#include "wall/clockbound_segment.h"

struct segment {
	uint32_t magic[2], size;
	uint16_t version, generation;
	uint64_t as_of_tick;
	int64_t  as_of_s, as_of_ns, void_s, void_ns;
	uint64_t period, period_error;
	int64_t  bound_ns;
	uint64_t marker;
	uint32_t drift_ppb, status;
	uint8_t  has_marker, period_shift, error_shift;
};

#ifndef SECOND
#define SECOND INT64_C(1000000000)
#endif

static const struct segment segment_2 = {
	.magic = { 0x414D5A4E, 0x43420200 }, .size = 80, .version = 2, .generation = 4,
	.as_of_s = 12, .as_of_ns = 345678901, .void_s = 1012, .bound_ns = 50000,
	.marker = UINT64_C(0x1122334455667788), .drift_ppb = 1000, .status = 1,
};

/* 2.5 GHz, 0.4 ns: 0.8589934592 / 2^31 s. 100 ppb: 0.8388608 / 2^23. */
static const struct segment segment_3 = {
	.magic = { 0x414D5A4E, 0x43420200 }, .size = 104, .version = 0x0303, .generation = 4,
	.as_of_tick = 123456789012, .as_of_s = 1700000000, .as_of_ns = 345678901, .void_s = 1700001000,
	.period = UINT64_C(15845632502852867518), .period_shift = 31,
	.period_error = UINT64_C(15474250491067253436), .error_shift = 23,
	.bound_ns = 50000, .marker = UINT64_C(0x1122334455667788), .drift_ppb = 15000, .status = 1,
};

static inline unsigned char *put(unsigned char *at, const void *value, size_t n)
{
	memcpy(at, value, n);
	return at + n;
}
#define PUT(value) (at = put(at, &(value), sizeof(value)))

/* Returns how many bytes there are. */
static inline size_t segment_bytes(const struct segment *s, unsigned char *ret)
{
	unsigned char *at = ret;

	memset(ret, 0, HPT_CLOCKBOUND_V3_SIZE);
	PUT(s->magic);
	PUT(s->size);
	PUT(s->version);
	PUT(s->generation);
	if (s->version != 2)
		PUT(s->as_of_tick);
	PUT(s->as_of_s);
	PUT(s->as_of_ns);
	PUT(s->void_s);
	PUT(s->void_ns);
	if (s->version != 2) {
		PUT(s->period);
		PUT(s->period_error);
	}
	PUT(s->bound_ns);
	PUT(s->marker);
	PUT(s->drift_ppb);
	PUT(s->status);
	PUT(s->has_marker);
	if (s->version != 2) {
		PUT(s->period_shift);
		PUT(s->error_shift);
	}
	return s->version == 2 ? 80 : 104;
}

#endif
