# SPDX-License-Identifier: MIT

#: lib/wall/clockbound.c
s/	if (age_ns)/	if (0)/
s/return s->drift_ppb > wander_ppb ? s->drift_ppb : wander_ppb;/return s->drift_ppb;/
s/return s->drift_ppb > wander_ppb ? s->drift_ppb : wander_ppb;/return wander_ppb;/
s/hpt_ratio_ceiling(/hpt_ratio_floor(/
s/return s->bound_ns + drift_ns;/return drift_ns;/
s/hpt_sum(mark->unix_ns, -error)/hpt_sum(mark->unix_ns, error)/
s/hpt_sum(mark->unix_ns, since->step_ns), error)/hpt_sum(mark->unix_ns, since->step_ns), 0)/
s/s->is_holdover || age_ns >= GRACE_V2_NS/age_ns >= GRACE_V2_NS/
s/s->is_holdover || age_ns >= GRACE_V2_NS/s->is_holdover/
s/#define GRACE_V2_NS (5 /#define GRACE_V2_NS (4 /
s/if (hpt_stated_elsewhere(ask->clk->src.env))/if (0)/
s/mark.mono_after_ns >= s->void_after_ns/0/
s/if (age_ns < -BLUR_NS)/if (0)/
s/if (age_ns < -BLUR_NS)/if (age_ns < 0)/
s/age_ns = age_ns < 0 ? 0 : age_ns;/;/
s/if (since.is_void)/if (0)/
s/src->ops->id != HPT_SOURCE_OWN/0/
s/if (ticks > HPT_CLOCKBOUND_MOST_TICKS)/if ((int64_t)ticks < 0)/
s/if (ticks > HPT_CLOCKBOUND_MOST_TICKS)/if (0)/
s/utc.hi_ns >= s->void_after_ns/0/
s/earliest_ns = utc.lo_ns/earliest_ns = utc.hi_ns/
s/s->is_holdover || utc.hi_ns >= s->as_of_ns + GRACE_V3_NS/utc.hi_ns >= s->as_of_ns + GRACE_V3_NS/
s/s->is_holdover || utc.hi_ns >= s->as_of_ns + GRACE_V3_NS/s->is_holdover/
s/#define GRACE_V3_NS (60 /#define GRACE_V3_NS (50 /
s/ret->has_rate = true;/;/
s/if (!s->has_marker || !ask->vmclock)/if (!ask->vmclock)/
s/if (!s->has_marker || !ask->vmclock)/if (1)/
s/if (!hpt_vmclock_read_marks(ask->vmclock, &marks))/if (hpt_vmclock_read_marks(ask->vmclock, \&marks), 0)/
s/return marks.marker == s->marker ? HPT/return (uint32_t)marks.marker == (uint32_t)s->marker ? HPT/
s/if (!reason && !hpt_wall_is_plausible(.*/if (0)/
s/^		\*ret = none;/		(void)none;/
s/^	ask->error = first.error;/	;/
/first look/,/CLOCKBOUND_PATH_V3/s/if (ask->config->clockbound_path\[0\])/if (0)/
s/if (reason && reason != HPT_WALL_REASON_UNSYNCED) {/if (reason) {/
s/if (!second || reason == HPT_WALL_REASON_ABSENT || /if (reason == HPT_WALL_REASON_ABSENT || /
s/reason == HPT_WALL_REASON_ABSENT || //
s/ABSENT || second == HPT_WALL_REASON_UNSYNCED)/ABSENT)/
s/ \&\& !is_there(env, CLOCKBOUND_PATH_V3) ?/ ?/
s/return fd >= 0 || errno != ENOENT;/return fd >= 0;/
/^static COLD bool is_there/,/^}/s/close(fd);/;/
s/	ret->age_ticks = ticks;/	;/
s/	ret->age_ticks = since->age_ticks;/	;/

#: lib/wall/stated.c clockbound
s/if (has_moved(&rec, mark)) {/if (0) {/
s/hpt_timekeeper_resample(clk);/;/
s/(rec.generation > 1 && (/((/
s/(int64_t)(mark->before - since.age_ticks - rec.generation_start) < 0/0/
s/mark->before - since.age_ticks - rec/mark->before - rec/
s/hpt_sum(age_ns, age_ns \/ 8)/0/
s/text\[i\] >= '1' && text\[i\] <= '9'/text[i] > '1' \&\& text[i] <= '9'/
s/mark->mono_after_ns - 1,/mark->mono_after_ns + 100000,/
