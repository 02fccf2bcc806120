# SPDX-License-Identifier: MIT

#: lib/wall/wall_counter.c
s/#define MORE(ns) ((ns) + (ns) \/ 8 + 1)/#define MORE(ns) (ns)/
s/#define LESS(ns) ((ns) - (ns) \/ 8 - 1)/#define LESS(ns) (ns)/
s/	\*ret_from = before -/	*ret_from = after -/
s/	\*ret_to = after -/	*ret_to = before -/
s/	passed_ns = limited(\(.*\));/	passed_ns = \1;/

#: lib/wall/wall_read.c
s/ || (int64_t)(tick - rec.first_clock_tick) < 0)/)/
s/ || (int64_t)(tick - rec.first_clock_tick) < 0)/ || (int64_t)(tick - rec.first_clock_tick) <= 0)/
s/		from = rec.first;/		;/

#: lib/wall/wall_keeper.c
s/	follow_first(w, rec, first);/	;/
s/	follow_first(w, &rec, first);/	;/
s/	if (rec->first != known)/	if (1)/
s/w->counts_raw ? w->clk->src.read(&w->clk->src) : rec->first/rec->first/
s/	if (rec.first == (uint64_t)reading->sample.before)/	if (0)/
s/	if (rec.first == (uint64_t)reading->sample.before)/	if (1)/
