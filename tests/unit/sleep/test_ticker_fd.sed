# SPDX-License-Identifier: MIT

#: lib/sleep/ticker_fd.c
s/^\tif (r < 0 || hpt_now_ns(t->waiter.clk) >= t->armed_ns)$/\tif (0)/
s/^\tif (r < 0 || next_ns(t) != armed_for_ns)/\tif (next_ns(t) != armed_for_ns)/
s/^\tif (hpt_own_fd_is_rung(.*/\tif (0)/
s/return due_ns == HPT_TICKER_SPENT ? INT64_MAX : due_ns;/return due_ns;/
s/struct hpt_policy p = hpt_object_policy_current(&t->waiter.policy)/struct hpt_policy p = hpt_policy_current()/
s/cap_ns(hpt_object_policy_current(&t->waiter.policy))/cap_ns(hpt_policy_current())/
s/cap_ns(p), GUESS_NS/FD_CAP_NS, GUESS_NS/
s/next_ns(t), guess_ns(t)/next_ns(t), GUESS_NS/
s/return hpt_policy_cap_ns(p) < FD_CAP_NS ? hpt_policy_cap_ns(p) : FD_CAP_NS;/return hpt_policy_cap_ns(p);/

#: lib/sleep/ticker.c
s/^\thpt_own_fd_close(&t->waiter.own);/\t;/
s/^\thpt_ticker_fd_ring(t);/\t;/
s/^\thpt_own_fd_begin_interrupt(&t->waiter.own, &t->waiter.eventcount);/\t;/
s/^\thpt_ticker_fd_after(t, INT64_MIN, 0);/\t;/
s/return hpt_cadence_is_once(t->cadence) ? INT64_MAX : hpt_beat_ns(after);/return hpt_beat_ns(after);/

#: lib/sleep/own_fd.c
s/word \&\& word >> 32 == hpt_process()/word/
s/word >> 32 != mine >> 32 \&\& //
s/return rung >> 32 == hpt_process() \&\& (int32_t)/return (int32_t)/
/publish(o, mine)/,/^}/s/^\t\t\tclose_fd(mine);/\t\t\t;/

#: lib/sleep/own_fd.h
s/return hpt_own_fd_is_begun(o, ec) || hpt_eventcount_value(ec) != atomic_load(seen);/return hpt_own_fd_is_begun(o, ec);/
s/return hpt_own_fd_is_begun(o, ec) || hpt_eventcount_value(ec) != atomic_load(seen);/return hpt_eventcount_value(ec) != atomic_load(seen);/
