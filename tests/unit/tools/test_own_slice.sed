# SPDX-License-Identifier: MIT

#: tools/bench/own_slice.c
s/return way->is_ours || now_ns == own_ns/return now_ns == own_ns/
s/return way->is_ours || now_ns == own_ns/return way->is_ours/
s/return way->is_ours || now_ns == own_ns/return 1/
s/if (before_ns)/if (0)/
s/if (before_ns)/if (1)/
