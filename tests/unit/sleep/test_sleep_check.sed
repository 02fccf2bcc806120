# SPDX-License-Identifier: MIT

#: lib/sleep/sleep_check.c
s/^	errno = saved;$/	(void)saved;/
s/? HPT_STATE_REANCHORED : HPT_STATE_DISRUPTED;/? HPT_STATE_OK : HPT_STATE_OK;/
s/if (is_first || f->gained_ns >= 0)/if (1)/
s/^		set_end(sl, rec, &f->r, end);/		;/
s/		sl->end.is_known = !is_first;/		sl->end.is_known = false;/
/^static COLD void go_blind/,/^}/s/	sl->state = HPT_STATE_DISRUPTED;/	;/
/^COLD void hpt_sleep_place/,/^}/s/		sl->state = HPT_STATE_OK;/		;/
