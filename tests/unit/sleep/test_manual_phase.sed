# SPDX-License-Identifier: MIT

#: lib/sleep/manual_phase.c
s/		if (at == INT64_MAX) .*/		if (0)/
s/		if (now >= deadline)/		if (now + 1 >= deadline)/
s/ \&\& s->flags & HPT_WAIT_EINTR//
s/		if (r == -EINTR/		if (0/
s/	hpt_manual_leave(m, value);/	(void)0;/
s/	errno = saved;/	(void)saved;/

#: lib/source/own_time.h
s/		hpt_eventcount_notify(ec, 1, env);/		(void)env;/

#: lib/source/manual.c
s/return hpt_ratio_ceiling(ns,/return hpt_ratio_nearest(ns,/
s/	atomic_store(&m->is_used, 0);/	atomic_store(\&m->is_used, 0), free(m);/

#: lib/sleep/ticker_fd.c
s/	if (t->waiter.clk->src.own_time)/	if (0)/

#: lib/sleep/gate.c
s/^	hpt_own_time_notify(of_clock, env); .*/	return 0;/

#: lib/sleep/ticker.c
s/period_ns == INT64_MAX ? INT64_MAX : hpt_sum/hpt_sum/

#: lib/sleep/moment.c
s/unlikely(clk->src.own_time) ? ret->at.ns : //
