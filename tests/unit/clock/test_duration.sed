# SPDX-License-Identifier: MIT

#: lib/clock/duration.c
s/if (size <= len)/if (size < len)/
/^COLD int hpt_ticks_format/,/^}/s/if (!buf)/if (0)/
/^int hpt_ticks_to_timespec/,/^}/s/if (!ret)/if (0)/
s/return ret ? hpt_wide_narrow(hpt_wide_add(.*/return hpt_wide_narrow(hpt_wide_add(hpt_wide_of(t), ticks), ret);/
s/negative ? hpt_wide_negate(ns) : ns/ns/
