# SPDX-License-Identifier: MIT

#: lib/sleep/watchdog.c
s/if (hpt_sum(most, allowed) < passed)/if (0)/
s/return least > hpt_sum(passed, allowed) ? hpt_sum(least, -passed) : 0;/return 0;/
s/^		f->gained_ns = gained_ns(&w->rate, &w->first, &f->r.b, HPT_DIVERGED_NS);/		;/
s/^		w->first = f->r.b;/		;/
s/return size_of(hpt_sum(gained, -unix_moved_ns)) < size_of(gained) \/ 2 ? 0 : gained;/return gained;/
s/^		hpt_timekeeper_resample(clk);/		;/
s/^		f->gained_ns = f->stepped_ns;/		;/
s/if (is_large || rec->generation != w->generation) {/if (0) {/
s/w->generation = f->is_known || !w->seen ? rec->generation : 0;/w->generation = rec->generation;/
s/w->generation = f->is_known || !w->seen ? rec->generation : 0;/w->generation = f->is_known ? rec->generation : 0;/
s/^	w->generation = rec->generation;/	;/
s/llabs(os_ahead_ns(id, rec, r)) <= HPT_DIVERGED_NS/1/
s/^		f.gained_ns = BLIND;/		;/
s/^	w->is_checked = true;/	;/
