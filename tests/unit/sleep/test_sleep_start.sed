# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.h
s/return first \&\& now - first < HPT_DEADLINE_FIRST_TICKS ? first : now;/return first ? first : now;/
s/return first \&\& now - first < HPT_DEADLINE_FIRST_TICKS ? first : now;/return now;/

#: lib/sleep/deadline.c
s/later(sl->asked.start, hpt_wide_add/later(sl->spin.now, hpt_wide_add/

#: lib/sleep/sleep.c
s/return likely(amount > 0) ? hpt_default_first_tick(clk) : 0;/return hpt_default_first_tick(clk);/
s/return likely(amount > 0) ? hpt_default_first_tick(clk) : 0;/return 0;/
s/likely(!sl->s->first || !hpt_awake_is_wait_due(sl, 0))/1/
s/likely(!sl->s->first || !hpt_awake_is_wait_due(sl, 0))/!hpt_awake_is_wait_due(sl, 0)/
s/\.first = first,$//

#: lib/sleep/kernel_phase.c
s/return hpt_deadline_is_over(sl) \&\& !p->must_block;/return hpt_deadline_is_over(sl);/

#: lib/sleep/waiter.c
s/w \&\& ns > 0 ? hpt_default_first_tick(w->clk) : 0/0/
s/w \&\& ns > 0 ? hpt_default_first_tick(w->clk) : 0/w ? hpt_default_first_tick(w->clk) : 0/
s/	s\.first = first;/	;/
