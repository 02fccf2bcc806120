// SPDX-License-Identifier: MIT
/* hpt_clock_get_timebase(): what is needed to convert this clock's ticks without the clock. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "math/timebase.h"
#include "arch/arch.h"
#include "machine/boot_id.h"
#include "rate/estimate.h"
#include "rate/timeline.h"
#include "clock/default.h"
#include "clock/timekeeper.h"

_Static_assert(HPT_TIMEBASE_SLEW_PPB == HPT_ESTIMATE_SLEW_PPB, "one limit of NTP");

static uint32_t clipped(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* CLOCK_REALTIME less CLOCK_MONOTONIC. */
static void set_offset(const struct hpt_record *rec, struct hpt_timebase_fields *ret)
{
	uint64_t width = (uint64_t)rec->offset_hi_ns - (uint64_t)rec->offset_lo_ns;

	ret->offset_ns = rec->offset_lo_ns + (int64_t)(width / 2);
	ret->offset_error_ns = clipped(width / 2 + 1);
}

static int set_ns(const struct hpt_record *rec, struct hpt_timebase_fields *ret)
{
	struct hpt_timebase_line *line = &ret->lines[HPT_TIMEBASE_NS];
	int r = hpt_wide_narrow(hpt_timeline_ns(rec, ret->tick), &line->ns);

	line->slope = rec->convert.ns_per_tick;
	if (!hpt_record_is_exact(rec))
		line->error_ns = hpt_interval_error_ns(&rec->raw_now, (uint64_t)ret->tick, line->ns, line->slope,
						       rec->rate.error_ppb);
	return r;
}

/* The measured rate, where it is within NTP's limits. After interrupted readings it may be off by more. */
static struct hpt_scale unix_slope(const struct hpt_record *rec)
{
	uint64_t uhz = rec->rate.frequency_uhz, most = uhz / (1000000000 / HPT_TIMEBASE_SLEW_PPB);

	if (rec->rate.unix_uhz > uhz + most)
		return hpt_scale_of(HPT_UHZ_PER_GHZ, uhz + most);
	return rec->rate.unix_uhz < uhz - most ? hpt_scale_of(HPT_UHZ_PER_GHZ, uhz - most) : rec->convert.unix_per_tick;
}

/* The OS clock's Unix time is its tick plus the offset, so the offset's error is its own. */
static int set_unix_ns(const struct hpt_record *rec, struct hpt_timebase_fields *ret)
{
	struct hpt_ray ray = { (int64_t)rec->read.start, (int64_t)rec->convert.start_unix_ns, rec->read.unix_ns.slope };
	struct hpt_timebase_line *line = &ret->lines[HPT_TIMEBASE_UNIX];
	struct hpt_interval exact = {
		.tick = (uint64_t)ret->tick, .ref_ns = (int64_t)((uint64_t)ret->tick + (uint64_t)rec->offset_lo_ns),
		.hi_fs = (rec->offset_hi_ns - rec->offset_lo_ns) * 1000000,
	};
	int r = hpt_wide_narrow(hpt_ray_ns(&ray, ret->tick), &line->ns);

	line->slope = unix_slope(rec);
	line->error_ns = hpt_interval_error_ns(hpt_record_is_exact(rec) ? &exact : &rec->unix_now,
					       (uint64_t)ret->tick, line->ns, rec->convert.ns_per_tick,
					       rec->rate.error_ppb + HPT_TIMEBASE_SLEW_PPB);
	return r;
}

/*
 * After a fresh comparison with the kernel's clocks, so that the errors are small. They are those of that comparison
 * alone: a counter that stepped by less than is noticed is off from what was known before.
 */
static int collect(struct hpt_clock *clk, struct hpt_timebase_fields *ret)
{
	struct hpt_record rec;
	int r;

	hpt_timekeeper_resample(clk);
	ret->tick = (int64_t)hpt_timekeeper_now(clk, &rec);
	ret->source = clk->src.ops->id;
	ret->state = (uint32_t)rec.state;
	ret->generation = rec.generation;
	ret->start = (int64_t)rec.generation_start;
	ret->error_ppb = clipped(rec.rate.error_ppb);
	set_offset(&rec, ret);
	r = set_ns(&rec, ret);
	return r ? r : set_unix_ns(&rec, ret);
}

COLD int hpt_clock_get_timebase(hpt_clock *clk, struct hpt_timebase *ret, size_t size)
{
	struct hpt_timebase_fields fields = { 0 };
	struct hpt_timebase base;
	int r, cancel, saved = errno;

	if (!ret || size < sizeof(base))
		return -EINVAL;
	clk = hpt_clock_or_default(clk);
	if (clk->src.is_private)
		return -ENOTSUP;
	r = collect(clk, &fields);
	/* open(2) and read(2) are cancellation points; a thread cancelled between them would leave a file open. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	hpt_boot_id(clk->src.env, fields.boot_id);
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	if (!r)
		r = hpt_timebase_encode(&fields, &base);
	if (r)
		return r;
	memset(ret, 0, size);
	memcpy(ret, &base, sizeof(base));
	return 0;
}
