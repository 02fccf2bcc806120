# SPDX-License-Identifier: MIT

#: lib/wall/wall_keeper.c
s/	hpt_own_time_notify(hpt_own_time_eventcount(&w->clk->src), env);/	;/

#: lib/wall/wall_wait.c
s/hpt_sum(wait_ticks(t, timeout_ns), timeout_ns > 0)/wait_ticks(t, timeout_ns) - 1/

#: lib/wall/bound.c
s/^		ticks--;/		break;/
