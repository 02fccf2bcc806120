// SPDX-License-Identifier: MIT
/* What has happened since a daemon stated something: lib/wall/stated.h. */
#include "wall/stated.h"

#include "arch/arch.h"
#include "machine/file_read.h"
#include "clock/timekeeper.h"

/*
 * The kernel slews CLOCK_REALTIME and CLOCK_MONOTONIC alike: their difference moves only if one of them was set, or if
 * the machine slept.
 */
static bool has_moved(const struct hpt_record *rec, const struct hpt_realtime_mark *mark)
{
	/* As hpt_unix_offset_take(): widened by 1 ns, because all reads round down. */
	struct hpt_unix_offset now = {
		.lo_ns = mark->unix_ns - mark->mono_after_ns - 1,
		.hi_ns = mark->unix_ns - mark->mono_before_ns + 1,
	};

	return hpt_unix_offset_differs(now, (struct hpt_unix_offset){ rec->offset_lo_ns, rec->offset_hi_ns });
}

/*
 * Each event begins a new generation. While no rate is known after an event, its age is not known either. An eighth is
 * added to age_ns, because CLOCK_MONOTONIC may be slewed to 0.9 of its rate.
 */
COLD struct hpt_stated hpt_stated_since(struct hpt_clock *clk, const struct hpt_realtime_mark *mark, int64_t age_ns)
{
	struct hpt_stated since;
	struct hpt_record rec;

	hpt_timekeeper_current(clk, &rec);
	if (has_moved(&rec, mark)) {
		hpt_timekeeper_resample(clk);
		hpt_timekeeper_current(clk, &rec);
	}
	since.age_ticks = (uint64_t)hpt_scale_round(hpt_sum(age_ns, age_ns / 8), rec.convert.tick_per_ns) + 1;
	since.step_ns = (int64_t)rec.granularity.ref_ns;
	since.is_void = has_moved(&rec, mark) ||
			(rec.generation > 1 && (hpt_record_is_learning(&rec) ||
						(int64_t)(mark->before - since.age_ticks - rec.generation_start) < 0));
	return since;
}

/* Lines such as "monotonic -86400 0": a digit but 0 is part of an offset. Without such a file there is one world. */
COLD bool hpt_stated_elsewhere(const struct hpt_env *env)
{
	char text[256];
	ssize_t n = hpt_file_read(env, "/proc/self/timens_offsets", text, sizeof(text));

	for (ssize_t i = 0; i < n; i++)
		if (text[i] >= '1' && text[i] <= '9')
			return true;
	return false;
}
