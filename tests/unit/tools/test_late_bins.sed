# SPDX-License-Identifier: MIT

#: tools/run/late_bins.c
s/? UINT64_MAX : a;/? a : a;/
s/k < 63 ?/k < 62 ?/
s/INT64_C(1) << k/INT64_C(1) << (k - 1)/
s/ + 999) \/ 1000/) \/ 1000/
s/total \/ 1000 \* permille + /0 + /
s/	if (!wanted)/	if (0)/
s/counted >= wanted/counted > wanted/
