# SPDX-License-Identifier: MIT

#: tools/trace/trace_bar.c
s/ts.tv_sec \* NS_PER_S + ts.tv_nsec/ts.tv_nsec/
s/progress_is_shown() ? total : 0/total/
s/	w->shown_ns = w->start_ns - SHOW_NS;/	w->shown_ns = w->start_ns;/
s/now - w->shown_ns < SHOW_NS/now - w->shown_ns <= SHOW_NS/
s/	w->shown_ns = now;/	;/
s/if (done > w->total)/if (0)/
s/left < (double)(INT64_MAX \/ 2) ? (int64_t)left : -1/(int64_t)left/
s/(double)(w->total - done)/(double)w->total/
s/	if (w->total)$/	if (1)/
