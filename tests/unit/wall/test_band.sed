# SPDX-License-Identifier: MIT

#: lib/wall/band.c
s/.lo = scale(hpt_ratio_floor(/.lo = scale(hpt_ratio_ceiling(/
s/.hi = scale(hpt_ratio_ceiling(/.hi = scale(hpt_ratio_floor(/
s/PPB - ppb/PPB/
s/PPB + ppb/PPB/
s/	if (ns <= 0)/	if (0)/
s/least_ticks, 1),/least_ticks, 0),/
s/	if (band.lo.whole | band.lo.frac)/	if (0)/
s/	if (band.lo.whole | band.lo.frac)/	if (1)/
s/to.lo_ns - from.hi_ns, most_ticks/to.lo_ns - from.hi_ns, least_ticks/
s/to.hi_ns - from.lo_ns, least_ticks/to.hi_ns - from.lo_ns, most_ticks/
s/	if (is_slower(cut.lo, with->lo))/	if (is_slower(with->lo, cut.lo))/
s/	if (is_slower(with->hi, cut.hi))/	if (is_slower(cut.hi, with->hi))/
s/	if (is_slower(cut.hi, cut.lo))/	if (0)/
s/a.whole == b.whole \&\& a.frac < b.frac/0/
s/a.whole < b.whole ||/0 ||/
s/return narrow > INT32_MAX ? INT32_MAX : /return /
