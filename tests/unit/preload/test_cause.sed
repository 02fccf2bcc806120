# SPDX-License-Identifier: MIT

#: lib/preload/cause.c
s/#define TICKS 2/#define TICKS 1/
s/	ns = ns < 0 ? 0 : smaller(ns, p->left_ns);/	ns = smaller(ns, p->left_ns);/
s/	ns = ns < 0 ? 0 : smaller(ns, p->left_ns);/	ns = ns < 0 ? 0 : ns;/
s/	p->left_ns -= ns;/	;/
s/	if (ns > p->largest_ns) {/	if (1) {/
s/		p->largest_ns = ns;/		;/
s/	return part_ns > 0 \&\& part_ns >= of_ns - part_ns;/	return part_ns >= of_ns - part_ns;/
s/	return part_ns > 0 \&\& part_ns >= of_ns - part_ns;/	return part_ns > 0;/
s/smaller(e->queued_ns, e->late_ns)) ?/e->late_ns) \&\& 0 ?/
s/	if (is_most(e->asleep_ns, left_ns))/	if (0)/
s/	if (left_ns <= e->idle_exit_ns)/	if (left_ns < e->idle_exit_ns)/
s/	if (e->blocked > 1 || e->was_frozen)/	if (e->blocked > 1)/
s/	if (e->blocked > 1 || e->was_frozen)/	if (e->was_frozen)/
s/is_most(e->stolen_ns, left_ns) ?/e->stolen_ns ?/
s/	explain(&p, queue_of(e), e->queued_ns);/	;/
s/	if (e->tick_ns > 1)/	if (0)/
s/		explain(&p, HPT_CAUSE_SLACK, e->slack_ns);/		;/
