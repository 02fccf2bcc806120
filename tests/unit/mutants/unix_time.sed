# SPDX-License-Identifier: MIT

#: lib/math/unix_time.c
s/map.unix_ns = segment->end_unix_ns;/;/
s/if (t > segment->start) {/if (0) {/
s/if (converts(map, end))/if (0)/
s/ + (a % 2 + b % 2) \/ 2//
s/inside = m;/outside = m;/
s/hpt_scale_divide(age_ns, map->ns_per_tick)/hpt_scale_ticks(age_ns, map->tick_per_ns, map->ns_per_tick)/
s/difference(t, map->tick)), ret/hpt_wide_of(t - map->tick + 2)), ret/
