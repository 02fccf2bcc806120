# SPDX-License-Identifier: MIT

#: tools/trace/trace_source.c
s/if (!fstat(fd, &st) && S_ISREG(st.st_mode))/if (0)/
/^static void note/,/^}/s/	if (!f->n)$/	if (1)/
s/	f->n += n;/	f->n++;/
s/return s->placer->stamps == EVENT_TICKS ? &s->seconds : NULL;/return NULL;/
s/return s->placer->stamps == EVENT_TICKS ? &s->seconds : NULL;/return \&s->seconds;/
s/return s->takes_whole ? NULL : &s->whole;/return NULL;/
s/	s->takes_whole = true;/	;/
s/r.event.process = s->process;/;/
s/s->numbers\[s->batch.n\] = s->lines.number;/s->numbers[0] = s->lines.number;/
s/s->is_ended = state != LINES_WHOLE \&\& state != LINES_LONG;/s->is_ended = state != LINES_WHOLE;/
s/if (own_ns >= s->last_own_ns \&\& e->unix_ns < s->last_ns/if (0 \&\& e->unix_ns < s->last_ns/
s/if (own_ns >= s->last_own_ns \&\& e->unix_ns < s->last_ns/if (e->unix_ns < s->last_ns/
s/if (e->unix_ns - at->earliest_ns > e->error_ns)/if (0)/
s/	e->error_ns = at->latest_ns - e->unix_ns;/	e->error_ns = 0;/
s/	s->last_own_ns = own_ns;/	;/
s/	e->error_ns = EVENT_ERROR_UNKNOWN;/	;/
s/	e->unix_error_ns = e->error_ns;/	;/
s/e->ns >= 0 \&\& e->ns < INT64_MAX/e->ns > 0 \&\& e->ns < INT64_MAX/
s/e->ns >= 0 \&\& e->ns < INT64_MAX/e->ns >= 0/
s/(!s->placer->has_unix || (e->unix_ns >= 0 \&\& e->unix_ns < INT64_MAX))/1/
s/if (e->ns < s->last_ns)/if (e->ns <= s->last_ns)/
s/	s->last_ns = e->ns;/	;/
s/	s->events += kept;/	s->events += s->batch.n + 1;/
s/while (!s->batch.n \&\& !s->is_ended);/while (0);/
