# SPDX-License-Identifier: MIT

#: lib/sleep/moment.c
s/ || is_replaced(last, now);/;/
s/return now->is_os && !last->is_torn && !now->is_torn && /return now->is_os \&\& /
s/return now->is_os && !last->is_torn && !now->is_torn && hpt_moment_has_diverged(last, now);/return false;/
s/	ret->is_torn = took_ns > TORN_NS;/	ret->is_torn = false;/
s/	ret->is_torn = took_ns > TORN_NS;/	ret->is_torn = true;/
s/ && ++tries < TORN_TRIES);/ \&\& 0);/
s/^	    !is_replaced(last, now))/	    1)/

#: lib/sleep/ticker.c
s/^			note_kernels_end(t, slept_ns);/			;/
/^static COLD void note_kernels_end/,/^}/s/	look_at_clocks(t, &now);/	hpt_moment_take(t->waiter.clk, \&now);/
s/hpt_sum(t->next.ns, now.at.ns - slept_ns)/t->next.ns/

#: lib/sleep/sleep_check.c
s/sl->end.is_known = rec->read.start && (/sl->end.is_known = (/
