# SPDX-License-Identifier: MIT

#: tools/bench/sweep_state.c
s/	if (strcmp(r->line, wanted) != 0)/	if (0)/
s/		    ns != s->lengths_ns\[i\] || /		    /
s/	if (ret->rounds >= s->plan.rounds)/	if (ret->rounds > s->plan.rounds)/
s/	return read_fixed(r, "end", "it has more than its rounds");/	return true;/
s/	if (!n || r->line\[n - 1\] != '\\n')/	if (!n)/
s/!take_since(&at, &t.after) || t.after < BASE/!take_since(\&at, \&t.after)/
s/!take_number(&at, 0, &t.system_us) || \*at)/!take_number(\&at, 0, \&t.system_us))/
s/	\*ret += BASE;/	;/

#: tools/bench/sweep.c sweep_state
s/				t->after += more_ticks;/				;/
s/				t->left += t->left ? more_ticks : 0;/				;/
s/				t->target += t->target ? more_ticks : 0;/				t->target += more_ticks;/
s/				r->done_ns += s->lengths_ns\[i\];/				;/
s/uint32_t round = r->s->resumed_rounds; round/uint32_t round = 0; round/
s/	s->disturbed = s->resumed_disturbed + r->disturbed;/	s->disturbed = r->disturbed;/
