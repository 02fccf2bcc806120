# SPDX-License-Identifier: MIT

#: lib/sleep/cadence.c
s/(x.hi % den) << 32 |/0 |/
s/(mid % den) << 32 |/0 |/
s/return mid \/ den << 32 | low \/ den;/return low \/ den;/
s/if (rest >= den)/if (0)/
s/hpt_wide_add(parts, hpt_wide_of(b.num))/parts/
s/hpt_wide_add(whole, (struct hpt_wide){ 0, carried })/whole/
s/hpt_wide_narrow(whole, &later.ns) || later.ns == INT64_MAX/hpt_wide_narrow(whole, \&later.ns)/
s/ || (is_endless(c) \&\& n))/)/
s/is_endless(c) \&\& n))/is_endless(c)))/
s/ || is_endless(c))$/)/
s/now_ns < hpt_beat_ns(b) || !period/!period/
s/ || !period || / || /
s/parts = hpt_wide_subtract(parts, hpt_wide_of(b.num));/;/
s/return parts.hi ? divide(parts, period) : parts.lo \/ period;/return parts.lo \/ period;/

#: lib/sleep/cadence.h
s/return b.ns + (b.num != 0);/return b.ns;/
s/return !c.whole_ns && !c.num;/return !c.whole_ns;/
