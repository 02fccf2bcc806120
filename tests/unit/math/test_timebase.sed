# SPDX-License-Identifier: MIT

#: lib/math/timebase.c
s/AT_NS = 56, AT_UNIX_NS = 64/AT_NS = 64, AT_UNIX_NS = 56/
s/AT_STATE = 108, AT_ERROR_PPB = 112/AT_STATE = 112, AT_ERROR_PPB = 108/
s/bytes\[i\] = (uint8_t)(value >> 8 \* i);/bytes[i] = (uint8_t)(value >> 8 * (n - 1 - i));/
s/(uint32_t)bytes\[0\] | (uint32_t)bytes\[1\] << 8/(uint32_t)bytes[1] | (uint32_t)bytes[0] << 8/
s/i < AT_HASH; i++)/i < AT_HASH - 1; i++)/
s/get32(b + AT_VERSION) != TIMEBASE_VERSION || //
s/if (memcmp(b + AT_MAGIC, TIMEBASE_MAGIC, sizeof(TIMEBASE_MAGIC) - 1) ||$/if (/
s/get32(b + AT_HASH) != hash(b))/0)/
s/slope.whole <= WHOLE_MAX/1/
s/slope.frac >= FRAC_MIN/slope.frac > 0/
s/#define FRAC_MIN  (UINT64_C(1) << 54)/#define FRAC_MIN  (UINT64_C(1) << 55)/
s/ \&\& memcmp(a->boot_id, unknown, sizeof(unknown));/;/
s/return !memcmp(a->boot_id, b->boot_id, sizeof(unknown)) \&\& /return /
s/ || a->generation != b->generation / /
s/ || has_offset_moved(a, b))/)/
s/if (a->source != b->source)/if (0)/
s/if (b->tick < a->tick)/if (0)/
s/return timebase_has_jumped(a, b, HPT_TIMEBASE_NS) || /return /
s/ || timebase_has_jumped(a, b, HPT_TIMEBASE_UNIX) ?/ ?/
s/a->offset_error_ns < UINT32_MAX \&\& b->offset_error_ns < UINT32_MAX \&\&/1 \&\&/
s/(uint64_t)a->offset_error_ns + b->offset_error_ns/(uint64_t)a->offset_error_ns/
s/is > 2 \* want + error || //
s/ || is < want \/ 2 - error//
s/double error = 1000 + /double error = 0 + /
s/return b->error_ppb < HPT_TIMEBASE_SLEW_PPB \&\& /return /
s/const struct hpt_timebase_fields \*later = b ? b : a;/const struct hpt_timebase_fields *later = a;/
s/if (b \&\& distance(b->tick, tick) < ticks)/if (0)/
s/if (b \&\& b->lines\[line\].error_ns > error_ns)/if (0)/
s/line == HPT_TIMEBASE_UNIX ? 2 \* HPT_TIMEBASE_SLEW_PPB : 0/0/
s/if (error_ns == UINT32_MAX || /if (/
