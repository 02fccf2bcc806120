# SPDX-License-Identifier: MIT

#: lib/sleep/manual_phase.c
s/ || (s->look \&\& hpt_look_for(s, 0) == -ECANCELED))/)/
s/s->look ? LOOK_AGAIN_NS : INT64_MAX/INT64_MAX/

#: lib/sleep/waiter_poll.c
s/ \&\& !w->clk->src.own_time ? hpt_habits_claim()/ ? hpt_habits_claim()/
