// SPDX-License-Identifier: MIT
/* The layout of a time base, and which two belong together: lib/math/timebase.h. */
#include "arch/arch.h"
#include "math/timebase.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define TIMEBASE_MAGIC   "HPTTIMEB"
#define TIMEBASE_VERSION 1u

/* Offsets. */
enum {
	AT_MAGIC = 0, AT_VERSION = 8, AT_SOURCE = 12, AT_BOOT_ID = 16, AT_GENERATION = 32, AT_START = 40, AT_TICK = 48,
	AT_NS = 56, AT_UNIX_NS = 64, AT_FRAC = 72, AT_UNIX_FRAC = 80, AT_WHOLE = 88, AT_UNIX_WHOLE = 92,
	AT_OFFSET = 96, AT_OFFSET_ERROR = 104, AT_STATE = 108, AT_ERROR_PPB = 112, AT_ERROR_NS = 116,
	AT_UNIX_ERROR_NS = 120, AT_HASH = 124,
};

static const struct {
	uint8_t ns, frac, whole, error_ns;
} at_line[HPT_TIMEBASE_LINES] = {
	{ AT_NS, AT_FRAC, AT_WHOLE, AT_ERROR_NS },
	{ AT_UNIX_NS, AT_UNIX_FRAC, AT_UNIX_WHOLE, AT_UNIX_ERROR_NS },
};

/* 1 Hz; 1 THz is 2^-10 ns per tick, nearly. */
#define WHOLE_MAX 1000000000u
#define FRAC_MIN  (UINT64_C(1) << 54)

/* ---- Bytes ---------------------------------------------------------------------------------------------- */

static COLD void put_bytes(uint8_t *bytes, uint64_t value, int n)
{
	for (int i = 0; i < n; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static COLD uint64_t get64(const uint8_t *bytes)
{
	uint64_t value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | bytes[i];
	return value;
}

static uint32_t get32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* FNV-1a of the bytes before it. */
static COLD uint32_t hash(const uint8_t *bytes)
{
	uint32_t h = UINT32_C(2166136261);

	for (int i = 0; i < AT_HASH; i++)
		h = (h ^ bytes[i]) * UINT32_C(16777619);
	return h;
}

static bool is_sane(struct hpt_scale slope)
{
	return slope.whole ? slope.whole <= WHOLE_MAX : slope.frac >= FRAC_MIN;
}

COLD int hpt_timebase_encode(const struct hpt_timebase_fields *fields, struct hpt_timebase *ret)
{
	struct hpt_timebase base = { 0 };
	uint8_t *b = base.bytes;

	memcpy(b + AT_MAGIC, TIMEBASE_MAGIC, sizeof(TIMEBASE_MAGIC) - 1);
	put_bytes(b + AT_VERSION, TIMEBASE_VERSION, 4);
	put_bytes(b + AT_SOURCE, fields->source, 4);
	memcpy(b + AT_BOOT_ID, fields->boot_id, sizeof(fields->boot_id));
	put_bytes(b + AT_GENERATION, fields->generation, 8);
	put_bytes(b + AT_START, (uint64_t)fields->start, 8);
	put_bytes(b + AT_TICK, (uint64_t)fields->tick, 8);
	for (int i = 0; i < HPT_TIMEBASE_LINES; i++) {
		const struct hpt_timebase_line *line = &fields->lines[i];

		if (!is_sane(line->slope))
			return -ERANGE;
		put_bytes(b + at_line[i].ns, (uint64_t)line->ns, 8);
		put_bytes(b + at_line[i].frac, line->slope.frac, 8);
		put_bytes(b + at_line[i].whole, line->slope.whole, 4);
		put_bytes(b + at_line[i].error_ns, line->error_ns, 4);
	}
	put_bytes(b + AT_OFFSET, (uint64_t)fields->offset_ns, 8);
	put_bytes(b + AT_OFFSET_ERROR, fields->offset_error_ns, 4);
	put_bytes(b + AT_STATE, fields->state, 4);
	put_bytes(b + AT_ERROR_PPB, fields->error_ppb, 4);
	put_bytes(b + AT_HASH, hash(b), 4);
	*ret = base;
	return 0;
}

COLD int hpt_timebase_decode(const struct hpt_timebase *base, struct hpt_timebase_fields *ret)
{
	const uint8_t *b = base->bytes;
	struct hpt_timebase_fields fields;

	if (memcmp(b + AT_MAGIC, TIMEBASE_MAGIC, sizeof(TIMEBASE_MAGIC) - 1) ||
	    get32(b + AT_VERSION) != TIMEBASE_VERSION || get32(b + AT_HASH) != hash(b))
		return -EINVAL;
	memcpy(fields.boot_id, b + AT_BOOT_ID, sizeof(fields.boot_id));
	fields.source = get32(b + AT_SOURCE);
	fields.state = get32(b + AT_STATE);
	fields.generation = get64(b + AT_GENERATION);
	fields.start = (int64_t)get64(b + AT_START);
	fields.tick = (int64_t)get64(b + AT_TICK);
	for (int i = 0; i < HPT_TIMEBASE_LINES; i++) {
		fields.lines[i] = (struct hpt_timebase_line){
			.ns = (int64_t)get64(b + at_line[i].ns), .error_ns = get32(b + at_line[i].error_ns),
			.slope = { get32(b + at_line[i].whole), get64(b + at_line[i].frac) },
		};
		if (!is_sane(fields.lines[i].slope))
			return -EINVAL;
	}
	fields.offset_ns = (int64_t)get64(b + AT_OFFSET);
	fields.offset_error_ns = get32(b + AT_OFFSET_ERROR);
	fields.error_ppb = get32(b + AT_ERROR_PPB);
	*ret = fields;
	return 0;
}

/* ---- Two time bases ------------------------------------------------------------------------------------- */

static uint64_t distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

static bool is_same_boot(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b)
{
	static const uint8_t unknown[sizeof(a->boot_id)];

	return !memcmp(a->boot_id, b->boot_id, sizeof(unknown)) && memcmp(a->boot_id, unknown, sizeof(unknown));
}

/* Processes count their generations each from 1, but a suspend or a step moves the offset for all of them. */
static bool has_offset_moved(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b)
{
	return a->offset_error_ns < UINT32_MAX && b->offset_error_ns < UINT32_MAX &&
	       distance(a->offset_ns, b->offset_ns) > (uint64_t)a->offset_error_ns + b->offset_error_ns;
}

static double as_double(struct hpt_scale slope)
{
	return (double)slope.whole + (double)slope.frac / 18446744073709551616.0;
}

/*
 * The counter jumped between two processes' time bases if it ran at less than half or more than twice its rate. Two of
 * one process and generation are never so.
 */
static COLD bool timebase_has_jumped(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b, int line)
{
	const struct hpt_timebase_line *from = &a->lines[line], *to = &b->lines[line];
	double want = (double)distance(a->tick, b->tick) * as_double(to->slope), is = (double)to->ns - (double)from->ns;
	double error = 1000 + (double)from->error_ns + (double)to->error_ns;

	return b->error_ppb < HPT_TIMEBASE_SLEW_PPB && (is > 2 * want + error || is < want / 2 - error);
}

COLD int hpt_timebase_pair(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b)
{
	if (a->source != b->source)
		return -EINVAL;
	if (!is_same_boot(a, b) || a->generation != b->generation || has_offset_moved(a, b))
		return -ESTALE;
	if (b->tick < a->tick)
		return -EINVAL;
	return timebase_has_jumped(a, b, HPT_TIMEBASE_NS) || timebase_has_jumped(a, b, HPT_TIMEBASE_UNIX) ? -ESTALE : 0;
}

COLD int64_t hpt_timebase_error_ns(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b, int line,
				   int64_t tick)
{
	const struct hpt_timebase_fields *later = b ? b : a;
	uint32_t error_ns = a->lines[line].error_ns;
	uint64_t ticks = distance(a->tick, tick);
	/* From one end of NTP's limits to the other. */
	double ppb = (double)later->error_ppb + (line == HPT_TIMEBASE_UNIX ? 2 * HPT_TIMEBASE_SLEW_PPB : 0), ns;

	if (b && distance(b->tick, tick) < ticks)
		ticks = distance(b->tick, tick);
	if (b && b->lines[line].error_ns > error_ns)
		error_ns = b->lines[line].error_ns;
	if (error_ns == UINT32_MAX || later->error_ppb == UINT32_MAX)
		return INT64_MAX;
	ns = (double)error_ns + (double)ticks * as_double(later->lines[line].slope) * ppb / 1e9 + 1;
	return ns < 9e18 ? (int64_t)ns + 1 : INT64_MAX;
}
