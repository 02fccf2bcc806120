# SPDX-License-Identifier: MIT

#: lib/wall/wall_fd.c
s/	hpt_own_time_notify(hpt_own_time_eventcount(&w->clk->src), env);/	;/

#: lib/wall/wall_wait.c
s/	if (timeout_ns <= 0) {/	if (timeout_ns == 0) {/
s/t->end = t->whole == INT64_MAX ? INT64_MAX : hpt_sum/t->end = hpt_sum/
s/ || left > t->whole)/)/
s/hpt_sum(t->whole, 1)/t->whole - 1/

#: lib/wall/bound.c
s/^		ticks--;/		break;/
