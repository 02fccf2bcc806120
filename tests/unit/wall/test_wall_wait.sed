# SPDX-License-Identifier: MIT

#: lib/wall/wall_wait.c wall_wait wall_wait_events
s/	if (timeout_ns <= 0) {/	if (0) {/
s/	if (t->whole == INT64_MAX || /	if (/
s/^	t->left = left_of_timeout(t);/	(void)left_of_timeout(t);/
s/^	t->left = t->whole;/	;/
s/is_left(r) ? t.left : 0/t.left/
s/	return r == -ECANCELED || r == -EINTR;/	return r == -ECANCELED;/
/^static int look_after/,/^}/s/	if (t->is_unsure || hpt_wall_read(t->w, &time))/	if (hpt_wall_read(t->w, \&time))/
s/	if (stale > (int64_t)tick \&\& stale < (int64_t)past)/	if (0)/
s/	if (time.earliest_ns > t->unix_ns)/	if (time.earliest_ns >= t->unix_ns)/
s/	if (time.earliest_ns > t->unix_ns)/	if (time.latest_ns > t->unix_ns)/
s/ || rec.leap.is_covered)/)/
s/hpt_wall_record_state(&rec) == HPT_WALL_STATE_LEAP || rec/rec/
s/utc.hi_ns - utc.lo_ns <= t->unix_ns)/1)/
s/	if (hpt_sleeper_is_interrupted(&t->own))/	if (0)/
s/is_last ? t->end : t->wake, &unused/t->wake, \&unused/
s/	if (r == -EINTR)$/	if (0)/
s/	t->is_unsure = r > 0 \&\& !hpt_wall_look(t->w);/	;/
s/	if (r >= 0 \&\& is_last) {/	if (0) {/
s/	atomic_fetch_add_explicit(&t->w->waiting, 1, memory_order_relaxed);/	;/
/^HOT int hpt_wall_wait_after_on/,/^}/s/ || waiter->clk != w->clk)/)/
s/	hpt_bell_enter(&waiter->eventcount, t->w->bell);/	hpt_eventcount_enter(\&waiter->eventcount);/;s/	hpt_bell_leave(&waiter->eventcount, t->w->bell);/	hpt_eventcount_leave(\&waiter->eventcount);/
s/	hpt_bell_leave(&waiter->eventcount, t->w->bell);/	;/
s/	if (!w || max_width_ns < 0)/	if (!w)/

#: lib/wall/wall_info.c wall_wait wall_wait_events
s/	info.waiting = .*/	;/

#: lib/sleep/waiter.h wall_wait wall_wait_events
s/	if (unlikely(owner)) .*/	if (0)/
