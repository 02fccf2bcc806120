# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/		deadline = later(deadline, hpt_wide_of(1));/		;/
s/hpt_wide_add(hpt_wide_of(duration_ticks(sl)), hpt_wide_of(1))/hpt_wide_of(duration_ticks(sl) - 1)/

#: lib/sleep/kernel_phase.c
s/	if (!hpt_deadline_is_by_os(sl->asked.kind))/	if (1)/
s/return r > 0 || r == -ECANCELED || r == -EINTR ? r : 0;/return r;/
/^int hpt_kernel_phase(/,/^}/s/errno = saved;/(void)saved;/

#: lib/sleep/sleep.c

#: lib/sleep/spin.c
s/#define LEAD_NS    10/#define LEAD_NS    100/;s/(found->between - sp->step) \/ 2 < most ? (found->between - sp->step) \/ 2 : most/most/
s/return (found->between - sp->step) \/ 2 < most ? .*/return 2 * most;/
s/ || found->between <= sp->step)/)/;s/found->between - sp->step/found->between/g

#: lib/sleep/spin.h
s/(int64_t)(sp->now - until) < 0 \&\& n--/0/;s/return likely((int64_t)(sp->now - until) >= 0) ? HPT_SPIN_REACHED : HPT_SPIN_CHECK/return HPT_SPIN_REACHED/
