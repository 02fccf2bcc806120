# SPDX-License-Identifier: MIT

#: lib/sleep/manual_phase.c
s/ || (s->look \&\& hpt_look_for(s, 0) == -ECANCELED))/)/
s/s->look ? LOOK_AGAIN_NS : INT64_MAX/INT64_MAX/

#: lib/sleep/waiter_poll.c
s/(has_come_near(w, look, left) \&\& !w->clk->src.own_time)/(has_come_near(w, look, left))/
