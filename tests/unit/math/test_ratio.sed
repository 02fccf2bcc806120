# SPDX-License-Identifier: MIT

#: lib/math/ratio.c
s/if (rest >= den) {/if (rest > den) {/
s/	whole.hi += q.hi \* num;/	(void)0;/
s/hpt_wide_of(rest > 0)/hpt_wide_of(0)/
s/hpt_wide_of(rest >= den - rest)/hpt_wide_of(rest > den - rest)/
s/return hpt_wide_is_negative(x) ? hpt_wide_negate(p) : p;/return p;/
s/bit < 128/bit < 127/
s/rest = a % b;/rest = a > b ? a - b : 0;/
