// SPDX-License-Identifier: MIT
/* CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_TAI beside CLOCK_REALTIME, and what reads of them may be off. */
#include "rate/os_lines.h"

#include "arch/arch.h"
#include "math/units.h"

static const struct hpt_line *line_of(const struct hpt_record *rec, clockid_t id)
{
	bool is_unix = id == CLOCK_REALTIME || id == CLOCK_TAI;

	return id == CLOCK_MONOTONIC_RAW ? &rec->read.ns : is_unix ? &rec->read.unix_ns : &rec->read.mono_ns;
}

struct hpt_scale hpt_os_lines_slope(const struct hpt_record *rec, clockid_t id)
{
	return line_of(rec, id)->slope;
}

int64_t hpt_os_lines_ns(const struct hpt_record *rec, clockid_t id, uint64_t tick)
{
	struct hpt_line line = *line_of(rec, id);

	if (id == CLOCK_BOOTTIME)
		line.at.ns = rec->read.boot_at_ns;
	if (id == CLOCK_TAI)
		line.at.ns = rec->read.tai_at_ns;
	return (int64_t)hpt_line_at(&line, rec->read.start, tick).ns;
}

/* ---- Offsets ------------------------------------------------------------------------------------------- */

static int64_t offset_middle(struct hpt_unix_offset o)
{
	return o.lo_ns + (int64_t)(((uint64_t)o.hi_ns - (uint64_t)o.lo_ns) / 2);
}

/* The distance from ns to the further end. */
static int64_t furthest_ns(struct hpt_unix_offset o, int64_t ns)
{
	return ns - o.lo_ns > o.hi_ns - ns ? ns - o.lo_ns : o.hi_ns - ns;
}

static struct hpt_unix_offset unix_offset(const struct hpt_record *rec)
{
	return (struct hpt_unix_offset){ rec->offset_lo_ns, rec->offset_hi_ns };
}

COLD struct hpt_interval hpt_os_lines_monotonic(const struct hpt_record *rec, const struct hpt_interval *of_unix)
{
	struct hpt_unix_offset offset = unix_offset(rec);
	struct hpt_interval of_mono = *of_unix;
	int64_t ns = offset_middle(offset);

	of_mono.ref_ns -= ns;
	of_mono.lo_fs -= (offset.hi_ns - ns) * FS_PER_NS;
	of_mono.hi_fs += (ns - offset.lo_ns) * FS_PER_NS;
	return of_mono;
}

/* What all samples so far show together; the latest alone if they rule out the earlier ones. */
static COLD struct hpt_unix_offset narrowed(struct hpt_unix_offset known, struct hpt_unix_offset latest)
{
	if (!hpt_unix_offset_is_known(known) || hpt_unix_offset_differs(known, latest))
		return latest;
	return (struct hpt_unix_offset){ known.lo_ns > latest.lo_ns ? known.lo_ns : latest.lo_ns,
					 known.hi_ns < latest.hi_ns ? known.hi_ns : latest.hi_ns };
}

/*
 * The kernel keeps whole seconds. A sample of half a second says nothing: the clock is refused, or CLOCK_REALTIME was
 * stepped within it. In a narrower one the nearest to the middle is the one.
 */
static COLD int64_t whole_seconds(struct hpt_unix_offset tai, int64_t known_ns)
{
	int64_t ns;

	if ((uint64_t)tai.hi_ns - (uint64_t)tai.lo_ns >= (uint64_t)NS_PER_S / 2)
		return known_ns;
	ns = offset_middle(tai) + NS_PER_S / 2;
	ns -= (ns % NS_PER_S + NS_PER_S) % NS_PER_S;
	return ns;
}

COLD void hpt_os_lines_note(struct hpt_record *rec, const struct hpt_samples *samples)
{
	rec->offsets.boot = narrowed(rec->offsets.boot, samples->boot);
	rec->offsets.tai_ns = whole_seconds(samples->tai, rec->offsets.tai_ns);
}

/* ---- CLOCK_BOOTTIME ------------------------------------------------------------------------------------ */

int64_t hpt_os_lines_boottime(const struct hpt_record *rec)
{
	return hpt_unix_offset_is_known(rec->offsets.boot) ? offset_middle(rec->offsets.boot) : 0;
}

int64_t hpt_os_lines_boottime_used(const struct hpt_record *rec)
{
	return (int64_t)(rec->read.boot_at_ns - rec->read.mono_ns.at.ns);
}

void hpt_os_lines_set_boottime(struct hpt_record *rec, int64_t offset_ns)
{
	rec->read.boot_at_ns = rec->read.mono_ns.at.ns + (uint64_t)offset_ns;
}

/*
 * Samples narrow the offset by some nanoseconds at a time. It may fall by as much as CLOCK_MONOTONIC's line has gone
 * since the old segment ended: no read came between.
 */
COLD void hpt_os_lines_prolong_boottime(const struct hpt_record *old, struct hpt_record *rec, uint64_t start)
{
	uint64_t end = old->read.start + old->convert.span;
	/* The record's own start is not set yet. */
	int64_t gone_ns = (int64_t)hpt_line_at(&rec->read.mono_ns, start, start).ns;
	int64_t least_ns, offset_ns = hpt_os_lines_boottime(rec);

	gone_ns -= (int64_t)hpt_line_at(&old->read.mono_ns, old->read.start, end).ns;
	least_ns = hpt_os_lines_boottime_used(old) - gone_ns;
	hpt_os_lines_set_boottime(rec, offset_ns > least_ns ? offset_ns : least_ns);
}

bool hpt_os_lines_boottime_moved(const struct hpt_record *old, const struct hpt_record *rec)
{
	return !hpt_unix_offset_is_known(old->offsets.boot) ||
	       hpt_unix_offset_differs(old->offsets.boot, rec->offsets.boot);
}

/* ---- Errors -------------------------------------------------------------------------------------------- */

COLD void hpt_os_lines_finish(struct hpt_record *rec, const struct hpt_samples *samples)
{
	struct hpt_unix_offset latest = { samples->offset_lo_ns, samples->offset_hi_ns };
	int64_t mono_ns = furthest_ns(latest, offset_middle(unix_offset(rec))), boot_ns = 0;

	rec->read.tai_at_ns = rec->read.unix_ns.at.ns + (uint64_t)rec->offsets.tai_ns;
	if (hpt_unix_offset_is_known(samples->boot))
		boot_ns = furthest_ns(samples->boot, hpt_os_lines_boottime_used(rec));
	rec->offsets.error_ns = mono_ns + boot_ns;
}

/* A read, and one of the kernel's clock that it is compared with, are each up to a step of their clock old. */
static int64_t steps_ns(const struct hpt_record *rec)
{
	return hpt_scale_round((int64_t)rec->granularity.ticks, rec->convert.ns_per_tick) +
	       (int64_t)rec->granularity.ref_ns;
}

COLD int64_t hpt_os_lines_error_ns(const struct hpt_record *rec, uint64_t tick)
{
	int64_t offset_ns = offset_middle(unix_offset(rec)), mono_ns = hpt_os_lines_ns(rec, CLOCK_MONOTONIC, tick);
	uint64_t error_ppb = HPT_OS_LINES_SLEW_PPB + rec->rate.error_ppb;
	uint32_t of_unix, of_mono;

	if (!rec->read.line_span || hpt_record_is_exact(rec))
		return 0;
	of_unix = hpt_interval_error_ns(&rec->unix_now, tick, hpt_os_lines_ns(rec, CLOCK_REALTIME, tick),
					rec->convert.ns_per_tick, error_ppb);
	of_mono = hpt_interval_error_ns(&rec->unix_now, tick, mono_ns + offset_ns, rec->convert.ns_per_tick, error_ppb);
	of_unix = of_unix > of_mono ? of_unix : of_mono;
	if (of_unix == UINT32_MAX)
		return INT64_MAX;
	return of_unix + rec->offsets.error_ns + steps_ns(rec);
}
