# SPDX-License-Identifier: MIT

#: tools/bench/sweep_state.c
s/	if (strcmp(r->line, wanted) != 0)/	if (0)/
s/		    ns != s->lengths_ns\[i\])/		    0)/
s/	if (ret->rounds <= s->plan.rounds)/	if (ret->rounds < s->plan.rounds)/
s/	if (!r->has_ended)/	if (0)/
s/	if (!n || r->line\[n - 1\] != '\\n')/	if (!n)/
s/		r->has_ended = !skip_line(r->from);/		;/
s/		r->has_ended = !skip_line(r->from);/		r->has_ended = true;/
s/ || !is_near(ticks, s->lengths_ticks\[i\])//
s/ || \*ret > most_ticks)/)/
s/take_number(at, -most_ticks, ret)/take_number(at, -MOST, ret)/
s/ || t.cpu_ns > MOST_NS || / || /
s@ || t.user_us > MOST_NS / NS_PER_US ||$@ ||@
s/	    t.system_us > MOST_NS \/ NS_PER_US)/	    0)/
s/	return ticks >= now_ticks \/ 2 - 1 \&\& /	return /
s/			sweep_shift(t, past->more_ticks\[i\]);/			;/
s/^	if (!past->has_first)$/	if (0)/
s/	past->whole = ftello(r->from);/	;/
s/ftruncate(fileno(state->file), past.whole) < 0/0/
s/	if (ftruncate(fileno(state->file), state->whole) < 0)/	if (0)/
s/	if (state->error)$/	if (0)/
s/	if (!state->has_run)/	if (1)/
s/flock(fd, LOCK_EX | LOCK_NB) < 0/0/
s/LOCK_NB) < 0 || fstat(fd, &st) < 0)/LOCK_NB) < 0)/
s/			if (past->rounds < s->plan.rounds)/			if (1)/
s/	return !\*at || refuse(r, "the run's/	return true || refuse(r, "the run's/
s/!take_since(&at, most_ticks, &t.after) || t.after < BASE/!take_since(\&at, most_ticks, \&t.after)/
s/!take_number(&at, 0, &t.system_us) || \*at || /!take_number(\&at, 0, \&t.system_us) || /
s/	\*ret += BASE;/	;/

#: tools/bench/sweep.c sweep_state
s/	t->after += more_ticks;/	;/
s/	t->left += t->left ? more_ticks : 0;/	;/
s/	t->target += t->target ? more_ticks : 0;/	t->target += more_ticks;/
s/				r->done_ns += s->lengths_ns\[i\];/				;/
s/uint32_t round = r->s->resumed_rounds; round/uint32_t round = 0; round/
s/	s->disturbed = s->resumed_disturbed + r->disturbed;/	s->disturbed = r->disturbed;/
