/* SPDX-License-Identifier: MIT */
/* What has happened to the system's clocks since a daemon stated something about them, as far as a clock has seen. */
#ifndef HPT_STATED_H
#define HPT_STATED_H

#include "machine/env.h"
#include "wall/realtime.h"

struct hpt_stated {
	uint64_t age_ticks; /* ticks that have passed since, at most */
	int64_t  step_ns;   /* of the system's clocks: a reading may be as much later than it says */
	bool     is_void;   /* CLOCK_REALTIME was set meanwhile, or the machine slept */
};

/*
 * For a statement of age_ns before the mark. To be seen, a change must have come after the clock's first look; so the
 * caller has had it look, by hpt_timekeeper_current(), before it read the statement.
 */
struct hpt_stated hpt_stated_since(struct hpt_clock *clk, const struct hpt_realtime_mark *mark, int64_t age_ns);

/* True if this process's CLOCK_MONOTONIC is not that of daemons outside of its time namespace. */
bool hpt_stated_elsewhere(const struct hpt_env *env);

#endif
