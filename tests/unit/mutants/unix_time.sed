# SPDX-License-Identifier: MIT

#: lib/math/unix_time.c
s/epoch.unix_ns = e->end_unix_ns;/;/
s/if (t > e->start) {/if (0) {/
s/if (converts(e, end))/if (0)/
s/ + (a % 2 + b % 2) \/ 2//
s/inside = m;/outside = m;/
s/hpt_scale_divide(age_ns, e->ns_per_tick)/hpt_scale_ticks(age_ns, e->tick_per_ns, e->ns_per_tick)/
s/difference(t, e->tick)), ret/hpt_wide_of(t - e->tick + 2)), ret/
