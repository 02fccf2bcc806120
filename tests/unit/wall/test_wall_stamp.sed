# SPDX-License-Identifier: MIT

#: lib/wall/wall_stamp.c
s/^#define STAMP_SLEW_PPB 112400000/#define STAMP_SLEW_PPB 102000000/
s/clockid == CLOCK_MONOTONIC_RAW ? 0 : STAMP_SLEW_PPB/STAMP_SLEW_PPB/
s/	ret->tick = w->clk->src.read(&w->clk->src);/	ret->tick = 0;/
s/	if (clockid == CLOCK_REALTIME)$/	if (0)/
s/	if (clockid == CLOCK_REALTIME \&\& ns <= rec->shown.until_ns)/	if (0)/
s/passed_ns < 0 || passed_ns > STAMP_MOST_NS/passed_ns > STAMP_MOST_NS/
s/	if ((int64_t)(from - rec->first) < 0)/	if (0)/
s/	return hpt_wall_is_too_wide(w, ret) ? -ERANGE : 0;/	return 0;/
s/	if (!hpt_wall_look(w) || /	if (/
s/|| hpt_wall_present(w, &rec, &now))/|| (hpt_wall_present(w, \&rec, \&now), 0))/
s/ || size < sizeof(\*ret)/ || 0/
s/ || !is_bounded(clockid))/)/
s/	if (!w || !ret || /	if (!w || /
s/	if (w->clk->src.own_time)/	if (0)/
s/	r = at_os_ns(w, clockid, ns, &time);/	r = at_os_ns(w, clockid, ns, ret); time = *ret;/
s/	int64_t steps_ns = (int64_t)rules->step_ns + 1;/	int64_t steps_ns = 0;/
s/	to = mark->to + /	to = mark->from + /
s/	from = mark->from - /	from = mark->to - /
/^static int at_os_ns/,/^}/s/	if (r)$/	if (0)/

#: lib/wall/wall_record.c
s/	if (look->has_wall)$/	if (0)/

#: lib/wall/wall_rules.c
s/		ret->mono_ns = after_ns;/		;/
