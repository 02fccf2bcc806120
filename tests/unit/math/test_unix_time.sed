# SPDX-License-Identifier: MIT

#: lib/math/unix_time.c
s/map.ray.ns = segment->end_unix_ns;/;/
s/if (t > segment->start) {/if (0) {/
s/if (converts(map, end))/if (0)/
s/ + (a % 2 + b % 2) \/ 2//
s/inside = m;/outside = m;/
s/hpt_wide_subtract(hpt_wide_of(t), hpt_wide_of(map->ray.tick))/hpt_wide_of(t - map->ray.tick + 2)/
#: lib/math/line.c
s/hpt_scale_divide(age_ns, ray->slope)/hpt_scale_ticks(age_ns, hpt_scale_of(1, ray->slope.whole + 1), ray->slope)/
