# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/		deadline = later(deadline, hpt_wide_of(1));/		;/
s/hpt_wide_add(hpt_wide_of(hpt_ns_to_ticks(sl->s->clk, sl->asked.at)), hpt_wide_of(1))/hpt_wide_of(hpt_ns_to_ticks(sl->s->clk, sl->asked.at) - 1)/

#: lib/sleep/kernel_phase.c
s/return m->long_ns \&\& left_ns > m->long_ns/return m->long_ns < 0 \&\& left_ns > m->long_ns/
s/return once <= m->brief_ns + SECOND_NS \&\& once <= m->cap_ns ? once : 0;/return 0;/
s/return once <= m->brief_ns + SECOND_NS \&\& once/return once/
s/ \&\& once <= m->cap_ns ? once : 0;/ ? once : 0;/
s/int64_t once = m->long_ns + early_ns;/int64_t once = m->long_ns;/
s/is_wall = sl->asked.kind == HPT_DEADLINE_UNIX_NS, is_cut/is_wall = false, is_cut/
s/#define WORTH_TWO_NS 2000000/#define WORTH_TWO_NS 300000/
s/return r > 0 || r == -ECANCELED || r == -EINTR ? r : 0;/return r;/
/^int hpt_kernel_phase(/,/^}/s/errno = saved;/(void)saved;/

#: lib/sleep/sleep.c
s/HPT_DEADLINE_AFTER_NS, amount, HPT_NS_PER_S/HPT_DEADLINE_AFTER_NS, amount, 1000000/

#: lib/sleep/spin.c
s/#define LEAD_NS    10/#define LEAD_NS    100/;s/(found->between - sp->step) \/ 2 < most ? (found->between - sp->step) \/ 2 : most/most/
s/return (found->between - sp->step) \/ 2 < most ? .*/return 2 * most;/
s/ || found->between <= sp->step)/)/;s/found->between - sp->step/found->between/g

#: lib/sleep/spin.h
s/(int64_t)(sp->now - until) < 0 \&\& n--/0/;s/return likely((int64_t)(sp->now - until) >= 0) ? HPT_SPIN_REACHED : HPT_SPIN_CHECK/return HPT_SPIN_REACHED/
