# SPDX-License-Identifier: MIT

#: tools/cli/stats.c
s/return sorted\[rank > (double)n ? n - 1 : (size_t)rank - 1\];/return sorted[(size_t)rank \< n ? (size_t)rank : n - 1];/
s/if (rank < 1)/if (0)/
s/(double)(n - 1)) : 0;/(double)n) : 0;/
s/while (median > 0 \&\& /while (/
s/#define Z_95 1.96/#define Z_95 0.5/
s/moments(v, kept, \&ret->filtered_mean/moments(v, n, \&ret->filtered_mean/
s/ret->dropped = n - kept;/ret->dropped = 0;/
s/sum += above(sorted, i);/;/
s/if (rest >= per_unit - rest)/if (0)/
s/means\[i\].value \/ (double)per_unit/means[i].value/
s/return (double)n \* (1 - q) >= 1 - 1e-9;/return (double)n * (1 - q) > 1;/
