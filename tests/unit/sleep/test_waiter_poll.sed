# SPDX-License-Identifier: MIT

#: lib/sleep/waiter_poll.c
s/hpt_ticks_to_ns(w->clk, left) <= HPT_WAIT_MARGINS_GUESS_NS/false/
s/(left > 0 \&\& hpt_ticks_to_ns/(hpt_ticks_to_ns/
s/	if (unlikely(hpt_own_fd_is_begun(.*/	if (0)/
s/	if (!finds_at_once(s))/	if (1)/
s/return unlikely(hpt_habits_events_end_waits(hpt_habits_known())) \&\& /return /
s/	\*ret_left = hpt_ns_to_ticks(/	(void)hpt_ns_to_ticks(/
s/while (unlikely(r > 0) \&\& !hpt_last_word_is_kernels(s->clk, HPT_DEADLINE_NS));/while (0);/
s/	if (r >= 0 \&\& !s->look->has_looked)/	if (0)/
s/	if (r >= 0 \&\& !s->look->has_looked)/	if (r >= 0)/
s/s.policy = hpt_policy_never_early(s.policy);/;/
s/^	if (look->result)/	if (look->result \&\& !hpt_sleeper_is_interrupted(\&s))/
s/^\t\thpt_waiter_take_interrupt(w);/\t\t;/
s/r \&\& at == INT64_MAX ? INT64_MAX : left/left/
s/\.epfd = epfd, \.is_epoll = true/.epfd = epfd/

#: lib/sleep/look.c
s/	if (h \&\& !look->is_near)/	if (h)/
s/^\t\th->by_events |= 1;/\t\t;/
s/if (look->has_looked \&\& (int64_t)/if ((int64_t)/
s/	if (r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR))/	if (0)/
s/	if (r == -EINTR \&\& !(s->flags & HPT_WAIT_EINTR))/	if (r == -EINTR)/
s/	return r || hpt_sleeper_is_interrupted(s) ? -ECANCELED : -ETIMEDOUT;/	return r ? -ECANCELED : -ETIMEDOUT;/
s/#define LOOK_HALVES 3/#define LOOK_HALVES 2/
s/#define LOOK_NEAR_NS 5000/#define LOOK_NEAR_NS 500/
s/	return took > near ? took : near;/	return near;/
s/	look->has_looked = true;/	;/
s/		look->took = look->took .*/		look->took = 0;/

#: lib/sleep/kernel_wait.c
s/	if (unlikely(s->look != NULL))/	if (0)/

#: lib/sleep/sleep.c
s/likely(!sp->s->look) ? HPT_SPIN_REACHED : hpt_look_spin(sp)/HPT_SPIN_REACHED/

#: lib/sleep/kernel_phase.c
s/(sl->s->look \&\& kind != HPT_SLEEP_STRICT \&\& /(sl->s->look \&\& /
s/(sl->s->look \&\& kind != HPT_SLEEP_STRICT \&\& /(0 \&\& /
s/	if (h \&\& !look->is_near)/	if (0)/

#: lib/sleep/habits.h
s/(h->by_events) > 12;/(h->by_events) > 11;/
s/(h->by_events) > 12;/(h->by_events) > 13;/
