# SPDX-License-Identifier: MIT

#: lib/wall/shown.c
s/	s->unseen_ns = s->hi_ns - s->lo_ns + (hi_ns - lo_ns);/	s->unseen_ns = hi_ns - lo_ns;/
s/	if (lo_ns > s->lo_ns)/	if (1)/
s/	if (hi_ns < s->hi_ns)/	if (1)/
s/ \&\& lo_ns <= s->hi_ns \&\& hi_ns >= s->lo_ns)/ \&\& lo_ns <= s->hi_ns)/
s/ \&\& lo_ns <= s->hi_ns \&\& hi_ns >= s->lo_ns)/ \&\& hi_ns >= s->lo_ns)/
s/lo_ns <= s->hi_ns \&\&/lo_ns < s->hi_ns \&\&/
s/	if (s->has_offset \&\& shown_ns > s->until_ns)/	if (shown_ns > s->until_ns)/
s/	if (s->has_offset \&\& shown_ns > s->until_ns)/	if (s->has_offset)/
s/	s->unseen_ns = hi_ns - lo_ns;/	;/
s/hpt_sum(mono_ns, s->hi_ns)/hpt_sum(mono_ns, s->lo_ns)/
