# SPDX-License-Identifier: MIT

#: lib/wall/wall_info.c
s/	r = rec.flags \& HPT_WALL_FLAG_SMEARED ? -ENODATA : /	r = /
s/		\*ret_tick = hpt_wall_counter(w);/		*ret_tick = 0;/
s/	return age > 0 ? age : 0;/	return age > 0 ? 1 : 0;/
s/	if (!w || !ret || size < HPT_WALL_INFO_SIZE_V0)/	if (!w || !ret)/
s/	if (!w || !ret || size < HPT_WALL_INFO_SIZE_V0)/	if (!ret || size < HPT_WALL_INFO_SIZE_V0)/
s/	if (take_record(w, &rec, &tick))/	if (take_record(w, \&rec, \&tick) || 1)/
s/	if (rec.live)$/	if (1)/
s/	errno = saved; .*/	(void)saved;/
s/	info->flags |= rules.flags;/	;/
s/rec->has_bound ? rec->read.bound.band : rules.nominal/rules.nominal/
s/!hpt_wall_source_is_known(source) || //
s/ || size < HPT_WALL_SOURCE_INFO_SIZE_V0)/)/
s/info.error = (uint32_t)(answer >> 32);/info.error = 0;/
s/info.usable = info.reason == HPT_WALL_REASON_NONE;/info.usable = 1;/
s/	info->flags = (uint32_t)latest->flags;/	;/
s/	if (!(rec.live \& source))/	if (0)/

#: lib/wall/leap.c
s/		end_ns = hpt_leap_month_ns(leap->at_ns, 1);/		;/
s/	if (!leap->tai_offset_s || /	if (/
s/unix_ns < hpt_leap_month_ns(leap->tai_at_ns, 0) ||/0 ||/
s/ || unix_ns >= end_ns)/ || unix_ns > end_ns)/
s/bool has_leap = leap->at_ns \&\& leap->at_ns <= end_ns;/bool has_leap = leap->at_ns;/
s/bool has_leap = leap->at_ns \&\& leap->at_ns <= end_ns;/bool has_leap = leap->at_ns \&\& leap->at_ns < end_ns;/
s/	if (!has_leap || unix_ns < leap->at_ns - NS_PER_S)/	if (!has_leap || unix_ns < leap->at_ns)/
s/	\*ret_s += leap->sign;/	;/
s/unix_ns < leap->at_ns + NS_PER_S ? -ENODATA : 0/0/
s/(int32_t)(month - 1) \/ 12, (month - 1) % 12 + 1, 1)/0, (month - 1) % 12 + 1, 1)/
s/		leap->tai_offset_s += leap->sign;/		;/
s/		leap->tai_at_ns = leap->at_ns;/		;/
