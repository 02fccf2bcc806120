# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/n->at = hpt_sum(n->at, view.ns - since_ns + 1);/n->at = hpt_sum(n->at, view.ns + 1);/
s/if (most < passed - allowed)/if (0)/
s/return least > passed + allowed ? least - passed : 0;/return 0;/
s/gained = gained_ns(n, &n->first, &b);/;/
s/is_anchor ? HPT_STATE_REANCHORED : HPT_STATE_DISRUPTED/HPT_STATE_OK/

#: lib/sleep/kernel_phase.c
s/atomic_fetch_add(&bell->in_kernel, 1);/;/
s/atomic_fetch_sub(&bell->in_kernel, 1);/;/
s/s->bell ? s->quiet : 0, id/0, id/
s/return r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR) ? 0 : r;/return r;/
s/return r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR) ? 0 : r;/return r == -EINTR ? 0 : r;/
/^static int wait_once/,/^}/s/if (hpt_is_rung(s))/if (r != -EINTR \&\& hpt_is_rung(s))/
s/if (!gained \&\& hpt_policy_kind(n->s->policy) != HPT_SLEEP_SPIN)/if (hpt_policy_kind(n->s->policy) != HPT_SLEEP_SPIN)/
s/	if (r == -ETIMEDOUT) {/	if (r == -ETIMEDOUT || !r) {/
s/return r > 0 || r == -ECANCELED || r == -EINTR ? r : 0;/return 0;/

#: lib/sleep/sleep.c
s/	if (hpt_is_rung(n->s))/	if (0)/
s/ > n->spin.parted \&\& has_jumped(n) ? overdue(n)/ > n->spin.parted \&\& 0 ? overdue(n)/
s/ \&\& has_jumped(n) ? overdue(n)/ ? overdue(n)/
s/return hpt_spin_is_overdue(&n->spin) ? overdue(n) : /return /
s/\*ret_left = left > 0 ? left : 0;/*ret_left = left;/;s/ \&\& !hpt_nap_is_over(&n))/)/

#: lib/sleep/spin.c
s/if (hpt_is_rung(sp->s))/if (0)/
s/if (end == HPT_SPIN_MORE \&\& hpt_spin_is_overdue(sp))/if (0)/
s/if ((int64_t)(hpt_source_now(&sp->s->clk->src) - sp->deadline) >= 0)/if (0)/

#: lib/sleep/spin.h
s/if (unlikely(hpt_is_rung(sp->s)))/if (0)/
