# SPDX-License-Identifier: MIT

#: lib/sleep/place.c
s/	return shared ? shared : &hpt_crowd;/	return \&hpt_crowd;/
s/	return shared ? SHARED_PROCESS : hpt_process();/	return hpt_process() + 1;/
s/	hpt_crowd_join(&hpt_crowd, hpt_process(), 0);/	;/
s/	return h \&\& shared ? shared_name(h, now_ns) : hpt_place_name(h);/	return hpt_place_name(h);/
s/	if (atomic_load_explicit(&named_process, memory_order_acquire) != hpt_process()) {/	if (!named_process) {/
s/	name = atomic_load_explicit(&seed, memory_order_relaxed) ^/	name = 0 ^/
s/h->began_ns = now_ns;/;/
s/passed_ns > 0 \&\& passed_ns < NS_PER_MS ?/0 ?/
s/return all > own ? all - own : 0;/return all;/
s/return all > own ? all - own : 0;/return all - own;/
s/return cpus \&\& per_ms > of_each_cpu \* cpus;/return per_ms > of_each_cpu * cpus;/
s/return cpus \&\& per_ms > of_each_cpu \* cpus;/return cpus \&\& per_ms > of_each_cpu;/
s/if (!n || policy == HPT_SLEEP_SPIN)/if (!n)/
s/if (!n || policy == HPT_SLEEP_SPIN)/if (policy == HPT_SLEEP_SPIN)/
s/if (policy != HPT_SLEEP_STRICT \&\& is_above/if (is_above/
s/if (policy != HPT_SLEEP_STRICT \&\& is_above(per_ms, FULL_PER_MS))/if (0)/
s/h->limits.is_pinned \&\& hpt_spin_limits_cpus() > 1 ?/h->limits.is_pinned ?/
s/h->limits.is_pinned \&\& hpt_spin_limits_cpus() > 1 ?/0 ?/
s/#define CROWD_PER_MS 3/#define CROWD_PER_MS 2/
s/#define CROWD_PER_MS 3/#define CROWD_PER_MS 5/
s/(cpus > 2 ? CROWD_PER_MS \* cpus \/ 2 : CROWD_PER_MS)/CROWD_PER_MS/
s/(cpus > 2 ? CROWD_PER_MS \* cpus \/ 2 : CROWD_PER_MS)/(CROWD_PER_MS * cpus \/ 2)/
s/#define MANY_PER_MS 8/#define MANY_PER_MS 7/
s/#define MANY_PER_MS 8/#define MANY_PER_MS 9/
s/#define FULL_PER_MS 24/#define FULL_PER_MS 22/
s/#define FULL_PER_MS 24/#define FULL_PER_MS 26/
s/is_beside ? spinners(h, policy, per_ms) : HPT_CROWD_ANY;/spinners(h, policy, per_ms);/
s/h->is_among_many = p->is_many;/;/
s/h->is_in_full = !p->spinners;/;/
s/h ? h->window : 0);/0);/
s/h->window = window;/;/
s/return window;/return true;/
s/if (p->spinners == HPT_CROWD_ANY)/if (0)/

#: lib/sleep/kernel_phase.c
s/p->is_place_due = left_ns > HPT_CROWD_AHEAD_NS;/p->is_place_due = false;/
s/if (p->is_place_due || hpt_place_take(/if (hpt_place_take(/
s/if (!r \&\& unlikely(p.is_place_due))/if (0)/
s/return p->is_place_due || needs_place(p) ? 0 : wait_in_phase(sl, p);/return 0;/
s/if (unlikely(needs_place(p)))/if (0)/
s/p->is_plain = p->is_forbidden || p->place.is_many;/p->is_plain = p->is_forbidden;/
s/p->is_plain = p->place.is_many;/;/
s/else if (p->place.is_crowded \&\& kind == HPT_SLEEP_BALANCED)/else if (0)/
s/if (unlikely(p->is_beside))/if (0)/
s/is_beside = has_limits \&\& hpt_place_is_beside(p.habits);/is_beside = false;/
