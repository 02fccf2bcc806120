# SPDX-License-Identifier: MIT

#: tools/bench/hgrm.c
s/if (end == n)/if (0)/
s/LEVELS_PER_HALVING 5/LEVELS_PER_HALVING 4/
s/end = end_of_equals(sorted, n, i);/end = i + 1;/
s/d.stddev \* sqrt((double)(n - 1) \/ (double)n)/d.stddev/
