# SPDX-License-Identifier: MIT

#: lib/wall/feed.c
s/return s->after >= s->before \&\& /return /
s/hpt_wall_is_plausible(s->earliest_ns, s->latest_ns) \&\&/1 \&\&/
s/(!s->source || s->source == HPT_WALL_SOURCE_FEED) \&\&$/1 \&\&/
s/^	       !(s->flags \& ~(uint32_t)(HPT_WALL_FLAG_CLAIMED | HPT_WALL_FLAG_SMEARED));/1;/
s/!hpt_can_take(sample, size, HPT_WALL_SAMPLE_SIZE_V0, sizeof(\*sample)) ||$/0 ||/
s/!(w->sources \& HPT_WALL_SOURCE_FEED) || //
s/	reading.sample.source = HPT_WALL_SOURCE_FEED;/	;/
s/	if (r != -EINVAL)/	if (1)/
s/	if (r != -EINVAL)/	if (!r)/

#: lib/clock/sized.c
s/^	while (size > known)$/	while (0)/
s/^	return size >= first;/	return true;/

#: lib/wall/wall_reading.h
s/return earliest_ns >= 0 \&\& /return /
s/latest_ns >= earliest_ns \&\& //
s/ \&\& latest_ns < HPT_WALL_MOST_NS;/;/

#: lib/wall/wall_keeper.c
s/^		return -ERANGE;/		return -EAGAIN;/
s/	if ((int64_t)(w->clk->src.read(&w->clk->src) - (uint64_t)reading->sample.after) < 0)/	if (0)/

#: lib/wall/wall_record.c
s/	return (int64_t)(now - (uint64_t)s->before) < 0 ||/	return/
