# SPDX-License-Identifier: MIT

#: lib/sleep/watchdog.c
s/return ns == INT64_MIN ? INT64_MAX : llabs(ns);/return llabs(ns);/

#: lib/sleep/settle.c
s/tick = deadline + f->r.b.after - f->old.after - (uint64_t)/tick = deadline + (uint64_t)hpt_scale_round(f->stepped_ns, rec->convert.tick_per_ns) + 0 * (uint64_t)/

#: lib/sleep/kernel_wait.c
s/hpt_eventcount_enter(ec);/;/
s/hpt_eventcount_leave(ec);/;/
s/s->key, id/0, id/
s/return r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR) ? 0 : r;/return r;/
s/return r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR) ? 0 : r;/return r == -EINTR ? 0 : r;/
/^int hpt_kernel_wait(/,/^}/s/if (hpt_sleeper_is_interrupted(s))/if (r != -EINTR \&\& hpt_sleeper_is_interrupted(s))/

#: lib/sleep/kernel_phase.c
s/if (r == -ECANCELED) {/if (0) {/
s/^		if (!gained \&\& !is_cut)/		if (!is_cut)/
s/	if (sl->end.is_learning \&\& /	if (0 \&\& /
s/	if (r == -ETIMEDOUT) {/	if (r == -ETIMEDOUT || !r) {/
s/return r > 0 || r == -ECANCELED || r == -EINTR ? r : 0;/return 0;/

#: lib/sleep/sleep.c
s/	if (hpt_sleeper_is_interrupted(sl->s))/	if (0)/
s/if (end == HPT_SPIN_REACHED \&\& /if (/

#: lib/sleep/kernel_phase.c
s/		p->margins.brief_ns = least(p->margins.brief_ns, EINTR_SPIN_NS);/		;/
