# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/if (hpt_sum(most, allowed) < passed)/if (0)/
s/return least > hpt_sum(passed, allowed) ? hpt_sum(least, -passed) : 0;/return 0;/
s/gained = gained_ns(&sl->watch.rate, &sl->watch.first, &r->b, HPT_DIVERGED_NS);/;/
s/? HPT_STATE_REANCHORED : HPT_STATE_DISRUPTED;/? HPT_STATE_OK : HPT_STATE_OK;/
s/return (int64_t)(most - tick) < 0 ? most : tick;/return tick;/
s/return ns == INT64_MIN ? INT64_MAX : llabs(ns);/return llabs(ns);/
s/tick = sl->spin.deadline + f->r->b.after - sl->watch.latest.after -/tick = sl->spin.deadline + (uint64_t)hpt_scale_round(f->stepped_ns, f->rec->tick_per_ns) + 0 */

#: lib/sleep/kernel_phase.c
s/if (r == -ECANCELED) {/if (0) {/
s/hpt_eventcount_enter(ec);/;/
s/hpt_eventcount_leave(ec);/;/
s/s->key, id/0, id/
s/return r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR) ? 0 : r;/return r;/
s/return r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR) ? 0 : r;/return r == -EINTR ? 0 : r;/
/^static int wait_once/,/^}/s/if (hpt_sleeper_is_interrupted(s))/if (r != -EINTR \&\& hpt_sleeper_is_interrupted(s))/
s/^		if (!gained \&\& !is_cut)/		if (!is_cut)/
s/^		if (!gained \&\& !is_cut)/		if (!gained)/
s/	if (sl->end.is_learning \&\& /	if (0 \&\& /
s/	if (r == -ETIMEDOUT) {/	if (r == -ETIMEDOUT || !r) {/
s/return r > 0 || r == -ECANCELED || r == -EINTR ? r : 0;/return 0;/

#: lib/sleep/sleep.c
s/	if (hpt_sleeper_is_interrupted(sl->s))/	if (0)/
s/if (end == HPT_SPIN_REACHED \&\& /if (/

#: lib/sleep/kernel_phase.c
s/		m->brief_ns = EINTR_SPIN_NS;/		;/
