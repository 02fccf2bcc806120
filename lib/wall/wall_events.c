// SPDX-License-Identifier: MIT
/* What happened to the clocks between two looks: lib/wall/wall_events.h. */
#include "wall/wall_events.h"

#include "arch/arch.h"
#include "math/units.h"

/* A counter that gains or loses less than this on CLOCK_MONOTONIC_RAW between two looks may have done so by a read. */
#define JUMP_NS 1000

static bool counter_has_jumped(const struct hpt_wall_known *before, const struct hpt_wall_rules *rules,
			   const struct hpt_wall_look *look)
{
	int64_t raw_ns = look->raw_ns - before->raw_ns;
	int64_t least_ns = hpt_scale_round((int64_t)(look->before - before->after - rules->step), rules->ns_per_tick);
	int64_t most_ns = hpt_scale_round((int64_t)(look->after - before->before + rules->step), rules->ns_per_tick);
	int64_t allowed_ns = hpt_scale_round(raw_ns, hpt_scale_of(rules->clock_ppb, PPB));

	allowed_ns = hpt_sum(allowed_ns, JUMP_NS + 2 * (int64_t)rules->step_ns);
	return hpt_sum(least_ns, -allowed_ns) > raw_ns || hpt_sum(most_ns, allowed_ns) < raw_ns;
}

/*
 * A counter of generations that appears, or is gone, is taken for one that changed: the copy may run elsewhere. The
 * marker may stay the same.
 */
COLD bool hpt_wall_is_cloned(const struct hpt_wall_known *before, const struct hpt_wall_look *look)
{
	return before->has_vm_generation != look->marks.has_generation ||
	       before->vm_generation != look->marks.generation;
}

COLD bool hpt_wall_is_disrupted(const struct hpt_wall_known *before, const struct hpt_wall_rules *rules,
				const struct hpt_wall_look *look)
{
	if (!look->has_clocks || !before->is_valid)
		return false;
	if (look->asleep_lo_ns > before->asleep_hi_ns || look->asleep_hi_ns < before->asleep_lo_ns)
		return true;
	return counter_has_jumped(before, rules, look);
}

/*
 * The kernel slews CLOCK_REALTIME and CLOCK_MONOTONIC alike: their difference moves only if the former is set, or if
 * the machine slept. At a leap second the kernel sets it by that, and daemons know.
 */
COLD bool hpt_wall_is_stepped(const struct hpt_wall_known *before, const struct hpt_wall_look *look, int64_t leap_ns)
{
	if (!look->has_wall || !before->has_unix)
		return false;
	if (look->wall_lo_ns <= before->unix_hi_ns && look->wall_hi_ns >= before->unix_lo_ns)
		return false;
	return look->wall_lo_ns > before->unix_hi_ns + leap_ns || look->wall_hi_ns < before->unix_lo_ns + leap_ns;
}
