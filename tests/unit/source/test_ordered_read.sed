# SPDX-License-Identifier: MIT

#: lib/source/ordered_read.c
s/^#define TIE_PERCENT 3$/#define TIE_PERCENT 2/
s/^#define TIE_PERCENT 3$/#define TIE_PERCENT 4/
s/^#define TURN 8$/#define TURN 16/
s/return lfence \&\& lfence \* 100/return lfence * 100/
s/if (sum < shortest)/if (1)/
s/ ? UINT64_MAX : shortest \/ TURN \* 2, / ? UINT64_MAX : UINT64_MAX, /
s/2 \* still >= n ? UINT64_MAX : /0 ? UINT64_MAX : /
s/if (!src->rdtscp || !src->lfence)/if (!src->rdtscp)/
s/if (!src->rdtscp || !src->lfence)/if (!src->lfence)/
s/^\tsrc->read = src->rdtscp;$/\t;/
s/^\t\tlfence\[i\] = rdtscp\[i\];$/\t\t;/
s/^\t\trdtscp\[i\] = other;$/\t\t;/
s/hpt_read_cost_of(deltas + own, n - own, &other)/hpt_read_cost_of(deltas, own, \&other)/
