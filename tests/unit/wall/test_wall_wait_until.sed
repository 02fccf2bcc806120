# SPDX-License-Identifier: MIT

#: lib/wall/wall_wait.c
/^static int look_until/,/^}/s/	if (t->is_unsure || hpt_wall_read/	if (hpt_wall_read/
s/	if (half_ns > t->most_error_ns)/	if (0)/
s/	if (time.earliest_ns + half_ns >= t->unix_ns)/	if (time.earliest_ns >= t->unix_ns)/
s/	if (time.earliest_ns + half_ns >= t->unix_ns)/	if (time.latest_ns >= t->unix_ns)/
s/	past = hpt_bound_tick_after(&middle, /	past = hpt_bound_tick_after(\&rec.read.bound, /
s/	return t->error_ns > t->most_error_ns ? -ERANGE : 0;/	return 0;/
s/		t->error_ns = INT64_MAX;/		;/
s/	if (!r \&\& ret_error_ns)/	if (!r)/
s/	if (!r \&\& ret_error_ns)/	if (ret_error_ns)/
s/	t->most_error_ns = max_error_ns ? max_error_ns : INT64_MAX;/	t->most_error_ns = max_error_ns;/
s/	t->end = t->whole = INT64_MAX;/	t->end = t->whole = 0;/
s/	if (!w || max_error_ns < 0)/	if (!w)/
s/ || waiter->clk != w->clk || max_error_ns < 0)/ || max_error_ns < 0)/
s/waiter->clk != w->clk || max_error_ns < 0)/waiter->clk != w->clk)/
s/is_left(r) ? left_of_sleep(&t) : 0/0/
s/	return look_until(t) == WAIT_AGAIN ? .*/	return hpt_sum(t->goal, -now(t));/
s/hpt_sum(t->goal, -now(t))/hpt_sum(t->wake, -now(t))/
