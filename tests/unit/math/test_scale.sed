# SPDX-License-Identifier: MIT

#: lib/math/scale.c
s/frac_hi += frac_lo >> 63;/;/
s/if (p.hi || /if (/
s/ || p.lo > limit//
s/p.hi += __builtin_add_overflow/(void)__builtin_add_overflow/
s/if (carry || /if (/
s/q = hpt_wide_add(q, hpt_wide_of(1));/;/
s/q = hpt_wide_add(q, hpt_wide_of(1));/q.lo++;/
s/if (!is_less(rest, hpt_wide_subtract(den, rest)))/if (is_less(hpt_wide_subtract(den, rest), rest))/
s/a.hi < b.hi || (a.hi == b.hi \&\& a.lo < b.lo)/a.lo < b.lo/
s/if (is_less(x, den))/if (1)/
s/if (hpt_wide_of(low).hi != x.hi)/if (0)/
s/if (hpt_wide_of(low).hi != x.hi)/if (x.hi \&\& ~x.hi)/
s/hpt_wide_narrow(ns, &narrow) ? /1 ? /
s/hpt_wide_narrow(ns, &narrow) ? /0 ? /
s/hpt_wide_is_negative(ns) ? UINT64_MAX : 0, s/0, s/
s/flip ? NS_PER_S - 1 - (int64_t)rest : //

#: lib/math/scale.h
s/ + (lo < a.lo)//
s/x < 0 ? UINT64_MAX : 0, (uint64_t)x/0, (uint64_t)x/
