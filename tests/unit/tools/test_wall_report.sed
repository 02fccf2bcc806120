# SPDX-License-Identifier: MIT

#: tools/wall/wall_view.h
s/return v->has_bound ? v->time.state : v->wall.state;/return v->wall.state;/
s/return v->has_bound ? v->time.generation : v->wall.generation;/return v->wall.generation;/
s/return v->has_bound ? v->time.flags : v->wall.flags;/return v->time.flags;/
s/width_ns(v) > max_width_ns/width_ns(v) >= max_width_ns/
s/v->has_bound && max_width_ns &&/v->has_bound \&\&/
s/return v->has_bound && max_width_ns/return max_width_ns/

#: tools/wall/wall_report.c
s/return text ? text : "it has just changed: ask again";/return text;/
s/return s->reason != HPT_WALL_REASON_NOT_USED;/return s->reason == HPT_WALL_REASON_NONE;/
s/return v->has_bound && v->wall.live/return v->wall.live/
s/json_known(o, "latest_ns", v->time.latest_ns, is_known)/json_known(o, "latest_ns", v->time.latest_ns, true)/
s/json_known(o, "tick", v->time.tick, is_known)/json_known(o, "tick", v->time.tick, true)/
s/"realtime_ahead_min_ns", v->ahead_min_ns/"realtime_ahead_min_ns", v->ahead_max_ns/
s/is_known ? utc(v->time.earliest_ns, earliest) : NULL/utc(v->time.earliest_ns, earliest)/
s/"tai_offset_s", wall->tai_offset_s, wall->tai_offset_s/"tai_offset_s", wall->tai_offset_s, true/
s/"leap_at_ns", wall->leap_at_ns, wall->leap/"leap_at_ns", wall->leap_at_ns, true/
s/"age_ns", wall->age_ns, wall->age_ns >= 0/"age_ns", wall->age_ns, true/
s/"rate_max_ppb", wall->rate_hi_ppb/"rate_max_ppb", wall->rate_lo_ppb/
s/"reason", s->usable ? NULL :/"reason", !s->usable ? NULL :/
s/"advice", s->usable ? NULL :/"advice", s->usable ? "" :/
s/"width_ns", s->width_ns, s->width_ns >= 0/"width_ns", s->width_ns, true/
s/if (set & flags\[i\].flag)$/if (set)/
s/wall->leap > 0 ? "inserted"/wall->leap ? "inserted"/
s/error ? " (" : ""/""/
s/return is_of_call ? format_errno(s->error) : NULL;/return format_errno(s->error);/
s/s->reason == HPT_WALL_REASON_ABSENT || s->reason == HPT_WALL_REASON_DENIED/s->reason == HPT_WALL_REASON_ABSENT/
s/^\t\t\t  s->reason == HPT_WALL_REASON_FAILED;/\t\t\t  false;/
s/is_wide ? ": WIDER than " : ""/""/
s/names, sizeof(names)));/names, 8));/
s/strchr(text, 'T') + 1/text/
s/json_string(advice->texts\[i\])/json_string(advice->texts[0])/
s/i ? "" : "Advice"/"Advice"/
s/if (v->advice.n) {/if (true) {/
s/dot\[4\] =/dot[5] =/
s/time_of_day(v->realtime_ns, time)/time_of_day(v->time.earliest_ns, time)/
