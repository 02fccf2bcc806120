# SPDX-License-Identifier: MIT

#: lib/source/ordered_read.c
s/^#define TIE_PERCENT 3$/#define TIE_PERCENT 2/
s/^#define TIE_PERCENT 3$/#define TIE_PERCENT 4/
s/^#define TURN 8$/#define TURN 16/
s/return second \&\& second \* 100/return second * 100/
s/if (sum < shortest)/if (1)/
s/ ? UINT64_MAX : shortest \/ TURN \* 2, / ? UINT64_MAX : UINT64_MAX, /
s/2 \* still >= n ? UINT64_MAX : /0 ? UINT64_MAX : /
s/if (src->orders != (HPT_OWN_FIRST | HPT_OWN_SECOND))/if (!(src->orders \& HPT_OWN_FIRST))/
s/if (src->orders != (HPT_OWN_FIRST | HPT_OWN_SECOND))/if (!(src->orders \& HPT_OWN_SECOND))/
s/^\thpt_own_set_order(src, HPT_OWN_FIRST);$/\t;/
s/^\t\tsecond\[i\] = first\[i\];$/\t\t;/
s/^\t\tfirst\[i\] = other;$/\t\t;/
s/hpt_read_cost_of(deltas + own, n - own, &other)/hpt_read_cost_of(deltas, own, \&other)/
