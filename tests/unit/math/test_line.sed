# SPDX-License-Identifier: MIT

#: lib/math/line.h
s/ + (lo + at_frac < at_frac)//
s/ + offset \* whole//

#: lib/math/line.c
s/sum.ns += sum.frac < a.frac;/;/
s/ - (a.frac < b.frac)//
s/if (rest < 0)/if (0)/
s/UINT64_MAX \/ FS_PER_NS + 1/UINT64_MAX \/ FS_PER_NS/
s/fs = hpt_wide_product((int64_t)f.ns, FS_PER_NS)/fs = hpt_wide_of((int64_t)(f.ns * FS_PER_NS))/
s/(void)hpt_wide_narrow(hpt_wide_add(fs, .*, &narrow);/if (!hpt_wide_narrow(fs, \&narrow)) narrow = (int64_t)((uint64_t)narrow + rest);/
s/narrow = (int64_t)f.ns < 0 ? INT64_MIN : INT64_MAX;/narrow = INT64_MAX;/
s/f.ns += ticks \* slope.whole;/;/
s/f.ns -= slope.frac;/;/
s/tick - hpt_window_start(in_window)/tick - in_window/
s/more > s ? s : //
s/more < -s \/ 2 ? -s \/ 2 : //
s/slope.whole += (uint64_t)(int64_t)more;/;/
s/slope.whole += slope.frac < frac;/;/
s/slope.whole -= slope.frac > frac;/;/
