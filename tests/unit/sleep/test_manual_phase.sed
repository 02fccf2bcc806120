# SPDX-License-Identifier: MIT

#: lib/sleep/manual_phase.c
s/		if (now >= deadline)/		if (now + 1 >= deadline)/
s/		return hpt_sum(now, at);/		return (int64_t)((uint64_t)now + (uint64_t)at);/
s/ \&\& s->flags & HPT_WAIT_EINTR//
s/		if (r == -EINTR/		if (0/
s/	hpt_manual_leave(m, value);/	(void)0;/
s/	errno = saved;/	(void)saved;/

#: lib/source/own_time.h
s/		hpt_eventcount_notify(ec, 1, env);/		(void)env;/

#: lib/source/manual.c
s/return hpt_ratio_ceiling(ns,/return hpt_ratio_nearest(ns,/
s/	if (src->rate.num >= src->rate.den)/	if (0)/
s/	if (src->rate.num >= src->rate.den)/	if (1)/
s/	atomic_store(&m->is_used, 0);/	atomic_store(\&m->is_used, 0), free(m);/

#: lib/sleep/ticker_fd.c
s/	if (t->waiter.clk->src.own_time)/	if (0)/

#: lib/sleep/gate.c
s/	hpt_eventcount_notify(&g->eventcount, GATE_GENERATION, env);.*/&return 0;/

#: lib/sleep/moment.c
s/unlikely(clk->src.own_time) ? ret->at.ns : //

#: lib/sleep/ticker.c
s/		tick = t->waiter.clk->src.own_time->tick_at(.*/		;/
