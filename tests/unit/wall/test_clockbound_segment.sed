# SPDX-License-Identifier: MIT

#: lib/wall/clockbound_segment.c
s/return generation && !(generation & 1) && /return !(generation \& 1) \&\& /
s/return generation && !(generation & 1) && /return generation \&\& /
s/ && hpt_shared_u16(bytes + HPT_CLOCKBOUND_VERSION);/;/
s/hpt_shared_u32(bytes) == HPT_CLOCKBOUND_MAGIC_0 && //
s/ && hpt_shared_u32(bytes + 4) == HPT_CLOCKBOUND_MAGIC_1;/;/
s/n < HPT_CLOCKBOUND_HEADER || !has_magic(bytes) || has_settled/!has_magic(bytes) || has_settled/
s/n < HPT_CLOCKBOUND_HEADER || !has_magic(bytes) || has_settled/n < HPT_CLOCKBOUND_HEADER || has_settled/
s/if (n < HPT_CLOCKBOUND_HEADER || !has_magic(bytes) || !has_settled_header(bytes))/if (n < HPT_CLOCKBOUND_HEADER || !has_settled_header(bytes))/
s/if (n < HPT_CLOCKBOUND_HEADER || !has_magic(bytes) || !has_settled_header(bytes))/if (n < HPT_CLOCKBOUND_HEADER || !has_magic(bytes))/
s/^	if (size > n)/	if (0)/
s/version == HPT_CLOCKBOUND_VERSION_2 && size == HPT_CLOCKBOUND_V2_SIZE/version == HPT_CLOCKBOUND_VERSION_2/
s/version == HPT_CLOCKBOUND_VERSION_2 && size == HPT_CLOCKBOUND_V2_SIZE/(version \& 0xff) == HPT_CLOCKBOUND_VERSION_2 \&\& size == HPT_CLOCKBOUND_V2_SIZE/
s/version == HPT_CLOCKBOUND_VERSION_3 && size == HPT_CLOCKBOUND_V3_SIZE/version == HPT_CLOCKBOUND_VERSION_3/
s/version == HPT_CLOCKBOUND_VERSION_3 && size == HPT_CLOCKBOUND_V3_SIZE/version >= HPT_CLOCKBOUND_VERSION_3 \&\& size == HPT_CLOCKBOUND_V3_SIZE/
s/version == HPT_CLOCKBOUND_VERSION_3 && size == HPT_CLOCKBOUND_V3_SIZE/(version \& 0xff) == 3 \&\& size == HPT_CLOCKBOUND_V3_SIZE/
s/s > HPT_WALL_MOST_NS \/ NS_PER_S || //
s/ || ns >= NS_PER_S)/)/
s/ns >= NS_PER_S)/ns > NS_PER_S)/
s/== HPT_CLOCKBOUND_FREE_RUNNING;/!= HPT_CLOCKBOUND_FREE_RUNNING;/
s/ret->void_after_ns >= ret->as_of_ns && //
s/bytes\[at->has_marker\] <= 1 && //
s/ret->bound_ns > 0 &&$/ret->bound_ns >= 0 \&\&/
s/ret->bound_ns > 0 &&$/1 \&\&/
s/ret->bound_ns < HPT_WALL_MOST_NS && //
s/ && ret->drift_ppb < PPB;/;/
s/ret->drift_ppb < PPB;/ret->drift_ppb <= PPB;/
s/	if (shift >= 64) /	if (0) /
s/ + !!error_fraction;/;/
s/drift_ppb + error.whole/error.whole/
s/drift_ppb + error.whole/drift_ppb/
s/period.whole >= PERIOD_MOST_NS || //
s/(!period.whole && period.frac < PERIOD_LEAST_FRAC) ||$/0 ||/
s/	    error_ppb >= PPB)/	    0)/
s/(uint32_t)error_ppb)/0)/
s/status != HPT_CLOCKBOUND_SYNCHRONIZED && status != HPT_CLOCKBOUND_FREE_RUNNING/status == 0/
s/status != HPT_CLOCKBOUND_SYNCHRONIZED && status != HPT_CLOCKBOUND_FREE_RUNNING/status != HPT_CLOCKBOUND_SYNCHRONIZED/
s/return hpt_wall_is_plausible(.*) &&$/return/
s/ret->as_of_ns - ret->bound_ns) };/ret->as_of_ns) };/
s/\.ns = (uint64_t)(hpt_sum(ret->as_of_ns, ret->bound_ns)) };/.ns = (uint64_t)ret->as_of_ns };/

#: lib/wall/clockbound_layout.h
s/PERIOD_SHIFT 97/PERIOD_SHIFT 98/
s/ERROR_SHIFT  98/ERROR_SHIFT  97/
s/layout_2 = { 16, 32/layout_2 = { 32, 16/
s/layout_3 = { 24, 40, 72, 80, 88/layout_3 = { 24, 40, 80, 72, 88/
